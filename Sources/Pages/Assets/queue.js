// The upload queue, in IndexedDB, so that it survives a reload, sleep and a lost network. Nothing is sent twice (the
// digest is looked up first), and an interrupted upload resumes where it stopped.
//
// No imports or exports: the page loads it as a module, the service worker by importScripts; both load place.js and database.js before.
(() => {
  const { at, mine } = globalThis.leaflogPlace;
  const api = at("/api/v1");
  // Below the megabyte at which common proxies refuse a body.
  const piece = 900000;
  const channel = new BroadcastChannel(mine("leaflog-queue"));

  const store = globalThis.leaflogDatabase("leaflog", 1, (database) => {
    database.createObjectStore("uploads", { keyPath: "id" });
    database.createObjectStore("shared", { autoIncrement: true });
  });

  async function put(item) {
    await store("uploads", "readwrite", (uploads) => uploads.put(item));
    tell();
  }

  const all = async () => (await store("uploads", "readonly", (uploads) => uploads.getAll())).sort((a, b) => a.place - b.place);
  const remove = (id) => store("uploads", "readwrite", (uploads) => uploads.delete(id)).then(tell);

  const listeners = new Set();
  const hear = () => {
    for (const listener of listeners) listener();
  };
  const tell = () => {
    channel.postMessage("changed");
    hear();
  };
  channel.onmessage = hear;

  async function digest(blob) {
    // Digests are unavailable over plain HTTP on a local network. The server recognises a known file all the same.
    if (!globalThis.crypto?.subtle) return undefined;
    const bytes = await crypto.subtle.digest("SHA-256", await blob.arrayBuffer());
    return Array.from(new Uint8Array(bytes), (byte) => byte.toString(16).padStart(2, "0")).join("");
  }

  // Its cause is the key of what the code means.
  class Refused extends Error {}
  const refusal = (response, { detail, code }) => new Refused(detail ?? response.statusText, { cause: "refusal." + code });

  // - token: the id of the token that a photo was chosen with; under another one, the service refuses it.
  async function ask(path, { token, ...options } = {}) {
    const headers = { ...options.headers, ...(token && { "Leaflog-Token": token }) };
    const response = await fetch(api + path, { credentials: "same-origin", ...options, headers });
    // Signed out, too many requests, or trouble at the server or a proxy: retry later.
    if (response.status === 401 || response.status === 429 || response.status >= 500) throw new Error(response.statusText);
    return response;
  }

  async function send(item) {
    const { token } = item;
    item.state = "sending";
    if (!item.sha256) item.sha256 = await digest(item.file);
    await put(item);
    if (item.sha256) {
      const there = await ask("/sources/" + item.sha256, { method: "HEAD", token });
      // After a lost answer, the photo is there because of this upload.
      if (there.ok) return finish(item, { outcome: item.sent ? "added" : "duplicate" });
    }
    if (item.upload) {
      const state = await ask("/uploads/" + item.upload, { method: "HEAD", token });
      if (state.ok) item.sent = Number(state.headers.get("Upload-Offset"));
      else item.upload = undefined;
    }
    if (!item.upload) {
      const body = { name: item.name, byteCount: item.file.size, modifiedAt: new Date(item.modified).toISOString().replace(/\.\d+/, "") };
      // Stored items keep the names that they have always had, so that any version of this script can send those of another.
      const fields = { plant: "plant", note: "notes", at: "occurredAt", batch: "batch", sha256: "sha256" };
      for (const [stored, field] of Object.entries(fields)) if (item[stored]) body[field] = item[stored];
      const begun = await ask("/uploads", { method: "POST", token, headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) });
      if (!begun.ok) throw refusal(begun, await begun.json().catch(() => ({})));
      item.upload = (await begun.json()).id;
      item.sent = 0;
      await put(item);
    }
    for (;;) {
      const end = Math.min(item.sent + piece, item.file.size);
      // All bytes have been sent, but the outcome is unknown.
      const range = item.sent < end ? `${item.sent}-${end - 1}` : "*";
      const response = await ask("/uploads/" + item.upload, {
        method: "PUT", token,
        headers: { "Content-Type": "application/octet-stream", "Content-Range": `bytes ${range}/${item.file.size}` },
        body: item.file.slice(item.sent, end),
      });
      // The upload has moved on elsewhere or is gone: look at it again. Other refusals concern the photo.
      const isElsewhere = response.status === 409 && response.headers.has("Upload-Offset")
        || response.status === 404 && !(await ask("/uploads/" + item.upload, { method: "HEAD", token })).ok;
      if (isElsewhere) throw new Error(response.statusText);
      const answer = await response.json().catch(() => ({}));
      if (answer.outcome) return finish(item, { ...answer, change: response.headers.get("Leaflog-Change") ?? undefined });
      if (!response.ok) throw refusal(response, answer);
      item.sent = Number(response.headers.get("Upload-Offset") ?? end);
      await put(item);
    }
  }

  // The file leaves the queue at once; its row stays until it is cleared.
  function finish(item, { outcome, photo, message, reason, change }) {
    if (outcome === "failed") throw new Refused(message ?? reason, { cause: "failure." + reason });
    Object.assign(item, { state: "done", outcome, photo, message, change, sent: item.file.size, file: undefined });
    return put(item);
  }

  // Sends one photo at a time, in one page or the worker; false while another one has the queue. Those that were chosen with
  // another token wait for that.
  async function run() {
    const work = async () => {
      let holder;
      for (;;) {
        const open = (await all()).filter(({ state }) => state === "waiting" || state === "sending");
        if (!open.length) return true;
        holder ??= (await (await ask("/session")).json()).token?.id ?? "";
        const item = open.find(({ token }) => !token || token === holder);
        if (!item) return true;
        try {
          await send(item);
        } catch (error) {
          const refused = error instanceof Refused;
          await put({ ...item, state: refused ? "failed" : "waiting", message: refused ? error.message : undefined, reason: refused ? error.cause : undefined });
          if (!refused) throw error;
        }
      }
    };
    if (!navigator.locks) return work();
    return navigator.locks.request(mine("leaflog-queue"), { ifAvailable: true }, (lock) => (lock ? work() : false));
  }

  globalThis.leaflogQueue = {
    all, put, remove, run,
    listen: (listener) => listeners.add(listener),
    shared: () => store("shared", "readonly", (shared) => shared.getAll()),
    clearShared: () => store("shared", "readwrite", (shared) => shared.clear()),
    share: (files) => store("shared", "readwrite", (shared) => { for (const file of files) shared.add(file); }),
    retry: async (ids) => {
      for (const item of await all()) if (item.state === "failed" && (!ids || ids.includes(item.id))) await put({ ...item, state: "waiting", message: undefined });
    },
  };
})();
