// What stands beside the text: whether it is kept, the link that shares it, the files that it is given away as.

import { html, useEffect, useState } from "../../html.js";
import { t } from "../../text.js";
import { Button, Waiting, complain, toast } from "../../ui.js";
import { api } from "../../net.js";

const FORMATS = ["code", "yaml", "svg", "html"];

/** @param {{ kept: Kept, keeping: Keeping }} props */
export function State({ kept, keeping }) {
  const bad = ["offline", "conflict", "gone", "refused"].includes(kept.state);
  return html`<p class=${`kept small ${bad ? "bad" : "soft"}`} role="status" data-state=${kept.state}>
    ${kept.state === "refused" && kept.error ? kept.error.message : t(`cards.state_${kept.state}`)}
    ${["refused", "offline"].includes(kept.state) && html` <button type="button" class="linkish" onClick=${() => keeping.save()}>${t("cards.save_now")}</button>`}
  </p>`;
}

/** @param {{ keeping: Keeping, onClose: () => void }} props */
export function SharePanel({ keeping, onClose }) {
  const [link, set] = useState(/** @type {string | null} */ (null));
  useEffect(() => {
    const { kind, id } = keeping.source;
    if (kind === "shared") return set(linkOf(id));
    keeping.share().then(
      (code) => set(code ? linkOf(code) : ""),
      (error) => (complain(error), set("")),
    );
  }, []);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(link ?? "");
      toast(t("cards.copied"));
    } catch {
      /** @type {HTMLInputElement | null} */ (document.getElementById("card-link"))?.select();
    }
  };
  return html`<section class="panel drawer" aria-label=${t("cards.share")}>
    ${link === null && html`<${Waiting} />`}
    ${link === "" && html`<p>${t("cards.share_later")}</p>`}
    ${
      link &&
      html`<label class="field grow"><span class="label">${t("cards.share_label")}</span>
      <input id="card-link" readonly value=${link} onFocus=${(event) => event.currentTarget.select()} /><span class="note">${t("cards.share_note")}</span></label>
      <${Button} main onClick=${copy}>${t("cards.copy")}<//>`
    }
    <${Button} quiet onClick=${onClose}>${t("base.close")}<//>
  </section>`;
}

/** @param {string} code */
function linkOf(code) {
  return `${location.origin}/cards/shared-${code}`;
}

/** @param {{ text: string, paper: string, onClose: () => void }} props */
export function ExportPanel({ text, paper, onClose }) {
  const [busy, set] = useState(false);
  /** @param {string} format */
  const give = async (format) => {
    set(true);
    try {
      const made = await /** @type {Promise<{ file: string, type: string, text: string }>} */ (
        api("POST", "/api/cards/export", { text, format, paper })
      );
      download(made.file, made.type, made.text);
    } catch (error) {
      complain(error);
    }
    set(false);
  };
  return html`<section class="panel drawer" aria-label=${t("cards.export")}>
    <div class="row grow">
      ${FORMATS.map((one) => html`<${Button} disabled=${busy} data-format=${one} onClick=${() => give(one)}>${t(`cards.as_${one}`)}<//>`)}
    </div>
    <${Button} quiet onClick=${onClose}>${t("base.close")}<//>
  </section>`;
}

/** @param {string} name @param {string} type @param {string} text */
export function download(name, type, text) {
  const address = URL.createObjectURL(new Blob([text], { type: `${type};charset=utf-8` }));
  const link = document.createElement("a");
  link.href = address;
  link.download = name;
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}
