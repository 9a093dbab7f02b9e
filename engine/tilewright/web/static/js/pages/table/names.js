// Names: what the ruleset calls its things, and what the page calls them where the ruleset has no names.

import { has, listed, named, plain, t } from "../../text.js";

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

// What a table is called: by its host, or as its ruleset.
export function titleOf(info, about) {
  return info.name || named(about?.name, info.spec?.ruleset?.id || info.spec?.ruleset?.name || info.code);
}

// What a mark or an answer says, in words: a suit by its name.
export function valueText(value, about) {
  return Array.isArray(value)
    ? value.map((one) => valueText(one, about)).join(" ")
    : named(about?.families?.[value], value);
}

// What stands behind the name of a mark: a seat as who sits there.
export function markText(mark, value, about, names) {
  if (value === true) return "";
  return mark.is === "seat" ? `${t("base.colon")}${listed([value].flat().map(names))}` : ` ${valueText(value, about)}`;
}

// Whether a line of a score counts only in the measure that most lines of the ruleset do: the first one.
export function isFirst(about, { values = {} }) {
  const [first] = Object.keys(about.measures || {});
  return Object.keys(values).every((measure) => measure === first);
}
