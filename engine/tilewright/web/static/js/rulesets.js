// The bundled rulesets in outline, fetched once; one of them with its options, mods and presets.

import { api } from "./net.js";
import { offerLanguages } from "./text.js";

/** @type {Promise<Outline[]> | null} */
let rulesetsOnce = null;
/** @returns {Promise<Outline[]>} */
export function fetchRulesets() {
  rulesetsOnce ??= /** @type {Promise<Outline[]>} */ (api("GET", "/api/rulesets"));
  rulesetsOnce.then((all) => all.forEach((one) => offerLanguages(one.name)));
  rulesetsOnce.catch(() => (rulesetsOnce = null));
  return rulesetsOnce;
}

/** @param {string} id @returns {Promise<Offered>} */
export const fetchRuleset = (id) => api("GET", `/api/rulesets/${encodeURIComponent(id)}`);
