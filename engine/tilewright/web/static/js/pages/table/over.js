// The end of a match: who stands where, the points of every hand as a chart, and what comes next.

import { html, useEffect, useState } from "../../html.js";
import { listed, number, signed, t } from "../../text.js";
import { say } from "../../net.js";
import { Button, complain, useKeys } from "../../ui.js";
import { go, loadStyle } from "../../main.js";
import { Chart } from "./chart.js";
import { level } from "./names.js";
import { Disc, playerColour } from "./players.js";

/** @param {{ session: Session, onClose: () => void }} props */
export function OverPanel({ session, onClose }) {
  useEffect(() => void loadStyle("settlement"), []);
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
  const title = t("table.level_over", { level: level(about, "all") });
  const start = about.match?.score;
  const most = Math.max(0, ...order.map((one) => one.score));
  return html`<section class="over-felt result end panel" aria-label=${title}>
    <header><div><p class="soft">${title}</p><h2>${outcome(order, session).map((says) => html`<span class="phrase">${says}</span>`)}</h2></div></header>
    <div class="result-body" tabindex="0" role="group" aria-label=${t("table.points")}>
      <ol class="ranking">
        ${order.map(({ player, score }) => {
          const place = placeIn(order, score);
          return html`<li key=${player} class=${[place === 1 && "first", player === session.me && "me"].filter(Boolean).join(" ")} style=${playerColour(player)}>
            <span class="place number">${place}</span>
            <${Disc} people=${session} player=${player} />
            <span class="name">${session.nameOf(player)}${won && html`<small class="number">${t("table.won_hands", { count: number(won[player]) })}</small>`}</span>
            <span class="points number"><b>${number(score)}</b><${Parts} score=${score} played=${points.at(-1)?.scores[player] ?? score} start=${start} /></span>
            <i class="share" aria-hidden="true" style=${`--share:${most ? Math.max(0, score) / most : 0}`}></i>
          </li>`;
        })}
      </ol>
      ${points.length > 1 && html`<${Chart} points=${points} start=${start} names=${scores.map((_, player) => session.nameOf(player))} />`}
    </div>
    <footer class="row">
      ${
        info.next
          ? html`<${Button} main href=${`/t/${info.next}`}>${t("table.next_table")}<//>`
          : session.me !== null && html`<${Button} main disabled=${busy} onClick=${again}>${t("table.again")}<//>`
      }
      <${Button} href="/">${t("table.home")}<//>
      <${Button} href=${`/r/${info.code}`}>${t("table.replay")}<//>
      <${Button} quiet onClick=${onClose}>${t("table.see_table")}<//>
    </footer>
  </section>`;
}

// Of a final score: what the hands had left and what the placement added; where it adds nothing, what was won since the start.
/** @param {{ score: number, played: number, start: number | undefined }} props */
function Parts({ score, played, start }) {
  if (played !== score)
    return html`<small>${t("table.placed", { points: number(played), placement: signed(score - played) })}</small>`;
  return start
    ? html`<small class=${score > start ? "gain" : score < start ? "loss" : ""}>${signed(score - start)}</small>`
    : "";
}

/** @param {Standing[]} order @param {number} score */
const placeIn = (order, score) => 1 + order.filter((one) => one.score > score).length;

// Who has won, or shares the first place; and one's own place: sentences.
/** @param {Standing[]} order @param {Session} session */
function outcome(order, session) {
  const first = order.filter((one) => one.score === order[0].score).map((one) => one.player);
  const own = order.find((one) => one.player === session.me);
  const names = listed(first.map((player) => session.nameOf(player)));
  if (first.length > 1) return [t("table.match_shared", { who: names })];
  if (own?.player === first[0]) return [t("table.match_won_me")];
  const says = t("table.match_won", { who: names });
  return own
    ? [says, t("table.match_place", { place: number(placeIn(order, own.score)), count: number(order.length) })]
    : [says];
}

// Points by player.
/** @param {View} view */
function scoresIn(view) {
  const found = [];
  for (const [seat, player] of Object.entries(view.players)) found[player] = view.scores[seat];
  return found;
}
