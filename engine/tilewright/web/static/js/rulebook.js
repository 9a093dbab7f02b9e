// The rulebook of a bundled ruleset in a language, with what its tiles are drawn from.

import { api } from "./net.js";

/** @param {string} id @param {string} lang @returns {Promise<{ book: Book, about: About }>} */
export async function fetchRulebook(id, lang) {
  const [book, about] = await Promise.all([
    api("GET", `/api/rulebook/${encodeURIComponent(id)}?lang=${lang}`),
    api("POST", "/api/about", { spec: { ruleset: { id }, mods: [], options: {} } }),
  ]);
  return { book, about };
}
