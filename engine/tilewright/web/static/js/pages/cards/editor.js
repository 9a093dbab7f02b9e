// The card editor: the text at the left, at the right what it means: drawn, on paper, the codes that may be typed, the hands
// of a line. Narrow screens show one of these at a time.

import { allIn, oneIn, placeOf } from "../../elements.js";
import { html, useEffect, useMemo, useRef, useState } from "../../html.js";
import { listed, named, t } from "../../text.js";
import { go } from "../../main.js";
import { Button, Tabs, Waiting, announce, complain, keyHelp, toast, useKeys } from "../../ui.js";
import { useStore } from "../../store.js";
import { fetchRulesets } from "../../rulesets.js";
import { Code } from "./code.js";
import { Codes, TouchKeys } from "./codes.js";
import { Detail, Hands, lineAt } from "./detail.js";
import { DrawnCard } from "./drawing.js";
import { Editing } from "./editing.js";
import { Icon } from "./icons.js";
import { Keeping, NEW, PASSING } from "./keeping.js";
import { ExportPanel, SharePanel, State } from "./panels.js";
import { PaperBar, Sheets, useSheetStyle } from "./paper.js";
import { Told } from "./problems.js";
import { Working } from "./working.js";
import * as rows from "./rows.js";

/** @typedef {{ id?: string, editing?: Editing, working?: Working, keeping?: Keeping, error?: Failure }} Opened */

const WIDE = "(min-width: 1000px)";
const LIKED = "tilewright.cards"; // what one likes: paper, difficulty

/** @param {{ id: string }} props */
export function Editor({ id }) {
  const [opened, setOpened] = useState(/** @type {Opened} */ ({}));
  useEffect(() => {
    let here = true;
    const editing = new Editing("");
    const working = new Working();
    const keeping = new Keeping(id, {
      moved: (own) => history.replaceState(null, "", `/cards/${own}`),
      replaced: (text) => {
        editing.put({ text, start: 0, end: 0 });
        working.typed(text);
      },
    });
    keeping.open(t("cards.new_text")).then(
      (text) => {
        if (!here) return;
        editing.replace(text);
        if (id === NEW && keeping.at.value.state === "fresh") editing.select(0, text.indexOf("\n"), true);
        working.typed(text);
        setOpened({ id, editing, working, keeping });
      },
      (error) => here && setOpened({ id, error }),
    );
    /** @type {string | null} */
    let last = null;
    const stop = editing.now.listen(({ text }) => {
      if (keeping.at.value.state === "loading" || text === last) return;
      last = text;
      keeping.changed(text);
      working.typed(text);
    });
    return () => {
      here = false;
      stop();
      keeping.close();
      working.end();
    };
  }, [id]);
  if (opened.error) {
    return html`<div class="page stack"><h1>${t("cards.not_found")}</h1><p>${named(opened.error.names) || opened.error.message}</p>
      <p><${Button} href="/cards">${t("cards.to_cards")}<//></p></div>`;
  }
  return opened.id === id ? html`<${Desk} key=${id} ...${opened} />` : html`<div class="page"><${Waiting} /></div>`;
}

// Whether there is room for two panes; paper, which is narrower than screens, changes nothing.
function useTwoPanes() {
  const [wide, set] = useState(() => matchMedia(WIDE).matches);
  useEffect(() => {
    const list = matchMedia(WIDE);
    const told = () => !matchMedia("print").matches && set(list.matches);
    list.addEventListener("change", told);
    return () => list.removeEventListener("change", told);
  }, []);
  return wide;
}

function useLiked() {
  const [liked, set] = useState(
    /** @returns {Liked} */ () => {
      try {
        return { paper: "a4", hard: true, ...JSON.parse(localStorage.getItem(LIKED) || "{}") };
      } catch {
        return { paper: "a4", hard: true };
      }
    },
  );
  /** @param {Partial<Liked>} part */
  const like = (part) => {
    const next = { ...liked, ...part };
    set(next);
    try {
      localStorage.setItem(LIKED, JSON.stringify(next));
    } catch {
      // liked as long as the page is open
    }
  };
  return /** @type {const} */ ([liked, like]);
}

/** @param {{ editing: Editing, working: Working, keeping: Keeping }} props */
function Desk({ editing, working, keeping }) {
  const state = useStore(editing.now);
  const drawn = useStore(working.drawn);
  const paper = useStore(working.paper);
  const draws = useStore(working.draws);
  const kept = useStore(keeping.at);
  const wide = useTwoPanes();
  const [liked, like] = useLiked();
  const [tab, setTab] = useState("code");
  const [side, setSide] = useState("card");
  const [panel, setPanel] = useState(/** @type {"share" | "export" | null} */ (null));
  const [seek, setSeek] = useState(0); // how often one wished to search the codes
  const desk = useRef(/** @type {HTMLElement | null} */ (null));
  useSheetStyle(liked.paper);

  const { text } = state;
  const all = useMemo(() => rows.rowsOf(text), [text]);
  const caret = rows.spot(text, state.start);
  const card = drawn.card;
  const problems = kept.state === "fresh" ? [] : (card?.problems ?? []); // what nobody has begun cannot be wrong
  const shown = wide ? side : tab;
  const name = named(card?.names) || all.find((row) => row.trim()) || t("cards.nameless");

  useEffect(() => void (document.title = `${name} – Tilewright`), [name]);
  useEffect(() => working.measureLines(liked.hard), [liked.hard, working]);
  // what is printed is laid out before one asks for it, so that Ctrl+P prints it, too
  useEffect(
    () => working.wantPaper(text, liked.paper, shown === "paper" && !paper.text),
    [text, liked.paper, shown === "paper"],
  );
  useEffect(() => {
    const leaving = () => keeping.at.value.state === "waiting" && keeping.save();
    addEventListener("pagehide", leaving);
    return () => removeEventListener("pagehide", leaving);
  }, [keeping]);

  // --- what the buttons do

  const isGroup = rows.isGroup(all, caret.row);
  // `writes`: one goes on writing in the text; narrow screens show it then
  /** @param {TextEdit | null} edit @param {string} [said] @param {boolean} [writes] */
  const put = (edit, said = "", writes = false) => {
    if (!editing.put(edit, wide || writes || tab === "code")) return;
    if (writes && !wide) setTab("code");
    announce(said);
  };
  const here = () => {
    const now = editing.look();
    return { ...now, all: rows.rowsOf(now.text), ...rows.spot(now.text, now.start) };
  };
  /**
   * @param {(rows: string[], row: number, column: number) => TextEdit | null} change
   * @param {string} [said]
   * @param {boolean} [writes]
   */
  const edit = (change, said = "", writes = false) => {
    const { all: found, row, column } = here();
    const what = t(rows.isGroup(found, row) ? "cards.group" : "cards.line");
    put(change(found, row, column), said && t(said, { what }), writes);
  };
  /** @type {Record<string, () => unknown>} */
  const acts = {
    undo: () => editing.undo() && announce(t("cards.undone")),
    redo: () => editing.redo() && announce(t("cards.redone")),
    above: () => edit((found, row) => rows.insertLine(found, row, true), "", true),
    below: () => edit((found, row) => rows.insertLine(found, row), "", true),
    group: () => edit((found, row) => rows.insertGroup(found, row, t("cards.new_group")), "", true),
    up: () => edit((found, row, column) => rows.move(found, row, -1, column), "cards.moved_up"),
    down: () => edit((found, row, column) => rows.move(found, row, 1, column), "cards.moved_down"),
    duplicate: () => edit(rows.duplicate, "cards.duplicated"),
    remove: () => edit(rows.remove, "cards.removed"),
    save: () => keeping.save(),
    print: () => print(),
    codes: () => {
      wide ? setSide("codes") : setTab("codes");
      setSeek(seek + 1);
    },
    next: () => toProblem(1),
    before: () => toProblem(-1),
    other: () => otherPane(),
  };

  /** @param {string} piece @param {boolean} apart */
  const insert = (piece, apart) => {
    const now = here();
    put(rows.insertText(now.text, now.start, now.end, piece, apart), "", true);
  };
  /** @param {string} line */
  const insertLine = (line) => edit((found, row) => rows.insertBelow(found, row, line), "", true);
  /** @param {number} row @param {number | null} [column] @param {boolean} [focus] */
  const goRow = (row, column = null, focus = wide) => {
    const at = rows.startOf(all, row) + (column ?? all[row]?.length ?? 0);
    editing.select(at, at, focus);
  };
  /** @param {Fault} problem */
  const goProblem = (problem) => {
    if (!wide) setTab("code");
    const row = Math.max(0, (problem.line ?? 1) - 1);
    const from = rows.startOf(all, row) + rows.unit(all[row] ?? "", problem.column ?? 1);
    const to = Math.min(from + (problem.length ?? 1), rows.startOf(all, row) + (all[row]?.length ?? 0));
    editing.select(from, Math.max(from, to), true);
  };
  /** @param {number} step */
  const toProblem = (step) => {
    if (!problems.length) return announce(t("cards.no_problems"));
    const order = step > 0 ? problems : [...problems].reverse();
    const { start } = here();
    /** @param {Fault} one */
    const after = (one) => step * (rows.startOf(all, one.line - 1) + one.column - 1 - start) > 0;
    goProblem(order.find(after) ?? order[0]);
  };
  const otherPane = () => {
    const inCode = document.activeElement?.tagName === "TEXTAREA";
    const others = inCode
      ? [".drawn [aria-current=true]", ".drawn [data-row]", "[role=tab][aria-selected=true]"]
      : ["textarea"];
    const focus = () =>
      others
        .map((one) => desk.current && oneIn(desk.current, one))
        .find(Boolean)
        ?.focus();
    if (wide) return focus();
    setTab(inCode ? "card" : "code");
    requestAnimationFrame(() => requestAnimationFrame(focus));
  };
  const print = async () => {
    await working.laidOut(editing.value.text, liked.paper);
    requestAnimationFrame(() => requestAnimationFrame(() => window.print()));
  };

  /** @param {Happening} event */
  const keys = (event) => {
    const act = acts[actOf(event) ?? ""];
    if (!act || actOf(event) === "print") return;
    event.preventDefault();
    act();
  };
  /** @param {Happening} event @param {HTMLElement | null} list */
  const inCard = (event, list) => {
    const step = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
    if (list && step && !event.altKey && !event.ctrlKey) {
      const buttons = allIn(list, "[data-row]");
      const next = buttons[buttons.indexOf(/** @type {HTMLElement} */ (placeOf(event)?.closest("[data-row]"))) + step];
      event.preventDefault();
      if (next) {
        next.focus();
        goRow(Number(next.dataset.row) - 1, null, false);
      }
    } else if (event.key === "Delete") {
      event.preventDefault();
      acts.remove();
    }
  };
  useKeys(t("cards.editor"), {
    ...Object.fromEntries(
      KEYS.map(([name, shown]) => [
        shown,
        { label: t(`cards.do_${name}`, { what: t("cards.line") }), do: () => false },
      ]),
    ),
  });

  const play = async () => {
    const now = await working.drawnOf(editing.value.text);
    const wrong = now?.problems.find((one) => one.severity === "error");
    if (wrong) return goProblem(wrong);
    try {
      const asItIs = keeping.at.value.state === "foreign" && keeping.source.kind === "bundled";
      if (keeping.at.value.state !== "saved" && !asItIs) await keeping.save();
      if (!asItIs && keeping.at.value.state !== "saved") return;
      const to = await tableWith(keeping);
      if (to) go(to);
    } catch (error) {
      complain(error);
    }
  };

  // --- what is seen

  const codeView = html`<${Code} ...${{ editing, state, drawn, draws, problems, lines: working.lines, hard: liked.hard }} />`;
  const cardView = card
    ? html`<${DrawnCard} ...${{ card, row: caret.row, problems, draws, hard: liked.hard, onGo: (/** @type {number} */ row) => goRow(row), onKey: inCard }} />`
    : drawn.failed
      ? html`<p class="soft">${drawn.failed.message}</p>`
      : html`<${Waiting} />`;
  const line = lineAt(card, caret.row);
  /** @type {Record<string, () => VNode>} */
  const views = {
    code: () => codeView,
    card: () => cardView,
    paper: () =>
      html`<${PaperBar} size=${liked.paper} sheets=${paper.sheets.length} onSize=${(/** @type {string} */ size) => like({ paper: size })} onPrint=${print} />`,
    codes: () => html`<${Codes} onInsert=${insert} onLine=${insertLine} seek=${seek} />`,
    hands: () => html`<${Hands} line=${line} />`,
  };
  const detail = html`<${Detail} ...${{
    card,
    problems,
    row: caret.row,
    draws,
    hard: liked.hard,
    onGo: goProblem,
    onHands: () => (wide ? setSide("hands") : setTab("hands")),
  }} />`;
  const sides = ["card", "paper", "codes", "hands"].map((one) => [one, t(`cards.tab_${one}`)]);
  return html`<div class=${`card-editor ${wide ? "wide" : "narrow"}`} ref=${desk} onKeyDown=${keys}>
    <header class="desk-head">
      <a class="button quiet icon" href="/cards" title=${t("cards.to_cards")} aria-label=${t("cards.to_cards")}><${Icon} name="back" /></a>
      <div class="names"><h1>${name}</h1><${State} kept=${kept} keeping=${keeping} /></div>
      <div class="row tools-head">
        <${Button} quiet pressed=${panel === "share"} onClick=${() => setPanel(panel === "share" ? null : "share")}><${Icon} name="share" /><span>${t("cards.share")}</span><//>
        <${Button} quiet pressed=${panel === "export"} onClick=${() => setPanel(panel === "export" ? null : "export")}><${Icon} name="export" /><span>${t("cards.export")}</span><//>
        <${Button} quiet onClick=${print}><${Icon} name="print" /><span>${t("cards.print")}</span><//>
        <${Button} main onClick=${play}><span>${t("cards.play")}</span><//>
      </div>
    </header>
    ${panel === "share" && html`<${SharePanel} keeping=${keeping} onClose=${() => setPanel(null)} />`}
    ${panel === "export" && html`<${ExportPanel} text=${text} paper=${liked.paper} onClose=${() => setPanel(null)} />`}
    <${Conflict} kept=${kept} keeping=${keeping} />
    ${
      wide
        ? html`<div class="panes">
          <section class="pane" aria-label=${t("cards.tab_code")}>
            <${Tools} acts=${acts} editing=${editing} isGroup=${isGroup} wide liked=${liked} like=${like} />
            <div class="scroller">${codeView}</div>
            ${detail}
            <${Problems} problems=${problems} drawn=${drawn} text=${text} onGo=${goProblem} />
          </section>
          <section class="pane side">
            <${Tabs} tabs=${sides} value=${side} onChange=${(/** @type {string} */ one) => (setSeek(0), setSide(one))} label=${t("cards.views")} />
            <div class="scroller">${views[side]()}${sheets()}</div>
          </section>
        </div>`
        : html`<${Tabs} tabs=${[["code", t("cards.tab_code")], ...sides]} value=${tab} onChange=${(/** @type {string} */ one) => (setSeek(0), setTab(one))} label=${t("cards.views")} />
          <div class=${`single ${tab}`}>${views[tab]()}${sheets()}${tab === "code" && html`${detail}<${Problems} problems=${problems} drawn=${drawn} text=${text} onGo=${goProblem} />`}</div>
          <footer class="thumb">
            ${tab === "code" && html`<${TouchKeys} onInsert=${insert} />`}
            <${Tools} acts=${acts} editing=${editing} isGroup=${isGroup} liked=${liked} like=${like} />
          </footer>`
    }
  </div>`;

  function sheets() {
    const at = litOf(card, caret.row);
    /** @param {number} group @param {number} one */
    const goLine = (group, one) => {
      const found = card?.groups[group];
      const row = one < 0 ? found?.row : found?.lines[one]?.row;
      if (row) goRow(row - 1);
    };
    return html`<${Sheets} paper=${paper} lit=${at} shown=${shown === "paper"} onGo=${goLine} />`;
  }
}

// --- keys

// name, as it is shown, [key, modifiers]
const KEYS = [
  ["undo", "Ctrl+Z", "z", "c"],
  ["redo", "Ctrl+Y", "y", "c"],
  ["redo", "Ctrl+Shift+Z", "z", "cs"],
  ["below", "Ctrl+Enter", "enter", "c"],
  ["above", "Ctrl+Shift+Enter", "enter", "cs"],
  ["group", "Alt+G", "g", "a"],
  ["up", "Alt+↑", "arrowup", "a"],
  ["down", "Alt+↓", "arrowdown", "a"],
  ["duplicate", "Alt+Shift+↓", "arrowdown", "as"],
  ["remove", "Ctrl+Shift+K", "k", "cs"],
  ["codes", "Alt+C", "c", "a"],
  ["next", "F8", "f8", ""],
  ["before", "Shift+F8", "f8", "s"],
  ["other", "F6", "f6", ""],
  ["save", "Ctrl+S", "s", "c"],
  ["print", "Ctrl+P", "p", "c"],
];

/** @param {KeyboardEvent} event */
function actOf(event) {
  const held = `${event.ctrlKey || event.metaKey ? "c" : ""}${event.altKey ? "a" : ""}${event.shiftKey ? "s" : ""}`;
  const pressed = event.altKey && /^Key[A-Z]$/.test(event.code) ? event.code[3].toLowerCase() : event.key.toLowerCase();
  return KEYS.find(([, , key, mods]) => key === pressed && mods === held)?.[0];
}

/** @param {string} name */
function shownKey(name) {
  return KEYS.find(([one]) => one === name)?.[1] ?? "";
}

// --- parts

const TOOLS = ["undo", "redo", null, "below", "group", null, "up", "down", "duplicate", "remove"];
/**
 * @param {{ acts: Record<string, () => unknown>, editing: Editing, isGroup: boolean, wide?: boolean, liked: Liked,
 *   like: (part: Partial<Liked>) => void }} props
 */
function Tools({ acts, editing, isGroup, wide, liked, like }) {
  /** @type {Record<string, boolean>} */
  const off = { undo: !editing.past.length, redo: !editing.future.length };
  /** @param {Happening} event */
  const keep = (event) => event.preventDefault(); // the field keeps its caret
  return html`<div class="tools" role="toolbar" aria-label=${t("cards.tools")}>
    ${TOOLS.map((one) => {
      if (!one) return html`<span class="gap"></span>`;
      const what = t(isGroup ? "cards.group" : "cards.line");
      const label = t(`cards.do_${one}`, { what });
      return html`<button type="button" class="button quiet icon" data-do=${one} disabled=${off[one]} title=${`${label} (${shownKey(one)})`}
        aria-label=${label} onPointerDown=${keep} onClick=${acts[one]}><${Icon} name=${one} /></button>`;
    })}
    ${
      wide &&
      html`<span class="grow"></span>
      <${Button} quiet pressed=${liked.hard} title=${t("cards.difficulty_note")} onClick=${() => like({ hard: !liked.hard })}>${t("cards.difficulty")}<//>
      <${Button} quiet icon title=${t("base.keys")} aria-label=${t("base.keys")} onClick=${() => keyHelp.set(!keyHelp.value)}><${Icon} name="keys" /><//>`
    }
  </div>`;
}

/** @param {{ problems: Fault[], drawn: Drawn, text: string, onGo: (problem: Fault) => void }} props */
function Problems({ problems, drawn, text, onGo }) {
  const fresh = drawn.text === text;
  if (drawn.failed && !PASSING.has(drawn.failed.code ?? "")) {
    return html`<p class="card-problems failed" role="status">✗ ${named(drawn.failed.names) || drawn.failed.message} ${named(drawn.failed.hint)}</p>`;
  }
  const errors = problems.filter((one) => one.severity === "error").length;
  const rest = problems.length - errors;
  if (!drawn.card) return null;
  const said = problems.length
    ? listed([errors && t("cards.n_errors", { n: errors }), rest && t("cards.n_warnings", { n: rest })])
    : t("cards.no_problems");
  return html`<details class=${`card-problems ${fresh ? "" : "stale"}`}>
    <summary class=${errors ? "error" : rest ? "warning" : "fine"}><span role="status">${said}</span></summary>
    ${problems.length > 0 && html`<div class="list">${problems.map((one) => html`<${Told} problem=${one} place onGo=${onGo} />`)}</div>`}
  </details>`;
}

/** @param {{ kept: Kept, keeping: Keeping }} props */
function Conflict({ kept, keeping }) {
  if (kept.state === "gone") {
    return html`<div class="note-box warm row conflict" role="alert"><span class="grow">${t("cards.gone")}</span>
      <${Button} onClick=${() => keeping.keepBoth()}>${t("cards.keep_as_new")}<//></div>`;
  }
  if (kept.state !== "conflict") return null;
  return html`<div class="note-box warm stack conflict" role="alert">
    <p>${t("cards.conflict")}</p>
    ${kept.theirs !== null && html`<details><summary>${t("cards.see_theirs")}</summary><pre>${kept.theirs}</pre></details>`}
    <div class="row">
      <${Button} onClick=${() => keeping.keepMine()}>${t("cards.keep_mine")}<//>
      <${Button} onClick=${() => keeping.takeTheirs().catch(complain)}>${t("cards.take_theirs")}<//>
      <${Button} onClick=${() => keeping.keepBoth()}>${t("cards.keep_both")}<//>
    </div>
  </div>`;
}

// Where a line stands on paper: "g1-l2".
/** @param {TypedCard | null} card @param {number} row */
function litOf(card, row) {
  for (const [at, group] of (card?.groups ?? []).entries()) {
    if (group.row === row + 1) return `g${at + 1}`;
    const line = group.lines.findIndex((one) => one.row === row + 1);
    if (line >= 0) return `g${at + 1}-l${line + 1}`;
  }
  return null;
}

// The first page, with the ruleset that is played with cards and this card chosen.
/** @param {Keeping} keeping */
async function tableWith(keeping) {
  const rulesets = await fetchRulesets();
  const found = rulesets.find((one) => one.cards);
  if (!found) {
    toast(t("cards.no_ruleset"), { bad: true });
    return null;
  }
  return `/?card=${encodeURIComponent(keeping.id)}#${found.id}`;
}
