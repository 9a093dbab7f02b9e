// A value that many parts look at: `store(value)` -> {value, set, change, listen}; `useStore(store)` draws again when it changes.

import { useEffect, useReducer } from "./html.js";

export function store(value) {
  const listeners = new Set();
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

export function useStore(one) {
  const [, again] = useReducer((count) => count + 1, 0);
  useEffect(() => one.listen(again), [one]);
  return one.value;
}
