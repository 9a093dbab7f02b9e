// The card on paper: every side as it will be printed. What stands here is printed, and nothing else of the page.

import { placeOf } from "../../elements.js";
import { html, useEffect, useRef } from "../../html.js";
import { t } from "../../text.js";
import { Button, Waiting } from "../../ui.js";

const SHEET_STYLE = "/api/cards/sheet.css";

// How sheets look, and the size of the paper; only as long as there is a card to print.
/** @param {string} size */
export function useSheetStyle(size) {
  useEffect(() => {
    const link = document.createElement("link");
    link.rel = "stylesheet";
    link.href = `${SHEET_STYLE}?paper=${size}`;
    document.head.append(link);
    return () => link.remove();
  }, [size]);
}

/** @param {{ size: string, onSize: (size: string) => void, onPrint: () => void, sheets: number }} props */
export function PaperBar({ size, onSize, onPrint, sheets }) {
  return html`<div class="row paper-bar">
    <label class="row">${t("cards.paper_size")}
      <select value=${size} onChange=${(event) => onSize(event.currentTarget.value)}>
        <option value="a4" selected=${size === "a4"}>A4</option>
        <option value="letter" selected=${size === "letter"}>Letter</option>
      </select>
    </label>
    <span class="soft number">${sheets ? t("cards.n_sheets", { n: sheets }) : ""}</span>
    <${Button} main onClick=${onPrint}>${t("cards.print")}<//>
  </div>`;
}

// `lit`: id of the line that is lit, as in "g1-l2"; `onGo(group, line)`: counted from 0, line -1 for the title.
/** @param {{ paper: Paper, lit: string | null, shown: boolean, onGo: (group: number, line: number) => void }} props */
export function Sheets({ paper, lit, shown, onGo }) {
  const box = useRef(/** @type {HTMLElement | null} */ (null));
  useEffect(() => {
    if (!box.current) return;
    const sheets = paper.sheets.map((text) => sheetOf(text));
    box.current.replaceChildren(...sheets);
  }, [paper.sheets]);
  useEffect(() => {
    for (const one of box.current?.querySelectorAll(".lit") ?? []) one.classList.remove("lit");
    const found = lit ? box.current?.querySelector(`#${CSS.escape(lit)}`) : null;
    found?.classList.add("lit");
    if (shown) found?.scrollIntoView({ block: "nearest" });
  }, [lit, paper.sheets, shown]);
  /** @param {Happening} event */
  const go = (event) => {
    const found = /^g(\d+)(?:-l(\d+))?$/.exec(placeOf(event)?.closest("g.line, g.title")?.id ?? "");
    if (found) onGo(Number(found[1]) - 1, found[2] ? Number(found[2]) - 1 : -1);
  };
  return html`<div class=${`sheets ${shown ? "" : "only-printed"}`} data-paper=${paper.size ?? "a4"}>
    ${shown && !paper.sheets.length && html`<${Waiting} />`}
    <div ref=${box} onClick=${go}></div>
  </div>`;
}

// A side of paper. The server has drawn it from escaped text; it is read as a picture, never as a page.
/** @param {string} text */
function sheetOf(text) {
  const sheet = document.createElement("div");
  sheet.className = "sheet";
  const read = new DOMParser().parseFromString(text, "image/svg+xml").documentElement;
  if (read.nodeName === "svg") sheet.append(document.importNode(read, true));
  return sheet;
}
