// Asking the server about a text while it changes: only when nobody typed for a while, and only the newest answer counts.

import { useEffect, useRef, useState } from "../../html.js";
import { api } from "../../net.js";
import { offerLanguages } from "../../text.js";

const AGAIN = new Set(["no-connection", "no-answer", "busy", "too-fast"]);
const RETRY = 3_000; // ms

/** @type {Map<string, Case>} */
export const cases = new Map(); // what was last put to be scored, by document

// `wish`: a text, or null where nothing is asked. -> {wish: the one that was answered, value, error, busy}
/** @template T @param {string | null} wish @param {(wish: string) => Promise<T>} ask @param {number} [pause] */
export function useAnswer(wish, ask, pause = 0) {
  const [state, set] = useState(/** @type {Answered<T>} */ ({ wish: null, value: null, error: null, busy: false }));
  const newest = useRef(0);
  useEffect(() => {
    const mine = ++newest.current;
    let timer = 0;
    if (wish === null) {
      set((old) => (old.busy ? { ...old, busy: false } : old));
      return undefined;
    }
    async function go(/** @type {string} */ asked) {
      set((old) => ({ ...old, busy: true }));
      try {
        const value = await ask(asked);
        if (mine === newest.current) set({ wish: asked, value, error: null, busy: false });
      } catch (error) {
        if (mine !== newest.current) return;
        const failed = /** @type {Failure} */ (error);
        const again = AGAIN.has(failed.code ?? "");
        set((old) => ({ ...old, error: failed, busy: again }));
        if (again) timer = setTimeout(go, RETRY, asked);
      }
    }
    timer = setTimeout(go, pause, wish);
    return () => {
      clearTimeout(timer);
      newest.current += 1;
    };
  }, [wish]);
  return state;
}

/** @param {string} text @returns {Promise<Head>} */
export const check = (text) => api("POST", "/api/workshop/check", { text });
/** @param {string} text @param {Wanted} place @returns {Promise<{ start: number, offers: Completion[] }>} */
export const complete = (text, place) => api("POST", "/api/workshop/complete", { text, ...place });
/**
 * @param {string} text
 * @param {Wanted} place
 * @returns {Promise<{ start: number, end: number, found: Completion[] }>}
 */
export const describe = (text, place) => api("POST", "/api/workshop/describe", { text, ...place });
/** @param {string} text @param {Wanted} place @returns {Promise<{ places: Span[] }>} */
export const definition = (text, place) => api("POST", "/api/workshop/definition", { text, ...place });
/** @param {string} text @param {Wanted} place @returns {Promise<{ places: Span[] }>} */
export const references = (text, place) => api("POST", "/api/workshop/references", { text, ...place });
/**
 * @param {string} text
 * @param {Wanted} place
 * @param {string} name
 * @returns {Promise<{ edits: SpanEdit[], reason: string | null }>}
 */
export const rename = (text, place, name) => api("POST", "/api/workshop/rename", { text, ...place, name });
/** @param {string} text @returns {Promise<{ edits: SpanEdit[], problems: DocumentFault[] }>} */
export const format = (text) => api("POST", "/api/workshop/format", { text });
/** @param {string} text @returns {Promise<{ edits: SpanEdit[], problems: DocumentFault[] }>} */
export const upgrade = (text) => api("POST", "/api/workshop/upgrade", { text });
/** @param {string} asked @returns {Promise<Tried>} */
export const examples = (asked) => api("POST", "/api/workshop/examples", JSON.parse(asked));
/** @param {string} asked @returns {Promise<Coverage>} */
export const coverage = (asked) => api("POST", "/api/workshop/coverage", JSON.parse(asked));
/** @param {string} asked @returns {Promise<ScoredHand>} */
export const score = (asked) => api("POST", "/api/workshop/score", JSON.parse(asked));
/** @param {string} asked @returns {Promise<EvaluatedHand>} */
export const evaluate = (asked) => api("POST", "/api/workshop/evaluate", JSON.parse(asked));
/** @param {string} spec @returns {Promise<About>} */
export async function about(spec) {
  const found = /** @type {About} */ (await api("POST", "/api/about", { spec: JSON.parse(spec) }));
  offerLanguages(found.name);
  return found;
}
/** @param {string} asked @returns {Promise<Book>} */
export const rulebook = (asked) => api("POST", "/api/rulebook", JSON.parse(asked));

// What is played when a text is: a ruleset by itself, a mod with one of those that it is for.
/** @param {string} text @param {Head} head @param {string | undefined} target @returns {Protocol.Spec} */
export function specOf(text, head, target) {
  const own = { name: head.id || "mine", text };
  const beside = head.beside?.length ? { beside: head.beside } : {}; // texts of the shelf that it names
  if (head.kind !== "mod") return { ruleset: own, mods: [], ...beside };
  const over = head.beside?.find((one) => one.name === target) || { id: target };
  return { ruleset: over, mods: [own], ...beside };
}

// Games between bots, reported as they are played: `report` gets each answer; `stop()` ends it.
/** @param {object} asked @param {(told: GamesTold) => void} report */
export function simulate(asked, report) {
  /** @type {ReadableStreamDefaultReader<Uint8Array> | undefined} */
  let reader;
  let stopped = false;
  const done = (async () => {
    const answer = await /** @type {Promise<Response>} */ (api("POST", "/api/workshop/simulate", asked, { raw: true }));
    reader = answer.body?.getReader();
    const decoder = new TextDecoder();
    let rest = "";
    while (reader && !stopped) {
      const { value, done: end } = await reader.read();
      rest += decoder.decode(value || new Uint8Array(), { stream: !end });
      const lines = rest.split("\n");
      rest = lines.pop() ?? "";
      for (const line of lines) if (!stopped) report(JSON.parse(line));
      if (end) return;
    }
    reader?.cancel().catch(() => {});
  })();
  const stop = () => {
    stopped = true;
    reader?.cancel().catch(() => {});
  };
  return { done, stop };
}
