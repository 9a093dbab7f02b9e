// The end of a hand, slid over the felt: who won with what, line by line with its tiles, who paid whom, where everyone
// stands. And the end of the match, with the points of every hand as a chart.

import { html, useState } from "../../html.js";
import { listed, named, number, signed, t } from "../../text.js";
import { say } from "../../net.js";
import { Tile } from "../../tiles.js";
import { Button, complain, useKeys } from "../../ui.js";
import { go } from "../../main.js";
import { DealLine } from "./deal.js";
import { Lying, tableZones } from "./felt.js";
import { lineText, seatText } from "./line.js";
import { isNamed, level } from "./names.js";

export function ResultPanel({ session, last }) {
  const { about, result } = session.now;
  const close = () => session.seen();
  useKeys(t("table.keys_result"), {
    Enter: { label: t(last ? "table.to_end" : "table.next_hand"), do: () => (close(), true) },
    " ": { do: () => (close(), true) },
    Escape: { do: () => (close(), true) },
  });
  const { winners } = result;
  const titles = result.told.map((line) => lineText(line, session, about));
  const several = titles.length > 1;
  return html`<section class="over-felt result panel" aria-label=${t("table.result")}>
    <header><h2>${several ? t("table.result") : titles[0]}</h2></header>
    <div class="result-body">
      ${winners.length > 0 && html`<div class="winners">${winners.map((won, at) => html`<${Winner} key=${won.player} session=${session} won=${won} title=${several && titles[at]} />`)}</div>`}
      <div class="result-side stack">
        <${Shared} session=${session} zones=${result.zones || session.now.view.zones} />
        <${Payments} session=${session} result=${result} />
        <${Points} session=${session} result=${result} />
        <${Round} session=${session} result=${result} />
        ${result.deal && html`<${DealLine} deal=${result.deal} promised=${session.hashOf(result.hand)} />`}
      </div>
    </div>
    ${result.problems?.length > 0 && html`<p class="note-box warm">${result.problems.map((one) => named(one)).join(" ")}</p>`}
    <footer class="row"><${Button} main onClick=${close} data-do="next">${t(last ? "table.to_end" : "table.next_hand")}<//></footer>
  </section>`;
}

function Winner({ session, won, title }) {
  const { about } = session.now;
  const [lit, light] = useState(null);
  const count = won.hand.length;
  const isLit = (place) => lit && (lit.tiles.length ? lit.tiles.includes(place) : lit.whole);
  const state = (place) => (lit ? (isLit(place) ? "lit" : "dim") : "");
  const sums = Object.entries(won.values || {}).filter(([measure, value]) => value && measure !== won.unit && !about.inner?.includes(measure) && isNamed(about.measures?.[measure], measure));
  let at = count;
  const melds = won.melds.map((meld) => meld.tiles.map((code) => ({ code, place: at++ })));
  const winning = won.tile && won.hand[count - 1] === won.tile ? count - 1 : -1;
  return html`<div class="winner stack">
    ${title && html`<h3>${title}</h3>`}
    <div class="won-hand" role="group" aria-label=${t("table.won_hand")}>
      <span class="tiles">${won.hand.map((code, place) => html`<${Tile} key=${place} code=${code} about=${about} state=${state(place)} class=${place === winning ? "winning" : ""} />`)}</span>
      ${melds.map((meld) => html`<span class="tiles meld">${meld.map(({ code, place }) => html`<${Tile} key=${place} code=${code} about=${about} state=${state(place)} />`)}</span>`)}
      ${won.bonus?.length > 0 && html`<span class="tiles bonus">${won.bonus.map((code) => html`<${Tile} code=${code} about=${about} />`)}</span>`}
    </div>
    <p class="small soft">${[named(about.forms?.[won.score?.form], won.score?.form || ""), won.score?.line].filter(Boolean).join(" · ")}</p>
    <table class="plain score-lines">
      <tbody>
        ${won.lines.map((line) => html`<tr tabindex="0" key=${line.id} onMouseEnter=${() => light(line.tiles.length ? line : { tiles: [], whole: true })} onMouseLeave=${() => light(null)}
          onFocus=${() => light(line.tiles.length ? line : { tiles: [], whole: true })} onBlur=${() => light(null)}>
          <td>${named(about.patterns?.[line.id]?.name || line.name, line.id)}</td>
          <td class="number">${line.times && line.times !== 1 ? `${number(line.times)} × ` : ""}${valuesText(about, line.values)}</td>
        </tr>`)}
      </tbody>
      <tfoot>
        ${sums.length > 0 && html`<tr class="sums"><td colspan="2">${sums.map(([measure, value]) => html`<span class="sum"><span class="soft">${named(about.measures[measure], measure)}</span> <b class="number">${number(value)}</b></span> `)}</td></tr>`}
        <tr class="total"><td>${named(about.measures?.[won.unit], won.unit)}${won.score?.called && html` <span class="called">${named(won.score.called)}</span>`}</td><td class="number">${number(won.total)}</td></tr>
      </tfoot>
    </table>
  </div>`;
}

function valuesText(about, values) {
  return listed(Object.entries(values || {}).map(([measure, value]) => `${number(value)} ${named(about.measures?.[measure], measure)}`));
}

// Visible tiles on the table that may have counted.
function Shared({ session, zones }) {
  const open = tableZones(session.now.about).filter((zone) => !zone.claimable && !zone.wall && zones[zone.id]?.some(Boolean));
  return open.length > 0 && html`<div class="open-zones">${open.map((zone) => html`<${Lying} session=${session} zone=${zone} codes=${zones[zone.id]} />`)}</div>`;
}

function Payments({ session, result }) {
  const paid = paidIn(result.payments);
  if (!paid.length) return null;
  const who = (slot) => seatText(slot, session, true);
  return html`<div>
    <h3>${t("table.payments")}</h3>
    <ul class="payments">
      ${paid.map(({ from, to, lines }) => html`<li>
        <span class="ways">${who(from)} → ${who(to)}</span>
        <span class="grow soft small number">${lines.map((line) => paymentText(line, lines.length > 1)).join(" + ")}</span>
        <b class="number">${number(lines.reduce((sum, line) => sum + line.amount, 0))}</b>
      </li>`)}
    </ul>
  </div>`;
}

// Who paid whom, in the order in which they first did; several lines between two together.
function paidIn(payments) {
  const found = new Map();
  for (const { slots } of payments) {
    const both = `${slots.who.seat} ${slots.to.seat}`;
    found.set(both, { from: slots.who, to: slots.to, lines: [...(found.get(both)?.lines || []), slots] });
  }
  return [...found.values()];
}

function paymentText({ amount, why }, several) {
  return [why && named(why.names), several && number(amount)].filter(Boolean).join(" ");
}

function Points({ session, result }) {
  return html`<div>
    <h3>${t("table.points")}</h3>
    <table class="plain">
      <tbody>
        ${result.scores.map((score, player) => html`<tr class=${player === session.me ? "me" : ""}>
          <td>${session.nameOf(player)}</td>
          <td class=${`number ${result.gains[player] > 0 ? "gain" : result.gains[player] < 0 ? "loss" : ""}`}>${signed(result.gains[player])}</td>
          <td class="number">${number(score)}</td>
        </tr>`)}
      </tbody>
    </table>
  </div>`;
}

// Who leads the round, if the rules show that.
function Round({ session, result }) {
  const { about } = session.now;
  const standing = result.standings;
  if (!about.match?.standings || !standing) return null;
  return html`<div>
    <h3 class="titled">${t("table.level_number", { level: level(about, "round"), number: standing.round })}</h3>
    <table class="plain standing">
      <thead><tr><th></th><th class="number">${t("table.won")}</th><th class="number">${t("table.points")}</th><th class="number">${t("table.won_in", { level: level(about, "all") })}</th></tr></thead>
      <tbody>
        ${standing.won.map((won, player) => html`<tr class=${player === session.me ? "me" : ""}>
          <td>${session.nameOf(player)}${standing.leaders.includes(player) && html` <span class="badge">${t("table.leads")}</span>`}</td>
          <td class="number">${number(standing.won_in_round[player])}</td>
          <td class="number">${signed(standing.gained_in_round[player])}</td>
          <td class="number">${number(won)}</td>
        </tr>`)}
      </tbody>
    </table>
  </div>`;
}

// --- the end of the match

export function OverPanel({ session, onClose }) {
  const { about, info, view, points } = session.now;
  const scores = info.scores?.length ? info.scores : points.at(-1)?.scores || scoresIn(view);
  const won = about.match?.standings ? points.at(-1)?.won : null;
  const order = scores.map((score, player) => ({ player, score })).sort((one, other) => other.score - one.score);
  const [busy, setBusy] = useState(false);
  async function again() {
    setBusy(true);
    try {
      const made = await say({ say: "again", table: session.code });
      go(`/t/${made.next}`);
    } catch (error) {
      complain(error);
      setBusy(false);
    }
  }
  useKeys(t("table.keys_result"), { Escape: { label: t("base.close"), do: () => (onClose(), true) } });
  return html`<section class="over-felt result end panel" aria-label=${t("table.level_over", { level: level(about, "all") })}>
    <header><h2>${t("table.level_over", { level: level(about, "all") })}</h2></header>
    <div class="result-body">
      <table class="plain standings">
        <tbody>${order.map(({ player, score }) => {
          const place = 1 + order.filter((one) => one.score > score).length;
          return html`<tr class=${player === session.me ? "me" : ""}><td class="number place">${place}</td><td>${session.nameOf(player)}</td><td class="number">${number(score)}</td>${won && html`<td class="number soft">${t("table.won_hands", { count: number(won[player]) })}</td>`}</tr>`;
        })}</tbody>
      </table>
      ${points.length > 1 && html`<${Chart} points=${points} start=${about.match?.score} names=${scores.map((_, player) => session.nameOf(player))} />`}
    </div>
    <footer class="row">
      ${info.next
        ? html`<${Button} main href=${`/t/${info.next}`}>${t("table.next_table")}<//>`
        : session.me !== null && html`<${Button} main disabled=${busy} onClick=${again}>${t("table.again")}<//>`}
      <${Button} href=${`/r/${info.code}`}>${t("table.replay")}<//>
      <${Button} href="/">${t("base.to_lobby")}<//>
      <${Button} quiet onClick=${onClose}>${t("table.see_table")}<//>
    </footer>
  </section>`;
}

// Points by player.
function scoresIn(view) {
  const found = [];
  for (const [seat, player] of Object.entries(view.players)) found[player] = view.scores[seat];
  return found;
}

const DASHES = ["", "7 4", "2 4", "9 3 2 3", "4 2", "12 4"];
const WIDTH = 380;
const HEIGHT = 220;
const LEFT = 8;
const RIGHT = 104; // room for names at the ends of the lines
const EDGE = 18;

// The points of every player after every hand: lines are distinguished by dash and by the name at their end.
export function Chart({ points, start, names }) {
  const rows = [...(start === undefined || start === null ? [] : [{ hand: 0, scores: names.map(() => start) }]), ...points];
  const all = rows.flatMap((row) => row.scores);
  const least = Math.min(...all);
  const most = Math.max(...all, least + 1);
  const x = (at) => LEFT + (at * (WIDTH - LEFT - RIGHT)) / Math.max(1, rows.length - 1);
  const y = (score) => HEIGHT - EDGE - ((score - least) * (HEIGHT - 2 * EDGE)) / (most - least);
  const ends = spread(rows.at(-1).scores.map((score, player) => ({ player, score, y: y(score) })));
  return html`<figure class="chart">
    <svg viewBox=${`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label=${t("table.chart")}>
      <line x1=${LEFT} x2=${WIDTH - RIGHT} y1=${y(Math.min(Math.max(start ?? 0, least), most))} y2=${y(Math.min(Math.max(start ?? 0, least), most))} class="axis" />
      ${names.map((name, player) => html`<g class=${`line line-${player}`}>
        <polyline points=${rows.map((row, at) => `${x(at).toFixed(1)},${y(row.scores[player]).toFixed(1)}`).join(" ")} stroke-dasharray=${DASHES[player % DASHES.length]} />
        <circle cx=${x(rows.length - 1)} cy=${y(rows.at(-1).scores[player])} r="3.5" />
      </g>`)}
      ${ends.map(({ player, score, y: at }) => html`<text x=${WIDTH - RIGHT + 8} y=${at + 5} class=${`line-${player}`}>${names[player].slice(0, 10)} ${number(score)}</text>`)}
    </svg>
    <figcaption class="unseen">${listed(rows.at(-1).scores.map((score, player) => `${names[player]} ${number(score)}`))}</figcaption>
  </figure>`;
}

// Labels that do not lie on one another.
function spread(labels) {
  const found = [...labels].sort((one, other) => one.y - other.y);
  for (let at = 1; at < found.length; at += 1) found[at].y = Math.max(found[at].y, found[at - 1].y + 17);
  const over = found.at(-1).y - (HEIGHT - 6);
  if (over > 0) found.forEach((one) => (one.y -= over));
  return found;
}
