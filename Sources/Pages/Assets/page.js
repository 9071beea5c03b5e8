// Shared by all modules: the words of the page, calls of the API, the toast, the colours of placeholders.

import "./place.js";

export const { at, mine, path } = globalThis.leaflogPlace;

export const words = document.getElementById("words").dataset;

export const fill = (text, values) => text.replace(/\{(\w+)\}/g, (whole, name) => values[name] ?? whole);

const numbers = new Intl.NumberFormat(document.documentElement.lang);
export const number = (value) => numbers.format(value);

const plurals = new Intl.PluralRules(document.documentElement.lang);
export const plural = (one, other, count) => fill(plurals.select(count) === "one" ? one : other, { count: number(count) });

export function element(name, properties = {}, ...children) {
  const made = Object.assign(document.createElement(name), properties);
  made.append(...children);
  return made;
}

// The page may not contain inline styles (content security policy): colours come as data, and are set here.
export function paint(root = document) {
  for (const element of root.querySelectorAll("[data-tint]")) {
    element.style.backgroundColor = element.dataset.tint;
  }
}

// Random bytes without crypto.randomUUID, which is unavailable over plain HTTP on a local network.
export const key = () => Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");

// Calls "METHOD /path" of the API. Throws on network errors and refusals by the server.
export async function call(line, body) {
  const [method, address] = line.split(" ");
  const headers = { Accept: "application/json", "Idempotency-Key": key() };
  if (body) headers["Content-Type"] = "application/json";
  const response = await fetch(at(address), { method, headers, body, credentials: "same-origin" });
  if (response.status === 401) location.assign(at("/sign-in?back=") + encodeURIComponent(here()));
  if (!response.ok) throw Object.assign(new Error(response.statusText), { status: response.status });
  note();
  return { response, change: response.headers.get("Leaflog-Change") };
}

// The path without parameters that are only for this visit.
export function here() {
  const url = new URL(location.href);
  for (const name of ["changed", "gone", "started"]) url.searchParams.delete(name);
  return path(url) + url.search;
}

// Counts what this tab has changed, so that a page from the browser's memory can tell that it is outdated. The page itself shows
// the change already.
export const changes = () => Number(sessionStorage.getItem("changes"));
export function note() {
  sessionStorage.setItem("changes", changes() + 1);
  history.replaceState({ ...history.state, changes: changes() }, "");
}

// A page's address without the place on it.
export function list(address) {
  const url = new URL(address, location.href);
  for (const name of ["changed", "gone", "started", "month", "part", "on"]) url.searchParams.delete(name);
  return url.origin + url.pathname + url.search;
}

// Sends a form. What the service refuses is sent once more as browsers do, which shows the form with the reasons; then, and without
// a network, nothing is returned. A form that was saved stays busy until its page is left.
export async function send(form, submitter) {
  if (form.dataset.busy) return;
  form.dataset.busy = "true";
  try {
    const body = new URLSearchParams(new FormData(form, submitter));
    const action = submitter?.getAttribute("formaction") ?? form.getAttribute("action");
    const response = await fetch(action, { method: "POST", body, headers: { Accept: "application/json" } });
    if (response.redirected) {
      location.replace(response.url);
      return;
    }
    if (response.ok) {
      note();
      // The draft is no longer needed.
      localStorage.removeItem(sessionStorage.getItem("sent"));
      sessionStorage.removeItem("sent");
      return await response.json();
    }
    delete form.dataset.busy;
    form.dataset.plain = "true";
    form.requestSubmit(submitter);
  } catch {
    delete form.dataset.busy;
    toast(words.noNetwork);
  }
}

// The address of the page before this one in the history; undefined where the browser does not tell.
export const before = () => globalThis.navigation?.entries?.()[navigation.currentEntry.index - 1]?.url;

// Goes back in the history to the page that says what was saved. The service worker's copy of it is outdated.
export async function goBack({ text, change, note }) {
  if (text) sessionStorage.setItem("toast", JSON.stringify([text, change, note]));
  const cache = await globalThis.caches?.open(mine("pages")).catch(() => undefined);
  await cache?.delete(before().split("#")[0]);
  history.back();
}

// The offer of a note in the toast, by the address of its form.
export const offer = (address) => (address ? [words.addNote, () => location.assign(address)] : undefined);

// The keys of the pages, all of them: they do nothing where one types, which a form with a draft is as a whole. Letters and signs
// can be switched off on this device (WCAG 2.1.4); arrows and Escape cannot. `find` has the action of a key.
export const keysOff = mine("keys-off");
export function keys(find) {
  document.addEventListener("keydown", (event) => {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.target.closest("input:not([name=id]), textarea, select, [contenteditable], form[data-draft]")) return;
    if (event.key.length === 1 && localStorage.getItem(keysOff)) return;
    const act = find(event.key);
    if (!act) return;
    event.preventDefault();
    act();
  });
}

let leaving;
const place = document.getElementById("toast");

export function toast(text, change, [more, act] = []) {
  const form = element("form", { className: "toast", method: "post", action: at("/undo") }, element("span", { className: "text", textContent: text }));
  if (change) {
    for (const [name, value] of [["change", change], ["back", here()]]) form.append(element("input", { type: "hidden", name, value }));
    form.append(element("button", { textContent: words.undo }));
  }
  if (more) form.append(element("button", { type: "button", textContent: more, onclick() { act(); close(); } }));
  place.replaceChildren(form);
  settle();
}

// From an element that was pressed by a key, Tab leads to the toast, and Shift and Tab back. The toast stays in its live region:
// one that is moved is not spoken.
let pressed;
document.addEventListener("keydown", (event) => {
  const buttons = [...place.querySelectorAll("button, a")];
  const at = buttons.indexOf(document.activeElement);
  if (event.key === "Escape" && place.firstElementChild && (at >= 0 || !document.querySelector("[data-viewer], dialog[open]"))) {
    event.preventDefault();
    close();
  }
  if (!buttons.length || !pressed?.isConnected) return;
  if (event.key === "Tab" && document.activeElement === pressed && !event.shiftKey) {
    event.preventDefault();
    buttons[0].focus();
  } else if (event.key === "Tab" && (event.shiftKey ? at === 0 : at === buttons.length - 1)) {
    // Onwards, it is as if the focus had stayed where it was.
    if (event.shiftKey) event.preventDefault();
    pressed.focus();
  }
});

export const anchor = () => pressed;

function close() {
  const isWithin = place.contains(document.activeElement);
  place.replaceChildren();
  if (isWithin) pressed?.focus();
}

// A toast disappears after a while, but not while it has the pointer or focus, nor if a key has led to it (WCAG 2.2.1); its change
// stays in the history.
export function settle() {
  // A field shows its focus after a tap, too, and Tab leads from it to the next one.
  const isPressed = document.activeElement?.matches(":focus-visible:not(main, textarea, select, input:not([type=checkbox], [type=radio]))");
  pressed = isPressed ? document.activeElement : undefined;
  wait();
}

function wait() {
  clearTimeout(leaving);
  if (pressed?.isConnected && place.querySelector("button, a")) return;
  leaving = setTimeout(() => {
    if (place.matches(":hover, :focus-within")) wait();
    else place.replaceChildren();
  }, 10000);
}
