// Keeping a document: what is typed stays on this device at once, goes to the server when one saves, and is told apart from
// what another page has saved in between.

import { ServerError, api } from "../../net.js";

const DRAFT = "tilewright.document.";
const OWN = /^[A-Z]{10}$/;
export const SHARED = /^[A-Z]{16}([A-Z]{4})?$/;

// --- on this device

/** @param {string} id @returns {{ text: string, updated: number | null, at: number } | null} */
export function draftOf(id) {
  try {
    return JSON.parse(localStorage.getItem(DRAFT + id) || "null");
  } catch {
    return null;
  }
}

// Keeps a text that is not saved yet; false where nothing can be kept.
/** @param {string} id @param {string} text @param {number | null} updated */
export function keepDraft(id, text, updated) {
  try {
    localStorage.setItem(DRAFT + id, JSON.stringify({ text, updated, at: Date.now() }));
    return true;
  } catch {
    return false;
  }
}

/** @param {string} id */
export function forgetDraft(id) {
  try {
    localStorage.removeItem(DRAFT + id);
  } catch {
    // there is none then
  }
}

export function drafts() {
  try {
    return Object.keys(localStorage)
      .filter((one) => one.startsWith(DRAFT))
      .map((one) => one.slice(DRAFT.length));
  } catch {
    return [];
  }
}

// --- on the server

// A document by what stands in the address: one of one's own, one that was shared, one that comes with the program.
// `own`: it may be saved where it is; `lost`: the server does not answer, and there is only what this device has.
/** @param {string} id @returns {Promise<KeptDocument>} */
export async function open(id) {
  const draft = draftOf(id);
  let found;
  try {
    found = await fetched(id);
  } catch (error) {
    if (!draft || !(error instanceof ServerError && ["no-connection", "no-answer"].includes(error.code))) throw error;
    return {
      id,
      name: "",
      kind: "ruleset",
      share: null,
      text: draft.text,
      saved: null,
      updated: draft.updated,
      own: OWN.test(id),
      lost: true,
    };
  }
  const restored = draft && draft.text !== found.text ? draft : null;
  if (draft && !restored) forgetDraft(id);
  return { ...found, text: restored ? restored.text : found.text, saved: found.text, restored: restored?.at ?? null };
}

/** @param {string} id @returns {Promise<KeptDocument>} */
async function fetched(id) {
  if (OWN.test(id)) return { ...(await fetchedAt(id)), own: true };
  if (SHARED.test(id)) return { ...(await fetchedAt(`shared/${id}`)), id, own: false, from: "shared" };
  return { ...(await fetchedAt(`bundled/${encodeURIComponent(id)}`)), own: false, from: "bundled" };
}

/** @param {string} path @returns {Promise<KeptDocument>} */
const fetchedAt = (path) => api("GET", `/api/documents/${path}`);

/**
 * @param {KeptDocument} document
 * @param {string} text
 * @param {number | null} expected
 * @returns {Promise<KeptDocument>}
 */
export function save(document, text, expected) {
  return api("PUT", `/api/documents/${document.id}`, { text, ...(expected ? { expected } : {}) });
}

/** @param {string} text @returns {Promise<{ id: string }>} */
export function keepAsNew(text) {
  return api("POST", "/api/documents", { text });
}

// A copy of one that comes with the program.
/** @param {string} id @returns {Promise<{ id: string }>} */
export function fork(id) {
  return api("POST", "/api/documents", { fork: id });
}

// --- as a pack

/** @param {string} text */
export const isHead = (text) => /^publisher:[ \t]*\S/m.test(text);

// The file of a pack, put on the shelf. -> {name, version, needs, made}
/**
 * @param {File} file
 * @returns {Promise<{ name: string, version: string, needs: Record<string, string>, made: unknown[] }>}
 */
export async function bringPack(file) {
  const bytes = new Uint8Array(await file.arrayBuffer());
  let content = "";
  for (const byte of bytes) content += String.fromCharCode(byte);
  return api("POST", "/api/packs", { content: btoa(content) });
}

/** @param {string} id @param {string} name */
export async function givePack(id, name) {
  const answer = await /** @type {Promise<Response>} */ (api("GET", `/api/packs/${id}.zip`, undefined, { raw: true }));
  const file = /filename="([^"]+)"/.exec(answer.headers.get("content-disposition") || "");
  give(file?.[1] || `${name}.zip`, await answer.blob(), "application/zip");
}

// --- as a file

/** @param {string} name @param {BlobPart} text @param {string} [type] */
export function give(name, text, type = "application/yaml") {
  const address = URL.createObjectURL(new Blob([text], { type }));
  const anchor = document.createElement("a");
  anchor.href = address;
  anchor.download = name;
  anchor.click();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}

/** @param {string} text @param {string} fallback */
export function fileName(text, fallback) {
  return `${/^id:\s*([a-z0-9_]+)/m.exec(text)?.[1] || fallback}.yaml`;
}
