// The bundled rulesets in outline, fetched once; one of them with its options, mods and presets.

import { api } from "./net.js";

let rulesetsOnce = null;
export function fetchRulesets() {
  rulesetsOnce ??= api("GET", "/api/rulesets");
  rulesetsOnce.catch(() => (rulesetsOnce = null));
  return rulesetsOnce;
}

export const fetchRuleset = (id) => api("GET", `/api/rulesets/${encodeURIComponent(id)}`);
