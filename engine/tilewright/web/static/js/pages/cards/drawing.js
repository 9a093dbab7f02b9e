// The drawn card: groups, lines and sets as on paper, to be read at any size. Colours are told by marks as well: nothing
// under the first suit, a line under the second, two under the third, dots under any suit.

import { html, useEffect, useRef } from "../../html.js";
import { langOf, named, number, t } from "../../text.js";
import { Won, useWins } from "../../wins.js";
import { shortOf, signOf, worstOf } from "./problems.js";

/** @type {Record<string, string>} */
const SIGNS = { x: "×", "-": "−" };

// One line: its sets, and how it is held and what it is worth.
/** @param {{ line: CardLine }} props */
export function Sets({ line }) {
  return html`<span class="sets">
    ${line.patterns.map(
      (parts, at) => html`${at > 0 && html` <em class="or">${t("cards.or")}</em> `}
        <span class="pattern">${parts.map(Part)}</span>`,
    )}
  </span>`;
}

/** @param {CardPart} part */
function Part(part) {
  if (part.sign) return html`<span class="sign">${SIGNS[part.sign] ?? part.sign}</span>`;
  const suit = part.colour ?? "";
  const named = "mcd".includes(suit) && suit;
  return html`<span class=${`set ${part.joined ? "joined" : ""} ${suit ? `suit-${suit}` : ""}`}>
    ${named && html`<small>${named}</small>`}<b>${part.set}</b>
  </span>`;
}

/** @param {{ line: CardLine, won: number | undefined }} props */
export function Worth({ line, won }) {
  if (!line.good) return html`<span class="worth"></span>`;
  const way = t(line.exposed ? "cards.exposed" : "cards.closed");
  return html`<span class="worth" title=${way}>${(won ?? 0) > 0 && html`<${Won} count=${won} />`}<abbr title=${way}>${line.exposed ? "X" : "C"}</abbr> ${line.value}</span>`;
}

/** @param {{ value: number | null | undefined, digits?: number }} props */
export function Figure({ value, digits = 0 }) {
  return value === undefined || value === null ? "" : digits ? value.toFixed(digits) : number(value);
}

// The whole card. `row`: the row of the text in which the caret stands; `onGo(row)`: that of the line one has chosen.
/**
 * @param {{ card: TypedCard, row: number, problems: Fault[], draws: Draws, hard: boolean, onGo: (row: number) =>
 *   void, onKey: (event: Happening, list: HTMLElement | null) => void }} props
 */
export function DrawnCard({ card, row, problems, draws, hard, onGo, onKey }) {
  const list = useRef(/** @type {HTMLElement | null} */ (null));
  const wins = useWins(card.id);
  useEffect(() => {
    list.current?.querySelector("[aria-current=true]")?.scrollIntoView({ block: "nearest" });
  }, [row, card]);
  const empty = !card.groups.some((group) => group.lines.length);
  /** @param {Happening} event */
  const keys = (event) => onKey(event, list.current);
  return html`<div class=${`drawn ${hard ? "hard" : ""}`} ref=${list} onKeyDown=${keys}>
    <h2 class="name">${named(card.names) || t("cards.nameless")}</h2>
    ${named(card.about) && html`<p class="soft about" lang=${langOf(card.about)}>${named(card.about)}</p>`}
    ${
      !empty &&
      html`<div class="columns soft small" aria-hidden="true">
      <span></span><span>${t("cards.worth")}</span><span>${t("cards.hands")}</span>${hard && html`<span>${t("cards.draws")}</span>`}
    </div>`
    }
    ${card.groups.map((group) => html`<${DrawnGroup} ...${{ group, row, problems, draws, wins, hard, onGo }} />`)}
    ${empty && html`<p class="soft nothing">${t("cards.nothing_drawn")}</p>`}
    ${!empty && html`<p class="together soft number">${t("cards.together", { hands: number(card.hands ?? 0), sets: number(card.tile_sets ?? 0), n: card.hands ?? 0 })}</p>`}
  </div>`;
}

/**
 * @param {{ group: CardGroup, row: number, problems: Fault[], draws: Draws, wins: Record<string, number>,
 *   hard: boolean, onGo: (row: number) => void }} props
 */
function DrawnGroup({ group, row, problems, draws, wins, hard, onGo }) {
  const here = group.row === row + 1;
  return html`<section class="group">
    ${
      group.row &&
      html`<button type="button" class="title" data-row=${group.row} aria-current=${String(here)} onClick=${() => onGo(group.row - 1)}>
      <span><b>${group.title}</b>${group.note && html` <span class="soft small">(${group.note})</span>`}</span>
      <span class="number count" title=${t("cards.hands_in_group")}>${group.lines.length > 0 && html`<${Figure} value=${group.hands} />`}</span>
    </button>`
    }
    ${group.lines.map((line) => html`<${DrawnLine} ...${{ line, row, problems, draws, hard, onGo, won: wins[line.text] }} />`)}
  </section>`;
}

/**
 * @param {{ line: CardLine, row: number, problems: Fault[], draws: Draws, hard: boolean, onGo: (row: number) => void,
 *   won: number | undefined }} props
 */
function DrawnLine({ line, row, problems, draws, hard, onGo, won }) {
  const here = line.row === row + 1;
  const worst = worstOf(problems, line.row);
  const hardness = draws[line.text];
  return html`<button type="button" class=${`line ${line.good ? "" : "broken"}`} data-row=${line.row}
    aria-current=${String(here)} aria-label=${line.good ? readOut(line, won) : null} onClick=${() => onGo(line.row - 1)}>
    <span class="what">
      <${Sets} line=${line} />
      ${!line.patterns.some((one) => one.length) && html`<span class="typed">${line.text}</span>`}
      ${line.remark && named(line.remark) && html`<span class="remark small">(${named(line.remark)})</span>`}
      ${worst && html`<span class=${`said small ${worst.severity}`}>${signOf(worst)} ${shortOf(worst)}</span>`}
    </span>
    <${Worth} line=${line} won=${won} />
    <span class="number count" title=${t("cards.hands")}><${Figure} value=${line.hands} /></span>
    ${hard && html`<span class="number count hardness" title=${t("cards.draws_long")}><${Figure} value=${hardness} digits=${1} /></span>`}
  </button>`;
}

// A line as it is read out.
/** @param {CardLine} line @param {number | undefined} won */
function readOut(line, won) {
  const way = t(line.exposed ? "cards.exposed" : "cards.closed");
  return [
    named(line.spoken),
    named(line.remark),
    `${way}, ${line.value}`,
    t("cards.n_hands", { n: line.hands ?? 0 }),
    won && t("base.won_times", { count: won }),
  ]
    .filter(Boolean)
    .join(". ");
}
