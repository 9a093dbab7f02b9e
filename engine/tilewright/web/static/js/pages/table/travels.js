// Travels: tiles fly from where they were to where they are, when a moment follows another. Where they were is read as the
// new moment is drawn, before the page changes; a tile that it moves again while it flies is there at once.

import { useLayoutEffect, useRef } from "../../html.js";
import { EASE, calm, glide, keep, land, spot, together, travel } from "../../motion.js";
import { seatsIn } from "./places.js";

const DRAW = 160;
const DISCARD = 200;
const CLAIM = 240;
const DEAL = 600;
const OPEN = 220;
const OPEN_EACH = 22; // later, from tile to tile
const TWIST = 14; // degrees

export function useTravels(board, session) {
  const { view, about } = session.now;
  const last = useRef(null);
  const before = last.current;
  const moved = before && before.view !== view && view && !calm();
  const was = moved && board.current ? { ...before, ...positions(board.current) } : null;
  useLayoutEffect(() => {
    last.current = { view };
    if (!was || !board.current) return;
    together(() => {
      land({ all: document.hidden });
      if (!document.hidden) fly(board.current, was, view, about);
    });
  });
}

function positions(board) {
  const spotOf = (one) => (one ? spot(one) : undefined);
  const lastOf = (box, what) => spotOf([...box.querySelectorAll(what)].at(-1));
  const hand = new Map(
    [...board.querySelectorAll(".hand-tile")].map((one) => [
      one,
      { code: one.dataset.code, box: one.getBoundingClientRect(), spot: spotOf(one.querySelector(".tile")) },
    ]),
  );
  const ponds = new Map([...board.querySelectorAll(".pond")].map((pond) => [pond.dataset.of, lastOf(pond, ".tile")]));
  const pile = new Map([...board.querySelectorAll(".pile .tile")].map((one) => [one.dataset.code, spot(one)]));
  const others = new Map(
    [...board.querySelectorAll(".seat")].map((seat) => [seat.dataset.seat, lastOf(seat, ".other-hand > *")]),
  );
  const [next, end] = [".next", ".last"].map((name) => spotOf(board.querySelector(`.wall-stack${name}`)));
  return { hand, ponds, pile, others, next, end };
}

function fly(board, was, view, about) {
  const old = was.view;
  if (isDealt(old, view, about)) return deal(board);
  const own = board.querySelectorAll(".hand-tile");
  const gone = [...was.hand.values()]
    .filter(({ code }) => code)
    .filter(counted([...own].map((one) => one.dataset.code)));
  const from = (seat, code) => (seat === view.seat ? take(gone, code) : was.others.get(seat));
  for (const zone of about.zones.filter((one) => one.claimable)) {
    for (const seat of zone.of === "seat" ? seatsIn(view, about) : [null])
      discards(board, zone, seat, { old, view, from });
  }
  for (const seat of seatsIn(view, about)) melds(board, seat, { old, view, from, was });
  draws(board, { old, view, own, was });
  for (const hand of board.querySelectorAll(".other-hand.open"))
    if (isHidden(old, hand.closest(".seat").dataset.seat)) open(hand);
  for (const one of own) if (was.hand.has(one)) glide(one, was.hand.get(one).box, DRAW);
}

// Those of a list that are not also in the other one.
function counted(codes) {
  const left = [...codes];
  return ({ code }) => !left.includes(code) || !left.splice(left.indexOf(code), 1);
}

function take(gone, code) {
  const at = gone.findIndex((one) => one.code === code);
  return at < 0 ? undefined : gone.splice(at, 1)[0].spot;
}

// Every hand has come anew.
function isDealt(old, view, about) {
  const held = (one) => seatsIn(view, about).reduce((sum, seat) => sum + (one.zones.hand?.[seat]?.length || 0), 0);
  return held(view) - held(old) > seatsIn(view, about).length;
}

function deal(board) {
  const hands = [...board.querySelectorAll(".other-hand, .hand")];
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

const isHidden = (view, seat) => !view.zones.hand?.[seat]?.some(Boolean);

// A hand is turned up, tile by tile.
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

function discards(board, zone, seat, { old, view, from }) {
  const codesOf = (one) => (seat === null ? one.zones[zone.id] : one.zones[zone.id]?.[seat]) || [];
  if (codesOf(view).length !== codesOf(old).length + 1) return;
  const code = codesOf(view).at(-1);
  const who = seat ?? view.discarder ?? old.turn;
  const place =
    seat === null
      ? board.querySelector(`.pile .tile.new`)
      : [...board.querySelectorAll(`.pond[data-zone="${zone.id}"][data-of="${seat}"] .tile`)].at(-1);
  travel(place, from(who, code), DISCARD, { twist: TWIST });
}

function melds(board, seat, { old, view, from, was }) {
  const [before, after] = [old.melds[seat] || [], view.melds[seat] || []];
  const at = after.findIndex((meld, place) => (before[place]?.tiles.length || 0) < meld.tiles.length);
  if (at < 0) return;
  const meld = after[at];
  const drawn = [...(seatBox(board, seat)?.querySelectorAll(".meld")[at]?.querySelectorAll(".tile") || [])];
  const claimed =
    meld.discarder !== null && before.length < after.length
      ? drawn.find((one) => one.closest(".turned")) ||
        drawn.find((one) => one.dataset.code === meld.tiles[meld.claimed])
      : null;
  const there = new Map();
  for (const code of before[at]?.tiles || []) there.set(code, (there.get(code) || 0) + 1);
  for (const one of drawn) {
    const code = one.dataset.code;
    if (there.get(code)) there.set(code, there.get(code) - 1);
    else if (one === claimed) travel(one, was.ponds.get(meld.discarder) || was.pile.get(code), CLAIM);
    else travel(one, from(seat, code), CLAIM);
  }
}

// Where the groups of a seat lie: those of one's own with one's hand.
function seatBox(board, seat) {
  return board.querySelector(`.seat[data-seat="${seat}"] .rim`) || board.querySelector(".hand-row");
}

// A tile seen from behind.
function back() {
  const tile = document.createElement("span");
  tile.className = "tile back";
  tile.append(document.createElement("i"));
  return tile;
}

function draws(board, { old, view, own, was }) {
  const wall = view.wall_left === old.wall_left ? was.end : was.next;
  const drawn = [...own].find((one) => one.classList.contains("drawn"));
  if (drawn && !was.hand.has(drawn)) travel(drawn.querySelector(".tile"), wall, DRAW);
  for (const box of board.querySelectorAll(".other-hand.drew")) {
    const seat = box.closest(".seat").dataset.seat;
    if ((old.zones.hand?.[seat]?.length || 0) < view.zones.hand[seat].length)
      travel(box.lastElementChild, wall, DRAW, { shape: back() });
  }
}
