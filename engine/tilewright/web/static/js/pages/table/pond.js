// Discards: a pond before each seat, in rows of six, or one pile for everybody in the middle.

import { html } from "../../html.js";
import { named, t } from "../../text.js";
import { prefs } from "../../prefs.js";
import { useStore } from "../../store.js";
import { Tile } from "../../tiles.js";
import { PASS } from "./asking.js";
import { TURNS, seatsIn } from "./places.js";

const ROW = 6;
const ROWS = 3; // the last one goes on
const LAST = 10; // tiles of the last row that have room
const SMALL = { row: 8, rows: 4 }; // of a pond that is fuller than that

// `side`: where the seat is; what lies lower on the screen is painted above.
/** @param {{ session: Session, zone: Zone, seat: string, side: Side }} props */
export function Pond({ session, zone, seat, side }) {
  const { about, view } = session.now;
  const codes = view.zones[zone.id]?.[seat] || [];
  const asked = inQuestion(session, codes, seat);
  const turned = view.sideways?.[zone.id]?.[seat];
  const drawn = drawnIn(view, `${zone.id}@${seat}`);
  const full = codes.length > ROW * (ROWS - 1) + LAST;
  const rows = inRows(codes, full ? SMALL : { row: ROW, rows: ROWS });
  /** @param {number} row @param {number} at */
  const order = (row, at) => (side === "right" ? 60 - at : side === "top" ? 10 - row : at);
  return html`<div class=${`pond discards ${full ? "full" : ""}`} role="group" aria-label=${t("table.discards_of", { zone: named(zone.name, zone.id), who: session.names(seat), count: codes.length })}
    data-zone=${zone.id} data-of=${seat}>
    ${rows.map(
      (row, line) => html`<div class="pond-row" key=${line} style=${`z-index:${order(line, line)}`}>
      ${row.map(
        ({
          code,
          at,
        }) => html`<${Discard} key=${at} code=${code} about=${about} across=${at === turned} order=${order(line, at)}
        state=${`${states(session, at, codes, asked)} ${isValued(view, code) ? "dora" : ""} ${drawn.has(at) ? "just-drawn" : ""}`} />`,
      )}
    </div>`,
    )}
  </div>`;
}

// Which tiles of a place were drawn and discarded at once, by index.
/** @param {View} view @param {string} place */
function drawnIn(view, place) {
  const discards = Object.values(view.discards || {}).flat();
  return new Set(discards.filter((one) => one.just_drawn && one.place === place).map((one) => one.index));
}

/** @param {Seen[]} codes @param {{ row: number, rows: number }} parts */
function inRows(codes, { row, rows }) {
  /** @type {{ code: Seen, at: number }[][]} */
  const found = [];
  codes.forEach((code, at) => {
    const line = Math.min(rows - 1, Math.floor(at / row));
    (found[line] ??= []).push({ code, at });
  });
  return found;
}

/** @param {{ code: Seen, about: About, state: string, across: boolean, order: number }} props */
function Discard({ code, about, state, across, order }) {
  const tile = html`<${Tile} code=${code} about=${about} state=${state} order=${across ? null : order} />`;
  return across ? html`<span class="turned" data-turn="-90" style=${`z-index:${order}`}>${tile}</span>` : tile;
}

/** @param {View} view @param {Seen} code */
export const isValued = (view, code) => Boolean(code && view.worth_more?.includes(code));

// The place of the tile that is in question, if it still lies there: the last one.
/** @param {{ now: Knows }} one @param {Seen[]} codes @param {string} seat */
function inQuestion({ now: { view } }, codes, seat) {
  return view.tile && view.discarder === seat && codes.at(-1) === view.tile ? codes.length - 1 : -1;
}

/** @param {Session} session @param {number} at @param {Seen[]} codes @param {number} asked */
function states(session, at, codes, asked) {
  return [at === asked && mayClaim(session) && "claimable", at === asked && at === codes.length - 1 && "new"]
    .filter(Boolean)
    .join(" ");
}

// Whether the reader can do something with the tile in question; what is seldom done is not done with it.
/** @param {{ now: Knows }} one */
export function mayClaim({ now: { about, view, answered } }) {
  if (!view.question || answered || view.discarder === view.seat) return false;
  return [...view.question.moves, ...view.question.picks].some(
    ({ move }) => move !== PASS && !about.offers[move]?.rare,
  );
}

// --- one pile for everybody

/** @param {{ session: Session, zone: Zone, places: Place[] }} props */
export function Pile({ session, zone, places }) {
  useStore(prefs);
  const { about, view } = session.now;
  const codes = view.zones[zone.id] || [];
  const sorter = about.buttons.find((button) => button.sorts === zone.id);
  const sorts = sorter && session.on.has(sorter.id);
  const cells =
    sorts && zone.stacked
      ? reserved(codes, about, zone.stacked)
      : (sorts ? sorted(codes, about) : codes).map((code) => ({ code, high: 1 }));
  const columns = columnsOf(cells.length);
  const dealer = places.find(({ seat }) => seat === seatsIn(view, about)[0])?.side ?? "me";
  const side = zone.stacked ? dealer : "me";
  const asked = view.tile && view.discarder ? cells.findLastIndex((cell) => cell.code === view.tile && cell.high) : -1;
  return html`<div class=${`pile ${zone.stacked ? "stacked" : ""}`} data-zone=${zone.id} data-side=${side} data-turn=${TURNS[side]} style=${`--columns:${columns};--rows:${Math.ceil(cells.length / columns)}`}
    role="group" aria-label=${t("table.pile", { zone: named(zone.name, zone.id), count: codes.length })}>
    ${cells.map(({ code, high }, at) =>
      high
        ? html`<${Tile} key=${at} code=${code} about=${about} class=${high > 1 ? "high" : ""} order=${orderIn(side, at, columns)}
      state=${`${at === asked && mayClaim(session) ? "claimable" : ""} ${at === asked ? "new" : ""} ${isValued(view, code) ? "dora" : ""}`} />`
        : html`<i key=${at}></i>`,
    )}
  </div>`;
}

const LEAST_ROW = 11;

// As many columns as make it about square.
/** @param {number} count */
function columnsOf(count) {
  return Math.max(LEAST_ROW, Math.ceil(Math.sqrt((count * 1.395) / 1.03)));
}

/** @param {Side} side @param {number} at @param {number} columns */
function orderIn(side, at, columns) {
  const row = Math.floor(at / columns);
  return side === "right" ? 200 - (at % columns) : side === "top" ? 200 - row : side === "left" ? at % columns : row;
}

// A place for every stack of every tile, whether it lies there or not; tiles of which there are fewer have none until they do.
/** @param {Seen[]} codes @param {About} about @param {number} tall */
function reserved(codes, about, tall) {
  const there = new Map();
  for (const code of codes) there.set(code, (there.get(code) || 0) + 1);
  return about.tiles.flatMap(({ code, copies }) => {
    const count = there.get(code) || 0;
    const stacks = copies < tall ? Math.ceil(count / tall) : Math.ceil(copies / tall);
    return Array.from({ length: stacks }, (_, at) => ({ code, high: Math.min(tall, Math.max(0, count - at * tall)) }));
  });
}

/** @param {Seen[]} codes @param {About} about */
export function sorted(codes, about) {
  const places = (about.place ??= new Map(about.tiles.map((tile, at) => [tile.code, at])));
  /** @param {Seen} code */
  const place = (code) => places.get(code ?? "") ?? places.size;
  return [...codes].sort((one, other) => place(one) - place(other));
}
