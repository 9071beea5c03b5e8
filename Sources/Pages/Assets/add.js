// Adding photos: a preview of each with its date, then the upload queue.
import { at, element, fill, key, note, number, paint, plural, words } from "./page.js";
import { captureTime, fileTime, nameTime } from "./exif.js";
import "./database.js";
import "./queue.js";

const queue = globalThis.leaflogQueue;
const get = (id) => document.getElementById(id);
const form = get("add-form");
const picked = get("picked");
const input = get("photos");
const part = get("queue-part");
const list = get("queue");
// Meanings of codes, where the service's own sentences are in another language.
const reasons = JSON.parse(part.dataset.reasons ?? "{}");
const files = new Map();

input.addEventListener("change", () => {
  pick(input.files);
  input.value = "";
});

const drop = get("drop");
for (const type of ["dragover", "dragleave", "drop"]) {
  document.addEventListener(type, (event) => {
    if (!event.dataTransfer?.types.includes("Files")) return;
    event.preventDefault();
    drop.classList.toggle("over", type === "dragover");
    if (type === "drop") pick(event.dataTransfer.files);
  });
}
document.addEventListener("paste", (event) => event.clipboardData?.files.length && pick(event.clipboardData.files));

// Previews are drawn on a canvas: a blob URL would need a looser content security policy.
async function draw(canvas, file) {
  try {
    const bitmap = await createImageBitmap(file, { imageOrientation: "from-image" });
    const side = Math.min(bitmap.width, bitmap.height);
    canvas.width = canvas.height = 112;
    canvas.getContext("2d").drawImage(bitmap, (bitmap.width - side) / 2, (bitmap.height - side) / 2, side, side, 0, 0, 112, 112);
    bitmap.close();
  } catch {
    // HEIC and other formats that the browser cannot show: the placeholder stays.
  }
}

async function pick(chosen) {
  for (const file of [...chosen]) {
    const id = key();
    const canvas = element("canvas", { width: 112, height: 112 });
    canvas.setAttribute("role", "presentation");
    const date = element("input", { type: "datetime-local", step: 1, id: "at-" + id });
    const hint = element("span", { className: "detail" });
    const remove = element("button", { type: "button", className: "button quiet", textContent: words.remove });
    remove.setAttribute("aria-label", `${words.remove}: ${file.name}`);
    const row = element("li", { className: "row" }, canvas,
      element("div", { className: "grow stack-2" }, element("strong", { textContent: file.name }), element("label", { className: "unseen", htmlFor: date.id, textContent: `${words.date}: ${file.name}` }), date, hint),
      remove);
    remove.addEventListener("click", () => {
      files.delete(id);
      row.remove();
      picked.hidden = !files.size;
      input.focus();
    });
    files.set(id, { file, date, row });
    picked.append(row);
    picked.hidden = false;
    const taken = await captureTime(file);
    const named = nameTime(file.name);
    date.value = date.defaultValue = taken ?? named ?? fileTime(file);
    // Of other formats, only the server reads the photo's own date.
    hint.textContent = taken ? words.fromCamera : named ? words.fromName : file.type === "image/jpeg" ? words.fromFile : words.fromFileUnless;
    await draw(canvas, file);
  }
}

form.addEventListener("submit", async (event) => {
  event.preventDefault();
  if (!files.size) return input.click();
  const { newPlant, plant, notes } = form.elements;
  const batch = key();
  await clear();
  let place = Date.now();
  for (const [id, { file, date, row }] of files) {
    await queue.put({
      id, place: place++, name: file.name, file, size: file.size, modified: file.lastModified, state: "waiting", sent: 0, batch,
      token: main.dataset.token || undefined, plant: newPlant.value.trim() || plant.value || undefined, note: notes.value.trim() || undefined,
      // Only a typed date is sent: the server reads the file's date better than this page does.
      at: date.value && date.value !== date.defaultValue ? date.value : undefined,
    });
    files.delete(id);
    row.remove();
  }
  picked.hidden = true;
  notes.value = "";
  form.dispatchEvent(new Event("taken"));
  await queue.clearShared();
  send();
  part.scrollIntoView({ block: "nearest" });
});

let pause = 2000;
// Whether there is no network, or the service has not answered.
let isStuck = !navigator.onLine;
let next;
async function send() {
  navigator.serviceWorker?.ready.then((worker) => worker.sync?.register("leaflog-queue")).catch(() => {});
  isStuck = !navigator.onLine;
  const isDone = await queue.run().catch(() => {
    isStuck = true;
    return false;
  });
  if (isStuck) show();
  clearTimeout(next);
  if (isDone) {
    pause = 2000;
    return;
  }
  // The network does not answer, or a worker has the queue and may give up: retry soon, then less often.
  next = setTimeout(() => navigator.onLine && send(), pause);
  pause = Math.min(30000, pause * 2);
}

// Photos that somebody else has chosen, who has to sign in again: no more than their number is shown.
const main = get("main");
const others = get("others");
const isOwn = ({ token }) => !token || token === main.dataset.token;
function showOthers(count) {
  others.hidden = !count;
  others.querySelector("p").textContent = plural(others.dataset.one, others.dataset.other, count);
}
others.querySelector("button").addEventListener("click", async () => {
  if (!confirm(`${others.querySelector("p").textContent}\n${others.dataset.sure}`)) return;
  for (const item of await queue.all()) if (!isOwn(item)) await queue.remove(item.id);
});

const rows = new Map();
let isSending = false;
let doneCount = 0;
async function show() {
  const all = await queue.all();
  const items = all.filter(isOwn);
  showOthers(all.filter((item) => !isOwn(item) && item.state !== "done").length);
  const done = items.filter(({ state }) => state === "done").length;
  if (done > doneCount) note();
  doneCount = done;
  part.hidden = !items.length;
  for (const [id, row] of rows) if (!items.some((item) => item.id === id)) { row.remove(); rows.delete(id); }
  for (const item of items) {
    const row = rows.get(item.id) ?? make(item);
    row.bar.value = item.sent;
    row.bar.max = item.size || 1;
    row.bar.hidden = item.state === "done" || item.state === "failed";
    row.text.textContent = item.state === "done" ? words[item.outcome] ?? words.added : item.state === "failed" ? [words.failed, reasons[item.reason] ?? item.message].filter(Boolean).join(": ") : item.state === "waiting" && !isStuck ? words.queued : words[item.state];
    row.text.classList.toggle("late", item.state === "failed");
    row.retry.hidden = item.state !== "failed";
    label(row.away, item);
    if (item.photo && !row.querySelector("img")) row.prepend(element("img", { src: at(`/api/v1/photos/${item.photo}/thumbnail`), alt: "", width: 44, height: 44 }));
    row.name.replaceChildren(item.photo ? element("a", { href: at("/photos/") + item.photo, textContent: item.name }) : item.name);
  }
  const open = items.filter(({ state }) => state !== "done" && state !== "failed").length;
  const isOver = items.every(({ state }) => state === "done");
  const added = items.filter(({ outcome }) => outcome === "added");
  const plants = new Set(added.map(({ plant }) => plant));
  const name = plants.size === 1 && named([...plants][0]);
  const { addedOne, addedOther, addedToOne, addedToOther } = part.dataset;
  const failed = items.filter(({ state }) => state === "failed").length;
  const outcome = open ? words.onTheWay
    : name ? fill(plural(addedToOne, addedToOther, added.length), { plant: name }) : plural(addedOne, addedOther, added.length);
  get("queue-title").textContent = [outcome, failed && !open && `${words.failed}: ${number(failed)}`].filter(Boolean).join(" · ");
  get("after").hidden = !isOver;
  // All photos of a form are one change, unless something else was changed meanwhile.
  const changes = new Set(added.map(({ change }) => change));
  get("undo-added").hidden = changes.size !== 1 || changes.has(undefined);
  [get("undo-added").elements.change.value] = changes;
  const link = get("to-plant");
  link.hidden = !name;
  if (name) Object.assign(link, { href: at("/plants/") + encodeURIComponent([...plants][0]), textContent: fill(words.showPlant, { name }) });
  get("retry-all").hidden = items.filter(({ state }) => state === "failed").length < 2;
  if (open) isSending = true;
  else if (isSending && items.length) finish();
}

// One sentence at the end, which has the focus, unless something else is being done meanwhile.
function finish() {
  isSending = false;
  const title = get("queue-title");
  if ([document.body, get("main"), get("save")].includes(document.activeElement)) title.focus({ preventScroll: true });
  else get("queue-status").textContent = title.textContent;
}

// A plant's name; a new one has been typed.
function named(plant) {
  const chosen = plant && form.querySelector(`[name=plant][value="${CSS.escape(plant)}"]`);
  return chosen ? chosen.closest("label").textContent.trim() : plant;
}

// Hiding an added photo removes it from the list alone.
function label(button, { state, name }) {
  const isDone = state === "done";
  button.className = isDone ? "round" : "button quiet";
  button.textContent = isDone ? "✕" : words.remove;
  button.setAttribute("aria-label", `${isDone ? words.hide : words.remove}: ${name}`);
}

function make(item) {
  const name = element("strong");
  const text = element("span", { className: "detail" });
  const bar = element("progress");
  bar.setAttribute("aria-label", item.name);
  const retry = element("button", { type: "button", className: "button quiet", textContent: words.tryAgain, onclick: () => queue.retry([item.id]).then(send) });
  const remove = element("button", { type: "button", onclick: () => queue.remove(item.id) });
  const row = element("li", { className: "row" }, element("div", { className: "grow" }, name, text, bar), retry, remove);
  Object.assign(row, { name, text, bar, retry, away: remove });
  rows.set(item.id, row);
  list.append(row);
  return row;
}

get("retry-all").addEventListener("click", () => queue.retry().then(send));
// Photos that have arrived leave the list.
async function clear() {
  for (const item of await queue.all()) if (item.state === "done" && isOwn(item)) await queue.remove(item.id);
}
get("add-more").addEventListener("click", () => {
  input.click();
  clear();
});
get("undo-added").addEventListener("submit", async (event) => {
  event.preventDefault();
  await clear();
  event.target.submit();
});

queue.listen(show);
show();
addEventListener("online", send);
addEventListener("offline", () => {
  isStuck = true;
  show();
});
// Without background sync, the page itself retries now and then.
setInterval(() => navigator.onLine && send(), 30000);
send();
queue.shared().then(pick).catch(() => {});
paint();
