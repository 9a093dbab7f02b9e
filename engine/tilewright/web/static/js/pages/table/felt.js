// The felt: the players, the tiles before them, and the middle with round, wall, pot and the last words.

import { html, useState } from "../../html.js";
import { listed, named, number, t } from "../../text.js";
import { prefs } from "../../prefs.js";
import { useStore } from "../../store.js";
import { Tile } from "../../tiles.js";
import { Line } from "./line.js";
import { isNamed, level, markText, placeText } from "./names.js";

export function Felt({ session, wide }) {
  const { about, view } = session.now;
  const places = around(view, about);
  const shared = tableZones(about).filter((zone) => zone.claimable);
  const own = view.seat || seatsIn(view, about)[0];
  if (!wide) return html`<${Narrow} session=${session} places=${places} shared=${shared} own=${own} />`;
  return html`<div class=${`felt ${shared.length ? "shared" : ""}`}>
    <div class="at-left">${places.left.map((seat) => html`<${Seat} key=${seat} session=${session} seat=${seat} side="left" />`)}</div>
    <div class=${`at-top ${places.top.length > 1 ? "several" : ""}`}>${places.top.map((seat) => html`<${Seat} key=${seat} session=${session} seat=${seat} side="top" />`)}</div>
    <div class="middle">
      <${Middle} session=${session} />
      ${shared.map((zone) => html`<${Pile} session=${session} zone=${zone} />`)}
    </div>
    <div class="at-bottom">
      ${view.seat ? html`<${Thrown} session=${session} seat=${own} />` : html`<${Seat} session=${session} seat=${own} side="top" />`}
    </div>
    <div class="at-right">${places.right.map((seat) => html`<${Seat} key=${seat} session=${session} seat=${seat} side="right" />`)}</div>
  </div>`;
}

// The seats from the dealer's on. (Names that are numbers come first in an object, whatever its order was.)
export function seatsIn(view, about) {
  return about.seats.filter((seat) => seat in view.players);
}

// Where the others sit, seen from the own seat (or the first one): whose turn comes next is at one side, who came before
// at the other, the rest opposite.
export function around(view, about) {
  const seats = seatsIn(view, about);
  const at = Math.max(0, seats.indexOf(view.seat));
  const others = [...seats.slice(at + 1), ...seats.slice(0, at)];
  const turned = about.order === "clockwise";
  if (others.length < 2) return { left: [], top: others, right: [], all: others };
  const next = [others[0]];
  const before = [others.at(-1)];
  const between = others.slice(1, -1);
  return {
    left: turned ? next : before,
    top: turned ? between : [...between].reverse(),
    right: turned ? before : next,
    all: others,
  };
}

export const tableZones = (about) => about.zones.filter((zone) => zone.of === "table");
const seatZones = (about) => about.zones.filter((zone) => zone.of === "seat" && !["hand", "melds"].includes(zone.id));

// --- a seat

function Seat({ session, seat, side }) {
  const { view } = session.now;
  const isOut = !view.playing.includes(seat);
  return html`<article class=${`seat ${side} ${isOut ? "out" : ""}`} aria-label=${session.names(seat)} data-seat=${seat}>
    <div class="who">
      <${Plate} session=${session} seat=${seat} />
      <${OtherHand} session=${session} seat=${seat} />
      <${Open} session=${session} seat=${seat} />
    </div>
    <${Thrown} session=${session} seat=${seat} />
  </article>`;
}

// Groups of a seat, and its other zones that are not thrown away.
function Open({ session, seat }) {
  const { about, view } = session.now;
  const others = seatZones(about).filter((zone) => !zone.claimable);
  return html`<${Melds} session=${session} seat=${seat} />
    ${others.map((zone) => html`<${Lying} session=${session} zone=${zone} codes=${view.zones[zone.id]?.[seat] || []} />`)}`;
}

// What a seat has thrown away.
function Thrown({ session, seat }) {
  const zones = seatZones(session.now.about).filter((zone) => zone.claimable);
  return zones.map((zone) => html`<${Discards} session=${session} zone=${zone} seat=${seat} />`);
}

// `full`: with what is less pressing, and marks; `small`: where there is little room.
export function Plate({ session, seat, full = true, own = false, small = false }) {
  const { about, view, info, asked, clock } = session.now;
  const player = view.players[seat];
  const sits = info.seats?.[player] || {};
  const wind = about.winds?.[seat];
  const isTurn = view.turn === seat && !view.over;
  const isAsked = asked.includes(player) && !view.over;
  const isDealer = seatsIn(view, about)[0] === seat;
  const away = sits.kind === "person" && sits.taken && (!sits.here || sits.played_by === "bot");
  const won = view.winners.includes(seat);
  return html`<div class=${`plate ${isTurn ? "turn" : ""} ${won ? "won" : ""}`} data-player=${player}>
    <span class="wind" title=${t("table.wind", { wind: placeText(wind || seat) })}>${wind ? html`<${Tile} code=${wind} about=${about} size="1.35rem" />` : placeText(seat)}</span>
    <span class="name">${session.nameOf(player)}</span>
    ${isDealer && html`<span class="badge dealer" title=${t("table.dealer")}>${t(small ? "table.dealer_letter" : "table.dealer_short")}</span>`}
    <span class="score number" aria-label=${t("table.score", { score: number(view.scores[seat]) })}>${number(view.scores[seat])}</span>
    ${isAsked && !own && html`<span class="thinks" role="img" aria-label=${t("table.thinks")} title=${t("table.thinks")}><i></i><i></i><i></i></span>`}
    ${full && away && html`<span class="badge warm">${t(sits.played_by === "bot" ? "table.bot_sits" : "table.away")}</span>`}
    ${!view.playing.includes(seat) && html`<span class="badge warm">${t("table.out")}</span>`}
    ${clock && !own && clock.player === player && html`<${Clock} clock=${clock} />`}
  </div>${full && html`<${Marks} session=${session} seat=${seat} />`}`;
}

// Marks that have a name, where they say something.
function Marks({ session, seat }) {
  const { about, view } = session.now;
  const marks = marksOf(about, view, seat, session.names);
  return marks.length > 0 && html`<span class="marks">${marks.map(([id, name, value]) => html`<span class="badge mark" key=${id}>${name}${value}</span>`)}</span>`;
}

export function marksOf(about, view, seat, names) {
  const found = [];
  for (const [id, mark] of Object.entries(about.marks)) {
    if (!isNamed(mark.name, id) || !(id in view.marks)) continue;
    const value = mark.of === "seat" ? (seat === null ? undefined : view.marks[id]?.[seat]) : seat === null ? view.marks[id] : undefined;
    if (value === undefined || value === null || value === false || value === 0 || value === "" || (Array.isArray(value) && !value.length)) continue;
    found.push([id, named(mark.name, id), markText(mark, value, about, names)]);
  }
  return found;
}

export function Clock({ clock }) {
  const left = Math.max(0, clock.till - performance.now());
  return html`<span class="clock" key=${clock.till} aria-hidden="true"><i style=${{ animationDuration: `${clock.of}ms`, animationDelay: `${left - clock.of}ms` }}></i></span>`;
}

function OtherHand({ session, seat }) {
  const { about, view } = session.now;
  const codes = view.zones.hand?.[seat] || [];
  const open = codes.some(Boolean);
  const label = t("table.in_hand", { count: codes.length });
  return html`<div class=${`other-hand ${open ? "open" : ""}`} role=${open ? "group" : "img"} aria-label=${label} title=${label}>
    ${codes.map((code, at) => html`<${Tile} key=${at} code=${code} about=${about} silent=${!code} />`)}
  </div>`;
}

export function Melds({ session, seat, size }) {
  const { about, view } = session.now;
  const melds = view.melds[seat] || [];
  if (!melds.length) return null;
  return html`<div class="melds">
    ${melds.map((meld, at) => html`<${Meld} key=${at} meld=${meld} about=${about} size=${size} title=${meldTitle(meld, about, session)} />`)}
  </div>`;
}

export function Meld({ meld, about, size, title }) {
  const stands = { ...(meld.stands_for || {}) };
  return html`<span class=${`meld ${meld.exposed ? "" : "closed"}`} title=${title}>
    ${meld.tiles.map((code, at) => html`<${Tile} key=${at} code=${code} about=${about} size=${size} stands=${code && stands[code] !== code ? stands[code] : null} />`)}
  </span>`;
}

function meldTitle(meld, about, session) {
  const kinds = (meld.kinds || []).map((kind) => named(about.groups?.[kind], kind));
  const from = meld.discarder ? t("events.from", { whom: (session.whom || session.names)(meld.discarder) }) : "";
  return [listed(kinds), meld.exposed ? "" : t("table.closed"), from].filter(Boolean).join(" · ");
}

const FEW_BACKS = 6;

// A zone that is neither hand nor thrown away: its tiles, or how many there are; with `backs` a few hidden ones as such.
export function Lying({ session, zone, codes, backs = false }) {
  const { about } = session.now;
  if (!codes.length) return null;
  const name = named(zone.name, zone.id);
  const hidden = codes.every((code) => !code);
  if (hidden && backs && codes.length <= FEW_BACKS) {
    const label = `${name}: ${codes.length}`;
    return html`<div class="lying" data-zone=${zone.id} role="img" aria-label=${label} title=${label}>${codes.map((_, at) => html`<${Tile} key=${at} code=${null} about=${about} silent />`)}</div>`;
  }
  return html`<div class="lying" data-zone=${zone.id}>
    <span class="zone-name">${name}</span>
    ${hidden ? html`<span class="number">${codes.length}</span>` : codes.map((code, at) => html`<${Tile} key=${at} code=${code} about=${about} />`)}
  </div>`;
}

// Rows of six; the tile that is in question has a ring.
function Discards({ session, zone, seat }) {
  const { about, view } = session.now;
  const codes = view.zones[zone.id]?.[seat] || [];
  const inQuestion = view.tile && view.discarder === seat ? codes.lastIndexOf(view.tile) : -1;
  const isLast = inQuestion === codes.length - 1;
  return html`<div class="discards" role="group" aria-label=${t("table.discards_of", { zone: named(zone.name, zone.id), who: session.names(seat), count: codes.length })} data-zone=${zone.id} data-of=${seat}>
    ${codes.map((code, at) => html`<${Tile} key=${at} code=${code} about=${about} state=${`${at === inQuestion && isLast ? "claimable" : ""} ${at === codes.length - 1 ? "new" : ""}`} />`)}
  </div>`;
}

// One pile for everyone, sorted where the button for it is on.
function Pile({ session, zone }) {
  useStore(prefs);
  const { about, view } = session.now;
  const codes = view.zones[zone.id] || [];
  const sorter = about.buttons.find((button) => button.sorts === zone.id);
  const shown = sorter && session.on.has(sorter.id) ? sorted(codes, about) : codes;
  const at = view.tile && view.discarder ? shown.lastIndexOf(view.tile) : -1;
  return html`<div class="pile" data-zone=${zone.id} role="group" aria-label=${t("table.pile", { zone: named(zone.name, zone.id), count: codes.length })}>
    ${shown.map((code, place) => html`<${Tile} key=${place} code=${code} about=${about} state=${place === at ? "claimable" : ""} />`)}
  </div>`;
}

export function sorted(codes, about) {
  about.place ??= new Map(about.tiles.map((tile, at) => [tile.code, at]));
  return [...codes].sort((one, other) => (about.place.get(one) ?? 999) - (about.place.get(other) ?? 999));
}

// --- the middle

// The number of the hand that is played, or that was the last.
function handNumber(view) {
  return (view.levels?.hand ?? view.hand) - (view.over ? 1 : 0);
}

function Middle({ session }) {
  const { about, view, lines } = session.now;
  const others = tableZones(about).filter((zone) => !zone.claimable && !zone.wall);
  const last = lines.at(-1);
  return html`<div class="centre">
    <div class="facts">
      ${view.round_wind && html`<span class="fact"><span class="soft-felt">${level(about, "round")}</span><${Tile} code=${view.round_wind} about=${about} size="1.35rem" /></span>`}
      <span class="fact"><span class="soft-felt">${level(about, "hand")}</span><b class="number">${handNumber(view)}</b></span>
      ${view.wall_left !== null && view.wall_left !== undefined && html`<span class="fact" title=${t("table.wall_left")}><span class="soft-felt">${t("table.wall")}</span><b class="number">${view.wall_left}</b></span>`}
      ${view.pot !== 0 && html`<span class="fact"><span class="soft-felt">${t("table.pot")}</span><b class="number">${number(view.pot)}</b></span>`}
      ${marksOf(about, view, null, session.names).map(([id, name, value]) => html`<span class="badge mark" key=${id}>${name}${value}</span>`)}
    </div>
    ${others.length > 0 && html`<div class="on-table">${others.map((zone) => html`<${Lying} session=${session} zone=${zone} codes=${view.zones[zone.id] || []} backs />`)}</div>`}
    <p class="last-words" key=${lines.length}>${last ? html`<${Line} line=${last} people=${session} about=${about} />` : ""}</p>
  </div>`;
}

// --- narrow: strips that open

function Narrow({ session, places, shared, own }) {
  const { view } = session.now;
  const [opened, open] = useState(null);
  const seats = view.seat ? places.all : [own, ...places.all];
  return html`<div class="felt strips">
    <${Middle} session=${session} />
    ${seats.map((seat) => html`<${Strip} key=${seat} session=${session} seat=${seat} opened=${opened === seat} onOpen=${() => open(opened === seat ? null : seat)} />`)}
    ${shared.map((zone) => html`<${Pile} session=${session} zone=${zone} />`)}
    ${view.seat && html`<${OwnStrip} session=${session} seat=${own} />`}
  </div>`;
}

const FEW = 5; // discards that a strip shows

function Strip({ session, seat, opened, onOpen }) {
  const { about, view } = session.now;
  const thrown = seatZones(about).filter((zone) => zone.claimable);
  const isOut = !view.playing.includes(seat);
  const isClaimed = view.tile && view.discarder === seat;
  return html`<article class=${`strip ${opened ? "opened" : ""} ${isOut ? "out" : ""}`} data-seat=${seat} aria-label=${session.names(seat)}>
    <button type="button" class="strip-head" aria-expanded=${String(opened)} onClick=${onOpen}>
      <${Plate} session=${session} seat=${seat} full=${opened} small />
      ${!opened &&
      html`<span class="recent">
        <span class="soft-felt number count" title=${t("table.in_hand", { count: (view.zones.hand?.[seat] || []).length })}>${(view.zones.hand?.[seat] || []).length}</span>
        ${thrown.map((zone) => {
          const codes = view.zones[zone.id]?.[seat] || [];
          const few = codes.slice(-FEW);
          return few.map((code, at) => html`<${Tile} key=${codes.length - few.length + at} code=${code} about=${about} state=${`${isClaimed && at === few.length - 1 && code === view.tile ? "claimable" : ""} ${at === few.length - 1 ? "new" : ""}`} />`);
        })}
      </span>`}
    </button>
    ${!opened && html`<${Marks} session=${session} seat=${seat} /><div class="strip-open"><${Open} session=${session} seat=${seat} /></div>`}
    ${opened && html`<div class="strip-body"><${OtherHand} session=${session} seat=${seat} /><${Open} session=${session} seat=${seat} /><${Thrown} session=${session} seat=${seat} /></div>`}
  </article>`;
}

// The tiles before the own seat, and its marks: above the hand there is no room for them.
function OwnStrip({ session, seat }) {
  const { about, view } = session.now;
  const thrown = seatZones(about).filter((zone) => zone.claimable && (view.zones[zone.id]?.[seat] || []).length);
  const whose = session.me === null ? session.names(seat) : t("table.own_discards");
  return html`<div class="own-thrown">
    <div class="row">${thrown.length > 0 && html`<span class="soft-felt">${whose}</span>`}<${Marks} session=${session} seat=${seat} /></div>
    ${thrown.map((zone) => html`<${Discards} session=${session} zone=${zone} seat=${seat} />`)}
  </div>`;
}
