// The chart of a match: the points of every player after every hand.

import { html } from "../../html.js";
import { listed, number, t } from "../../text.js";
import { playerColour } from "./players.js";

const DASHES = ["", "7 4", "2 4", "9 3 2 3", "4 2", "12 4"];
const WIDTH = 380;
const HEIGHT = 220;
const LEFT = 8;
const FONT = 14;
const FIRST_WIDE = 0x2e80; // from here on, characters are as wide as high
const EDGE = 18;

// The points of every player after every hand: lines are distinguished by dash and by the name at their end.
/** @param {{ points: PointsOfHand[], start: number | null | undefined, names: string[] }} props */
export function Chart({ points, start, names }) {
  const rows = [
    ...(start === undefined || start === null ? [] : [{ hand: 0, scores: names.map(() => start) }]),
    ...points,
  ];
  const now = rows.at(-1)?.scores ?? [];
  const all = rows.flatMap((row) => row.scores);
  const least = Math.min(...all);
  const most = Math.max(...all, least + 1);
  const labels = now.map((score, player) => `${names[player].slice(0, 10)} ${number(score)}`);
  const right = 14 + Math.max(...labels.map(widthOf));
  /** @param {number} at */
  const x = (at) => LEFT + (at * (WIDTH - LEFT - right)) / Math.max(1, rows.length - 1);
  /** @param {number} score */
  const y = (score) => HEIGHT - EDGE - ((score - least) * (HEIGHT - 2 * EDGE)) / (most - least);
  const ends = spread(now.map((score, player) => ({ player, y: y(score) })));
  return html`<figure class="chart">
    <svg viewBox=${`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label=${t("table.chart")}>
      <line x1=${LEFT} x2=${WIDTH - right} y1=${y(Math.min(Math.max(start ?? 0, least), most))} y2=${y(Math.min(Math.max(start ?? 0, least), most))} class="axis" />
      ${names.map(
        (_, player) => html`<g class="line" style=${playerColour(player)}>
        <polyline points=${rows.map((row, at) => `${x(at).toFixed(1)},${y(row.scores[player]).toFixed(1)}`).join(" ")} stroke-dasharray=${DASHES[player % DASHES.length]} />
        <circle cx=${x(rows.length - 1)} cy=${y(now[player])} r="3.5" />
      </g>`,
      )}
      ${ends.map(({ player, y: at }) => html`<text x=${WIDTH - right + 8} y=${at + 5}>${labels[player]}</text>`)}
    </svg>
    <figcaption class="unseen">${listed(now.map((score, player) => `${names[player]} ${number(score)}`))}</figcaption>
  </figure>`;
}

/** @param {string} text */
const widthOf = (text) =>
  [...text].reduce((sum, one) => sum + FONT * ((one.codePointAt(0) ?? 0) < FIRST_WIDE ? 0.64 : 1), 0);

// Labels that do not lie on one another.
/** @param {{ player: number, y: number }[]} labels */
function spread(labels) {
  const found = [...labels].sort((one, other) => one.y - other.y);
  for (let at = 1; at < found.length; at += 1) found[at].y = Math.max(found[at].y, found[at - 1].y + 17);
  const over = (found.at(-1)?.y ?? 0) - (HEIGHT - 6);
  if (over > 0) found.forEach((one) => (one.y -= over));
  return found;
}
