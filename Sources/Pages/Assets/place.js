// The folder that a proxy may have for the service: "/" or "/leaflog/". Paths are written without it, and compared without
// it. Storage of the browser is shared by all applications of a host: the library's names in it are its own.
//
// No imports or exports: pages load it as a module, the service worker by importScripts.
(() => {
  const root = globalThis.document?.body.dataset.root ?? new URL(registration.scope).pathname;
  globalThis.leaflogPlace = {
    at: (path) => root + path.slice(1),
    path: (url) => (url.pathname.startsWith(root) ? url.pathname.slice(root.length - 1) : ""),
    mine: (name) => (root === "/" ? name : name + root),
  };
})();
