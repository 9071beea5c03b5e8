// The focus comes back to where it was when the page was left: to the same element, or to its neighbour in a list if it is gone.
// After a change it is never on nothing, from where a reader would begin at the top.
import { anchor, list } from "./page.js";

const place = () => "focus:" + list(location.href);

// A selector that finds an element after its page has been loaded again.
function selector(element) {
  if (element.id) return "#" + CSS.escape(element.id);
  const name = ["data-photo", "href", "name", "aria-label"].find((name) => element.getAttribute(name));
  const action = element.closest("form")?.getAttribute("action");
  const own = element.localName + (name ? `[${name}=${JSON.stringify(element.getAttribute(name))}]` : "");
  return action ? `form[action=${JSON.stringify(action)}] ${own}` : own;
}

const target = (element) => (element?.matches("a, button, input, [tabindex]") ? element : element?.querySelector("[tabindex], a, button"));

function leave() {
  // What is in the toast belongs to what was pressed before.
  const element = document.activeElement?.closest("#toast") ? anchor() : document.activeElement;
  if (!element || element === document.body || element.id === "main") return;
  const item = element.closest(".tile, .line, .row, li");
  const places = [element, target(item?.nextElementSibling), target(item?.previousElementSibling)].filter(Boolean).map(selector);
  const focus = { places, focusVisible: element.matches(":focus-visible") };
  history.replaceState({ ...history.state, focus }, "");
  sessionStorage.setItem(place(), JSON.stringify(focus));
}
addEventListener("pagehide", leave);

let pending;

// Called again when more of the page is there.
export function restore() {
  const element = pending?.places.map((one) => document.querySelector(one)).find(Boolean);
  if (!element) return;
  const { focusVisible } = pending;
  pending = undefined;
  if (document.activeElement === document.body || document.activeElement?.id === "main") element.focus({ preventScroll: true, focusVisible });
}

export function arrive(isChanged) {
  const made = isChanged && location.hash && target(document.getElementById(decodeURIComponent(location.hash.slice(1))));
  if (made) return made.focus({ preventScroll: true });
  pending = history.state?.focus ?? (isChanged ? JSON.parse(sessionStorage.getItem(place())) : undefined);
  restore();
  if (isChanged && document.activeElement === document.body) document.getElementById("main").focus({ preventScroll: true });
}
