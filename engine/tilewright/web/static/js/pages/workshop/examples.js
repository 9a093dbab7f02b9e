// The examples: every hand that the document gives as an example or a case, and what came of it.

import { html, useState } from "../../html.js";
import { named, number, t, unitOf } from "../../text.js";
import { Button, Waiting } from "../../ui.js";
import { Mistake, langOfProblems } from "../../mistakes.js";
import { Unready } from "./meaning.js";

/** @param {{ state: BenchState, onGo: (line: number, column: number) => void, onScore: (one: Case) => void }} props */
export function Examples({ state, onGo, onScore }) {
  const [all, setAll] = useState(true);
  const { tried, good, covering, setCovering } = state;
  if (!good) return html`<${Unready} state=${state} />`;
  const found = tried.value;
  if (tried.error) return html`<p class="note-box bad">${tried.error.message}</p>`;
  if (!found?.examples)
    return found?.problems
      ? html`<p class="note-box bad"><${Mistake} problem=${found.problems[0]} area="workshop" /></p>`
      : html`<${Waiting} text=${t("workshop.trying")} />`;
  const failing = found.examples.filter((one) => !one.good);
  const shown = all ? found.examples : failing;
  if (!found.examples.length) return html`<p class="soft">${t("workshop.no_examples")}</p>`;
  return html`<div class="examples stack">
    <div class="row">
      <strong class=${failing.length ? "bad" : "fine"} role="status">
        ${failing.length ? t("workshop.examples_fail", { count: failing.length, of: found.examples.length }) : t("workshop.examples_good", { count: found.examples.length })}
      </strong>
      ${failing.length > 0 && html`<${Button} quiet pressed=${!all} onClick=${() => setAll(!all)}>${t("workshop.only_failing")}<//>`}
      <${Button} quiet class="end" pressed=${covering} onClick=${() => setCovering(!covering)}>${t("workshop.coverage")}<//>
    </div>
    ${covering && html`<${Unreached} covered=${state.covered} onGo=${onGo} />`}
    ${found.left > 0 && html`<p class="note-box warm">${t("workshop.left", { count: found.left })}</p>`}
    <ul>
      ${shown.map((one, at) => html`<${One} key=${at} one=${one} found=${found} onGo=${onGo} onScore=${onScore} />`)}
    </ul>
  </div>`;
}

// What no example and no case reaches.
/** @param {{ covered: Answered<Coverage>, onGo: (line: number, column: number) => void }} props */
function Unreached({ covered, onGo }) {
  const { value, error, busy } = covered;
  if (error) return html`<p class="note-box bad">${error.message}</p>`;
  if (!value?.notes) return html`<${Waiting} text=${t("workshop.looking")} />`;
  return html`<section class="note-box stack" aria-busy=${String(busy)}>
    <strong role="status">${t("workshop.reached", { percent: number(Math.floor(value.percent)) })}</strong>
    <ul class="unreached">
      ${value.notes.map(
        (
          one,
          at,
        ) => html`<li key=${at}><button type="button" class="plain-link" onClick=${() => onGo(one.line || 1, one.column)}>
        <span class="number soft">${one.line}</span> <${Mistake} problem=${one} area="workshop" /></button></li>`,
      )}
    </ul>
  </section>`;
}

/**
 * @param {{ one: Example, found: Tried, onGo: (line: number, column: number) => void, onScore: (one: Case) => void }}
 *   props
 */
function One({ one, found, onGo, onScore }) {
  const name = Object.keys(one.name).length ? named(one.name) : html`<code>${one.of}</code>`;
  const says =
    one.kind === "example" ? t(one.yes ? "workshop.counts" : "workshop.counts_not") : t(`workshop.is_${one.kind}`);
  return html`<li class=${`example ${one.good ? "good" : "fails"}`}>
    <div class="row">
      <span class="sign" aria-label=${t(one.good ? "workshop.good" : "workshop.fails")}>${one.good ? "✓" : "✗"}</span>
      <button type="button" class="plain-link grow" onClick=${() => onGo(one.line, 1)}>${name} <span class="soft small">${says}</span></button>
      ${one.score && html`<span class="number small">${one.score.win ? `${number(one.score.total)} ${unitOf(found, one.score.unit, one.score.total)}` : t("workshop.no_win")}</span>`}
    </div>
    ${
      one.case.hand &&
      html`<div class="row"><code class="grow">${handText(one.case)}</code>
      <${Button} quiet onClick=${() => onScore(one.case)} aria-label=${Object.keys(one.name).length ? t("workshop.score_named", { name }) : null}>${t("workshop.look_at")}<//></div>`
    }
    ${one.problems.map((problem) => html`<p class="wrong"><${Mistake} problem=${problem} area="workshop" />${problem.hint && html`<br /><span class="soft" lang=${langOfProblems()}>${problem.hint}</span>`}</p>`)}
  </li>`;
}

/** @param {Case} one */
function handText(one) {
  const melds = (Array.isArray(one.melds) ? one.melds : []).map((meld) =>
    typeof meld === "string" ? meld : meld.tiles,
  );
  const win = one.win_tile || one.win;
  return [one.hand, ...melds.map((meld) => `(${meld})`), win && `+ ${win}`].filter(Boolean).join(" ");
}
