// Travels: tiles fly from where they were to where they are, when a moment follows another. Where they were is read as the
// new moment is drawn, before the page changes; a tile that it moves again while it flies is there at once.

import { allIn, oneIn } from "../../elements.js";
import { useLayoutEffect, useRef } from "../../html.js";
import { EASE, calm, glide, keep, land, spot, together, travel } from "../../motion.js";
import { seatsIn } from "./places.js";

/** @typedef {import("../../motion.js").Spot | undefined} At */
/** @typedef {ReturnType<typeof positions> & { view: View }} Was */
/** @typedef {{ code?: Code, spot: At }} Flown */
/** @typedef {(seat: string, code: Code) => At} From */

const DRAW = 160;
const DISCARD = 200;
const CLAIM = 240;
const DEAL = 600;
const OPEN = 220;
const OPEN_EACH = 22; // later, from tile to tile
const TWIST = 14; // degrees

/** @param {{ current: HTMLElement | null }} board @param {Session} session */
export function useTravels(board, session) {
  const { view, about } = session.now;
  const last = useRef(/** @type {{ view: View } | null} */ (null));
  const before = last.current;
  const moved = before && before.view !== view && view && !calm();
  const was = moved && board.current ? { ...before, ...positions(board.current) } : null;
  useLayoutEffect(() => {
    last.current = { view };
    const now = board.current;
    if (!was || !now) return;
    together(() => {
      land({ all: document.hidden });
      if (!document.hidden) fly(now, was, view, about);
    });
  });
}

/** @param {HTMLElement} board */
function positions(board) {
  /** @param {HTMLElement | null | undefined} one */
  const spotOf = (one) => (one ? spot(one) : undefined);
  /** @param {Element} box @param {string} what */
  const lastOf = (box, what) => spotOf(allIn(box, what).at(-1));
  const hand = new Map(
    allIn(board, ".hand-tile").map((one) => [
      one,
      { code: one.dataset.code, box: one.getBoundingClientRect(), spot: spotOf(oneIn(one, ".tile")) },
    ]),
  );
  const ponds = new Map(allIn(board, ".pond").map((pond) => [pond.dataset.of, lastOf(pond, ".tile")]));
  const pile = new Map(allIn(board, ".pile .tile").map((one) => [one.dataset.code, spot(one)]));
  const others = new Map(allIn(board, ".seat").map((seat) => [seat.dataset.seat, lastOf(seat, ".other-hand > *")]));
  const [next, end] = [".next", ".last"].map((name) => spotOf(oneIn(board, `.wall-stack${name}`)));
  return { hand, ponds, pile, others, next, end };
}

/** @param {HTMLElement} board @param {Was} was @param {View} view @param {About} about */
function fly(board, was, view, about) {
  const old = was.view;
  if (isDealt(old, view, about)) return deal(board);
  const own = allIn(board, ".hand-tile");
  const gone = [...was.hand.values()]
    .filter(({ code }) => code)
    .filter(counted([...own].map((one) => one.dataset.code)));
  /** @param {string} seat @param {string} code */
  const from = (seat, code) => (seat === view.seat ? take(gone, code) : was.others.get(seat));
  for (const zone of about.zones.filter((one) => one.claimable)) {
    for (const seat of zone.of === "seat" ? seatsIn(view, about) : [null])
      discards(board, zone, seat, { old, view, from });
  }
  for (const seat of seatsIn(view, about)) melds(board, seat, { old, view, from, was });
  draws(board, { old, view, own, was });
  for (const hand of allIn(board, ".other-hand.open")) if (isHidden(old, seatAt(hand))) open(hand);
  for (const one of own) if (was.hand.has(one)) glide(one, /** @type {DOMRect} */ (was.hand.get(one)?.box), DRAW);
}

/** @param {HTMLElement} one */
const seatAt = (one) => /** @type {HTMLElement | null} */ (one.closest(".seat"))?.dataset.seat ?? "";

// Those of a list that are not also in the other one.
/** @param {(Code | undefined)[]} codes */
function counted(codes) {
  const left = [...codes];
  return (/** @type {Flown} */ { code }) => !left.includes(code) || !left.splice(left.indexOf(code), 1);
}

/** @param {Flown[]} gone @param {Code} code */
function take(gone, code) {
  const at = gone.findIndex((one) => one.code === code);
  return at < 0 ? undefined : gone.splice(at, 1)[0].spot;
}

// Every hand has come anew.
/** @param {View} old @param {View} view @param {About} about */
function isDealt(old, view, about) {
  /** @param {View} one */
  const held = (one) => seatsIn(view, about).reduce((sum, seat) => sum + (one.zones.hand?.[seat]?.length || 0), 0);
  return held(view) - held(old) > seatsIn(view, about).length;
}

/** @param {HTMLElement} board */
function deal(board) {
  const hands = allIn(board, ".other-hand, .hand");
  for (const hand of hands) {
    const tiles = [...hand.children];
    const each = DEAL / 2 / Math.max(1, tiles.length);
    tiles.forEach((one, at) =>
      keep(
        one.animate(
          [
            { opacity: 0, transform: "translateY(-45%)" },
            { opacity: 1, transform: "none" },
          ],
          { duration: DEAL / 2, delay: at * each, easing: EASE, fill: "backwards" },
        ),
      ),
    );
  }
}

/** @param {View} view @param {string} seat */
const isHidden = (view, seat) => !view.zones.hand?.[seat]?.some(Boolean);

// A hand is turned up, tile by tile.
/** @param {Element} hand */
function open(hand) {
  [...hand.children].forEach((one, at) =>
    keep(
      one.animate(
        [
          { opacity: 0, transform: "scaleY(0.1)" },
          { opacity: 1, transform: "none" },
        ],
        { duration: OPEN, delay: at * OPEN_EACH, easing: EASE, fill: "backwards" },
      ),
    ),
  );
}

/**
 * @param {HTMLElement} board
 * @param {Zone} zone
 * @param {string | null} seat
 * @param {{ old: View, view: View, from: From }} parts
 */
function discards(board, zone, seat, { old, view, from }) {
  /** @param {View} one */
  const codesOf = (one) => (seat === null ? one.zones[zone.id] : one.zones[zone.id]?.[seat]) || [];
  if (codesOf(view).length !== codesOf(old).length + 1) return;
  const code = codesOf(view).at(-1);
  const who = seat ?? view.discarder ?? old.turn;
  const place =
    seat === null
      ? oneIn(board, `.pile .tile.new`)
      : allIn(board, `.pond[data-zone="${zone.id}"][data-of="${seat}"] .tile`).at(-1);
  travel(place, from(who, code ?? ""), DISCARD, { twist: TWIST });
}

/** @param {HTMLElement} board @param {string} seat @param {{ old: View, view: View, from: From, was: Was }} parts */
function melds(board, seat, { old, view, from, was }) {
  const [before, after] = [old.melds[seat] || [], view.melds[seat] || []];
  const at = after.findIndex((meld, place) => (before[place]?.tiles.length || 0) < meld.tiles.length);
  if (at < 0) return;
  const meld = after[at];
  const box = seatBox(board, seat);
  const group = box && allIn(box, ".meld")[at];
  const drawn = group ? allIn(group, ".tile") : [];
  const claimed =
    meld.discarder !== null && before.length < after.length
      ? drawn.find((one) => one.closest(".turned")) ||
        drawn.find((one) => one.dataset.code === meld.tiles[meld.claimed ?? -1])
      : null;
  const there = new Map();
  for (const code of before[at]?.tiles || []) there.set(code, (there.get(code) || 0) + 1);
  for (const one of drawn) {
    const { code = "" } = one.dataset;
    if (there.get(code)) there.set(code, there.get(code) - 1);
    else if (one === claimed) travel(one, was.ponds.get(meld.discarder ?? undefined) || was.pile.get(code), CLAIM);
    else travel(one, from(seat, code), CLAIM);
  }
}

// Where the groups of a seat lie: those of one's own with one's hand.
/** @param {HTMLElement} board @param {string} seat */
function seatBox(board, seat) {
  return oneIn(board, `.seat[data-seat="${seat}"] .rim`) || oneIn(board, ".hand-row");
}

// A tile seen from behind.
function back() {
  const tile = document.createElement("span");
  tile.className = "tile back";
  tile.append(document.createElement("i"));
  return tile;
}

/** @param {HTMLElement} board @param {{ old: View, view: View, own: HTMLElement[], was: Was }} parts */
function draws(board, { old, view, own, was }) {
  const wall = view.wall_left === old.wall_left ? was.end : was.next;
  const drawn = [...own].find((one) => one.classList.contains("drawn"));
  if (drawn && !was.hand.has(drawn)) travel(oneIn(drawn, ".tile"), wall, DRAW);
  for (const box of allIn(board, ".other-hand.drew")) {
    const seat = seatAt(box);
    if ((old.zones.hand?.[seat]?.length || 0) < view.zones.hand[seat].length)
      travel(/** @type {HTMLElement | null} */ (box.lastElementChild), wall, DRAW, { shape: back() });
  }
}
