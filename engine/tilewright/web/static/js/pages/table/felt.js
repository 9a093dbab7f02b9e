// The felt: a square table seen from one seat. Every seat is a point in the middle that is turned once; what lies before it is
// laid out as if it were one's own. All sizes are multiples of one unit, the width of a tile in a pond (table.css).

import { Fragment, html, useRef } from "../../html.js";
import { listed, named, number, signed, t } from "../../text.js";
import { Tile, tileName } from "../../tiles.js";
import { isNamed, level, markText, placeText } from "./names.js";
import { TURNS, handNumber, placed, seatZones, seatsIn, seenFrom, tableZones, wonSoFar } from "./places.js";
import { Pile, Pond, isValued } from "./pond.js";
import { useRunning } from "./running.js";
import { useTravels } from "./travels.js";
import { Walls } from "./wall.js";

export { seatsIn, tableZones };

const MOST_IN_CENTRE = 4; // scores, one at each side
const LONG_POND = 18; // tiles; the row goes on where plates stand

// `children`: what stands before the table, as the own hand. `scores`: where points are about to run, of players: {held, gains}.
/** @param {{ session: Session, scores?: RunningScores | null, children: Child }} props */
export function Felt({ session, scores = null, children }) {
  const { about, view } = session.now;
  const board = useRef(/** @type {HTMLElement | null} */ (null));
  const places = placed(view, about);
  const pile = tableZones(about).find((zone) => zone.claimable);
  const compact = Boolean(pile) || places.length > MOST_IN_CENTRE;
  const ponds = seatZones(about).filter((zone) => zone.claimable);
  const long = ponds.some((zone) =>
    Object.values(view.zones[zone.id] || {}).some((codes) => (codes?.length ?? 0) > LONG_POND),
  );
  useTravels(board, session);
  const names = ["board", pile && "shared", compact && "compact", long && "long", children ? "with-rack" : "bare"];
  return html`<div class=${names.filter(Boolean).join(" ")} ref=${board} data-seats=${places.length}>
    <div class="felt"></div>
    <div class="table-top">
      <${Walls} session=${session} places=${places} />
      ${places.map((place) => html`<${Seat} key=${place.seat} session=${session} place=${place} ponds=${ponds} />`)}
      ${pile && html`<${Pile} session=${session} zone=${pile} places=${places} />`}
      <${Centre} session=${session} places=${places} compact=${compact} scores=${scores} />
      ${places.map((place) => html`<${Plate} key=${place.seat} session=${session} place=${place} scored=${compact} scores=${scores} />`)}
    </div>
    ${children}
  </div>`;
}

// --- a seat

/** @param {{ session: Session, place: Place, ponds: Zone[] }} props */
function Seat({ session, place, ponds }) {
  const { about, view } = session.now;
  const { seat, side, at, of } = place;
  const out = !view.playing.includes(seat);
  return html`<section class=${`seat ${out ? "out" : ""}`} aria-label=${session.names(seat)} data-seat=${seat} data-side=${side} data-of=${of} data-turn=${TURNS[side]} style=${`--at:${at - (of - 1) / 2}`}>
    ${hasStick(view, about, seat) && html`<span class="stick" role="img" aria-label=${stickName(view, about, seat)}></span>`}
    ${ponds.map((zone) => html`<${Pond} key=${zone.id} session=${session} zone=${zone} seat=${seat} side=${side} />`)}
    ${seat !== view.seat && html`<${Rim} session=${session} seat=${seat} side=${side} />`}
  </section>`;
}

/** @param {View} view @param {About} about @param {string} seat */
/** @param {View} view @param {About} about @param {string} seat */
const sticks = (view, about, seat) =>
  Object.entries(about.marks).filter(([id, mark]) => mark.stick && markOf(view, id, seat));
/** @param {View} view @param {About} about @param {string} seat */
/** @param {Played} view @param {string} id @param {string} seat @returns {MarkValue | undefined} */
const markOf = ({ marks }, id, seat) => {
  const all = marks[id];
  return typeof all === "object" && all !== null && !Array.isArray(all) ? all[seat] : undefined;
};
/** @param {View} view @param {About} about @param {string} seat */
const hasStick = (view, about, seat) => sticks(view, about, seat).length > 0;
/** @param {View} view @param {About} about @param {string} seat */
/** @param {View} view @param {About} about @param {string} seat */
const stickName = (view, about, seat) => listed(sticks(view, about, seat).map(([id, mark]) => named(mark.name, id)));

const BACK = 0.6; // the width of a hidden tile at the rim, in tiles of the table
const LAID = 0.74; // that of one in a group
const BETWEEN = 0.2; // groups
const BESIDE = 0.9; // between the hand and the groups, and before the tile that was drawn

// How long the hand of a seat is with what lies beside it, in tiles of the table. `others`: the tiles of other zones.
/** @param {View} view @param {string} seat @param {Seen[]} others */
function lengthAt(view, seat, others) {
  const melds = view.melds[seat] || [];
  const numbers = new Set(melds.flatMap(({ hand }) => hand ?? []));
  const laid = melds.reduce((sum, meld) => sum + meld.tiles.length * LAID + BETWEEN, numbers.size * LAID);
  return ((view.zones.hand?.[seat]?.length ?? 0) + others.length) * BACK + BESIDE + laid;
}

// The hand that stands at the rim, and what its seat has set aside.
/** @param {{ session: Session, seat: string, side: Side }} props */
function Rim({ session, seat, side }) {
  const { about, view } = session.now;
  const zone = about.zones.find((one) => one.id === "melds");
  const others = seatZones(about)
    .filter((one) => !one.claimable)
    .map((one) => ({ zone: one, codes: view.zones[one.id]?.[seat] || [] }));
  const needed = lengthAt(
    view,
    seat,
    others.flatMap(({ codes }) => codes),
  );
  return html`<div class=${`rim ${zone?.side === "left" ? "melds-left" : ""}`} style=${`--need:${needed}`}>
    <${OtherHand} session=${session} seat=${seat} side=${side} />
    <div class="aside">
      <${Melds} session=${session} seat=${seat} />
      ${others.map((one) => html`<${Lying} key=${one.zone.id} session=${session} ...${one} backs />`)}
    </div>
  </div>`;
}

/** @param {{ session: Session, seat: string, side: Side }} props */
function OtherHand({ session, seat, side }) {
  const { about, view } = session.now;
  const codes = view.zones.hand?.[seat] || [];
  const open = codes.some(Boolean);
  const drawn = view.turn === seat && !view.over && codes.length % 3 === 2;
  const label = t("table.in_hand", { count: codes.length });
  return html`<div class=${`other-hand ${open ? "open" : ""} ${drawn ? "drew" : ""}`} role=${open ? "group" : "img"} aria-label=${label}>
    ${codes.map((code, at) => {
      const order = side === "right" ? 60 - at : at;
      if (!open) return html`<i key=${at} style=${`z-index:${order}`}></i>`;
      return html`<${Tile} key=${at} code=${code} about=${about} order=${order} state=${isValued(view, code) ? "dora" : ""} silent=${!code} />`;
    })}
  </div>`;
}

// Those of one of its hands, or all of them.
/** @param {{ session: Session, seat: string, hand?: number }} props */
export function Melds({ session, seat, hand }) {
  const { about, view } = session.now;
  const melds = (view.melds[seat] || [])
    .filter((meld) => !hand || handNumber(meld) === hand)
    .sort((one, other) => handNumber(one) - handNumber(other));
  if (!melds.length) return null;
  return html`<div class="melds">
    ${melds.map(
      (meld, at) => html`<${Fragment} key=${at}>
      ${meld.hand && meld.hand !== melds[at - 1]?.hand && html`<span class="of-hand" title=${t("table.hand_open", { number: meld.hand })}>${meld.hand}</span>`}
      <${Meld} meld=${meld} about=${about} view=${view} seat=${seat} title=${meldTitle(meld, about, session)} />
    </${Fragment}>`,
    )}
  </div>`;
}

// A group: the claimed tile lies across, at the side of whom it came from. `stateOf`: of a tile, by its place in the group.
/**
 * @param {{ meld: Lying, about: About, view: View, seat: string, title: string, stateOf?: (place: number) => string
 *   }} props
 */
export function Meld({
  meld,
  about,
  view,
  seat,
  title,
  stateOf = (place) => (isValued(view, meld.tiles[place]) ? "dora" : ""),
}) {
  const stands = meld.stands_for || {};
  const { discarder, claimed: which } = meld;
  const turns = about.zones.find((zone) => zone.id === "melds")?.turns && discarder !== seat;
  /** @type {{ code: Seen, place: number, across?: boolean }[]} */
  const tiles = meld.tiles.map((code, place) => ({ code, place }));
  if (turns && typeof which === "number") {
    const [claimed] = tiles.splice(which, 1);
    const from = seenFrom(seat, discarder ?? "", view, about);
    tiles.splice(from === "left" ? 0 : from === "right" ? tiles.length : 1, 0, { ...claimed, across: true });
  }
  return html`<span class=${`meld ${meld.exposed ? "" : "closed"}`} title=${title}>
    ${tiles.map(({ code, place, across }, at) => {
      const tile = html`<${Tile} key=${at} code=${code} about=${about} stands=${code && stands[code] !== code ? stands[code] : null} state=${stateOf(place)} />`;
      return across ? html`<span class="turned" data-turn="-90">${tile}</span>` : tile;
    })}
  </span>`;
}

/** @param {Lying} meld @param {About} about @param {Session} session */
function meldTitle(meld, about, session) {
  const kinds = (meld.kinds || []).map((kind) => named(about.groups?.[kind], kind));
  if (meld.hand) kinds.unshift(t("table.hand_open", { number: meld.hand }));
  const from = meld.discarder ? t("events.from", { whom: (session.whom || session.names)(meld.discarder) }) : "";
  return [listed(kinds), meld.exposed ? "" : t("table.closed"), from].filter(Boolean).join(" · ");
}

// Hidden tiles that lie in stacks, the first of them at the front.
/** @param {{ zone: Zone, count: number, about: About }} props */
export function Stacks({ zone, count, about }) {
  const label = `${named(zone.name, zone.id)}: ${count}`;
  return html`<span class="stacks" role="img" aria-label=${label} title=${label} style=${`--high:${zone.stacked}`}>
    ${stacksIn(zone, count).map((high, at) => html`<span class="tile-stack" key=${at}>${Array.from({ length: high }, (_, on) => html`<${Tile} key=${on} code=${null} about=${about} silent title="" />`)}</span>`)}
  </span>`;
}

// How high each is; the one at the back may be lower.
/** @param {{ stacked: number }} one @param {number} count */
function stacksIn({ stacked }, count) {
  return Array.from({ length: Math.ceil(count / stacked) }, (_, at) => Math.min(stacked, count - at * stacked));
}

const FEW_BACKS = 6;

// A zone that is neither hand nor thrown away: its tiles, or how many there are; with `backs` a few hidden ones as such.
/** @param {{ session: Session, zone: Zone, codes: Seen[], backs?: boolean }} props */
export function Lying({ session, zone, codes, backs = false }) {
  const { about, view } = session.now;
  if (!codes.length) return null;
  const name = named(zone.name, zone.id);
  const hidden = codes.every((code) => !code);
  if (hidden && zone.stacked)
    return html`<div class="lying" data-zone=${zone.id}><${Stacks} zone=${zone} count=${codes.length} about=${about} /></div>`;
  if (hidden && backs && codes.length <= FEW_BACKS) {
    const label = `${name}: ${codes.length}`;
    return html`<div class="lying" data-zone=${zone.id} role="img" aria-label=${label} title=${label}>${codes.map((_, at) => html`<${Tile} key=${at} code=${null} about=${about} silent />`)}</div>`;
  }
  return html`<div class="lying" data-zone=${zone.id} role="group" aria-label=${name} title=${name}>
    <span class="zone-name">${name}</span>
    ${hidden ? html`<span class="number">${codes.length}</span>` : codes.map((code, at) => html`<${Tile} key=${at} code=${code} about=${about} state=${isValued(view, code) ? "dora" : ""} />`)}
  </div>`;
}

// --- plates: upright, in the corner at the player's left hand

/** @param {{ session: Session, place: Place, scored: boolean, scores: RunningScores | null }} props */
function Plate({ session, place, scored, scores }) {
  const { view, info, asked, clock } = session.now;
  const { seat, side, at, of } = place;
  const player = view.players[seat];
  const sits = info.seats?.[player] || {};
  const turns = view.turn === seat && !view.over;
  const thinks = asked.includes(player) && !view.over && player !== session.me;
  const name = session.nameOf(player);
  const gone = sits.kind === "person" && sits.taken && (!sits.here || sits.played_by === "bot");
  const names = [
    "plate",
    turns && "turn",
    gone && "gone",
    view.winners.includes(seat) && "won",
    !view.playing.includes(seat) && "out",
  ];
  return html`<div class=${names.filter(Boolean).join(" ")} data-player=${player} data-side=${side} data-of=${of} style=${`--pc:var(--p${player % 6});--at:${at - (of - 1) / 2}`}>
    <span class="who" aria-hidden="true">${sits.kind === "bot" ? player + 1 : [...name][0]}</span>
    <div class="lines">
      <span class="name">${name}</span>
      <span class="says">${scored && html`<${Score} view=${view} seat=${seat} scores=${scores} /> `}${says(session, seat, sits, gone)}${thinks && html`<${Thinks} />`}</span>
      <${Marks} session=${session} seat=${seat} />
    </div>
    ${clock && clock.player === player && player !== session.me && html`<${Clock} clock=${clock} />`}
  </div>`;
}

function Thinks() {
  return html`<span class="thinks" role="img" aria-label=${t("table.thinks")} title=${t("table.thinks")}><i></i><i></i><i></i></span>`;
}

// What stands below a name: who plays for whom, or who deals.
/**
 * @param {Session} session
 * @param {string} seat
 * @param {Partial<Protocol.SeatInfo>} sits
 * @param {boolean | undefined} gone
 */
function says(session, seat, sits, gone) {
  const { about, view } = session.now;
  const won = wonSoFar(view, seat);
  if (won.length) {
    const title = listed(won.map(({ hand, total = 0 }) => t("table.hand_won", { number: hand, total })));
    return html`<span class="number" role="img" aria-label=${title} title=${title}>★ ${won.map(({ total = 0 }) => number(total)).join(" + ")}</span>`;
  }
  if (view.winners.includes(seat)) return t("table.won");
  if (!view.playing.includes(seat)) return t("table.out");
  if (gone) return t(sits.played_by === "bot" ? "table.bot_sits" : "table.away");
  const dealer = seatsIn(view, about)[0] === seat;
  const hand = view.zones.hand?.[seat]?.length;
  return html`<span class="place">${dealer ? t("table.dealer") : windName(about, seat)}</span>${seat !== view.seat && hand !== undefined && html` <span class="count number" title=${t("table.in_hand", { count: hand })}>${hand}</span>`}`;
}

/** @param {About} about @param {string} seat */
export const windName = (about, seat) => (about.winds?.[seat] ? tileName(about, about.winds[seat]) : placeText(seat));

const SCORE_MS = 260; // in which points run

// `scores.held`: what it was, while nobody has been paid yet; `scores.gains`: what comes to it now.
/** @param {{ view: View, seat: string, scores: RunningScores | null }} props */
function Score({ view, seat, scores }) {
  const player = view.players[seat];
  const score = view.scores[seat];
  const shown = useRunning(scores?.held?.[player] ?? score, SCORE_MS);
  const gain = scores?.gains?.[player];
  return html`<span class="score number" aria-label=${t("table.score", { score: number(score) })}>${number(shown)}${gain ? html`<b class=${`gained ${gain > 0 ? "up" : "down"}`} aria-hidden="true">${signed(gain)}</b>` : ""}</span>`;
}

// Marks that have a name, where they say something.
/** @param {{ session: Session, seat: string }} props */
function Marks({ session, seat }) {
  const { about, view } = session.now;
  const marks = marksOf(about, view, seat, session.names);
  return (
    marks.length > 0 &&
    html`<span class="marks">${marks.map(([id, name, value]) => html`<span class=${`mark ${about.marks[id].stick ? "declared" : ""}`} key=${id} title=${name}><span class=${saysItself(about.marks[id]) ? "unseen" : ""}>${name}</span>${value}</span>`)}</span>`
  );
}

// A suit needs no name before it.
/** @param {Mark} mark */
const saysItself = (mark) => mark.is === "suit";

/** @param {About} about @param {Played} view @param {string | null} seat @param {(seat: string) => string} names */
export function marksOf(about, view, seat, names) {
  const found = [];
  for (const [id, mark] of Object.entries(about.marks)) {
    if (!isNamed(mark.name, id) || !(id in view.marks)) continue;
    const value =
      mark.of === "seat"
        ? seat === null
          ? undefined
          : markOf(view, id, seat)
        : seat === null
          ? view.marks[id]
          : undefined;
    if (
      value === undefined ||
      value === null ||
      value === false ||
      value === 0 ||
      value === "" ||
      (Array.isArray(value) && !value.length)
    )
      continue;
    found.push([id, named(mark.name, id), markText(mark, /** @type {MarkValue} */ (value), about, names)]);
  }
  return found;
}

// Numbers that the whole table counts.
/** @param {About} about @param {Played} view @param {(seat: string) => string} names */
export const countsOf = (about, view, names) =>
  marksOf(about, view, null, names).filter(([id]) => about.marks[id].is === "number");

/** @param {{ clock: Deadline }} props */
export function Clock({ clock }) {
  const left = Math.max(0, clock.till - performance.now());
  return html`<span class="clock" key=${clock.till} aria-hidden="true"><i style=${{ animationDuration: `${clock.of}ms`, animationDelay: `${left - clock.of}ms` }}></i></span>`;
}

// --- the middle

// What is played, or was the last: a wind with the number of the deal in its round, or the number of the hand.
/** @param {{ round_wind: Code | null, levels?: View["levels"], hand?: number }} view @param {About} about */
export function roundName(view, about) {
  if (!view.round_wind || !view.levels)
    return t("table.level_number", { level: level(about, "hand"), number: view.levels?.hand ?? view.hand });
  return t("table.deal_of_round", { wind: tileName(about, view.round_wind), number: view.levels.dealership });
}

/** @param {{ session: Session, places: Place[], compact: boolean, scores: RunningScores | null }} props */
function Centre({ session, places, compact, scores }) {
  const { about, view, played } = session.now;
  const others = tableZones(about).filter((zone) => !zone.claimable && !zone.wall && !inWall(view, zone));
  const marks = countsOf(about, played ?? view, session.names);
  return html`<div class="centre">
    ${!compact && places.map((place) => html`<${CentreSide} key=${place.seat} session=${session} place=${place} scores=${scores} />`)}
    <div class="facts">
      <span class="round">${roundName(view, about)}</span>
      ${view.wall_left !== null && view.wall_left !== undefined && html`<span class="left number" title=${t("table.wall_left")}>${view.wall_left}<small>${t("table.tiles_left")}</small></span>`}
      ${
        (view.pot !== 0 || marks.length > 0) &&
        html`<span class="counts">
        ${marks.map(([id, name, value]) => html`<span class="mark" key=${id}>${name}${value}</span>`)}
        ${view.pot !== 0 && html`<span class="pot number" title=${t("table.pot")} aria-label=${`${t("table.pot")}: ${number(view.pot)}`}><i class="chip"></i>${number(view.pot)}</span>`}
      </span>`
      }
    </div>
    ${others.some((zone) => view.zones[zone.id]?.length) && html`<div class="on-table">${others.map((zone) => html`<${Lying} key=${zone.id} session=${session} zone=${zone} codes=${view.zones[zone.id] || []} backs />`)}</div>`}
  </div>`;
}

// Whether the tiles of a zone are seen in the wall.
/** @param {View} view @param {Zone} zone */
const inWall = (view, zone) =>
  Object.values(view.walls || {}).some((pieces) => pieces.some((piece) => piece.zone === zone.id));

/** @param {{ session: Session, place: Place, scores: RunningScores | null }} props */
function CentreSide({ session, place, scores }) {
  const { about, view } = session.now;
  const { seat, side } = place;
  const wind = about.winds?.[seat];
  const names = [
    "score-side",
    seatsIn(view, about)[0] === seat && "dealer",
    view.turn === seat && !view.over && "turn",
  ];
  return html`<div class=${names.filter(Boolean).join(" ")} data-side=${side} data-turn=${side === "top" ? 0 : TURNS[side]}>
    <span class="wind" title=${t("table.wind", { wind: windName(about, seat) })}>${wind ? html`<${Tile} code=${wind} about=${about} class="glyph" silent title="" />` : html`<b>${[...placeText(seat)][0]}</b>`}</span>
    <${Score} view=${view} seat=${seat} scores=${scores} />
  </div>`;
}
