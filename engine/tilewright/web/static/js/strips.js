// What tells somebody whether to try a ruleset: a strip of its tiles, a line, its level, its length, its players.

import { html } from "./html.js";
import { named, t } from "./text.js";
import { api } from "./net.js";
import { prefs } from "./prefs.js";
import { useStore } from "./store.js";
import { Tile, putFaces } from "./tiles.js";
import { useLoaded } from "./ui.js";

const DIGEST = "strips"; // of no rules: tiles of all of them

// {digest, strips: {ruleset: [code, ...]}}, to be used as `about`; null until they are there.
export function useStrips() {
  const set = useStore(prefs).tiles;
  return useLoaded(set, () => fetchStrips(set)).value;
}

/** @typedef {{ digest: string, strips: Record<string, Code[]> }} Strips */
/** @type {Map<string, Promise<Strips>>} */
const known = new Map(); // style -> promise
/** @param {string} set @returns {Promise<Strips> | undefined} */
function fetchStrips(set) {
  if (!known.has(set)) {
    const asked = api("GET", `/api/strips?set=${set}`).then(
      (/** @type {{ sprite: string, strips: Record<string, Code[]> }} */ { sprite, ...rest }) => {
        putFaces(DIGEST, set, sprite);
        return { digest: DIGEST, ...rest };
      },
    );
    asked.catch(() => known.delete(set));
    known.set(set, asked);
  }
  return known.get(set);
}

/** @param {{ codes: Code[] | undefined, about: Faces | null }} props */
export function Strip({ codes, about }) {
  return html`<div class="shelf" aria-hidden="true">${codes?.map((code, at) => html`<${Tile} key=${at} code=${code} about=${about} title="" silent />`)}</div>`;
}

// `levels`: whether it says how easy the ruleset is.
/** @param {{ ruleset: Outline, levels?: boolean }} props */
export function Profile({ ruleset, levels = true }) {
  const { level, minutes, in_short: line } = ruleset.profile;
  const [least, most] = ruleset.seats || [4, 4];
  return html`<p class="soft line">${named(line)}</p>
    <ul class="profile">
      ${levels && level && html`<li class=${`badge ${level === "beginner" ? "accent" : ""}`}>${t(`base.level_${level}`)}</li>`}
      ${minutes && html`<li class="badge">${t("base.minutes", { count: minutes })}</li>`}
      <li class="badge">${least === most ? t("base.seats", { count: most }) : t("base.seats_range", { least, most })}</li>
    </ul>`;
}
