// Pointing at the table: a click on the tile in question claims it, a click on the table passes, a long press or a right click
// leads to the offers. Pointing at a tile of the hand: what it is that one would wait for without it.

import { allIn, oneIn, placeOf } from "../../elements.js";
import { html, useEffect, useRef, useState } from "../../html.js";
import { named, t } from "../../text.js";
import { useHelp } from "../../prefs.js";
import { isNews, thenText } from "./help.js";
import { WaitTiles } from "./side.js";

export const LONG = 450; // ms that a press is long
const DWELL = 220; // ms that one points at a tile before help is asked for
const MOST_USEFUL = 8;
const OFFER = ".offers .offer:not(.refused):not(:disabled)";
const CONTROLS = "button, a, input, select, label, .own, .over-felt, .settlement";
/** @type {Record<string, number>} */
const STEPS = { ArrowUp: -1, ArrowLeft: -1, w: -1, a: -1, ArrowDown: 1, ArrowRight: 1, s: 1, d: 1 };

// The first offer has the focus: from there keys go from one to the next.
export function goToOffers() {
  const first = oneIn(document, OFFER);
  first?.focus();
  return Boolean(first);
}

/** @param {Happening} event */
export function moveInOffers(event) {
  const step = STEPS[event.key];
  const all = allIn(event.currentTarget, ".offer:not(.refused):not(:disabled)");
  const at = all.indexOf(/** @type {HTMLElement} */ (document.activeElement));
  if (!step || at < 0) return;
  event.preventDefault();
  all[(at + step + all.length) % all.length].focus();
}

/** @param {Play} play */
export function usePointing(play) {
  const now = useRef(play);
  now.current = play;
  useEffect(() => {
    const box = document.querySelector(".play");
    let timer = 0;
    let held = false; // the click that ends a long press is none
    /** @param {Event} event */
    const down = (event) => {
      held = false;
      if (now.current.claims && placeOf(event)?.closest(".claimable"))
        timer = setTimeout(() => (held = goToOffers()), LONG);
    };
    const up = () => clearTimeout(timer);
    /** @param {Event} event */
    const click = (event) => {
      const target = placeOf(event);
      if (!now.current.claims || held) return;
      if (target?.closest(".tile.claimable")) now.current.take();
      else if (target?.closest(".felt-box") && !target.closest(CONTROLS)) now.current.pass();
    };
    /** @param {Event} event */
    const menu = (event) => {
      if (!now.current.claims || !placeOf(event)?.closest(".claimable")) return;
      event.preventDefault();
      if (!held) goToOffers();
    };
    const listeners = { contextmenu: menu, pointerdown: down, pointerup: up, pointercancel: up, click };
    Object.entries(listeners).forEach(([name, listen]) => box?.addEventListener(name, listen));
    return () => Object.entries(listeners).forEach(([name, listen]) => box?.removeEventListener(name, listen));
  }, []);
}

// --- what one would wait for

// The tile that one has pointed at for a while, or null; `point` is told when that begins and, with null, when it ends.
export function useDwell() {
  const [pointed, set] = useState(/** @type {string | null} */ (null));
  const timer = useRef(0);
  /** @param {string | null} key */
  const point = (key) => {
    clearTimeout(timer.current);
    if (key === null) set(null);
    else timer.current = setTimeout(() => set(key), DWELL);
  };
  useEffect(() => () => clearTimeout(timer.current), []);
  return /** @type {const} */ ([pointed, point]);
}

// In place of what is asked: the waits without a tile of the hand, or how far the hand is then and what helps.
/** @param {{ session: Session, code: string, otherwise: Child }} props */
export function Outlook({ session, code, otherwise }) {
  const { about, info, help, view } = session.now;
  const helps = useHelp(about);
  const allowed = info.setup?.help && helps !== "off" && Boolean(view.question);
  useEffect(() => {
    if (allowed && isNews(help.waits)) session.help("waits");
  }, [allowed, session.now.seq]);
  const found = allowed && help.waits?.found?.discards?.find((one) => one.code === code);
  if (!found) return otherwise;
  const { waits = [] } = found;
  const tiles = waits.length ? waits : (found.tiles || []).slice(0, MOST_USEFUL);
  return html`<span class="outlook" role="status">
    <span>${waits.length ? t("table.would_wait") : thenText(found)}</span>
    ${tiles.length > 0 && html`<${WaitTiles} waits=${tiles} about=${about} unit=${help.waits?.found?.unit} small />`}
    ${waits.length > 0 && waits.every((wait) => wait.reason) && html`<span class="small">${named(waits[0].reason)}</span>`}
  </span>`;
}
