// A player as a colour and an initial, the same wherever the page tells who it was.

import { html } from "../../html.js";
import { t } from "../../text.js";

const COLOURS = 6;

// A disc with an initial; the pot, which is no player, has its own.
/** @param {{ people: People, player: number | null, silent?: boolean }} props */
export function Disc({ people, player, silent = true }) {
  const name = player === null ? t("table.pot") : people.nameOf(player);
  return html`<i class=${`disc ${player === null ? "pot" : ""}`} style=${playerColour(player)} aria-hidden=${String(silent)} title=${name}>${player === null ? html`<i class="chip"></i>` : initialOf(name)}</i>`;
}

// The first letter; of a name with a number, the number.
/** @param {string} name */
function initialOf(name) {
  return /\d+$/.exec(name)?.[0].slice(-2) ?? [...name][0];
}

// A dot of the player's colour.
/** @param {{ player: number }} props */
export function Dot({ player }) {
  return html`<i class="dot" style=${playerColour(player)} aria-hidden="true"></i>`;
}

/** @param {number | null | undefined} player */
export function playerColour(player) {
  return player === null || player === undefined ? null : { "--pc": `var(--p${player % COLOURS})` };
}
