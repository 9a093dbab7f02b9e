// Beside the text: its outline, and its problems.

import { html, useMemo, useState } from "../../html.js";
import { listed, t } from "../../text.js";
import { Button } from "../../ui.js";
import { Mistake, langOfProblems } from "../../mistakes.js";

/**
 * @param {{ outline: OutlineSection[] | undefined, line: number, onGo: (line: number, column: number) => void }}
 *   props
 */
export function Outline({ outline, line, onGo }) {
  const at = useMemo(() => lastBefore(outline || [], line), [outline, line]);
  if (!outline) return null;
  return html`<nav class="outline" aria-label=${t("workshop.tab_outline")}>
    ${!outline.length && html`<p class="soft small">${t("workshop.no_outline")}</p>`}
    ${outline.map(
      (section) => html`<section key=${section.section}>
      <button type="button" class="head" onClick=${() => onGo(section.line, 1)}>
        ${section.section.replaceAll("_", " ")} <span class="soft small number">${section.entries.length || ""}</span>
      </button>
      <ul>
        ${section.entries.map(
          (one) => html`<li key=${`${one.line}.${one.id}`}>
          <button type="button" aria-current=${one === at ? "true" : null} onClick=${() => onGo(one.line, 1)}>
            ${one.in !== section.section && html`<span class="soft">${one.in.replaceAll("_", " ")} · </span>`}${one.id.replaceAll("_", " ")}
          </button>
        </li>`,
        )}
      </ul>
    </section>`,
    )}
  </nav>`;
}

/** @param {OutlineSection[]} outline @param {number} line */
function lastBefore(outline, line) {
  return outline
    .flatMap((section) => section.entries)
    .filter((one) => one.line <= line)
    .pop();
}

/**
 * @param {{ problems: DocumentFault[], busy: boolean, known: boolean, open: boolean, onGo: (line: number,
 *   column: number) => void }} props
 */
export function Problems({ problems, busy, known, open, onGo }) {
  const [folded, fold] = useState(false);
  const errors = problems.filter((one) => one.severity === "error").length;
  const warnings = problems.length - errors;
  const counts = [
    errors && t("workshop.errors", { count: errors }),
    warnings && t("workshop.warnings", { count: warnings }),
  ].filter(Boolean);
  const summary = !known ? t("workshop.checking") : listed(counts) || t("workshop.no_problems");
  return html`<section class="found-problems" aria-label=${t("workshop.tab_problems")}>
    <header>
      <strong class=${errors ? "bad" : warnings ? "warm" : "fine"} role="status">${errors || warnings ? "" : known ? "✓ " : ""}${summary}</strong>
      ${busy && html`<span class="soft small">${t("workshop.looking")}</span>`}
      ${problems.length > 0 && !open && html`<${Button} quiet class="end" aria-expanded=${String(!folded)} onClick=${() => fold(!folded)}>${t(folded ? "workshop.unfold" : "workshop.fold")}<//>`}
    </header>
    ${
      problems.length > 0 &&
      (open || !folded) &&
      html`<ul>
      ${problems.map(
        (one, at) => html`<li key=${at} class=${one.severity}>
        <button type="button" onClick=${() => onGo(one.line || 1, one.column)} disabled=${Boolean(one.file)}>
          <span class="where number">${one.file ? one.file : `${one.line || 1}:${one.column || 1}`}</span>
          <span class="what"><${Mistake} problem=${one} area="workshop" />${one.hint && html`<span class="hint" lang=${langOfProblems()}>${one.hint}</span>`}</span>
        </button>
      </li>`,
      )}
    </ul>`
    }
  </section>`;
}
