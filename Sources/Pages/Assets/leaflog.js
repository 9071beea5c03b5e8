// The entry point of every page, which loads what the page needs.
import "./place.js";
import { at, before, call, changes, element, fill, goBack, here, keys, keysOff, list, mine, note, offer, paint, path, plural, send, settle, toast, words } from "./page.js";
import "./drafts.js";
import { arrive as focus, keepFocus } from "./focus.js";
import "./keys.js";

paint();

// A page that the browser shows from its memory lacks what was changed since. A form stays as it was sent, so that it can be sent
// again with other words, and so does what has been typed or picked; Today has a form beside what it lists.
const isOutdated = () =>
  (history.state?.changes ?? changes()) !== changes() && !document.querySelector("form[data-dirty], main:not([data-today]) form.edit, #picked:not([hidden])");
const [visit] = performance.getEntriesByType("navigation");
const isReloading = visit?.type === "back_forward" && isOutdated();
function arrive({ persisted } = {}) {
  const isLeft = isReloading || (persisted && isOutdated());
  history.replaceState({ ...history.state, changes: changes() }, "");
  if (isLeft) {
    location.reload();
    return;
  }
  const ended = document.getElementById("job-" + sessionStorage.getItem("job"));
  sessionStorage.removeItem("job");
  if (ended) document.querySelector("[data-job-status]").textContent = [...ended.querySelectorAll("strong, .detail")].map(({ textContent }) => textContent).join(": ");
  const saved = sessionStorage.getItem("toast");
  sessionStorage.removeItem("toast");
  if (!saved) return;
  const [text, change, note] = JSON.parse(saved);
  toast(text, change, offer(note && at(note)));
  keepFocus();
}
addEventListener("pageshow", (event) => {
  if (!event.persisted) return;
  for (const form of document.querySelectorAll("form[data-busy]")) delete form.dataset.busy;
  arrive(event);
});

for (const [selector, module] of [
  ["[data-swipe], #months", "./swipe.js"], ["#months", "./months.js"], ["[data-viewer]", "./viewer.js"], ["[data-film]", "./film.js"], ["[data-add]", "./add.js"],
  ["[data-compare]", "./compare.js"], ["[data-reorder]", "./reorder.js"], ["[data-job]", "./jobs.js"],
  ["[data-follow], #months .day", "./follow.js"], ["[data-push]", "./reminders.js"],
]) {
  // The position of a page that is loaded again is in the history already.
  if (!isReloading && document.querySelector(selector)) import(module);
}

// The toast of the change that led here. Reloading the page does not show it again.
const isChanged = /[?&]changed=/.test(location.search);
if (/[?&]changed=[^0]/.test(location.search)) note();
if (isChanged) history.replaceState(history.state, "", at(here()) + location.hash);
document.getElementById("problem")?.focus();
focus(isChanged);
if (document.querySelector("#toast form")) settle();

// A form that comes back to its own page, such as Undo, comes back to the same place.
const [left, y] = sessionStorage.place?.split(" ") ?? [];
delete sessionStorage.place;
const kept = left === here() ? y : sessionStorage.getItem("y:" + list(location.href));
if (isChanged && kept) {
  history.replaceState({ ...history.state, y: Number(kept) }, "");
  scrollTo(0, kept);
}
arrive();

// Ticks, moods and favourites: shown at once, and reverted if they cannot be saved.
document.addEventListener("submit", async (event) => {
  const form = event.target;
  const button = event.submitter;
  if (form.dataset.instant === undefined || !button) return;
  const on = button.getAttribute("aria-pressed") !== "true";
  const source = button.dataset.on ? button : form;
  const line = on ? source.dataset.on : source.dataset.off;
  if (!line) return;
  event.preventDefault();
  if (form.dataset.busy) return;
  form.dataset.busy = "true";
  const before = [...form.querySelectorAll("[aria-pressed]")].map((other) => [other, other.getAttribute("aria-pressed"), other.value]);
  if (form.dataset.instant === "one") for (const [other] of before) press(other, false);
  press(button, on);
  try {
    const { response, change } = await call(line, on ? source.dataset.onBody : source.dataset.offBody);
    // Ticks and moods may get a note.
    const made = on && form.dataset.notes !== undefined ? await response.json().catch(() => undefined) : undefined;
    const entry = made?.items?.[0] ?? made;
    const note = entry?.id && !entry.notes && at(`/entries/${entry.id}?back=`) + encodeURIComponent(here());
    toast((on ? form.dataset.toastOn : form.dataset.toastOff) ?? (on ? words.saved : words.removed), change, offer(note));
  } catch (error) {
    for (const [other, pressed] of before) press(other, pressed === "true");
    toast(error.status ? words.notSaved : words.noNetwork);
  } finally {
    delete form.dataset.busy;
  }
});

function press(button, on) {
  button.setAttribute("aria-pressed", on);
  // The value that the form would post next, should the scripts stop.
  button.value = button.dataset.value ? (on ? "none" : button.dataset.value) : String(!on);
  const row = button.closest("[data-state]");
  if (!row) return;
  row.dataset.state = on ? "on" : "off";
  row.classList.toggle("done", on);
  const list = row.closest("[data-care]");
  const left = list?.parentElement.querySelector("[data-left]");
  if (!left) return;
  const count = list.querySelectorAll("[data-state=off]").length;
  left.textContent = count ? plural(left.dataset.leftOne, left.dataset.leftOther, count) : left.dataset.leftNone;
}

// A form that returns to the page before it ends with going back in the history: that page keeps its place, to the pixel, and the
// form is left behind.
document.addEventListener("submit", async (event) => {
  const { target: form, submitter } = event;
  const back = form.elements.back?.value;
  if (event.defaultPrevented || !back || back === here() || form.matches("[data-instant], [data-plain], [enctype]")) return;
  // A form that is shown again, with its reasons, is at another address than the page that the browser has in its memory.
  const page = document.getElementById("problem") ? undefined : before();
  if (!page || list(at(back)) !== list(page)) return;
  event.preventDefault();
  const saved = await send(form, submitter);
  if (saved) goBack(saved);
});

document.addEventListener("submit", (event) => {
  if (!event.defaultPrevented && event.target.elements.back?.value === here()) sessionStorage.place = `${here()} ${scrollY}`;
});
document.querySelector("[data-back-step]")?.addEventListener("click", () => history.back());

// The system's share sheet where available, otherwise a download.
document.addEventListener("click", async (event) => {
  const link = event.target.closest("[data-share-file]");
  if (!link || !navigator.canShare) return;
  event.preventDefault();
  try {
    const blob = await (await fetch(link.dataset.shareFile)).blob();
    const name = link.download || "leaflog." + (blob.type.split("/")[1] ?? "jpg");
    const data = { files: [new File([blob], name, { type: blob.type })], text: link.dataset.shareText };
    if (!navigator.canShare(data)) throw new TypeError();
    await navigator.share(data);
  } catch (error) {
    if (error.name === "AbortError") return;
    delete link.dataset.shareFile;
    link.click();
  }
});

// Buttons that copy a text, or fill in a field, such as emoji.
document.addEventListener("click", (event) => {
  const text = event.target.closest("[data-copy]")?.dataset.copy;
  if (text) navigator.clipboard?.writeText(text).then(() => toast(words.copied), () => toast(words.notCopied)) ?? toast(words.notCopied);
  const button = event.target.closest("[data-fills]");
  if (!button) return;
  const field = document.getElementById(button.dataset.fills);
  field.value = button.dataset.fill;
  field.dispatchEvent(new Event("input", { bubbles: true }));
});

// Whether the day of the page has ended, as that of one that the browser has kept.
const isOver = () => Date.now() >= Date.parse(document.body.dataset.dayEnds);

// An open page of today moves on when the day ends, at whatever hour that is.
const live = document.querySelector("[data-live]");
if (live) {
  const roll = async () => {
    if (!isOver() || live.querySelector("form[data-dirty]")) return;
    const address = live.dataset.live || at("/");
    // Without a network, it would be the page of the same day again.
    const { ok } = await fetch(address, { method: "HEAD" }).catch(() => ({}));
    if (ok) location.replace(address);
  };
  document.addEventListener("visibilitychange", () => document.hidden || roll());
  setInterval(roll, 30000);
}

// The network.
const offline = document.getElementById("offline");
function tell() {
  offline.hidden = navigator.onLine;
  const day = new Date(document.body.dataset.day + "T12:00");
  if (!navigator.onLine && isOver() && !isNaN(day)) {
    const options = { weekday: "long", day: "numeric", month: "long" };
    const { lang } = document.documentElement;
    const tag = navigator.languages.find((tag) => tag.startsWith(lang)) ?? lang;
    offline.textContent = fill(words.offlineOf, { day: day.toLocaleDateString(tag, options) });
  }
}
addEventListener("online", tell);
addEventListener("offline", tell);
tell();

// A thumbnail grows into its photo, and a photo shrinks into its thumbnail.
function hold(url, transition) {
  // A transition that the browser skips is not an error.
  for (const step of ["ready", "finished", "updateCallbackDone"]) transition?.[step]?.catch(() => {});
  const id = /^\/photos\/(\w+)$/.exec(url ? path(new URL(url)) : "")?.[1];
  const tile = id && document.querySelector(`[data-photo="${id}"]:not(main)`);
  if (!tile || !transition) return;
  tile.style.viewTransitionName = "photo";
  transition.finished.finally(() => (tile.style.viewTransitionName = ""));
}
addEventListener("pageswap", (event) => hold(event.activation?.entry?.url, event.viewTransition));
addEventListener("pagereveal", (event) => hold(globalThis.navigation?.activation?.from?.url, event.viewTransition));

// The browser's time zone, which the page chooses where nobody has, and offers where it differs.
const zone = document.querySelector("[data-zone]")?.dataset.zone;
const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
if (zone && zone !== timeZone && !location.search) location.replace(at("/welcome?zone=") + encodeURIComponent(timeZone));

// The + asks what to add, in a sheet.
const sheet = document.getElementById("add-what");
function ask() {
  if (!sheet?.showModal) return false;
  sheet.showModal();
  return true;
}
document.querySelector(".bar .plus")?.addEventListener("click", (event) => {
  if (!event.ctrlKey && !event.metaKey && !event.shiftKey && ask()) event.preventDefault();
});
// A tap beside the sheet closes it; a page that one comes back to has it closed.
sheet?.addEventListener("click", (event) => event.target === sheet && sheet.close());
addEventListener("pagehide", () => sheet?.close());

// Suggestions follow what is typed: names that begin with it, then those that contain it.
for (const chips of document.querySelectorAll("[data-suggests]")) {
  const field = document.getElementById(chips.dataset.suggests);
  const names = [...field.list.options].map(({ value }) => value);
  const fold = (text) => text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();
  // Otherwise the browser's own list covers the buttons.
  field.removeAttribute("list");
  const suggest = () => {
    const typed = fold(field.value.trim());
    const found = names.filter((name) => fold(name).includes(typed) && name !== field.value);
    found.sort((a, b) => fold(b).startsWith(typed) - fold(a).startsWith(typed));
    chips.replaceChildren(...found.slice(0, 5).map((name) => {
      const chip = element("button", { className: "chip", type: "button", textContent: name });
      Object.assign(chip.dataset, { fills: field.id, fill: name });
      return chip;
    }));
  };
  field.addEventListener("input", suggest);
  if (field.value) suggest();
}

keys((key) => {
  const page = { t: "/", l: "/timeline", p: "/plants", m: "/me", "+": "/add/what", "/": "/search", "?": "/me/accessibility#keys" }[key];
  if (!page || document.activeElement.matches("input") || document.querySelector("[data-viewer], dialog[open]")) return;
  return () => (key === "+" && ask()) || location.assign(at(page));
});
const keySwitch = document.getElementById("keys-on");
if (keySwitch) {
  keySwitch.checked = !localStorage.getItem(keysOff);
  keySwitch.addEventListener("change", () => (keySwitch.checked ? localStorage.removeItem(keysOff) : localStorage.setItem(keysOff, "true")));
}

const worker = await navigator.serviceWorker?.register(at("/service-worker.js?assets=") + encodeURIComponent(document.body.dataset.assets)).catch(() => {});

// Browsers change where they get messages: each opening tells the service.
if (!sessionStorage.getItem(mine("told")) && (await worker?.pushManager?.getSubscription().catch(() => {}))) {
  await import("./push.js");
  if (await globalThis.leaflogPush.subscribe(worker).catch(() => {})) sessionStorage.setItem(mine("told"), "true");
}
