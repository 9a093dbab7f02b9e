// What the felt wants of a session, where nobody at this page plays: a moment of a replay, or a game to watch.

import { placeText } from "./names.js";

// `players`: as in the seats of a table; `more`: of what a session knows now; `onSeen`: the result was looked at.
/**
 * @param {{ code: string, about: About, view: View, players: { name: string, kind: "bot" | "person", player: number
 *   }[], onSeen?: () => void } & Record<string, unknown>} one
 */
export function watched({ code, about, view, players, onSeen = () => {}, ...more }) {
  /** @param {number} player */
  const nameOf = (player) => players[player]?.name;
  /** @param {string} seat */
  const names = (seat) => (view.players?.[seat] === undefined ? placeText(seat) : nameOf(view.players[seat]));
  const seats = players.map((seat) => ({ here: true, taken: true, played_by: seat.kind, ...seat }));
  return {
    code,
    me: null,
    on: new Set(about.buttons.filter((button) => button.on).map((button) => button.id)),
    now: {
      about,
      view,
      lines: [],
      asked: [],
      claim: null,
      clock: null,
      points: [],
      result: null,
      ...more,
      info: {
        code,
        seats,
        state: "over",
        scores: [],
        me: null,
        next: null,
        setup: {},
        .../** @type {object | undefined} */ (more.info),
      },
    },
    nameOf,
    names,
    whom: names,
    hashOf: () => view.deal?.hash,
    seen: onSeen,
    toggle: () => {},
  };
}
