// The frame: the bar at the top, the page that the address names, messages below it. Pages are fetched when needed.

import { placeOf } from "./elements.js";
import { html, render, useEffect, useErrorBoundary, useRef, useState } from "./html.js";
import { language, loadText, t, useLanguages } from "./text.js";
import { applyLanguage, applyLook, prefs, setPrefs } from "./prefs.js";
import { store, useStore } from "./store.js";
import { Button, KeyHelp, Toasts, keyHelp, useKeys, useWide } from "./ui.js";
import { link } from "./net.js";
import { keepFiles, online } from "./offline.js";

/** @typedef {[pattern: string, module: string, style: string, areas: string[], whole?: "whole"]} Row */
/**
 * @typedef {{ pattern: string, module: string, style: string, areas: string[], whole?: "whole",
 *   params: Record<string, string> }} Route
 */

// path, module, style, areas of text; `:name` is a part of the address. The whole screen: no bar, no page's margins.
/** @type {Row[]} */
const ROUTES = [
  ["/", "lobby", "lobby", ["lobby"]],
  ["/t/:code", "table/table", "table", ["table", "events", "questions", "results", "rules"], "whole"],
  ["/learn", "learn", "learn", ["learn", "rules"]],
  ["/rules", "rulebooks", "lobby", ["rules"]],
  ["/rules/:id", "rules", "rules", ["rules"]],
  ["/cards", "cards/cards", "cards", ["cards"]],
  ["/cards/:id", "cards/cards", "cards", ["cards"]],
  ["/workshop", "workshop/workshop", "workshop", ["workshop", "lobby", "report", "rules"]],
  ["/workshop/:id", "workshop/workshop", "workshop", ["workshop", "lobby", "report", "rules"]],
  ["/replays", "replays/replays", "replays", ["replay"]],
  ["/r/:code", "replays/replays", "replays", ["replay"]],
  ["/admin", "admin/admin", "admin", ["admin"]],
];

/** @type {[to: string, text: string, starts: string[]][]} */
const NAV = [
  ["/", "base.play", ["/", "/t/"]],
  ["/learn", "base.learn", ["/learn"]],
  ["/rules", "base.rulebooks", ["/rules"]],
  ["/cards", "base.cards", ["/cards"]],
  ["/workshop", "base.workshop", ["/workshop"]],
  ["/replays", "base.replays", ["/replays", "/r/"]],
];

export const address = store(location.pathname + location.search + location.hash);

/** @param {string} to @param {{ instead?: boolean }} [parts] */
export function go(to, { instead = false } = {}) {
  history[instead ? "replaceState" : "pushState"](null, "", to);
  address.set(location.pathname + location.search + location.hash);
  scrollTo(0, 0);
}

addEventListener("popstate", () => address.set(location.pathname + location.search + location.hash));

addEventListener("click", (event) => {
  const anchor = placeOf(event)?.closest(/** @type {"a"} */ ("a[href]"));
  if (!anchor || event.defaultPrevented || event.button || event.ctrlKey || event.metaKey || event.shiftKey) return;
  if (anchor.target || anchor.hasAttribute("download") || anchor.origin !== location.origin) return;
  if (!match(anchor.pathname) || anchor.getAttribute("href")?.startsWith("#")) return;
  event.preventDefault();
  go(anchor.pathname + anchor.search + anchor.hash);
});

/** @param {string} path @returns {Route | null} */
function match(path) {
  for (const [pattern, module, style, areas, whole] of ROUTES) {
    const params = fits(pattern, path);
    if (params) return { pattern, module, style, areas, whole, params };
  }
  return null;
}

/** @param {string} pattern @param {string} path */
function fits(pattern, path) {
  const wanted = pattern.split("/");
  const given = path.replace(/(.)\/$/, "$1").split("/");
  if (wanted.length !== given.length) return null;
  /** @type {Record<string, string>} */
  const params = {};
  for (const [at, part] of wanted.entries()) {
    if (part.startsWith(":") && given[at]) params[part.slice(1)] = decodeURIComponent(given[at]);
    else if (part !== given[at]) return null;
  }
  return params;
}

// --- styles of pages

/** @type {Map<string, { sheet: HTMLLinkElement, loaded: Promise<unknown> }>} */
const styles = new Map(); // name -> {sheet, loaded}

// A style in use until another page is shown; asked again, it is in use again.
/** @param {string} name */
export function loadStyle(name) {
  let style = styles.get(name);
  if (!style) {
    const sheet = document.createElement("link");
    sheet.rel = "stylesheet";
    sheet.href = new URL(`../css/${name}.css`, import.meta.url).href;
    const loaded = new Promise((resolve) => (sheet.onload = sheet.onerror = resolve));
    document.head.append(sheet);
    style = { sheet, loaded };
    styles.set(name, style);
  }
  style.sheet.media = "all";
  return style.loaded;
}

/** @param {string} name */
function onlyStyle(name) {
  for (const [other, { sheet }] of styles) sheet.media = other === name ? "all" : "not all";
}

// --- the page

/** @param {Route | null} found */
function useModule(found) {
  const [module, set] = useState(/** @type {{ name?: string, Page?: object, error?: unknown }} */ ({}));
  const name = found?.module;
  useEffect(() => {
    if (!found) return;
    let here = true;
    Promise.all([import(`./pages/${name}.js`), loadStyle(found.style), loadText(...found.areas)]).then(
      ([page]) => here && (onlyStyle(found.style), set({ name, Page: page.default })),
      (error) => here && set({ name, error }),
    );
    return () => (here = false);
  }, [name]);
  return module.name === name ? module : {};
}

function Page() {
  const at = useStore(address);
  const path = at.split(/[?#]/)[0];
  const found = match(path);
  const { Page: Shown, error } = useModule(found);
  const [broken, mend] = useErrorBoundary((problem) => console.error(problem));
  useEffect(() => mend(), [path]);
  useEffect(() => void (document.title = "Tilewright"), [path]);
  if (!found) return html`<${Message} title=${t("base.no_page")} text=${t("base.no_page_text")} />`;
  if (error || broken) return html`<${Message} title=${t("base.broken")} text=${t("base.broken_text")} />`;
  return Shown ? html`<${Shown} key=${found.pattern} params=${found.params} />` : null;
}

/** @param {{ title: string, text: string }} props */
function Message({ title, text }) {
  return html`<div class="page stack"><h1>${title}</h1><p>${text}</p>
    <p><${Button} href="/">${t("base.to_lobby")}<//></p></div>`;
}

export function Mark() {
  return html`<svg viewBox="0 0 60 80" aria-hidden="true">
    <rect x="3" y="6" width="54" height="72" rx="10" fill="var(--tile-back-edge)" />
    <rect x="3" y="2" width="54" height="70" rx="10" fill="var(--tile-face)" stroke="var(--tile-line)" stroke-width="2" />
    <circle cx="30" cy="37" r="17" fill="none" stroke="#17654f" stroke-width="6" />
    <circle cx="30" cy="37" r="6" fill="#a52a20" />
  </svg>`;
}

function Bar() {
  const path = useStore(address).split(/[?#]/)[0];
  /** @param {string[]} starts */
  const here = (starts) => starts.some((one) => (one === "/" ? path === "/" : path.startsWith(one)));
  const wide = useWide(840);
  const nav = html`<nav aria-label=${t("base.pages")}>
    ${NAV.map(([to, text, starts]) => html`<a href=${to} aria-current=${here(starts) ? "page" : null}>${t(text)}</a>`)}
  </nav>`;
  return html`<header class="bar">
    <a class="brand" href="/" aria-label="Tilewright"><${Mark} /><span class="word">Tilewright</span></a>
    ${wide && nav}
    <div class="end"><${Settings} />${!wide && html`<${Menu} key=${path}>${nav}<//>`}</div>
  </header>`;
}

// Open until a page is chosen, or something else is done.
/** @param {{ children: Child }} props */
function Menu({ children }) {
  const box = useRef(/** @type {HTMLDetailsElement | null} */ (null));
  useEffect(() => {
    /** @param {Event} event */
    const close = (event) => {
      const away = event.target instanceof Node && !box.current?.contains(event.target);
      if (box.current && (event instanceof KeyboardEvent ? event.key === "Escape" : away)) box.current.open = false;
    };
    for (const kind of ["pointerdown", "keydown"]) addEventListener(kind, close);
    return () => ["pointerdown", "keydown"].forEach((kind) => removeEventListener(kind, close));
  }, []);
  return html`<details class="menu" ref=${box}>
    <summary class="button quiet icon" aria-label=${t("base.menu")} title=${t("base.menu")}>
      <svg viewBox="0 0 24 24" aria-hidden="true"><path d="M4 6h16M4 12h16M4 18h16" stroke="currentColor" stroke-width="2" stroke-linecap="round" /></svg>
    </summary>
    ${children}
  </details>`;
}

/** @type {Prefs["theme"][]} */
const THEMES = ["auto", "light", "dark"];

// Language and theme; the rest is set beside the table.
export function Settings() {
  const { theme } = useStore(prefs);
  const now = useStore(language);
  const next = THEMES[(THEMES.indexOf(theme) + 1) % THEMES.length];
  return html`
    <select class="language" aria-label=${t("base.language")} title=${t("base.language")} value=${now} onChange=${(event) => setPrefs({ lang: event.currentTarget.value })}>
      ${useLanguages().map(([code, name]) => html`<option value=${code} lang=${code} selected=${code === now}>${name}</option>`)}
    </select>
    <${Button} quiet icon class="theme" title=${t(`base.theme_${theme}`)} aria-label=${t(`base.theme_${theme}`)}
      onClick=${() => setPrefs({ theme: next })}><${ThemeGlyph} theme=${theme} /><//>
  `;
}

/** @param {{ theme: Prefs["theme"] }} props */
function ThemeGlyph({ theme }) {
  const half = html`<circle cx="12" cy="12" r="8" fill="none" stroke="currentColor" stroke-width="2" /><path d="M12 4a8 8 0 0 1 0 16z" fill="currentColor" />`;
  const sun = html`<circle cx="12" cy="12" r="4.5" fill="currentColor" /><path d="M12 1.5v3M12 19.5v3M1.5 12h3M19.5 12h3M4.6 4.6l2.1 2.1M17.3 17.3l2.1 2.1M4.6 19.4l2.1-2.1M17.3 6.7l2.1-2.1" stroke="currentColor" stroke-width="2" stroke-linecap="round" />`;
  const moon = html`<path d="M20 14.5A8.5 8.5 0 0 1 9.5 4 8.5 8.5 0 1 0 20 14.5z" fill="currentColor" />`;
  return html`<svg viewBox="0 0 24 24" aria-hidden="true">${{ auto: half, light: sun, dark: moon }[theme]}</svg>`;
}

function Lost() {
  const { state } = useStore(link);
  /** @type {Partial<Record<typeof state, string>>} */
  const said = { lost: "base.lost", old: "base.old_version", banned: "base.banned" };
  const text = !useStore(online) ? "base.offline" : said[state];
  if (!text) return null;
  return html`<div class="lost note-box warm" role="status">${t(text)}</div>`;
}

function App() {
  useStore(language);
  const path = useStore(address).split(/[?#]/)[0];
  const whole = match(path)?.whole;
  useKeys(t("base.everywhere"), {
    "?": { label: t("base.keys"), do: () => keyHelp.set(!keyHelp.value) },
    Escape: { label: t("base.close"), do: () => (keyHelp.value ? keyHelp.set(false) : false) },
  });
  return html`
    ${!whole && html`<${Bar} />`}
    <${Lost} />
    <main id="main"><${Page} /></main>
    <${KeyHelp} />
    <${Toasts} />
  `;
}

async function start() {
  applyLook();
  await Promise.all([applyLanguage(), loadText("base")]);
  await loadText("base");
  const root = document.getElementById("app");
  if (!root) return;
  root.textContent = "";
  render(html`<${App} />`, root);
  keepFiles();
}

start();
