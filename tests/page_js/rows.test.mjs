// The text of a card as it is edited.
import assert from "node:assert/strict";
import { test } from "node:test";
import { Editing } from "../../engine/tilewright/web/static/js/pages/cards/editing.js";
import * as rows from "../../engine/tilewright/web/static/js/pages/cards/rows.js";

const CARD = ["Card", "(about: text)", "“Evens”", "222 444", "666 888", "“Runs”", "11 222"];
const said = (edit) => edit?.text.split("\n");

test("a row is a name, a field, a title, a line or blank", () => {
  assert.deepEqual(rows.kinds([...CARD, " "]), ["name", "field", "title", "line", "line", "title", "line", "blank"]);
  assert.deepEqual(rows.kinds(["“Evens”", "(not a field)"]), ["title", "line"]);
});

test("lines move by a row, also into the next group, and never above the first title", () => {
  assert.deepEqual(said(rows.move(CARD, 4, 1)).slice(3), ["222 444", "“Runs”", "666 888", "11 222"]);
  assert.deepEqual(said(rows.move(CARD, 4, -1)).slice(3, 5), ["666 888", "222 444"]);
  assert.equal(rows.move(CARD, 3, -1), null);
  assert.equal(rows.move(CARD, 0, 1), null);
  assert.equal(rows.move(CARD, 6, 1), null);
});

test("groups move with their lines", () => {
  const expected = ["Card", "(about: text)", "“Runs”", "11 222", "“Evens”", "222 444", "666 888"];
  assert.deepEqual(said(rows.move(CARD, 5, -1)), expected);
  assert.deepEqual(said(rows.move(CARD, 2, 1)), expected);
  assert.equal(rows.move(CARD, 2, -1), null);
  assert.equal(rows.move(CARD, 5, 1), null);
});

test("a line is doubled, a group with another title", () => {
  assert.deepEqual(said(rows.duplicate(CARD, 6)).slice(5), ["“Runs”", "11 222", "11 222"]);
  const twice = said(rows.duplicate(CARD, 5));
  assert.deepEqual(twice.slice(5), ["“Runs”", "11 222", "“Runs 2”", "11 222"]);
  assert.deepEqual(said(rows.duplicate(twice, 5)).slice(7, 9), ["“Runs 3”", "11 222"]);
  assert.equal(rows.duplicate(CARD, 1), null);
});

test("what is removed is the line, or the group", () => {
  assert.deepEqual(said(rows.remove(CARD, 5)), CARD.slice(0, 5));
  const edit = rows.remove(CARD, 4);
  assert.deepEqual(said(edit), [...CARD.slice(0, 4), ...CARD.slice(5)]);
  assert.equal(rows.spot(edit.text, edit.start).row, 3, "not at the title that came up");
  assert.equal(rows.remove(CARD, 0), null);
});

test("lines, groups and codes are put in where one stands", () => {
  assert.deepEqual(said(rows.insertLine(CARD, 3, true)).slice(2, 5), ["“Evens”", "", "222 444"]);
  const group = rows.insertGroup(CARD, 3, "Winds");
  assert.deepEqual(said(group).slice(4, 8), ["666 888", "“Winds”", "", "“Runs”"]);
  assert.equal(group.text.slice(group.start, group.end), "Winds");
  assert.equal(rows.insertText("11 222", 6, 6, "X25", true).text, "11 222 X25 ");
  assert.equal(rows.insertText("11 222", 0, 2, "FF").text, "FF 222");
  assert.deepEqual(said(rows.insertBelow([...CARD, ""], 7, "NN")).slice(6), ["11 222", "NN"]);
});

test("letters that follow one another are undone together", () => {
  const one = new Editing("");
  const type = (text, kind = "insertText") => one.typed(text, text.length, text.length, kind);
  for (const text of ["F", "FF", "FF ", "FF 2"]) type(text);
  type("FF 2\n", "insertLineBreak");
  type("FF 2\nN");
  one.put({ text: "FF 2\nN\nX25", start: 9, end: 9 });
  assert.equal(one.put(null), false);
  const undone = [];
  while (one.undo()) undone.push(one.value.text);
  assert.deepEqual(undone, ["FF 2\nN", "FF 2\n", "FF 2", ""]);
  while (one.redo());
  assert.equal(one.value.text, "FF 2\nN\nX25");
  one.undo();
  type("FF 2\nNN");
  assert.equal(one.redo(), false, "what was undone is gone once one writes on");
});
