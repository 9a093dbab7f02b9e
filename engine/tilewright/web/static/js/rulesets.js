// The bundled rulesets in outline, fetched once; one of them with its options, mods and presets; its rulebook.

import { api } from "./net.js";

let rulesetsOnce = null;
export function fetchRulesets() {
  rulesetsOnce ??= api("GET", "/api/rulesets");
  rulesetsOnce.catch(() => (rulesetsOnce = null));
  return rulesetsOnce;
}

// The rulebook of a bundled ruleset in a language, with what its tiles are drawn from.
export async function fetchRulebook(id, lang) {
  const [book, about] = await Promise.all([
    api("GET", `/api/rulebook/${encodeURIComponent(id)}?lang=${lang}`),
    api("POST", "/api/about", { spec: { ruleset: { id }, mods: [], options: {} } }),
  ]);
  return { book, about };
}

export const fetchRuleset = (id) => api("GET", `/api/rulesets/${encodeURIComponent(id)}`);
