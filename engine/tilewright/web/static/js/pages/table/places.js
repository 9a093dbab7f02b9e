// Places: where the seats are round the felt, as one player sees them. A view and the rules in, sides out; knows no screen.

/** @type {Side[]} */
export const SIDES = ["me", "left", "top", "right"]; // clockwise
/** @type {Record<Side, number>} */
export const TURNS = { me: 0, left: 90, top: 180, right: -90 }; // degrees

// The seats from the dealer's on. (Names that are numbers come first in an object, whatever its order was.)
/** @param {View} view @param {About} about */
export function seatsIn(view, about) {
  return about.seats.filter((seat) => seat in view.players);
}

// The seat that is shown below: one's own, or the dealer's.
/** @param {View} view @param {About} about */
export const nearSeat = (view, about) => view.seat || seatsIn(view, about)[0];

// The codes of a hand, which are hidden but for one's own.
/** @param {View} view @param {string | null} [seat] */
export const handOf = (view, seat = view.seat) => (seat !== null && view.zones.hand?.[seat]) || [];

// The number of the hand that a meld is laid down for.
/** @param {Lying} meld */
export const handNumber = (meld) => meld.hand ?? 1;

/** @type {MadeHand[]} */
const ONE = [{ hand: 1, state: "open" }];

// The hands that a seat makes of its tiles: one, unless the rules say more.
/** @param {View} view @param {string | null} [seat] */
export const handsOf = (view, seat = view.seat) => (seat !== null && view.hands?.[seat]) || ONE;

// What a seat has won: each of its hands, where it makes several; none once there is no more to make.
/** @param {View} view @param {string} seat */
export const wonSoFar = (view, seat) => {
  const hands = view.hands?.[seat] || [];
  return hands.some((hand) => hand.state === "open") ? hands.filter((hand) => hand.state === "won") : [];
};

// Every seat with its side, from the near one on in turn order. Who is next sits at one side, who was before at the other, the
// rest opposite: `at` is the place among the `of` seats there, from the left of who sits there.
/** @param {View} view @param {About} about @returns {Place[]} */
export function placed(view, about) {
  const seats = seatsIn(view, about);
  const first = seats.indexOf(nearSeat(view, about));
  const others = [...seats.slice(first + 1), ...seats.slice(0, first)];
  const clockwise = about.order === "clockwise";
  /** @type {Side[]} */
  const [next, before] = clockwise ? ["left", "right"] : ["right", "left"];
  const opposite = others.length < 2 ? others : others.slice(1, -1);
  const row = clockwise ? [...opposite].reverse() : opposite;
  /** @param {string} seat @returns {Side} */
  const sideOf = (seat) => (opposite.includes(seat) ? "top" : seat === others[0] ? next : before);
  return [
    { seat: seats[first], side: "me", at: 0, of: 1 },
    ...others.map((seat) => ({
      seat,
      side: sideOf(seat),
      at: Math.max(0, row.indexOf(seat)),
      of: Math.max(1, opposite.includes(seat) ? row.length : 1),
    })),
  ];
}

// Where a seat is, seen from another: left, top or right of it; me if it is the same.
/** @param {string} seat @param {string} other @param {View} view @param {About} about @returns {Side} */
export function seenFrom(seat, other, view, about) {
  const seats = seatsIn(view, about);
  const away = (seats.indexOf(other) - seats.indexOf(seat) + seats.length) % seats.length;
  if (!away) return "me";
  if (away === 1 && seats.length > 2) return about.order === "clockwise" ? "left" : "right";
  if (away === seats.length - 1 && seats.length > 2) return about.order === "clockwise" ? "right" : "left";
  return "top";
}

/** @param {About} about */
export const tableZones = (about) => about.zones.filter((zone) => zone.of === "table");
/** @param {About} about */
export const seatZones = (about) =>
  about.zones.filter((zone) => zone.of === "seat" && !["hand", "melds"].includes(zone.id));
