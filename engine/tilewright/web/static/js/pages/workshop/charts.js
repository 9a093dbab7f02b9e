// Small charts: bars with their numbers beside them. Numbers are text, so nothing depends on seeing a length or a colour.

import { html } from "../../html.js";
import { number } from "../../text.js";

/** @param {{ rows: { label: string, value: number }[], whole: number, label: string }} props */
export function Bars({ rows, whole, label }) {
  const most = Math.max(1, ...rows.map((row) => row.value));
  return html`<table class="bars" aria-label=${label}>
    <tbody>
      ${rows.map(
        (row) => html`<tr key=${row.label}>
        <th scope="row">${row.label}</th>
        <td class="bar-cell"><svg viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true"><rect width=${(100 * row.value) / most} height="10" /></svg></td>
        <td class="number">${number(row.value)}</td>
        <td class="number soft">${whole ? `${number(Math.round((1000 * row.value) / whole) / 10)} %` : ""}</td>
      </tr>`,
      )}
    </tbody>
  </table>`;
}
