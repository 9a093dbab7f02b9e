// Problems of a card, in words.

import { html } from "../../html.js";
import { t } from "../../text.js";
import { Mistake, langOfProblems, nameOf } from "../../mistakes.js";

// The name of a problem, where the page has one in its language; else its message.
/** @param {Fault} problem */
export const shortOf = (problem) => nameOf(problem, "cards") || problem.message;

/** @param {Fault[]} problems @param {number} row */
export function worstOf(problems, row) {
  const here = problems.filter((one) => one.line === row);
  return here.find((one) => one.severity === "error") ?? here[0];
}

/** @param {Fault} problem */
export function signOf(problem) {
  return problem.severity === "error" ? "✗" : "⚠";
}

// One problem, as a button that goes there.
/** @param {{ problem: Fault, onGo: (problem: Fault) => void, place?: boolean }} props */
export function Told({ problem, onGo, place = false }) {
  return html`<button type="button" class=${`told ${problem.severity}`} onClick=${() => onGo(problem)}>
    <span class="unseen">${t(problem.severity === "error" ? "cards.error" : "cards.warning")}</span><span class="sign" aria-hidden="true">${signOf(problem)}</span>
    <span class="grow">
      ${place && html`<span class="where number soft">${t("cards.at", { line: problem.line ?? 1, column: problem.column ?? 1 })}</span> `}
      <${Mistake} problem=${problem} area="cards" />
      ${problem.hint && html`<span class="hint" lang=${langOfProblems()}>${problem.hint}</span>`}
    </span>
  </button>`;
}
