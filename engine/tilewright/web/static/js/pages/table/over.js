// The end of a match: who stands where, the points of every hand as a chart, and what comes next.

import { html, useState } from "../../html.js";
import { number, t } from "../../text.js";
import { say } from "../../net.js";
import { Button, complain, useKeys } from "../../ui.js";
import { go } from "../../main.js";
import { Chart } from "./chart.js";
import { level } from "./names.js";

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
