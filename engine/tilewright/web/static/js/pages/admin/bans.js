// Bans: those that hold, each with a button that ends it, and a form for another one.

import { html, useState } from "../../html.js";
import { language, moment, t } from "../../text.js";
import { useStore } from "../../store.js";
import { Button, Choice, Field, Panel } from "../../ui.js";
import { Rows } from "./lists.js";

const NEW = { kind: "address", subject: "", reason: "", days: "" };

/** @param {{ found: Overview, act: Act }} props */
export function Bans({ found, act }) {
  useStore(language);
  const rows = found.bans.map((one) => [
    one.subject,
    t(`admin.kind_${one.kind}`),
    one.reason,
    one.until ? moment(one.until) : t("admin.for_ever"),
    html`<${Button} aria-label=${t("admin.unban_named", { who: one.subject })}
      onClick=${() => act("/unban", { kind: one.kind, subject: one.subject }, t("admin.unbanned", { who: one.subject }))}>${t("admin.unban")}<//>`,
  ]);
  return html`<${Panel} title=${t("admin.bans")}>
    <${Rows} title=${t("admin.bans")} head=${["admin.subject", "admin.kind", "admin.reason", "admin.until", ""]} rows=${rows} />
    <${NewBan} act=${act} />
  <//>`;
}

/** @param {{ act: Act }} props */
function NewBan({ act }) {
  const [ban, set] = useState(NEW);
  /** @param {Partial<NewBan>} part */
  const change = (part) => set({ ...ban, ...part });
  /** @param {keyof NewBan} name */
  const typed = (name) => (/** @type {Happening} */ event) => change({ [name]: event.currentTarget.value });
  /** @param {Happening} event */
  const send = async (event) => {
    event.preventDefault();
    const days = ban.days ? { days: Number(ban.days) } : {};
    await act(
      "/ban",
      { kind: ban.kind, subject: ban.subject.trim(), reason: ban.reason, ...days },
      t("admin.banned", { who: ban.subject }),
    );
    set({ ...NEW, kind: ban.kind });
  };
  return html`<form class="row new-ban" onSubmit=${send}>
    <${Choice} label=${t("admin.kind")} value=${ban.kind} onChange=${(/** @type {string} */ kind) => change({ kind })}
      options=${["address", "person"].map((kind) => [kind, t(`admin.kind_${kind}`)])} />
    <${Field} label=${t("admin.subject")}><input value=${ban.subject} onInput=${typed("subject")} maxlength="64" /><//>
    <${Field} label=${t("admin.reason")}><input value=${ban.reason} onInput=${typed("reason")} maxlength="500" /><//>
    <${Field} label=${t("admin.days")}><input type="number" min="0.01" step="any" value=${ban.days} onInput=${typed("days")} placeholder=${t("admin.for_ever")} /><//>
    <${Button} bad type="submit" disabled=${!ban.subject.trim()}>${t("admin.ban")}<//>
  </form>`;
}
