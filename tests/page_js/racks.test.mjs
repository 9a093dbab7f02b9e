// Racks: which tiles of the hand stand on which.
import assert from "node:assert/strict";
import { test } from "node:test";
import { movedTo, onRacks } from "../../engine/tilewright/web/static/js/pages/table/racks.js";

const open = (laid = 0) => ({ open: true, laid });
const DONE = { open: false, laid: 14 };
const codes = (text) => text.split(" ").filter(Boolean);
const racksOf = (...texts) => texts.map(codes);

test("a deal is divided evenly, in order", () => {
  assert.deepEqual(onRacks([], codes("1m 2m 3m 4m 5m"), [open(), open()]), racksOf("1m 2m 3m", "4m 5m"));
  assert.deepEqual(onRacks([], codes("1m 2m 3m"), [open()]), racksOf("1m 2m 3m"));
});

test("tiles stay where they are put; what comes fills the rack that is short", () => {
  const racks = racksOf("1m 2m 3m", "4m 5m");
  assert.deepEqual(onRacks(racks, codes("1m 3m 4m 5m 9m 9m"), [open(), open()]), racksOf("1m 3m 9m", "4m 5m 9m"));
  assert.deepEqual(onRacks(racks, codes("1m 2m 3m 4m 5m 9m"), [open(), open(3)]), racksOf("1m 2m 3m 9m", "4m 5m"));
  assert.deepEqual(onRacks(racksOf("1m 1m", "1m"), codes("1m 1m"), [open(), open()]), racksOf("1m 1m", ""));
});

test("of equal tiles the chosen one leaves", () => {
  const racks = racksOf("1m 2m", "1m 3m");
  assert.deepEqual(onRacks(racks, codes("1m 2m 3m"), [open(), open()]), racksOf("1m 2m", "3m"));
  assert.deepEqual(onRacks(racks, codes("1m 2m 3m"), [open(), open()], [0]), racksOf("2m", "1m 3m"));
  assert.deepEqual(onRacks(racks, codes("1m 1m 2m 3m"), [open(), open()], [0]), racks);
});

test("what stood on the rack of a finished hand goes to an open one", () => {
  assert.deepEqual(onRacks(racksOf("1m 2m", "3m"), codes("1m 3m"), [DONE, open()]), racksOf("", "3m 1m"));
  assert.deepEqual(onRacks(racksOf("1m", "3m"), codes("1m 3m"), [DONE, DONE]), racksOf("1m 3m", ""));
});

test("a tile goes to another rack, or to another place on its own", () => {
  const racks = racksOf("1m 2m 3m", "4m 5m");
  assert.deepEqual(movedTo(racks, 1, 1), racksOf("1m 3m", "4m 5m 2m"));
  assert.deepEqual(movedTo(racks, 1, 1, 4), racksOf("1m 3m", "4m 2m 5m"));
  assert.deepEqual(movedTo(racks, 4, 0, 0), racksOf("5m 1m 2m 3m", "4m"));
  assert.deepEqual(movedTo(racks, 0, 0, 2), racksOf("2m 3m 1m", "4m 5m"));
  assert.deepEqual(movedTo(racks, 3, 0), racksOf("1m 2m 3m 4m", "5m"));
});
