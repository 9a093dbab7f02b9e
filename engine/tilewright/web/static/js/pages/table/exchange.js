// Exchanges: tiles are chosen to be passed to other seats, and what came in is marked in the hand. Everything is read from
// the step that asks and the rules.

import { useRef } from "../../html.js";
import { placed } from "./places.js";

// The exchange that is asked for, with those asked for together with it (`steps`), of which it is the nth; null if none is.
export function exchangeOf(view, about) {
  const all = about?.exchanges || [];
  const at = view?.step ? all.findIndex((one) => one.step === view.step) : -1;
  if (at < 0) return null;
  const isOther = (one) => one.round !== all[at].round;
  const first = all.slice(0, at).findLastIndex(isOther) + 1;
  const past = all.slice(at).findIndex(isOther);
  return { ...all[at], steps: all.slice(first, past < 0 ? all.length : at + past), nth: at - first };
}

// The seat that gets the tiles, if it is known; of several that sit on one side, none is.
export function receiver(exchange, view, about) {
  const side = exchange.way === "across" ? "top" : exchange.way;
  const seats = placed(view, about).filter((place) => place.side === side);
  return seats.length === 1 ? seats[0].seat : null;
}

// What was given away in the exchange that goes on, and the tiles that came in with the last one, by code.
export function useGiven(view, exchange) {
  const kept = useRef({ given: null, came: [] });
  const hand = (view.zones.hand?.[view.seat] || []).filter(Boolean);
  const now = kept.current;
  if (now.hand !== view.hand) Object.assign(now, { hand: view.hand, given: null, came: [] });
  if (now.given && (view.step !== now.step || without(now.held, hand).length)) {
    now.came = without(hand, without(now.held, now.given));
    now.given = null;
  }
  const give = (codes) => {
    if (exchange) Object.assign(now, { step: view.step, held: hand, given: codes, came: [] });
    else if (view.question?.phase) now.came = [];
  };
  return { given: now.given, came: now.came, give };
}

function without(codes, less) {
  const left = [...less];
  return codes.filter((code) => {
    const at = left.indexOf(code);
    if (at >= 0) left.splice(at, 1);
    return at < 0;
  });
}

// The keys of the tiles that came in: of equal ones the last.
export function arrived(tiles, came) {
  const left = [...came];
  return new Set(
    [...tiles].reverse().flatMap(({ code, key }) => {
      const at = left.indexOf(code);
      return at < 0 ? [] : (left.splice(at, 1), [key]);
    }),
  );
}
