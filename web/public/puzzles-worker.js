// The service worker of the page of puzzles: what the page needs to open is kept, so that it opens without a connection.
const KEPT = "kemu-puzzles-1";
const ANSWERS = ["/api/me", "/api/games", "/api/puzzles"];

addEventListener("install", () => self.skipWaiting());
addEventListener("activate", (event) => event.waitUntil(self.clients.claim()));

async function fetched(request, key) {
  const cache = await caches.open(KEPT);
  try {
    const response = await fetch(request);
    if (response.ok) await cache.put(key, response.clone());
    return response;
  } catch (error) {
    const known = await cache.match(key);
    if (known) return known;
    throw error;
  }
}

async function kept(request) {
  const known = await (await caches.open(KEPT)).match(request);
  return known ?? fetched(request, request);
}

addEventListener("fetch", (event) => {
  const { request } = event;
  const url = new URL(request.url);
  if (request.method !== "GET" || url.origin !== location.origin) return;
  if (request.mode === "navigate") event.respondWith(fetched(request, "/puzzles"));
  // The names of assets hold a hash of their content.
  else if (url.pathname.startsWith("/assets/")) event.respondWith(kept(request));
  else if (ANSWERS.includes(url.pathname)) event.respondWith(fetched(request, url.pathname));
});
