// Motion: things travel from where they were to where they are. A copy flies over the page while the thing itself waits
// unseen. What happens next may end a flight at once: `land` ends those whose thing is no longer where they go, or all.
// Only middles, widths and angles are compared. Knows no tile and no table.

/**
 * Where a thing is: its middle, its width before it was turned, and its turn in degrees.
 * @typedef {{ x: number, y: number, w: number, a: number }} Spot
 */
/** @typedef {{ wait?: number, lift?: number, twist?: number, ease?: string, shape?: HTMLElement | null }} How */

import { quiet } from "./prefs.js";

export const EASE = "cubic-bezier(.2, .8, .2, 1)";
/** @type {Map<() => void, () => boolean>} */
const flights = new Map(); // what ends each, with whether it still goes to where its thing is

// Whether nothing is to move: the person or the system says so.
export const calm = quiet;

/** @type {(() => unknown)[] | null} */
let begins = null; // what is still to begin, while everything is measured

// All that `change` lets travel or glide is measured before any of it begins, so that the page is laid out once.
/** @param {() => void} change */
export function together(change) {
  begins = [];
  try {
    change();
  } finally {
    const all = begins ?? [];
    begins = null;
    all.forEach((begin) => begin());
  }
}

/** @param {() => unknown} start */
const begin = (start) => (begins ? begins.push(start) : start());

// Where a thing is: its middle, its width before it was turned, and its turn in degrees.
/** @param {HTMLElement} element */
export function spot(element) {
  const { left, top, width, height } = element.getBoundingClientRect();
  return { x: left + width / 2, y: top + height / 2, w: element.offsetWidth, a: turnOf(element) };
}

// The `data-turn` of a thing and of all around it together.
/** @param {HTMLElement} element */
function turnOf(element) {
  let angle = 0;
  for (
    let at = /** @type {HTMLElement | null | undefined} */ (element.closest("[data-turn]"));
    at;
    at = at.parentElement?.closest("[data-turn]")
  )
    angle += Number(at.dataset.turn);
  return angle;
}

// The thing flies from a spot to where it is, in so many milliseconds after `wait`. `shape`: what flies in its place.
/**
 * @param {HTMLElement | null | undefined} element
 * @param {Spot | null | undefined} from
 * @param {number} ms
 * @param {How} [how]
 */
export function travel(element, from, ms, how = {}) {
  if (calm() || !element || !from) return;
  const to = spot(element);
  begin(() => fly(element, from, to, ms, how));
}

/**
 * @param {HTMLElement} element
 * @param {Spot} from
 * @param {Spot} to
 * @param {number} ms
 * @param {{ wait?: number, lift?: number, twist?: number, ease?: string, shape?: HTMLElement | null }} parts
 */
function fly(element, from, to, ms, { wait = 0, lift = 1.12, twist = 0, ease = EASE, shape = null }) {
  const size = from.w / (to.w || 1);
  const start = nearest(from.a, to.a);
  /** @param {number} x @param {number} y @param {number} angle @param {number} scale */
  const at = (x, y, angle, scale) =>
    `translate(${x}px, ${y}px) rotate(${angle}deg) scale(${scale}) translate(-50%, -50%)`;
  const box = copyOf(element, to.w, shape);
  const flight = box.animate(
    [
      { transform: at(from.x, from.y, start, size) },
      {
        transform: at((from.x + to.x) / 2, (from.y + to.y) / 2, (start + to.a) / 2 + twist, ((size + 1) / 2) * lift),
        offset: 0.5,
      },
      { transform: at(to.x, to.y, to.a, 1) },
    ],
    { duration: ms, delay: wait, easing: ease, fill: "backwards" },
  );
  element.setAttribute("data-in-flight", "");
  const end = () => {
    flights.delete(end);
    begin(() => {
      flight.cancel();
      box.remove();
      element.removeAttribute("data-in-flight");
    });
  };
  flights.set(end, () => element.isConnected && isNear(spot(element), to));
  flight.finished.then(end, () => {});
}

/** @param {Spot} one @param {Spot} other */
const isNear = (one, other) => Math.abs(one.x - other.x) < 1 && Math.abs(one.y - other.y) < 1;

/** @param {HTMLElement} element @param {number} width @param {HTMLElement | null} shape */
function copyOf(element, width, shape) {
  const box = document.createElement("div");
  box.className = "flyer";
  box.style.setProperty("--w", `${width}px`);
  box.setAttribute("aria-hidden", "true");
  const copy = shape || /** @type {HTMLElement} */ (element.cloneNode(true));
  copy.removeAttribute("style");
  box.append(copy);
  document.body.append(box);
  return box;
}

// The angle that is a whole number of turns away, and nearest to the other.
/** @param {number} angle @param {number} to */
function nearest(angle, to) {
  return angle + 360 * Math.round((to - angle) / 360);
}

// A thing glides from where its upper left corner was. Things within something turned are not meant.
/** @param {HTMLElement} element @param {{ left: number, top: number }} parts @param {number} [ms] */
export function glide(element, { left, top }, ms = 160) {
  if (calm() || !element.isConnected) return;
  const now = element.getBoundingClientRect();
  const [x, y] = [left - now.left, top - now.top];
  if (Math.abs(x) < 1 && Math.abs(y) < 1) return;
  begin(() =>
    keep(
      element.animate([{ transform: `translate(${x}px, ${y}px)` }, { transform: "none" }], {
        duration: ms,
        easing: EASE,
      }),
    ),
  );
}

// An animation that ends when all flights do.
/** @param {Animation} animation */
export function keep(animation) {
  const end = () => {
    flights.delete(end);
    animation.cancel();
  };
  flights.set(end, () => false);
  animation.finished.then(end, () => {});
  return animation;
}

// Flights end where they go: all of them, or those whose thing has been moved since.
/** @param {{ all?: boolean }} [one] */
export function land({ all = true } = {}) {
  const over = [...flights].filter(([, holds]) => all || !holds());
  over.forEach(([end]) => end());
}
