// The card next to the table, drawn: its lines come from the rulebook, how they are drawn from the server; the nearest ones
// are lit, with their tiles, and those that can no longer be made are grey. Colours are told by lines as well: nothing under
// the first suit, one under the second, two under the third, dots under any suit.

import { html, useEffect, useRef } from "../../html.js";
import { named, number, t } from "../../text.js";
import { api } from "../../net.js";
import { loadStyle } from "../../main.js";
import { prefs } from "../../prefs.js";
import { useStore } from "../../store.js";
import { Tile } from "../../tiles.js";
import { Won, countWins, useWins } from "../../wins.js";
import { hasCard } from "./panel.js";

const SIGNS = { x: "×", "-": "−" };
const MOST_LIT = 3; // lines

// The section of a rulebook that shows cards as the card's own text; null where it is none.
export function textOfCard(section) {
  const lines = [];
  for (const { block, text, rows } of section?.blocks || []) {
    if (block === "heading") lines.push(lines.length ? `“${text}”` : text);
    if (block === "table") lines.push(...rows.map(([line]) => line));
  }
  return lines.length ? `${lines.join("\n")}\n` : null;
}

export async function drawnCard(section) {
  const text = textOfCard(section);
  const card = text && (await api("POST", "/api/cards/draw", { text }));
  const lines = card?.groups?.flatMap((group) => group.lines) || [];
  return lines.length && lines.every((line) => line.good) ? card : null;
}

// The hands of the card that are nearest to the own one, asked for again whenever that changes; null where there is no
// advice. What was found stays until there is news.
export function useNearest(session) {
  const { help: helps } = useStore(prefs);
  const { about, info, view, help, result, seq } = session.now;
  useEffect(() => void (hasCard(about) && loadStyle("card-panel")), [about.digest]);
  const known = useRef("");
  const found = help.nearest?.found || help.nearest?.old;
  useEffect(() => void (result && session.me !== null && countWins(result, session.me, `${session.code}/${result.hand}`)), [result]);
  const allowed = Boolean(hasCard(about) && helps !== "off" && info.setup?.help && info.state === "playing" && view.seat && !view.over && !result);
  const held = allowed ? JSON.stringify([view.hand, view.zones.hand?.[view.seat], Object.values(view.melds)]) : "";
  useEffect(() => {
    if (!allowed || help.nearest?.busy || (known.current === held && found)) return;
    known.current = held;
    session.help("nearest");
  }, [held, allowed, seq]);
  return allowed && found?.hands ? found : null;
}

// The card. `near`: what `useNearest` found.
export function Card({ card, near, about }) {
  const box = useRef(null);
  const wins = useWins(card.id);
  const lit = near?.hands.slice(0, MOST_LIT) || [];
  const out = new Set(near?.dead.map((one) => one.line));
  const first = lit[0]?.line;
  useEffect(() => box.current?.querySelector(".first")?.scrollIntoView({ block: "nearest" }), [first]);
  return html`<article class="small-card" aria-label=${card.name} ref=${box}>
    <h2>${card.name}</h2>
    ${near && !lit.length && html`<p class="soft">${t("table.no_line")}</p>`}
    ${card.groups.map((group) => html`<section>
      ${group.title && html`<h3>${group.title}</h3>`}
      <ul>${group.lines.map((line) => html`<${Line} line=${line} near=${lit.find((one) => one.line === line.text)} first=${line.text === first} out=${out.has(line.text)} won=${wins[line.text]} about=${about} />`)}</ul>
    </section>`)}
  </article>`;
}

function Line({ line, near, first, out, won, about }) {
  const state = near ? `near ${first ? "first" : ""}` : out ? "out" : "";
  return html`<li class=${`card-line ${state}`} data-line=${line.text}>
    <span class="card-sets" role="img" aria-label=${named(line.spoken)}>${line.patterns.map((parts, at) => html`${at > 0 && html`<i>/</i> `}${parts.map(Part)}`)}</span>
    <b class="worth number" title=${t(line.exposed ? "table.card_open" : "table.card_closed")}>${won > 0 && html`<${Won} count=${won} />`}${line.exposed ? "X" : "C"} ${number(line.value)}</b>
    <span class="remark small soft">${near && html`<b class="away">${t("table.away_short", { count: near.missing })}</b>`}${near && line.remark && t("base.comma")}${named(line.remark)}${out && html`<span class="unseen">${t("table.line_out")}</span>`}</span>
    ${near && html`<${NearHand} hand=${near} about=${about} />`}
  </li>`;
}

function Part(part) {
  if (part.sign) return html`<span class="card-set">${SIGNS[part.sign] ?? part.sign}</span>`;
  return html`<span class=${`card-set ${part.joined ? "joined" : ""} ${part.colour ? `suit-${part.colour}` : ""}`}>${part.set}</span>`;
}

// All tiles of a hand, set by set: those that one has, wild ones as themselves, and outlines of those that are missing.
export function NearHand({ hand, about }) {
  return html`<span class="near-hand">
    ${(hand.groups || []).map((group) => html`<span class="tiles">
      ${group.map(({ code, has, by }) => html`<${Tile} code=${by} about=${about} state=${has ? "" : "lacking"} />`)}
    </span>`)}
  </span>`;
}

// On a phone: the nearest hand in one line, which opens the card.
export function NearestLine({ near, about, onOpen }) {
  const hand = near?.hands[0];
  if (!hand) return null;
  return html`<button type="button" class="nearest-line" onClick=${onOpen} aria-label=${t("table.nearest_line", { count: hand.missing, line: hand.line })}>
    <b>${t("table.away_short", { count: hand.missing })}</b><${NearHand} hand=${hand} about=${about} />
  </button>`;
}
