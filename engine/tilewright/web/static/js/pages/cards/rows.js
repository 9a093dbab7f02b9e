// The text of a card as rows: what a row is, and what the buttons make of it. Every change gives a whole edit: the new
// text and what is selected in it; null where there is nothing to do. Knows no page and draws nothing.

const QUOTES = "“”„‟\"‘’‚‛'«»‹›「『";

// name, field, title, line or blank
/** @param {string[]} rows */
export function kinds(rows) {
  let headed = false;
  let inHead = true;
  return rows.map((row) => {
    const text = row.trim();
    if (!text) return "blank";
    if (QUOTES.includes(text[0])) {
      headed = true;
      inHead = false;
      return "title";
    }
    if (!headed) {
      headed = true;
      return "name";
    }
    if (inHead && text[0] === "(") return "field";
    inHead = false;
    return "line";
  });
}

/** @param {string} text */
export function rowsOf(text) {
  return text.split("\n");
}

// Where a place of the text is: its row (from 0) and the column in it.
/** @param {string} text @param {number} at */
export function spot(text, at) {
  const before = text.slice(0, at);
  const row = before.split("\n").length - 1;
  return { row, column: at - (before.lastIndexOf("\n") + 1) };
}

// Where a row begins in the text.
/** @param {string[]} rows @param {number} row */
export function startOf(rows, row) {
  return rows.slice(0, row).reduce((sum, one) => sum + one.length + 1, 0);
}

// The offset of a character of a row; the server counts whole characters from 1, a text here counts halves of some.
/** @param {string} row @param {number} column */
export function unit(row, column) {
  return [...row].slice(0, column - 1).join("").length;
}

/** @param {string[]} rows @param {number} row @param {number} [from] @param {number} [to] */
function edit(rows, row, from = 0, to = from) {
  const start = startOf(rows, row);
  return { text: rows.join("\n"), start: start + from, end: start + to };
}

// --- what belongs together

// The rows that a button works on: a line alone, a title with all that stands below it.
/** @param {string[]} rows @param {number} row */
export function span(rows, row) {
  const all = kinds(rows);
  if (all[row] !== "title") return [row, row + 1];
  let end = row + 1;
  while (end < rows.length && all[end] !== "title") end += 1;
  while (end > row + 1 && all[end - 1] === "blank" && end === rows.length) end -= 1;
  return [row, end];
}

/** @param {string[]} rows @param {number} row */
export function isGroup(rows, row) {
  return kinds(rows)[row] === "title";
}

// The title above a row; -1 if there is none.
/** @param {string[]} rows @param {number} row */
export function titleOf(rows, row) {
  return kinds(rows).lastIndexOf("title", row);
}

/** @param {string[]} rows */
function firstTitle(rows) {
  return kinds(rows).indexOf("title");
}

/** @param {string[]} rows @param {number} row */
function movable(rows, row) {
  return !["name", "field"].includes(kinds(rows)[row]) && row < rows.length;
}

// --- edits

/** @param {string[]} rows @param {number} row @param {boolean} [above] */
export function insertLine(rows, row, above = false) {
  const at = above ? row : row + 1;
  return edit([...rows.slice(0, at), "", ...rows.slice(at)], at);
}

// A new group behind the one in which one stands, its title selected.
/** @param {string[]} rows @param {number} row @param {string} title */
export function insertGroup(rows, row, title) {
  const all = kinds(rows);
  let at = row + 1;
  while (at < rows.length && all[at] !== "title") at += 1;
  while (at > row + 1 && all[at - 1] === "blank") at -= 1;
  const next = [...rows.slice(0, at), `“${title}”`, "", ...rows.slice(at)];
  return edit(next, at, 1, 1 + title.length);
}

/** @param {string[]} rows @param {number} row */
export function remove(rows, row) {
  const [from, to] = span(rows, row);
  if (!movable(rows, row)) return null;
  const next = [...rows.slice(0, from), ...rows.slice(to)];
  if (!next.length) next.push("");
  // whoever deletes one line after another does not come to a title unawares
  const beyond = !isGroup(rows, row) && (from >= next.length || isGroup(next, from));
  return edit(next, Math.max(0, Math.min(from, next.length - 1) - (beyond && from < next.length ? 1 : 0)));
}

/** @param {string[]} rows @param {number} row */
export function duplicate(rows, row) {
  if (!movable(rows, row)) return null;
  const [from, to] = span(rows, row);
  const copy = rows.slice(from, to);
  if (isGroup(rows, row)) copy[0] = retitled(copy[0], rows);
  return edit([...rows.slice(0, to), ...copy, ...rows.slice(to)], to);
}

// A title with a number behind it that no other title has.
/** @param {string} title @param {string[]} rows */
function retitled(title, rows) {
  const found = /^(\s*.)(.*?)(?:\s+(\d+))?([“”"’'»›」』])/u.exec(title);
  if (!found) return title;
  const [all, open, name, , close] = found;
  const taken = new Set(
    rows.map((row) =>
      row.trim().slice(
        1,
        1 +
          row
            .trim()
            .slice(1)
            .search(/[“”"’'»›」』]/u),
      ),
    ),
  );
  let count = 2;
  while (taken.has(`${name} ${count}`)) count += 1;
  return `${open}${name} ${count}${close}${title.slice(all.length)}`;
}

// One place up (-1) or down (1): a line by a row, also into the next group; a group by a group.
/** @param {string[]} rows @param {number} row @param {number} step @param {number} [column] */
export function move(rows, row, step, column = 0) {
  if (!movable(rows, row)) return null;
  return isGroup(rows, row) ? moveGroup(rows, row, step, column) : moveLine(rows, row, step, column);
}

/** @param {string[]} rows @param {number} row @param {number} step @param {number} column */
function moveLine(rows, row, step, column) {
  const to = row + step;
  const first = firstTitle(rows);
  if (to < 0 || to >= rows.length || !movable(rows, to) || (to === first && step < 0)) return null;
  const next = [...rows];
  [next[row], next[to]] = [next[to], next[row]];
  return edit(next, to, Math.min(column, next[to].length));
}

/** @param {string[]} rows @param {number} row @param {number} step @param {number} column */
function moveGroup(rows, row, step, column) {
  const [from, to] = span(rows, row);
  const all = kinds(rows);
  if (step < 0) {
    const before = all.lastIndexOf("title", from - 1);
    if (from === 0 || before < 0) return null;
    const next = [...rows.slice(0, before), ...rows.slice(from, to), ...rows.slice(before, from), ...rows.slice(to)];
    return edit(next, before, column);
  }
  if (all[to] !== "title") return null;
  const [, end] = span(rows, to);
  const next = [...rows.slice(0, from), ...rows.slice(to, end), ...rows.slice(from, to), ...rows.slice(end)];
  return edit(next, from + end - to, column);
}

// A text put in the place of what is selected; `apart`: with a space before it and behind.
/** @param {string} text @param {number} start @param {number} end @param {string} piece @param {boolean} [apart] */
export function insertText(text, start, end, piece, apart = false) {
  let put = piece;
  if (apart) {
    const before = text[start - 1];
    const behind = text[end];
    if (before !== undefined && !/\s/.test(before)) put = ` ${put}`;
    if (behind === undefined || !/\s/.test(behind)) put = `${put} `;
  }
  return { text: text.slice(0, start) + put + text.slice(end), start: start + put.length, end: start + put.length };
}

// A line put below the row.
/** @param {string[]} rows @param {number} row @param {string} line */
export function insertBelow(rows, row, line) {
  if (kinds(rows)[row] === "blank")
    return edit([...rows.slice(0, row), line, ...rows.slice(row + 1)], row, line.length);
  return edit([...rows.slice(0, row + 1), line, ...rows.slice(row + 1)], row + 1, line.length);
}
