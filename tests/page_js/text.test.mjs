import assert from "node:assert/strict";
import { before, test } from "node:test";
import {
  has,
  langOf,
  language,
  listed,
  loadText,
  named,
  number,
  pieces,
  setLanguage,
  signed,
  t,
  unitOf,
} from "../../engine/tilewright/web/static/js/text.js";

before(async () => {
  await loadText("base", "table", "lobby", "results");
  await setLanguage("en");
});

test("blanks are filled, and forms chosen by their number", () => {
  assert.equal(t("base.minutes", { count: 1 }), t("base.minutes", { count: "1" }));
  assert.notEqual(t("table.away_tiles", { count: 1 }), t("table.away_tiles", { count: 2 }));
  assert.deepEqual(
    pieces("base.stands_for", { tile: { code: "J" }, other: "E" }).filter((one) => typeof one === "object"),
    [{ code: "J" }],
  );
  assert.match(t("base.stands_for", { tile: "J" }), /\{other\}/);
});

test("a message that is not there is its key", () => {
  assert.equal(t("base.nothing_of_the_kind"), "base.nothing_of_the_kind");
  assert.equal(has("base.nothing_of_the_kind"), false);
  assert.equal(has("base.play"), true);
});

test("names are those of the language, then English, then any, then the id in words", async () => {
  const names = { en: "Pung", ja: "ポン" };
  assert.equal(named(names, "pung"), "Pung");
  assert.equal(named({ ja: "ポン" }, "pung"), "ポン");
  assert.equal(named(null, "seven_pairs"), "seven pairs");
  assert.equal(named("Anna"), "Anna");
  assert.deepEqual([langOf(names), langOf({ ja: "ポン" }), langOf("Anna"), langOf(null)], [null, "ja", null, null]);
  await setLanguage("ja");
  assert.equal(named(names), "ポン");
  assert.equal(langOf({ en: "Pung" }), "en");
  await setLanguage("en");
});

test("the language changes once its messages are there, also those that are asked for meanwhile", async () => {
  const changing = setLanguage("zh");
  const loading = loadText("learn");
  assert.equal(language.value, "en");
  await Promise.all([changing, loading]);
  assert.equal(language.value, "zh");
  assert.equal(has("learn.title"), true);
  assert.equal(document.documentElement.lang, "zh-Hant");
  await setLanguage("no language");
  assert.equal(language.value, "en");
});

test("texts of rulesets may be in another language than the page", async () => {
  await setLanguage("de");
  assert.equal(document.documentElement.lang, "en");
  assert.equal(t("base.minutes", { count: 1 }), "about 1 min");
  const names = { en: "Pung", de: "Drilling" };
  assert.deepEqual(
    [named(names), langOf(names), named({ en: "Pung" }), langOf({ en: "Pung" })],
    ["Drilling", "de", "Pung", null],
  );
  await setLanguage("zh-Hans");
  assert.deepEqual([document.documentElement.lang, named({ en: "Pung", zh: "碰" })], ["zh-Hant", "碰"]);
  await setLanguage("en");
});

test("numbers have a minus as long as a plus, and units their form", () => {
  assert.deepEqual([number(-1200.5), number("–"), number(null)], ["−1,200.5", "–", ""]);
  assert.deepEqual([signed(3), signed(0), signed(-3)], ["+3", "0", "−3"]);
  const about = { units: { points: { en: "point|points" } }, measures: { fan: { en: "fan" } } };
  assert.deepEqual([unitOf(about, "points", 1), unitOf(about, "points", 2)], ["point", "points"]);
  assert.deepEqual([unitOf(about, "fan", 2), unitOf({}, "base_points", 1)], ["fan", "base points"]);
  assert.equal(listed(["a", "", null, "b"]), `a${t("base.comma")}b`);
});
