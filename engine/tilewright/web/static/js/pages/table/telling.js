// Telling: events in, the lines out in which they are told: words for the ear, words and tiles for the eye.
//
// What an offer does is told in one line with it. What everybody sees anyway (shuffling, the deal) is passed over. A line
// is {parts: [text | {tile} | {tiles}], seat, kind, sound}; `lineText` makes words of it. Knows no screen.

import { has, named, number, plain, t, tAs } from "../../text.js";
import { tileName } from "../../tiles.js";

const WITH_OFFER = new Set(["move", "meld", "swap"]);

// `names`: seat -> who sits there; `whom`: the same of who does not do something; `me`: the own seat.
export function tell(events, about, names, me, whom = names) {
  const lines = [];
  let doing = null;
  for (const event of events) {
    if (doing && WITH_OFFER.has(event.event) && event.seat === doing.event.seat) {
      doing.line.parts.push(...tilesPart(event));
      doing.line.sound = event.event === "meld" ? "claim" : "discard";
      doing = null;
      continue;
    }
    const line = TOLD[event.event]?.(event, { about, names, whom, me });
    if (line) lines.push({ seat: event.seat, kind: event.event, ...line });
    if (event.event === "take") doing = { event, line: lines.at(-1) };
    else if (event.event !== "mark") doing = null;
  }
  return lines;
}

export function lineText(line, about) {
  return line.parts
    .map((part) => (typeof part === "string" ? part : part.tiles.map((code) => tileName(about, code)).join(", ")))
    .join(" ")
    .replace(/\s+([,.:：])/g, "$1");
}

function tilesPart(event) {
  if (event.tiles) return [{ tiles: event.tiles }];
  return event.count ? [t("table.tell_count", { count: event.count })] : [];
}

const zoneName = (about, id) => named(about.zones.find((zone) => zone.id === id)?.name, id);

const TOLD = {
  hand: (event, { about }) => ({ parts: [t("table.tell_hand", { level: level(about, "hand"), number: event.number })], sound: "deal" }),

  take: (event, { about, names }) => ({ parts: [`${names(event.seat)}:`, named(about.offers[event.offer]?.name, event.offer)] }),

  draw: (event, { names, me }) => event.seat === me && event.tiles && { parts: [tAs(event.seat === me, "table.tell_draws", { who: names(event.seat) }), ...tilesPart(event)], sound: "draw" },

  move(event, { about, names, whom, me }) {
    const [zone, to] = event.to.split("@");
    const [, from] = event.from.split("@");
    if (from === undefined) return to === me && event.tiles && event.tiles.length < 5 && { parts: [tAs(to === me, "table.tell_gets", { who: names(to) }), ...tilesPart(event)] };
    if (from === to && !event.tiles) return null;
    if (from !== to && to !== undefined) return { parts: [tAs(from === me, "table.tell_passes", { who: names(from), to: whom(to) }), ...tilesPart(event)] };
    if (from === to && zone === "hand") return { parts: [tAs(from === me, "table.tell_gets", { who: names(from) }), ...tilesPart(event)] };
    return { parts: [tAs(from === me, "table.tell_puts", { who: names(from), zone: zoneName(about, zone) }), ...tilesPart(event)], sound: "discard" };
  },

  swap: (event, { names, me }) => event.tiles && { parts: [tAs(event.seat === me, "table.tell_swaps", { who: names(event.seat) }), { tiles: event.tiles }], sound: "claim" },
  meld: (event, { names, me }) => ({ parts: [tAs(event.seat === me, "table.tell_melds", { who: names(event.seat) }), ...tilesPart(event)], sound: "claim" }),
  reveal: (event, { names, me }) => event.tiles && { parts: [tAs(event.seat === me, "table.tell_shows", { who: names(event.seat) }), ...tilesPart(event)] },

  mark(event, { about, names }) {
    const mark = about.marks[event.name];
    if (!mark || !isNamed(mark.name, event.name) || !event.value || (Array.isArray(event.value) && !event.value.length)) return null;
    return { parts: [`${event.seat ? `${names(event.seat)}: ` : ""}${named(mark.name)}${markText(mark, event.value, about, names)}`] };
  },

  roll: (event, { names, me }) => ({ parts: [t("table.tell_rolls", { who: names(event.seat), what: plain(event.name), value: valueText(event.value) })] }),

  told(event, { about, names }) {
    const said = Object.entries(event.answers).map(([seat, { move: _, ...answer }]) => `${names(seat)} ${Object.entries(answer).map(([name, value]) => answerText(about, name, value)).join(", ")}`);
    return { parts: [`${named(event.name)}: ${said.join("; ")}`] };
  },

  retire: (event, { names, me }) => ({ parts: [tAs(event.seat === me, "table.tell_retires", { who: names(event.seat) })] }),

  declare(event, { about, names, whom, me }) {
    const how = event.discarder ? t("table.tell_from", { who: whom(event.discarder) }) : event.self_draw ? t("table.tell_drawn") : "";
    const worth = event.total === undefined || event.total === null ? "" : `${number(event.total)} ${named(about.measures[event.unit], event.unit)}`;
    return { parts: [tAs(event.seat === me, "table.tell_wins", { who: names(event.seat) }), ...tilesPart(event), [how, worth].filter(Boolean).join(": ")], sound: "win" };
  },

  pay(event, { about, names, whom, me }) {
    const name = payName(about, event.payments, event.line);
    const said = tAs(event.from === me, "table.tell_pays", { who: names(event.from), to: whom(event.to), amount: number(event.amount) });
    return event.amount !== 0 && { parts: [name ? t("table.tell_pays_for", { said, name }) : said] };
  },
  problem: (event) => ({ parts: [t("table.tell_problem", { says: event.says || "" })] }),
  result: (event, { about }) => !event.winners?.length && { parts: [t("table.tell_nobody", { how: endName(about, event.ended) })], sound: "over" },
  over: (event, { about }) => ({ parts: [t("table.tell_over", { level: level(about, "all") })], sound: "over" }),
};

// What a line of payments is called; nothing where it has no name.
export function payName(about, id, line) {
  return named(about.payments[id]?.[line]);
}

export function endName(about, ended) {
  return named(about.phases[ended]?.name, ended);
}

// What a part of a match is called; the page's own word where the ruleset has none.
export function level(about, id) {
  const own = about.levels?.[id];
  return own ? named(own) : t(`table.level_${id}`);
}

export function isNamed(names, id) {
  const found = Object.values(names || {});
  return found.some((text) => text !== plain(id) && text !== id);
}

// A place at the table: the pot, a wind, or what the rules call it.
export function placeText(seat) {
  if (seat === "pot") return t("table.pot");
  return has(`table.at_${seat}`) ? t(`table.at_${seat}`) : String(seat ?? "");
}

// What a mark or an answer says, in words: a suit by its name.
export function valueText(value, about) {
  return Array.isArray(value) ? value.map((one) => valueText(one, about)).join(" ") : named(about?.families?.[value], value);
}

// What stands behind the name of a mark: a seat as who sits there.
export function markText(mark, value, about, names) {
  if (value === true) return "";
  return mark.is === "seat" ? `: ${[value].flat().map(names).join(", ")}` : ` ${valueText(value, about)}`;
}

function answerText(about, name, value) {
  if (value === "yes") return t("table.yes");
  if (value === "no") return t("table.no");
  return valueText(value, about);
}
