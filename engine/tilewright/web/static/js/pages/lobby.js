// The lobby: pick a ruleset and play at once or set a table up; go back to a table, join one by code, see open ones.

import { html, useEffect, useState } from "../html.js";
import { langOf, listed, named, t } from "../text.js";
import { api, key, link, on, rename, say, watch } from "../net.js";
import { Button, Field, Panel, Waiting, complain, useLoaded } from "../ui.js";
import { go } from "../main.js";
import { forgetTable, keepTable, ownTables } from "../own.js";
import { useStore } from "../store.js";
import { Setup, quickSetup } from "./lobby/setup.js";

const INVITE_LENGTH = 8;

export default function Lobby() {
  const { value: rulesets, error, again } = useLoaded("rulesets", () => fetchRulesets());
  const [chosen, choose] = useState(decodeURIComponent(location.hash.slice(1)) || null);
  const [busy, setBusy] = useState(null);
  const [problems, setProblems] = useState([]); // of what was to be played
  const one = rulesets?.find((ruleset) => ruleset.id === chosen);

  async function play(ruleset, spec = { ruleset: { id: ruleset.id }, mods: [], options: {}, hands: null }, setup) {
    setBusy(ruleset.id);
    setProblems([]);
    try {
      const made = await say({ say: "make", spec, setup: setup || quickSetup(ruleset), sit: 0 });
      keepTable(made.info.code, made.token);
      go(`/t/${made.info.code}`);
    } catch (problem) {
      complain(problem);
      setProblems(problem.problems || []);
      setBusy(null);
    }
  }

  const show = (id) => {
    history.replaceState(null, "", id ? `#${id}` : location.pathname);
    choose(id);
    setProblems([]);
  };

  return html`<div class="page lobby">
    <div class="intro">
      <h1>${t("lobby.title")}</h1>
      <p class="soft">${t("lobby.lead")}</p>
    </div>
    <div class="columns">
      <div class="left">
        ${error && html`<div class="note-box bad row"><span class="grow">${error.message}</span><${Button} onClick=${again}>${t("lobby.again")}<//></div>`}
        ${!rulesets && !error && html`<${Waiting} />`}
        ${one
          ? html`<${Setup} key=${one.id} ruleset=${one} busy=${busy === one.id} problems=${problems} onBack=${() => show(null)} onOpen=${(spec, setup) => play(one, spec, setup)} />`
          : html`<ul class="rulesets">
              ${rulesets?.map((ruleset) => html`<${Ruleset} ruleset=${ruleset} busy=${busy} onPlay=${() => play(ruleset)} onSetup=${() => show(ruleset.id)} />`)}
            </ul>`}
      </div>
      <div class="right stack">
        <${Join} />
        <${OwnTables} rulesets=${rulesets} />
        <${OpenTables} rulesets=${rulesets} />
        <${Name} />
      </div>
    </div>
  </div>`;
}

let rulesetsOnce = null;
export function fetchRulesets() {
  rulesetsOnce ??= fetch("/api/rulesets").then((answer) => {
    if (!answer.ok) throw new Error(t("lobby.no_rulesets"));
    return answer.json();
  });
  rulesetsOnce.catch(() => (rulesetsOnce = null));
  return rulesetsOnce;
}

function Ruleset({ ruleset, busy, onPlay, onSetup }) {
  const name = named(ruleset.name, ruleset.id);
  const [least, most] = ruleset.seats || [4, 4];
  return html`<li class="ruleset panel" data-ruleset=${ruleset.id}>
    <h2>${name}</h2>
    <p class="soft about" lang=${langOf(ruleset.about)}>${named(ruleset.about)}</p>
    <p class="small soft">${least === most ? t("lobby.seats", { count: most }) : t("lobby.seats_range", { least, most })}${" · "}
      <a href=${`/rules/${ruleset.id}`}>${t("lobby.rules")}</a></p>
    <div class="row">
      <${Button} main class="grow" disabled=${Boolean(busy)} onClick=${onPlay} aria-label=${t("lobby.play_named", { name })}>
        ${busy === ruleset.id ? t("lobby.opening") : t("lobby.play")}<//>
      <${Button} disabled=${Boolean(busy)} onClick=${onSetup} aria-label=${t("lobby.setup_named", { name })}>${t("lobby.setup")}<//>
    </div>
  </li>`;
}

function Join() {
  const [code, set] = useState("");
  const address = tableIn(code);
  const send = async (event) => {
    event.preventDefault();
    try {
      go(address.invite ? await invitedTo(address.invite) : address.link);
    } catch (error) {
      complain(error);
    }
  };
  return html`<${Panel} title=${t("lobby.join")}>
    <form class="row nowrap" onSubmit=${send}>
      <input class="code grow" value=${code} onInput=${(event) => set(event.currentTarget.value)} aria-label=${t("lobby.code")}
        placeholder=${t("lobby.code_example")} autocapitalize="characters" autocomplete="off" spellcheck=${false} maxlength="120" />
      <${Button} type="submit" disabled=${!address}>${t("lobby.sit_down")}<//>
    </form>
    <p class="note small soft">${t("lobby.join_note")}</p>
  <//>`;
}

// What somebody has typed: the link of a table, an invite code, or the code of a table.
function tableIn(text) {
  const [, code, query = ""] = text.match(/\/t\/([a-z0-9]+)(\?[^#]*)?/i) || [];
  if (code) return { link: `/t/${code}${query}` };
  const letters = text.toUpperCase().replace(/[^A-Z0-9]/g, "");
  if (!letters) return null;
  return letters.length === INVITE_LENGTH ? { invite: letters } : { link: `/t/${letters}` };
}

async function invitedTo(invite) {
  const { table } = await api("GET", `/api/invites/${invite}`);
  return `/t/${table}?invite=${invite}`;
}

// --- tables

function OwnTables({ rulesets }) {
  const [tables, set] = useState([]);
  useEffect(() => {
    let here = true;
    if (key()) {
      Promise.all(ownTables().map(infoOf)).then((found) => here && set(found.filter((info) => info && info.state !== "over")));
    }
    return () => (here = false);
  }, []);
  if (!tables.length) return null;
  return html`<${Panel} title=${t("lobby.own")}><${TableList} tables=${tables} rulesets=${rulesets} own /><//>`;
}

async function infoOf({ code }) {
  try {
    return await api("GET", `/api/tables/${code}`);
  } catch (error) {
    if (error.status === 404) forgetTable(code);
    return null;
  }
}

function OpenTables({ rulesets }) {
  const [tables, set] = useState(null);
  useEffect(() => {
    const off = on("lobby", (message) => set(message.tables));
    watch(true).then((reply) => reply && set(reply.tables), () => set([]));
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

function TableList({ tables, rulesets, own }) {
  return html`<ul class="tables">
    ${tables.map((info) => html`<${TableLine} key=${info.code} info=${info} own=${own} ruleset=${rulesets?.find((one) => one.id === info.spec?.ruleset?.id)} />`)}
  </ul>`;
}

function TableLine({ info, ruleset, own }) {
  const name = info.name || named(ruleset?.name, info.spec?.ruleset?.id || info.spec?.ruleset?.name || info.code);
  const free = info.seats.filter((seat) => seat.kind === "person" && !seat.taken).length;
  const people = info.seats.filter((seat) => seat.kind === "person" && seat.taken).map((seat) => seat.name).filter(Boolean);
  const state = info.state === "waiting" ? t("lobby.free", { count: free }) : t(`lobby.state_${info.state}`);
  return html`<li>
    <a class="table-line" href=${`/t/${info.code}`}>
      <span class="grow">
        <strong>${name}</strong>
        <span class="small soft">${[ruleset && info.name && named(ruleset.name), listed(people)].filter(Boolean).join(" · ")}</span>
      </span>
      <span class=${`badge ${info.state === "waiting" ? "accent" : ""}`}>${state}</span>
      <span class="unseen">${own ? t("lobby.go_back") : t("lobby.sit_down")}</span>
    </a>
  </li>`;
}

function Name() {
  const { name } = useStore(link);
  const [value, set] = useState(null);
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

