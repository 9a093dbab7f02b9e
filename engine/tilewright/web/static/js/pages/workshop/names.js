// What the editor does with a name, and with the whole text: where it is declared, every place of it, another name, layout.
// Edits and places come from the server, whose columns count code points.

import { t } from "../../text.js";
import { complain, toast } from "../../ui.js";
import { offsetOf, placeOf } from "./places.js";

/** @typedef {(code: CodeMirror, view: EditorView, now: EditorNow) => Promise<unknown>} Work */

const SECONDS = 8;

// The keys of the editor for these; `now` has what the page does: {ask, onRename}.
/** @param {CodeMirror} code @param {{ current: EditorNow }} now @param {boolean} locked */
export function nameKeys(code, now, locked) {
  /** @param {Work} work */
  const asking = (work) => (/** @type {EditorView} */ view) => {
    work(code, view, now.current).catch(complain);
    return true;
  };
  const writing = [
    { key: "F2", run: asking(beginRenaming) },
    { key: "Shift-Alt-f", run: asking(format) },
  ];
  return [
    { key: "F12", run: asking(toDeclaration) },
    { key: "Shift-F12", run: asking(chooseAll) },
    ...(locked ? [] : writing),
  ];
}

/** @param {EditorView} view */
const head = (view) => placeOf(view.state.doc, view.state.selection.main.head);
/** @param {EditorView} view */
const textOf = (view) => view.state.doc.toString();

/** @param {CodeMirror} code @param {EditorView} view @param {{ ask: Asking }} parts */
async function toDeclaration(code, view, { ask }) {
  const { places } = await ask.definition(textOf(view), head(view));
  const own = places.find((one) => !one.file);
  if (own) choose(code, view, [own]);
  else if (places.length)
    toast(t("workshop.declared_in", { document: places[0].file, line: places[0].line }), { seconds: SECONDS });
  else toast(t("workshop.no_name_here"));
}

// Every place of the name is chosen at once, so that all are seen.
/** @param {CodeMirror} code @param {EditorView} view @param {{ ask: Asking }} parts */
async function chooseAll(code, view, { ask }) {
  const { places } = await ask.references(textOf(view), head(view));
  if (!places.length) return toast(t("workshop.no_name_here"));
  choose(code, view, places);
  toast(t("workshop.places_found", { count: places.length }));
}

/**
 * @param {{ EditorSelection: CodeMirror["EditorSelection"], EditorView: CodeMirror["EditorView"] }} one
 * @param {EditorView} view
 * @param {Span[]} places
 */
function choose({ EditorSelection, EditorView }, view, places) {
  const { doc, selection } = view.state;
  const ranges = places.map((one) =>
    EditorSelection.range(offsetOf(doc, one.line, one.column), offsetOf(doc, one.end_line, one.end_column)),
  );
  const main = Math.max(
    0,
    ranges.findIndex((one) => one.from <= selection.main.head && selection.main.head <= one.to),
  );
  view.dispatch({
    selection: EditorSelection.create(ranges, main),
    effects: EditorView.scrollIntoView(ranges[main].from, { y: "center" }),
  });
}

/**
 * @param {CodeMirror} _code
 * @param {EditorView} view
 * @param {{ ask: Asking, onRename: EditorNow["onRename"] }} parts
 */
async function beginRenaming(_code, view, { ask, onRename }) {
  const place = head(view);
  const { places } = await ask.references(textOf(view), place);
  const here = places.find(
    (one) => one.line === place.line && one.column <= place.column && place.column <= one.end_column,
  );
  if (!here) return toast(t("workshop.no_name_here"));
  const { doc } = view.state;
  onRename({
    place,
    word: doc.sliceString(offsetOf(doc, here.line, here.column), offsetOf(doc, here.end_line, here.end_column)),
  });
}

// Another name at a place; the reason why not, or null.
/** @param {EditorView} view @param {Asking} ask @param {Wanted} place @param {string} name */
export async function rename(view, ask, place, name) {
  const before = textOf(view);
  const { edits, reason } = await ask.rename(before, place, name);
  if (reason || textOf(view) !== before) return reason;
  view.dispatch({ changes: changesOf(view.state.doc, edits), userEvent: "input" });
  toast(t("workshop.renamed", { count: edits.length }));
  return null;
}

/** @param {CodeMirror} _code @param {EditorView} view @param {{ ask: Asking }} parts */
export async function format(_code, view, { ask }) {
  const edits = await rewrite(view, ask.format);
  if (edits) toast(t(edits.length ? "workshop.laid_out" : "workshop.laid_out_already"));
}

/** @param {EditorView} view @param {Asking} ask */
export async function upgrade(view, ask) {
  if (await rewrite(view, ask.upgrade)) toast(t("workshop.upgraded"));
}

// The edits that were made; what a person has to change is said instead.
/**
 * @param {EditorView} view
 * @param {(text: string) => Promise<{ edits: SpanEdit[], problems: DocumentFault[] }>} asked
 */
async function rewrite(view, asked) {
  const before = textOf(view);
  const { edits, problems } = await asked(before);
  if (textOf(view) !== before) return null;
  if (edits.length)
    view.dispatch({
      changes: changesOf(
        view.state.doc,
        edits.flatMap((one) => smaller(before, one)),
      ),
      userEvent: "input",
    });
  if (!problems.length) return edits;
  toast(problems[0].message, { bad: true, seconds: SECONDS });
  return null;
}

/** @param {EditorText} doc @param {SpanEdit[]} edits */
export function changesOf(doc, edits) {
  return edits.map((one) => ({
    from: offsetOf(doc, one.line, one.column),
    to: offsetOf(doc, one.end_line, one.end_column),
    insert: one.text,
  }));
}

// A new whole text as edits of the lines that differ, so that the cursor stays; the lines themselves, where their number does.
/** @param {string} before @param {SpanEdit} whole */
function smaller(before, whole) {
  const [old, wanted] = [before.split("\n"), whole.text.split("\n")];
  if (old.length !== wanted.length) return [whole];
  return old.flatMap((line, at) =>
    line === wanted[at]
      ? []
      : [{ line: at + 1, column: 1, end_line: at + 1, end_column: [...line].length + 1, text: wanted[at] }],
  );
}
