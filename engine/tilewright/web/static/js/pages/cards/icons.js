// The pictures on the buttons of the editor.

import { html } from "../../html.js";

/** @type {Record<string, string>} */
const PATHS = {
  back: "M15 5l-7 7 7 7",
  undo: "M9 7L4 12l5 5M4.5 12H14a6 6 0 0 1 0 12",
  redo: "M15 7l5 5-5 5M19.5 12H10a6 6 0 0 0 0 12",
  below: "M4 6h16M4 11h16M12 15v7M8.5 18.5h7",
  group: "M4 5h9M4 10h16M4 15h7M17 14v8M13 18h8",
  up: "M12 20V5M6 11l6-6 6 6",
  down: "M12 4v15M6 13l6 6 6-6",
  duplicate: "M8 8h12v12H8zM16 8V4H4v12h4",
  remove: "M4 7h16M9 7V4h6v3M6 7l1 13h10l1-13M10 11v5M14 11v5",
  share: "M12 15V3M8 7l4-4 4 4M5 12v8h14v-8",
  export: "M12 3v12M8 11l4 4 4-4M4 19h16",
  import: "M12 15V3M8 7l4-4 4 4M4 19h16",
  print: "M7 9V3h10v6M7 17H4V9h16v8h-3M7 14h10v7H7z",
  keys: "M3 6h18v12H3zM7 10h.01M11 10h.01M15 10h.01M8 14h8",
  plus: "M12 5v14M5 12h14",
};

/** @param {{ name: string }} props */
export function Icon({ name }) {
  const low = name === "undo" || name === "redo";
  return html`<svg viewBox=${low ? "0 2 24 24" : "0 0 24 24"} aria-hidden="true" fill="none" stroke="currentColor" stroke-width="2" stroke-linecap="round" stroke-linejoin="round">
    <path d=${PATHS[name]} /></svg>`;
}
