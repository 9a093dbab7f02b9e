// The server: `api(method, path, body)` for requests, `say(message)` for the socket. The socket is opened when it is first
// needed, opened again when it is lost (at once, then after longer and longer waits), and then joins its tables again.

import { prefs, fromServer, tellServer } from "./prefs.js";
import { language, named, t } from "./text.js";
import { store } from "./store.js";

/** @typedef {Protocol.server} Heard */
/**
 * The reply to each kind of message.
 * @typedef {{ hello: Protocol.Welcome, make: Protocol.ShowTable, join: Protocol.ShowTable, sit: Protocol.ShowTable,
 *   stand: Protocol.ShowTable, lobby: Protocol.ShowLobby, invite: Protocol.ShowInvite, again: Protocol.NextTable,
 *   help: Protocol.GiveHelp, set: Protocol.ShowInfo, spectators: Protocol.ShowInfo, remove: Protocol.ShowInfo,
 *   chatting: Protocol.ShowInfo }} Replies
 */
/**
 * @template {Protocol.page["say"]} Kind
 * @typedef {Kind extends keyof Replies ? Replies[Kind] : Protocol.Done} ReplyTo
 */

const VERSION = 2;
const KEY = "tilewright.key";
const LONGEST_WAIT = 10_000; // ms between two tries
const PATIENCE = 20_000; // ms until an answer is given up
const PULSE = 25_000; // ms between two signs of life

// state: off, opening, open, lost, and for good: old, banned
/**
 * @type {Store<{ state: "off" | "opening" | "open" | "lost" | "old" | "banned", since: number, name: string | null,
 *   limits: Record<string, number> }>}
 */
export const link = store({ state: "off", since: 0, name: null, limits: {} });

export class ServerError extends Error {
  /** @param {{ code?: string, message?: Words, hint?: Words, problems?: object[] }} [one] @param {number} [status] */
  constructor({ code = "error", message = {}, hint = null, problems = [] } = {}, status = 0) {
    super();
    this.code = code;
    this.names = message;
    this.hint = hint;
    this.problems = /** @type {Problem[]} */ (problems);
    this.status = status;
  }

  get message() {
    return named(this.names) || this.code; // in the language that the page has by now
  }
}

// --- the person

/** @type {string | null} */
let forgotten = null; // where nothing can be kept
export function key() {
  try {
    return localStorage.getItem(KEY) || forgotten;
  } catch {
    return forgotten;
  }
}

/** @param {string} value */
function keepKey(value) {
  forgotten = value;
  try {
    localStorage.setItem(KEY, value);
  } catch {
    // it is kept as long as the page is open
  }
}

// --- requests

/**
 * What the server answers, or the whole answer (`raw`). Throws a ServerError.
 *
 * @template T
 * @param {string} method
 * @param {string} path
 * @param {unknown} [body]
 * @param {{ raw?: boolean }} [how]
 * @returns {Promise<T>}
 */
export async function api(method, path, body, { raw = false } = {}) {
  if (!key()) await ready();
  /** @type {Record<string, string>} */
  const headers = { Accept: "application/json", Authorization: `Bearer ${key()}` };
  if (body !== undefined) headers["Content-Type"] = "application/json";
  let answer;
  try {
    answer = await fetch(path, { method, headers, body: body === undefined ? undefined : JSON.stringify(body) });
  } catch {
    throw new ServerError({ code: "no-connection", message: t("base.no_answer") });
  }
  if (raw && answer.ok) return /** @type {T} */ (answer);
  const found = await answer.json().catch(() => null);
  if (!answer.ok) throw new ServerError(found?.error, answer.status);
  return found;
}

// --- the socket

/** @type {WebSocket | null} */
let socket = null;
let count = 0;
let tries = 0;
let again = 0;
let pulse = 0;
/** @type {Promise<void> | null} */
let opened = null; // a promise of hello
/** @type {(() => void) | null} */
let welcome = null;
/** @type {Map<Protocol.server["id"], [(reply: Heard) => void, (error: ServerError) => void, number]>} */
const asked = new Map(); // id -> [resolve, reject, timer]
/** @type {Map<string, Set<(message: never) => unknown>>} */
const listeners = new Map(); // say -> set of functions
/** @type {Map<string, Protocol.Join>} */
const joined = new Map(); // table -> what to say when the connection is new
/** @type {Map<string, { reply: Protocol.ShowTable, later: Heard[] }>} */
const made = new Map(); // table -> {reply, later}: what came of it before its page asked
let watchesLobby = false;

// The socket is open and the server knows who we are.
export function ready() {
  if (link.value.state === "open") return Promise.resolve();
  if (!opened) {
    opened = new Promise((resolve) => (welcome = resolve));
    open();
  }
  return opened;
}

function open() {
  clearTimeout(again);
  link.change({ state: tries ? "lost" : "opening" });
  const scheme = location.protocol === "https:" ? "wss:" : "ws:";
  socket = new WebSocket(`${scheme}//${location.host}/socket`);
  socket.onopen = greet;
  socket.onmessage = (event) => receive(JSON.parse(event.data));
  socket.onclose = closed;
}

async function greet() {
  const mine = key();
  /** @type {Protocol.Hello} */
  const hello = { say: "hello", v: VERSION, lang: language.value };
  if (mine) hello.key = mine;
  try {
    const reply = /** @type {Protocol.Welcome} */ (await ask(hello));
    keepKey(reply.key);
    tries = 0;
    link.set({ state: "open", since: Date.now(), name: reply.person?.name ?? null, limits: reply.limits || {} });
    clearInterval(pulse);
    pulse = setInterval(() => socket?.readyState === WebSocket.OPEN && send({ say: "ping" }), PULSE);
    welcome?.();
    opened = null;
    rejoin();
    settings();
  } catch (error) {
    if (error instanceof ServerError && error.code === "other-version") link.change({ state: "old" });
    socket?.close();
  }
}

function rejoin() {
  for (const message of joined.values()) ask(message).then(pass, () => {});
  if (watchesLobby) ask({ say: "lobby", on: true }).then(pass, () => {});
}

let toldSettings = false;
async function settings() {
  if (toldSettings) return;
  toldSettings = true;
  tellServer((value) => api("PUT", "/api/me", { settings: value }).catch(() => {}));
  const me = await /** @type {Promise<{ settings: Partial<Prefs> }>} */ (api("GET", "/api/me")).catch(() => null);
  if (me) fromServer(me.settings);
}

function closed() {
  clearInterval(pulse);
  made.clear();
  for (const [, reject, timer] of asked.values()) {
    clearTimeout(timer);
    reject(new ServerError({ code: "no-connection", message: t("base.disconnected") }));
  }
  asked.clear();
  if (["old", "banned"].includes(link.value.state)) return;
  tries += 1;
  link.change({ state: "lost" });
  opened ??= new Promise((resolve) => (welcome = resolve));
  again = setTimeout(open, Math.min(LONGEST_WAIT, tries === 1 ? 100 : 250 * 2 ** tries));
}

addEventListener("online", () => link.value.state === "lost" && open());

/** @param {object} message */
function send(message) {
  socket?.send(JSON.stringify(message));
}

/** @param {Protocol.page} message @returns {Promise<Heard>} */
function ask(message) {
  return new Promise((resolve, reject) => {
    const id = ++count;
    const timer = setTimeout(() => {
      asked.delete(id);
      reject(new ServerError({ code: "no-answer", message: t("base.no_answer") }));
    }, PATIENCE);
    asked.set(id, [resolve, reject, timer]);
    send({ ...message, id });
  });
}

/** @param {Heard} message */
function receive(message) {
  if (("code" in message && message.code === "banned") || ("reason" in message && message.reason === "banned"))
    link.change({ state: "banned" });
  const waiting = asked.get(message.id);
  if (message.id !== undefined && waiting) {
    asked.delete(message.id);
    clearTimeout(waiting[2]);
    if (message.say === "error") waiting[1](new ServerError(message));
    else waiting[0](message);
    return;
  }
  pass(message);
}

/** @param {Heard} message */
function pass(message) {
  if ("table" in message && message.table) made.get(message.table)?.later.push(message);
  for (const listener of listeners.get(message.say) || []) listener(/** @type {never} */ (message));
}

// Say something and wait for the reply; rejects with a ServerError.
/**
 * @template {Protocol.page["say"]} Kind
 * @param {Protocol.page & { say: Kind }} message
 * @returns {Promise<ReplyTo<Kind>>}
 */
export async function say(message) {
  await ready();
  return /** @type {Promise<ReplyTo<Kind>>} */ (ask(message));
}

// Listen to what the server says of itself: `on("step", fn)` -> function that ends it.
/**
 * @template {Heard["say"]} Kind
 * @param {Kind} what
 * @param {(message: Heard & { say: Kind }) => unknown} listener
 */
export function on(what, listener) {
  const all = listeners.get(what) ?? new Set();
  listeners.set(what, all.add(listener));
  return () => all.delete(listener);
}

// Make a table. Whoever makes it has joined it: its page begins with what has come by then.
/** @param {Omit<Protocol.Make, "say">} message */
export async function make(message) {
  const reply = await say({ ...message, say: "make" });
  made.set(reply.table, { reply, later: [] });
  return reply;
}

// The table as a reply to joining it would tell it; null if that cannot be told from what came.
/** @param {{ reply: Protocol.ShowTable, later: Heard[] }} one @returns {Protocol.ShowTable | null} */
function joinedOf({ reply, later }) {
  const steps = later.filter((one) => one.say === "step");
  const { info } = later.findLast((one) => one.say === "info") || reply;
  if (info.state === "waiting" && !steps.length) return { ...reply, info };
  return steps.length === 1 ? { ...reply, ...steps[0], say: "table", story: steps[0].events, info } : null;
}

// Join a table now and after every loss of the connection; later replies come to those who listen to "table".
/** @param {string} table @param {string | null} [seat] */
export async function join(table, seat) {
  /** @type {Protocol.Join} */
  const message = { say: "join", table, ...(seat ? { seat } : {}) };
  const mine = made.get(table);
  made.delete(table);
  const reply = (mine && joinedOf(mine)) || (await say(message));
  joined.set(table, message);
  return reply;
}

/** @param {string} table */
export function leave(table) {
  joined.delete(table);
  if (link.value.state === "open") ask({ say: "leave", table }).catch(() => {});
}

// Watch the open tables: `watch(true)` -> their list; later ones come to those who listen to "lobby".
/** @param {boolean} yes */
export async function watch(yes) {
  watchesLobby = yes;
  if (!yes && link.value.state !== "open") return null;
  return say({ say: "lobby", on: yes });
}

/** @param {string} name */
export async function rename(name) {
  await say({ say: "rename", name });
  link.change({ name });
}

export { prefs };
