// The line in which the caret stands: drawn large, in words, what it counts; its mistakes; its hands one by one.

import { html, useEffect, useState } from "../../html.js";
import { has, named, number, t } from "../../text.js";
import { Button, Waiting, useLoaded } from "../../ui.js";
import { Tile, useFaces } from "../../tiles.js";
import { api } from "../../net.js";
import { Sets } from "./drawing.js";
import { Told } from "./problems.js";

/** @param {TypedCard | null} card @param {number} row */
export function lineAt(card, row) {
  for (const group of card?.groups ?? []) for (const line of group.lines) if (line.row === row + 1) return line;
  return null;
}

/**
 * @param {{ card: TypedCard | null, problems: Fault[], row: number, draws: Draws, hard: boolean, onHands: () => void,
 *   onGo: (problem: Fault) => void }} props
 */
export function Detail({ card, problems, row, draws, hard, onHands, onGo }) {
  const line = lineAt(card, row);
  const group = card?.groups.find((one) => one.row === row + 1);
  const told = problems.filter((one) => one.line === row + 1);
  if (!line && !group && !told.length)
    return html`<div class="detail soft" id="card-detail">${t("cards.detail_empty")}</div>`;
  return html`<div class="detail" id="card-detail">
    ${
      group &&
      html`<p><b>${group.title}</b> ${
        group.hands !== undefined &&
        html`<span class="soft">${t("cards.group_counts", {
          lines: group.lines.length,
          hands: number(group.hands),
        })}</span>`
      }</p>`
    }
    ${line?.good && html`<${Good} ...${{ line, draws, hard, onHands }} />`}
    ${line && !line.good && html`<p class="large"><${Sets} line=${line} />${line.tiles.filter((one) => one !== 14).map((one) => html` <span class="number off">${one}/14</span>`)}</p>`}
    ${told.map((one) => html`<${Told} problem=${one} onGo=${onGo} />`)}
  </div>`;
}

/** @param {{ line: CardLine, draws: Draws, hard: boolean, onHands: () => void }} props */
function Good({ line, draws, hard, onHands }) {
  const hardness = draws[line.text];
  return html`
    <p class="large"><${Sets} line=${line} /> <span class="soft">${named(line.remark)}</span></p>
    <p class="numbers number">
      <b>${t("cards.n_hands", { n: number(line.hands) })}</b>
      <span class="soft">${t("cards.n_sets", { n: number(line.tile_sets) })}</span>
      ${hard && html`<span class="soft">${hardness === undefined ? t("cards.draws_coming") : hardness === null ? "" : t("cards.n_draws", { n: hardness.toFixed(1) })}</span>`}
      <${Button} quiet onClick=${onHands}>${t("cards.list_hands")}<//>
    </p>
    ${line.codes.map((one) => html`<p class="small"><code>${one.code}</code> ${codeWords(one)}</p>`)}
  `;
}

/** @param {CardLine["codes"][number]} one */
function codeWords(one) {
  const key = `cards.ref.code.${one.letter}`;
  return has(key) ? t(key) : one.says;
}

// --- every hand of a line

const shownAtFirst = 40;

/**
 * @typedef {{ hands: number, tile_sets: number, ruleset: string, listed: { text: string, sets: Code[][] }[] }}
 *   ListedHands
 * @param {string} line
 * @returns {Promise<ListedHands>}
 */
const handsOf = (line) => api("POST", "/api/cards/hands", { line });

/** @param {{ line: CardLine | null }} props */
export function Hands({ line }) {
  const text = line?.good ? line.text : "";
  const [all, showAll] = useState(false);
  useEffect(() => showAll(false), [text]);
  const { value, error } = useLoaded(text, () => (text ? handsOf(text) : null));
  const about = useCardTiles(value?.ruleset);
  if (!text) return html`<p class="soft">${t("cards.hands_of_none")}</p>`;
  if (error) return html`<p class="soft">${error.message}</p>`;
  if (!value) return html`<${Waiting} />`;
  const listed = all ? value.listed : value.listed.slice(0, shownAtFirst);
  return html`<div class="hands stack">
    <p class="large"><${Sets} line=${line} /></p>
    <p class="soft number">${t("cards.n_hands", { n: number(value.hands) })} · ${t("cards.n_sets", { n: number(value.tile_sets) })}</p>
    <ol>
      ${listed.map(
        (one) => html`<li>
          <code>${one.text}</code>
          ${
            about &&
            one.sets.length > 0 &&
            html`<span class="tiles">
            ${one.sets.map((set) => html`<span class="tile-set">${set.map((code) => html`<${Tile} code=${code} about=${about} silent />`)}</span>`)}
          </span>`
          }
        </li>`,
      )}
    </ol>
    ${!all && value.listed.length > listed.length && html`<p><${Button} onClick=${() => showAll(true)}>${t("cards.more_hands", { n: value.listed.length })}<//></p>`}
    ${all && value.hands > value.listed.length && html`<p class="soft">${t("cards.and_others", { n: number(value.hands - value.listed.length) })}</p>`}
  </div>`;
}

// The tiles that cards are played with, as the server says.
/** @type {Map<string, Promise<About>>} */
const abouts = new Map();
/** @param {string | undefined} ruleset */
function useCardTiles(ruleset) {
  const { value } = useLoaded(ruleset, async () => {
    if (!ruleset) return null;
    const about = abouts.get(ruleset) ?? api("POST", "/api/about", { spec: { ruleset: { id: ruleset } } });
    abouts.set(ruleset, about);
    return about.catch(() => (abouts.delete(ruleset), null));
  });
  useFaces(value);
  return value;
}
