// Caches the assets, thumbnails and recently viewed pages, sends the queue, receives what other programs share, and shows
// messages. The address contains the folder of the assets: new assets mean a new worker.
const assets = new URL(location.href).searchParams.get("assets") ?? "assets";
importScripts(...["place", "database", "queue", "entries", "push"].map((name) => `${assets}/${name}.js`));
const { at, mine, path } = leaflogPlace;

const files = ["style.css", "leaflog.js", "page.js", "place.js", "drafts.js", "focus.js", "keys.js", "swipe.js", "months.js", "viewer.js", "film.js", "add.js", "exif.js", "database.js", "queue.js", "entries.js", "compare.js", "reorder.js", "jobs.js", "follow.js", "push.js", "reminders.js", "icons.svg", "icon.svg", "icon-192.png"];
const shell = "shell:" + assets;
const pages = mine("pages");
const pictures = mine("pictures");

addEventListener("install", (event) => {
  event.waitUntil(
    caches.open(shell).then((cache) => cache.addAll([...files.map((file) => `${assets}/${file}`), new Request(at("/offline"), { cache: "reload" })])).then(() => skipWaiting()),
  );
});

addEventListener("activate", (event) => event.waitUntil(sweep().then(() => clients.claim())));

// Former assets stay until no cached page names them, and no page is open, which may.
async function sweep() {
  const former = (await caches.keys()).filter((name) => name.startsWith("shell:" + at("/assets")) && name !== shell);
  if (!former.length || (await clients.matchAll({ includeUncontrolled: true })).length) return;
  const named = new Set();
  const cache = await caches.open(pages);
  for (const request of await cache.keys()) {
    const text = (await (await cache.match(request))?.text()) ?? "";
    for (const name of former) if (text.includes(name.slice("shell:".length) + '"')) named.add(name);
  }
  for (const name of former) if (!named.has(name)) await caches.delete(name);
}

addEventListener("fetch", (event) => {
  const { request } = event;
  const url = new URL(request.url);
  if (url.origin !== location.origin) return;
  if (request.method === "POST") {
    if (path(url) === "/add/shared") event.respondWith(take(request));
    else if (path(url) === "/sign-in" || path(url) === "/sign-out" || path(url) === "/pair") event.respondWith(change(request, url));
    else if (request.mode === "navigate") event.respondWith(fetch(request).catch(offline));
    return;
  }
  if (request.method !== "GET") return;
  if (path(url).startsWith("/assets/")) event.respondWith(kept(request));
  else if (/^\/api\/v1\/photos\/\w+\/thumbnail$/.test(path(url))) event.respondWith(picture(request));
  else if (request.mode === "navigate" && !path(url).startsWith("/api/")) event.respondWith(page(event, url));
});

// Nothing cached is left for users who are signed out, and they get no messages.
const unsubscribe = async () => (await registration.pushManager?.getSubscription())?.unsubscribe();
const forget = () => Promise.all([caches.delete(pages), caches.delete(pictures), unsubscribe().catch(() => {})]);

// Signs in or out. What the service refuses, such as the form of another site, erases nothing; without a network, signing out
// on a page of this site does.
async function change(request, url) {
  if (path(url) === "/sign-out" && request.referrer.startsWith(location.origin + "/")) await forget();
  try {
    const response = await fetch(request);
    if (response.ok || response.type === "opaqueredirect") await forget();
    return response;
  } catch {
    return offline();
  }
}

// Whether the session has ended, such as by revoking its token, is asked from here: a link on another site comes without its
// cookie. With a session, the page to sign in leads back at once.
async function forgetIfEnded() {
  const response = await fetch(at("/sign-in?back=/"), { redirect: "manual" });
  if (response.ok) await forget();
}

const kept = async (request) => (await caches.match(request)) ?? fetch(request);

// A thumbnail never changes.
async function picture(request) {
  const cache = await caches.open(pictures);
  const there = await cache.match(request);
  if (there) return there;
  const response = await fetch(request);
  if (response.ok) {
    await cache.put(request, response.clone());
    if (Math.random() < 0.02) trim(cache, 1500);
  }
  return response;
}

// The pages with which one begins in the garden, and the empty forms, are fetched before they are needed.
const beginnings = [
  at("/"), at("/compact"), at("/timeline"), at("/plants"), at("/activities"), at("/add"), at("/add/what"), at("/symptoms/new"), at("/log"),
  at("/moods"), at("/episodes/new"), at("/plants/new"), at("/activities/new"),
];
const prepared = at("/service-worker.js?prepared");

// Fetches them at the first visit, and then at most every ten minutes.
async function prepare() {
  const cache = await caches.open(pages);
  const last = Number(await (await cache.match(prepared))?.text());
  if (navigator.connection?.saveData || Math.abs(Date.now() - last) < 600000) return;
  await cache.put(prepared, new Response(Date.now()));
  for (const address of beginnings) {
    const url = new URL(address, location.href);
    await keepPage(cache, url, await fetch(url, { priority: "low" }));
  }
}

async function page(event, url) {
  event.waitUntil(sweep());
  const isChanged = url.searchParams.has("changed");
  for (const name of ["changed", "gone", "started"]) url.searchParams.delete(name);
  const cache = await caches.open(pages);
  // The page after a save: the cached one lacks the change, and the notice of the change is shown only once.
  if (isChanged) await cache.delete(url.href);
  const seen = await cache.match(url.href);
  try {
    // If there is a cached page to show, a network that does not answer counts as none.
    const response = await fetch(event.request, seen && { signal: AbortSignal.timeout(4000) });
    if (response.status === 401 || path(url) === "/sign-in") event.waitUntil(forgetIfEnded().catch(() => {}));
    else if (response.ok) event.waitUntil(Promise.all([prepare(), leaflogEntries.run()]).catch(() => {}));
    if (isChanged) event.waitUntil(fetch(url.href).then((clean) => keepPage(cache, url, clean), () => {}));
    else await keepPage(cache, url, response);
    return response;
  } catch {
    return seen ?? offline();
  }
}

const offline = async () => (await caches.match(at("/offline"), { cacheName: shell })) ?? Response.error();

// Pages with secrets are not cached.
async function keepPage(cache, url, response) {
  if (response.headers.get("Cache-Control")?.includes("no-store")) return;
  if (!response.ok || response.redirected || !response.headers.get("Content-Type")?.startsWith("text/html")) return;
  await cache.put(url.href, response.clone());
  if (Math.random() < 0.1) trim(cache, 60);
}

async function trim(cache, limit) {
  const keys = await cache.keys();
  for (const key of keys.slice(0, Math.max(0, keys.length - limit))) await cache.delete(key);
}

async function take(request) {
  const files = (await request.formData()).getAll("photos").filter((file) => file.size);
  await leaflogQueue.share(files);
  return Response.redirect(at("/add?shared=true"), 303);
}

addEventListener("sync", (event) => {
  if (event.tag === "leaflog-queue") event.waitUntil(leaflogQueue.run());
  if (event.tag === "leaflog-entries") event.waitUntil(leaflogEntries.run());
});

// A message is always shown: browsers end the subscription of a page that shows none. It has the form that Safari shows by
// itself (Declarative Web Push).
addEventListener("push", (event) => {
  let message;
  try {
    message = event.data.json().notification;
  } catch {
    message = {};
  }
  const { title = "Leaflog", navigate, data, ...options } = message;
  event.waitUntil(registration.showNotification(title, { ...options, icon: assets + "/icon-192.png", data: { ...data, navigate } }));
});

addEventListener("notificationclick", (event) => {
  const { action, notification } = event;
  notification.close();
  event.waitUntil(action ? tick(action, notification.data) : visit(notification.data?.navigate));
});

// Ticks an activity on the day of the message, without a time, as it may be sent much later: at once, when there is a network, or
// with the next page.
async function tick(activity, { day, token }) {
  const body = { days: [day], source: "bulk", skipDone: true };
  await leaflogEntries.put({ key: `tick-${day}-${activity}`, token, path: `activities/${activity}/completions`, body });
  await registration.sync?.register("leaflog-entries").catch(() => {});
  await leaflogEntries.run().catch(() => {});
}

// Shows a page of this library, in a window of it that is open.
async function visit(address) {
  const url = new URL(address ?? at("/"), location.href);
  const page = url.origin === location.origin && path(url) ? url.href : at("/");
  const [open] = (await clients.matchAll({ type: "window" })).filter((client) => path(new URL(client.url)));
  if (!open) return clients.openWindow(page);
  await open.focus();
  return open.navigate(page);
}

addEventListener("pushsubscriptionchange", (event) => event.waitUntil(leaflogPush.subscribe(registration)));
