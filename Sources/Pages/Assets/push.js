// Tells the service where this browser gets messages, as browsers change that, and asks for them anew where the service has
// another key, as after a restored library.
//
// No imports or exports: pages load it as a module, the service worker by importScripts; both load place.js before.
(() => {
  const { at } = globalThis.leaflogPlace;
  const ask = (path, method, body) =>
    fetch(at("/api/v1" + path), {
      method, credentials: "same-origin", ...(body && { body: JSON.stringify(body), headers: { "Content-Type": "application/json" } }),
    });
  const bytes = (text) => Uint8Array.from(atob(text.replace(/-/g, "+").replace(/_/g, "/")), (sign) => sign.charCodeAt());
  const isSame = (one, other) => one?.byteLength === other.length && new Uint8Array(one).every((byte, place) => byte === other[place]);

  // Subscribes, unless that has been done with the same key; undefined where the service takes no device.
  async function subscribe({ pushManager }) {
    const answer = await ask("/push/key", "POST");
    if (!answer.ok) return undefined;
    const { key } = await answer.json();
    const applicationServerKey = bytes(key);
    let subscription = await pushManager.getSubscription();
    if (subscription && !isSame(subscription.options.applicationServerKey, applicationServerKey)) {
      await subscription.unsubscribe();
      subscription = undefined;
    }
    subscription ??= await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey });
    const { endpoint, keys } = subscription.toJSON();
    const response = await ask("/push", "PUT", { address: endpoint, publicKey: keys.p256dh, secret: keys.auth });
    return response.ok ? subscription : undefined;
  }

  globalThis.leaflogPush = { ask, subscribe };
})();
