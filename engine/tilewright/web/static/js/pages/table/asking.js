// Asking: a question of a view in, what a player sees of it out: entries to click, each with its moves and its words.
//
// An entry is one of: "hand" (one tile of the hand, a move for each), "ways" (one or several moves, each a button), "pick"
// (several tiles of the hand). Everything is read from the question and the ruleset's data. Knows no screen.

import { listed, named, plain, t } from "../../text.js";
import { tileName } from "../../tiles.js";
import { handOf } from "./places.js";

export const PASS = "pass";
export const ANSWER = "answer";
const SPREAD = 3; // ways of one offer that are shown at once

// What may be done, in the order of the question; `pass` is separate.
/**
 * @param {Question | null} question
 * @param {About} about
 * @param {Seen[]} hand
 * @returns {{ entries: Entry[], pass: Move | null }}
 */
export function entriesOf(question, about, hand) {
  if (!question) return { entries: [], pass: null };
  const held = new Set(hand.filter((code) => code !== null));
  /** @type {Map<string, Move[]>} */
  const groups = new Map();
  for (const move of question.moves) {
    if (move.move === PASS) continue;
    groups.set(move.move, [...(groups.get(move.move) ?? []), move]);
  }
  /** @type {Entry[]} */
  const entries = [...groups].map(([does, moves]) => entryOf(does, moves, question, about, held));
  for (const pick of question.picks) entries.push(pickOf(pick, question, about));
  const pass = question.moves.find((move) => move.move === PASS) || null;
  return { entries, pass };
}

/**
 * @param {string} does
 * @param {Move[]} moves
 * @param {Question} question
 * @param {About} about
 * @param {Set<Code>} held
 * @returns {HandEntry | WaysEntry}
 */
function entryOf(does, moves, question, about, held) {
  const choices = Object.keys(moves[0]).filter((name) => name !== "move");
  const one = choices.length === 1 ? choices[0] : null;
  const isOfHand =
    one &&
    kindOf(about, does, one) === "tile" &&
    moves.every((move) => held.has(move[one]) && Object.keys(move).length === 2);
  const label = offerName(about, does, question, one);
  if (isOfHand)
    return { kind: "hand", does, label, name: one, moves, byCode: new Map(moves.map((move) => [move[one], move])) };
  const { wins = false, rare = false } = about.offers[does] || {};
  const ofSeats = one && kindOf(about, does, one) === "seat";
  return {
    kind: "ways",
    does,
    label,
    moves,
    wins,
    rare,
    spread: !rare && (does === ANSWER || moves.length === 1 || (moves.length <= SPREAD && !ofSeats)),
  };
}

/** @param {Picking} pick @param {Question} question @param {About} about @returns {PickEntry} */
function pickOf(pick, question, about) {
  const { move, choose, least, most, tiles, allowed, more, ...before } = pick; // before: what was chosen before these
  const ways = allowed && !more ? allowed.map((text) => text.split(" ")) : null;
  return {
    kind: "pick",
    does: move,
    label: offerName(about, move, question, choose),
    name: choose,
    least,
    most,
    tiles,
    ways,
    before,
  };
}

// A pick may be of these tiles and others; where nothing is asked of them together, of any.
/** @param {PickEntry} pick @param {Code[]} codes */
export function mayPick(pick, codes) {
  return !pick.ways || pick.ways.some((way) => holds(way, codes));
}

// A pick may be of these tiles.
/** @param {PickEntry} pick @param {Code[]} codes */
export function isPick(pick, codes) {
  if (codes.length < pick.least || codes.length > pick.most) return false;
  return !pick.ways || pick.ways.some((way) => way.length === codes.length && holds(way, codes));
}

/** @param {Code[]} way @param {Code[]} codes */
function holds(way, codes) {
  const left = [...way];
  return codes.every((code) => left.includes(code) && left.splice(left.indexOf(code), 1));
}

// The move that a pick of these tiles is.
/** @param {PickEntry} pick @param {Code[]} codes */
export function pickMove(pick, codes) {
  const order = new Map(pick.tiles.map((code, at) => [code, at]));
  const chosen = [...codes].sort((one, other) => (order.get(one) ?? 0) - (order.get(other) ?? 0));
  return { move: pick.does, ...pick.before, [pick.name]: chosen.join(" ") };
}

/** @param {About} about @param {string} does @param {string} name */
export function kindOf(about, does, name) {
  const chooses = does === ANSWER ? [about.asks?.[name]] : about.offers[does]?.chooses || [];
  const found = chooses.find((one) => one?.name === name)?.kind;
  if (found) return found;
  return "group"; // the group of a claim is not chosen by a name of its own
}

/** @param {About} about @param {string} does @param {Question | null} question @param {string | null} choice */
export function offerName(about, does, question, choice) {
  if (does === PASS) return t("questions.pass");
  if (does === ANSWER) return named(question?.name, "") || named(about.asks?.[choice ?? ""]?.asked, choice || does);
  return named(about.offers[does]?.name, does);
}

// Somebody else's tile is in question; once it was claimed and the turn is one's own, it is not any more.
/** @param {View} view @param {About} about */
export function isClaim(view, about) {
  const { tile, discarder, turn, seat } = view;
  if (!tile || !discarder || discarder === seat) return false;
  return turn !== seat || about.zones.some((zone) => zone.claimable && thrownIn(view, zone).at(-1) === tile);
}

/** @param {{ zones: View["zones"], discarder: string | null }} one @param {Zone} zone */
function thrownIn({ zones, discarder }, zone) {
  return (zone.of === "seat" ? zones[zone.id]?.[discarder ?? ""] : zones[zone.id]) || [];
}

// What a player reads above the buttons.
/** @param {View} view @param {About} about @param {(seat: string) => string} names */
export function questionText(view, about, names) {
  const { question } = view;
  if (!question) return "";
  const claims = isClaim(view, about);
  if (question.phase && view.turn === view.seat && !claims) return t("questions.your_turn");
  const asked = named(question.name, question.phase);
  if (!claims || !question.phase) return asked;
  if (about.zones.some((zone) => zone.claimable && thrownIn(view, zone).at(-1) === view.tile))
    return t("questions.claim_discard", { who: names(view.discarder ?? "") });
  return t("questions.claim", { asked, who: names(view.discarder ?? "") });
}

// The same where tiles are to be picked: how many.
/** @param {{ label: string, least: number, most: number }} one */
export function pickText({ label, least, most }) {
  if (least === most) return t("table.pick_exactly", { asked: label, count: most });
  return t(least ? "table.pick_range" : "table.pick_most", { asked: label, count: most, least, most });
}

const SPOKEN = 8; // ways that are read out

// The question, for screen readers: what is asked, about which tile, and what may be done with which tiles.
/** @param {View} view @param {About} about @param {(seat: string) => string} names */
export function spokenText(view, about, names) {
  const { question } = view;
  if (!question) return "";
  const only = !question.moves.length && question.picks.length === 1 ? question.picks[0] : null;
  if (only) return pickText(pickOf(only, question, about));
  const { entries, pass } = entriesOf(question, about, handOf(view));
  const ways = entries
    .filter((one) => one.kind === "ways")
    .flatMap((one) => one.moves.map((move) => wayText(one, move, about, names)));
  const offers = [...new Set(ways)].slice(0, SPOKEN);
  if (pass && offers.length) offers.push(t("questions.pass"));
  const tile = isClaim(view, about) ? view.tile : view.drawn;
  return [
    questionText(view, about, names),
    tile && t(isClaim(view, about) ? "questions.about_tile" : "questions.drawn_tile", { tile: tileName(about, tile) }),
    offers.length && t("questions.you_may", { offers: listed(offers) }),
  ]
    .filter(Boolean)
    .join(" ");
}

/** @param {{ label: string }} one @param {Move} move @param {About} about @param {(seat: string) => string} names */
function wayText({ label }, move, about, names) {
  const parts = partsOf(move, about, names).map(
    (part) => part.text || part.tiles?.map(({ code }) => tileName(about, code)).join(" "),
  );
  return [label, ...parts].filter(Boolean).join(" ");
}

// --- what is chosen

const PLACED = /^([^@=]+)(?:=([^@]+))?(?:@([^.]+)(?:\.(\d+))?)?$/;

// A chosen text as parts to draw: {tiles: [{code, stands, seat}]} or {text}.
/** @param {Move} move @param {About} about @param {(seat: string) => string} names */
export function partsOf(move, about, names) {
  return Object.entries(move)
    .filter(([name]) => name !== "move")
    .map(([name, value]) => partOf(about, move.move, name, value, names))
    .filter(Boolean);
}

/**
 * @param {About} about
 * @param {string} does
 * @param {string} name
 * @param {string} value
 * @param {(seat: string) => string} names
 */
function partOf(about, does, name, value, names) {
  const kind = kindOf(about, does, name);
  const tiles = tilesOf(value, about);
  if (tiles && kind !== "seat" && kind !== "number" && kind !== "flag" && kind !== "suit") return { tiles };
  if (kind === "seat") return { text: names(value) };
  if (kind === "suit") return { text: named(about.families?.[value], value) };
  if (kind === "flag") return { text: flagText(about, does, name, value) };
  const called = kind === "number" ? labelOf(about, does, name) : "";
  return { text: called && called !== plain(name) ? `${called} ${plain(value)}` : plain(value) };
}

// What a choice of an offer is called; nothing where steps ask.
/** @param {About} about @param {string} does @param {string} name */
function labelOf(about, does, name) {
  return named((about.offers[does]?.chooses || []).find((one) => one?.name === name)?.label, "");
}

/** @param {About} about @param {string} does @param {string} name @param {string} value */
function flagText(about, does, name, value) {
  const chooses = does === ANSWER ? [about.asks?.[name]] : about.offers[does]?.chooses || [];
  const label = chooses.find((one) => one?.name === name)?.label;
  const says = named(label, "");
  if (value === "yes") return says && says !== plain(name) ? says : t("table.yes");
  return t("table.no");
}

// Codes of a text, each with what it stands for and its place; null if it is not tiles.
/** @param {string} value @param {About} about */
export function tilesOf(value, about) {
  const found = [];
  for (const part of String(value).split(" ")) {
    const match = PLACED.exec(part);
    if (!match || !isCode(about, match[1])) return null;
    found.push({ code: match[1], stands: match[2] && match[2] !== match[1] ? match[2] : null, seat: match[3] || null });
  }
  return found.length ? found : null;
}

/** @param {About} about @param {string} code */
function isCode(about, code) {
  about.codes ??= new Set(about.tiles.map((tile) => tile.code));
  return about.codes.has(code);
}

// --- what is refused

// Reasons by code for the offer of an entry, and of offers that are not there at all.
/** @param {View} view @param {Entry[]} entries */
export function refusalsOf(view, entries) {
  const shown = new Set(entries.map((entry) => entry.does));
  const tiles = new Map();
  const offers = [];
  for (const one of view.refusals || []) {
    const choices = one.choices || [without(one)];
    const reason = named(one.reason);
    for (const choice of choices) {
      const codes = Object.values(choice);
      if (codes.length === 1 && !codes[0].includes(" ")) tiles.set(`${one.move}:${codes[0]}`, reason);
    }
    if (!shown.has(one.move)) offers.push({ does: one.move, reason });
  }
  return { tiles, offers: unique(offers) };
}

/** @param {Refusal} one */
function without({ move, reason, choices, ...choice }) {
  return /** @type {Record<string, string>} */ (choice);
}

/** @param {{ does: string, reason: string }[]} offers */
function unique(offers) {
  const seen = new Set();
  return offers.filter(({ does, reason }) => !seen.has(`${does}${reason}`) && seen.add(`${does}${reason}`));
}

// Whether a bot would make the move, or one of the ways that are behind the button.
/** @param {Move | null | undefined} hint @param {{ move?: Move, ways?: Move[] }} item */
export function isHinted(hint, { move, ways = [] }) {
  const told = hint && JSON.stringify(Object.entries(hint).sort());
  return [move, ...ways].some((one) => one && JSON.stringify(Object.entries(one).sort()) === told);
}
