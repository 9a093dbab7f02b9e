import assert from "node:assert/strict";
import { test } from "node:test";
import { store } from "../../engine/tilewright/web/static/js/store.js";

test("who listens is told what is new, and nothing else", () => {
  const one = store({ a: 1, b: 2 });
  const told = [];
  const stop = one.listen((value) => told.push(value));
  one.change({ b: 3 });
  one.set(one.value);
  assert.deepEqual(told, [{ a: 1, b: 3 }]);
  stop();
  one.set(null);
  assert.equal(told.length, 1);
  assert.equal(one.value, null);
});

test("who stops listening while others are told is told this once", () => {
  const one = store(0);
  const told = [];
  const stops = ["first", "second"].map((name) =>
    one.listen((value) => {
      told.push(`${name} ${value}`);
      for (const stop of stops) stop();
    }),
  );
  one.set(1);
  one.set(2);
  assert.deepEqual(told, ["first 1", "second 1"]);
});
