// What a server does now: its processes, tables, people and addresses.

import { html } from "../../html.js";
import { listed, named, number, t } from "../../text.js";
import { Button, Panel, useLoaded } from "../../ui.js";
import { fetchRulesets } from "../../rulesets.js";

const MEGABYTE = 1_000_000;
const COUNTS = new Set(["admin.memory", "admin.tables", "admin.waiting", "admin.watching", "admin.open_pages"]);

/** @param {{ found: Overview }} props */
export function Load({ found }) {
  /** @param {number} bytes */
  const memory = (bytes) => t("admin.megabytes", { count: number(Math.round(bytes / MEGABYTE)) });
  return html`<${Panel} title=${t("admin.load")}>
    <p class="number">${[
      t("admin.version", { version: found.version }),
      t("admin.hours", { count: number(Math.round(found.seconds / 360) / 10) }),
      t("admin.pages", { count: found.connections }),
      t("admin.queued", { count: number(Math.round(found.queued_bytes / 1000)) }),
    ].join(" · ")}</p>
    <${Rows} title=${t("admin.load")} head=${["admin.process", "admin.use", "admin.memory", "admin.tables", "admin.waiting"]}
      rows=${found.processes.map((one) => [one.pid, t(`admin.use_${one.use}`), memory(one.memory), one.tables, one.waiting])} />
  <//>`;
}

/** @param {{ found: Overview, act: Act }} props */
export function Tables({ found, act }) {
  const { value: rulesets } = useLoaded("rulesets", fetchRulesets);
  /** @param {string} id */
  const nameOf = (id) => named(rulesets?.find((one) => one.id === id)?.name, id);
  /** @param {Overview["tables"][number]} one */
  const close = (one) =>
    confirm(t("admin.close_sure", { id: one.id })) &&
    act("/close", { table: one.id }, t("admin.closed", { id: one.id }));
  const rows = found.tables.map((one) => [
    one.id,
    [one.name, nameOf(one.ruleset)].filter(Boolean).join(" · "),
    t(`admin.state_${one.state}`),
    listed([...one.seats, one.bots > 0 && t("admin.bots", { count: one.bots })]),
    one.pages,
    ["waiting", "playing"].includes(one.state) &&
      html`<${Button} bad aria-label=${t("admin.close_named", { id: one.id })} onClick=${() => close(one)}>${t("admin.close")}<//>`,
  ]);
  return html`<${Panel} title=${t("admin.tables")}>
    <${Rows} title=${t("admin.tables")} head=${["admin.id", "admin.rules", "admin.state", "admin.seats", "admin.watching", ""]} rows=${rows} more=${found.more.tables} />
  <//>`;
}

/** @param {{ found: Overview, act: Act }} props */
export function People({ found, act }) {
  /** @param {Overview["people"][number]} one */
  const ban = (one) =>
    confirm(t("admin.ban_sure", { who: one.name || one.id })) &&
    act(
      "/ban",
      { kind: "person", subject: String(one.id), reason: one.name },
      t("admin.banned", { who: one.name || one.id }),
    );
  const rows = found.people.map((one) => [
    one.id,
    one.name,
    one.addresses.join(", "),
    one.pages,
    html`<${Button} bad aria-label=${t("admin.ban_named", { who: one.name || one.id })} onClick=${() => ban(one)}>${t("admin.ban")}<//>`,
  ]);
  return html`<${Panel} title=${t("admin.people")}>
    <${Rows} title=${t("admin.people")} head=${["admin.id", "admin.name", "admin.address", "admin.open_pages", ""]} rows=${rows} more=${found.more.people} />
  <//>`;
}

/** @param {{ found: Overview, act: Act }} props */
export function Addresses({ found, act }) {
  /** @param {Overview["addresses"][number]} one */
  const ban = (one) =>
    confirm(t("admin.ban_sure", { who: one.address })) &&
    act("/ban", { kind: "address", subject: one.address }, t("admin.banned", { who: one.address }));
  const rows = found.addresses.map((one) => [
    one.address,
    one.connections,
    html`<${Button} bad aria-label=${t("admin.ban_named", { who: one.address })} onClick=${() => ban(one)}>${t("admin.ban")}<//>`,
  ]);
  return html`<${Panel} title=${t("admin.addresses")}>
    <${Rows} title=${t("admin.addresses")} head=${["admin.address", "admin.open_pages", ""]} rows=${rows} more=${found.more.addresses} />
  <//>`;
}

// A table of rows, in a box that scrolls; `head`: messages, empty for a column of buttons.
/** @param {{ title: string, head: string[], rows: Child[][], more?: number }} props */
export function Rows({ title, head, rows, more = 0 }) {
  if (!rows.length) return html`<p class="soft">${t("admin.none")}</p>`;
  return html`<div class="scrolled fades" tabindex="0" role="group" aria-label=${title}><table class="plain">
      <thead><tr>${head.map((one) => (one ? html`<th scope="col" class=${COUNTS.has(one) ? "number" : null}>${t(one)}</th>` : html`<td></td>`))}</tr></thead>
      <tbody>${rows.map((row) => html`<tr key=${row[0]}>${row.map((cell, at) => html`<td class=${COUNTS.has(head[at]) ? "number" : null}>${cell}</td>`)}</tr>`)}</tbody>
    </table></div>
    ${more > 0 && html`<p class="soft">${t("admin.more", { count: number(more) })}</p>`}`;
}
