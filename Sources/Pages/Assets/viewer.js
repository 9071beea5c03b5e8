// A full-screen photo: keyboard shortcuts, swipes, zoom. Each photo is a page of its own; moving to the next one
// replaces the page, so that Back closes the photo and returns to the list.
import { at, keys, path, send } from "./page.js";

const main = document.querySelector("[data-viewer]");
const stage = document.getElementById("stage");
const image = stage.querySelector("img");
const way = (rel) => stage.querySelector(`a[rel=${rel}]`);
const back = main.querySelector("[data-back]");

// The colour of the placeholder disappears once the photo has loaded: its surroundings are black.
if (!image.complete) {
  image.style.backgroundColor = stage.dataset.ground;
  image.addEventListener("load", () => (image.style.backgroundColor = ""), { once: true });
}

// Whether the previous page in the history is the list that led here; this is kept from photo to photo.
const from = document.referrer && new URL(document.referrer);
if (history.state?.list !== undefined) sessionStorage.setItem("list", history.state.list);
else if (!sessionStorage.getItem("turned")) {
  const isList = from && from.origin === location.origin && !path(from).startsWith("/photos/");
  sessionStorage.setItem("list", isList && history.length > 1 ? "before" : "");
}
sessionStorage.removeItem("turned");
history.replaceState({ ...history.state, list: sessionStorage.getItem("list") }, "");

function go(rel) {
  const link = way(rel);
  if (!link) return;
  sessionStorage.setItem("turned", "true");
  location.replace(link.href);
}

for (const rel of ["prev", "next"]) {
  const link = way(rel);
  link?.addEventListener("click", (event) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    go(rel);
  });
  // The neighbours are preloaded.
  const id = /\/photos\/(\w+)/.exec(link?.href)?.[1];
  if (id) addEventListener("load", () => (new Image().src = at(`/api/v1/photos/${id}/preview`)));
}

back.addEventListener("click", (event) => {
  if (!sessionStorage.getItem("list")) return;
  event.preventDefault();
  history.back();
});

// A deleted photo leaves the history: the next one takes its place.
main.querySelector("form[action$='/delete']")?.addEventListener("submit", async (event) => {
  const form = event.target;
  if (form.dataset.plain !== undefined) return;
  event.preventDefault();
  const saved = await send(form, event.submitter);
  if (!saved) return;
  if (saved.place.startsWith("/photos/")) sessionStorage.setItem("turned", "true");
  location.replace(at(saved.place));
});

keys((key) => ({
  ArrowLeft: () => pan(120, 0) || go("prev"), ArrowRight: () => pan(-120, 0) || go("next"), k: () => go("prev"), j: () => go("next"), Escape: () => (scale > 1 ? zoom(1) : back.click()),
  f: () => favour(main.querySelector("[data-instant] button")), e: () => main.querySelector("[data-edit]")?.click(),
  ArrowUp: scale > 1 ? () => pan(0, 120) : undefined, ArrowDown: scale > 1 ? () => pan(0, -120) : undefined,
  Enter: document.activeElement.matches("body, main") ? () => main.classList.toggle("alone") : undefined,
  "+": () => zoom(scale * 1.5), "-": () => zoom(scale / 1.5), 0: () => zoom(1),
}[key]));

// From where Tab leads to Undo.
function favour(button) {
  button?.focus({ preventScroll: true, focusVisible: true });
  button?.click();
}

let scale = 1;
let x = 0;
let y = 0;
let sharp = false;

function zoom(to) {
  scale = Math.min(8, Math.max(1, to));
  if (scale === 1) x = y = 0;
  const limit = { x: (stage.clientWidth * (scale - 1)) / 2, y: (stage.clientHeight * (scale - 1)) / 2 };
  x = Math.min(limit.x, Math.max(-limit.x, x));
  y = Math.min(limit.y, Math.max(-limit.y, y));
  image.style.transform = scale > 1 ? `translate(${x}px, ${y}px) scale(${scale})` : "";
  stage.classList.toggle("zoomed", scale > 1);
  if (scale > 2 && !sharp) {
    sharp = true;
    // Browsers may not be able to show the original; then the preview stays.
    const original = new Image();
    original.src = stage.dataset.original;
    original.decode().then(() => (image.src = original.src), () => {});
  }
}

// Moves an enlarged photo, by pixels; false for one that is not enlarged.
function pan(across, down) {
  if (scale === 1) return false;
  [x, y] = [x + across, y + down];
  zoom(scale);
  return true;
}

stage.addEventListener("dblclick", (event) => {
  const box = stage.getBoundingClientRect();
  x = (box.left + box.width / 2 - event.clientX) * 1.5;
  y = (box.top + box.height / 2 - event.clientY) * 1.5;
  zoom(scale > 1 ? 1 : 2.5);
});
stage.addEventListener(
  "wheel",
  (event) => {
    if (!event.ctrlKey && scale === 1) return;
    event.preventDefault();
    zoom(scale * Math.exp(-event.deltaY / 300));
  },
  { passive: false },
);

// One finger swipes, or moves a zoomed photo.
let start;
image.draggable = false;
stage.addEventListener("pointerdown", (event) => {
  if (event.isPrimary && !event.target.closest("a")) start = { x: event.clientX, y: event.clientY, left: x, top: y };
});
stage.addEventListener("pointermove", (event) => {
  if (!start || scale === 1) return;
  x = start.left + event.clientX - start.x;
  y = start.top + event.clientY - start.y;
  zoom(scale);
});
stage.addEventListener("pointerup", (event) => {
  if (!start) return;
  const across = event.clientX - start.x;
  const down = event.clientY - start.y;
  start = undefined;
  // A tap hides everything else, and another one shows it again.
  if (scale === 1 && Math.hypot(across, down) < 8) main.classList.toggle("alone");
  if (scale === 1 && Math.abs(across) > 60 && Math.abs(across) > 2 * Math.abs(down)) go(across > 0 ? "prev" : "next");
});
stage.addEventListener("pointercancel", () => (start = undefined));
