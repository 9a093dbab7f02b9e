// A number that runs from what it was to what it is now; where nothing moves, it is there at once.

import { useEffect, useRef, useState } from "../../html.js";
import { quiet } from "../../prefs.js";

// `first`: what it runs from when it is shown first, in so many milliseconds.
/** @param {number} value @param {number} ms @param {number} [first] */
export function useRunning(value, ms, first = value) {
  const last = useRef(first);
  const [shown, show] = useState(first);
  useEffect(() => {
    const from = last.current;
    last.current = value;
    if (from === value || quiet() || typeof from !== "number" || typeof value !== "number") return show(value);
    const begun = performance.now();
    let frame = requestAnimationFrame(function run(now) {
      const part = Math.min(1, Math.max(0, now - begun) / ms);
      show(part < 1 ? Math.round(from + (value - from) * part) : value);
      if (part < 1) frame = requestAnimationFrame(run);
    });
    return () => cancelAnimationFrame(frame);
  }, [value]);
  return quiet() ? value : shown;
}
