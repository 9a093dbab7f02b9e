// Small parts that every page is made of: Button, Tick, Field, Panel, Tabs, Problems, toasts, spoken lines, keys, time.

import { allIn, placeOf } from "./elements.js";
import { html, useEffect, useRef, useState } from "./html.js";
import { named, t } from "./text.js";
import { store, useStore } from "./store.js";

// --- buttons and fields

/**
 * @param {{ main?: boolean, quiet?: boolean, bad?: boolean, icon?: boolean, pressed?: boolean, children?: Child,
 *   class?: string, type?: string, href?: string } & Record<string, unknown>} props
 */
export function Button({
  main,
  quiet,
  bad,
  icon,
  pressed,
  children,
  class: more = "",
  type = "button",
  href,
  ...rest
}) {
  const name = ["button", main && "main", quiet && "quiet", bad && "bad", icon && "icon", more]
    .filter(Boolean)
    .join(" ");
  if (href) return html`<a class=${name} href=${href} ...${rest}>${children}</a>`;
  const state = pressed === undefined ? {} : { "aria-pressed": String(pressed) };
  return html`<button type=${type} class=${name} ...${state} ...${rest}>${children}</button>`;
}

/**
 * @param {{ label: Child, checked: boolean, onChange: (yes: boolean) => void, disabled?: boolean, note?: Child,
 *   kind?: string, name?: string }} props
 */
export function Tick({ label, checked, onChange, disabled, note, kind = "checkbox", name }) {
  return html`<label class="tick">
    <input type=${kind} name=${name} checked=${checked} disabled=${disabled} onChange=${(event) => onChange(event.currentTarget.checked)} />
    <span>${label}${note && html` <span class="soft small">${note}</span>`}</span>
  </label>`;
}

// A label over one field; `children` is the field, described by the text `wrong`.
/** @param {{ label: Child, note?: Child, wrong?: Child, children: Child }} props */
export function Field({ label, note, wrong, children }) {
  return html`<label class="field">
    <span class="label">${label}</span>
    ${children}
    ${note && html`<span class="note">${note}</span>`}
    ${wrong && html`<span class="wrong" role="alert">${wrong}</span>`}
  </label>`;
}

/**
 * @param {{ label: string, value: string, options: [string, string][], onChange: (value: string) => void,
 *   note?: Child, disabled?: boolean }} props
 */
export function Choice({ label, value, options, onChange, note, disabled }) {
  return html`<${Field} label=${label} note=${note}>
    <select value=${value} disabled=${disabled} onChange=${(event) => onChange(event.currentTarget.value)}>
      ${options.map(([id, text]) => html`<option value=${id} selected=${id === value}>${text}</option>`)}
    </select>
  <//>`;
}

/** @param {{ title?: Child, end?: Child, children: Child, class?: string } & Record<string, unknown>} props */
export function Panel({ title, end, children, class: more = "", ...rest }) {
  return html`<section class=${`panel ${more}`} ...${rest}>
    ${title && html`<header><h2>${title}</h2>${end && html`<div class="end row">${end}</div>`}</header>`}
    ${children}
  </section>`;
}

// A part that is folded under its title and what it says now.
/** @param {{ title: Child, told?: Child, open?: boolean, children: Child }} props */
export function Fold({ title, told, open = false, children }) {
  return html`<details class="fold" open=${open}>
    <summary><h2>${title}</h2>${told && html`<span class="told soft">${told}</span>`}</summary>
    <div class="inside">${children}</div>
  </details>`;
}

// `tabs`: [[id, label], ...]; arrows go from one to the next.
/** @param {{ tabs: [string, string][], value: string, onChange: (value: string) => void, label: string }} props */
export function Tabs({ tabs, value, onChange, label }) {
  /** @param {Happening} event */
  const go = (event) => {
    const step = event.key === "ArrowLeft" ? -1 : event.key === "ArrowRight" ? 1 : 0;
    if (!step) return;
    event.preventDefault();
    event.stopPropagation();
    const at = tabs.findIndex(([id]) => id === value);
    const next = (at + step + tabs.length) % tabs.length;
    onChange(tabs[next][0]);
    allIn(event.currentTarget, "[role=tab]")[next].focus();
  };
  return html`<div class="tabs fades" role="tablist" aria-label=${label} onKeyDown=${go}>
    ${tabs.map(
      ([id, text]) => html`<button type="button" role="tab" aria-selected=${String(id === value)}
        tabindex=${id === value ? 0 : -1} onClick=${() => onChange(id)}>${text}</button>`,
    )}
  </div>`;
}

// Problems from the server: code, message, place, hint.
/** @param {{ problems?: Problem[] | null, onGo?: (problem: Problem) => void }} props */
export function Problems({ problems, onGo }) {
  if (!problems?.length) return null;
  return html`<ul class="problems stack">
    ${problems.map(
      (one) => html`<li class="note-box bad">
        <div>${named(one.message)}</div>
        <div class="small soft">
          <code>${one.code}</code>${" "}
          ${
            one.line &&
            (onGo
              ? html`<${Button} quiet onClick=${() => onGo(one)}>${one.line}:${one.column ?? 1}<//>`
              : html`<span class="number">${one.line}:${one.column ?? 1}</span>`)
          }
        </div>
        ${one.hint && html`<div class="small">${named(one.hint)}</div>`}
      </li>`,
    )}
  </ul>`;
}

// --- short messages and what is spoken

/** @type {Store<{ id: number, text: string, bad: boolean }[]>} */
const toasts = store([]);
let next = 0;

// The same again is the same one for longer.
/** @param {string} text @param {{ bad?: boolean, seconds?: number }} [parts] */
export function toast(text, { bad = false, seconds = 5 } = {}) {
  const id = ++next;
  toasts.set([...toasts.value.filter((one) => one.text !== text).slice(-2), { id, text, bad }]);
  announce(text);
  setTimeout(() => toasts.set(toasts.value.filter((one) => one.id !== id)), seconds * 1000);
}

const LATE = "not-your-turn"; // nobody's mistake

// An error of the server as a short message.
/** @param {unknown} failed */
export function complain(failed) {
  const error = /** @type {Failure} */ (failed);
  const hint = error.hint ? ` ${named(error.hint)}` : "";
  const late = error.code === LATE;
  toast(`${error.names ? named(error.names) || error.message : error.message}${hint}`, {
    bad: !late,
    seconds: late ? 3 : 8,
  });
}

export function Toasts() {
  return html`<div class="toasts">
    ${useStore(toasts).map((one) => html`<div key=${one.id} class=${`toast ${one.bad ? "bad" : ""}`}>${one.text}</div>`)}
  </div>`;
}

/** @type {string[]} */
let lines = [];
let speaking = 0;

// Announce a line to screen readers; simultaneous lines are announced together.
/** @param {string} text */
export function announce(text) {
  if (!text) return;
  lines.push(text);
  clearTimeout(speaking);
  speaking = setTimeout(() => {
    const region = document.getElementById("live");
    if (region) region.textContent = lines.slice(-6).join(" ");
    lines = [];
  }, 120);
}

// --- keys

/** @type {{ area: string, keys: Keys }[]} */
const maps = []; // {area, keys: {key: {label, do, hidden}}}: the last one that knows a key takes it
export const keyHelp = store(false);

// Keys of a page or a part, as long as it is shown: {"a": {label, do(event)}, "ArrowLeft": ...}. A `do` that returns
// false leaves the key to others. Fields in which one types keep their keys.
/** @param {string} area @param {Keys} keys */
export function useKeys(area, keys) {
  const mine = useRef({ area, keys });
  mine.current.keys = keys;
  mine.current.area = area;
  useEffect(() => {
    maps.push(mine.current);
    return () => maps.splice(maps.indexOf(mine.current), 1);
  }, []);
}

export function keysNow() {
  const taken = new Set();
  return [...maps].reverse().flatMap(({ area, keys }) => {
    const shown = Object.entries(keys).filter(([key, one]) => one?.label && !taken.has(key));
    shown.forEach(([key]) => taken.add(key));
    return shown.length ? [{ area, keys: shown.map(([key, one]) => ({ key, label: one?.label })) }] : [];
  });
}

const TYPES = new Set(["TEXTAREA", "SELECT"]);
/** @param {EventTarget | null} target */
function typesIn(target) {
  if (!(target instanceof HTMLElement)) return false;
  if (target.isContentEditable || TYPES.has(target.tagName)) return true;
  return target instanceof HTMLInputElement && !["checkbox", "radio", "button", "range"].includes(target.type);
}

addEventListener("keydown", (event) => {
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || typesIn(event.target)) return;
  const at = placeOf(event);
  if (["Enter", " "].includes(event.key) && at?.closest("button, a, summary, input, [role=tab]")) {
    if (!at.closest("[data-keys]")) return;
  }
  const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
  for (const { keys } of [...maps].reverse()) {
    const one = keys[event.key] || keys[key];
    if (one && one.do(event) !== false) {
      event.preventDefault();
      return;
    }
  }
});

/** @type {Record<string, string>} */
const KEY_NAMES = { ArrowLeft: "←", ArrowRight: "→", ArrowUp: "↑", ArrowDown: "↓", Escape: "Esc" };
/** @param {string} key */
export function keyName(key) {
  if (key === " ") return t("base.key_space");
  return KEY_NAMES[key] || (key.length === 1 ? key.toUpperCase() : key);
}

export function KeyHelp() {
  const open = useStore(keyHelp);
  const close = () => keyHelp.set(false);
  if (!open) return null;
  return html`<${Panel} class="key-help" title=${t("base.keys")} role="region" aria-label=${t("base.keys")}
    end=${html`<${Button} quiet onClick=${close}>${t("base.close")}<//>`}>
    <div class="key-groups">
      ${keysNow().map(
        ({ area, keys }) => html`<div>
          <h3>${area}</h3>
          <dl>
            ${keys.map(({ key, label }) => html`<div class="row"><dt><kbd>${keyName(key)}</kbd></dt><dd>${label}</dd></div>`)}
          </dl>
        </div>`,
      )}
    </div>
  <//>`;
}

// --- waiting

/** @param {{ text?: string | null }} props */
export function Waiting({ text }) {
  return html`<p class="soft waiting" role="status">${text || t("base.loading")}</p>`;
}

// A part whose module is fetched when it is first shown: `later(() => import("./result.js"), "ResultPanel")`; until then
// `Instead` is there, if any. `.fetch()` fetches it ahead.
/** @param {() => Promise<Record<string, unknown>>} load @param {string} name @param {object | null} [Instead] */
export function later(load, name, Instead = null) {
  /** @type {Record<string, unknown> | null} */
  let module = null;
  /** @type {Promise<unknown> | null} */
  let asked = null;
  const fetch = () =>
    (asked ??= load().then(
      (found) => (module = found),
      (error) => ((asked = null), complain(error)),
    ));
  /** @param {Record<string, unknown>} props */
  function Part(props) {
    const [, drawAgain] = useState(0);
    useEffect(() => void (module || fetch().then(() => drawAgain(1))), []);
    return module ? html`<${/** @type {object} */ (module[name])} ...${props} />` : Instead && html`<${Instead} />`;
  }
  Part.fetch = fetch;
  return Part;
}

// What a promise brings: {value, error, again}; asked again when `what` changes.
/**
 * @template T
 * @param {unknown} what
 * @param {() => Promise<T> | T} load
 */
export function useLoaded(what, load) {
  const [state, set] = useState(
    /** @type {{ value: T | null, error: Failure | null }} */ ({ value: null, error: null }),
  );
  const [round, more] = useState(0);
  useEffect(() => {
    let here = true;
    set((old) => ({ value: old.value, error: null }));
    Promise.resolve()
      .then(load)
      .then(
        (value) => here && set({ value, error: null }),
        (error) => here && set({ value: null, error }),
      );
    return () => (here = false);
  }, [what, round]);
  return { ...state, again: () => more((n) => n + 1) };
}

/** @param {number} [width] */
export function useWide(width = 900) {
  return useMedia(`(min-width: ${width}px)`);
}

/** @param {string} query */
export function useMedia(query) {
  const [is, set] = useState(matchMedia(query).matches);
  useEffect(() => {
    const list = matchMedia(query);
    const told = () => set(list.matches);
    list.addEventListener("change", told);
    return () => list.removeEventListener("change", told);
  }, [query]);
  return is;
}
