// The small view is pinned and stays open: it is read anew when it is shown again, and when something changes elsewhere.
// That its day ends, leaflog.js watches.
import { anchor, at, paint, reanchor } from "./page.js";

const main = document.querySelector("[data-fresh]");
let events;

async function refresh() {
  const response = await fetch(location.href, { credentials: "same-origin" }).catch(() => undefined);
  // Signed out, or without a network: what is there stays.
  if (!response?.ok || response.redirected) return;
  const page = new DOMParser().parseFromString(await response.text(), "text/html");
  const fresh = page.querySelector("[data-fresh]");
  if (!fresh || main.querySelector("[data-busy]")) return;
  const buttons = () => [...main.querySelectorAll("button, a")];
  const [focused, pressed] = [document.activeElement, anchor()].map((element) => buttons().indexOf(element));
  main.replaceChildren(...fresh.childNodes);
  buttons()[focused]?.focus();
  if (pressed >= 0) reanchor(buttons()[pressed]);
  paint(main);
  document.body.dataset.dayEnds = page.body.dataset.dayEnds;
}

function listen() {
  events?.close();
  events = undefined;
  if (document.hidden) return;
  events = new EventSource(at("/api/v1/events"));
  events.addEventListener("commit", refresh);
}

document.addEventListener("visibilitychange", () => {
  listen();
  if (!document.hidden) refresh();
});
listen();
