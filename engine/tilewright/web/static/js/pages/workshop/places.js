// Places of a text: the server's columns count code points, those of the editor halves of some characters.

/** @param {EditorText} doc @param {number} line @param {number} column */
export function offsetOf(doc, line, column) {
  const at = doc.line(Math.min(Math.max(1, line), doc.lines));
  const before = [...at.text].slice(0, Math.max(0, column - 1)).join("").length;
  return Math.min(at.from + before, at.to);
}

/** @param {EditorText} doc @param {number} offset */
export function placeOf(doc, offset) {
  const at = doc.lineAt(offset);
  return { line: at.number, column: [...at.text.slice(0, offset - at.from)].length + 1 };
}
