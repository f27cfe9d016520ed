// The service worker of the whole app: it shows push messages, and keeps what pages need to open without a connection.
const FILES = "kemu-files-1";
const ANSWERS = "kemu-answers-1";
const LIST = "/offline.json";
/** Answers that pages need before they show anything; the newest ones are kept. */
const KEPT_ANSWERS = ["/api/me", "/api/games", "/api/puzzles"];
/** Addresses that are not pages of the app. */
const OTHERS = /^\/(api|docs|schema|embed|feeds|health|ready|metrics)(\/|$)|\.[a-z]+$/;

addEventListener("install", (event) => {
  self.skipWaiting();
  event.waitUntil(keepEverything());
});
addEventListener("activate", (event) => event.waitUntil(begin()));

async function begin() {
  const known = await caches.keys();
  const old = known.filter((name) => name.startsWith("kemu-puzzles"));
  await Promise.all(old.map((name) => caches.delete(name)));
  await self.clients.claim();
}

/** Keeps the first page, all files that the build lists, and the answers; what is kept already is not loaded again. */
async function keepEverything() {
  await keepFiles();
  await Promise.all(KEPT_ANSWERS.map((path) => newest(new Request(path), ANSWERS, path)));
}

async function keepFiles() {
  const cache = await caches.open(FILES);
  const list = await fetch(LIST, { cache: "no-cache" });
  if (!list.ok) throw new Error("no list of files");
  const wanted = new Set(await list.json());
  const kept = (await cache.keys()).map((request) => new URL(request.url).pathname);
  await Promise.all([...wanted].filter((path) => !kept.includes(path)).map((path) => cache.add(path)));
  await cache.add(new Request("/", { cache: "no-cache" }));
  // Files of earlier versions; a page that is open has loaded what it needs first.
  await Promise.all(kept.filter((path) => path !== "/" && !wanted.has(path)).map((path) => cache.delete(path)));
}

/** The newest answer, which is kept; without a connection the one that was kept last. */
async function newest(request, name, key) {
  const cache = await caches.open(name);
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

async function file(request) {
  // The names of assets hold a hash of their content.
  return (await (await caches.open(FILES)).match(request)) ?? fetch(request);
}

let checked = 0;

/** The first page opens at every address; now and then it is looked whether there is a new version. */
async function page(event) {
  const response = await newest(event.request, FILES, "/");
  const now = Date.now();
  if (now - checked > 60_000) {
    checked = now;
    event.waitUntil(keepFiles().catch(() => undefined));
  }
  return response;
}

addEventListener("fetch", (event) => {
  const { request } = event;
  const url = new URL(request.url);
  if (request.method !== "GET" || url.origin !== location.origin) return;
  if (request.mode === "navigate") {
    if (!OTHERS.test(url.pathname)) event.respondWith(page(event));
  } else if (url.pathname.startsWith("/assets/") || url.pathname.startsWith("/icon")) event.respondWith(file(request));
  else if (KEPT_ANSWERS.includes(url.pathname)) event.respondWith(newest(request, ANSWERS, url.pathname));
});

addEventListener("push", (event) => {
  const { title, body, page, tag } = event.data?.json() ?? { title: "Kemu", body: "", page: "/", tag: "kemu" };
  const shown = { body, tag, icon: "/icon-192.png", badge: "/icon-192.png", data: { page } };
  event.waitUntil(self.registration.showNotification(title, shown));
});

addEventListener("notificationclick", (event) => {
  event.notification.close();
  event.waitUntil(show(event.notification.data?.page ?? "/"));
});

/** Shows a page in a window of the app that is open, else in a new one. */
async function show(path) {
  const [open] = await self.clients.matchAll({ type: "window" });
  if (!open) return self.clients.openWindow(path);
  open.postMessage({ show: path });
  return open.focus();
}
