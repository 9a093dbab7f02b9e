// The editor: CodeMirror in the colours of the page, with problems in the gutter and their fixes, completion and meanings
// from the server, and how many examples of each pattern hold.

import { html, useEffect, useRef, useState } from "../../html.js";
import { has, t } from "../../text.js";
import { nameOf } from "../../mistakes.js";
import { Button, Waiting, complain } from "../../ui.js";
import { format, nameKeys, rename, upgrade } from "./names.js";
import { offsetOf, placeOf } from "./places.js";

/** @type {Promise<CodeMirror> | null} */
let loaded = null;
/** @returns {Promise<CodeMirror>} */
export function loadEditor() {
  loaded ??= import("../../../vendor/codemirror.js");
  loaded.catch(() => (loaded = null));
  return loaded;
}

// `text` as it begins; `onText(text)` with each change; `problems` of the last check; `ask`: {complete, describe} answer for
// a text and a place, and with {definition, references, rename, format, upgrade} to what `names.js` does; `tallies` of the last examples; `hands`: gets {go, set, focus} when it is there.
/**
 * @param {{ text: string, problems: DocumentFault[], tallies: Tally[] | null, onText: (text: string) => void,
 *   onSave: () => void, onLine: (line: number) => void, ask: Asking, hands: { current: EditorHands | null },
 *   readOnly: boolean, label: string }} props
 */
export function Editor({ text, problems, tallies, onText, onSave, onLine, ask, hands, readOnly, label }) {
  const place = useRef(/** @type {HTMLElement | null} */ (null));
  const made = useRef(/** @type {({ code: CodeMirror } & ReturnType<typeof build>) | null} */ (null));
  const now = useRef(/** @type {EditorNow} */ ({ ask, onRename: () => {} }));
  const [state, setState] = useState("waiting");
  const [naming, setNaming] = useState(/** @type {Naming | null} */ (null)); // of the name that gets another
  now.current = { onText, onSave, onLine, ask, onRename: setNaming };

  useEffect(() => {
    let here = true;
    loadEditor().then(
      (code) => {
        if (!here || !place.current) return;
        made.current = { code, ...build(code, place.current, text, now, readOnly, label) };
        hands.current = handsOf(code, made.current.view);
        setState("ready");
      },
      () => here && setState("lost"),
    );
    return () => {
      here = false;
      made.current?.view.destroy();
      made.current = null;
      hands.current = null;
    };
  }, []);

  useEffect(() => {
    if (made.current) show(made.current.code, made.current.view, problems || []);
  }, [state, problems]);

  useEffect(() => {
    made.current?.tally(tallies || []);
  }, [state, tallies]);

  useEffect(() => {
    made.current?.lock(Boolean(readOnly));
  }, [state, readOnly]);

  return html`<div class="editor">
    ${state === "waiting" && html`<${Waiting} />`}
    ${state === "lost" && html`<p class="note-box bad">${t("workshop.no_editor")}</p>`}
    ${
      naming &&
      html`<${Renaming} naming=${naming} onName=${async (/** @type {string} */ name) => made.current && rename(made.current.view, ask, naming.place, name)}
      onEnd=${() => (setNaming(null), made.current?.view.focus())} />`
    }
    <div class="editor-place" ref=${place}></div>
  </div>`;
}

/** @param {{ naming: Naming, onName: (name: string) => Promise<string | null>, onEnd: () => void }} props */
function Renaming({ naming, onName, onEnd }) {
  const [name, setName] = useState(naming.word);
  const [reason, setReason] = useState(/** @type {string | null} */ (null));
  const input = useRef(/** @type {HTMLInputElement | null} */ (null));
  useEffect(() => input.current?.select(), []);
  /** @param {Happening} event */
  async function go(event) {
    event.preventDefault();
    try {
      const why = await onName(name.trim());
      if (why) setReason(why);
      else onEnd();
    } catch (error) {
      complain(error);
    }
  }
  return html`<form class="renaming row" onSubmit=${go} onKeyDown=${(event) => event.key === "Escape" && onEnd()}>
    <label class="row grow"><span>${t("workshop.rename")}</span>
      <input ref=${input} value=${name} spellcheck="false" autocapitalize="off" maxlength="100" onInput=${(event) => setName(event.currentTarget.value)} /></label>
    <${Button} main type="submit">${t("workshop.rename_do")}<//>
    <${Button} quiet onClick=${onEnd}>${t("workshop.rename_stop")}<//>
    ${reason && html`<p class="bad small" role="alert">${reason}</p>`}
  </form>`;
}

/**
 * @param {CodeMirror} code
 * @param {HTMLElement} parent
 * @param {string} text
 * @param {{ current: EditorNow }} now
 * @param {boolean} readOnly
 * @param {string} label
 */
function build(code, parent, text, now, readOnly, label) {
  const { EditorState, EditorView, Compartment } = code;
  const [lock, names] = [new Compartment(), new Compartment()];
  const held = tallyField(code);
  const view = new EditorView({
    parent,
    state: EditorState.create({
      doc: text,
      extensions: [
        lock.of(locked(code, readOnly)),
        EditorView.contentAttributes.of({
          "aria-label": label,
          tabindex: "0",
          spellcheck: "false",
          autocapitalize: "off",
          autocorrect: "off",
        }),
        EditorState.phrases.of(phrases()),
        names.of(code.keymap.of(nameKeys(code, now, readOnly))),
        held.field,
        code.keymap.of([
          { key: "Mod-s", preventDefault: true, run: () => (now.current.onSave?.(), true) },
          { key: "Enter", run: (shown) => deeper(code, shown) },
        ]),
        code.autocompletion({
          override: [(context) => completed(context, now.current.ask)],
          maxRenderedOptions: 60,
          icons: true,
        }),
        code.hoverTooltip((shown, at) => meaning(shown, at, now.current.ask), { hoverTime: 350 }),
        ...comfort(code),
        EditorView.updateListener.of((update) => {
          if (update.docChanged) now.current.onText?.(update.state.doc.toString());
          if (update.selectionSet || update.docChanged) {
            now.current.onLine?.(update.state.doc.lineAt(update.state.selection.main.head).number);
          }
        }),
      ],
    }),
  });
  return {
    view,
    tally: (/** @type {Tally[]} */ found) => view.dispatch({ effects: held.set.of(found) }),
    lock: (/** @type {boolean} */ yes) =>
      view.dispatch({
        effects: [lock.reconfigure(locked(code, yes)), names.reconfigure(code.keymap.of(nameKeys(code, now, yes)))],
      }),
  };
}

/**
 * @param {{ EditorState: CodeMirror["EditorState"], EditorView: CodeMirror["EditorView"] }} one
 * @param {boolean} yes
 */
function locked({ EditorState, EditorView }, yes) {
  return [EditorState.readOnly.of(Boolean(yes)), EditorView.editable.of(!yes)];
}

/** @param {CodeMirror} code */
function comfort(code) {
  return [
    code.lineNumbers(),
    code.lintGutter(),
    code.foldGutter({ openText: "▾", closedText: "▸" }),
    code.highlightSpecialChars(),
    code.history(),
    code.drawSelection(),
    code.EditorState.allowMultipleSelections.of(true),
    code.indentUnit.of("  "),
    code.indentOnInput(),
    code.bracketMatching(),
    code.rectangularSelection(),
    code.highlightActiveLine(),
    code.highlightActiveLineGutter(),
    code.highlightSelectionMatches(),
    code.search({ top: true }),
    code.yaml(),
    code.syntaxHighlighting(colours(code)),
    look(code),
    code.EditorView.lineWrapping,
    code.keymap.of([
      ...code.completionKeymap,
      ...code.lintKeymap,
      ...code.searchKeymap,
      ...code.historyKeymap,
      ...code.foldKeymap,
      ...code.defaultKeymap,
      code.indentWithTab,
    ]),
  ];
}

/** @param {{ HighlightStyle: CodeMirror["HighlightStyle"], tags: CodeMirror["tags"] }} one */
function colours({ HighlightStyle, tags }) {
  return HighlightStyle.define([
    { tag: [tags.definition(tags.propertyName), tags.propertyName], color: "var(--code-key)", fontWeight: "550" },
    { tag: [tags.string, tags.content], color: "var(--code-text)" },
    { tag: [tags.number, tags.bool, tags.null], color: "var(--code-number)" },
    { tag: [tags.comment, tags.lineComment], color: "var(--code-note)", fontStyle: "italic" },
    { tag: [tags.punctuation, tags.separator, tags.squareBracket, tags.brace], color: "var(--code-sign)" },
    { tag: [tags.labelName, tags.typeName, tags.meta], color: "var(--code-number)" },
  ]);
}

/** @param {{ EditorView: CodeMirror["EditorView"] }} one */
function look({ EditorView }) {
  return EditorView.theme({
    "&": { height: "100%", backgroundColor: "var(--surface)", color: "var(--ink)", fontSize: "0.875rem" },
    "&.cm-focused": { outline: "none" },
    ".cm-scroller": { fontFamily: "var(--mono)", lineHeight: "1.55", overscrollBehavior: "contain" },
    ".cm-content": { caretColor: "var(--ink)", padding: "var(--s2) 0" },
    ".cm-cursor": { borderLeftColor: "var(--ink)", borderLeftWidth: "2px" },
    ".cm-gutters": {
      backgroundColor: "var(--surface)",
      color: "var(--ink-soft)",
      borderRight: "1px solid var(--line)",
    },
    ".cm-activeLine, .cm-activeLineGutter": { backgroundColor: "var(--code-line)" },
    "&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground": {
      backgroundColor: "var(--code-chosen)",
    },
    ".cm-selectionMatch": { backgroundColor: "var(--accent-soft)" },
    ".cm-matchingBracket, &.cm-focused .cm-matchingBracket": {
      backgroundColor: "var(--accent-soft)",
      outline: "1px solid var(--accent)",
    },
    ".cm-foldGutter span": { cursor: "pointer" },
    ".cm-panels": { backgroundColor: "var(--sunken)", color: "var(--ink)", borderColor: "var(--line)" },
    ".cm-panels button, .cm-button": {
      backgroundImage: "none",
      backgroundColor: "var(--surface)",
      border: "1px solid var(--line-strong)",
      borderRadius: "var(--radius-s)",
      minHeight: "2rem",
    },
    ".cm-textfield": {
      backgroundColor: "var(--surface)",
      border: "1px solid var(--line-strong)",
      borderRadius: "var(--radius-s)",
      minHeight: "2rem",
      width: "auto",
    },
    ".cm-tooltip": {
      backgroundColor: "var(--surface)",
      color: "var(--ink)",
      border: "1px solid var(--line-strong)",
      borderRadius: "var(--radius-s)",
      boxShadow: "var(--shadow)",
      maxWidth: "min(34rem, 92vw)",
    },
    ".cm-tooltip-autocomplete > ul": { fontFamily: "var(--mono)", maxHeight: "16rem" },
    ".cm-tooltip-autocomplete > ul > li": { padding: "0.3rem 0.6rem", minHeight: "1.9rem" },
    ".cm-tooltip-autocomplete > ul > li[aria-selected]": {
      backgroundColor: "var(--accent)",
      color: "var(--accent-ink)",
    },
    ".cm-completionDetail": { color: "inherit", opacity: "0.75", fontStyle: "normal", marginLeft: "0.8em" },
    ".cm-completionInfo": {
      padding: "var(--s2) var(--s3)",
      backgroundColor: "var(--surface)",
      border: "1px solid var(--line-strong)",
      fontFamily: "var(--font)",
    },
    ".cm-diagnostic": { fontFamily: "var(--font)", padding: "var(--s2) var(--s3)", whiteSpace: "pre-wrap" },
    ".cm-diagnostic-error": { borderLeft: "4px solid var(--bad)" },
    ".cm-diagnostic-warning": { borderLeft: "4px solid var(--warm)" },
    ".cm-diagnosticAction": {
      font: "inherit",
      fontSize: "0.8125rem",
      marginLeft: "var(--s2)",
      padding: "0.1rem 0.5rem",
      border: "1px solid var(--line-strong)",
      borderRadius: "var(--radius-s)",
      backgroundColor: "var(--surface)",
      color: "var(--accent-text)",
      cursor: "pointer",
    },
    ".cm-lintRange-error": {
      backgroundImage: "none",
      textDecoration: "underline wavy var(--bad)",
      textUnderlineOffset: "3px",
    },
    ".cm-lintRange-info": {
      backgroundImage: "none",
      textDecoration: "underline dotted var(--ink-soft)",
      textUnderlineOffset: "3px",
    },
    ".cm-lintRange-warning": {
      backgroundImage: "none",
      textDecoration: "underline wavy var(--warm)",
      textUnderlineOffset: "3px",
    },
  });
}

// A line behind a key without a value is indented further than the key.
/** @param {{ EditorSelection: CodeMirror["EditorSelection"] }} one @param {EditorView} view */
function deeper({ EditorSelection }, view) {
  const { state } = view;
  const { main } = state.selection;
  const line = state.doc.lineAt(main.head);
  if (
    !main.empty ||
    state.readOnly ||
    main.head !== line.to ||
    !/:\s*(#.*)?$/.test(line.text) ||
    /^\s*#/.test(line.text)
  )
    return false;
  const insert = `\n${line.text.slice(0, line.text.search(/[^\s-]|$/)).replace(/-/g, " ")}  `;
  view.dispatch({
    changes: { from: main.head, insert },
    selection: EditorSelection.cursor(main.head + insert.length),
    userEvent: "input",
    scrollIntoView: true,
  });
  return true;
}

// --- problems, and how many examples hold

/** @param {CodeMirror} code @param {EditorView} view @param {DocumentFault[]} problems */
function show(code, view, problems) {
  const { doc } = view.state;
  const marks = problems
    .filter((one) => one.line && !one.file)
    .map((one) => {
      const line = one.line ?? 1;
      const from = offsetOf(doc, line, one.column || 1);
      const to = Math.max(from, offsetOf(doc, line, (one.column || 1) + (one.length || 1)));
      const message = [nameOf(one, "workshop"), one.message, one.hint].filter(Boolean).join("\n");
      /** @type {import("@codemirror/lint").Diagnostic["severity"]} */
      const severity = one.severity === "note" ? "info" : one.severity;
      return { from, to, severity, message, source: one.code, actions: (one.fixes || []).map(actionOf) };
    });
  view.dispatch(code.setDiagnostics(view.state, marks));
}

/** @param {Fix} fix */
function actionOf(fix) {
  return {
    name: t(fix.kind === "meant" ? "workshop.apply_fix" : "workshop.ignore_fix", { what: fix.what }),
    /** @param {EditorView} view @param {number} from @param {number} to */
    apply(view, from, to) {
      // where the problem is by now
      const at = fix.kind === "meant" ? { from, to } : { from: view.state.doc.lineAt(from).from };
      view.dispatch({ changes: { ...at, insert: fix.edits[0].text }, userEvent: "input" });
    },
  };
}

// How many examples hold, behind the line of their pattern; it moves with the line as somebody writes.
/**
 * @param {{ Decoration: CodeMirror["Decoration"], EditorView: CodeMirror["EditorView"],
 *   StateEffect: CodeMirror["StateEffect"], StateField: CodeMirror["StateField"] }} one
 */
function tallyField({ Decoration, EditorView, StateEffect, StateField }) {
  /** @type {import("@codemirror/state").StateEffectType<Tally[]>} */
  const set = StateEffect.define();
  /** @param {{ held: number, tried: number }} one */
  const mark = ({ held, tried }) =>
    Decoration.line({
      attributes: {
        "data-tally": `${held === tried ? "✓" : "✗"} ${held}/${tried}`,
        class: held === tried ? "tally" : "tally fails",
      },
    });
  const field = StateField.define({
    create: () => /** @type {import("@codemirror/view").DecorationSet} */ (Decoration.none),
    /**
     * @param {import("@codemirror/view").DecorationSet} shown
     * @param {import("@codemirror/state").Transaction} change
     */
    update(shown, change) {
      const told = change.effects.filter((one) => one.is(set))[0];
      if (!told) return shown.map(change.changes);
      const { doc } = change.state;
      return Decoration.set(
        told.value.filter((one) => one.line <= doc.lines).map((one) => mark(one).range(doc.line(one.line).from)),
        true,
      );
    },
    provide: (one) => EditorView.decorations.from(one),
  });
  return { set, field };
}

/** @param {CodeMirror} code @param {EditorView} view */
function handsOf(code, view) {
  return {
    /** @param {number} line @param {number} [column] */
    go(line, column = 1) {
      const at = offsetOf(view.state.doc, line, column);
      view.dispatch({ selection: { anchor: at }, effects: code.EditorView.scrollIntoView(at, { y: "center" }) });
      view.focus();
    },
    /** @param {string} text */
    set(text) {
      view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: text } });
    },
    focus: () => view.focus(),
    text: () => view.state.doc.toString(),
    next: () => code.nextDiagnostic(view),
    format: (/** @type {Asking} */ ask) => format(code, view, { ask }).catch(complain),
    upgrade: (/** @type {Asking} */ ask) => upgrade(view, ask).catch(complain),
  };
}

// --- completion and meanings

/** @type {Record<string, string>} */
const SORTS = { key: "property", value: "enum", name: "variable", word: "function", quantifier: "keyword" };

/** @param {import("@codemirror/autocomplete").CompletionContext} context @param {Asking} ask */
async function completed(context, ask) {
  const word = context.matchBefore(/[\w.]+/);
  const before = context.state.sliceDoc(Math.max(0, context.pos - 2), context.pos);
  if (!context.explicit && !word && !/[:[{(,-] $|[[{(]$/.test(before)) return null;
  const { doc } = context.state;
  const place = placeOf(doc, context.pos);
  const found = await ask.complete(doc.toString(), place).catch(() => null);
  if (!found || context.aborted || !found.offers.length) return null;
  return {
    from: offsetOf(doc, place.line, found.start),
    to: context.pos,
    validFor: /^\w*$/,
    options: found.offers.map((one) => ({
      label: one.label,
      type: SORTS[one.kind],
      detail: one.type,
      boost: one.boost * 10,
      apply: one.kind === "key" && !rest(doc, place).startsWith(":") ? `${one.label}: ` : undefined,
      info: one.doc || one.example ? () => told(one) : undefined,
    })),
  };
}

/** @param {EditorText} doc @param {{ line: number, column: number }} parts */
function rest(doc, { line, column }) {
  return doc
    .line(line)
    .text.slice(column - 1)
    .replace(/^\w+/, "");
}

/** @param {EditorView} view @param {number} offset @param {Asking} ask */
async function meaning(view, offset, ask) {
  const found = await ask.describe(view.state.doc.toString(), placeOf(view.state.doc, offset)).catch(() => null);
  if (!found?.found.length) return null;
  const { line } = placeOf(view.state.doc, offset);
  return {
    pos: offsetOf(view.state.doc, line, found.start),
    end: offsetOf(view.state.doc, line, found.end),
    above: true,
    create: () => ({ dom: told(found.found[0], true) }),
  };
}

// The description of a word, as text nodes.
/** @param {Completion} one @param {boolean} [titled] */
function told(one, titled = false) {
  const box = document.createElement("div");
  box.className = "meaning";
  /** @param {string} name @param {string | undefined} text */
  const add = (name, text) => {
    if (!text) return;
    const part = document.createElement(name);
    part.textContent = text;
    box.append(part);
  };
  if (titled) add("strong", one.type ? `${one.label} · ${one.type}` : one.label);
  add("p", one.doc);
  add("code", one.example);
  return box;
}

const PHRASES = [
  "Find",
  "Replace",
  "next",
  "previous",
  "all",
  "match case",
  "regexp",
  "by word",
  "replace",
  "replace all",
  "close",
  "Diagnostics",
  "No diagnostics",
  "Completions",
];
function phrases() {
  const known = PHRASES.map((one) => [one, `workshop.cm_${one.toLowerCase().replaceAll(" ", "_")}`]).filter(([, key]) =>
    has(key),
  );
  return Object.fromEntries(known.map(([one, key]) => [one, t(key)]));
}
