// A rulebook from the server (sections of blocks), drawn: words, lists, tables, tiles, hands that count or do not.

import { html, useEffect, useState } from "./html.js";
import { Tile } from "./tiles.js";
import { t } from "./text.js";
import { loadStyle } from "./main.js";

// `only`: which sections are shown; `contents`: a list of them comes first.
export function Book({ book, about, only = () => true, contents = false }) {
  const [styled, set] = useState(false);
  useEffect(() => void loadStyle("rules").then(() => set(true)), []);
  if (!styled) return null;
  const sections = book.sections.filter(only);
  return html`<article class="book" lang=${book.lang}>
    ${contents && html`<${Contents} sections=${sections} />`}
    ${sections.map((section) => html`<section key=${section.id} id=${`s-${section.id}`}>
      <h2>${section.title}</h2>
      <${Blocks} blocks=${section.blocks} about=${about} />
    </section>`)}
  </article>`;
}

function Contents({ sections }) {
  const go = (id) => (event) => {
    event.preventDefault();
    document.getElementById(`s-${id}`)?.scrollIntoView({ block: "start" });
  };
  return html`<nav class="contents" aria-label=${t("rules.contents")}>
    <ol>${sections.map((section) => html`<li><a href=${`#s-${section.id}`} onClick=${go(section.id)}>${section.title}</a></li>`)}</ol>
  </nav>`;
}

function Blocks({ blocks, about }) {
  return (blocks || []).map((block) => (DRAWN[block.block] || Text)({ ...block, about }));
}

function Text({ text }) {
  return html`<p>${text}</p>`;
}

function List({ items }) {
  return html`<ul class="book-list">${items.map((item) => html`<li>${item}</li>`)}</ul>`;
}

function Heading({ text }) {
  return html`<h3>${text}</h3>`;
}

function Table({ head, rows }) {
  return html`<div class="book-table"><table class="plain">
    <thead><tr>${head?.map((cell) => html`<th>${cell}</th>`)}</tr></thead>
    <tbody>${rows?.map((row) => html`<tr>${row.map((cell, at) => html`<td class=${isNumber(cell) ? "number" : at === 0 ? "first" : ""}>${cell}</td>`)}</tr>`)}</tbody>
  </table></div>`;
}

const isNumber = (text) => /^[-−+]?[\d.,/ ]+$/.test(text);

function Group({ codes, about, closed }) {
  return html`<span class=${`tiles group ${closed ? "laid" : ""}`}>${codes.map((code) => html`<${Tile} code=${code} about=${about} />`)}</span>`;
}

function Pictures({ label, groups, about }) {
  return html`<div class="book-tiles">
    ${label && html`<p class="book-label">${label}</p>`}
    <div class=${`groups ${groups?.every((codes) => codes.length === 1) ? "close" : ""}`}>${groups?.map((codes) => html`<${Group} codes=${codes} about=${about} />`)}</div>
  </div>`;
}

// A hand: its groups, the last tile apart, groups on the table, bonus tiles; whether it counts.
function Example({ groups, win, melds, bonus, text, yes, about }) {
  const verdict = yes === undefined || yes === null ? null : yes ? t("rules.counts") : t("rules.counts_not");
  return html`<figure class=${`example ${yes === false ? "no" : ""}`}>
    <div class="groups">
      ${groups?.map((codes) => html`<${Group} codes=${codes} about=${about} />`)}
      ${win && html`<span class="tiles group win"><${Tile} code=${win} about=${about} state="lit" /></span>`}
      ${melds?.map((codes) => html`<${Group} codes=${codes} about=${about} closed />`)}
      ${bonus?.length > 0 && html`<${Group} codes=${bonus} about=${about} closed />`}
    </div>
    ${(verdict || text) && html`<figcaption class="small">${verdict && html`<b class=${yes ? "good" : "wrong"}>${yes ? "✓" : "✗"} ${verdict}</b>`} ${text}</figcaption>`}
  </figure>`;
}

function Entry({ text, id, worth, blocks, about }) {
  return html`<div class="entry" id=${id}>
    <h4><span class="grow">${text}</span>${worth && html`<b class="worth number">${worth}</b>`}</h4>
    <${Blocks} blocks=${blocks} about=${about} />
  </div>`;
}

const DRAWN = { text: Text, list: List, heading: Heading, table: Table, tiles: Pictures, example: Example, entry: Entry };
