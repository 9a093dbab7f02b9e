// Without a connection: the service worker keeps what this page has loaded, once there is nothing else to do.

import { store } from "./store.js";

export const online = store(navigator.onLine);
for (const kind of ["online", "offline"]) addEventListener(kind, () => online.set(navigator.onLine));

export function keepFiles() {
  if (!("serviceWorker" in navigator)) return;
  const idle = globalThis.requestIdleCallback || ((work) => setTimeout(work, 2000));
  addEventListener("load", () => idle(register));
  if (document.readyState === "complete") idle(register);
}

async function register() {
  try {
    await navigator.serviceWorker.register("/worker.js");
    const { active } = await navigator.serviceWorker.ready;
    const loaded = performance.getEntriesByType("resource").map((one) => one.name);
    active?.postMessage({ loaded });
  } catch {
    // a browser that keeps nothing needs a connection
  }
}
