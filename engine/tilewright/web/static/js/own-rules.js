// Rules that people wrote themselves: a mark that no name can imitate, and names in quotes wherever they stand.

import { html } from "./html.js";
import { t } from "./text.js";

/** @typedef {{ own?: Protocol.OwnDocument[] }} WithOwn */

const CARD = "card"; // says what hands there are, and can do nothing else

// Whether more than the card of a table is somebody's own.
/** @param {WithOwn} info */
export const hasOwnRules = ({ own = [] }) => own.some(({ kind }) => kind !== CARD);

// `onClick`: shows what they are.
/** @param {{ info: WithOwn, onClick?: () => void }} props */
export function OwnMark({ info, onClick }) {
  if (!info.own?.length) return null;
  const what = hasOwnRules(info) ? "own_rules" : "own_card";
  const shown = { class: "badge warm own-mark", title: t(`base.${what}_note`) };
  return onClick
    ? html`<button type="button" ...${shown} onClick=${onClick}>${t(`base.${what}`)}</button>`
    : html`<span ...${shown}>${t(`base.${what}`)}</span>`;
}

/** @param {string} [name] */
export const quoted = (name) => t("base.quoted", { name: name || t("base.unnamed_rules") });

// What is played: `name` as the rules call themselves, the mods that people wrote beside it.
/** @param {WithOwn} info @param {string} name */
export function rulesTitle({ own = [] }, name) {
  const isOwn = own.some(({ kind }) => kind === "ruleset");
  return [isOwn ? quoted(name) : name, ...own.filter(({ kind }) => kind === "mod").map((mod) => quoted(mod.name))].join(
    " + ",
  );
}
