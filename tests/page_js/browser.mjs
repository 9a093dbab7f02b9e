// What modules of the page ask of a browser when they are loaded, and the messages from their files:
// node --import ./tests/page_js/browser.mjs --test tests/page_js/*.test.mjs
import { readFile } from "node:fs/promises";
import { register } from "node:module";

// The page has no package.json to say that its scripts are modules.
const hook = `export const load = (url, context, next) =>
  next(url, /\\/static\\/.*\\.js$/.test(url) ? { ...context, format: "module" } : context);`;
register(`data:text/javascript,${encodeURIComponent(hook)}`);

globalThis.document = { documentElement: { lang: "en" } };
globalThis.location = { pathname: "/", search: "", hash: "" };
globalThis.addEventListener = () => {};
globalThis.matchMedia = () => ({ matches: false });
globalThis.localStorage = { getItem: () => null, setItem: () => {} };

const messages = new URL("../../engine/tilewright/presentation/messages/", import.meta.url);
globalThis.fetch = async (url) => {
  const text = await readFile(new URL(String(url).split("/messages/")[1], messages), "utf8");
  return { ok: true, json: async () => JSON.parse(text) };
};
