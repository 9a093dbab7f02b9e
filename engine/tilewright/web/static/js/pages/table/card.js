// The card next to the table, drawn: its lines come from the rulebook, how they are drawn from the server. Colours are told
// by lines as well: nothing under the first suit, one under the second, two under the third, dots under any suit.

import { html } from "../../html.js";
import { named, number, t } from "../../text.js";
import { api } from "../../net.js";

const SIGNS = { x: "×", "-": "−" };

// The section of a rulebook that shows cards as the card's own text; null where it is none.
export function textOfCard(section) {
  const lines = [];
  for (const { block, text, rows } of section?.blocks || []) {
    if (block === "heading") lines.push(lines.length ? `“${text}”` : text);
    if (block === "table") lines.push(...rows.map(([line]) => line));
  }
  return lines.length ? `${lines.join("\n")}\n` : null;
}

export async function drawnCard(section) {
  const text = textOfCard(section);
  const card = text && (await api("POST", "/api/cards/draw", { text }));
  const lines = card?.groups?.flatMap((group) => group.lines) || [];
  return lines.length && lines.every((line) => line.good) ? card : null;
}

export function Card({ card }) {
  return html`<article class="small-card" aria-label=${card.name}>
    <h2>${card.name}</h2>
    ${card.groups.map((group) => html`<section>
      ${group.title && html`<h3>${group.title}</h3>`}
      <ul>${group.lines.map((line) => html`<${Line} line=${line} />`)}</ul>
    </section>`)}
  </article>`;
}

function Line({ line }) {
  return html`<li>
    <span class="grow">
      <span class="card-sets" role="img" aria-label=${named(line.spoken)}>${line.patterns.map((parts, at) => html`${at > 0 && html`<i>/</i> `}${parts.map(Part)}`)}</span>
      ${line.remark && html`<span class="small soft">${named(line.remark)}</span>`}
    </span>
    <b class="number" title=${t(line.exposed ? "table.card_open" : "table.card_closed")}>${line.exposed ? "X" : "C"} ${number(line.value)}</b>
  </li>`;
}

function Part(part) {
  if (part.sign) return html`<span class="card-set">${SIGNS[part.sign] ?? part.sign}</span>`;
  return html`<span class=${`card-set ${part.joined ? "joined" : ""} ${part.colour ? `suit-${part.colour}` : ""}`}>${part.set}</span>`;
}
