// A value that many parts look at: `store(value)` -> {value, set, change, listen}; `useStore(store)` draws again when it changes.

import { useEffect, useReducer } from "./html.js";

/** @template T @param {T} value @returns {Store<T>} */
export function store(value) {
  /** @type {Set<(value: T) => void>} */
  const listeners = new Set();
  /** @type {Store<T>} */
  const self = {
    value,
    set(next) {
      if (Object.is(next, self.value)) return;
      self.value = next;
      for (const listener of [...listeners]) listener(next);
    },
    change(part) {
      self.set({ ...self.value, ...part });
    },
    listen(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
  return self;
}

/** @template T @param {Store<T>} one @returns {T} */
export function useStore(one) {
  const [, again] = useReducer((/** @type {number} */ count) => count + 1, 0);
  useEffect(() => one.listen(() => again(undefined)), [one]);
  return one.value;
}
