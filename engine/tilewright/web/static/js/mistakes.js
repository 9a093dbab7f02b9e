// Problems of documents and cards: what they are called in the language of the page, where it has a name for them, then what
// the checker says in full, which is English.

import { html } from "./html.js";
import { has, pageLanguage, t } from "./text.js";

// `area`: of the messages that have the names, by code.
/** @param {Problem} problem @param {string} area */
export function nameOf(problem, area) {
  const key = `${area}.problem.${problem.code}`;
  return has(key) ? t(key) : null;
}

export const langOfProblems = () => (pageLanguage() === "en" ? null : "en");

// A problem in words, without its hint.
/** @param {{ problem: Problem, area: string }} props */
export function Mistake({ problem, area }) {
  const name = nameOf(problem, area);
  return html`${name && html`<b>${name}</b> `}<span lang=${langOfProblems()}>${problem.message}</span>`;
}
