// A table: seats around the felt, what is asked, the own hand; waiting, results and the end; help at the side.

import { html, useEffect, useState } from "../../html.js";
import { language, named, t } from "../../text.js";
import { OwnMark } from "../../own-rules.js";
import { prefs, setPrefs } from "../../prefs.js";
import { useStore } from "../../store.js";
import { Tile, indexStyle, useFaces } from "../../tiles.js";
import { Button, Waiting, keyHelp, later, useKeys, useMedia } from "../../ui.js";
import { Mark, Settings, loadStyle } from "../../main.js";
import { Actions } from "./actions.js";
import { hasChat } from "./chat.js";
import { NearestLine, useNearest } from "./card.js";
import { Felt, Lying, marksOf, tableZones } from "./felt.js";
import { Hand, roomOf, usePlay } from "./hand.js";
import { titleOf } from "./names.js";
import { CARD, LOG_AND_CARD, PANELS, WIDE, isAtCard, panelOf, setPanel } from "./panel.js";
import { useReveal } from "./reveal.js";
import { LogTab, Side } from "./side.js";
import { useTable } from "./session.js";

// What ends a hand: fetched once it is played.
/** @param {Promise<Record<string, unknown>>} part */
const settled = (part) => Promise.all([part, loadStyle("settlement")]).then(([module]) => module);
const ResultPanel = later(() => settled(import("./result.js")), "ResultPanel");
const WinPanel = later(() => settled(import("./win.js")), "WinPanel");
const HandReplay = later(() => import("./hand-replay.js"), "HandReplay");
const OverPanel = later(() => settled(import("./over.js")), "OverPanel");
// What not every table has.
const Exchange = later(() => import("./tray.js"), "Exchange");
const WaitingRoom = later(() => import("./waiting.js"), "WaitingRoom", Waiting);
const FreeSeats = later(() => import("./waiting.js"), "FreeSeats");
const AHEAD = 5000; // ms

/** @param {{ params: { code: string } }} props */
export default function Page({ params }) {
  return html`<${Table} key=${params.code} code=${params.code.toUpperCase()} />`;
}

/** @param {{ code: string }} props */
function Table({ code }) {
  const session = useTable(code);
  const { info, about, view, error } = session.now;
  useFaces(about, code);
  const lang = useStore(language);
  const waits = session.isAsked && session.me !== null;
  useEffect(() => {
    if (info) document.title = `${waits ? "● " : ""}${titleOf(info, about)} · Tilewright`;
  }, [info?.name, about?.id, waits, lang]);
  const { index } = useStore(prefs);
  const nobody = error && !info;
  return html`<div class="table-page" style=${indexStyle(about, index)}>
    <${TableBar} session=${session} />
    ${nobody && html`<div class="alone stack"><h1>${t("table.no_table")}</h1><p>${error.message}</p><p><${Button} href="/">${t("base.to_lobby")}<//></p></div>`}
    ${!nobody && !info && html`<${Waiting} />`}
    ${info?.state === "waiting" && (isComplete(info) ? html`<${Waiting} />` : html`<${WaitingRoom} session=${session} />`)}
    ${
      info &&
      info.state !== "waiting" &&
      (about && view
        ? html`<${Play} session=${session} />`
        : info.problem
          ? html`<${Broken} session=${session} />`
          : html`<${Waiting} text=${watchText(info)} /><div class="alone stack">
      <${FreeSeats} session=${session} />
      ${isEnded(info) && html`<p><${Button} href=${`/r/${info.code}`}>${t("table.replay")}<//></p>`}
    </div>`)
    }
  </div>`;
}

// Everybody is here, so the game begins.
/** @param {{ seats: Protocol.SeatInfo[] }} one */
function isComplete({ seats }) {
  return seats.every((seat) => seat.taken && seat.here);
}

// Who watches sees the table some answers late, so at first perhaps nothing; and nothing while nobody plays.
/** @param {TableInfo} info */
function watchText(info) {
  if (info.me !== null && info.me !== undefined) return null;
  if (info.setup?.spectators === false) return t("table.no_watching");
  return t(isEnded(info) || nobodyPlays(info) ? "table.nobody_plays" : "table.watch_soon");
}

/** @param {TableInfo} info */
function isEnded(info) {
  return info.state === "over" || info.state === "broken";
}

/** @param {{ host: boolean, seats: Protocol.SeatInfo[] }} one */
function nobodyPlays({ host, seats }) {
  const people = seats.filter((seat) => seat.kind === "person" && seat.taken);
  return people.length ? people.every((seat) => !seat.here) : !host;
}

// --- the bar: at the head of the log and of the panel, or in the corners of the felt

/** @param {{ session: Session }} props */
function TableBar({ session }) {
  const { info, about, view } = session.now;
  const { sound } = useStore(prefs);
  const { panel } = panelOf(about);
  const alone = !useLog(about) && about && view; // no panel shows what has to be seen
  return html`<header class=${`table-bar ${panel ? "with-side" : ""} ${panel && isAtCard(about) ? "with-card" : ""}`}>
    <div class="title">
      <a class="brand" href="/" aria-label=${t("base.to_lobby")}><${Mark} /></a>
      <div class="names">
        ${info && html`<h1>${titleOf(info, about)}</h1>`}
        ${
          info &&
          html`<div class="notes">
          <${OwnMark} info=${info} onClick=${about && view && (() => setPanel(about, { panel: true, tab: "rules" }))} />
          ${info.watching > 0 && info.state !== "waiting" && html`<span class="soft small number">${t("table.watching", { count: info.watching })}</span>`}
        </div>`
        }
      </div>
    </div>
    ${alone && html`<${Shown} session=${session} />`}
    <div class="end">
      ${alone && view.seat && html`<${AutoMenu} session=${session} />`}
      <${Button} quiet class="wide-only" aria-label=${t("base.keys")} title=${t("base.keys")} onClick=${() => keyHelp.set(!keyHelp.value)}>?<//>
      <${Button} quiet icon class="wide-only" pressed=${sound > 0} aria-label=${t("table.sound")} title=${t("table.sound")} onClick=${mute}><${Speaker} on=${sound > 0} /><//>
      <${Settings} />
      <${Button} quiet icon pressed=${panel} aria-label=${t("table.side")} onClick=${() => setPanel(about, { panel: !panel })} title=${`${t("table.side")} (H)`}><${PanelGlyph} /><//>
    </div>
  </header>`;
}

// Whether there is room for the log; a card at the other side takes more of it.
/** @param {About} about */
function useLog(about) {
  const roomy = useMedia(PANELS);
  const roomier = useMedia(LOG_AND_CARD);
  useMedia(CARD);
  return isAtCard(about) && panelOf(about).panel ? roomier : roomy;
}

function PanelGlyph() {
  return html`<svg viewBox="0 0 24 24" aria-hidden="true"><path d="M4 6h16v12H4zM14.5 6v12" fill="none" stroke="currentColor" stroke-width="2" stroke-linejoin="round" /></svg>`;
}

function mute() {
  setPrefs({ sound: prefs.value.sound > 0 ? 0 : 0.4 });
}

/** @param {{ on: boolean }} props */
function Speaker({ on }) {
  return html`<svg viewBox="0 0 24 24" aria-hidden="true">
    <path d="M4 9v6h4l5 4V5L8 9z" fill="currentColor" />
    ${
      on
        ? html`<path d="M16 9a4 4 0 0 1 0 6M18.5 6.5a8 8 0 0 1 0 11" fill="none" stroke="currentColor" stroke-width="2" stroke-linecap="round" />`
        : html`<path d="M16.5 9.5l5 5M21.5 9.5l-5 5" stroke="currentColor" stroke-width="2" stroke-linecap="round" />`
    }
  </svg>`;
}

// --- the table itself

/** @param {{ session: Session }} props */
function Play({ session }) {
  const wide = useMedia(WIDE);
  useStore(prefs);
  const { about, info, view, result } = session.now;
  const panels = useLog(about);
  const { panel, tab } = panelOf(about);
  const play = usePlay(session);
  const reveal = useReveal(session);
  const near = useNearest(session);
  const [closed, close] = useState(false); // the panel of the end
  const over = info.state === "over" || view.over;
  useTableKeys(session, play);
  useEffect(() => {
    const ahead = setTimeout(() => [WinPanel, ResultPanel, OverPanel].map((part) => part.fetch()), AHEAD);
    return () => clearTimeout(ahead);
  }, []);
  const showsResult = Boolean(result) && !reveal;
  const showsEnd = over && !result && !closed;
  return html`<div class=${`play ${wide ? "wide" : "narrow"} ${panel ? "with-side" : ""} ${panel && isAtCard(about) ? "with-card" : ""}`}>
    ${
      panels &&
      html`<aside class="log-panel" aria-label=${t("table.tab_log")}>
      <${Shown} session=${session} />
      <div class="log-body" role="region" tabindex="0" aria-label=${t("table.tab_log")}><${LogTab} session=${session} about=${about} /></div>
      ${view.seat && html`<${Autos} session=${session} />`}
    </aside>`
    }
    <section class="felt-box" aria-label=${t("table.table")} style=${view.seat ? `--room:${roomOf(session, play.racks)}` : null}>
      <${Felt} session=${session} scores=${reveal?.scores}>
        ${about.exchanges.length > 0 && html`<${Exchange} session=${session} play=${play} />`}
        <section class="own" aria-label=${t("table.own")}>
          <${Actions} session=${session} play=${play} wide=${wide}>
            ${!wide && html`<${NearestLine} near=${near} about=${about} onOpen=${() => setPanel(about, { panel: true, tab: "card" })} />`}
          <//>
          ${!view.seat && html`<${FreeSeats} session=${session} />`}
          ${view.seat && html`<${Hand} session=${session} play=${play} />`}
        </section>
        ${reveal && html`<${WinPanel} session=${session} reveal=${reveal} />`}
      <//>
      ${info.state === "broken" && html`<${Broken} session=${session} />`}
      ${showsResult && html`<${ResultPanel} session=${session} last=${over} Replay=${HandReplay} />`}
      ${showsEnd && html`<${OverPanel} session=${session} onClose=${() => close(true)} />`}
    </section>
    ${panel && html`<${Side} session=${session} play=${play} tab=${tab} near=${near} />`}
  </div>`;
}

// The tiles that are shown in the wall, what they make worth more, and what else everybody has to know.
/** @param {{ session: Session }} props */
function Shown({ session }) {
  const { about, view } = session.now;
  const zones = tableZones(about).filter((zone) => !zone.claimable && !zone.wall && view.zones[zone.id]?.some(Boolean));
  const marks = marksOf(about, view, null, session.names).filter(([id]) => about.marks[id].is !== "number");
  if (!zones.length && !marks.length) return null;
  return html`<div class="shown">
    ${zones.map((zone) => html`<${Lying} key=${zone.id} session=${session} zone=${zone} codes=${view.zones[zone.id]} />`)}
    ${view.worth_more?.length > 0 && html`<span class="worth-more tiles" role="group" aria-label=${t("table.worth_more")} title=${t("table.worth_more")}><span class="zone-name">${t("table.worth_more")}</span>${view.worth_more.map((code) => html`<${Tile} key=${code} code=${code} about=${about} state="dora" />`)}</span>`}
    ${marks.map(([id, name, value]) => html`<p class="small mark" key=${id}>${name}${value}</p>`)}
  </div>`;
}

const AUTO_KEYS = ["z", "x", "c", "v", "b", "n", "m", ",", "."];
const TABS = { h: "help", r: "rules", k: "card", l: "log", o: "options", t: "chat" };

/** @param {Session} session @param {Play} play */
function useTableKeys(session, play) {
  const { about, info } = session.now;
  /** @param {string} tab */
  const showTab = (tab) => {
    const { panel, tab: now } = panelOf(about);
    setPanel(about, panel && now === tab ? { panel: false } : { panel: true, tab });
  };
  /** @type {Keys} */
  const keys = {};
  for (const [key, tab] of Object.entries(TABS))
    if (tab !== "chat" || hasChat(info)) keys[key] = { label: t(`table.tab_${tab}`), do: () => showTab(tab) };
  keys.q = { label: t("table.sound"), do: mute };
  if (session.now.view.seat) {
    about.buttons.forEach((button, at) => {
      if (AUTO_KEYS[at])
        keys[AUTO_KEYS[at]] = { label: named(button.name, button.id), do: () => session.toggle(button.id) };
    });
  }
  useKeys(t("table.keys_table"), keys);
  useKeys(t("table.keys_hand"), play.keys);
}

/** @param {{ session: Session }} props */
function Autos({ session }) {
  useStore(prefs);
  const { about } = session.now;
  const on = session.on;
  return html`<div class="autos" role="group" aria-label=${t("table.autos")}>
    ${about.buttons.map(
      (
        button,
        at,
      ) => html`<button type="button" class="auto" aria-pressed=${String(on.has(button.id))} data-button=${button.id}
        title=${AUTO_KEYS[at]?.toUpperCase()} onClick=${() => session.toggle(button.id)}><span class="dot" aria-hidden="true"></span>${named(button.name, button.id)}</button>`,
    )}
  </div>`;
}

// Where no panel holds them: behind a button above the hand.
/** @param {{ session: Session }} props */
function AutoMenu({ session }) {
  const [open, setOpen] = useState(false);
  const on = useOn(session);
  return html`<div class="auto-menu">
    <button type="button" class="auto-button" aria-expanded=${String(open)} onClick=${() => setOpen(!open)} title=${t("table.autos")} aria-label=${t("table.autos")}><${AutoGlyph} />${on > 0 && html`<b class="number">${on}</b>`}</button>
    ${open && html`<${Autos} session=${session} />`}
  </div>`;
}

// Two arrows round: it goes by itself.
function AutoGlyph() {
  return html`<svg viewBox="0 0 24 24" aria-hidden="true"><path d="M19.5 10A8 8 0 0 0 5 8M4.5 14A8 8 0 0 0 19 16M4.5 4v4.5H9M19.5 20v-4.5H15" fill="none" stroke="currentColor" stroke-width="2" stroke-linecap="round" stroke-linejoin="round" /></svg>`;
}

/** @param {Session} session */
function useOn(session) {
  useStore(prefs);
  return session.on.size;
}

/**
 * Why a game does not go on: with the table as it was, or alone, where it could not be opened.
 * @param {{ session: Session }} props
 */
function Broken({ session }) {
  const { info, view } = session.now;
  return html`<div class="over-felt panel" role="alert">
    <h2>${t("table.broken")}</h2>
    <p>${named(info.problem) || t("table.broken_text")}</p>
    <p class="row">${(view || info.state === "over") && html`<${Button} href=${`/r/${info.code}`}>${t("table.replay")}<//>`}<${Button} href="/">${t("base.to_lobby")}<//></p>
  </div>`;
}
