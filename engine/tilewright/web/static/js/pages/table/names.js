// Names: what the ruleset calls its things, and what the page calls them where the ruleset has no names.

import { rulesTitle } from "../../own-rules.js";
import { has, listed, named, plain, t } from "../../text.js";

// What a part of a match is called; the page's own word where the ruleset has none.
/** @param {About} about @param {string} id */
export function level(about, id) {
  const own = about.levels?.[id];
  return own ? named(own) : t(`table.level_${id}`);
}

/** @param {Names | null | undefined} names @param {string} id */
export function isNamed(names, id) {
  const found = Object.values(names || {});
  return found.some((text) => text !== plain(id) && text !== id);
}

// A place at the table: the pot, a wind, or what the rules call it.
/** @param {string} seat */
export function placeText(seat) {
  if (seat === "pot") return t("table.pot");
  return has(`table.at_${seat}`) ? t(`table.at_${seat}`) : String(seat ?? "");
}

// What a table is called: by its host, or as its ruleset.
/** @param {TableInfo} info @param {About | null} about */
export function titleOf(info, about) {
  return info.name || rulesOf(info, about);
}

/** @param {TableInfo} info @param {About | null} about */
export function rulesOf(info, about) {
  return rulesTitle(info, named(about?.name, info.spec?.ruleset?.id || info.spec?.ruleset?.name || info.code));
}

// What a mark or an answer says, in words: a suit by its name.
/** @param {MarkValue} value @param {About} about @returns {string} */
export function valueText(value, about) {
  return Array.isArray(value)
    ? value.map((one) => valueText(one, about)).join(" ")
    : named(about.families[String(value)], String(value ?? ""));
}

// What stands behind the name of a mark: a seat as who sits there.
/** @param {Mark} mark @param {MarkValue} value @param {About} about @param {(seat: string) => string} names */
export function markText(mark, value, about, names) {
  if (value === true) return "";
  return mark.is === "seat"
    ? `${t("base.colon")}${listed([value].flat().map((seat) => names(String(seat))))}`
    : ` ${valueText(value, about)}`;
}

// Whether a line of a score counts only in the measure that most lines of the ruleset do: the first one.
/** @param {About} about @param {{ values?: Record<string, number> }} parts */
export function isFirst(about, { values = {} }) {
  const [first] = Object.keys(about.measures || {});
  return Object.keys(values).every((measure) => measure === first);
}
