// The sections of a timeline: months, or years. Each keeps its place, with a height computed from its counts (in the
// stylesheet), and is built when it comes near the viewport: first its title and the places of its parts, then their
// contents. Distant sections have at most their heading, so that a long list has few nodes, nothing jumps, and Back finds its
// place.
import { restore } from "./focus.js";
import { element, fill as fillIn, keys, list as pageOf, number, paint, plural, toast, words } from "./page.js";

const list = document.getElementById("months");
const texts = new Map();
const selecting = document.getElementById("selecting");
const selected = new Set();
const language = document.documentElement.lang;
const monthName = new Intl.DateTimeFormat(language, { month: "long", year: "numeric", timeZone: "UTC" });

// "2026-11/140/31.20.50.40.33.29.26.24/…": the photos of a section, and for each part its headings, its lines, and its rows
// of tiles for each number of columns.
const columnCounts = list.dataset.columns.split(" ");
const months = list.dataset.sizes.split(" ").filter(Boolean).map((text) => {
  const [name, photos, ...sizes] = text.split("/");
  const parts = sizes.map((size) => size.split(".").map(Number)).map(([days, lines, ...rows]) => ({ days, lines, rows }));
  return { name, photos: Number(photos), parts, entries: parts.reduce((sum, part) => sum + part.lines, 0) };
});
const monthOf = new Map();
const partOf = new Map();

function title(month) {
  month.title ??= month.name.length > 4 ? monthName.format(Date.parse(month.name + "-01T00:00:00Z")) : month.name;
  return month.title;
}

function summary({ photos, entries }) {
  const { photosOne, photosOther, entriesOne, entriesOther } = list.dataset;
  return [photos && plural(photosOne, photosOther, photos), entries && plural(entriesOne, entriesOther, entries)].filter(Boolean).join(" · ");
}

// Empty sections keep their headings, by which readers move; coming to one fills it. Of very many, one of each year has one.
const areAllHeaded = months.length <= 120;
let next = list.firstElementChild;
let year;
for (const month of months) {
  month.isHeaded = areAllHeaded || month.name.slice(0, 4) !== year;
  year = month.name.slice(0, 4);
  if (next?.id === "m-" + month.name) {
    month.element = next;
    next = next.nextElementSibling;
  } else {
    month.element = element("section", { className: "month" });
    month.element.id = "m-" + month.name;
    if (month.isHeaded) month.element.append(heading(month));
    list.insertBefore(month.element, next);
  }
  monthOf.set(month.element, month);
}

// Sizes: counts that the stylesheet cannot compute, for the number of columns it has chosen.
let columns;
function measure() {
  const chosen = months.length && getComputedStyle(months[0].element).getPropertyValue("--cols");
  if (!chosen || chosen === columns) return;
  columns = chosen;
  for (const month of months) {
    size(month.element, month.parts);
    for (const part of month.parts) if (part.element) size(part.element, [part]);
  }
}

function size(target, parts) {
  const index = columnCounts.indexOf(columns);
  const sum = (count) => parts.reduce((sum, part) => sum + count(part), 0);
  target.style.setProperty("--days", sum((part) => part.days));
  target.style.setProperty("--lines", sum((part) => part.lines));
  target.style.setProperty("--rows", sum((part) => part.rows[index] ?? 0));
  target.classList.add("sized");
}

// Contents.
async function fill(part) {
  if (part.coming || !part.element || part.element.childElementCount) return;
  const abort = (part.coming = new AbortController());
  try {
    let text = texts.get(part.query);
    if (text === undefined) {
      const response = await fetch(list.dataset.url + part.query, { signal: abort.signal, headers: { Accept: "text/html" } });
      if (!response.ok) throw new Error(response.statusText);
      text = await response.text();
      texts.set(part.query, text);
      // The oldest are dropped first, so that a long scroll does not fill the memory.
      if (texts.size > 60) texts.delete(texts.keys().next().value);
    }
    if (abort.signal.aborted || !part.element) return;
    part.element.innerHTML = text;
    paint(part.element);
    restore();
    if (selecting) for (const box of part.element.querySelectorAll("input[name=id]")) box.checked = selected.has(box.value);
  } catch {
    // The place stays empty until the network returns, which triggers another attempt.
  } finally {
    if (part.coming === abort) part.coming = undefined;
  }
}

function empty(part) {
  part.coming?.abort();
  part.coming = undefined;
  if (!part.element?.contains(document.activeElement)) part.element?.replaceChildren();
}

function build(month) {
  const head = month.element.querySelector(".title") ?? month.element.appendChild(heading(month));
  if (!head.children[1]) head.append(...details(month));
  month.element.setAttribute("aria-label", title(month));
  month.parts.forEach((part, index) => {
    if (part.element) return;
    part.query = `month=${month.name}&part=${index + 1}`;
    part.element = month.element.querySelector(`[data-part="${index + 1}"]`);
    if (!part.element) {
      part.element = element("div", { className: "fill" });
      part.element.dataset.part = index + 1;
      const after = [...month.element.children].find((child) => Number(child.dataset.part) > index + 1);
      month.element.insertBefore(part.element, after ?? null);
    }
    partOf.set(part.element, part);
    size(part.element, [part]);
    watchParts.observe(part.element);
  });
}

function heading(month) {
  return element("div", { className: "title" }, element("h2", {}, title(month)));
}

// The counts beside the heading of a filled section, and its button while photos are selected.
function details(month) {
  const counts = element("p", { className: "cut" }, summary(month));
  if (!selecting) return [counts];
  const button = element("button", { className: "round", type: "button", textContent: "✓" });
  button.dataset.span = "month=" + month.name;
  button.setAttribute("aria-label", `${selecting.dataset.pick}: ${title(month)}`);
  return [counts, button];
}

function clear(month) {
  if (month.element.contains(document.activeElement)) return;
  for (const part of month.parts) {
    if (!part.element) continue;
    empty(part);
    watchParts.unobserve(part.element);
    partOf.delete(part.element);
    near.delete(part);
    part.element = undefined;
  }
  const head = month.isHeaded && month.element.querySelector(".title");
  for (const child of [...month.element.children, ...(head?.children ?? [])]) {
    if (child !== head && child !== head?.firstElementChild) child.remove();
  }
}

function watch(there, gone) {
  const act = (entries) => {
    for (const { target, isIntersecting } of entries) isIntersecting ? there(target) : gone(target);
  };
  return new IntersectionObserver(act, { rootMargin: "100% 0px" });
}
const near = new Set();
const watchParts = watch(
  (target) => {
    const part = partOf.get(target);
    if (!part) return;
    near.add(part);
    fill(part);
  },
  (target) => {
    const part = partOf.get(target);
    if (!part) return;
    near.delete(part);
    empty(part);
  },
);
const watchMonths = watch((target) => build(monthOf.get(target)), (target) => clear(monthOf.get(target)));
addEventListener("online", () => near.forEach(fill));

// Back returns to the exact position. The browser's own attempt comes before the heights are known.
history.scrollRestoration = "manual";
addEventListener("pagehide", () => {
  history.replaceState({ ...history.state, y: scrollY }, "");
  // For a form that leads here by another way than Back.
  sessionStorage.setItem("y:" + pageOf(location.href), scrollY);
});
const parameters = new URLSearchParams(location.search);
const wanted = (parameters.get("month") ?? parameters.get("on") ?? "").slice(0, 7);
const place = wanted && months.find(({ name }) => name.startsWith(wanted) || wanted.startsWith(name));
// The first day of the page that is not after the wanted one.
const day = () => [...list.querySelectorAll(".day")].find(({ id }) => id.slice(2) <= parameters.get("on"));
function begin() {
  if (history.state?.y !== undefined) scrollTo(0, history.state.y);
  else if (place) {
    // The parts before the wanted one take their places first.
    build(place);
    (day() ?? place.element).scrollIntoView();
  }
  for (const month of months) watchMonths.observe(month.element);
}
measure();
new ResizeObserver(measure).observe(list);
// If the page was painted without the heights, they get a frame of their own: changing heights and scroll position at
// once would count, and be seen, as a layout shift.
if (performance.getEntriesByType("paint").length) requestAnimationFrame(() => requestAnimationFrame(begin));
else begin();

// The scrubber: a range over the months, newest at the top.
const scrubber = document.getElementById("scrubber");
let current = 0;

function follow(range, output) {
  let low = 0;
  let high = months.length - 1;
  while (low < high) {
    const half = (low + high + 1) >> 1;
    if (months[half].element.getBoundingClientRect().top <= 80) low = half;
    else high = half - 1;
  }
  show(low, range, output);
}

function show(index, range, output) {
  current = index;
  if (Number(range.value) !== index) range.value = index;
  const text = [title(months[index]), summary(months[index])].join(" · ");
  range.setAttribute("aria-valuetext", text);
  output.textContent = text;
  output.style.setProperty("--at", (100 * index) / Math.max(1, months.length - 1));
}

if (scrubber) {
  const range = scrubber.querySelector("input");
  const output = scrubber.querySelector("output");
  scrubber.hidden = false;
  let waiting;
  let fading;
  addEventListener(
    "scroll",
    () => {
      scrubber.classList.add("scrolling");
      clearTimeout(fading);
      fading = setTimeout(() => scrubber.classList.remove("scrolling"), 1500);
      waiting ??= requestAnimationFrame(() => {
        waiting = undefined;
        if (!range.matches(":active")) follow(range, output);
      });
    },
    { passive: true },
  );
  range.addEventListener("input", () => {
    const index = Number(range.value);
    months[index].element.scrollIntoView();
    show(index, range, output);
  });
  // Esc takes the month away that covers what is beside the range (WCAG 1.4.13).
  range.addEventListener("keydown", ({ key }) => key === "Escape" && range.blur());
  follow(range, output);
  // A label for each year that there is room for.
  const years = scrubber.querySelector(".years");
  let before = -100;
  let labelled;
  months.forEach(({ name }, index) => {
    const its = name.slice(0, 4);
    const at = (100 * index) / (months.length - 1);
    if (its === labelled || at - before < 3) return;
    labelled = its;
    before = at;
    const label = element("span", {}, its);
    label.style.top = at + "%";
    years.append(label);
  });
}

// Keyboard shortcuts: the arrow keys, or j and k, move from item to item; up and down to the nearest of the next row.
keys((key) => {
  const cells = [...list.querySelectorAll(".tile, .line")].map((cell) => cell.querySelector("input") ?? cell);
  const at = cells.indexOf(document.activeElement);
  const step = { j: 1, k: -1, ArrowRight: 1, ArrowLeft: -1 }[key];
  const way = { ArrowDown: 1, ArrowUp: -1 }[key];
  if (!cells.length || !(step || way) || (at < 0 && key.startsWith("Arrow"))) return;
  return () => focusCell(cells, at, step, way);
});

function focusCell(cells, at, step, way) {
  const box = (cell) => (cell.closest(".tile") ?? cell).getBoundingClientRect();
  let next = cells[Math.min(cells.length - 1, Math.max(0, at + step))];
  if (at < 0) next = cells.find((cell) => box(cell).top >= 0);
  else if (way) {
    const own = box(cells[at]);
    const distance = (cell) => way * (box(cell).top - own.top);
    const beyond = cells.filter((cell) => distance(cell) > 4);
    const nearest = Math.min(...beyond.map(distance));
    const row = beyond.filter((cell) => distance(cell) < nearest + 4);
    next = row.sort((one, other) => Math.abs(box(one).left - own.left) - Math.abs(box(other).left - own.left))[0];
  }
  next?.focus({ preventScroll: true });
  next?.scrollIntoView({ block: "nearest" });
}

// Zoom: links that keep the place, and two fingers. A picture that stands for a day or a month leads to it.
const zooms = [...document.querySelectorAll(".zoom a")];
const zoomAt = zooms.findIndex((link) => link.hasAttribute("aria-current"));
function zoom(to) {
  const url = new URL(zooms[to].href);
  if (months.length) url.searchParams.set("month", months[current].name);
  return url.href;
}
for (const [index, link] of zooms.entries()) link.addEventListener("click", () => (link.href = zoom(index)));

let fingers;
const distance = ([one, other]) => Math.hypot(one.clientX - other.clientX, one.clientY - other.clientY);
list.addEventListener("touchstart", ({ touches }) => (fingers = touches.length === 2 ? distance(touches) : 0), { passive: true });
list.addEventListener(
  "touchmove",
  ({ touches: [one, other] }) => {
    if (!fingers || !other) return;
    const ratio = distance([one, other]) / fingers;
    if (ratio > 0.7 && ratio < 1.4) return;
    fingers = 0;
    const middle = document.elementFromPoint((one.clientX + other.clientX) / 2, (one.clientY + other.clientY) / 2);
    const tile = middle?.closest("a.tile");
    if (ratio < 1 && zooms[zoomAt + 1]) location.assign(zoom(zoomAt + 1));
    else if (ratio > 1 && zoomAt > 0) location.assign(tile?.href ?? zoom(zoomAt - 1));
  },
  { passive: true },
);

// Selection: items stay selected while their section is empty.
document.querySelector("[data-select]")?.addEventListener("click", (event) => {
  const url = new URL(event.currentTarget.href);
  if (current) url.searchParams.set("month", months[current].name);
  event.currentTarget.href = url;
});

if (selecting) {
  const count = selecting.querySelector("[data-count]");
  const most = Number(selecting.dataset.most);
  // The photo that was ticked last, by its id: its box may be gone.
  let last;

  function show() {
    for (const box of selecting.querySelectorAll("input[name=id]")) box.checked = selected.has(box.value);
    count.textContent = plural(words.selectedOne, words.selectedOther, selected.size);
  }

  // The photos of a part of the list, which may not be on the page: the service knows which they are. Those that are ticked or
  // unticked meanwhile stay so.
  const touched = new Set();
  let finding;
  function find(query) {
    touched.clear();
    count.setAttribute("aria-busy", "true");
    const found = read(query).catch(() => {
      toast(selecting.dataset.notSelected);
      return [];
    }).then((ids) => {
      if (finding === found) {
        finding = undefined;
        count.removeAttribute("aria-busy");
      }
      return ids.filter((id) => !touched.has(id));
    });
    finding = found;
    return found;
  }

  async function read(query) {
    const response = await fetch(selecting.dataset.ids + query, { headers: { Accept: "application/json" } });
    if (!response.ok) throw new Error(response.statusText);
    return (await response.json()).ids;
  }

  function set(ids, isOn) {
    for (const id of ids) isOn ? selected.add(id) : selected.delete(id);
    show();
  }

  // All that lies between the photo that was ticked last and this one gets the state of this one.
  async function reach(id, isOn) {
    const [from, to] = [last, id];
    last = id;
    set([id], isOn);
    if (from && from !== to) set(await find(new URLSearchParams({ from, to })), isOn);
  }

  // Boxes that were ticked before this script was there, or that the browser has restored.
  for (const box of selecting.querySelectorAll("input[name=id]:checked")) selected.add(box.value);
  if (selected.size) show();

  selecting.addEventListener("change", ({ target }) => {
    if (target.name !== "id") return;
    touched.add(target.value);
    set([target.value], target.checked);
  });
  selecting.addEventListener("click", async (event) => {
    const box = event.target.closest("input[name=id]");
    if (box) {
      if (event.shiftKey) reach(box.value, box.checked);
      else last = box.value;
      return;
    }
    // All photos of a day or a month, or of the list; if they are selected already, none of them.
    const span = event.target.closest("[data-span]")?.dataset.span;
    const all = !event.ctrlKey && !event.metaKey && !event.shiftKey && event.target.closest("[data-all]");
    if (span === undefined && !(all && Number(all.dataset.all) <= most)) return;
    event.preventDefault();
    const ids = await find(span ?? "");
    set(ids, !ids.every((id) => selected.has(id)));
  });

  // On touch, a long press does what Shift does.
  let pressing;
  let isPressed = false;
  const release = () => {
    clearTimeout(pressing);
    pressing = undefined;
    // Not every browser ends a long press with a click.
    setTimeout(() => (isPressed = false), 300);
  };
  selecting.addEventListener("pointerdown", (event) => {
    const box = event.target.closest("label.tile")?.querySelector("input[name=id]");
    isPressed = false;
    if (!box || event.pointerType === "mouse" || !event.isPrimary) return;
    pressing = setTimeout(() => {
      pressing = undefined;
      isPressed = true;
      navigator.vibrate?.(10);
      reach(box.value, true);
    }, 500);
  });
  // A finger that scrolls cancels the pointer.
  for (const type of ["pointerup", "pointercancel"]) selecting.addEventListener(type, release);
  selecting.addEventListener("contextmenu", (event) => (pressing || isPressed) && event.preventDefault());
  // The end of a long press is no tap.
  selecting.addEventListener(
    "click",
    (event) => {
      if (isPressed) {
        event.preventDefault();
        event.stopPropagation();
      }
      isPressed = false;
    },
    true,
  );

  selecting.addEventListener("submit", (event) => {
    for (const extra of selecting.querySelectorAll("[data-extra]")) extra.remove();
    if (finding) {
      event.preventDefault();
      finding.then(() => setTimeout(() => selecting.requestSubmit(event.submitter)));
      return;
    }
    if (!selected.size || selected.size > most) {
      event.preventDefault();
      const { nothing, tooMany } = selecting.dataset;
      toast(selected.size ? fillIn(tooMany, { most: number(most), count: number(selected.size) }) : nothing);
      return;
    }
    const shown = new Set([...selecting.querySelectorAll("input[name=id]")].map((box) => box.value));
    for (const id of selected) {
      if (shown.has(id)) continue;
      const input = element("input", { type: "hidden", name: "id", value: id });
      input.dataset.extra = "";
      selecting.append(input);
    }
  });
}
