// The panel at the side: whether it is open, and which part of it is shown. Where there is room, a table with a card has it
// open at the card from the first tile on; what one chooses there does not change it at other tables.

import { prefs, setPrefs } from "../../prefs.js";

export const WIDE = "(min-width: 700px) and (min-height: 540px)";

export const hasCard = (about) => about?.cards?.length > 0;
const isOfCard = (about) => hasCard(about) && matchMedia(WIDE).matches;

export function panelOf(about) {
  const { panel, tab, cardPanel, cardTab } = prefs.value;
  return isOfCard(about) ? { panel: cardPanel, tab: cardTab } : { panel, tab };
}

export function setPanel(about, { panel, tab }) {
  const [open, part] = isOfCard(about) ? ["cardPanel", "cardTab"] : ["panel", "tab"];
  setPrefs({ ...(panel === undefined ? {} : { [open]: panel }), ...(tab ? { [part]: tab } : {}) });
}
