// The list: finished tables of one's own, and public ones.

import { html } from "../../html.js";
import { language, listed, moment, named, number, plain, t } from "../../text.js";
import { useStore } from "../../store.js";
import { api } from "../../net.js";
import { OwnMark, quoted } from "../../own-rules.js";
import { Button, Panel, Waiting, useLoaded } from "../../ui.js";
import { fetchRuleset, fetchRulesets } from "../../rulesets.js";

export function List() {
  const { value, error, again } = useLoaded(
    "replays",
    () => /** @type {Promise<{ own: FinishedTable[], public: FinishedTable[] }>} */ (api("GET", "/api/replays")),
  );
  const { value: rulesets } = useLoaded(value, () => value && rulesetsOf([...value.own, ...value.public]));
  return html`<div class="page replay-list stack">
    <div class="intro"><h1>${t("replay.title")}</h1><p class="soft">${t("replay.lead")}</p></div>
    ${error && html`<div class="note-box bad row"><span class="grow">${error.message}</span><${Button} onClick=${again}>${t("replay.again")}<//></div>`}
    ${!value && !error && html`<${Waiting} />`}
    ${value && html`<${Tables} title=${t("replay.own")} none=${t("replay.none_own")} tables=${value.own} rulesets=${rulesets} />`}
    ${value && html`<${Tables} title=${t("replay.public")} none=${t("replay.none_public")} tables=${value.public} rulesets=${rulesets} />`}
  </div>`;
}

// The bundled rulesets; with their mods, where such a table has some.
/** @param {FinishedTable[]} tables @returns {Promise<Partial<Offered>[]>} */
async function rulesetsOf(tables) {
  const modded = new Set(tables.filter((one) => one.spec.mods.length > 0).map((one) => one.spec.ruleset.id));
  return Promise.all((await fetchRulesets()).map((one) => (modded.has(one.id) ? fetchRuleset(one.id) : one)));
}

/** @param {{ title: string, none: string, tables: FinishedTable[], rulesets: Partial<Offered>[] | null }} props */
function Tables({ title, none, tables, rulesets }) {
  useStore(language);
  return html`<${Panel} title=${title}>
    ${!tables.length && html`<p class="soft">${none}</p>`}
    <ul class="replays">
      ${tables.map(
        (one) => html`<li key=${one.code}><a href=${`/r/${one.code}`}>
        <span class="what"><strong>${one.name || rulesName(one, rulesets)} <${OwnMark} info=${one} /></strong>
          ${one.name && html`<span class="soft small">${rulesName(one, rulesets)}</span>`}</span>
        <span class="who small">${standing(one)}</span>
        <time class="soft small">${one.finished ? moment(one.finished) : ""}</time>
      </a></li>`,
      )}
    </ul>
  <//>`;
}

/** @param {Pick<FinishedTable, "spec">} one @param {Partial<Offered>[] | null} rulesets */
export function rulesName(one, rulesets) {
  const { id, name } = one.spec.ruleset;
  const known = rulesets?.find((ruleset) => ruleset.id === id);
  const mods = one.spec.mods.map((mod) =>
    mod.id ? named(known?.mods?.find(({ id }) => id === mod.id)?.name, mod.id) : quoted(mod.name),
  );
  return [known ? named(known.name, id) : id ? plain(id) : quoted(name), ...mods].join(" + ");
}

// Who played, best first, with their points.
/** @param {FinishedTable} one */
function standing(one) {
  const rows = one.players.map((_, at) => ({ name: nameOf(one, at), score: one.scores[at] }));
  rows.sort((first, second) => (second.score ?? 0) - (first.score ?? 0));
  return listed(rows.map((row) => (row.score === undefined ? row.name : `${row.name} ${number(row.score)}`)));
}

/** @param {Pick<ReplayIndex, "players">} one @param {number} player */
export function nameOf(one, player) {
  const seat = one.players[player];
  if (seat?.name) return seat.name;
  return seat?.kind === "bot" ? t("table.bot", { number: player + 1 }) : t("table.player", { number: player + 1 });
}
