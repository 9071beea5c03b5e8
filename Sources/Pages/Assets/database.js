// The databases of a library in the browser (IndexedDB), which survive a reload, sleep and a lost network.
//
// No imports or exports: pages load it as a module, the service worker by importScripts; both load place.js before.
(() => {
  const { mine } = globalThis.leaflogPlace;

  // Opens a database when it is first used. Returns what runs an action on one of its stores, in a transaction of its own, and
  // gives the action's result.
  globalThis.leaflogDatabase = (name, version, upgrade) => {
    let opened;
    const open = () =>
      (opened ??= new Promise((done, fail) => {
        const request = indexedDB.open(mine(name), version);
        request.onupgradeneeded = () => upgrade(request.result);
        request.onsuccess = () => done(request.result);
        request.onerror = () => fail(request.error);
      }));
    return async (store, mode, action) => {
      const database = await open();
      return new Promise((done, fail) => {
        const transaction = database.transaction(store, mode);
        const request = action(transaction.objectStore(store));
        transaction.oncomplete = () => done(request?.result);
        transaction.onerror = transaction.onabort = () => fail(transaction.error);
      });
    };
  };
})();
