// A session: one table from the server, kept up to date, and the messages to it. Knows no screen.

import { useEffect, useMemo } from "../../html.js";
import { ServerError, api, join, leave, link, on, say } from "../../net.js";
import { store, useStore } from "../../store.js";
import { prefs, setPrefs } from "../../prefs.js";
import { forgetTable, keepTable, tokenOf } from "../../own.js";
import { announce, complain, toast } from "../../ui.js";
import { named, offerLanguages, t } from "../../text.js";
import { spokenText } from "./asking.js";
import { chatText, hasChat } from "./chat.js";
import { lineText, linesOf } from "./line.js";
import { placeText } from "./names.js";
import { handOf } from "./places.js";
import { sound } from "./sounds.js";
import { withParts } from "./view-parts.js";

const MOST_LINES = 400;
const MOST_CHAT = 40;
const WIN = "declare"; // the event that says what a hand is and counts
/** @type {Knowing} */
const EMPTY = {
  info: null,
  about: null,
  seq: 0,
  view: null,
  lines: [],
  asked: [],
  claim: null,
  clock: null,
  pause: null,
  result: null,
  played: null,
  points: [],
  chat: [],
  answered: null,
  error: null,
  help: {},
  replaying: false,
  refused: null,
  reveal: null,
};

/** @param {string} code */
export function useTable(code) {
  const session = useMemo(() => new Session(code), [code]);
  useEffect(() => session.open(), [session]);
  useStore(session.state);
  return session;
}

class Session {
  /** @param {string} code */
  constructor(code) {
    this.code = code;
    this.state = store({ ...EMPTY, points: kept(POINTS, code, /** @type {PointsOfHand[]} */ ([])) });
    this.hashes = kept(HASHES, code, /** @type {Record<number, string>} */ ({})); // of deals, by the number of the hand
    /** @type {Recorded[]} */
    this.steps = kept(STEPS, code, /** @type {Recorded[]} */ ([])); // of the hand that is played, as this page was told them
    /** @type {(() => unknown)[] | null} */
    this.early = null;
    /** @type {{ result: HandResult, steps: Recorded[] } | null} */
    this.recording = null; // of the hand that ended last: {result, steps}
    /** @type {(() => unknown)[]} */
    this.untold = []; // what the server said and is still to be handled
    this.handling = false;
    this.joining = false;
    /** @type {string | null} */
    this.invite = null; // the code that one came with
    /** @type {string | null} */
    this.lastAsked = null;
    /** @type {Promise<void>} */
    this.helping = Promise.resolve();
    this.behind = false; // the table has gone on while a spectator looks at a result
    this.stood = false; // up, by a click, and not down again
  }

  get now() {
    return this.state.value;
  }

  // --- the connection

  open() {
    /**
     * @template {{ table?: string | null }} M
     * @param {(message: M) => unknown} handle
     * @returns {(message: M) => unknown}
     */
    const mine = (handle) => (message) => message.table === this.code && this.inOrder(() => handle(message));
    const offs = [
      on(
        "step",
        mine((message) => this.step(message)),
      ),
      on(
        "info",
        mine((message) => this.info(/** @type {TableInfo} */ (message.info))),
      ),
      on(
        "table",
        mine((message) => this.joined(message)),
      ),
      on(
        "chat",
        mine((message) => this.heard(message.line)),
      ),
      on(
        "error",
        mine((message) => this.refused(message)),
      ),
    ];
    const given = new URLSearchParams(location.hash.slice(1) || location.search); // older links have a query, which logs of proxies keep
    const token = given.get("seat") || tokenOf(this.code);
    this.invite = given.get("invite");
    if (given.has("seat") || given.has("invite")) history.replaceState(null, "", location.pathname);
    this.joinOnce(token, (error) =>
      token && error.code !== "unknown-table" ? this.joinWithout() : this.state.change({ error }),
    );
    const leaving = () => keep(STEPS, this.code, this.steps);
    addEventListener("pagehide", leaving);
    return () => {
      removeEventListener("pagehide", leaving);
      leaving();
      offs.forEach((off) => off());
      leave(this.code);
    };
  }

  // One after the other, also while the rules are fetched: a view is told as what has changed since the one before.
  /** @param {() => unknown} handle */
  async inOrder(handle) {
    this.untold.push(handle);
    if (this.handling) return;
    this.handling = true;
    try {
      while (this.untold.length) {
        const done = this.untold.shift()?.();
        if (done) await done;
      }
    } finally {
      this.handling = false;
    }
  }

  joinWithout() {
    join(this.code).then(
      (reply) => this.inOrder(() => this.joined(reply)),
      (error) => this.state.change({ error }),
    );
  }

  // Once at a time, however many messages say that there is news; while an answer is read, the next one may be asked for.
  /** @param {string | null | undefined} token @param {(error: Failure) => unknown} failed */
  joinOnce(token, failed) {
    if (this.joining) return;
    this.joining = true;
    const answer = join(this.code, token).finally(() => (this.joining = false));
    answer.then((reply) => this.inOrder(() => this.joined(reply)), failed);
  }

  // Something said before, or this page is sent away.
  /** @param {{ code: string, message: Names, hint?: Words }} one */
  refused({ code, message, hint }) {
    const error = { message: named(message), names: message, hint };
    if (code === "removed") this.state.change({ ...EMPTY, error });
    else complain(error);
  }

  /** @param {Protocol.ShowTable} message */
  async joined(message) {
    const info = /** @type {TableInfo} */ (message.info);
    const view = message.view && withParts(null, message.view);
    const result = /** @type {HandResult | null} */ (/** @type {unknown} */ (message.result));
    if (info.me !== null && info.me !== undefined) keepTable(this.code, message.token);
    if (this.looksOn && (info.me ?? null) === null && result?.hand !== this.now.result?.hand) {
      this.behind = true;
      return this.info(info);
    }
    const { info: before } = this.now;
    const isReply = message.id !== undefined;
    this.behind = false;
    this.state.change({ chat: message.chat });
    if (before && (before.me ?? null) !== null && !isReply && (info.me ?? null) === null) forgetTable(this.code); // somebody else has the seat
    const digest = message.about_digest || info.digest;
    this.keepHash(view);
    /** @type {(() => unknown)[]} */
    const early = [];
    this.early = early; // what is said while the rules are fetched; a newer table has it
    try {
      const about = this.now.about?.digest === digest ? this.now.about : digest && (await aboutOf(digest, this.code));
      if (this.early !== early) return;
      this.state.change({
        info,
        about: about || null,
        seq: message.seq ?? 0,
        view,
        asked: message.asked ?? [],
        token: message.token,
        claim: deadline(message.claim),
        clock: deadline(message.clock),
        pause: deadline(message.pause),
        answered: null,
        error: null,
        reveal: null,
        result: null,
        played: null,
      });
      if (about && view) {
        this.state.change({ lines: linesOf(/** @type {Happened[]} */ (message.story || [])) });
        this.recordAgain(view, result);
        if (result) this.ended(result, message.seq);
        this.press();
        this.spoke();
      }
      if (message.stood_in && info.state === "playing") this.handedBack();
      if (isReply) this.sitAgain(info);
    } catch (error) {
      this.state.change({ info, error: /** @type {Failure} */ (error) });
    }
    if (this.early !== early) return;
    this.early = null;
    early.forEach((hear) => hear());
  }

  // Before the game a seat is free as soon as its page is gone: who comes back to it sits down again.
  /** @param {{ state: TableInfo["state"], me: number | null, seats: Protocol.SeatInfo[] }} one */
  sitAgain({ state, me, seats }) {
    if (state !== "waiting" || (me ?? null) !== null || this.stood || !tokenOf(this.code)) return;
    const free = seats.find((seat) => seat.kind === "person" && !seat.taken);
    if (free) this.sit(free.player);
    else forgetTable(this.code);
  }

  // Somebody has said something.
  /** @param {Protocol.ChatLine} line */
  heard(line) {
    this.state.change({ chat: [...this.now.chat, line].slice(-MOST_CHAT) });
    if (line.player === this.me) return;
    const said = `${line.name || this.nameOf(line.player)}: ${chatText(line)}`;
    if (document.querySelector(".chat")) announce(said);
    else if (this.now.info && hasChat(this.now.info)) toast(said);
  }

  // The seat that a bot kept is one's own again.
  handedBack() {
    toast(t("table.stood_in"), { seconds: 8 });
    announce(t("table.stood_in"));
  }

  /** @param {TableInfo} info */
  info(info) {
    if (this.early) return void this.early.push(() => this.info(info));
    const before = this.now.info;
    this.state.change({ info: { ...info, me: info.me ?? null } });
    if (before && info.me !== null && info.me !== undefined) this.tellSeats(before, info);
    if (before?.state === "waiting" && info.state !== "waiting" && !this.now.about) {
      this.joinOnce(tokenOf(this.code), complain);
    }
  }

  /** @param {TableInfo} before @param {TableInfo} info */
  tellSeats(before, info) {
    for (const seat of info.seats) {
      const old = before.seats[seat.player];
      if (seat.kind !== "person" || !old?.taken || !seat.taken || old.played_by === seat.played_by) continue;
      const id = seat.played_by === "bot" ? "table.bot_plays" : "table.back_again";
      const line = { id, slots: { who: { seat: "", player: seat.player } }, kind: "presence" };
      this.state.change({ lines: [...this.now.lines, line].slice(-MOST_LINES) });
      if (this.now.about) announce(lineText(line, this, this.now.about));
    }
  }

  // --- what happens

  /** @param {Protocol.ShowStep} message */
  step(message) {
    if (this.early) return void this.early.push(() => this.step(message));
    const { seq } = message;
    const events = /** @type {Happened[]} */ (message.events ?? []);
    const result = /** @type {HandResult | null} */ (/** @type {unknown} */ (message.result));
    const { about, lines, view: before } = this.now;
    if (!about || !before) {
      this.joinOnce(tokenOf(this.code), complain);
      return;
    }
    const deals = events.some((one) => one.event === "hand");
    this.behind ||= deals && this.looksOn;
    if (this.behind) return void (result && this.count(result));
    const view = withParts(before, message.view);
    this.keepHash(view);
    /** @type {Partial<Knowing>} */
    const change = {
      view,
      seq,
      asked: message.asked || [],
      claim: deadline(message.claim),
      clock: deadline(message.clock),
      pause: deadline(message.pause),
      refused: this.refusedAt(view),
      help: seq === this.now.seq ? this.now.help : older(this.now.help),
      answered: this.stillAnswered(view),
    };
    if (deals) Object.assign(change, { result: null, played: null, replaying: false, reveal: null }); // the next hand
    this.state.change(change);
    if (deals) this.sortAgain();
    this.record({ events, asked: message.asked, result }, view);
    const news = linesOf(events);
    this.state.change({ lines: [...lines, ...news].slice(-MOST_LINES) });
    news.forEach((line) => announce(lineText(line, this, about)));
    [...new Set(news.flatMap((line) => line.sound ?? []))].slice(-2).forEach(sound);
    if (result) this.ended(result, seq);
    const wins = events.filter((one) => one.event === WIN);
    if (wins.length) this.state.change({ reveal: { wins, before, view, winners: result?.winners || [] } });
    this.spoke();
  }

  // The win was seen.
  revealed() {
    this.state.change({ reveal: null });
  }

  // When a seat that is not asked was told why not: that is read for a while, not for as long as others think.
  /** @param {View} view */
  refusedAt(view) {
    const told = JSON.stringify(view.refusals);
    const isNew = told !== JSON.stringify(this.now.view?.refusals);
    return view.refusals?.length && !view.question ? (isNew ? performance.now() : this.now.refused) : null;
  }

  // The same question after one's own answer is no new one: the answer is kept till all have given theirs.
  /** @param {View} view */
  stillAnswered(view) {
    const { answered } = this.now;
    return answered && view.question && JSON.stringify(view.question) === answered.question ? answered : null;
  }

  // Keeps the moments of a hand, so that it can be looked at again when it is over.
  /** @param {{ events?: Happened[], asked?: number[], result: HandResult | null }} one @param {View} view */
  record({ events = [], asked = [], result }, view) {
    if (events.some((one) => one.event === "hand")) this.steps = [];
    this.steps.push({ view, events, asked, ends: Boolean(result) });
    if (result) this.recording = { result, steps: this.steps };
  }

  // The page was opened, or connected, while the hand is played or its result is shown. What it was told before stays.
  /** @param {View} view @param {HandResult | null} result */
  recordAgain(view, result) {
    const last = this.steps.at(-1);
    const goesOn = last && last.view.hand === view.hand && last.view.seat === view.seat;
    if (!goesOn) this.steps = [];
    if (!(goesOn && last.ends)) this.steps.push({ view, events: [], asked: this.now.asked, ends: Boolean(result) });
    if (result) this.recording = { result, steps: this.steps };
  }

  /** @param {boolean} [replaying] */
  watch(replaying = true) {
    this.state.change({ replaying });
  }

  // `played`: what the table says of this hand until the next one.
  /** @param {HandResult} result @param {number} seq */
  ended(result, seq) {
    this.count(result);
    const { view } = this.now;
    if (!view) return;
    this.state.change({
      played: result.played,
      result: { ...result, seq, table: view, own: handOf(view) },
    });
  }

  // For the chart of the match.
  /** @param {HandResult} result */
  count(result) {
    const points = [
      ...this.now.points.filter((one) => one.hand !== result.hand),
      { hand: result.hand, scores: result.scores, won: result.standings?.won },
    ];
    keep(POINTS, this.code, points);
    this.state.change({ points });
  }

  // The hash of a deal as it was told first: another one for the same hand is not believed.
  /** @param {View | null} view */
  keepHash(view) {
    if (!view?.deal || this.hashes[view.deal.hand]) return;
    this.hashes[view.deal.hand] = view.deal.hash;
    keep(HASHES, this.code, this.hashes);
  }

  /** @param {number} hand */
  hashOf(hand) {
    return this.hashes[hand];
  }

  // Says what one is asked, when that is news.
  spoke() {
    const { view, about } = this.now;
    const asked = view && this.isAsked ? JSON.stringify(view.question) : null;
    if (asked && view && about && asked !== this.lastAsked) {
      sound("asked");
      announce(spokenText(view, about, this.whom));
    }
    this.lastAsked = asked;
  }

  // --- who is who

  get me() {
    return this.now.info?.me ?? null;
  }

  get isAsked() {
    return Boolean(this.now.view?.question && !this.now.answered);
  }

  // The players one waits for: who is asked, people before bots; after a hand the people who may still look at the result.
  get awaited() {
    const { info, asked, pause } = this.now;
    /** @param {{ played_by: string }} one */
    const isPerson = ({ played_by }) => played_by === "person";
    const others = (info?.seats ?? []).filter(({ player }) => player !== this.me);
    if (pause) return others.filter((seat) => seat.taken && isPerson(seat)).map(({ player }) => player);
    const answering = others.filter(({ player }) => asked.includes(player));
    const people = answering.filter(isPerson);
    const shown = people.length ? people : answering.length === 1 ? answering : [];
    return shown.map(({ player }) => player);
  }

  /** @param {string} seat */
  playerOf(seat) {
    return this.now.view?.players?.[seat];
  }

  // The name of who sits on a seat; the pot has its own.
  /** @param {string} seat */
  names = (seat) => {
    const player = this.playerOf(seat);
    return player === undefined ? placeText(seat) : this.nameOf(player);
  };

  // The same where it is not the one who does something.
  /** @param {string} seat */
  whom = (seat) => (this.playerOf(seat) === this.me && this.me !== null ? t("table.you_object") : this.names(seat));

  /** @param {number} player */
  nameOf(player) {
    if (player === this.me) return t("table.you");
    const seat = this.now.info?.seats?.[player];
    if (seat?.name) return seat.name;
    if (seat?.kind === "bot") return t("table.bot", { number: player + 1 });
    return t("table.player", { number: player + 1 });
  }

  // --- what one says

  /** @param {Move} move */
  async answer(move) {
    const { seq, view } = this.now;
    const answered = { question: JSON.stringify(view?.question) };
    this.state.change({ answered });
    try {
      await say({ say: "answer", table: this.code, seq, move });
    } catch (error) {
      if (this.now.answered === answered) this.state.change({ answered: null }); // or a later question is answered by now
      if (!(error instanceof ServerError && error.code === "stale")) complain(error);
    }
  }

  ready() {
    const { seq, claim } = this.now;
    if (claim) this.state.change({ claim: { ...claim, passed: true } });
    return say({ say: "ready", table: this.code, seq }).catch(() => {});
  }

  seen() {
    this.state.change({ result: null, replaying: false });
    if (this.behind) this.joinOnce(tokenOf(this.code), complain);
    else if (this.me !== null) say({ say: "ready", table: this.code, seq: this.now.seq }).catch(() => {});
  }

  // A spectator looks at a result as long as one likes, and at the table where it was reached.
  get looksOn() {
    return this.me === null && Boolean(this.now.result);
  }

  get on() {
    const { about } = this.now;
    const chosen = prefs.value.buttons[about?.id ?? ""];
    return new Set(chosen ?? (about?.buttons ?? []).filter((button) => button.on).map((button) => button.id));
  }

  /** @param {string} id */
  toggle(id) {
    const { about } = this.now;
    if (!about) return;
    const on = this.on;
    on.has(id) ? on.delete(id) : on.add(id);
    setPrefs({ buttons: { ...prefs.value.buttons, [about.id]: [...on] } });
    this.state.change({});
    this.press();
  }

  // The hand is sorted at the start of every hand, also for who has arranged the last one.
  sortAgain() {
    for (const { id, sorts, on } of this.now.about?.buttons ?? [])
      if (sorts === "hand" && on && !this.on.has(id)) this.toggle(id);
  }

  press() {
    if (this.me === null || !this.now.about) return;
    const known = new Set(this.now.about.buttons.map((button) => button.id));
    say({ say: "press", table: this.code, on: [...this.on].filter((id) => known.has(id)) }).catch(() => {});
  }

  // Advice; one thing after the other.
  /** @param {"hint" | "nearest" | "waits"} what */
  help(what) {
    this.state.change({ help: { ...this.now.help, [what]: { busy: true, old: this.now.help[what]?.old } } });
    this.helping = this.helping.then(() => this.advise(what));
  }

  /** @param {"hint" | "nearest" | "waits"} what */
  async advise(what) {
    const { seq } = this.now;
    if (!this.now.help[what]?.busy) return; // the table went on
    try {
      const reply = await say({ say: "help", table: this.code, what });
      if (this.now.seq === seq)
        this.state.change({
          help: { ...this.now.help, [what]: { found: /** @type {Advice} */ (/** @type {unknown} */ (reply.found)) } },
        });
    } catch (error) {
      if (this.now.seq === seq)
        this.state.change({ help: { ...this.now.help, [what]: { error: /** @type {Failure} */ (error) } } });
    }
  }

  /** @param {Said} message @returns {Promise<Reply | null>} */
  async tell(message) {
    try {
      const reply = /** @type {Reply} */ (await say(/** @type {Protocol.page} */ ({ table: this.code, ...message })));
      if (reply.info) this.info(reply.info);
      return reply;
    } catch (error) {
      complain(error);
      return null;
    }
  }

  // Sitting down: from then on the table is seen from that seat.
  /** @param {number} player */
  async sit(player) {
    this.stood = false;
    const reply = await this.tell({ say: "sit", player, ...(this.invite ? { invite: this.invite } : {}) });
    if (!reply || this.stood) return;
    if (reply.token) keepTable(this.code, reply.token);
    join(this.code, reply.token || tokenOf(this.code)).then((found) => this.joined(found), complain);
  }

  // Standing up: from then on this page looks on, and sits down only by a click.
  async stand() {
    this.stood = true;
    const reply = await this.tell({ say: "stand" });
    if (reply) forgetTable(this.code);
    if (reply) await this.joined(/** @type {Protocol.ShowTable} */ (/** @type {unknown} */ (reply)));
  }

  get connected() {
    return link.value.state === "open";
  }
}

// Advice of a moment that is over: still to be read, not to be followed.
/** @param {Record<string, HelpState>} help */
function older(help) {
  return Object.fromEntries(Object.entries(help).map(([what, { found, old }]) => [what, { old: found || old }]));
}

// When something ends, by this browser's clock.
/** @param {Protocol.TimeWindow | Protocol.TimeToAnswer | null} told @returns {Deadline | null} */
function deadline(told) {
  if (!told?.ms) return null;
  const { ms } = told;
  return { ...told, ms, of: ("of" in told && told.of) || ms, till: performance.now() + ms };
}

/** @type {Map<string, Promise<About>>} */
const abouts = new Map();
/** @param {string} digest @param {string} table */
export function aboutOf(digest, table) {
  const known = abouts.get(digest);
  if (known) return known;
  const asked = /** @type {Promise<About>} */ (api("GET", `/api/about/${digest}?table=${table}`));
  asked.then(
    (about) => offerLanguages(about.name),
    () => abouts.delete(digest),
  );
  abouts.set(digest, asked);
  return asked;
}

// --- what is kept while the browser is open: the points after every hand, for the chart, the hashes of deals, and the
// moments of the hand

const POINTS = "tilewright.points.";
const STEPS = "tilewright.steps.";
const HASHES = "tilewright.hashes.";

/** @template T @param {string} what @param {string} code @param {T} none @returns {T} */
function kept(what, code, none) {
  try {
    return JSON.parse(sessionStorage.getItem(what + code) ?? "null") || none;
  } catch {
    return none;
  }
}

/** @param {string} what @param {string} code @param {unknown} found */
function keep(what, code, found) {
  try {
    sessionStorage.setItem(what + code, JSON.stringify(found));
  } catch {
    // then both begin where the page was opened
  }
}
