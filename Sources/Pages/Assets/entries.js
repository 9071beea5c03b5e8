// Entries that wait for a network. Each is a request with a key of its own, so that it is made once however often it is sent, and
// with the token that it was made for: under another one the service refuses it, and it goes on waiting.
//
// No imports or exports: the service worker loads it by importScripts, after place.js and database.js.
(() => {
  const { at, mine } = globalThis.leaflogPlace;
  const store = globalThis.leaflogDatabase("leaflog-entries", 1, (database) => database.createObjectStore("items", { keyPath: "key" }));

  // Returns whether the service has answered for good. Signed out, another session, too many requests and trouble end sometime.
  async function send({ key, token, path, body }) {
    const response = await fetch(at("/api/v1/" + path), {
      method: "POST", credentials: "same-origin", body: JSON.stringify(body),
      headers: { "Content-Type": "application/json", "Idempotency-Key": key, "Leaflog-Token": token },
    });
    return response.status < 500 && ![401, 409, 429].includes(response.status);
  }

  async function work() {
    for (const item of await store("items", "readonly", (items) => items.getAll())) {
      if (await send(item)) await store("items", "readwrite", (items) => items.delete(item.key));
    }
  }

  // Sends what waits, in one place at a time. Without locks, the keys make a second one harmless.
  const run = () =>
    navigator.locks ? navigator.locks.request(mine("leaflog-entries"), { ifAvailable: true }, (lock) => lock && work()) : work();

  globalThis.leaflogEntries = { put: (item) => store("items", "readwrite", (items) => items.put(item)), run };
})();
