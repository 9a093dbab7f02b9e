// The rulebook of a table, asked for once in each language.

import { api } from "../../net.js";

/** @type {Map<string, Promise<Book>>} */
const books = new Map();
/** @param {Session} session @returns {Promise<Book>} */
export function bookOf(session) {
  const { about } = session.now;
  const lang = document.documentElement.lang.slice(0, 2);
  const name = `${about.digest} ${lang}`;
  const known = books.get(name);
  if (known) return known;
  const asked = /** @type {Promise<Book>} */ (api("POST", "/api/rulebook", { table: session.code, lang }));
  asked.catch(() => books.delete(name));
  books.set(name, asked);
  return asked;
}
