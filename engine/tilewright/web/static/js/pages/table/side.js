// The panel at the side: help, rulebook, card, what happened, and how the page is to look and sound.

import { html, useEffect, useMemo, useRef } from "../../html.js";
import { language, named, number, t, unitOf } from "../../text.js";
import { prefs, setPrefs, useHelp } from "../../prefs.js";
import { useStore } from "../../store.js";
import { Tile, Tiles, tileName } from "../../tiles.js";
import { Button, Choice, Tabs, Waiting, later, useLoaded } from "../../ui.js";
import { NearHand } from "./card.js";
import { Chat, hasChat } from "./chat.js";
import { Line, doerOf, wordsAndTiles } from "./line.js";
import { Dot } from "./players.js";
import { offerName, partsOf } from "./asking.js";
import { isNews, standingText, thenText } from "./help.js";
import { bookOf } from "./rulebook.js";
import { hasCard, setPanel } from "./panel.js";

const Card = later(() => import("./drawn-card.js"), "Card", Waiting);
const OptionsTab = later(() => import("./options.js"), "OptionsTab", Waiting);
const Book = later(() => import("../../book.js"), "Book", Waiting);
const OwnRules = later(() => import("./own-rules.js"), "OwnRules", Waiting);

/** @param {{ session: Session, play: Play, tab: string, near: Advice | null }} props */
export function Side({ session, play, tab, near }) {
  const { about, info } = session.now;
  const tabs = [
    ...(hasCard(about) ? [["card", t("table.tab_card")]] : []),
    ["help", t("table.tab_help")],
    ["rules", t("table.tab_rules")],
    ["log", t("table.tab_log")],
    ...(hasChat(info) ? [["chat", t("table.tab_chat")]] : []),
    ["options", t("table.tab_options")],
  ];
  const shown = tabs.some(([id]) => id === tab) ? tab : "help";
  const Part = { help: HelpTab, rules: RulesTab, card: CardTab, log: LogTab, chat: Chat, options: OptionsTab }[shown];
  return html`<aside class="side" aria-label=${t("table.side")}>
    <div class="side-head">
      <${Tabs} tabs=${tabs} value=${shown} onChange=${(/** @type {string} */ id) => setPanel(about, { tab: id })} label=${t("table.side")} />
      <${Button} quiet icon aria-label=${t("base.close")} onClick=${() => setPanel(about, { panel: false })}>✕<//>
    </div>
    <div class="side-body" role="tabpanel" tabindex="0"><${Part} session=${session} play=${play} info=${info} about=${about} near=${near} /></div>
  </aside>`;
}

// --- help

/** @param {{ session: Session, play: Play, info: TableInfo, about: About }} props */
function HelpTab({ session, play, info, about }) {
  const helps = useHelp(about);
  const { help, view } = session.now;
  const allowed = info.setup?.help && view.seat && helps !== "off";
  useEffect(() => {
    if (!allowed || helps !== "on" || !play.question) return;
    for (const what of ["hint", "waits"]) if (isNews(help[what])) session.help(what);
  }, [allowed, helps, Boolean(play.question), session.now.seq]);
  return html`<div class="stack">
    <${Choice} label=${t("table.help_mode")} value=${helps} onChange=${(/** @type {string} */ value) => setPrefs({ help: /** @type {Prefs["help"]} */ (value) })}
      options=${["on", "demand", "off"].map((one) => [one, t(`table.help_${one}`)])} />
    ${!info.setup?.help && html`<p class="note-box">${t("table.help_not_here")}</p>`}
    ${
      allowed &&
      html`
      <${HelpPart} title=${t("table.hint")} ask=${() => session.help("hint")} state=${help.hint} disabled=${!play.question} always=${helps === "on"}>
        ${(/** @type {Advice} */ found) => html`<${Hint} found=${found} session=${session} />`}
      <//>
      <${HelpPart} title=${t("table.waits")} ask=${() => session.help("waits")} state=${help.waits} always=${helps === "on"}>
        ${(/** @type {Advice} */ found) => html`<${Waits} found=${found} about=${about} />`}
      <//>
      <${HelpPart} title=${t("table.nearest")} ask=${() => session.help("nearest")} state=${help.nearest}>
        ${(/** @type {Advice} */ found) => html`<${Nearest} found=${found} about=${about} />`}
      <//>
    `
    }
    ${view.refusals?.length > 0 && html`<section><h2 class="part-title">${t("table.why_not")}</h2><${WhyNot} session=${session} /></section>`}
  </div>`;
}

// `always`: it is asked for by itself.
/**
 * @param {{ title: Child, ask: () => void, state: HelpState | undefined, disabled: boolean, always?: boolean,
 *   children: (found: Advice) => Child }} props
 */
function HelpPart({ title, ask, state, disabled, always = false, children }) {
  return html`<section class="help-part">
    <div class="row"><h2 class="grow">${title}</h2>${!always && html`<${Button} onClick=${ask} disabled=${disabled || state?.busy}>${t(state?.found ? "table.ask_again" : "table.show")}<//>`}</div>
    ${state?.busy && !state.old && html`<p class="soft small">${t("base.loading")}</p>`}
    ${state?.error && html`<p class="wrong">${named(state.error.names) || state.error.message}</p>`}
    ${state?.found && html`<div role="status">${children(state.found)}</div>`}
    ${!state?.found && state?.old && html`<div class="old"><p class="small">${t("table.help_old")}</p>${children(state.old)}</div>`}
  </section>`;
}

/** @param {{ found: Advice, session: Session }} props */
function Hint({ found, session }) {
  const { about, view } = session.now;
  if (!found.move) return html`<p class="soft">${named(found.reason)}</p>`;
  const parts = partsOf(found.move, about, session.names);
  return html`<p class="row hint">
    <b>${offerName(about, found.move.move, view.question, Object.keys(found.move)[1])}</b>
    ${parts.map((part) => (part.text ? html`<span>${part.text}</span>` : html`<${Tiles} codes=${part.tiles?.map((tile) => tile.code)} about=${about} size="1.9rem" />`))}
  </p><p class="small">${named(found.reason)}</p>`;
}

/** @param {{ found: Advice, about: About }} props */
function Waits({ found, about }) {
  if (found.problem) return html`<p class="soft">${named(found.problem)}</p>`;
  const tiles = found.tiles || [];
  return html`<div class="stack">
    <p>${standingText(found)}</p>
    ${tiles.length > 0 && html`<${WaitTiles} waits=${tiles} about=${about} unit=${found.unit} /><${Reasons} waits=${tiles} about=${about} />`}
    <${Barred} reasons=${found.barred} />
    ${!tiles.length && (found.useful ?? []).length > 0 && html`<p class="small soft">${t("table.useful")}</p><${WaitTiles} waits=${found.useful} about=${about} />`}
    ${
      (found.discards ?? []).length > 0 &&
      html`<p class="small soft">${t("table.put_away")}</p>
      <ul class="discard-list">
        ${found.discards?.slice(0, MOST_DISCARDS).map(
          (one) => html`<li class="row">
          <${Tile} code=${one.code} about=${about} size="1.9rem" />
          <span class="small soft">${thenText(one)}</span>
          ${(one.waits ?? []).length > 0 && html`<${WaitTiles} waits=${one.waits} about=${about} unit=${found.unit} small /><${Reasons} waits=${one.waits} about=${about} />`}
          <${Barred} reasons=${one.barred} />
        </li>`,
        )}
      </ul>`
    }
  </div>`;
}

const MOST_DISCARDS = 8;

// Why some of the waits, which are grey, do not win.
/** @param {{ waits: Wait[], about: About }} props */
function Reasons({ waits, about }) {
  const reasons = new Map();
  for (const { code, reason } of waits)
    if (reason) reasons.set(named(reason), [...(reasons.get(named(reason)) || []), code]);
  return [...reasons].map(
    ([said, codes]) =>
      html`<p class="small wrong reason" key=${said}>${codes.length < waits.length && html`<${Tiles} codes=${codes} about=${about} size="1.2rem" /> `}${said}</p>`,
  );
}

// Why a hand that waits cannot win on what others throw.
/** @param {{ reasons: Words[] | undefined }} props */
function Barred({ reasons }) {
  return (reasons || []).map(
    (reason) => html`<p class="small wrong barred">${t("table.barred", { reason: named(reason) })}</p>`,
  );
}

/** @param {{ waits: Wait[], about: About, unit?: string, small?: boolean }} props */
export function WaitTiles({ waits, about, unit, small }) {
  return html`<span class="wait-tiles">
    ${waits.map(
      (
        wait,
      ) => html`<span class=${`wait ${wait.reason ? "no" : ""}`} title=${[tileName(about, wait.code), named(wait.reason)].filter(Boolean).join(": ")}>
      <${Tile} code=${wait.code} about=${about} size=${small ? "1.6rem" : "1.9rem"} />
      <span class="number small">×${wait.left}</span>
      ${wait.value !== undefined && wait.value !== null && html`<span class="number small soft">${number(wait.value)} ${unit ? unitOf(about, unit, wait.value) : ""}</span>`}
    </span>`,
    )}
  </span>`;
}

const MOST_NEAR = 12;

/** @param {{ found: Advice, about: About }} props */
function Nearest({ found, about }) {
  if (found.problem) return html`<p class="soft">${named(found.problem)}</p>`;
  const hands = (found.hands || []).slice(0, MOST_NEAR);
  if (found.forms?.length) return html`<${NearForms} forms=${found.forms} about=${about} />`;
  if (!hands.length) return html`<p class="soft">${named(found.reason) || t("table.no_form")}</p>`;
  return html`<ol class="nearest">
    ${hands.map(
      (hand) => html`<li>
      <div class="row">${hand.of_hand && html`<span class="of-hand" title=${t("table.hand_open", { number: hand.of_hand })}>${hand.of_hand}</span>`}<code class="grow">${hand.line}</code><${Missing} count=${hand.missing} />${hand.value !== null && hand.value !== undefined && html`<b class="number">${number(hand.value)}</b>`}</div>
      <${NearHand} hand=${hand} about=${about} />
    </li>`,
    )}
  </ol>`;
}

/** @param {{ count: number }} props */
function Missing({ count }) {
  return html`<span class="badge">${count ? t("table.missing", { count }) : t("table.complete_short")}</span>`;
}

// Where no card is played: how far the hand is from each form that hands have.
/** @param {{ forms: NonNullable<Advice["forms"]>, about: About }} props */
function NearForms({ forms, about }) {
  return html`<ol class="nearest">
    ${forms.map(
      (one) => html`<li>
      <div class="row"><span class="grow">${named(about.forms?.[one.form], one.form)}</span><${Missing} count=${one.away} /></div>
      <${WaitTiles} waits=${one.tiles.filter((tile) => tile.left).slice(0, MOST_NEAR)} about=${about} small />
    </li>`,
    )}
  </ol>`;
}

/** @param {{ session: Session }} props */
function WhyNot({ session }) {
  const { about, view } = session.now;
  return html`<ul class="why-not">
    ${view.refusals.map(
      ({ move, reason, choices, ...choice }) => html`<li>
      <b>${offerName(about, move, view.question, null)}</b>
      ${(choices || [choice]).slice(0, 6).map((one) => partsOf({ move, ...one }, about, session.names).map((part) => (part.text ? ` ${part.text}` : html` <${Tiles} codes=${part.tiles?.map((tile) => tile.code)} about=${about} size="1.5rem" />`)))}
      <div class="small">${named(reason)}</div>
    </li>`,
    )}
  </ul>`;
}

// --- rulebook and card

/** @param {{ session: Session, about: About }} props */
function RulesTab({ session, about }) {
  const lang = useStore(prefs).lang;
  const { value, error } = useLoaded(`${about.digest} ${lang} book`, () => bookOf(session));
  const own = session.now.info.own.length > 0 && html`<${OwnRules} session=${session} />`;
  if (error) return html`${own}<p class="wrong">${error.message}</p>`;
  return html`${own}${value ? html`<${Book} book=${value} about=${about} contents only=${(/** @type {Section} */ section) => !isCard(section)} />` : html`<${Waiting} />`}`;
}

/** @param {{ session: Session, about: About, near: Advice | null }} props */
function CardTab({ session, about, near }) {
  useStore(prefs);
  const { what, load } = cardOf(session);
  const { value, error } = useLoaded(what, load);
  if (error) return html`<p class="wrong">${error.message}</p>`;
  if (!value) return html`<${Waiting} />`;
  if (value.card) return html`<${Card} card=${value.card} near=${near} about=${about} />`;
  return html`<${Book} book=${value.book} about=${about} only=${isCard} />`;
}

/** @param {Section} section */
const isCard = (section) => section.id === "card";

// What is to be loaded, and how: the card as it is drawn, the rulebook's section of it where it cannot be.
/** @param {Session} session */
export function cardOf(session) {
  return { what: `${session.now.about.digest} ${document.documentElement.lang} card`, load: () => loadCard(session) };
}

/** @param {Session} session */
async function loadCard(session) {
  const [book, { drawnCard }] = await Promise.all([bookOf(session), import("./drawn-card.js")]);
  return { book, card: await drawnCard(book.sections.find(isCard)).catch(() => null) };
}

// --- the log

/** @param {{ session: Session, about: About }} props */
export function LogTab({ session, about }) {
  const { info, lines } = session.now;
  const end = useRef(/** @type {HTMLElement | null} */ (null));
  const drawn = useMemo(() => new Map(), [about, info, useStore(language)]); // what was said stays as it is
  useEffect(() => end.current?.scrollIntoView({ block: "nearest" }), [lines.length]);
  /** @param {Told} line @param {number} at */
  const draw = (line, at) => {
    const newest = at === lines.length - 1;
    if (!newest && drawn.has(line)) return drawn.get(line);
    const item = html`<${LogLine} key=${keyOf(line)} line=${line} newest=${newest} session=${session} about=${about} />`;
    if (!newest) drawn.set(line, item);
    return item;
  };
  return html`<ol class="log">
    ${lines.map(draw)}
    <li ref=${end} aria-hidden="true"></li>
  </ol>`;
}

const keys = new WeakMap(); // of lines, which move up when the oldest are forgotten
let counted = 0;
/** @param {Told} line */
function keyOf(line) {
  if (!keys.has(line)) keys.set(line, ++counted);
  return keys.get(line);
}

const STRONG = new Set(["meld", "declare"]);

// Whose it is by colour, what was done in words, with which tiles as pictures.
/** @param {{ line: Told, newest: boolean, session: Session, about: About }} props */
function LogLine({ line, newest, session, about }) {
  const apart = wordsAndTiles(line, session);
  const said = apart ? apart.words : html`<${Line} line=${line} people=${session} about=${about} size="1.3rem" />`;
  const tiles = apart?.tiles ?? [];
  const player = doerOf(line) ?? null;
  return html`<li class=${[line.kind, STRONG.has(line.kind ?? "") && "strong", newest && "newest"].filter(Boolean).join(" ")}>
    ${player !== null && html`<${Dot} player=${player} />`}<span class="said">${said}</span>
    ${tiles.length > 0 && html`<span class="tiles">${tiles.map((code, at) => html`<${Tile} key=${at} code=${code} about=${about} size="1.3rem" />`)}</span>`}
  </li>`;
}
