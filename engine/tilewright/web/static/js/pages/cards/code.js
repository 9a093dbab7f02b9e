// The text of a card as it is typed. A plain field lies over its own picture: rows in the colours of their suits, what is
// wrong underlined and said under the character, figures at the right. The field has the letters, so that everything that
// fields can do works; what is seen is the picture. The editor of the workshop was tried instead: as many lines here, 140 kB
// more to load, and screen readers get only the lines that are in view.

import { html, useEffect, useLayoutEffect, useRef, useState } from "../../html.js";
import { number, t } from "../../text.js";
import { langOfProblems } from "../../mistakes.js";
import { shortOf } from "./problems.js";
import { kinds, rowsOf, spot, unit } from "./rows.js";

/** @typedef {CardLine & { whole: boolean, column?: number }} KnownLine */

const PATIENCE = 650; // ms until a line being typed is reported as unfinished
const UNFINISHED = new Set(["wrong-number-of-tiles", "empty-line", "not-a-line", "code-without-characters"]);

/**
 * @param {{ editing: Editing, state: Typing, drawn: Drawn, problems: Fault[], lines: Map<string, CardLine>,
 *   draws: Draws, hard: boolean }} props
 */
export function Code({ editing, state, drawn, problems, lines, draws, hard }) {
  const field = useRef(/** @type {HTMLTextAreaElement | null} */ (null));
  const picture = useRef(/** @type {HTMLElement | null} */ (null));
  const { text, start, end, jump } = state;
  const rows = rowsOf(text);
  const here = spot(text, start);
  const fresh = drawn.text === text;
  const patient = usePatience(text, here.row);
  const [hushed, hush] = useState(""); // the state in which the bubble was put away

  useLayoutEffect(() => {
    if (!jump || !field.current) return;
    if (editing.focus) field.current.focus({ preventScroll: true });
    editing.focus = false;
    field.current.setSelectionRange(start, end);
  }, [jump]);

  useEffect(() => {
    const moved = () => editing.look();
    editing.field = field.current;
    document.addEventListener("selectionchange", moved);
    return () => {
      editing.field = null;
      document.removeEventListener("selectionchange", moved);
    };
  }, [editing]);

  useEffect(() => {
    picture.current?.querySelector(".row.lit")?.scrollIntoView({ block: "nearest" });
  }, [here.row, jump]);

  /** @param {Happening} event */
  const typed = (event) => {
    const one = event.currentTarget;
    editing.typed(one.value, one.selectionStart, one.selectionEnd, event.inputType || "");
  };
  /** @param {Happening} event */
  const byHistory = (event) => {
    if (event.inputType !== "historyUndo" && event.inputType !== "historyRedo") return;
    event.preventDefault();
    event.inputType === "historyUndo" ? editing.undo() : editing.redo();
  };
  const all = kinds(rows);
  const wrong = fresh && problems.some((one) => one.severity === "error");
  return html`<div class="code" onClick=${(event) => event.target === event.currentTarget && field.current?.focus()}>
    <div class="picture" ref=${picture} aria-hidden="true">
      ${rows.map((row, at) => {
        const lit = at === here.row;
        const found = problems.filter((one) => one.line === at + 1);
        return html`<${Row} ...${{ row, lit, kind: all[at], line: lineOf(lines, drawn, row, at), draws, hard }}
          problems=${fresh || !lit ? found : []} said=${lit && fresh && patient} silent=${hushed === `${here.row}\n${text}`} />`;
      })}
    </div>
    <textarea ref=${field} value=${text} spellcheck="false" autocapitalize="off" autocorrect="off" autocomplete="off"
      wrap="soft" aria-label=${t("cards.code_label")} aria-describedby="card-detail" aria-invalid=${String(wrong)}
      maxlength="100000" onInput=${typed} onbeforeinput=${byHistory}
      onKeyDown=${(event) => event.key === "Escape" && hush(`${here.row}\n${text}`)}></textarea>
  </div>`;
}

// Whether one has stopped to type in a row, or has come to it.
/** @param {string} text @param {number} row */
function usePatience(text, row) {
  const [known, set] = useState(/** @type {string | null} */ (null));
  useEffect(() => {
    const timer = setTimeout(() => set(`${row}\n${text}`), PATIENCE);
    return () => clearTimeout(timer);
  }, [text, row]);
  return known === `${row}\n${text}`;
}

// What is known of a row: drawn already, or what stood there before as far as it goes.
/**
 * @param {Map<string, CardLine>} lines
 * @param {Drawn} drawn
 * @param {string} row
 * @param {number} at
 * @returns {KnownLine | null}
 */
function lineOf(lines, drawn, row, at) {
  const text = row.trim();
  const noted = /^([^(]*\S)\s*\(.*\)$/.exec(text);
  const known = lines.get(noted ? noted[1] : text);
  if (known) return { ...known, column: 1 + row.length - row.trimStart().length, whole: true };
  for (const group of drawn.card?.groups ?? []) {
    for (const line of group.lines) if (line.row === at + 1) return { ...line, whole: false };
  }
  return null;
}

/**
 * @param {{ row: string, lit: boolean, kind: string, line: KnownLine | null, problems: Fault[], said: boolean,
 *   silent: boolean, draws: Draws, hard: boolean }} props
 */
function Row({ row, lit, kind, line, problems, said, silent, draws, hard }) {
  const worst = problems.find((one) => one.severity === "error") ?? problems[0];
  const name = `row ${kind} ${lit ? "lit" : ""} ${worst ? worst.severity : ""}`;
  const known = kind === "line" && line;
  const quietly = worst && UNFINISHED.has(worst.code);
  return html`<div class=${name}>
    ${pieces(row, known ? line : null, problems)}
    ${kind === "line" && line?.whole && html`<${Figures} line=${line} draws=${draws[line.text]} hard=${hard} />`}
    ${worst && !(lit && quietly && !said) && html`<span class=${`flag ${worst.severity}`}></span>`}
    ${lit && worst?.severity === "error" && !silent && (said || !quietly) && html`<${Bubble} problem=${worst} row=${row} />`}
  </div>`;
}

/** @param {{ line: CardLine, draws: number | null | undefined, hard: boolean }} props */
function Figures({ line, draws, hard }) {
  const off = line.tiles.find((tiles) => tiles !== 14);
  if (!line.good) return off === undefined ? null : html`<span class="figures off">${off}/14</span>`;
  return html`<span class="figures">
    <span title=${t("cards.hands")}>${number(line.hands)}</span>
    ${hard && html`<span class="hardness">${draws === undefined || draws === null ? "·" : draws.toFixed(1)}</span>`}
  </span>`;
}

// What is wrong, under the character where it is.
/** @param {{ problem: Fault, row: string }} props */
function Bubble({ problem, row }) {
  const before = row.slice(0, unit(row, problem.column));
  return html`<span class=${`bubble ${problem.severity}`}>
    <span class="before">${before}</span><span class="said"><b>${shortOf(problem)}</b>
      ${shortOf(problem) !== problem.message && html`<span lang=${langOfProblems()}>${problem.message}</span> `}${problem.hint && html`<span lang=${langOfProblems()}>${problem.hint}</span>`}</span>
  </span>`;
}

// --- a row in pieces: its sets in their colours, what is wrong underlined

/** @param {string} row @param {KnownLine | null} line @param {Fault[]} problems */
function pieces(row, line, problems) {
  const ends = new Set([0, row.length]);
  /** @type {[from: number, to: number, name: string][]} */
  const marks = [];
  /** @param {number} from @param {number} to @param {string} name */
  const mark = (from, to, name) => {
    if (to <= from || from >= row.length) return;
    const until = Math.min(to, row.length);
    marks.push([from, until, name]);
    ends.add(from).add(until);
  };
  if (line) {
    const shift = unit(row, line.column ?? 1);
    for (const part of line.patterns.flat()) {
      if (!part.set) continue;
      const from = shift + unit(line.text, part.at + 1);
      const letters = row.slice(from, from + part.length).toUpperCase();
      if (line.whole || letters === part.set)
        mark(from, from + part.length, part.colour ? `suit-${part.colour}` : "plain");
    }
  }
  for (const one of problems) {
    const from = unit(row, one.column);
    mark(from, from + Math.max(1, one.length), one.severity);
  }
  const places = [...ends].sort((a, b) => a - b);
  return places.slice(0, -1).map((from, at) => {
    const to = places[at + 1];
    const names = marks.filter(([a, b]) => a <= from && to <= b).map(([, , name]) => name);
    const part = row.slice(from, to);
    return names.length ? html`<span class=${[...new Set(names)].join(" ")}>${part}</span>` : part;
  });
}
