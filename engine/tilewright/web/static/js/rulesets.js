// The bundled rulesets with their options, mods and presets: fetched once.

import { api } from "./net.js";

let rulesetsOnce = null;
export function fetchRulesets() {
  rulesetsOnce ??= api("GET", "/api/rulesets");
  rulesetsOnce.catch(() => (rulesetsOnce = null));
  return rulesetsOnce;
}
