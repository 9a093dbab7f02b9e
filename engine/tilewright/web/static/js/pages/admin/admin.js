// The administrator's page: sign in with the server's token; then tables, people, addresses, bans and processes, read
// again every few seconds.

import { html, useEffect, useRef, useState } from "../../html.js";
import { named, t } from "../../text.js";
import { Button, Field, Waiting, complain, toast } from "../../ui.js";
import { Bans } from "./bans.js";
import { Addresses, Load, People, Tables } from "./lists.js";

const TOKEN = "tilewright.admin"; // kept until the tab is closed
const SECONDS = 5; // between two looks

export default function Admin() {
  const [token, setToken] = useState(sessionStorage.getItem(TOKEN) || "");
  const [found, set] = useState(/** @type {Overview | null} */ (null));
  const [error, setError] = useState(/** @type {Failure | null} */ (null));

  const current = useRef(token);
  /** @param {string} value */
  const use = (value) => ((current.current = value), setToken(value));
  const leave = () => (sessionStorage.removeItem(TOKEN), use(""), set(null));
  /** @param {string} value */
  const enter = (value) => (sessionStorage.setItem(TOKEN, value), setError(null), use(value));

  /** @param {Overview} overview */
  const take = (overview) => (set(overview), setError(null));
  /** @param {Failure} problem */
  const fail = (problem) => {
    if (problem.code === "wrong-token") leave();
    if (token || problem.code !== "wrong-token") setError(problem);
  };
  const look = () => {
    /** @template T @param {(found: T) => void} then @returns {(found: T) => unknown} */
    const ifCurrent = (then) => (found) => current.current === token && then(found); // a late answer to another token says nothing
    return ask(token, "GET", "").then(ifCurrent(take), ifCurrent(fail));
  };

  useEffect(() => {
    look(); // without a token too: perhaps this server has no administrator
    if (!token) return undefined;
    const timer = setInterval(look, SECONDS * 1000);
    return () => clearInterval(timer);
  }, [token]);

  /** @param {string} path @param {object} body @param {string} done */
  async function act(path, body, done) {
    try {
      await ask(token, "POST", path, body);
      toast(done);
      await look();
    } catch (problem) {
      complain(problem);
    }
  }

  if (error?.code === "unknown")
    return html`<div class="page stack"><h1>${t("base.no_page")}</h1><p>${t("admin.off")}</p></div>`;
  if (!token) return html`<${SignIn} onEnter=${enter} error=${error} />`;
  return html`<div class="page admin stack">
    <div class="row"><h1 class="grow">${t("admin.title")}</h1><${Button} onClick=${leave}>${t("admin.sign_out")}<//></div>
    ${error && html`<div class="note-box bad" role="alert">${error.message}</div>`}
    ${!found && !error && html`<${Waiting} />`}
    ${
      found &&
      html`
      <${Draining} found=${found} act=${act} />
      <${Load} found=${found} />
      <${Tables} found=${found} act=${act} />
      <${People} found=${found} act=${act} />
      <${Addresses} found=${found} act=${act} />
      <${Bans} found=${found} act=${act} />
    `
    }
  </div>`;
}

/** @param {{ onEnter: (token: string) => void, error: Failure | null }} props */
function SignIn({ onEnter, error }) {
  const [value, set] = useState("");
  /** @param {Happening} event */
  const send = (event) => {
    event.preventDefault();
    if (value.trim()) onEnter(value.trim());
  };
  return html`<div class="page admin stack">
    <h1>${t("admin.title")}</h1>
    <form class="panel stack sign-in" onSubmit=${send}>
      <${Field} label=${t("admin.token")} note=${t("admin.token_note")}>
        <input type="password" autocomplete="current-password" value=${value} onInput=${(event) => set(event.currentTarget.value)} />
      <//>
      ${error && html`<div class="note-box bad" role="alert">${error.message}</div>`}
      <${Button} main type="submit" disabled=${!value.trim()}>${t("admin.sign_in")}<//>
    </form>
  </div>`;
}

/** @param {{ found: Overview, act: Act }} props */
function Draining({ found, act }) {
  const on = !found.draining;
  return html`<div class=${`note-box row ${found.draining ? "warm" : ""}`}>
    <span class="grow">${found.drained ? t("admin.drained") : found.draining ? t("admin.draining") : t("admin.open")}</span>
    <${Button} onClick=${() => act("/drain", { on }, t(on ? "admin.draining" : "admin.open"))}>${t(on ? "admin.drain" : "admin.undrain")}<//>
  </div>`;
}

// A request with the token; rejects with an error that has a code and a message.
/**
 * @param {string} token
 * @param {string} method
 * @param {string} path
 * @param {object} [body]
 * @returns {Promise<Overview>}
 */
async function ask(token, method, path, body) {
  /** @type {Record<string, string>} */
  const headers = { Accept: "application/json" };
  if (token) headers.Authorization = `Bearer ${token}`;
  if (body) headers["Content-Type"] = "application/json";
  const answer = await fetch(`/api/admin${path}`, { method, headers, body: body && JSON.stringify(body) }).catch(
    () => null,
  );
  if (!answer) throw Object.assign(new Error(t("base.no_answer")), { code: "no-connection" });
  const found = await answer.json().catch(() => null);
  if (answer.ok) return found;
  const { code = "error", message } = found?.error || {};
  throw Object.assign(new Error(named(message) || t("base.no_answer")), { code });
}
