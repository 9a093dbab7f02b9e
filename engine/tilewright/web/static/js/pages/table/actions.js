// What is asked, and the buttons that answer it: always in one row above the hand, Pass always at its end, and the claim
// window as a bar over it that everybody sees.

import { html, useEffect, useState } from "../../html.js";
import { listed, t } from "../../text.js";
import { useKeys } from "../../ui.js";
import { useHelp } from "../../prefs.js";
import { Tile } from "../../tiles.js";
import { receiver } from "./exchange.js";
import { Clock } from "./felt.js";
import { Line } from "./line.js";
import { isNews } from "./help.js";
import { level } from "./names.js";
import { Outlook, moveInOffers, usePointing } from "./pointing.js";
import { mayClaim } from "./pond.js";
import { ANSWER, PASS, isClaim, isHinted, offerName, partsOf, pickText, questionText } from "./asking.js";

const DIGITS = [..."123456789"];

// `children`: what stands above it all on a phone.
/** @param {{ session: Session, play: Play, wide: boolean, children: Child }} props */
export function Actions({ session, play, wide, children }) {
  const { view, about, claim, clock, pause, info, help, lines } = session.now;
  const last = lines.at(-1);
  const helps = useHelp(about);
  const items = itemsOf(play, session);
  const digits = digitsOf(items, about);
  /** @type {Keys} */
  const keys = {};
  items.forEach((item, at) => {
    if (digits[at]) keys[digits[at]] = { label: itemText(item, about), do: () => !item.disabled && item.do() };
  });
  useKeys(t("table.keys_answers"), keys);
  usePointing(play);
  const refused = useRefused(session, play);
  const wantsHint = helps === "on" && play.question && info.setup?.help;
  useEffect(() => {
    if (wantsHint && isNews(help.hint)) session.help("hint");
  }, [wantsHint, session.now.seq]);
  const watching = session.me === null;
  const picks = play.question && play.mode?.kind === "pick" ? play.mode : null;
  const text = watching
    ? t("table.you_watch")
    : picks
      ? pickText(picks)
      : play.question
        ? questionText(view, about, session.names)
        : waitingText(session);
  const asksStep = play.question && !play.question.phase; // what a step asks cannot be declined
  const noPass = !play.canPass && (asksStep || view.over || info.state === "over");
  const offersTile = play.question && isClaim(view, about);
  return html`<div class="actions">
    <${ClaimBar} claim=${claim} />
    <div class="actions-row">
      ${children}
      ${last && html`<p class="last-words" key=${lines.length} aria-hidden="true"><${Line} line=${last} people=${session} about=${about} /></p>`}
      <div class="question" aria-live="off">
        ${offersTile && html`<${Tile} code=${view.tile} about=${about} size="1.7rem" state=${mayClaim(session) ? "claimable" : ""} />`}
        <span class="question-text">${play.reason ? html`<span class="why" role="alert">${play.reason}</span>` : play.pointed ? html`<${Outlook} session=${session} code=${play.pointed.code} otherwise=${text} />` : text}</span>
        ${clock && clock.player === session.me && html`<${Clock} clock=${clock} />`}
        ${pause && session.awaited.length > 0 && html`<${Clock} clock=${pause} />`}
      </div>
      <div class=${`offers ${play.opened !== null ? "opened" : ""}`} role="group" aria-label=${t("table.answers")} onKeyDown=${moveInOffers}>
        ${refused.map(({ does, reason }) => html`<${Refused} about=${about} does=${does} reason=${reason} play=${play} />`)}
        ${items.map((item, at) => html`<${Item} key=${item.id} item=${item} about=${about} session=${session} digit=${digits[at]} hint=${help.hint?.found?.move} />`)}
      </div>
      ${
        !watching &&
        html`<button type="button" class=${`offer pass ${noPass ? "away" : ""} ${isHinted(help.hint?.found?.move, { move: { move: PASS } }) ? "hinted" : ""}`} disabled=${!play.canPass} onClick=${play.pass} data-offer="pass">
        <span>${t("questions.pass")}</span>${wide && html`<kbd aria-hidden="true">P</kbd>`}
      </button>`
      }
    </div>
  </div>`;
}

const READ_MS = 3000; // for which one reads why one was not asked

// The offers that are refused: those of the question; where one is not asked, for a while.
/** @param {Session} session @param {Play} play */
function useRefused(session, play) {
  const { refused, view } = session.now;
  const [, again] = useState(0);
  const left = refused === null ? 0 : refused + READ_MS - performance.now();
  useEffect(() => {
    if (left <= 0) return undefined;
    const timer = setTimeout(() => again((count) => count + 1), left);
    return () => clearTimeout(timer);
  }, [refused]);
  return view.question || left > 0 ? play.refused.offers : [];
}

/** @param {Session} session */
function waitingText(session) {
  const { about, view, info, answered } = session.now;
  if (info.state === "over" || view.over) return t("table.level_over", { level: level(about, "all") });
  if (info.state === "broken") return t("table.broken");
  if (session.now.claim) return t("table.claims_open");
  /** @param {number[]} players */
  const namesOf = (players) => listed(players.map((player) => session.nameOf(player)));
  const people = session.awaited;
  const away = people.filter((player) => !info.seats[player].here);
  if (away.length) return t("table.waits_away", { who: namesOf(away) });
  return people.length ? t("table.waits_for", { who: namesOf(people) }) : answered ? t("table.answered") : "";
}

/** @param {{ claim: Deadline | null }} props */
function ClaimBar({ claim }) {
  if (!claim) return html`<div class="claim-bar" aria-hidden="true"></div>`;
  const left = Math.max(0, claim.till - performance.now());
  return html`<div class="claim-bar on" role="progressbar" aria-label=${t("table.claims_open")}>
    <i key=${claim.till} style=${{ animationDuration: `${claim.of}ms`, animationDelay: `${left - claim.of}ms` }}></i>
  </div>`;
}

// --- what can be clicked, in order

/** @param {Play} play @param {Session} session @returns {Item[]} */
function itemsOf(play, session) {
  /** @type {Item[]} */
  const found = [];
  const { entries } = play.asked;
  if (play.opened !== null) {
    const entry = entries.find((one) => one.does === play.opened);
    if (entry?.kind === "ways")
      return [
        ...waysOf(entry, play),
        { id: "back", text: t("table.back"), quiet: true, do: () => play.setOpened(null) },
      ];
  }
  for (const entry of entries.filter((one) => one.kind === "ways")) {
    if (entry.spread) found.push(...waysOf(entry, play));
    else
      found.push({
        id: entry.does,
        label: entry.label,
        ways: entry.moves,
        wins: entry.wins,
        rare: entry.rare,
        do: () => play.setOpened(entry.does),
      });
  }
  if (play.choosers.length > 1) {
    play.choosers.forEach((entry, at) =>
      found.push({
        id: `mode ${entry.does}`,
        label: entry.label,
        pressed: play.mode === entry,
        do: () => play.setMode(at),
      }),
    );
  }
  if (play.mode?.kind === "pick") {
    const seat = play.exchange && receiver(play.exchange, session.now.view, session.now.about);
    const goesTo = seat && session.names(seat);
    found.push({
      id: "pick",
      label: goesTo ? t("table.pass_to", { who: goesTo }) : play.mode.label,
      picks: [play.picked.length, play.mode.least, play.mode.most],
      main: true,
      disabled: !play.canPick,
      do: play.sendPick,
    });
    if (play.exchange && play.picked.length)
      found.push({ id: "clear", text: t("table.take_back"), rare: true, do: play.clear });
  }
  found.sort((one, other) => placeOf(one) - placeOf(other));
  const [first] = found; // of what is offered; where one has to answer, no answer is better
  if (first?.move && first.does !== ANSWER && !first.wins && !first.rare) first.main = true;
  return found;
}

// A win is first, what is seldom done last.
/** @param {{ wins?: boolean, rare?: boolean }} one */
const placeOf = ({ wins, rare }) => (rare ? 1 : wins ? -1 : 0);

// The digit that presses each item: the one that it says itself, else the next free one from the left.
/** @param {Item[]} items @param {About} about */
function digitsOf(items, about) {
  const said = items.map((item) => itemText(item, about)).map((text) => (/^\d$/.test(text ?? "") ? text : null));
  const free = DIGITS.filter((digit) => !said.includes(digit));
  return said.map((digit) => digit ?? free.shift() ?? null);
}

/** @param {WaysEntry} entry @param {Play} play */
function waysOf(entry, play) {
  return entry.moves.map((move, at) => ({
    id: JSON.stringify(move),
    move,
    follows: at > 0,
    label: entry.label,
    does: entry.does,
    wins: entry.wins,
    rare: entry.rare,
    do: () => play.answer(move),
  }));
}

/** @param {Item} item @param {About} about */
function itemText(item, about) {
  if (!item.move) return item.label || item.text;
  const parts = partsOf(item.move, about, (seat) => seat);
  const said = parts.map((part) => part.text || part.tiles?.map((tile) => tile.code).join(" ")).join(" ");
  return [item.does === "answer" && said ? "" : item.label, said].filter(Boolean).join(" ");
}

/**
 * @param {{ item: Item, about: About, session: Session, digit: string | null, hint: Move | null | undefined }} props
 */
function Item({ item, about, session, digit, hint }) {
  const parts = item.move ? partsOf(item.move, about, session.names) : [];
  const onlyText = item.does === "answer" && parts.some((part) => part.text);
  const name = [
    "offer",
    item.wins && "wins",
    item.main && "main",
    item.quiet && "quiet",
    item.rare && "rare",
    isHinted(hint, item) && "hinted",
  ]
    .filter(Boolean)
    .join(" ");
  const pressed = item.pressed === undefined ? {} : { "aria-pressed": String(item.pressed) };
  return html`<button type="button" class=${name} disabled=${item.disabled} onClick=${item.do} data-offer=${item.does || item.id} data-move=${item.move ? JSON.stringify(item.move) : null} ...${pressed}>
    ${!onlyText && html`<span class=${item.follows && parts.some((part) => part.tiles) ? "unseen" : "label"}>${item.label || item.text}</span>`}
    ${parts.map((part) => (part.text ? html`<span>${part.text}</span>` : html`<${PartTiles} part=${part} about=${about} session=${session} />`))}
    ${item.picks && html`<span class="number counter">${item.picks[0]} / ${item.picks[1] === item.picks[2] ? item.picks[2] : `${item.picks[1]}–${item.picks[2]}`}</span>`}
    ${item.ways && html`<span class="number counter">${item.ways.length}</span>`}
    ${digit && digit !== itemText(item, about) && html`<kbd aria-hidden="true">${digit}</kbd>`}
  </button>`;
}

/** @param {{ part: { tiles: PlacedTile[] }, about: About, session: Session }} props */
function PartTiles({ part, about, session }) {
  const from = part.tiles.find((tile) => tile.seat)?.seat;
  return html`<span class="tiles">${part.tiles.map((tile) => html`<${Tile} code=${tile.code} stands=${tile.stands} about=${about} size="1.6rem" />`)}</span>
    ${from && html`<span class="small">${t("table.of", { who: session.names(from) })}</span>`}`;
}

// An offer that is not there, and why.
/** @param {{ about: About, does: string, reason: string, play: Play }} props */
function Refused({ about, does, reason, play }) {
  const name = does === PASS ? t("questions.pass") : offerName(about, does, null, null);
  return html`<button type="button" class="offer refused" aria-disabled="true" aria-label=${`${name}: ${reason}`} title=${reason} onClick=${() => play.setReason(`${name}: ${reason}`)}>${name}</button>`;
}
