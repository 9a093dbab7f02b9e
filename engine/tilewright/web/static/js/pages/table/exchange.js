// Exchanges: tiles are chosen to be passed to other seats, and what came in is marked in the hand. Everything is read from
// the step that asks and the rules.

/** @typedef {{ given: Code[] | null, came: Code[], held: Code[], hand?: number, step?: string | null }} Given */

import { useRef } from "../../html.js";
import { handOf, placed } from "./places.js";

// The exchange that is asked for, with those asked for together with it (`steps`), of which it is the nth; null if none is.
/** @param {View | null} view @param {About | null} about @returns {ExchangeNow | null} */
export function exchangeOf(view, about) {
  const all = about?.exchanges || [];
  const at = view?.step ? all.findIndex((one) => one.step === view.step) : -1;
  if (at < 0) return null;
  /** @param {ExchangeStep} one */
  const isOther = (one) => one.round !== all[at].round;
  const first = all.slice(0, at).findLastIndex(isOther) + 1;
  const past = all.slice(at).findIndex(isOther);
  return { ...all[at], steps: all.slice(first, past < 0 ? all.length : at + past), nth: at - first };
}

// The seat that gets the tiles, if it is known; of several that sit on one side, none is.
/** @param {ExchangeNow} exchange @param {View} view @param {About} about */
export function receiver(exchange, view, about) {
  const side = exchange.way === "across" ? "top" : exchange.way;
  const seats = placed(view, about).filter((place) => place.side === side);
  return seats.length === 1 ? seats[0].seat : null;
}

// What was given away in the exchange that goes on, and the tiles that came in with the last one, by code.
/** @param {View} view @param {ExchangeNow | null} exchange */
export function useGiven(view, exchange) {
  const kept = useRef(/** @type {Given} */ ({ given: null, came: [], held: [] }));
  const hand = handOf(view).filter((code) => code !== null);
  const now = kept.current;
  if (now.hand !== view.hand) Object.assign(now, { hand: view.hand, given: null, came: [] });
  if (now.given && (view.step !== now.step || without(now.held, hand).length)) {
    now.came = without(hand, without(now.held, now.given));
    now.given = null;
  }
  /** @param {Code[]} codes */
  const give = (codes) => {
    if (exchange) Object.assign(now, { step: view.step, held: hand, given: codes, came: [] });
    else if (view.question?.phase) now.came = [];
  };
  return { given: now.given, came: now.came, give };
}

/** @param {Code[]} codes @param {Code[]} less */
function without(codes, less) {
  const left = [...less];
  return codes.filter((code) => {
    const at = left.indexOf(code);
    if (at >= 0) left.splice(at, 1);
    return at < 0;
  });
}

// The keys of the tiles that came in: of equal ones the last.
/** @param {HandTile[]} tiles @param {Code[]} came */
export function arrived(tiles, came) {
  const left = [...came];
  return new Set(
    [...tiles].reverse().flatMap(({ code, key }) => {
      const at = left.indexOf(code);
      return at < 0 ? [] : (left.splice(at, 1), [key]);
    }),
  );
}
