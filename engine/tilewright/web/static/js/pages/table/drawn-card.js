// The card next to the table, drawn: its lines come from the rulebook, how they are drawn from the server; the nearest ones
// are lit, with their tiles, and those that can no longer be made are grey. Colours are told by lines as well: nothing under
// the first suit, one under the second, two under the third, dots under any suit.

import { html, useEffect, useRef } from "../../html.js";
import { named, number, t } from "../../text.js";
import { api } from "../../net.js";
import { loadStyle } from "../../main.js";
import { useLoaded } from "../../ui.js";
import { Won, useWins } from "../../wins.js";
import { NearHand } from "./card.js";

/** @type {Record<string, string>} */
const SIGNS = { x: "×", "-": "−" };
const MOST_LIT = 3; // lines

// The section of a rulebook that shows cards as the card's own text; null where it is none.
/** @param {Section | undefined} section */
export function textOfCard(section) {
  /** @type {string[]} */
  const lines = [];
  for (const { block, text, rows } of section?.blocks || []) {
    if (block === "heading") lines.push(lines.length ? `“${text}”` : (text ?? ""));
    if (block === "table") lines.push(...(rows ?? []).map(([line]) => line));
  }
  return lines.length ? `${lines.join("\n")}\n` : null;
}

/** @param {Section | undefined} section @returns {Promise<DrawnCard | null>} */
export async function drawnCard(section) {
  const text = textOfCard(section);
  if (!text) return null;
  const card = await /** @type {Promise<DrawnCard>} */ (api("POST", "/api/cards/draw", { text }));
  const lines = card?.groups?.flatMap((group) => group.lines) || [];
  return lines.length && lines.every((line) => line.good) ? card : null;
}

// The card. `near`: what `useNearest` found.
/** @param {{ card: DrawnCard, near: Advice | null, about: About }} props */
export function Card({ card, near, about }) {
  const box = useRef(/** @type {HTMLElement | null} */ (null));
  const wins = useWins(card.id);
  const lit = near?.hands?.slice(0, MOST_LIT) || [];
  const out = new Set(near?.dead?.map((one) => one.line));
  const first = lit[0]?.line;
  useEffect(() => box.current?.querySelector(".first")?.scrollIntoView({ block: "nearest" }), [first]);
  return html`<article class="small-card" aria-label=${card.name} ref=${box}>
    <h2>${card.name}</h2>
    ${near && !lit.length && html`<p class="soft">${t("table.no_line")}</p>`}
    ${card.groups.map(
      (group) => html`<section>
      ${group.title && html`<h3>${group.title}</h3>`}
      <ul>${group.lines.map((line) => html`<${Line} line=${line} near=${lit.find((one) => one.line === line.text)} first=${line.text === first} out=${out.has(line.text)} won=${wins[line.text]} about=${about} />`)}</ul>
    </section>`,
    )}
  </article>`;
}

// One line as it is printed, with its value; its text where the card cannot be drawn. `what`, `load`: of `useLoaded`, the card.
/** @param {{ text: string, what: unknown, load: () => Promise<{ card: DrawnCard | null }> }} props */
export function CardLine({ text, what, load }) {
  useEffect(() => void loadStyle("card-panel"), []);
  const { value, error } = useLoaded(what, load);
  const line = value?.card?.groups.flatMap((group) => group.lines).find((one) => one.text === text);
  if (line) return html`<${Sets} line=${line} /> <b class="number">${letter(line)} ${number(line.value)}</b>`;
  return (value || error) && html`<code>${text}</code>`;
}

/** @param {{ exposed: boolean }} one */
const letter = ({ exposed }) => (exposed ? "X" : "C");

/** @param {{ line: DrawnLine }} props */
function Sets({ line }) {
  return html`<span class="card-sets" role="img" aria-label=${named(line.spoken)}>${line.patterns.map((parts, at) => html`${at > 0 && html`<i>/</i> `}${parts.map(Part)}`)}</span>`;
}

/**
 * @param {{ line: DrawnLine, near: NearHand | undefined, first: boolean, out: boolean, won: number, about: About }}
 *   props
 */
function Line({ line, near, first, out, won, about }) {
  const state = near ? `near ${first ? "first" : ""}` : out ? "out" : "";
  return html`<li class=${`card-line ${state}`} data-line=${line.text}>
    <${Sets} line=${line} />
    <b class="worth number" title=${t(line.exposed ? "table.card_open" : "table.card_closed")}>${won > 0 && html`<${Won} count=${won} />`}${letter(line)} ${number(line.value)}</b>
    <span class="remark small soft">${near && html`<b class="away">${t("table.away_short", { count: near.missing })}</b>`}${near && line.remark && t("base.comma")}${named(line.remark)}${out && html`<span class="unseen">${t("table.line_out")}</span>`}</span>
    ${near && html`<${NearHand} hand=${near} about=${about} />`}
  </li>`;
}

/** @param {DrawnPart} part */
function Part(part) {
  if (part.sign) return html`<span class="card-set">${SIGNS[part.sign] ?? part.sign}</span>`;
  return html`<span class=${`card-set ${part.joined ? "joined" : ""} ${part.colour ? `suit-${part.colour}` : ""}`}>${part.set}</span>`;
}
