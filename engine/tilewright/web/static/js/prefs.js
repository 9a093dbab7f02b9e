// What a person likes: language, theme, sound, help, tile set ... kept in the browser and, when known, on the server.

import { firstLanguage, setLanguage } from "./text.js";
import { store, useStore } from "./store.js";

const KEPT = "tilewright.prefs";
/** @type {Prefs} */
const DEFAULTS = {
  lang: null, // null: what the browser says
  theme: "auto", // auto, dark, light
  sound: 0.4, // 0 to 1
  help: null, // on, demand, off; null: as the ruleset says
  tiles: "plain", // plain, modern, four, contrast
  index: null, // corner indices: auto (as the ruleset needs), on, off; null: as the language needs
  motion: "auto", // auto, off
  cloth: "green", // green, blue, red
  confirm: false, // a tile is discarded by a second click
  panel: null, // the side panel is open; null: where there is room for it
  tab: "help",
  cardPanel: true, // the same where there is a card to be read
  cardTab: "card",
  last: null, // the ruleset that was played last
  buttons: {}, // ruleset -> ids of the buttons that are on
};

/** @type {Store<Prefs>} */
export const prefs = store({ ...DEFAULTS, ...read() });
/** @type {((prefs: Prefs) => unknown) | null} */
let send = null; // sends to the server; set by net.js
let waiting = 0;

/** @returns {Partial<Prefs>} */
function read() {
  try {
    return JSON.parse(localStorage.getItem(KEPT) || "{}");
  } catch {
    return {};
  }
}

// When hints are shown: as the player chose; until then always where the ruleset says so, on request elsewhere.
/** @param {{ hints: boolean }} ruleset */
export function useHelp({ hints }) {
  return useStore(prefs).help ?? (hints ? "on" : "demand");
}

/** @param {Partial<Prefs>} part */
export function setPrefs(part) {
  prefs.change(part);
  keep();
  if ("lang" in part) applyLanguage();
  applyLook();
  clearTimeout(waiting);
  waiting = setTimeout(() => send?.(prefs.value), 1500);
}

function keep() {
  try {
    localStorage.setItem(KEPT, JSON.stringify(prefs.value));
  } catch {
    // a browser that keeps nothing: the page works, and forgets
  }
}

// Settings of the server fill in those missing in this browser.
/** @param {Partial<Prefs>} settings */
export function fromServer(settings) {
  const kept = read();
  const news = Object.fromEntries(Object.entries(settings || {}).filter(([key]) => key in DEFAULTS && !(key in kept)));
  if (Object.keys(news).length) {
    prefs.change(news);
    keep();
    applyLook();
    if (news.lang) applyLanguage();
  }
}

/** @param {(prefs: Prefs) => unknown} how */
export function tellServer(how) {
  send = how;
}

export function applyLanguage() {
  return setLanguage(prefs.value.lang || firstLanguage());
}

export function applyLook() {
  const root = document.documentElement;
  const { theme, motion, cloth } = prefs.value;
  root.setAttribute("data-cloth", cloth);
  theme === "auto" ? root.removeAttribute("data-theme") : root.setAttribute("data-theme", theme);
  motion === "off" ? root.setAttribute("data-motion", "off") : root.removeAttribute("data-motion");
}

const reduced = matchMedia("(prefers-reduced-motion: reduce)");

export function quiet() {
  return prefs.value.motion === "off" || reduced.matches;
}
