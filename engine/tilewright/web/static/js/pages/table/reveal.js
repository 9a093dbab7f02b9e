// A win on the felt itself, before the settlement: the hand opens, patterns come up one after the other, points run to the
// scores. What is shown now follows from a list of beats; any key or click ends it, and where nothing moves there is none.

import { useEffect, useMemo, useState } from "../../html.js";
import { quiet } from "../../prefs.js";
import { handOf } from "./places.js";
import { isFirst } from "./names.js";

export const OPEN = 260; // ms, in which the hand comes to the middle
const PATTERN = 170; // from one pattern to the next,
const PATTERNS = 340; // but no more for all of them
export const COUNT = 180; // in which the sum runs up
const PAY = 420; // in which points run to the scores, and are seen

// {win, up, counted, scores}: the win that is shown, how many of its patterns are up, whether the sum is, and for the felt
// which scores are not changed yet or what comes to them now; null if there is no win to show.
/** @param {Session} session */
export function useReveal(session) {
  const { reveal } = session.now;
  const beats = useMemo(
    () => (reveal && !quiet() && !document.hidden ? beatsOf(winsOf(reveal, session.now.about)) : []),
    [reveal],
  );
  const change = useMemo(() => reveal && scoresOf(reveal), [reveal]);
  const [{ of, nth }, set] = useState({ of: /** @type {Reveal | null} */ (null), nth: 0 });
  const at = of === reveal ? nth : 0;
  useEffect(() => {
    if (!reveal) return undefined;
    if (at >= beats.length) return session.revealed();
    const timer = setTimeout(() => set({ of: reveal, nth: at + 1 }), beats[at].ms);
    return () => clearTimeout(timer);
  }, [reveal, at]);
  useEffect(() => {
    if (!reveal) return undefined;
    /** @param {Event} event */
    const skip = (event) => {
      if (event instanceof KeyboardEvent && ["Control", "Shift", "Alt", "Meta"].includes(event.key)) return;
      if (session.now.result) {
        event.preventDefault(); // it is not meant for what comes next
        event.stopImmediatePropagation();
      }
      session.revealed();
    };
    const kinds = ["pointerdown", "keydown"];
    kinds.forEach((kind) => addEventListener(kind, skip, true));
    return () => kinds.forEach((kind) => removeEventListener(kind, skip, true));
  }, [reveal]);
  const beat = beats[at];
  return beat && change ? { ...beat, scores: beat.paid ? { gains: change.gains } : { held: change.held } } : null;
}

/**
 * @param {ShownWin[]} wins
 * @returns {{ win: ShownWin, up: number, ms: number, counted?: boolean, paid?: boolean }[]}
 */
function beatsOf(wins) {
  return wins.flatMap((win, at) => {
    const count = win.lines.length;
    const each = Math.min(PATTERN, PATTERNS / count);
    const all = { win, up: count, counted: true };
    return [
      { win, up: 0, ms: OPEN },
      ...win.lines.map((_, line) => ({ win, up: line + 1, ms: each })),
      { ...all, ms: COUNT },
      ...(at === wins.length - 1 ? [{ ...all, paid: true, ms: PAY }] : []),
    ];
  });
}

// By player: what they were, and what comes to them.
/** @param {{ before: View, view: View }} one */
function scoresOf({ before, view }) {
  /** @type {Record<number, number>} */
  const held = {};
  /** @type {Record<number, number>} */
  const gains = {};
  for (const [seat, player] of Object.entries(view.players)) {
    held[player] = before.scores[seat];
    gains[player] = view.scores[seat] - before.scores[seat];
  }
  return { held, gains };
}

// Each win with its hand: as the result tells it, or, where the hand goes on for others, as it was declared.
/** @param {{ wins: Happened[], view: View, winners: EndedHand[] }} one @param {About} about */
function winsOf({ wins, view, winners }, about) {
  return wins.map((event) => {
    const how = event.self_draw ? "self_draw" : event.discarder ? "from" : "somehow";
    const { how: by, who = "" } = event.told?.slots ?? {};
    const told = {
      id: `results.won_${how}`,
      slots: { ...(typeof by === "object" && "slots" in by ? by.slots : {}), who },
    };
    const found = winners.find((won) => won.seat === event.seat) || declared(event, view);
    return { ...found, lines: mainLines(about, found.lines), told, seat: event.seat, discarder: event.discarder };
  });
}

// Those in the measure that most lines count in, if there are any: the settlement has all.
/** @param {About} about @param {CountedLine[]} lines */
function mainLines(about, lines) {
  const main = lines.filter((line) => isFirst(about, line));
  return main.length ? main : lines;
}

/** @param {Happened} event @param {View} view */
function declared(event, view) {
  const { seat = "", tiles } = event;
  const [tile = null] = Array.isArray(tiles) ? tiles : [];
  const held = handOf(view, seat);
  const drawn = event.self_draw ? held.lastIndexOf(tile) : -1;
  const hand = [...held.filter((_, at) => at !== drawn), ...(tile ? [tile] : [])];
  return {
    player: view.players[seat],
    hand,
    melds: view.melds[seat] || [],
    tile,
    lines: event.patterns ?? [],
    total: event.total,
    unit: event.unit,
  };
}
