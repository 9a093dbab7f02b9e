// Cards: one's own, those that come with the program, and the editor of one of them.

import { html, useEffect, useRef, useState } from "../../html.js";
import { langOf, language, moment, named, t } from "../../text.js";
import { go } from "../../main.js";
import { Button, Field, Panel, Waiting, complain, toast, useLoaded } from "../../ui.js";
import { useStore } from "../../store.js";
import { api } from "../../net.js";
import { Editor } from "./editor.js";
import { Icon } from "./icons.js";
import { Told } from "./problems.js";
import { keepDraft, saves, unsavedDrafts } from "./keeping.js";

/** @param {{ params: { id?: string } }} props */
export default function Page({ params }) {
  useStore(language);
  return params.id ? html`<${Editor} key=${params.id} id=${params.id} />` : html`<${List} />`;
}

/** @typedef {{ id: string, name: string, names: Names, about: Names, lines: number }} BundledCard */
/** @returns {Promise<{ own: KeptCard[], bundled: BundledCard[] }>} */
const fetchCards = () => api("GET", "/api/cards");

function List() {
  const { value, error, again } = useLoaded(`cards ${useStore(saves)}`, () => fetchCards());
  const [taken, take] = useState(/** @type {{ busy?: boolean, name?: string, problems?: Fault[] } | null} */ (null)); // what became of a file
  const file = useRef(/** @type {HTMLElement | null} */ (null));
  useEffect(() => void (document.title = `${t("cards.title")} – Tilewright`), [language.value]);
  const known = new Set(value?.own.map((one) => one.id));
  const drafts = unsavedDrafts().filter((one) => !known.has(one.id));

  /** @param {string} name @param {string} text */
  const takeIn = async (name, text) => {
    take({ busy: true });
    try {
      const found = await /** @type {Promise<{ text?: string, problems: Fault[] }>} */ (
        api("POST", "/api/cards/import", { name, text })
      );
      if (!found.text) return take({ name, problems: found.problems });
      const made = await /** @type {Promise<KeptCard>} */ (api("POST", "/api/cards", { text: found.text }));
      go(`/cards/${made.id}`);
    } catch (problem) {
      take(null);
      complain(problem);
    }
  };
  /** @param {File | undefined} one */
  const chosen = async (one) => one && takeIn(one.name, await one.text());
  /** @param {Happening} event */
  const dropped = (event) => {
    event.preventDefault();
    chosen(event.dataTransfer.files[0]);
  };
  return html`<div class="page cards stack" onDragOver=${(event) => event.preventDefault()} onDrop=${dropped}>
    <div class="intro"><h1>${t("cards.title")}</h1><p class="soft">${t("cards.lead")}</p></div>
    <div class="row">
      <${Button} main href="/cards/new"><${Icon} name="plus" />${t("cards.new")}<//>
      <${Button} onClick=${() => file.current?.click()}><${Icon} name="import" />${t("cards.import_file")}<//>
      <input ref=${file} type="file" class="unseen" tabindex="-1" aria-label=${t("cards.import_file")} accept=".txt,.yaml,.yml,.json,text/plain"
        onChange=${(event) => (chosen(event.currentTarget.files?.[0]), (event.currentTarget.value = ""))} />
    </div>
    ${
      taken?.problems &&
      html`<div class="note-box bad stack" role="alert"><b>${t("cards.not_taken", { name: taken.name })}</b>
      ${taken.problems.map((one) => html`<${Told} problem=${one} place onGo=${() => {}} />`)}</div>`
    }
    <section class="stack">
      <h2>${t("cards.own")}</h2>
      ${error && html`<div class="note-box bad row"><span class="grow">${error.message}</span><${Button} onClick=${again}>${t("cards.again")}<//></div>`}
      ${!value && !error && html`<${Waiting} />`}
      ${value && !value.own.length && !drafts.length && html`<p class="soft">${t("cards.none")}</p>`}
      <ul class="card-list">
        ${drafts.map((one) => html`<${Draft} draft=${one} onGone=${again} />`)}
        ${value?.own.map((one) => html`<${Own} key=${one.id} card=${one} onGone=${again} />`)}
      </ul>
    </section>
    <section class="stack">
      <h2>${t("cards.bundled")}</h2>
      <ul class="card-list">
        ${value?.bundled.map(
          (
            one,
          ) => html`<li class="panel"><a class="cover" href=${`/cards/bundled-${one.id}`}><h3>${named(one.names, one.name)}</h3></a>
          <p class="soft" lang=${langOf(one.about)}>${named(one.about)}</p><p class="small soft number">${t("cards.n_lines", { n: one.lines })}</p></li>`,
        )}
      </ul>
    </section>
    <${Paste} onText=${(/** @type {string} */ text) => takeIn("", text)} />
  </div>`;
}

/** @param {{ card: KeptCard, onGone: () => void }} props */
function Own({ card, onGone }) {
  const [sure, ask] = useState(false);
  const remove = async () => {
    try {
      await api("DELETE", `/api/cards/${card.id}`);
      keepDraft(card.id, null);
      ask(false);
      onGone();
      toast(t("cards.deleted", { name: card.name }));
    } catch (error) {
      complain(error);
    }
  };
  const name = card.name || t("cards.nameless");
  const when = moment(card.updated);
  return html`<li class="panel">
    <a class="cover" href=${`/cards/${card.id}`}><h3>${name}</h3></a>
    <p class="small soft">${t("cards.saved_at", { when })}${card.share && html` · <span>${t("cards.is_shared")}</span>`}</p>
    <div class="row end">
      ${
        sure
          ? html`<span class="grow">${t("cards.sure")}</span><${Button} bad onClick=${remove}>${t("cards.delete")}<//><${Button} quiet onClick=${() => ask(false)}>${t("cards.keep")}<//>`
          : html`<${Button} quiet class="over" aria-label=${t("cards.delete_named", { name })} onClick=${() => ask(true)}>${t("cards.delete")}<//>`
      }
    </div>
  </li>`;
}

/** @param {{ draft: Draft, onGone: () => void }} props */
function Draft({ draft, onGone }) {
  const name = draft.text.split("\n").find((row) => row.trim()) || t("cards.nameless");
  return html`<li class="panel draft">
    <a class="cover" href=${`/cards/${draft.id}`}><h3>${name}</h3></a>
    <p class="small soft">${t("cards.draft_here")}</p>
    <div class="row end"><${Button} quiet class="over" onClick=${() => (keepDraft(draft.id, null), onGone())}>${t("cards.drop_draft")}<//></div>
  </li>`;
}

/** @param {{ onText: (text: string) => void }} props */
function Paste({ onText }) {
  const [text, set] = useState("");
  return html`<${Panel} title=${t("cards.paste_title")}>
    <div class="stack">
      <${Field} label=${t("cards.paste_label")} note=${t("cards.paste_note")}>
        <textarea rows="5" spellcheck="false" value=${text} onInput=${(event) => set(event.currentTarget.value)}></textarea>
      <//>
      <div><${Button} disabled=${!text.trim()} onClick=${() => open(text.trim(), onText)}>${t("cards.paste_open")}<//></div>
    </div>
  <//>`;
}

// A link to a card, or a card.
/** @param {string} text @param {(text: string) => void} onText */
function open(text, onText) {
  const link = /^https?:\/\/[^\s]+\/cards\/(shared-\w+)$/.exec(text);
  if (link) go(`/cards/${link[1]}`);
  else onText(text);
}
