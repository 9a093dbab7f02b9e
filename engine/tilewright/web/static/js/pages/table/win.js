// A win in the middle of the felt: the hand flies in from where it stood, its patterns light their tiles, the sum runs up.

import { allIn, oneIn } from "../../elements.js";
import { html, useLayoutEffect, useRef } from "../../html.js";
import { named, number, unitOf } from "../../text.js";
import { spot, together, travel } from "../../motion.js";
import { Line } from "./line.js";
import { COUNT, OPEN } from "./reveal.js";
import { useRunning } from "./running.js";
import { ShownHand, formOf, lineName, worthText } from "./shown-hand.js";

const EACH = 6; // ms later, from tile to tile
const FEW = 5; // lines that stand below each other

/** @param {{ session: Session, reveal: Beat }} props */
export function WinPanel({ session, reveal }) {
  const { about, view } = session.now;
  const { win, up, counted, scores } = reveal;
  const panel = useRef(/** @type {HTMLElement | null} */ (null));
  const sum = useRef(/** @type {HTMLElement | null} */ (null));
  const shown = useRunning(counted ? (win.total ?? 0) : 0, COUNT);
  useLayoutEffect(() => (panel.current ? flyIn(panel.current, win, view) : undefined), [win]);
  useLayoutEffect(() => {
    const board = panel.current?.closest(".board");
    if (!scores.gains || !board || !sum.current) return;
    for (const gain of allIn(board, ".gained.up")) travel(gain, { ...spot(sum.current), a: 0 }, OPEN);
  }, [Boolean(scores.gains)]);
  const { lines } = win;
  const now = up && !counted ? lines[up - 1] : null;
  const tiles = win.hand.length + win.melds.reduce((count, meld) => count + meld.tiles.length + 1, 0);
  return html`<div class=${`win-panel ${lines.length > FEW ? "many" : ""} ${scores.gains ? "paid" : ""}`} ref=${panel} style=${`--tiles:${tiles + (win.groups?.length || 1) * 0.3}`} aria-hidden="true">
    <h2><${Line} line=${win.told} people=${session} about=${about} /></h2>
    <${ShownHand} session=${session} hand=${{ ...win, bonus: [] }} view=${view} lit=${now?.tiles?.length ? now : null} won />
    <ul>${lines.map((line, at) => html`<li key=${line.id} class=${at < up ? "up" : ""}><span>${lineName(about, line)}</span><b class="number">${worthText(about, line)}</b></li>`)}</ul>
    <p class=${`sum ${counted ? "up" : ""}`}><span>${[formOf(about, win), win.score?.line, named(win.score?.called)].filter(Boolean).join(" · ")}</span><b class="number" ref=${sum}>${number(shown)}<small> ${unitOf(about, win.unit ?? "", win.total ?? 0)}</small></b></p>
  </div>`;
}

// From the rack or the rim, where nothing stands as long as it lies here; the claimed tile from where it was discarded.
/** @param {HTMLElement} panel @param {ShownWin} win @param {View} view */
function flyIn(panel, win, view) {
  const board = panel.closest(".board");
  const home = board && oneIn(board, win.seat === view.seat ? ".hand-row" : `.seat[data-seat="${win.seat}"] .rim`);
  if (!board || !home) return undefined;
  /** @param {Iterable<HTMLElement>} all */
  const from = (all) =>
    [...all].filter((one) => one.offsetWidth).map((one) => ({ code: one.dataset.code, spot: spot(one) }));
  const stood = from(allIn(home, ".hand-tile > .tile, .other-hand > *, .meld .tile"));
  const discarded = from(allIn(board, `.pond[data-of="${win.discarder}"] .tile, .pile .tile.new`))
    .filter(({ code }) => code === win.tile)
    .at(-1);
  home.setAttribute("data-away", "");
  together(() => {
    allIn(panel, ".shown-hand .tile").forEach((tile, at) => {
      const found = stood.findIndex(({ code }) => code === tile.dataset.code);
      const [own] = found < 0 ? [] : stood.splice(found, 1);
      travel(tile, own?.spot || discarded?.spot || stood.shift()?.spot, OPEN - EACH * 14, { wait: at * EACH });
    });
  });
  return () => home.removeAttribute("data-away");
}
