// Told lines: {id, slots, sound} of events from the server, out as words with tiles between them, or as words
// for the ear. A slot is a text, a number, {names}, {seat, player}, {tiles}, {count}, a line, or a list of such.
//
// The blank `who` is whoever does something: where that is oneself, the message ID_me is used if there is one. `people`
// says who somebody is: {me, nameOf(player)}. Knows no event.

import { html } from "../../html.js";
import { has, listed, named, number, pieces, t } from "../../text.js";
import { Tile, tileName } from "../../tiles.js";
import { placeText } from "./names.js";

// The line as a list of texts and {tiles}.
/** @param {Told} line @param {People} people @returns {LinePart[]} */
export function partsOfLine(line, people) {
  const mine = people.me !== null && doerOf(line) === people.me;
  const id = mine && has(`${line.id}_me`) ? `${line.id}_me` : line.id;
  const slots = Object.fromEntries(
    Object.entries(line.slots).map(([name, slot]) => [name, slotParts(slot, people, name === "who")]),
  );
  return /** @type {LinePart[]} */ (pieces(id, slots).flat());
}

// The player who does something, if it says who; null for the pot.
/** @param {Told} line */
export const doerOf = ({ slots: { who } }) => (typeof who === "object" && "player" in who ? who.player : undefined);

/** @param {Slot} slot @param {People} people @param {boolean} does @returns {LinePart[]} */
function slotParts(slot, people, does) {
  if (Array.isArray(slot))
    return slot
      .flatMap((one, at) => [at ? (isLine(one) ? t("base.semicolon") : " ") : "", ...slotParts(one, people, false)])
      .filter((part) => part !== "");
  if (typeof slot === "number") return [number(slot)];
  if (typeof slot === "string") return [slot];
  if (isLine(slot)) return partsOfLine(slot, people);
  if ("names" in slot) return [named(slot.names)];
  if ("tiles" in slot) return [slot];
  if ("count" in slot) return [t("events.tiles", { count: slot.count })];
  return [seatText(slot, people, does)];
}

/** @param {Slot} slot @returns {slot is Told} */
const isLine = (slot) => typeof slot === "object" && "id" in slot;

// The player of a seat; the reader as “you”, unless the reader is the one who acts (`does`).
/** @param {{ seat: string, player: number | null }} one @param {People} people @param {boolean} does */
export function seatText({ seat, player }, people, does) {
  if (player === null) return placeText(seat);
  return player === people.me && !does ? t("table.you_object") : people.nameOf(player);
}

// The lines of the events that have one.
/** @param {Happened[]} events */
export function linesOf(events) {
  return events.flatMap(({ told, event }) => (told ? [{ ...told, kind: event }] : []));
}

// The parts with neighbouring texts as one, so that the space between words is the text's own. It begins with a capital,
// unless with the name of who does something.
/** @param {Told} line @param {LinePart[]} parts */
function joined({ slots }, parts) {
  /** @type {LinePart[]} */
  const found = [];
  for (const part of parts) {
    if (typeof part === "string" && typeof found.at(-1) === "string") found.push(`${found.pop()}${part}`);
    else found.push(part);
  }
  if (!slots.who && typeof found[0] === "string")
    found[0] = found[0].replace(/\p{L}/u, (letter) => letter.toLocaleUpperCase());
  return found;
}

// The line for a title: names stay whole, and tiles are named.
/** @param {{ line: Told, people: People, about: About }} props */
export function Title({ line, people, about }) {
  const parts = partsOfLine(line, people).map((part) =>
    typeof part === "string" ? part : listed(part.tiles.map((code) => tileName(about, code))),
  );
  return parts.map((part) => (part === part.trim() ? html`<span class="phrase">${part}</span>` : part));
}

/** @param {Told} line @param {People} people @param {About} about */
export function lineText(line, people, about) {
  return partsOfLine(line, people)
    .map((part) => (typeof part === "string" ? part : listed(part.tiles.map((code) => tileName(about, code)))))
    .join("");
}

// The line in two: its words without tiles, and its tiles; null where words go on after the tiles, as in Japanese.
/** @param {Told} line @param {People} people */
export function wordsAndTiles(line, people) {
  const parts = joined(line, partsOfLine(line, people));
  if (parts.some((part, at) => typeof part === "string" && at > 0 && /^\s*\p{L}/u.test(part))) return null;
  const words = parts
    .filter((part) => typeof part === "string")
    .join("")
    .replace(/\s+/g, " ")
    .replace(/ ([:,.)：，。）])/g, "$1");
  return { words: words.trim(), tiles: parts.flatMap((part) => (typeof part === "string" ? [] : part.tiles)) };
}

/** @param {{ line: Told, people: People, about: About, size?: string }} props */
export function Line({ line, people, about, size = "1.25rem" }) {
  return joined(line, partsOfLine(line, people)).map((part) =>
    typeof part === "string"
      ? html`<span>${part}</span>`
      : html`<span class="tiles">${part.tiles.map((code) => html`<${Tile} code=${code} about=${about} size=${size} />`)}</span>`,
  );
}
