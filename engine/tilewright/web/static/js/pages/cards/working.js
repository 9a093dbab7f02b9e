// What the server says of a text: drawn and counted as one types, laid out on paper when one looks at that, and how hard
// lines are, in the background and only for those that are new. One request of a kind at a time, the last wish wins.

import { ServerError, api } from "../../net.js";
import { store } from "../../store.js";
import { PASSING } from "./keeping.js";

const DRAW_PAUSE = 90; // ms without typing
const PAPER_PAUSE = 350;
const DRAWS_PAUSE = 900;
const RETRY = 3_000;
const LONGEST = 6_000; // ms that something is waited for
const KEPT = "tilewright.draws";
const MOST_KEPT = 600; // lines
const PORTION = 40; // lines asked for at once

// A wish that is renewed faster than it is granted: only the last one counts.
/** @template W */
class Wishes {
  /** @param {number} pause @param {(wish: W) => Promise<void>} grant */
  constructor(pause, grant) {
    this.pause = pause;
    this.grant = grant;
    this.timer = 0;
    this.busy = false;
    /** @type {W | undefined} */
    this.wish = undefined;
    this.ended = false;
  }

  /** @param {W} wish @param {number} [pause] */
  want(wish, pause = this.pause) {
    this.wish = wish;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.go(), pause);
  }

  async go() {
    if (this.busy || this.ended || this.wish === undefined) return;
    const wish = this.wish;
    this.wish = undefined;
    this.busy = true;
    /** @type {W | null} */
    let again = null;
    try {
      await this.grant(wish);
    } catch (error) {
      if (error instanceof ServerError && PASSING.has(error.code)) again = wish;
    }
    this.busy = false;
    if (this.wish !== undefined) this.want(this.wish, 0);
    else if (again !== null) this.want(again, RETRY);
  }

  end() {
    this.ended = true;
    clearTimeout(this.timer);
  }
}

export class Working {
  constructor() {
    // drawn: the last answer, of `text`; lines: what was drawn, by the text of the line; failed: why nothing new comes
    /** @type {Store<Drawn>} */
    this.drawn = store({ text: null, card: null, failed: null });
    /** @type {Store<Paper>} */
    this.paper = store({ text: null, size: null, sheets: [], across: "", down: "" });
    this.draws = store(keptDraws());
    /** @type {Map<string, CardLine>} */
    this.lines = new Map();
    this.drawing = new Wishes(DRAW_PAUSE, (/** @type {string} */ text) => this.draw(text));
    this.laying = new Wishes(PAPER_PAUSE, (/** @type {{ text: string, size: string }} */ wish) => this.lay(wish));
    this.hardness = new Wishes(DRAWS_PAUSE, (/** @type {string[]} */ lines) => this.measure(lines));
    this.hard = false;
  }

  end() {
    for (const one of [this.drawing, this.laying, this.hardness]) one.end();
  }

  /** @param {string} text */
  typed(text) {
    this.drawing.want(text, this.drawn.value.card ? DRAW_PAUSE : 0);
  }

  /** @param {string} text */
  async draw(text) {
    /** @type {TypedCard} */
    let card;
    try {
      card = await api("POST", "/api/cards/draw", { text, process: true });
    } catch (error) {
      this.drawn.change({ failed: /** @type {Failure} */ (error) });
      throw error;
    }
    for (const group of card.groups) for (const line of group.lines) this.lines.set(line.text, line);
    this.drawn.set({ text, card, failed: null });
    if (this.hard) this.wantDraws();
  }

  // The card as it is drawn of this text; what was drawn before, where that does not come in time.
  /** @param {string} text */
  async drawnOf(text) {
    await until(this.drawn, (one) => one.text === text || one.failed);
    return this.drawn.value.card;
  }

  // --- on paper

  /** @param {string} text @param {string} size @param {boolean} [now] */
  wantPaper(text, size, now = false) {
    const { text: last, size: before } = this.paper.value;
    if (last === text && before === size) return;
    this.laying.want({ text, size }, now ? 0 : PAPER_PAUSE);
  }

  // The sheets of this text are there, or do not come in time.
  /** @param {string} text @param {string} size */
  async laidOut(text, size) {
    this.wantPaper(text, size, true);
    await until(this.paper, (one) => one.text === text && one.size === size);
  }

  /** @param {{ text: string, size: string }} one */
  async lay({ text, size }) {
    const { sheets, across, down } = await /** @type {Promise<Paper>} */ (
      api("POST", "/api/cards/draw", { text, paper: size })
    );
    this.paper.set({ text, size, sheets, across, down });
  }

  // --- how hard lines are

  /** @param {boolean} yes */
  measureLines(yes) {
    this.hard = yes;
    if (yes) this.wantDraws();
  }

  wantDraws() {
    const groups = this.drawn.value.card?.groups ?? [];
    const wanted = groups.flatMap((group) => group.lines).filter((line) => line.good && line.hands);
    const unknown = wanted.map((line) => line.text).filter((text) => !(text in this.draws.value));
    if (unknown.length) this.hardness.want([...new Set(unknown)]);
  }

  /** @param {string[]} lines */
  async measure(lines) {
    const some = lines.slice(0, PORTION);
    const { draws, left } = await /** @type {Promise<{ draws: Draws, left: string[] }>} */ (
      api("POST", "/api/cards/process", { lines: some })
    );
    this.draws.change(draws);
    keepDraws(this.draws.value);
    const rest = [...left.filter((line) => left.length < some.length || line !== left[0]), ...lines.slice(PORTION)];
    if (rest.length && this.hard) this.hardness.want(rest, 50);
  }
}

// Wait until a store holds what is wanted, for a while.
/** @template T @param {Store<T>} one @param {(value: T) => unknown} wanted @returns {Promise<void>} */
function until(one, wanted) {
  return new Promise((resolve) => {
    if (wanted(one.value)) return resolve();
    const done = () => (stop(), clearTimeout(timer), resolve());
    const stop = one.listen((value) => wanted(value) && done());
    const timer = setTimeout(done, LONGEST);
  });
}

/** @returns {Draws} */
function keptDraws() {
  try {
    return JSON.parse(localStorage.getItem(KEPT) || "{}");
  } catch {
    return {};
  }
}

/** @param {Draws} draws */
function keepDraws(draws) {
  try {
    localStorage.setItem(KEPT, JSON.stringify(Object.fromEntries(Object.entries(draws).slice(-MOST_KEPT))));
  } catch {
    // they are found again
  }
}
