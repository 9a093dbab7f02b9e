// Problems from the server, in words: what they are called in the language of the page, and what the language of
// cards says of them in full.

import { html } from "../../html.js";
import { has, t } from "../../text.js";

// The name of a problem, where the page has one in its language; else its message.
export function nameOf(problem) {
  const key = `cards.problem.${problem.code}`;
  return has(key) ? t(key) : problem.message;
}

export function worstOf(problems, row) {
  const here = problems.filter((one) => one.line === row);
  return here.find((one) => one.severity === "error") ?? here[0];
}

export function signOf(problem) {
  return problem.severity === "error" ? "✗" : "⚠";
}

// One problem, as a button that goes there.
export function Told({ problem, onGo, place = false }) {
  const name = nameOf(problem);
  return html`<button type="button" class=${`told ${problem.severity}`} onClick=${() => onGo(problem)}>
    <span class="unseen">${t(problem.severity === "error" ? "cards.error" : "cards.warning")}</span><span class="sign" aria-hidden="true">${signOf(problem)}</span>
    <span class="grow">
      ${place && html`<span class="where number soft">${t("cards.at", { line: problem.line ?? 1, column: problem.column ?? 1 })}</span> `}
      ${name !== problem.message && html`<b>${name}</b> `}<span>${problem.message}</span>
      ${problem.hint && html`<span class="hint">${problem.hint}</span>`}
    </span>
  </button>`;
}
