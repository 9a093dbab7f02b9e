// The service worker: without a connection, the page and those of its files that were loaded before are still there.
// Files under a versioned name never change and come from here; the page itself comes from the server if that answers.
// Nothing else is kept: what the server says of people, tables and rules is asked each time.

const KEPT = "tilewright.files";
const PAGE = "/";
const VERSIONED = /^\/static\/(~[0-9a-f]+)\//;
const DATA = /^\/(api|socket|metrics|healthz|static|docs)(\/|$)/;

addEventListener("install", () => skipWaiting());
addEventListener("activate", (event) => event.waitUntil(clients.claim()));

addEventListener("fetch", (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (request.method !== "GET" || origin !== location.origin) return;
  if (VERSIONED.test(pathname)) event.respondWith(file(request));
  else if (request.mode === "navigate" && !DATA.test(pathname)) event.respondWith(page(request));
});

// The page says what it has loaded; files of other versions are no longer needed.
addEventListener("message", (event) => event.waitUntil(keep(event.data.loaded)));

async function keep(loaded) {
  const cache = await caches.open(KEPT);
  const paths = loaded
    .map((url) => new URL(url))
    .filter((url) => url.origin === location.origin && VERSIONED.test(url.pathname))
    .map((url) => url.pathname);
  const version = paths[0]?.match(VERSIONED)[1];
  for (const request of await cache.keys()) {
    const [, other] = new URL(request.url).pathname.match(VERSIONED) || [];
    if (version && other && other !== version) await cache.delete(request);
  }
  await Promise.all(
    [PAGE, ...paths].map(async (path) => (path !== PAGE && (await cache.match(path))) || cache.add(path)),
  );
}

async function file(request) {
  const cache = await caches.open(KEPT);
  const known = await cache.match(request);
  if (known) return known;
  const answer = await fetch(request);
  if (answer.ok) cache.put(request, answer.clone()).catch(() => {});
  return answer;
}

async function page(request) {
  try {
    return await fetch(request);
  } catch (error) {
    const known = await (await caches.open(KEPT)).match(PAGE);
    if (known) return known;
    throw error;
  }
}
