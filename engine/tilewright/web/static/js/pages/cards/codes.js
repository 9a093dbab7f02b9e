// The reference of the card language: everything that may be typed; what one presses is put where the caret stands.

import { html, useEffect, useState } from "../../html.js";
import { has, t } from "../../text.js";
import { Waiting, useLoaded } from "../../ui.js";
import { api } from "../../net.js";

// What the server says in English, in the language of the page where there is such a message.
/** @param {string} kind @param {string} id @param {string} english */
function said(kind, id, english) {
  const key = `cards.ref.${kind}.${id}`;
  return has(key) ? t(key) : english;
}

/** @type {Promise<CardReference> | null} */
let fetched = null;
/** @returns {Promise<CardReference>} */
export function reference() {
  fetched ??= /** @type {Promise<CardReference>} */ (api("GET", "/api/cards/codes")).catch((error) => {
    fetched = null;
    throw error;
  });
  return fetched;
}

// `onInsert(text, apart)` puts it in, `onLine(line)` puts a line below; `seek`: grows when one wants to search.
/** @param {{ onInsert: (text: string, apart: boolean) => void, onLine: (line: string) => void, seek: number }} props */
export function Codes({ onInsert, onLine, seek }) {
  const { value, error, again } = useLoaded("codes", reference);
  const [wanted, want] = useState("");
  useEffect(() => void (seek && document.getElementById("codes-search")?.focus()), [seek, Boolean(value)]);
  if (error)
    return html`<p class="soft">${error.message} <button class="button quiet" onClick=${again}>${t("cards.again")}</button></p>`;
  if (!value) return html`<${Waiting} />`;
  /** @param {...string} texts */
  const fits = (...texts) => !wanted.trim() || texts.join(" ").toLowerCase().includes(wanted.trim().toLowerCase());
  const codes = value.codes.filter((one) => fits(one.letter, one.name, said("code", one.letter, one.says), one.takes));
  const paper = value.paper.filter((one) => fits(one.printed, one.type, said("paper", one.printed, one.says)));
  return html`<div class="codes stack">
    <input type="search" id="codes-search" placeholder=${t("cards.search_codes")} aria-label=${t("cards.search_codes")} value=${wanted}
      onInput=${(event) => want(event.currentTarget.value)} />
    ${!wanted && html`<${Pieces} value=${value} onInsert=${onInsert} />`}
    ${
      codes.length > 0 &&
      html`<section>
      <h3>${t("cards.codes_title")}</h3>
      <p class="soft small">${t("cards.codes_note")}</p>
      <ul class="reference">
        ${codes.map(
          (one) => html`<li>
            <${Put} text=${one.type} apart onInsert=${onInsert} big=${one.letter} />
            <div class="grow">
              <p>${said("code", one.letter, one.says)}</p>
              <p class="soft small">${t("cards.takes")} ${said("takes", one.letter, one.takes)}</p>
              <${Example} line=${one.line} hands=${one.hands} onLine=${onLine} />
            </div>
          </li>`,
        )}
      </ul>
    </section>`
    }
    ${
      paper.length > 0 &&
      html`<section>
      <h3>${t("cards.paper_title")}</h3>
      <ul class="reference">
        ${paper.map(
          (one) => html`<li>
            ${one.type ? html`<${Put} text=${one.type} apart onInsert=${onInsert} />` : html`<span class="put none" aria-hidden="true">–</span>`}
            <div class="grow">
              <p lang="en">“${one.printed}”</p>
              <p class="soft small">${said("paper", one.printed, one.says).replaceAll("`", "")}</p>
              <${Example} line=${one.line} hands=${one.hands} onLine=${onLine} />
            </div>
          </li>`,
        )}
      </ul>
    </section>`
    }
    ${!codes.length && !paper.length && html`<p class="soft">${t("cards.no_codes_found")}</p>`}
  </div>`;
}

/** @param {{ value: CardReference, onInsert: (text: string, apart: boolean) => void }} props */
function Pieces({ value, onInsert }) {
  const tiles = value.tiles.flatMap((one) =>
    one.type.length > 1 ? [...one.type].map((type) => ({ ...one, type })) : [one],
  );
  return html`<section class="stack">
    <h3>${t("cards.tiles_title")}</h3>
    <ul class="pieces">
      <li><${Put} text="1" onInsert=${onInsert} /><span>${t("cards.ref.number")}</span></li>
      ${tiles.map((one) => html`<li><${Put} text=${one.type} onInsert=${onInsert} /><span>${said("tile", one.type, one.says)}</span></li>`)}
    </ul>
    <h3>${t("cards.colours_title")}</h3>
    <ul class="pieces">
      ${value.colours.map(
        (one) =>
          html`<li><${Put} text=${one.type} suit=${one.type} onInsert=${onInsert} /><span>${said("colour", one.type, one.says)}</span></li>`,
      )}
    </ul>
    <h3>${t("cards.signs_title")}</h3>
    <ul class="pieces">
      ${["|", "x", "+", "-", "=", "X25", "C50", "(…)"].map(
        (type) =>
          html`<li><${Put} text=${type === "(…)" ? "()" : type} shown=${type} apart onInsert=${onInsert} /><span>${t(`cards.ref.sign.${type[0]}`)}</span></li>`,
      )}
    </ul>
  </section>`;
}

/**
 * @param {{ text: string, shown?: string, big?: string, suit?: string, apart?: boolean, onInsert: (text: string,
 *   apart: boolean) => void }} props
 */
function Put({ text, shown, big, suit, apart = false, onInsert }) {
  /** @param {Happening} event */
  const keep = (event) => event.preventDefault(); // the field keeps its caret
  return html`<button type="button" class=${`put ${suit ? `suit-${suit}` : ""}`} title=${t("cards.insert", { text })}
    aria-label=${t("cards.insert", { text })} onPointerDown=${keep} onClick=${() => onInsert(text, apart)}>
    ${big ? html`<b>${big}</b>${text !== big && html`<small>${text}</small>`}` : html`<b>${shown ?? text}</b>`}
  </button>`;
}

/** @param {{ line: string, hands: number, onLine: (line: string) => void }} props */
function Example({ line, hands, onLine }) {
  return html`<p class="example">
    <button type="button" class="linkish" title=${t("cards.insert_line")} onClick=${() => onLine(line)}><code>${line}</code></button>
    <span class="soft small number">${t("cards.n_hands", { n: hands })}</span>
  </p>`;
}

// The letters that a touch keyboard hides, above the bar on narrow screens.
const TOUCHED = ["F", "D", "N", "E", "W", "S", "G", "R", "0", "r", "b", "g", "|", "X25", "C50", "L", "Va"];
/** @param {{ onInsert: (text: string, apart: boolean) => void }} props */
export function TouchKeys({ onInsert }) {
  /** @param {Happening} event */
  const keep = (event) => event.preventDefault();
  return html`<div class="touch-keys fades" role="toolbar" aria-label=${t("cards.letters")}>
    ${TOUCHED.map(
      (
        one,
      ) => html`<button type="button" class=${`put ${"grb".includes(one) ? `suit-${one}` : ""}`} onPointerDown=${keep}
        onClick=${() => onInsert(one, one.length > 1 || one === "|" || one === "L")}><b>${one}</b></button>`,
    )}
  </div>`;
}
