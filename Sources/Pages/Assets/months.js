// The sections of a timeline: filled when they come near, emptied when they are far. Their height is reserved from their
// counts by the stylesheet, so that nothing jumps and Back finds its place.
import { paint, plural, words } from "./page.js";

const months = document.getElementById("months");
const sections = [...months.querySelectorAll(".month")];
const texts = new Map();
const selecting = document.getElementById("selecting");
const selected = new Set();

for (const section of sections) {
  section.style.setProperty("--tiles", section.dataset.tiles);
  section.style.setProperty("--entries", section.dataset.entries);
  section.classList.add("sized");
  // Links to months are for browsers without scripts; a thousand of them would be nodes for nothing.
  section.querySelector(".empty-link")?.remove();
}

async function fill(section) {
  if (section.near || section.dataset.filled !== undefined) return;
  const abort = (section.near = new AbortController());
  const query = `month=${section.dataset.month}&part=${section.dataset.part}`;
  try {
    let text = texts.get(query);
    if (text === undefined) {
      const response = await fetch(months.dataset.sectionUrl + query, { signal: abort.signal, headers: { Accept: "text/html" } });
      if (!response.ok) throw new Error(response.statusText);
      text = await response.text();
      texts.set(query, text);
      // The oldest go first: a long scroll does not fill the memory.
      if (texts.size > 60) texts.delete(texts.keys().next().value);
    }
    if (abort.signal.aborted) return;
    const place = section.querySelector(".fill");
    place.innerHTML = text;
    section.dataset.filled = "";
    paint(place);
    if (selecting) for (const box of place.querySelectorAll("input[name=id]")) box.checked = selected.has(box.value);
  } catch {
    // The place stays empty; the network's return tries again.
  } finally {
    section.near = undefined;
  }
}

function empty(section) {
  section.near?.abort();
  if (section.dataset.filled === undefined || section.contains(document.activeElement)) return;
  const place = section.querySelector(".fill");
  place.replaceChildren();
  delete section.dataset.filled;
}

const near = new Set();
const watch = new IntersectionObserver(
  (entries) => {
    for (const { target, isIntersecting } of entries) {
      if (isIntersecting) {
        near.add(target);
        fill(target);
      } else {
        near.delete(target);
        empty(target);
      }
    }
  },
  { rootMargin: "100% 0px" },
);

// Back returns to the pixel. The browser's own try comes before the heights are known.
history.scrollRestoration = "manual";
addEventListener("pagehide", () => history.replaceState({ ...history.state, y: scrollY }, ""));
const parameters = new URLSearchParams(location.search);
const month = (parameters.get("month") ?? parameters.get("on") ?? "").slice(0, 7);
const target = document.getElementById(location.hash.slice(1) || "m-" + month);
function begin() {
  if (history.state?.y !== undefined) scrollTo(0, history.state.y);
  else if (target) target.scrollIntoView();
  for (const section of sections) watch.observe(section);
}
// When the page has been painted without the heights, they have a frame of their own: heights and place changed at once
// would count, and be seen, as a shift of the layout.
if (performance.getEntriesByType("paint").length) requestAnimationFrame(() => requestAnimationFrame(begin));
else begin();
addEventListener("online", () => near.forEach(fill));

// The scrubber: a range over the months, newest at the top.
const scrubber = document.getElementById("scrubber");
const firsts = sections.filter((section) => section.classList.contains("first"));
let current = 0;

function place(range, output) {
  const middle = scrollY + 80;
  let low = 0;
  let high = firsts.length - 1;
  while (low < high) {
    const half = (low + high + 1) >> 1;
    if (firsts[half].offsetTop + months.offsetTop <= middle) low = half;
    else high = half - 1;
  }
  show(low, range, output);
}

function show(index, range, output) {
  current = index;
  const heading = firsts[index].querySelector(".title");
  if (Number(range.value) !== index) range.value = index;
  const text = [...heading.children].map((child) => child.textContent).join(" · ");
  range.setAttribute("aria-valuetext", text);
  output.textContent = text;
  output.style.top = (100 * index) / Math.max(1, firsts.length - 1) + "%";
}

if (scrubber && firsts.length > 1) {
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
        if (!range.matches(":active")) place(range, output);
      });
    },
    { passive: true },
  );
  range.addEventListener("input", () => {
    const index = Number(range.value);
    firsts[index].scrollIntoView();
    show(index, range, output);
  });
  place(range, output);
  // A label for each year that has room for one.
  const years = scrubber.querySelector(".years");
  let before = -100;
  let year;
  firsts.forEach((section, index) => {
    const its = section.dataset.month.slice(0, 4);
    const at = (100 * index) / (firsts.length - 1);
    if (its === year || at - before < 3) return;
    year = its;
    before = at;
    const label = document.createElement("span");
    label.textContent = year;
    label.style.top = at + "%";
    years.append(label);
  });
}

// Keys: arrows from photo to photo, j and k too.
document.addEventListener("keydown", (event) => {
  if (event.target.closest("input:not([name=id]), textarea, select") || event.ctrlKey || event.metaKey || event.altKey) return;
  const cells = [...months.querySelectorAll(".tile, .entry")].map((cell) => cell.querySelector("input") ?? cell);
  if (!cells.length) return;
  const at = cells.indexOf(document.activeElement);
  const grid = (cells[at] ?? cells[0]).closest(".tiles, .entries");
  const columns = getComputedStyle(grid).gridTemplateColumns.split(" ").length;
  const step = { j: 1, k: -1, ArrowRight: 1, ArrowLeft: -1, ArrowDown: columns, ArrowUp: -columns }[event.key];
  if (!step || (at < 0 && event.key.startsWith("Arrow"))) return;
  event.preventDefault();
  const next = at < 0 ? cells.find((cell) => cell.getBoundingClientRect().top >= 0) : cells[Math.min(cells.length - 1, Math.max(0, at + step))];
  next?.focus({ preventScroll: true });
  next?.scrollIntoView({ block: "nearest" });
});

// Selecting: what is selected stays selected while its section is emptied.
document.querySelector("[data-select]")?.addEventListener("click", (event) => {
  const url = new URL(event.currentTarget.href);
  if (firsts[current]) url.searchParams.set("month", firsts[current].dataset.month);
  event.currentTarget.href = url;
});

if (selecting) {
  const count = selecting.querySelector("[data-count]");
  let last;
  selecting.addEventListener("change", (event) => {
    if (event.target.name !== "id") return;
    event.target.checked ? selected.add(event.target.value) : selected.delete(event.target.value);
    count.textContent = plural(words.selectedOne, words.selectedOther, selected.size);
  });
  // Shift and click select all between.
  selecting.addEventListener("click", (event) => {
    const box = event.target.closest("input[name=id]");
    if (!box) return;
    const boxes = [...selecting.querySelectorAll("input[name=id]")];
    if (event.shiftKey && boxes.includes(last)) {
      const [from, to] = [boxes.indexOf(last), boxes.indexOf(box)].sort((a, b) => a - b);
      for (const other of boxes.slice(from, to + 1)) {
        other.checked = box.checked;
        other.dispatchEvent(new Event("change", { bubbles: true }));
      }
    }
    last = box;
  });
  selecting.addEventListener("submit", () => {
    for (const extra of selecting.querySelectorAll("[data-extra]")) extra.remove();
    const shown = new Set([...selecting.querySelectorAll("input[name=id]")].map((box) => box.value));
    for (const id of selected) {
      if (shown.has(id)) continue;
      const input = document.createElement("input");
      Object.assign(input, { type: "hidden", name: "id", value: id });
      input.dataset.extra = "";
      selecting.append(input);
    }
  });
}
