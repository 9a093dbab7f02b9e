// The tray of an exchange: the chosen tiles, before an arrow that shows where they go; the others' packets lie before them.

import { oneIn } from "../../elements.js";
import { html, useEffect, useLayoutEffect, useRef } from "../../html.js";
import { spot, travel } from "../../motion.js";
import { named, t } from "../../text.js";
import { Tile, tileName } from "../../tiles.js";
import { loadStyle } from "../../main.js";
import { placed } from "./places.js";

const TO_TRAY = 180; // ms
/** @type {Record<string, string>} */
const ARROWS = {
  right: "M4 12h15M13 5.5 19.5 12 13 18.5",
  across: "M12 20V5M5.5 11 12 4.5 18.5 11",
  left: "M20 12H5M11 5.5 4.5 12 11 18.5",
  unknown: "M4 8.5h14M14 4l4.5 4.5L14 13M20 15.5H6M10 11l-4.5 4.5L10 20",
};

/** @param {{ session: Session, play: Play }} props */
export function Exchange({ session, play }) {
  const { about } = session.now;
  useEffect(() => void loadStyle("exchange"), []);
  return (
    play.exchange &&
    html`<div class="exchange"><${Packets} session=${session} play=${play} /><${Tray} play=${play} about=${about} /></div>`
  );
}

/** @param {{ way: string | null, name: Names }} one */
const labelOf = ({ way, name }) => (way ? t(`table.way_${way}`) : named(name));

/** @param {{ exchange: ExchangeNow }} props */
function Steps({ exchange }) {
  const { steps, nth } = exchange;
  if (steps.length < 2) return null;
  return html`<ol class="steps" aria-label=${t("table.passes")}>
    ${steps.map((one, at) => html`<li class=${at < nth ? "done" : at === nth ? "on" : ""} aria-current=${at === nth ? "step" : null}><${Arrow} way=${one.way} /><span>${labelOf(one)}</span></li>`)}
  </ol>`;
}

/** @param {{ way: string | null }} props */
function Arrow({ way }) {
  return html`<svg class="arrow" viewBox="0 0 24 24" aria-hidden="true"><path d=${ARROWS[way ?? ""] || ARROWS.unknown} /></svg>`;
}

// As many places as tiles may be chosen; a click takes a tile back.
/** @param {{ play: Play, about: About }} props */
function Tray({ play, about }) {
  const { exchange, given } = play;
  if (!exchange) return null;
  const pick = play.mode?.kind === "pick" ? play.mode : null;
  const chosen = pick
    ? play.chosen.map((key) => play.tiles.findIndex((tile) => tile.key === key)).filter((at) => at >= 0)
    : [];
  const empty = Math.max(0, (pick?.most || 0) - chosen.length);
  const label = pick ? t("table.chosen", { count: chosen.length, most: pick.most }) : t("table.tray_given");
  return html`<div class=${`tray-box way-${exchange.way || "unknown"}`}>
    <${Steps} exchange=${exchange} />
    <div class="tray" role="group" aria-label=${`${labelOf(exchange)}: ${label}`}>
      <span class="slots">
        ${chosen.map((at) => html`<${Trayed} key=${play.tiles[at].key} play=${play} at=${at} about=${about} />`)}
        ${!pick && given?.map((code, at) => html`<${Tile} key=${at} code=${code} about=${about} />`)}
        ${Array.from({ length: empty }, () => html`<i class="slot"></i>`)}
      </span>
      <${Arrow} way=${exchange.way} />
    </div>
  </div>`;
}

// A chosen tile: it comes from its place in the hand, which is kept free for it.
/** @param {{ play: Play, at: number, about: About }} props */
function Trayed({ play, at, about }) {
  const box = useRef(/** @type {HTMLElement | null} */ (null));
  const { code } = play.tiles[at];
  useLayoutEffect(() => {
    const place = oneIn(document, `.hand-tile[data-at="${at}"] .tile`);
    if (place && box.current) travel(oneIn(box.current, ".tile"), spot(place), TO_TRAY);
  }, []);
  return html`<button type="button" class="trayed" ref=${box} title=${t("table.take_back")} aria-label=${`${tileName(about, code)}, ${t("table.take_back")}`} onClick=${() => play.act(at)}><${Tile} code=${code} about=${about} silent title="" /></button>`;
}

// Before each other seat its packet; an outline as long as it still has to choose.
/** @param {{ session: Session, play: Play }} props */
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
