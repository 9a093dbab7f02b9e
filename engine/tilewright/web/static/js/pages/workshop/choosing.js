// The options of the rules, for a hand, for games and for a table: the same ones, folded away until somebody wants them.

import { html } from "../../html.js";
import { t } from "../../text.js";
import { Options } from "../lobby/options.js";

/** @param {{ state: BenchState, disabled?: boolean }} props */
export function Choosing({ state, disabled }) {
  const { offered, options, choose } = state;
  if (!offered.length) return null;
  const count = Object.keys(options).length;
  return html`<details class="choosing"><summary>${t("workshop.options")}${count > 0 && html` <span class="count">${count}</span>`}</summary>
    <div class="form-grid"><${Options} options=${offered} values=${options} onChange=${choose} disabled=${disabled} /></div>
  </details>`;
}
