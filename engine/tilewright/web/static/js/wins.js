// Win history: how often one has won with each line of a card. The server keeps it for each person, and this browser
// as well: a server that forgets guests who stay away forgets it with them.

import { html, useEffect } from "./html.js";
import { api } from "./net.js";
import { store, useStore } from "./store.js";
import { number, t } from "./text.js";

const KEPT = "tilewright.wins";
const MOST_HANDS = 100; // that are known to be counted
/** @typedef {{ cards: Record<string, Record<string, number>>, hands: string[] }} Wins */
/** @type {Wins} */
const EMPTY = { cards: {}, hands: [] }; // card -> line -> wins; the hands counted last

const wins = store(read());

function read() {
  try {
    return { ...EMPTY, ...JSON.parse(localStorage.getItem(KEPT) || "{}") };
  } catch {
    return EMPTY;
  }
}

/** @param {Partial<Wins>} part */
function keep(part) {
  wins.change(part);
  try {
    localStorage.setItem(KEPT, JSON.stringify(wins.value));
  } catch {
    // then only the server knows
  }
}

// The wins by line of a card, from now on up to date.
/** @param {string} card */
export function useWins(card) {
  const { cards } = useStore(wins);
  useEffect(() => void (card && load(card)), [card]);
  return cards[card] || {};
}

/** @param {string} card */
async function load(card) {
  const nothing = { wins: /** @type {{ line: string, count: number }[]} */ ([]) };
  const { wins: told } = await api("GET", `/api/wins/${encodeURIComponent(card)}`).catch(() => nothing);
  const known = { ...wins.value.cards[card] };
  for (const { line, count } of told) known[line] = Math.max(count, known[line] || 0);
  if (told.length) keep({ cards: { ...wins.value.cards, [card]: known } });
}

// The own wins of a hand that has ended, each counted once; `hand` names it among all tables.
/** @param {Pick<HandResult, "winners">} result @param {number | null} me @param {string} hand */
export function countWins(result, me, hand) {
  const { cards, hands } = wins.value;
  const mine = result.winners.flatMap(({ player, card, score }) =>
    player === me && card && score?.line ? [{ card, line: score.line }] : [],
  );
  if (!mine.length || hands.includes(hand)) return;
  const next = { ...cards };
  for (const { card, line } of mine) next[card] = { ...next[card], [line]: (next[card]?.[line] || 0) + 1 };
  keep({ cards: next, hands: [...hands, hand].slice(-MOST_HANDS) });
}

// How often one has won with a line.
/** @param {{ count: number }} props */
export function Won({ count }) {
  const text = t("base.won_times", { count });
  return html`<span class="won" role="img" aria-label=${text} title=${text}>★ ${number(count)}</span>`;
}
