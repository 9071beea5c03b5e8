// An open page follows what changes elsewhere: the small view, Today, a plant's care, and the newest day of the timeline. What is
// typed, pressed or scrolled to stays: only what is different is exchanged, and nothing changes its place. That a day ends,
// leaflog.js watches.
import { at, paint } from "./page.js";

const text = "input:not([type=checkbox], [type=radio], [type=hidden]), textarea, select";
const isTyped = (form) =>
  form.matches("[data-dirty], [data-busy]") ||
  [...form.elements].some((field) => field.name && field.type !== "hidden" && (field.defaultValue ?? field.value) !== field.value);

// What somebody is busy with is left alone until the next change.
const isHeld = (element) =>
  element.matches("[data-film], details[open]") || (element.nodeName === "FORM" && isTyped(element)) || element === document.activeElement && element.matches(text);
const holds = (element) => isHeld(element) || element.contains(document.activeElement) || [...element.querySelectorAll("form, details, [data-film]")].some(isHeld);

// By what an element is the same one in a newer page: rows and tiles by where they lead.
function name(node) {
  if (node.nodeType !== Node.ELEMENT_NODE) return "";
  const link = node.matches("a") ? node : node.matches("li, .row, .tile, .line") && node.querySelector("a");
  return node.id || node.getAttribute("aria-labelledby") || node.getAttribute("action") || (link && link.getAttribute("href")) || "";
}
const isSame = (one, other) => one.nodeName === other.nodeName && name(one) === name(other);

// Attributes that the scripts of a page set.
const own = ["style", "open", "hidden", "data-busy", "data-dirty"];

function exchange(old, fresh) {
  if (old.nodeType !== Node.ELEMENT_NODE) {
    if (old.data !== fresh.data) old.data = fresh.data;
    return;
  }
  if (isHeld(old)) return;
  for (const { name, value } of fresh.attributes) if (old.getAttribute(name) !== value) old.setAttribute(name, value);
  for (const { name } of [...old.attributes]) if (!fresh.hasAttribute(name) && !own.includes(name)) old.removeAttribute(name);
  const rest = [...old.childNodes];
  let place = old.firstChild;
  for (const child of [...fresh.childNodes]) {
    const index = rest.findIndex((other) => isSame(other, child));
    if (index < 0) {
      old.insertBefore(child, place);
      continue;
    }
    const [known] = rest.splice(index, 1);
    // One that is further up in the newer page stays where it is, as somebody may be about to press it.
    if (!place || place.compareDocumentPosition(known) & Node.DOCUMENT_POSITION_FOLLOWING || place === known) place = known.nextSibling;
    exchange(known, child);
  }
  for (const gone of rest) if (gone.nodeType !== Node.ELEMENT_NODE || !holds(gone)) gone.remove();
}

// The newest day, unless the page begins at another place or photos are being selected. A new month needs its place in the list.
function exchangeDay(page) {
  const isElsewhere = ["month", "part", "on"].some((part) => new URLSearchParams(location.search).has(part));
  const [old, fresh] = [document, page].map((one) => one.querySelector("#months .day"));
  if (isElsewhere || !fresh || document.getElementById("selecting")) return;
  if (old?.id === fresh.id) exchange(old, fresh);
  else if (old && old.id < fresh.id && old.id.slice(0, -3) === fresh.id.slice(0, -3)) old.before(fresh);
  else if ((!old || old.id < fresh.id) && scrollY < 100) location.reload();
}

async function read() {
  const response = await fetch(location.href, { credentials: "same-origin" }).catch(() => undefined);
  // Signed out, or without a network: what is there stays.
  if (!response?.ok || response.redirected) return;
  const page = new DOMParser().parseFromString(await response.text(), "text/html");
  const fresh = page.querySelectorAll("[data-follow]");
  document.querySelectorAll("[data-follow]").forEach((old, index) => {
    if (fresh[index] && isSame(old, fresh[index])) exchange(old, fresh[index]);
  });
  if (document.getElementById("months")) exchangeDay(page);
  paint();
  document.body.dataset.dayEnds = page.body.dataset.dayEnds;
}

// One at a time, and during an import not more than one a second.
let isReading = false;
let isWanted = false;
async function refresh() {
  isWanted = isReading;
  if (isReading) return;
  isReading = true;
  await read().catch(() => {});
  setTimeout(() => {
    isReading = false;
    if (isWanted) refresh();
  }, 1000);
}

let events;
function listen() {
  events?.close();
  events = undefined;
  if (document.hidden) return;
  events = new EventSource(at("/api/v1/events"));
  events.addEventListener("commit", refresh);
  // What changed before it was open, also after a lost network, is on the page by then.
  events.addEventListener("open", refresh);
}

document.addEventListener("visibilitychange", listen);
listen();
