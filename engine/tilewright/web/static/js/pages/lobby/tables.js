// Tables on the first page: to join one by its code, to resume one's own, and those that are open to everyone.

import { html, useEffect, useState } from "../../html.js";
import { listed, named, t } from "../../text.js";
import { ServerError, api, key, link, on, rename, watch } from "../../net.js";
import { Button, Field, Panel, complain } from "../../ui.js";
import { go } from "../../main.js";
import { forgetTable, ownTables } from "../../own.js";
import { OwnMark, rulesTitle } from "../../own-rules.js";
import { useStore } from "../../store.js";

const INVITE_LENGTH = 8;
const MOST_OWN = 3;

// `slim`: a row without a title, where there is no room for more.
/** @param {{ slim?: boolean }} props */
export function Join({ slim = false }) {
  const [code, set] = useState("");
  const address = tableIn(code);
  /** @param {Happening} event */
  const send = async (event) => {
    event.preventDefault();
    try {
      if (address) go(address.link ?? (await invitedTo(address.invite)));
    } catch (error) {
      complain(error);
    }
  };
  return html`<section class=${slim ? "join slim" : "card join"} aria-label=${slim ? t("lobby.join") : null}>
    ${
      !slim &&
      html`<h2>${t("lobby.join")}</h2>
    <p class="soft small">${t("lobby.join_note")}</p>`
    }
    <form class="row nowrap" onSubmit=${send}>
      <input class="code grow" value=${code} onInput=${(event) => set(event.currentTarget.value)} aria-label=${t("lobby.code")}
        placeholder=${t("lobby.code_example")} autocapitalize="characters" autocomplete="off" spellcheck=${false} maxlength="120" />
      <${Button} type="submit" disabled=${!address}>${t("lobby.sit_down")}<//>
    </form>
  </section>`;
}

// What somebody has typed: the link of a table, an invite code, or the code of a table.
/**
 * @param {string} text
 * @returns {{ link: string, invite?: undefined } | { link?: undefined, invite: string } | null}
 */
function tableIn(text) {
  const [, code, given = ""] = text.match(/\/t\/([a-z0-9]+)([?#]\S*)?/i) || [];
  if (code) return { link: `/t/${code}${given}` };
  const letters = text.toUpperCase().replace(/[^A-Z0-9]/g, "");
  if (!letters) return null;
  return letters.length === INVITE_LENGTH ? { invite: letters } : { link: `/t/${letters}` };
}

/** @param {string} invite */
async function invitedTo(invite) {
  const { table } = await /** @type {Promise<{ table: string }>} */ (api("GET", `/api/invites/${invite}`));
  return `/t/${table}#invite=${invite}`;
}

// --- tables

// Where one was playing: the last table with a button, others below it.
/** @param {{ rulesets: Outline[] | null }} props */
export function Resume({ rulesets }) {
  const tables = useOwnTables();
  if (!tables.length) return null;
  const [last, ...others] = tables;
  const ruleset = rulesetOf(last, rulesets);
  return html`<section class="card resume">
    <h2>${t("lobby.own")}</h2>
    <p class="soft small">${[nameOf(last, ruleset), peopleAt(last)].filter(Boolean).join(" · ")} <${OwnMark} info=${last} /></p>
    <div class="row"><${Button} class="grow" href=${`/t/${last.code}`}>${t("lobby.go_back")}<//></div>
    ${others.length > 0 && html`<${TableList} tables=${others.slice(0, MOST_OWN)} rulesets=${rulesets} own />`}
  </section>`;
}

function useOwnTables() {
  const [tables, set] = useState(/** @type {TableInfo[]} */ ([]));
  useEffect(() => {
    let here = true;
    if (key()) {
      Promise.all(ownTables().map(infoOf)).then(
        (found) => here && set(found.filter((info) => info !== null).filter((info) => info.state !== "over")),
      );
    }
    return () => (here = false);
  }, []);
  return tables;
}

/** @param {{ code: string }} one @returns {Promise<TableInfo | null>} */
async function infoOf({ code }) {
  try {
    return await api("GET", `/api/tables/${code}`);
  } catch (error) {
    if (error instanceof ServerError && error.status === 404) forgetTable(code);
    return null;
  }
}

/** @param {{ rulesets: Outline[] | null }} props */
export function OpenTables({ rulesets }) {
  const [tables, set] = useState(/** @type {TableInfo[] | null} */ (null));
  const take = (/** @type {Protocol.ShowLobby} */ reply) => set(/** @type {TableInfo[]} */ (reply.tables));
  useEffect(() => {
    const off = on("lobby", take);
    watch(true).then(
      (reply) => reply && take(reply),
      () => set([]),
    );
    return () => {
      off();
      watch(false).catch(() => {});
    };
  }, []);
  const shown = (tables || []).filter((info) => info.setup?.public && (info.me === null || info.me === undefined));
  return html`<${Panel} title=${t("lobby.open_tables")}>
    ${shown.length ? html`<${TableList} tables=${shown} rulesets=${rulesets} />` : html`<p class="soft">${t("lobby.no_tables")}</p>`}
  <//>`;
}

/** @param {{ tables: TableInfo[], rulesets: Outline[] | null, own: boolean }} props */
function TableList({ tables, rulesets, own }) {
  return html`<ul class="tables">
    ${tables.map((info) => html`<${TableLine} key=${info.code} info=${info} own=${own} ruleset=${rulesetOf(info, rulesets)} />`)}
  </ul>`;
}

/** @param {TableInfo} info @param {Outline[] | null} rulesets */
const rulesetOf = (info, rulesets) => rulesets?.find((one) => one.id === info.spec?.ruleset?.id);
/** @param {TableInfo} info @param {Outline | undefined} ruleset */
const rulesOf = (info, ruleset) =>
  rulesTitle(info, named(ruleset?.name, info.spec?.ruleset?.id || info.spec?.ruleset?.name || info.code));
/** @param {TableInfo} info @param {Outline | undefined} ruleset */
const nameOf = (info, ruleset) => info.name || rulesOf(info, ruleset);
/** @param {TableInfo} info */
const peopleAt = (info) =>
  listed(info.seats.filter((seat) => seat.kind === "person" && seat.taken).map((seat) => seat.name));

/** @param {{ info: TableInfo, ruleset: Outline | undefined, own: boolean }} props */
function TableLine({ info, ruleset, own }) {
  const free = info.seats.filter((seat) => seat.kind === "person" && !seat.taken).length;
  const state = info.state === "waiting" ? t("lobby.free", { count: free }) : t(`lobby.state_${info.state}`);
  return html`<li>
    <a class="table-line" href=${`/t/${info.code}`}>
      <span class="grow">
        <strong>${nameOf(info, ruleset)} <${OwnMark} info=${info} /></strong>
        <span class="small soft">${[info.name && rulesOf(info, ruleset), peopleAt(info)].filter(Boolean).join(" · ")}</span>
      </span>
      <span class=${`badge ${info.state === "waiting" ? "accent" : ""}`}>${state}</span>
      <span class="unseen">${own ? t("lobby.go_back") : t("lobby.sit_down")}</span>
    </a>
  </li>`;
}

export function Name() {
  const { name } = useStore(link);
  const [value, set] = useState(/** @type {string | null} */ (null));
  const save = async () => {
    const next = value?.trim();
    if (!next || next === name) return;
    try {
      await rename(next.slice(0, 24));
    } catch (error) {
      complain(error);
    }
  };
  return html`<${Panel}>
    <${Field} label=${t("lobby.name")} note=${t("lobby.name_note")}>
      <input value=${value ?? name ?? ""} maxlength="24" autocomplete="nickname" onInput=${(event) => set(event.currentTarget.value)}
        onBlur=${save} onKeyDown=${(event) => event.key === "Enter" && event.currentTarget.blur()} />
    <//>
  <//>`;
}
