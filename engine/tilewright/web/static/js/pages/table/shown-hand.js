// A hand that is shown when it is over: in the groups in which it is read, then what lies on the table, with what counts.

import { html } from "../../html.js";
import { listed, named, number, t, unitOf } from "../../text.js";
import { Tile } from "../../tiles.js";
import { Meld } from "./felt.js";

// Tiles are numbered as lines name them: those held, then those on the table. `lit`: the line whose tiles are lit. `view`: where the
// groups lie, and so whom their tiles came from.
/** @param {{ session: Session, hand: EndedHand, view: View, lit: CountedLine | null, won: boolean }} props */
export function ShownHand({ session, hand, view, lit, won }) {
  const { about } = session.now;
  const count = hand.hand.length;
  /** @param {number} place */
  const isLit = (place) => !lit?.tiles?.length || lit.tiles.includes(place);
  const winning = won && hand.tile && hand.hand[count - 1] === hand.tile ? count - 1 : -1;
  /** @param {number} place */
  const state = (place) => (lit ? (isLit(place) ? "lit" : "dim") : place === winning ? "winning" : "");
  const groups = (hand.groups || []).filter((places) => places.length && places.every((place) => place < count));
  const free = hand.hand.map((_, place) => place).filter((place) => !groups.flat().includes(place));
  const lying = liesAt(hand, view);
  let at = count;
  return html`<div class="shown-hand" role="group" aria-label=${t(won ? "table.won_hand" : "table.hand_of", { who: session.nameOf(hand.player) })}>
    ${[...groups, free].filter((places) => places.length).map((places) => html`<span class="tiles">${places.map((place) => html`<${Tile} key=${place} code=${hand.hand[place]} about=${about} state=${state(place)} />`)}</span>`)}
    ${lying.map(({ meld, places }, nth) => {
      const first = at;
      at += places.length;
      return html`<${Meld} key=${nth} meld=${meld} about=${about} view=${view} seat=${seatOf(hand.player, view)} stateOf=${(/** @type {number} */ place) => state(first + places[place])} />`;
    })}
    ${(hand.bonus ?? []).length > 0 && html`<span class="tiles bonus">${hand.bonus?.map((code) => html`<${Tile} code=${code} about=${about} />`)}</span>`}
  </div>`;
}

// How wide a hand is, in tiles: with a claimed tile of each group across, and what lies between groups.
/** @param {{ hand: Seen[], melds: Lying[], groups?: number[][], bonus?: Code[] }} one */
export function widthOf({ hand, melds, groups, bonus }) {
  const lying = melds.reduce((width, { tiles }) => width + tiles.length + 0.7, 0);
  return hand.length + lying + (groups?.length || 1) * 0.35 + (bonus?.length ? bonus.length * 0.7 + 0.35 : 0);
}

// The seat of a player in this view.
/** @param {number} player @param {{ players: Record<string, number> }} parts */
export function seatOf(player, { players }) {
  return Object.keys(players).find((seat) => players[seat] === player);
}

// The groups of a hand as they lie on the table, with the place of each tile in the group as the hand has it.
/** @param {{ player: number, melds: Lying[] }} one @param {View} view */
function liesAt({ player, melds }, view) {
  const left = [...(view.melds?.[seatOf(player, view) ?? ""] || [])];
  return melds.map((meld) => {
    const text = sortedText(meld);
    const at = left.findIndex((one) => sortedText(one) === text);
    const lies = at < 0 ? meld : left.splice(at, 1)[0];
    return { meld: lies, places: placesIn(meld.tiles, lies.tiles) };
  });
}

// Where each of these codes is in a list, every place once.
/** @param {Seen[]} codes @param {Seen[]} these */
function placesIn(codes, these) {
  const free = codes.map((_, place) => place);
  return these.map(
    (code) =>
      free.splice(
        free.findIndex((place) => codes[place] === code),
        1,
      )[0],
  );
}

/** @param {{ tiles: Seen[] }} one */
const sortedText = ({ tiles }) => JSON.stringify([...tiles].sort());

// --- what counts

// The form of a win, unless a pattern says the same.
/** @param {About} about @param {Pick<EndedHand, "score" | "lines">} hand */
export function formOf(about, hand) {
  const form = named(about.forms?.[hand.score?.form ?? ""], hand.score?.form || "");
  return hand.lines.some((line) => lineName(about, line) === form) ? "" : form;
}

/** @param {About} about @param {CountedLine} line */
export function lineName(about, line) {
  return named(about.patterns?.[line.id]?.name || line.name, line.id);
}

// What a line counts, in each measure; of a win just declared a plain number is known.
/** @param {About} about @param {{ values?: Record<string, number>, worth?: number }} parts */
export function worthText(about, { values, worth }) {
  if (!values) return worth ? number(worth) : "";
  return listed(Object.entries(values).map(([measure, value]) => `${number(value)} ${unitOf(about, measure, value)}`));
}
