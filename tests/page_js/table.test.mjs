// What the table reads out of views, without a screen.
import assert from "node:assert/strict";
import { before, test } from "node:test";
import {
  entriesOf,
  isClaim,
  isHinted,
  isPick,
  mayPick,
  partsOf,
  pickMove,
  refusalsOf,
  tilesOf,
} from "../../engine/tilewright/web/static/js/pages/table/asking.js";
import { isNews, standingText, thenText } from "../../engine/tilewright/web/static/js/pages/table/help.js";
import { partsOfLine, wordsAndTiles } from "../../engine/tilewright/web/static/js/pages/table/line.js";
import { placed, seenFrom, wonSoFar } from "../../engine/tilewright/web/static/js/pages/table/places.js";
import { withParts } from "../../engine/tilewright/web/static/js/pages/table/view-parts.js";
import { loadText, t } from "../../engine/tilewright/web/static/js/text.js";

before(() => loadText("base", "events", "questions", "table"));

const ABOUT = {
  seats: ["E", "S", "W", "N"],
  order: "counterclockwise",
  tiles: ["1m", "2m", "3m", "J"].map((code) => ({ code, name: { en: code } })),
  zones: [{ id: "discards", of: "seat", claimable: true }],
  families: {},
  asks: {},
  offers: {
    discard: { name: { en: "Discard" }, chooses: [{ name: "tile", kind: "tile" }] },
    pung: { name: { en: "Pung" }, chooses: [] },
    swap: { name: { en: "Swap" }, rare: true, chooses: [{ name: "tile", kind: "tile" }] },
    give: { name: { en: "Give" }, chooses: [{ name: "to", kind: "seat" }] },
    pass_on: { name: { en: "Pass on" }, chooses: [{ name: "tiles", kind: "tiles" }] },
  },
};
const question = (moves, picks = []) => ({ phase: "act", name: { en: "Act" }, moves, picks });

test("tiles of the hand are chosen there, other moves are buttons, and passing is apart", () => {
  const moves = [
    { move: "discard", tile: "1m" },
    { move: "discard", tile: "2m" },
    { move: "pung", group: "1m 1m 1m" },
    { move: "give", to: "S" },
    { move: "give", to: "W" },
    { move: "swap", tile: "3m" },
    { move: "pass" },
  ];
  const { entries, pass } = entriesOf(question(moves), ABOUT, ["1m", "2m", null]);
  assert.deepEqual(
    entries.map(({ kind, does, label, spread }) => [kind, does, label, spread]),
    [
      ["hand", "discard", "Discard", undefined],
      ["ways", "pung", "Pung", true],
      ["ways", "give", "Give", false],
      ["ways", "swap", "Swap", false],
    ],
  );
  assert.equal(entries[0].byCode.get("2m"), moves[1]);
  assert.equal(pass, moves.at(-1));
  assert.deepEqual(entriesOf(null, ABOUT, []), { entries: [], pass: null });
});

test("several tiles are picked as the question allows", () => {
  const pick = {
    move: "pass_on",
    choose: "tiles",
    least: 2,
    most: 2,
    tiles: ["1m", "2m", "3m"],
    allowed: ["1m 2m", "1m 1m"],
  };
  const [entry] = entriesOf(question([], [pick]), ABOUT, ["1m", "1m", "2m", "3m"]).entries;
  assert.equal(mayPick(entry, ["1m"]), true);
  assert.equal(mayPick(entry, ["2m", "2m"]), false);
  assert.deepEqual(
    [["1m"], ["2m", "1m"], ["1m", "1m"], ["2m", "3m"]].map((codes) => isPick(entry, codes)),
    [false, true, true, false],
  );
  assert.deepEqual(pickMove(entry, ["2m", "1m"]), { move: "pass_on", tiles: "1m 2m" });
  const [open] = entriesOf(question([], [{ ...pick, more: true }]), ABOUT, []).entries;
  assert.equal(isPick(open, ["2m", "3m"]), true);
});

test("a chosen text is tiles with what they stand for and where they lie, or words", () => {
  assert.deepEqual(tilesOf("1m J=2m 3m@S.1", ABOUT), [
    { code: "1m", stands: null, seat: null },
    { code: "J", stands: "2m", seat: null },
    { code: "3m", stands: null, seat: "S" },
  ]);
  assert.equal(tilesOf("1m 9z", ABOUT), null);
  assert.deepEqual(
    partsOf({ move: "give", to: "S" }, ABOUT, (seat) => `at ${seat}`),
    [{ text: "at S" }],
  );
});

test("a tile that was claimed is in question no more", () => {
  const view = { seat: "E", turn: "S", tile: "1m", discarder: "S", zones: { discards: { S: ["2m", "1m"] } } };
  assert.equal(isClaim(view, ABOUT), true);
  assert.equal(isClaim({ ...view, turn: "E" }, ABOUT), true, "nobody has taken it from the pond");
  assert.equal(isClaim({ ...view, turn: "E", zones: { discards: { S: ["2m"] } } }, ABOUT), false);
  assert.equal(isClaim({ ...view, discarder: "E" }, ABOUT), false);
  assert.equal(isClaim({ ...view, tile: null }, ABOUT), false);
});

test("refusals are for tiles of an offer that is there, and for offers that are not", () => {
  const reason = { en: "furiten" };
  const view = {
    refusals: [
      { move: "discard", tile: "1m", reason },
      { move: "pung", group: "1m 1m 1m", reason },
      { move: "pung", group: "2m 2m 2m", reason },
    ],
  };
  const { tiles, offers } = refusalsOf(view, [{ does: "discard" }]);
  assert.deepEqual([...tiles], [["discard:1m", "furiten"]]);
  assert.deepEqual(offers, [{ does: "pung", reason: "furiten" }]);
});

test("seats stand round the felt as one sees them", () => {
  const view = (...seats) => ({ seat: null, players: Object.fromEntries(seats.map((seat, at) => [seat, at])) });
  const sides = (seen) => placed(seen, ABOUT).map(({ seat, side }) => `${seat} ${side}`);
  assert.deepEqual(sides({ ...view("E", "S", "W", "N"), seat: "S" }), ["S me", "W right", "N top", "E left"]);
  assert.deepEqual(sides(view("E", "S", "W")), ["E me", "S right", "W left"]);
  assert.deepEqual(sides(view("E", "S")), ["E me", "S top"]);
  const all = view("E", "S", "W", "N");
  assert.deepEqual(
    ["E", "S", "W", "N"].map((other) => seenFrom("E", other, all, ABOUT)),
    ["me", "right", "top", "left"],
  );
  assert.equal(seenFrom("E", "S", all, { ...ABOUT, order: "clockwise" }), "left");
});

test("parts of a view are put in without changing the one that is shown", () => {
  const before = { turn: "E", zones: { hand: { E: ["1m"], S: [null] }, wall: [null] } };
  const now = withParts(before, { turn: "S", "zones/hand/S": [null, null] });
  assert.deepEqual(now, { turn: "S", zones: { hand: { E: ["1m"], S: [null, null] }, wall: [null] } });
  assert.deepEqual(before.zones.hand.S, [null]);
  assert.equal(now.zones.hand.E, before.zones.hand.E, "what is the same is shared");
  assert.deepEqual(withParts(null, { turn: "E", "zones/wall": [] }), { turn: "E", zones: { wall: [] } });
});

test("help counts tiles that are left, of those that win", () => {
  const waits = [
    { code: "1m", left: 3 },
    { code: "2m", left: 2, reason: { en: "no yaku" } },
  ];
  assert.equal(thenText({ away: 1, waits }), t("table.then_ready", { left: 3 }));
  assert.equal(thenText({ away: 1, waits: waits.slice(1) }), t("table.then_no_win"));
  assert.equal(thenText({ away: 1, tiles: waits }), t("table.then_ready", { left: 5 }));
  assert.equal(thenText({ away: 2, tiles: waits }), t("table.then_away", { count: 2, left: 5 }));
  assert.equal(thenText({ away: null }), t("table.no_form"));
  assert.equal(standingText({ away: 0 }), t("table.complete"));
  assert.equal(standingText({ away: 1, discards: [{}] }), t("table.ready_after"));
  assert.equal(standingText({ away: 1, tiles: waits, discards: [{}] }), t("table.ready_for"));
  assert.deepEqual([undefined, { busy: true }, { found: {} }, { old: {} }].map(isNews), [true, false, false, true]);
});

test("a line is told with its tiles, and of oneself as of oneself", () => {
  const people = { me: 0, nameOf: (player) => (player === 0 ? "You" : "Ann") };
  const line = (player) => ({ id: "events.draw", slots: { who: { seat: "E", player }, tiles: { tiles: ["1m"] } } });
  const [ann, own] = [1, 0].map((player) => partsOfLine(line(player), people));
  assert.ok(ann.includes("Ann") && !own.includes("Ann"));
  assert.deepEqual(
    ann.filter((part) => typeof part === "object"),
    [{ tiles: ["1m"] }],
  );
  assert.deepEqual(wordsAndTiles(line(1), people)?.tiles, ["1m"]);
});

test("a hint marks its move, and the button that its way is behind", () => {
  const hint = { move: "pung", group: "111m", hand: "2" };
  const other = { move: "pung", group: "111m", hand: "1" };
  assert.equal(isHinted(hint, { move: { hand: "2", move: "pung", group: "111m" } }), true);
  assert.equal(isHinted(hint, { ways: [other, hint] }), true);
  assert.equal(isHinted(hint, { move: other, ways: [] }), false);
  assert.equal(isHinted(null, { ways: [other] }), false);
});

test("hands that were won are shown while another one is open", () => {
  const [won, open, dead] = ["won", "open", "dead"].map((state, at) => ({ hand: at + 1, state, total: 25 }));
  assert.deepEqual(wonSoFar({ hands: { E: [won, open] } }, "E"), [won]);
  assert.deepEqual(wonSoFar({ hands: { E: [won, dead] } }, "E"), []);
  assert.deepEqual(wonSoFar({}, "E"), []);
});
