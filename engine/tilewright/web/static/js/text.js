// The message catalogue: `t("lobby.start", {name})` in the language of the page; `named(names)` for names that a ruleset
// brings. Messages are in messages/LANGUAGE/AREA.json, the area being what stands before the dot; `loadText("cards")`
// fetches one. In a message `{name}` is filled in, `{count|one tile|many tiles}` is chosen by the number, and what stands
// in square brackets is left out where one of its blanks is empty (presentation/catalogue.py does the same). A reader may
// choose another language that rulesets have: what the page itself says is then in English.

import { store, useStore } from "./store.js";

/** @type {Record<string, string>} */
export const LANGUAGES = { en: "English", zh: "中文", ja: "日本語" };
/** @type {Record<string, string>} */
const TAGS = { zh: "zh-Hant" }; // of languages whose code alone does not say how they are written
const FALLBACK = "en";
const TAG = /^[a-z]{2,3}([-_][A-Za-z0-9]{1,8})*$/;

/** @type {Record<string, Record<string, Record<string, string>>>} */
const catalogues = {}; // language -> area -> key -> text
const wanted = new Set(["base"]);
export const language = store(FALLBACK); // of texts of rulesets
/** @type {Store<string[]>} */
const offered = store([]); // further languages of rulesets

// The language of the page itself.
export const pageLanguage = (code = language.value) => {
  const plain = code.split(/[-_]/)[0];
  return plain in LANGUAGES ? plain : FALLBACK;
};

// A ruleset has a name in these languages: readers may choose them.
/** @param {Names | null | undefined} names */
export function offerLanguages(names) {
  const more = Object.keys(names ?? {}).filter((one) => !(one in LANGUAGES) && !offered.value.includes(one));
  if (more.length) offered.set([...offered.value, ...more].sort());
}

// Every language that may be chosen, with its own name.
export function useLanguages() {
  const now = useStore(language);
  const more = useStore(offered);
  const known = now in LANGUAGES || more.includes(now) ? more : [...more, now];
  return [...Object.entries(LANGUAGES), ...known.map((one) => [one, nameOf(one)])];
}

/** @param {string} code */
function nameOf(code) {
  try {
    return new Intl.DisplayNames([code], { type: "language" }).of(code) ?? code;
  } catch {
    return code; // no tag of a language
  }
}

export function firstLanguage() {
  const known = (navigator.languages || []).map((one) => one.slice(0, 2).toLowerCase());
  return known.find((one) => one in LANGUAGES) || FALLBACK;
}

/** @param {string} code @param {string} area */
async function fetchArea(code, area) {
  catalogues[code] ??= {};
  if (catalogues[code][area]) return;
  const answer = await fetch(new URL(`../messages/${code}/${area}.json`, import.meta.url));
  catalogues[code][area] = answer.ok ? await answer.json() : {};
}

/** @param {string} code @param {Iterable<string>} areas */
const fetchAll = (code, areas) => Promise.all([...areas].map((area) => fetchArea(code, area)));

/** @param {...string} areas */
export async function loadText(...areas) {
  areas.forEach((area) => wanted.add(area));
  let code;
  do {
    code = pageLanguage();
    await fetchAll(code, areas);
  } while (code !== pageLanguage()); // changed meanwhile
}

/** @param {string} code */
export async function setLanguage(code) {
  const own = pageLanguage(code);
  let known;
  do {
    known = wanted.size;
    await fetchAll(own, wanted);
  } while (known < wanted.size); // more was asked for meanwhile
  document.documentElement.lang = TAGS[own] || own;
  language.set(TAG.test(code) ? code : FALLBACK);
}

/** @param {string} key */
const message = (key) => catalogues[pageLanguage()]?.[key.split(".")[0]]?.[key];

/** @param {string} key @param {Record<string, unknown>} [args] */
export function t(key, args = {}) {
  return pieces(key, args).join("");
}

/** @param {string} key */
export function has(key) {
  return message(key) !== undefined;
}

const OPTIONAL = /\[([^\]]*)\]/;
const BLANK = /\{(\w+)(?:\|([^|}]*)\|([^}]*))?\}/;

// The words of a message and what fills its blanks, in order.
/** @param {string} key @param {Record<string, unknown>} [args] */
export function pieces(key, args = {}) {
  return (message(key) ?? key).split(OPTIONAL).flatMap((section, at) => {
    const [first, ...rest] = section.split(BLANK);
    const blanks = Array.from({ length: rest.length / 4 }, (_, blank) => rest.slice(4 * blank, 4 * blank + 4));
    if (at % 2 && blanks.some(([name]) => args[name] === undefined || args[name] === null || args[name] === ""))
      return [];
    const filled = blanks.flatMap(([name, one, many, words]) => [
      one === undefined ? (args[name] ?? `{${name}}`) : Number(args[name]) === 1 ? one : many,
      words,
    ]);
    return [first, ...filled].filter((piece) => piece !== "");
  });
}

// Names by language as rulesets give them; a text is itself; without any, `fallback` (an id) with spaces.
/** @param {Words} names @param {string} [fallback] */
export function named(names, fallback = "") {
  if (typeof names === "string") return names;
  const found = names && (names[language.value] || names[pageLanguage()] || names[FALLBACK] || Object.values(names)[0]);
  return found || plain(fallback);
}

// The word behind a number of a measure, in the form for that number: `point|points`.
/**
 * @param {{ units?: Record<string, Names>, measures?: Record<string, Names> }} about
 * @param {string} measure
 * @param {number} number
 */
export function unitOf(about, measure, number) {
  const [one, many = one] = named(about.units?.[measure] || about.measures?.[measure], measure).split("|");
  return Number(number) === 1 ? one : many;
}

/** @param {string | number | null | undefined} id */
export function plain(id) {
  return String(id ?? "").replaceAll("_", " ");
}

const locale = () => TAGS[pageLanguage()] || pageLanguage();

// The language that `named` shows, where it is not that of the page: for readers aloud.
/** @param {Words} names */
export function langOf(names) {
  if (!names || typeof names === "string") return null;
  const shown = [language.value, pageLanguage(), FALLBACK].find((one) => one in names) ?? Object.keys(names)[0] ?? null;
  return shown === pageLanguage() ? null : shown;
}

// Names side by side, without empty ones.
/** @param {unknown[]} items */
export function listed(items) {
  return items.filter(Boolean).join(t("base.comma"));
}

// A date and time, from seconds; the time alone.
/** @param {number} seconds */
export function moment(seconds) {
  return new Date(seconds * 1000).toLocaleString(locale(), { dateStyle: "medium", timeStyle: "short" });
}

/** @param {number} time */
export function clockTime(time) {
  return new Date(time).toLocaleTimeString(locale(), { timeStyle: "short" });
}

const formats = new Map(); // by locale

function format() {
  const code = locale();
  if (!formats.has(code)) formats.set(code, new Intl.NumberFormat(code, { maximumFractionDigits: 4 }));
  return formats.get(code);
}

/** @param {unknown} value */
export function number(value) {
  if (typeof value !== "number") return String(value ?? "");
  const shown = format().format(Math.abs(value));
  return value < 0 ? `−${shown}` : shown;
}

/** @param {number} value */
export function signed(value) {
  return value > 0 ? `+${number(value)}` : number(value);
}
