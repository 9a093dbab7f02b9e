// Keeping a document: what is typed stays on this device at once, goes to the server when one saves, and is told apart from
// what another page has saved in between.

import { api } from "../../net.js";

const DRAFT = "tilewright.document.";
const OWN = /^[A-Z]{10}$/;
export const SHARED = /^[A-Z]{16}([A-Z]{4})?$/;

// --- on this device

export function draftOf(id) {
  try {
    return JSON.parse(localStorage.getItem(DRAFT + id) || "null");
  } catch {
    return null;
  }
}

// Keeps a text that is not saved yet; false where nothing can be kept.
export function keepDraft(id, text, updated) {
  try {
    localStorage.setItem(DRAFT + id, JSON.stringify({ text, updated, at: Date.now() }));
    return true;
  } catch {
    return false;
  }
}

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
export async function open(id) {
  const draft = draftOf(id);
  let found;
  try {
    found = await fetched(id);
  } catch (error) {
    if (!draft || !["no-connection", "no-answer"].includes(error.code)) throw error;
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

async function fetched(id) {
  if (OWN.test(id)) return { ...(await api("GET", `/api/documents/${id}`)), own: true };
  if (SHARED.test(id)) return { ...(await api("GET", `/api/documents/shared/${id}`)), id, own: false, from: "shared" };
  return { ...(await api("GET", `/api/documents/bundled/${encodeURIComponent(id)}`)), own: false, from: "bundled" };
}

export function save(document, text, expected) {
  return api("PUT", `/api/documents/${document.id}`, { text, ...(expected ? { expected } : {}) });
}

export function keepAsNew(text) {
  return api("POST", "/api/documents", { text });
}

// --- as a pack

export const isHead = (text) => /^publisher:[ \t]*\S/m.test(text);

// The file of a pack, put on the shelf. -> {name, version, needs, made}
export async function bringPack(file) {
  const bytes = new Uint8Array(await file.arrayBuffer());
  let content = "";
  for (const byte of bytes) content += String.fromCharCode(byte);
  return api("POST", "/api/packs", { content: btoa(content) });
}

export async function givePack(id, name) {
  const answer = await api("GET", `/api/packs/${id}.zip`, undefined, { raw: true });
  const file = /filename="([^"]+)"/.exec(answer.headers.get("content-disposition") || "");
  give(file?.[1] || `${name}.zip`, await answer.blob(), "application/zip");
}

// --- as a file

export function give(name, text, type = "application/yaml") {
  const address = URL.createObjectURL(new Blob([text], { type }));
  const anchor = document.createElement("a");
  anchor.href = address;
  anchor.download = name;
  anchor.click();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}

export function fileName(text, fallback) {
  return `${/^id:\s*([a-z0-9_]+)/m.exec(text)?.[1] || fallback}.yaml`;
}
