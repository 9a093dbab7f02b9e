// Tiles: faces come as one sprite for each set of rules (symbols `t-CODE`, `t-back`), fetched once and put into the page;
// <${Tile} code about state=... /> shows one, <${Tiles} codes about /> several. Without a sprite the code is shown.

import { html, memo, useEffect } from "./html.js";
import { key } from "./net.js";
import { language, named, pageLanguage, t } from "./text.js";
import { prefs } from "./prefs.js";
import { store, useStore } from "./store.js";

/** @type {Store<Record<string, string | null>>} */
const sprites = store({}); // "digest.set" -> prefix of its symbols; null while it is on its way
/** @type {string | null} */
let current = null; // the digest whose tiles are shown where nobody says which

// The faces of a set of rules (of a `table`, where they are known by it alone), fetched once; tiles without `about` show these from now on.
/** @param {Faces | null | undefined} about @param {string} [table] */
export function useFaces(about, table) {
  const digest = about?.digest;
  const set = useStore(prefs).tiles;
  useEffect(() => void (digest && loadFaces(digest, set, table)), [digest, set]);
  if (digest) current = digest;
}

/** @param {string} digest @param {string} [set] @param {string} [table] */
export async function loadFaces(digest, set = prefs.value.tiles, table = "") {
  const name = `${digest}.${set}`;
  if (name in sprites.value) return;
  sprites.change({ [name]: null });
  /** @type {Record<string, string>} */
  const headers = key() ? { Authorization: `Bearer ${key()}` } : {};
  const answer = await fetch(
    `/api/faces/${encodeURIComponent(digest)}.svg?set=${set}${table ? `&table=${table}` : ""}`,
    { headers },
  ).catch(() => null);
  if (!answer?.ok) {
    const { [name]: _, ...rest } = sprites.value;
    sprites.set(rest);
    return;
  }
  putFaces(digest, set, await answer.text());
}

let counted = 0;

// The faces of tiles whose `about` has this digest, from a sprite.
/** @param {string} digest @param {string} set @param {string} text */
export function putFaces(digest, set, text) {
  const read = new DOMParser().parseFromString(text, "image/svg+xml");
  const svg = read.documentElement;
  if (svg.nodeName !== "svg") return;
  const prefix = `f${++counted}-`; // two sets of rules may have tiles of one code
  renumber(svg, prefix);
  document.getElementById("sprites")?.append(document.importNode(svg, true));
  sprites.change({ [`${digest}.${set}`]: prefix });
}

/** @param {Element} svg @param {string} prefix */
function renumber(svg, prefix) {
  const ids = new Set();
  for (const one of svg.querySelectorAll("[id]")) {
    ids.add(one.id);
    one.id = prefix + one.id;
  }
  for (const use of svg.querySelectorAll("use")) {
    const to = (use.getAttribute("href") || use.getAttribute("xlink:href") || "").slice(1);
    if (ids.has(to)) use.setAttribute("href", `#${prefix}${to}`);
  }
}

// A code as part of an id, as the server writes it.
/** @param {string} code */
export function codeId(code) {
  return [...new TextEncoder().encode(code)]
    .map((byte) => {
      const sign = String.fromCharCode(byte);
      return /[A-Za-z0-9-]/.test(sign) ? sign : `_${byte.toString(16).padStart(2, "0")}`;
    })
    .join("");
}

/** @param {Faces | null | undefined} about @param {Code} code */
export function tileOf(about, code) {
  if (!about?.tiles) return null;
  about.byCode ??= new Map(about.tiles.map((tile) => [tile.code, tile]));
  return about.byCode.get(code) || null;
}

/** @param {Faces | null | undefined} about @param {Seen | undefined} code */
export function tileName(about, code) {
  if (!code) return t("base.hidden_tile");
  const tile = tileOf(about, code);
  return tile ? named(tile.name, code) : code;
}

// `state`: words of stand, dora, claimable, new, win, lit, dim, just-drawn. `stands`: the code that it stands for; `order`: what is higher is
// painted above. `code` null: its back.
/**
 * @typedef {{ code: Seen, about?: Faces | null, state?: string, stands?: Code | null, title?: string | null,
 *   size?: string,
 *   order?: number | null, class?: string, silent?: boolean }} TileProps
 */
export const Tile = memo(function Tile(
  /** @type {TileProps} */ { code, about, state = "", stands, title, size, order, class: more = "", silent = false },
) {
  const known = useStore(sprites);
  const set = useStore(prefs).tiles;
  useStore(language);
  const prefix = known[`${about?.digest || current}.${set}`];
  const name = stands
    ? t("base.stands_for", { tile: tileName(about, code), other: tileName(about, stands) })
    : tileName(about, code);
  /** @param {string} one */
  const face = (one) =>
    prefix
      ? html`<svg viewBox="0 -2.4 60 79.2" aria-hidden="true"><use href=${`#${prefix}t-${codeId(one)}`} width="60" height="80" /></svg>`
      : html`<span class="unknown" aria-hidden="true">${one}</span>`;
  const spoken = silent ? { "aria-hidden": "true" } : { role: "img", "aria-label": name };
  const style = [size && `--w:${size}`, order !== undefined && order !== null && `z-index:${order}`]
    .filter(Boolean)
    .join(";");
  return html`<span class=${`tile ${code ? "" : "back"} ${state} ${more}`} style=${style || null}
    title=${title ?? (code ? name : null)} data-code=${code || null} ...${spoken}>
    <i></i>${code && face(code)}${stands && html`<span class="stands">${face(stands)}</span>`}
  </span>`;
});

const ASIDE = "translate(1.8px, 6.6px) scale(0.94)"; // what a tile shows, where the corner is the index's

// What a person wishes of the corner index; who has not said so and reads English is shown numerals.
/** @param {string | null} index */
export const indexWish = (index) => index ?? (pageLanguage() === "en" ? "on" : "auto");

// The corner index: on where the ruleset has a card to be read with it, or as the person wishes.
/** @param {Faces | null | undefined} about @param {string | null} wish */
export function indexStyle(about, wish) {
  const index = indexWish(wish);
  const shown = index === "on" || (index === "auto" && (about?.cards?.length ?? 0) > 0);
  return { "--tile-index": shown ? "inline" : "none", "--tile-aside": shown ? ASIDE : "none" };
}

// Several tiles in a row; "|" between codes sets them apart.
/** @param {{ codes: Code[], about: Faces, size: string, state: string, lit: number[] }} props */
export function Tiles({ codes, about, size, state, lit }) {
  return html`<span class="tiles">
    ${codes.map((code, at) =>
      code === "|"
        ? html`<span class="apart"></span>`
        : html`<${Tile} code=${code} about=${about} size=${size} state=${`${state || ""} ${lit?.includes(at) ? "lit" : ""}`} />`,
    )}
  </span>`;
}
