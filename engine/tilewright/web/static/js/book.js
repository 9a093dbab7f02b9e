// A rulebook from the server (sections of blocks), drawn: words, lists, tables, tiles, hands that count or do not.

import { html, useEffect, useErrorBoundary, useState } from "./html.js";
import { Tile } from "./tiles.js";
import { t } from "./text.js";
import { loadStyle } from "./main.js";
import { Button } from "./ui.js";

const OPENED = 2; // sections at first

// `only`: which sections are shown; `contents`: a list of them comes first. Sections are folded but for the first two, and filled
// when they are opened: a book has thousands of tiles. All are filled to be searched or printed.
/** @param {{ book: Book, about: Faces, only?: (section: Section) => boolean, contents?: boolean }} props */
export function Book({ book, about, only = () => true, contents = false }) {
  const [styled, set] = useState(false);
  const sections = book.sections.filter(only);
  const [open, setOpen] = useState(
    () => new Set([...sections.slice(0, OPENED).map((one) => one.id), contents && sectionAt(sections, location.hash)]),
  );
  const [filled, fill] = useState(false);
  /** @param {string | undefined} id @param {boolean} yes */
  /** @param {string | undefined} id @param {boolean} yes */
  const unfold = (id, yes) =>
    setOpen((old) => (old.has(id) === yes ? old : new Set(yes ? [...old, id] : [...old].filter((one) => one !== id))));
  useEffect(() => void loadStyle("rules").then(() => set(true)), []);
  useEffect(() => {
    if (!contents || !styled) return undefined;
    const goThere = () => (
      unfold(sectionAt(sections, location.hash), true), setTimeout(() => seek(location.hash.slice(1)))
    );
    if (location.hash) goThere();
    addEventListener("hashchange", goThere);
    return () => removeEventListener("hashchange", goThere);
  }, [styled, book]);
  useEffect(() => {
    /** @param {Happening} event */
    /** @param {KeyboardEvent} event */
    const search = (event) =>
      (event.key === "F3" || (event.key.toLowerCase() === "f" && (event.ctrlKey || event.metaKey))) && fill(true);
    const print = () => (fill(true), setOpen(new Set(sections.map((one) => one.id))));
    addEventListener("keydown", search);
    addEventListener("beforeprint", print);
    return () => (removeEventListener("keydown", search), removeEventListener("beforeprint", print));
  }, [book]);
  if (!styled) return null;
  const isWhole = sections.every((one) => open.has(one.id));
  return html`<article class="book" lang=${book.lang}>
    ${contents && html`<${Contents} sections=${sections} isWhole=${isWhole} onOpen=${(/** @type {string} */ id) => unfold(id, true)} onAll=${() => setOpen(new Set(isWhole ? [] : sections.map((one) => one.id)))} />`}
    ${sections.map(
      (section) => html`<details class="fold" key=${section.id} id=${`s-${section.id}`} open=${open.has(section.id)}
      onToggle=${(event) => unfold(section.id, event.currentTarget.open)}>
      <summary><h2>${section.title}</h2></summary>
      ${(filled || open.has(section.id)) && html`<div class="inside"><${Blocks} blocks=${section.blocks} about=${about} /></div>`}
    </details>`,
    )}
  </article>`;
}

// The section that a link names, or that has the entry that it names.
/** @param {Section[]} sections @param {string} hash */
function sectionAt(sections, hash) {
  const id = decodeURIComponent(hash.slice(1));
  return sections.find((one) => `s-${one.id}` === id || one.blocks?.some((block) => block.id === id))?.id;
}

/** @param {string} id */
const seek = (id) => document.getElementById(decodeURIComponent(id))?.scrollIntoView({ block: "start" });

/** @param {{ sections: Section[], isWhole: boolean, onOpen: (id: string) => void, onAll: () => void }} props */
function Contents({ sections, isWhole, onOpen, onAll }) {
  /** @param {string} id */
  /** @param {string} id @returns {Handler} */
  const go = (id) => (event) => {
    event.preventDefault();
    onOpen(id);
    setTimeout(() => seek(`s-${id}`));
  };
  return html`<div class="contents-box"><nav class="contents" aria-label=${t("rules.contents")}>
    <ol>${sections.map((section) => html`<li><a href=${`#s-${section.id}`} onClick=${go(section.id)}>${section.title}</a></li>`)}</ol>
  </nav><${Button} quiet onClick=${onAll}>${t(isWhole ? "rules.fold_all" : "rules.open_all")}<//></div>`;
}

// Entries stand one level below the heading before them, or below the section.
/** @param {{ blocks: Block[], about: Faces, level?: number }} props */
export function Blocks({ blocks, about, level = 3 }) {
  const first = (blocks || []).findIndex((block) => block.block === "heading");
  return (blocks || []).map(
    (block, at) =>
      html`<${Block} key=${at} block=${block} about=${about} level=${first >= 0 && at > first ? level + 1 : level} />`,
  );
}

// One block. Where it cannot be drawn, the others are.
/** @param {{ block: Block, about: Faces, level: number }} props */
function Block({ block, about, level }) {
  const [broken] = useErrorBoundary((problem) => console.error(problem));
  const Drawn = DRAWN[block.block] || Text;
  return broken
    ? html`<p class="small">${t("rules.not_shown")}</p>`
    : html`<${Drawn} ...${block} about=${about} level=${level} />`;
}

/** @param {{ text: string }} props */
function Text({ text }) {
  return html`<p>${text}</p>`;
}

/** @param {{ items: string[] }} props */
function List({ items }) {
  return html`<ul class="book-list">${items.map((item) => html`<li>${item}</li>`)}</ul>`;
}

/** @param {{ text: string }} props */
function Heading({ text }) {
  return html`<h3>${text}</h3>`;
}

const FITS_A_PHONE = 4; // columns of a table

/** @param {{ head: string[], rows: string[][] }} props */
function Table({ head, rows }) {
  const scrolls = head?.length > FITS_A_PHONE ? "0" : null; // sideways, with the keys too
  return html`<div class="book-table" tabindex=${scrolls}><table class="plain">
    <thead><tr>${head?.map((cell) => html`<th>${cell}</th>`)}</tr></thead>
    <tbody>${rows?.map((row) => html`<tr>${row.map((cell, at) => html`<td class=${isNumber(cell) ? "number" : at === 0 ? "first" : ""}>${cell}</td>`)}</tr>`)}</tbody>
  </table></div>`;
}

/** @param {string} text */
const isNumber = (text) => /^[-−+]?[\d.,/ ]+$/.test(text);

/** @param {{ codes: Code[], about: Faces, closed: boolean }} props */
function Group({ codes, about, closed }) {
  return html`<span class=${`tiles group ${closed ? "laid" : ""}`}>${codes.map((code) => html`<${Tile} code=${code} about=${about} />`)}</span>`;
}

/** @param {{ label: string, groups: Code[][], about: Faces }} props */
function Pictures({ label, groups, about }) {
  return html`<div class="book-tiles">
    ${label && html`<p class="book-label">${label}</p>`}
    <div class=${`groups ${groups?.every((codes) => codes.length === 1) ? "close" : ""}`}>${groups?.map((codes) => html`<${Group} codes=${codes} about=${about} />`)}</div>
  </div>`;
}

// A hand: its groups, the last tile apart, groups on the table, bonus tiles; whether it counts.
/**
 * @param {{ groups: Code[][], win: Code, melds: Code[][], bonus: Code[], text: string, yes: boolean | null,
 *   about: Faces }} props
 */
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

/** @param {{ text: string, id: string, worth: string, blocks: Block[], about: Faces, level: number }} props */
function Entry({ text, id, worth, blocks, about, level }) {
  return html`<div class="entry" id=${id}>
    <${`h${level}`} class="entry-title"><span class="grow">${text}</span>${worth && html`<b class="worth number">${worth}</b>`}<//>
    <${Blocks} blocks=${blocks} about=${about} level=${level + 1} />
  </div>`;
}

/** @type {Record<string, (props: never) => unknown>} */
const DRAWN = {
  text: Text,
  list: List,
  heading: Heading,
  table: Table,
  tiles: Pictures,
  example: Example,
  entry: Entry,
};
