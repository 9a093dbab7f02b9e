// Keeping a card: on this device at once, on the server a moment later, again and again while the network is lost; and
// finding out that another page saved it in between.

import { ServerError, api } from "../../net.js";
import { store } from "../../store.js";

const DRAFT = "tilewright.card."; // + where it is opened from
const PAUSE = 900; // ms without typing, after which it is saved
const WAITS = [2_000, 4_000, 8_000, 15_000]; // ms between tries
export const PASSING = new Set(["no-connection", "no-answer", "busy", "too-fast", "broken"]); // what is tried again

export const NEW = "new";
export const saves = store(0); // how often a card was saved: a list that was loaded before does not know it

// "abc" an own card, "bundled-abc", "shared-abc", "new"
/** @param {string} id */
export function sourceOf(id) {
  const found = /^(bundled|shared)-(.+)$/.exec(id);
  return found ? { kind: found[1], id: found[2] } : { kind: id === NEW ? NEW : "own", id };
}

// --- on this device

/** @param {string} id @returns {Draft | null} */
export function draftOf(id) {
  try {
    return JSON.parse(localStorage.getItem(DRAFT + id) || "null");
  } catch {
    return null;
  }
}

/** @param {string} id @param {Omit<Draft, "id"> | null} draft */
export function keepDraft(id, draft) {
  try {
    if (draft) localStorage.setItem(DRAFT + id, JSON.stringify(draft));
    else localStorage.removeItem(DRAFT + id);
  } catch {
    // a browser that keeps nothing: what is typed lives until the page is closed; one that is full: there is room again
    if (draft && dropSaved()) keepDraft(id, draft);
  }
}

// Copies of what the server has; whether there were any.
function dropSaved() {
  const saved = drafts().filter((one) => one.saved);
  saved.forEach((one) => keepDraft(one.id, null));
  return saved.length > 0;
}

/** @returns {Draft[]} */
function drafts() {
  try {
    const names = Object.keys(localStorage).filter((name) => name.startsWith(DRAFT));
    return names.flatMap((name) => {
      const draft = draftOf(name.slice(DRAFT.length));
      return draft ? [{ ...draft, id: name.slice(DRAFT.length) }] : [];
    });
  } catch {
    return [];
  }
}

export function unsavedDrafts() {
  return drafts().filter((one) => one.text && !one.saved);
}

// --- a card that is open

// state: saved, waiting (typed, not saved yet), saving, offline, conflict, gone, refused, foreign (a bundled or shared card
// that nothing was changed in), fresh (a new card that nothing was typed in)
export class Keeping {
  /** @param {string} id @param {{ moved?: (id: string) => void, replaced?: (text: string) => void }} [parts] */
  constructor(id, { moved = () => {}, replaced = () => {} } = {}) {
    this.id = id;
    this.source = sourceOf(id);
    /** @type {Store<Kept>} */
    this.at = store({ state: "loading", error: null, share: null, theirs: null, since: null });
    /** @type {number | null} */
    this.base = null; // when the server saved what we last saw
    this.text = "";
    this.moved = moved; // the card has an id of its own now
    this.replaced = replaced; // the text is another now
    this.timer = 0;
    this.tries = 0;
    /** @type {Promise<void> | null} */
    this.running = null;
    /** @type {string | null} */
    this.last = null; // the text that was sent last
    this.online = () => this.at.value.state === "offline" && this.save();
    addEventListener("online", this.online);
  }

  close() {
    removeEventListener("online", this.online);
    clearTimeout(this.timer);
    this.moved = () => {}; // another page is shown, and has an address of its own
    if (this.at.value.state === "waiting") this.save();
  }

  // The text to begin with: of the server, or of this device where that is newer.
  /** @param {string} fresh */
  async open(fresh) {
    const draft = draftOf(this.id);
    let card;
    try {
      card = await this.fetched(fresh);
    } catch (error) {
      const code = error instanceof ServerError ? error.code : "";
      if (!draft || !PASSING.has(code)) {
        if (!draft || code !== "unknown-card") throw error;
        this.text = draft.text;
        this.at.change({ state: "gone" });
        return this.text;
      }
      this.text = draft.text;
      this.base = draft.base;
      this.at.change({ state: "offline", since: draft.time });
      this.again();
      return this.text;
    }
    this.base = card.updated ?? null;
    this.at.change({ share: card.share ?? null, since: card.updated ?? null });
    return this.begun(card, draft);
  }

  /** @param {string} [fresh] @returns {Promise<Partial<KeptCard> & { text: string }>} */
  async fetched(fresh = "") {
    const { kind, id } = this.source;
    if (kind === NEW) return { text: fresh };
    const path = kind === "own" ? "" : `${kind}/`;
    return api("GET", `/api/cards/${path}${encodeURIComponent(id)}`);
  }

  /** @param {Partial<KeptCard> & { text: string }} card @param {Draft | null} draft */
  begun(card, draft) {
    const own = this.source.kind === "own";
    const unsaved = draft && !draft.saved && draft.text !== card.text;
    this.text = unsaved ? draft.text : card.text;
    if (!unsaved) {
      this.at.change({ state: own ? "saved" : this.source.kind === NEW ? "fresh" : "foreign" });
      if (own) keepDraft(this.id, { text: this.text, base: this.base, saved: true, time: Date.now() });
    } else if (own && draft.base !== this.base) {
      this.at.change({ state: "conflict", theirs: card.text });
    } else {
      this.at.change({ state: "waiting" });
      this.later(0);
    }
    return this.text;
  }

  // The text has changed: kept here now, saved in a moment.
  /** @param {string} text */
  changed(text) {
    if (text === this.text) return;
    this.text = text;
    keepDraft(this.id, { text, base: this.base, saved: false, time: Date.now() });
    if (["conflict", "gone", "loading"].includes(this.at.value.state)) return;
    this.at.change({ state: "waiting", error: null });
    this.tries = 0;
    this.later(PAUSE);
  }

  /** @param {number} wait */
  later(wait) {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.save(), wait);
  }

  again() {
    this.later(WAITS[Math.min(this.tries, WAITS.length - 1)]);
    this.tries += 1;
  }

  // Save now, after what is being saved. `over`: whatever another page has saved.
  /** @param {boolean} [over] */
  async save(over = false) {
    clearTimeout(this.timer);
    while (this.running) await this.running;
    this.running = this.saving(over);
    await this.running;
  }

  /** @param {boolean} over */
  async saving(over) {
    const text = this.text;
    this.at.change({ state: "saving" });
    try {
      const card = await this.sent(text, over);
      this.done(card, text);
    } catch (error) {
      await this.refused(error);
    } finally {
      this.running = null;
    }
  }

  /** @param {string} text @param {boolean} over @returns {Promise<KeptCard>} */
  sent(text, over) {
    this.last = text;
    if (this.source.kind !== "own") return api("POST", "/api/cards", { text });
    const expected = over ? {} : { expected: this.base };
    return api("PUT", `/api/cards/${encodeURIComponent(this.id)}`, { text, ...expected });
  }

  /** @param {KeptCard} card @param {string} text */
  done(card, text) {
    this.tries = 0;
    this.base = card.updated;
    if (this.source.kind !== "own") this.become(card.id);
    const saved = text === this.text;
    keepDraft(this.id, { text: this.text, base: this.base, saved, time: Date.now() });
    this.at.change({
      state: saved ? "saved" : "waiting",
      theirs: null,
      error: null,
      share: card.share,
      since: card.updated,
    });
    saves.set(saves.value + 1);
    if (!saved) this.later(PAUSE);
  }

  // The first saving of a card that was not one's own.
  /** @param {string} id */
  become(id) {
    keepDraft(this.id, null);
    this.id = id;
    this.source = sourceOf(id);
    this.moved(id);
  }

  /** @param {unknown} error */
  async refused(error) {
    if (!(error instanceof ServerError)) throw error;
    if (PASSING.has(error.code)) {
      this.at.change({ state: "offline", error });
      this.again();
    } else if (error.code === "conflict") {
      const theirs = await this.fetched().catch(() => null);
      if (theirs && theirs.text === this.last) return this.done(/** @type {KeptCard} */ (theirs), theirs.text); // it was us: the answer was lost
      this.at.change({ state: "conflict", error, theirs: theirs?.text ?? null });
    } else if (error.code === "unknown-card") {
      this.at.change({ state: "gone", error });
    } else {
      this.at.change({ state: "refused", error });
    }
  }

  // --- where two pages have saved

  keepMine() {
    return this.save(true);
  }

  async takeTheirs() {
    const card = await this.fetched();
    this.base = card.updated ?? null;
    this.text = card.text;
    keepDraft(this.id, { text: card.text, base: this.base, saved: true, time: Date.now() });
    this.at.change({ state: "saved", theirs: null, error: null, since: this.base });
    this.replaced(card.text);
  }

  // What is written here becomes a card of its own; also where the card was deleted.
  keepBoth() {
    keepDraft(this.id, null);
    this.source = { kind: NEW, id: NEW };
    this.base = null;
    return this.save();
  }

  async share() {
    if (this.source.kind !== "own" || this.at.value.state !== "saved") await this.save();
    if (this.source.kind !== "own") return null;
    const { share } = await /** @type {Promise<{ share: string }>} */ (
      api("POST", `/api/cards/${encodeURIComponent(this.id)}/share`)
    );
    this.at.change({ share });
    return share;
  }
}
