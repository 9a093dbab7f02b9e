// What rules of people's own do: to whom they show tiles, what they change in bundled rules, and how they are written.

import { html, useState } from "../../html.js";
import { language, listed, named, t } from "../../text.js";
import { api } from "../../net.js";
import { hasOwnRules, quoted } from "../../own-rules.js";
import { useStore } from "../../store.js";
import { Button, Waiting, later, useLoaded } from "../../ui.js";
import { setPanel } from "./panel.js";
import { bookOf } from "./side.js";

const Book = later(() => import("../../book.js"), "Book", Waiting);
const SIGNS = { added: "+", removed: "−", renamed: "~", changed: "~" };

const namesOf = ({ own }) => listed(own.map(({ kind, name }) => t(`table.own_${kind}`, { name: quoted(name) })));

// Before one sits down, and above the rulebook.
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
export function OwnRulesLine({ session }) {
  const { info, about } = session.now;
  return html`<p class="own-rules note-box warm row small"><span class="grow">${t("table.own_rules_short", { documents: namesOf(info) })}</span>
    <${Button} onClick=${() => setPanel(about, { panel: true, tab: "rules" })}>${t("table.own_read")}<//></p>`;
}

const baseOf = ({ against }) => named(against?.name, against?.id);

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
function Folded({ title, children }) {
  const [open, set] = useState(false);
  return html`<details class="own-fold" open=${open} onToggle=${(event) => set(event.currentTarget.open)}>
    <summary>${title}</summary>${open && html`<div class="inside">${children}</div>`}
  </details>`;
}

function RuleBook({ session }) {
  const { about } = session.now;
  const { value, error } = useLoaded(`${about.digest} ${useStore(language)} book`, () => bookOf(session));
  if (error) return html`<p class="wrong">${error.message}</p>`;
  return value ? html`<${Book} book=${value} about=${about} />` : html`<${Waiting} />`;
}

const known = new Map(); // of tables, by language
function ownRulesOf({ code }, lang) {
  const name = `${code} ${lang}`;
  if (!known.has(name)) {
    const asked = api("POST", "/api/own-rules", { table: code, lang });
    asked.catch(() => known.delete(name));
    known.set(name, asked);
  }
  return known.get(name);
}
