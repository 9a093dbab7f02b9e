// What rules of people's own do: to whom they show tiles, what they change in bundled rules, and how they are written.

import { html, useState } from "../../html.js";
import { language, listed, named, t } from "../../text.js";
import { api } from "../../net.js";
import { hasOwnRules, quoted } from "../../own-rules.js";
import { useStore } from "../../store.js";
import { Button, Waiting, later, useLoaded } from "../../ui.js";
import { setPanel } from "./panel.js";
import { bookOf } from "./rulebook.js";

/** @typedef {{ what: string, name: string, text?: string, more: string[] }} ChangedLine */
/**
 * What rules of people's own do, as `POST /api/own-rules` has it.
 * @typedef {{
 *   against: { id: string, name: Names } | null,
 *   shows: { text: string, hidden: string[] }[],
 *   changes: { title: string, lines: ChangedLine[] }[],
 *   texts: { kind: string, name: string, text: string, whole: boolean, from?: string | null }[],
 * }} Found
 */

const Book = later(() => import("../../book.js"), "Book", Waiting);
/** @type {Record<string, string>} */
const SIGNS = { added: "+", removed: "−", renamed: "~", changed: "~" };

/** @param {TableInfo} info */
const namesOf = ({ own }) => listed(own.map(({ kind, name }) => t(`table.own_${kind}`, { name: quoted(name) })));

// Before one sits down, and above the rulebook.
/** @param {{ session: Session }} props */
export function OwnRules({ session }) {
  const { info } = session.now;
  const lang = useStore(language);
  const { value, error, again } = useLoaded(`${session.code} ${lang} own`, () => ownRulesOf(session, lang));
  const names = namesOf(info);
  if (!hasOwnRules(info)) {
    return html`<section class="own-rules note-box stack small"><p>${t("table.own_card_note", { documents: names })}</p>${value && html`<${Texts} found=${value} />`}</section>`;
  }
  return html`<section class="own-rules note-box warm stack" aria-labelledby="own-rules">
    <h2 id="own-rules">${t("table.own_rules")}</h2>
    <p>${t("table.own_rules_note", { documents: names })}</p>
    ${error && html`<p class="wrong" role="alert">${t("table.own_unknown", { error: error.message })} <${Button} onClick=${again}>${t("table.own_again")}<//></p>`}
    ${!value && !error && html`<${Waiting} />`}
    ${value && html`<${Shows} found=${value} /><${Changes} found=${value} />`}
    ${value && session.now.about && html`<${Folded} title=${t("table.own_book")}><${RuleBook} session=${session} /><//>`}
    ${value && html`<${Texts} found=${value} />`}
  </section>`;
}

// Where there is no room: that they are there, and where to read them.
/** @param {{ session: Session }} props */
export function OwnRulesLine({ session }) {
  const { info, about } = session.now;
  return html`<p class="own-rules note-box warm row small"><span class="grow">${t("table.own_rules_short", { documents: namesOf(info) })}</span>
    <${Button} onClick=${() => setPanel(about, { panel: true, tab: "rules" })}>${t("table.own_read")}<//></p>`;
}

/** @param {Found} found */
const baseOf = ({ against }) => named(against?.name, against?.id);

/** @param {{ found: Found }} props */
function Shows({ found }) {
  const { shows } = found;
  const name = baseOf(found);
  if (!shows.length) return html`<p>${name ? t("table.own_shows_none", { name }) : t("table.own_shows_nothing")}</p>`;
  return html`<div><h3>${t("table.own_shows")}</h3>
    <ul class="shown-tiles">${shows.map(
      ({ text, hidden }) => html`<li class=${hidden.length ? "hidden-tiles" : ""}>${text}
      ${hidden.length > 0 && html` <b class="wrong">${t("table.own_hidden", { hidden: listed(hidden) })}</b>`}</li>`,
    )}</ul>
  </div>`;
}

/** @param {{ found: Found }} props */
function Changes({ found }) {
  const { against, changes } = found;
  if (!against) return html`<p>${t("table.own_no_base")}</p>`;
  const name = baseOf(found);
  if (!changes.length) return html`<p>${t("table.own_changes_none", { name })}</p>`;
  const count = changes.reduce((sum, { lines }) => sum + lines.length, 0);
  return html`<${Folded} title=${t("table.own_changes", { name, count })}>
    ${changes.map(
      ({ title, lines }) => html`<h3>${title}</h3><ul class="changes">
      ${lines.map(
        ({ what, name: part, text, more }) => html`<li><b>${SIGNS[what]} ${part}</b>${text && html` ${text}`}
        ${more.map((line) => html`<div class="small">${line}</div>`)}</li>`,
      )}
    </ul>`,
    )}
  <//>`;
}

/** @param {{ found: Found }} props */
function Texts({ found }) {
  return html`<${Folded} title=${t("table.own_written")}>
    ${found.texts.map(
      ({ kind, name, text, whole, from }) => html`<h3>${t(`table.own_${kind}`, { name: quoted(name) })}</h3>
      ${from && html`<p class="small">${t("table.own_from", { name: baseOf(found) })}</p>`}
      <pre class="own-text" tabindex="0">${text}</pre>${!whole && html`<p class="small">${t("table.own_cut")}</p>`}`,
    )}
  <//>`;
}

// What is drawn once it is opened.
/** @param {{ title: Child, children: object }} props */
function Folded({ title, children }) {
  const [open, set] = useState(false);
  return html`<details class="own-fold" open=${open} onToggle=${(event) => set(event.currentTarget.open)}>
    <summary>${title}</summary>${open && html`<div class="inside">${children}</div>`}
  </details>`;
}

/** @param {{ session: Session }} props */
function RuleBook({ session }) {
  const { about } = session.now;
  const { value, error } = useLoaded(`${about.digest} ${useStore(language)} book`, () => bookOf(session));
  if (error) return html`<p class="wrong">${error.message}</p>`;
  return value ? html`<${Book} book=${value} about=${about} />` : html`<${Waiting} />`;
}

/** @type {Map<string, Promise<Found>>} */
const known = new Map(); // of tables, by language
/** @param {Session} session @param {string} lang @returns {Promise<Found>} */
function ownRulesOf({ code }, lang) {
  const name = `${code} ${lang}`;
  const found = known.get(name);
  if (found) return found;
  const asked = /** @type {Promise<Found>} */ (api("POST", "/api/own-rules", { table: code, lang }));
  asked.catch(() => known.delete(name));
  known.set(name, asked);
  return asked;
}
