// The wall round the felt: a ring of stacks, two tiles high, with gaps where tiles were drawn, and in it the tiles that nobody
// draws and those that are shown. It begins at a place that the number of the hand decides, and is drawn clockwise.

/** @typedef {{ zone?: string, tile?: Code, peeked: boolean }} WallTile */
/** @typedef {{ high: number, apart: boolean, shown?: WallTile, next?: boolean, last?: boolean }} WallStack */

import { html } from "../../html.js";
import { t } from "../../text.js";
import { Tile, tileName } from "../../tiles.js";
import { SIDES, TURNS, seatsIn } from "./places.js";

const TALL = 2;
const LONGEST = 14.2; // of a side, in widths of a tile
const WIDEST = 0.55; // a stack

// `places`: of the seats; the dealer throws the dice.
/** @param {{ session: Session, places: Place[] }} props */
export function Walls({ session, places }) {
  const { about, view } = session.now;
  const [id, pieces] = Object.entries(view.walls || {})[0] || [];
  if (!pieces) return null;
  const zone = about.zones.find((one) => one.id === id);
  const ring = stacksOf(tilesOf(pieces, view), id);
  const each = Math.ceil(ring.length / SIDES.length);
  const start = beginning(view, sideOf(places, seatsIn(view, about)[0]), each);
  const turned = Array.from({ length: each * SIDES.length }, () => /** @type {WallStack | null} */ (null));
  ring.forEach((stack, at) => (turned[(start + at) % turned.length] = stack));
  const wide = Math.min(WIDEST, LONGEST / each);
  return SIDES.map(
    (
      side,
      at,
    ) => html`<div key=${side} class=${`wall ${zone?.slanted ? "slanted" : ""}`} data-side=${side} data-turn=${TURNS[side]} style=${`--sw:${wide};--stacks:${each}`}
    role=${at ? null : "img"} aria-label=${at ? null : `${t("table.wall_left")}: ${view.wall_left ?? 0}`} aria-hidden=${at ? "true" : null}>
    ${turned.slice(at * each, (at + 1) * each).map((stack, place) => html`<${Stack} key=${place} stack=${stack} order=${place} about=${about} side=${side} />`)}
  </div>`,
  );
}

// One after the other: the zone of each tile of the wall (none: it is gone) and its code if it is shown, to all or to the own
// seat alone (`peeked`).
/** @param {{ count?: number, zone?: string, tile?: Code }[]} pieces @param {View} view */
function tilesOf(pieces, view) {
  /** @type {Record<string, number>} */
  const passed = {}; // tiles of each zone so far
  return pieces.flatMap(({ zone, tile, count = 1 }) =>
    Array.from({ length: count }, () => {
      const at = passed[zone ?? ""] ?? 0;
      passed[zone ?? ""] = at + 1;
      const peeked = !tile && view.seat && zone && view.zones[zone]?.[at];
      return { zone, tile: tile || peeked || undefined, peeked: Boolean(peeked) };
    }),
  );
}

// Of each stack how high it is, whether it is apart from those that are drawn, and the code of a tile shown on it.
/** @param {WallTile[]} tiles @param {string} id */
function stacksOf(tiles, id) {
  /** @type {WallStack[]} */
  const found = [];
  for (let at = 0; at < tiles.length; at += TALL) {
    const there = tiles.slice(at, at + TALL).filter((tile) => tile.zone);
    found.push({
      high: there.length,
      apart: there.length > 0 && there.every((tile) => tile.zone !== id),
      shown: there.find((tile) => tile.tile),
    });
  }
  const next = found.findIndex((stack) => stack.high && !stack.apart);
  const last = found.findLastIndex((stack) => stack.high && !stack.apart);
  if (found[next]) found[next].next = true;
  if (found[last]) found[last].last = true;
  return found;
}

// The stack from which tiles are drawn first: as many from the right end of a side as the dice say, which the hand decides.
/** @param {View} view @param {Side} dealer @param {number} each */
function beginning(view, dealer, each) {
  const dice = 2 + ((view.hand * 7 + (view.deal?.hash.charCodeAt(0) ?? 3)) % 11);
  const counted = (SIDES.indexOf(dealer) - (dice - 1) + 3 * SIDES.length) % SIDES.length; // against the clock, the dealer's side is one
  return counted * each + Math.min(dice, each - 1);
}

/** @param {Place[]} places @param {string} seat */
const sideOf = (places, seat) => places.find((place) => place.seat === seat)?.side ?? "me";

/** @param {{ stack: WallStack | null, order: number, about: About, side: Side }} props */
function Stack({ stack, order, about, side }) {
  const names = [
    "wall-stack",
    stack?.high === TALL && "two",
    !stack?.high && "none",
    stack?.apart && "apart",
    stack?.next && "next",
    stack?.last && "last",
  ];
  const z = side === "left" ? 60 - order : order;
  return html`<span class=${names.filter(Boolean).join(" ")} style=${`z-index:${z}`}><i></i>${stack?.shown && html`<${Tile} code=${stack.shown.tile} about=${about} state=${stack.shown.peeked ? "peeked" : ""} title=${stack.shown.peeked ? `${tileName(about, stack.shown.tile)}: ${t("table.peeked")}` : undefined} />`}</span>`;
}
