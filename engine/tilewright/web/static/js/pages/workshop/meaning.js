// What the rules mean: the rulebook of the text as it is now.

import { Book } from "../../book.js";
import { html } from "../../html.js";
import { language, t } from "../../text.js";
import { useStore } from "../../store.js";
import { useFaces } from "../../tiles.js";
import { Waiting } from "../../ui.js";
import * as asking from "./asking.js";
import { useAnswer } from "./asking.js";

// Why there is nothing to show yet.
/** @param {{ state: BenchState }} props */
export function Unready({ state }) {
  if (!state.head) return html`<${Waiting} />`;
  if (state.head.good) return html`<p class="soft">${t("workshop.not_playable")}</p>`;
  return html`<p class="note-box warm">${t("workshop.mend_first")}</p>`;
}

// What a page has to know of the rules, asked once for each text.
/** @param {BenchState} state */
export function useAbout(state) {
  const found = useAnswer(state.spec ? JSON.stringify(state.spec) : null, asking.about, 200);
  useFaces(found.value);
  return found;
}

/** @param {{ state: BenchState }} props */
export function Meaning({ state }) {
  const lang = useStore(language);
  const about = useAbout(state);
  const found = useAnswer(state.spec ? JSON.stringify({ spec: state.spec, lang }) : null, asking.rulebook, 400);
  if (!state.good) return html`<${Unready} state=${state} />`;
  if (found.error && !found.value) return html`<p class="note-box bad">${found.error.message}</p>`;
  if (!found.value) return html`<${Waiting} text=${t("workshop.writing")} />`;
  return html`<div class="meaning-panel"><${Book} book=${found.value} about=${about.value} /></div>`;
}
