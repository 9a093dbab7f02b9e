// The shelf: own rulesets and mods, those that come with the program, and how to begin: from a template, a file or a link.

import { html, useRef, useState } from "../../html.js";
import { langOf, language, moment, named, t } from "../../text.js";
import { useStore } from "../../store.js";
import { api } from "../../net.js";
import { Button, Choice, Field, Panel, Waiting, complain, toast, useLoaded } from "../../ui.js";
import { go } from "../../main.js";
import { SHARED, bringPack, drafts, forgetDraft } from "./keeping.js";

const MOST = 256_000;
const MOST_PACK = 1_100_000;
const LINK = /\/workshop\/([A-Z]+)/;

/** @returns {Promise<{ own: ListedDocument[], bundled: ListedDocument[] }>} */
const fetchDocuments = () => api("GET", "/api/documents");

export function Shelf() {
  const { value, error, again } = useLoaded("documents", fetchDocuments);
  const [busy, setBusy] = useState(false);

  /** @param {object} body */
  async function begin(body) {
    setBusy(true);
    try {
      const made = await /** @type {Promise<{ id: string }>} */ (api("POST", "/api/documents", body));
      go(`/workshop/${made.id}`);
    } catch (problem) {
      complain(problem);
      setBusy(false);
    }
  }

  /** @param {File} file */
  async function bring(file) {
    setBusy(true);
    try {
      const { name, version, needs, made } = await bringPack(file);
      toast(t("workshop.pack_brought", { name, version, count: made.length, needs: Object.keys(needs).join(", ") }), {
        seconds: 12,
      });
      again();
    } catch (problem) {
      complain(problem);
    }
    setBusy(false);
  }

  /** @param {ListedDocument} one */
  async function remove(one) {
    if (!confirm(t("workshop.delete_sure", { name: one.name || one.id }))) return;
    try {
      await api("DELETE", `/api/documents/${one.id}`);
      forgetDraft(one.id);
      again();
    } catch (problem) {
      complain(problem);
    }
  }

  return html`<div class="page workshop-shelf stack">
    <div class="intro">
      <h1>${t("workshop.title")}</h1>
      <p class="soft">${t("workshop.lead")}</p>
    </div>
    ${error && html`<div class="note-box bad row"><span class="grow">${error.message}</span><${Button} onClick=${again}>${t("workshop.again")}<//></div>`}
    ${!value && !error && html`<${Waiting} />`}
    <div class="shelf-columns">
      <div class="stack">
        <${Own} documents=${value?.own} onDelete=${remove} />
        ${value && html`<${Bundled} documents=${value.bundled} busy=${busy} onFork=${(/** @type {string} */ id) => begin({ fork: id })} />`}
      </div>
      <div class="stack">
        <${Fresh} bundled=${value?.bundled || []} busy=${busy} onBegin=${begin} />
        <${Bring} onBegin=${begin} onPack=${bring} busy=${busy} />
      </div>
    </div>
  </div>`;
}

/** @param {{ documents: ListedDocument[] | undefined, onDelete: (one: ListedDocument) => void }} props */
function Own({ documents, onDelete }) {
  useStore(language);
  const unsaved = new Set(drafts());
  if (!documents) return null;
  return html`<${Panel} title=${t("workshop.own")}>
    ${!documents.length && html`<p class="soft">${t("workshop.none")}</p>`}
    <ul class="documents">
      ${documents.map(
        (one) => html`<li key=${one.id}>
        <a class="name grow" href=${`/workshop/${one.id}`}>${one.name || t("workshop.unnamed")}</a>
        <span class="badge">${t(`workshop.kind_${one.kind}`)}</span>
        ${unsaved.has(one.id) && html`<span class="badge warm">${t("workshop.unsaved")}</span>`}
        <span class="soft small when">${moment(one.updated)}</span>
        <${Button} quiet onClick=${() => onDelete(one)} aria-label=${t("workshop.delete_named", { name: one.name || one.id })}>${t("workshop.delete")}<//>
      </li>`,
      )}
    </ul>
  <//>`;
}

/** @param {{ documents: ListedDocument[], busy: boolean, onFork: (id: string) => void }} props */
function Bundled({ documents, busy, onFork }) {
  const [kind, setKind] = useState("ruleset");
  const shown = documents.filter((one) => one.kind === kind);
  return html`<${Panel} title=${t("workshop.bundled")}
    end=${["ruleset", "mod", "base"].map((one) => html`<${Button} quiet pressed=${kind === one} onClick=${() => setKind(one)}>${t(`workshop.kinds_${one}`)}<//>`)}>
    <p class="soft">${t(`workshop.bundled_${kind}`)}</p>
    <ul class="documents">
      ${shown.map(
        (one) => html`<li key=${one.id}>
        <div class="grow">
          <a class="name" href=${`/workshop/${one.id}`}>${named(one.names, one.id)}</a>
          ${!langOf(one.abouts) && html`<p class="soft small">${named(one.abouts)}</p>`}
        </div>
        <${Button} disabled=${busy} onClick=${() => onFork(one.id)} aria-label=${t("workshop.fork_named", { name: named(one.names, one.id) })}>${t("workshop.fork")}<//>
      </li>`,
      )}
    </ul>
  <//>`;
}

/** @param {{ bundled: ListedDocument[], busy: boolean, onBegin: (body: object) => void }} props */
function Fresh({ bundled, busy, onBegin }) {
  const [name, setName] = useState("");
  const [kind, setKind] = useState("ruleset");
  const targets = bundled.filter((one) => one.kind === "ruleset");
  const [target, setTarget] = useState("");
  /** @param {Happening} event */
  const begin = (event) => {
    event.preventDefault();
    onBegin({
      template: kind,
      name: name.trim() || undefined,
      ...(kind === "mod" ? { ruleset: target || targets[0]?.id } : {}),
    });
  };
  return html`<${Panel} title=${t("workshop.fresh")}>
    <form class="stack" onSubmit=${begin}>
      <${Choice} label=${t("workshop.kind")} value=${kind} onChange=${setKind} note=${t(`workshop.note_${kind}`)}
        options=${["ruleset", "mod"].map((one) => [one, t(`workshop.kind_${one}`)])} />
      ${
        kind === "mod" &&
        html`<${Choice} label=${t("workshop.target")} value=${target || targets[0]?.id} onChange=${setTarget}
        options=${targets.map((one) => [one.id, named(one.names, one.id)])} />`
      }
      <${Field} label=${t("workshop.name")}>
        <input value=${name} maxlength="60" placeholder=${t("workshop.name_example")} onInput=${(event) => setName(event.currentTarget.value)} />
      <//>
      <div><${Button} type="submit" main disabled=${busy || !bundled.length}>${t("workshop.begin")}<//></div>
    </form>
  <//>`;
}

/** @param {{ onBegin: (body: object) => void, onPack: (file: File) => void, busy: boolean }} props */
function Bring({ onBegin, onPack, busy }) {
  const file = useRef(/** @type {HTMLInputElement | null} */ (null));
  const [address, setAddress] = useState("");
  const written = LINK.exec(address)?.[1] ?? address.trim();
  const code = SHARED.test(written) ? written : null;

  /** @param {Happening} event */
  async function read(event) {
    const chosen = event.currentTarget.files?.[0];
    event.currentTarget.value = "";
    if (!chosen) return;
    const isPack = chosen.name.toLowerCase().endsWith(".zip");
    if (chosen.size > (isPack ? MOST_PACK : MOST)) return complain(new Error(t("workshop.too_large")));
    if (isPack) return onPack(chosen);
    onBegin({ text: await chosen.text() });
  }

  return html`<${Panel} title=${t("workshop.bring")}>
    <div class="stack">
      <div>
        <input type="file" class="unseen" id="bring-file" aria-label=${t("workshop.bring_file")} ref=${file} accept=".yaml,.yml,.json,.zip,text/yaml,application/zip" tabindex="-1" onChange=${read} />
        <${Button} disabled=${busy} onClick=${() => file.current?.click()}>${t("workshop.file")}<//>
      </div>
      <form class="stack" onSubmit=${(event) => (event.preventDefault(), code && go(`/workshop/${code}`))}>
        <${Field} label=${t("workshop.link")} note=${t("workshop.link_note")}>
          <input value=${address} onInput=${(event) => setAddress(event.currentTarget.value)} autocomplete="off" spellcheck=${false} />
        <//>
        <div><${Button} type="submit" disabled=${!code}>${t("workshop.look")}<//></div>
      </form>
    </div>
  <//>`;
}
