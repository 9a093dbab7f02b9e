// The end of a hand: a row for each player with the hand and what counted, who paid whom how much and why, where everyone
// stands. A pattern that is pointed at lights its tiles.

import { html, useEffect, useLayoutEffect, useState } from "../../html.js";
import { loadStyle } from "../../main.js";
import { hasOwnRules } from "../../own-rules.js";
import { listed, named, number, signed, t, unitOf } from "../../text.js";
import { Button, later, useKeys } from "../../ui.js";
import { Chart } from "./chart.js";
import { DealLine } from "./deal.js";
import { Clock, Lying, countsOf, roundName, tableZones, windName } from "./felt.js";
import { Title } from "./line.js";
import { isFirst, isNamed, level } from "./names.js";
import { Payments } from "./payments.js";
import { Disc, Dot } from "./players.js";
import { cardOf } from "./side.js";
import { ShownHand, formOf, lineName, seatOf, widthOf, worthText } from "./shown-hand.js";

const CardLine = later(() => import("./drawn-card.js"), "CardLine");

// `Replay` shows the hand again, where there is a recording of it.
/** @param {{ session: Session, last: boolean, Replay: object }} props */
export function ResultPanel({ session, last, Replay }) {
  useEffect(() => void loadStyle("settlement"), []);
  const { about, pause, result, replaying } = session.now;
  const [aside, setAside] = useState(false); // the table is looked at
  const close = () => (session.seen(), true);
  const toggle = () => setAside(!aside);
  const above = useHandHeight(aside);
  useKeys(t("table.keys_result"), {
    Enter: { label: t(last ? "table.to_end" : "table.next_hand"), do: close },
    " ": { do: close },
    Escape: { label: t("table.see_table"), do: () => (toggle(), true) },
    ...(session.recording ? { v: { label: t("table.replay_hand"), do: () => (session.watch(), true) } } : {}),
  });
  const buttons = html`<footer>
    <${Button} onClick=${toggle} pressed=${aside}>${t(aside ? "table.see_result" : "table.see_table")}<//>
    ${session.recording && html`<${Button} onClick=${() => session.watch()} data-do="replay">${t("table.replay_hand")}<//>`}
    ${pause && session.awaited.length > 0 && html`<span class="by-itself small">${t("table.next_by_itself")} <${Clock} clock=${pause} /></span>`}
    <${Button} main onClick=${close} data-do="next">${t(last ? "table.to_end" : "table.next_hand")} <kbd aria-hidden="true">↵</kbd><//>
  </footer>`;
  if (replaying) return html`<${Replay} session=${session} />`;
  if (aside)
    return html`<section class="settlement aside" style=${{ bottom: above }} aria-label=${t("table.result")}>${buttons}</section>`;
  if (!result) return null;
  const { winners, left } = result;
  const titles = result.told.map((line) => html`<${Title} line=${line} people=${session} about=${about} />`);
  const several = titles.length > 1;
  /** @param {number} player */
  const gain = (player) => result.gains[player];
  const others = [...left].sort(
    (one, other) => (other.total ?? 0) - (one.total ?? 0) || gain(other.player) - gain(one.player),
  );
  const whose = [session.me, winners[0]?.player].find((player) => gain(player ?? -1)) ?? undefined;
  return html`<section class="settlement result" aria-label=${t("table.result")}>
    <header>
      <div><h2>${several ? t("table.result") : titles[0]}</h2><p>${toldOf(session, result.played)}</p></div>
      ${whose !== undefined && html`<p class="big number">${signed(gain(whose))}<small>${t("table.for_whom", { whom: session.me === whose ? t("table.you_object") : session.nameOf(whose) })}</small></p>`}
    </header>
    <div class="result-body" tabindex="0" role="group" aria-label=${t("table.result")} style=${`--tiles:${Math.max(...[...winners, ...left].map(widthOf))}`}>
      <div class="player-rows">
        ${winners.map((won, at) => html`<${Row} key=${won.player} session=${session} result=${result} hand=${won} title=${several && titles[at]} won />`)}
        ${others.map((hand) => html`<${Row} key=${hand.player} session=${session} result=${result} hand=${asKnown(hand, session)} />`)}
      </div>
      <div class="result-side">
        <${Payments} session=${session} payments=${result.payments} />
        <${Standing} session=${session} result=${result} />
        <${Shared} session=${session} zones=${result.table.zones} />
        <${Round} session=${session} result=${result} />
        ${result.deal && html`<div class="box"><${DealLine} deal=${result.deal} promised=${session.hashOf(result.hand)} own=${hasOwnRules(session.now.info)} /></div>`}
      </div>
    </div>
    ${result.problems?.length > 0 && html`<p class="note-box warm">${result.problems.map((one) => named(one)).join(" ")}</p>`}
    ${buttons}
  </section>`;
}

// Where buttons stand above the own hand, whatever its rows: as a length from the bottom of the window.
/** @param {boolean} wanted */
function useHandHeight(wanted) {
  const [height, setHeight] = useState(/** @type {string | null} */ (null));
  useLayoutEffect(() => {
    const own = document.querySelector(".felt-box .own");
    if (!wanted || !own) return undefined;
    const observer = new ResizeObserver(() => {
      const hand = own.querySelector(".hand-row");
      setHeight(hand && `${Math.round(innerHeight - hand.getBoundingClientRect().top)}px`);
    });
    [own, document.body].forEach((one) => observer.observe(one));
    return () => observer.disconnect();
  }, [wanted]);
  return height;
}

// Which hand it was, and what counted in it that is told on the table: honba, the pot.
/** @param {Session} session @param {Played} played */
function toldOf(session, played) {
  const { about } = session.now;
  const counts = countsOf(about, played, session.names).map(([, name, value]) => `${name}${value}`);
  const pot = played.pot ? [`${t("table.pot")} ${number(played.pot)}`] : [];
  return [roundName(played, about), ...counts, ...pot].join(" · ");
}

// One's own hand is known to oneself, whoever else has seen it.
/** @param {EndedHand} hand @param {Session} session */
function asKnown(hand, session) {
  const own = session.now.result?.own;
  const isMine = hand.player === session.me && hand.hand.includes(null) && own?.length === hand.hand.length;
  return isMine ? { ...hand, hand: own } : hand;
}

// --- a player

/** @param {{ session: Session, result: ShownResult, hand: EndedHand, title: Child, won?: boolean }} props */
function Row({ session, result, hand, title, won = false }) {
  const { about } = session.now;
  const [lit, light] = useState(/** @type {CountedLine | null} */ (null));
  const { lines } = hand;
  const { table } = result;
  const seat = seatOf(hand.player, table);
  const place = listed([seat && windName(about, seat), hand.player === result.dealer && t("table.dealer")]);
  return html`<section class=${`player-row ${won ? "winner" : ""} ${hand.player === session.me ? "me" : ""}`}>
    <div class="player"><${Disc} people=${session} player=${hand.player} /><div><h3>${title || session.nameOf(hand.player)}</h3><small>${place}</small></div></div>
    <${ShownHand} session=${session} hand=${hand} view=${table} lit=${lit} won=${won} />
    ${
      (lines.length > 0 || formOf(about, hand) || hand.score?.line) &&
      html`<ul class="score-lines">
      ${formOf(about, hand) && html`<li class="form">${formOf(about, hand)}</li>`}
      ${hand.score?.line && html`<li class="form"><${CardLine} text=${hand.score.line} ...${cardOf(session)} /></li>`}
      ${lines.map(
        (
          line,
        ) => html`<li tabindex="0" key=${line.id} class=${`line ${isFirst(about, line) ? "" : "other"} ${lit === line ? "now" : ""}`}
        onMouseEnter=${() => light(line)} onMouseLeave=${() => light(null)} onFocus=${() => light(line)} onBlur=${() => light(null)}>
        ${lineName(about, line)}${line.times && line.times !== 1 ? ` × ${number(line.times)}` : ""} <b class="number">${worthText(about, line)}</b></li>`,
      )}
    </ul>`
    }
    <${Worth} about=${about} hand=${hand} gain=${result.gains[hand.player]} />
  </section>`;
}

/** @param {{ about: About, hand: EndedHand, gain: number }} props */
function Worth({ about, hand, gain }) {
  const { total, unit = "", values = {} } = hand;
  if (total === undefined) return html`<div class="worth soft number">${gain ? signed(gain) : ""}</div>`;
  const word = unitOf(about, unit, total);
  /** @param {[measure: string, value: number]} counted */
  const isSaid = ([measure, value]) => measure === unit || (value === total && unitOf(about, measure, value) === word);
  const rest = Object.entries(values).filter(
    ([measure, value]) =>
      value &&
      !isSaid([measure, value]) &&
      !about.inner?.includes(measure) &&
      isNamed(about.measures?.[measure], measure),
  );
  return html`<div class="worth number">
    <b class="total">${number(total)}</b>
    <small>${word}${hand.score?.called && html` <span class="called">${named(hand.score.called)}</span>`}</small>
    ${rest.length > 0 && html`<small class="sums">${listed(rest.map(([measure, value]) => `${number(value)} ${unitOf(about, measure, value)}`))}</small>`}
  </div>`;
}

// --- the tiles

// Visible tiles on the table that may have counted.
/** @param {{ session: Session, zones: View["zones"] }} props */
function Shared({ session, zones }) {
  const open = tableZones(session.now.about).filter(
    (zone) => !zone.claimable && !zone.wall && zones[zone.id]?.some(Boolean),
  );
  return (
    open.length > 0 &&
    html`<div class="box open-zones">${open.map((zone) => html`<${Lying} session=${session} zone=${zone} codes=${zones[zone.id]} />`)}</div>`
  );
}

// --- where everyone stands

/** @param {{ session: Session, result: HandResult }} props */
function Standing({ session, result }) {
  const { about, points } = session.now;
  const order = result.scores.map((score, player) => ({ score, player })).sort((one, other) => other.score - one.score);
  return html`<div class="box totals">
    <h3>${t("table.points")}</h3>
    <table class="plain">
      <tbody>
        ${order.map(
          ({ score, player }) => html`<tr class=${player === session.me ? "me" : ""}>
          <td><${Dot} player=${player} /> ${session.nameOf(player)}</td>
          <td class=${`number ${result.gains[player] > 0 ? "gain" : result.gains[player] < 0 ? "loss" : ""}`}>${signed(result.gains[player])}</td>
          <td class="number">${number(score)}</td>
        </tr>`,
        )}
      </tbody>
    </table>
    ${points.length > 1 && html`<${Chart} points=${points} start=${about.match?.score} names=${result.scores.map((_, player) => session.nameOf(player))} />`}
  </div>`;
}

// Who leads the round, if the rules show that.
/** @param {{ session: Session, result: HandResult }} props */
function Round({ session, result }) {
  const { about } = session.now;
  const standing = result.standings;
  if (!about.match?.standings || !standing) return null;
  return html`<div class="box">
    <h3 class="titled">${t("table.level_number", { level: level(about, "round"), number: standing.round })}</h3>
    <table class="plain standing">
      <thead><tr><th></th><th class="number">${t("table.won")}</th><th class="number">${t("table.points")}</th><th class="number">${t("table.won_in", { level: level(about, "all") })}</th></tr></thead>
      <tbody>
        ${standing.won.map(
          (won, player) => html`<tr class=${player === session.me ? "me" : ""}>
          <td>${session.nameOf(player)}${standing.leaders.includes(player) && html` <span class="badge">${t("table.leads")}</span>`}</td>
          <td class="number">${number(standing.won_in_round[player])}</td>
          <td class="number">${signed(standing.gained_in_round[player])}</td>
          <td class="number">${number(won)}</td>
        </tr>`,
        )}
      </tbody>
    </table>
  </div>`;
}
