// The focus comes back to where it was when the page was left: to the same element, or to its neighbour in a list if it is gone.
// After a change it is never on nothing, from where a reader would begin at the top.
import { anchor, list, settle } from "./page.js";

const place = () => "focus:" + list(location.href);

// A selector that finds an element after its page has been loaded again.
function selector(element) {
  if (element.id) return "#" + CSS.escape(element.id);
  const names = ["data-photo", "href", "name", "aria-label", "formaction"];
  // The value of a switch is what it would be set to.
  if (!element.hasAttribute("aria-pressed")) names.push("value");
  const own = names.filter((name) => element.getAttribute(name)).map((name) => `[${name}=${JSON.stringify(element.getAttribute(name))}]`);
  const row = element.closest("li[id]");
  const action = element.closest("form")?.getAttribute("action");
  const within = row ? `#${CSS.escape(row.id)} ` : action ? `form[action=${JSON.stringify(action)}] ` : "";
  // In a row with a name, the button that takes the place of another has other words.
  return within + element.localName + (row ? "" : own.join(""));
}

const target = (element) => (element?.matches("a, button, input, [tabindex]") ? element : element?.querySelector("[tabindex], a, button"));

function leave() {
  // A button of the toast stands for the element that was pressed before.
  const element = document.activeElement?.closest("#toast") ? anchor() : document.activeElement;
  const isNone = !element || element === document.body || element.id === "main";
  const item = isNone ? undefined : element.closest(".tile, .line, .row, li");
  const places = isNone ? [] : [element, target(item?.nextElementSibling), target(item?.previousElementSibling)].filter(Boolean).map(selector);
  const focus = isNone ? undefined : { places, focusVisible: element.matches(":focus-visible") };
  history.replaceState({ ...history.state, focus }, "");
  sessionStorage.setItem(place(), JSON.stringify(focus ?? null));
}
addEventListener("pagehide", leave);

let pending;
// A key or a tap meanwhile keeps the focus where the reader wants it.
for (const type of ["keydown", "pointerdown"]) addEventListener(type, () => (pending = undefined), { capture: true });

// Called again when more of the page is there.
export function restore() {
  const element = pending?.places.map((one) => document.querySelector(one)).find(Boolean);
  if (!element) return;
  const { focusVisible } = pending;
  pending = undefined;
  if (document.activeElement !== document.body && document.activeElement?.id !== "main") return;
  give(element, focusVisible);
}

function give(element, focusVisible) {
  element.focus({ preventScroll: true, focusVisible });
  if (document.querySelector("#toast form")) settle();
}

export function arrive(isChanged) {
  // A page that is loaded again has the state of its history without what was set when it was left.
  const isReloaded = performance.getEntriesByType("navigation")[0]?.type === "reload";
  const kept = history.state?.focus ?? (isChanged || isReloaded ? JSON.parse(sessionStorage.getItem(place())) : undefined);
  const focusVisible = kept?.focusVisible ?? false;
  const made = isChanged && target(document.getElementById(location.hash.slice(1)));
  // The browser takes the focus away when it scrolls to the fragment of the address, with the first frame.
  if (made) return requestAnimationFrame(() => requestAnimationFrame(() => give(made, focusVisible)));
  pending = kept;
  restore();
  if (isChanged) keepFocus();
}

// Keeps the focus from being on nothing after a change.
export function keepFocus() {
  if (document.activeElement === document.body) document.getElementById("main").focus({ preventScroll: true, focusVisible: false });
}
