// Exchanges: tiles chosen to be passed to other seats lie on a tray, before an arrow that shows where they go; the others'
// packets lie before them; what came in is marked in the hand. Everything is read from the step that asks and the rules.

import { html, useEffect, useRef } from "../../html.js";
import { named, t } from "../../text.js";
import { Tile, tileName } from "../../tiles.js";
import { loadStyle } from "../../main.js";
import { placed } from "./places.js";

const ARROWS = {
  right: "M4 12h15M13 5.5 19.5 12 13 18.5",
  across: "M12 20V5M5.5 11 12 4.5 18.5 11",
  left: "M20 12H5M11 5.5 4.5 12 11 18.5",
  unknown: "M4 8.5h14M14 4l4.5 4.5L14 13M20 15.5H6M10 11l-4.5 4.5L10 20",
};

// The exchange that is asked for, with those asked for together with it (`steps`), of which it is the nth; null if none is.
export function exchangeOf(view, about) {
  const all = about?.exchanges || [];
  const at = view?.step ? all.findIndex((one) => one.step === view.step) : -1;
  if (at < 0) return null;
  const isOther = (one) => one.round !== all[at].round;
  const first = all.slice(0, at).findLastIndex(isOther) + 1;
  const past = all.slice(at).findIndex(isOther);
  return { ...all[at], steps: all.slice(first, past < 0 ? all.length : at + past), nth: at - first };
}

// The seat that gets the tiles, if it is known; of several that sit on one side, none is.
export function receiver(exchange, view, about) {
  const side = exchange.way === "across" ? "top" : exchange.way;
  const seats = placed(view, about).filter((place) => place.side === side);
  return seats.length === 1 ? seats[0].seat : null;
}

// What was given away in the exchange that goes on, and the tiles that came in with the last one, by code.
export function useGiven(view, exchange) {
  const kept = useRef({ given: null, came: [] });
  const hand = (view.zones.hand?.[view.seat] || []).filter(Boolean);
  const now = kept.current;
  if (now.hand !== view.hand) Object.assign(now, { hand: view.hand, given: null, came: [] });
  if (now.given && (view.step !== now.step || without(now.held, hand).length)) {
    now.came = without(hand, without(now.held, now.given));
    now.given = null;
  }
  const give = (codes) => {
    if (exchange) Object.assign(now, { step: view.step, held: hand, given: codes, came: [] });
    else if (view.question?.phase) now.came = [];
  };
  return { given: now.given, came: now.came, give };
}

function without(codes, less) {
  const left = [...less];
  return codes.filter((code) => {
    const at = left.indexOf(code);
    if (at >= 0) left.splice(at, 1);
    return at < 0;
  });
}

// The keys of the tiles that came in: of equal ones the last.
export function arrived(tiles, came) {
  const left = [...came];
  return new Set(
    [...tiles].reverse().flatMap(({ code, key }) => {
      const at = left.indexOf(code);
      return at < 0 ? [] : (left.splice(at, 1), [key]);
    }),
  );
}

export function Exchange({ session, play }) {
  const { about } = session.now;
  useEffect(() => void (about.exchanges.length && loadStyle("exchange")), [about.digest]);
  return play.exchange && html`<div class="exchange"><${Packets} session=${session} play=${play} /><${Tray} play=${play} about=${about} /></div>`;
}

const labelOf = ({ way, name }) => (way ? t(`table.way_${way}`) : named(name));

function Steps({ exchange }) {
  const { steps, nth } = exchange;
  if (steps.length < 2) return null;
  return html`<ol class="steps" aria-label=${t("table.passes")}>
    ${steps.map((one, at) => html`<li class=${at < nth ? "done" : at === nth ? "on" : ""} aria-current=${at === nth ? "step" : null}><${Arrow} way=${one.way} /><span>${labelOf(one)}</span></li>`)}
  </ol>`;
}

function Arrow({ way }) {
  return html`<svg class="arrow" viewBox="0 0 24 24" aria-hidden="true"><path d=${ARROWS[way] || ARROWS.unknown} /></svg>`;
}

// As many places as tiles may be chosen; a click takes a tile back.
function Tray({ play, about }) {
  const { exchange, given } = play;
  const pick = play.mode?.kind === "pick" ? play.mode : null;
  const chosen = pick ? play.chosen.map((key) => play.tiles.findIndex((tile) => tile.key === key)).filter((at) => at >= 0) : [];
  const empty = Math.max(0, (pick?.most || 0) - chosen.length);
  const label = pick ? t("table.chosen", { count: chosen.length, most: pick.most }) : t("table.tray_given");
  return html`<div class=${`tray-box way-${exchange.way || "unknown"}`}>
    <${Steps} exchange=${exchange} />
    <div class="tray" role="group" aria-label=${`${labelOf(exchange)}: ${label}`}>
      <span class="slots">
        ${chosen.map((at) => html`<button type="button" class="trayed" key=${play.tiles[at].key} title=${t("table.take_back")} aria-label=${`${tileName(about, play.tiles[at].code)}, ${t("table.take_back")}`} onClick=${() => play.act(at)}><${Tile} code=${play.tiles[at].code} about=${about} silent title="" /></button>`)}
        ${!pick && given?.map((code, at) => html`<${Tile} key=${at} code=${code} about=${about} />`)}
        ${Array.from({ length: empty }, () => html`<i class="slot"></i>`)}
      </span>
      <${Arrow} way=${exchange.way} />
    </div>
  </div>`;
}

// Before each other seat its packet; an outline as long as it still has to choose.
function Packets({ session, play }) {
  const { about, view, asked } = session.now;
  const count = play.mode?.kind === "pick" ? play.mode.most : play.given?.length || 0;
  const others = placed(view, about).filter(({ side }) => side !== "me");
  return others.map(({ seat, side, at, of }) => {
    const waits = asked.includes(view.players[seat]);
    const says = t(waits ? "table.chooses" : "table.has_chosen", { who: session.names(seat) });
    return html`<div key=${seat} class="passer" data-side=${side} style=${`--at:${at - (of - 1) / 2}`}><div class="packet" role="img" aria-label=${says} title=${says} data-packet=${seat} data-waits=${String(waits)}>
      ${Array.from({ length: count }, (_, nth) => (waits ? html`<i class="slot" key=${nth}></i>` : html`<${Tile} key=${nth} code=${null} about=${about} silent />`))}
    </div></div>`;
  });
}
