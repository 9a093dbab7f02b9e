// The panel at the side: whether it is open, and which part of it is shown. Where there is room, a table with a card has it
// open at the card from the first tile on; what one chooses there does not change it at other tables.

import { prefs, setPrefs } from "../../prefs.js";

export const WIDE = "(min-width: 700px) and (min-height: 540px)"; // keys are shown
export const PANELS = "(min-width: 1180px)"; // the log at one side, help at the other
export const LOG_AND_CARD = "(min-width: 1520px)";
export const CARD = "(min-width: 900px) and (min-height: 540px)"; // the hand, and a card next to it

/** @param {Faces | null | undefined} about */
export const hasCard = (about) => Boolean(about?.cards?.length);
/** @param {Faces | null | undefined} about */
export const isAtCard = (about) => hasCard(about) && matchMedia(CARD).matches;

/** @param {About} about */
export function panelOf(about) {
  const { panel, tab, cardPanel, cardTab } = prefs.value;
  return isAtCard(about) ? { panel: cardPanel, tab: cardTab } : { panel: panel ?? matchMedia(PANELS).matches, tab };
}

/** @param {About} about @param {{ panel?: boolean, tab?: string }} parts */
export function setPanel(about, { panel, tab }) {
  const [open, part] = isAtCard(about) ? ["cardPanel", "cardTab"] : ["panel", "tab"];
  setPrefs({ ...(panel === undefined ? {} : { [open]: panel }), ...(tab ? { [part]: tab } : {}) });
}
