// Two photos of a plant: a range moves the edge between them or sets the opacity of the second; others scrub the dates.

import { at, element, plural } from "./page.js";

const root = document.querySelector("[data-compare]");
const frame = root.querySelector(".compare");
const range = root.querySelector("[data-compare-at]");

if (range) {
  const set = () => frame.style.setProperty("--at", range.value + "%");
  range.addEventListener("input", set);
  set();
  // The edge also follows the finger on the picture.
  frame.addEventListener("pointermove", (event) => {
    if (!frame.classList.contains("slider") || (event.pointerType === "mouse" && !event.buttons)) return;
    const box = frame.getBoundingClientRect();
    range.value = (100 * (event.clientX - box.left)) / box.width;
    set();
  });
}

// A range over the dates of a select: moving it shows the thumbnail, releasing it the photo. Only the server can line
// photos up.
const form = root.querySelector("form");
const { a, b, align, plant } = form.elements;

function show({ name, selectedOptions: [option] }, size) {
  const figure = document.getElementById("figure-" + name);
  const image = figure.querySelector("img");
  image.src = at(`/api/v1/photos/${option.value}/${size}`);
  image.alt = `${plant.selectedOptions[0].text}, ${option.text}`;
  figure.querySelector("figcaption").textContent = option.text;
}

function choose(select) {
  if (align.checked || !frame) return reload(select);
  show(select, "preview");
  const [first, second] = [a, b].map(({ selectedOptions }) => selectedOptions[0].dataset.day);
  const apart = document.getElementById("apart");
  apart.textContent = plural(apart.dataset.one, apart.dataset.other, Math.abs(second - first));
  document.getElementById("picture").href = at("/compare/picture?") + new URLSearchParams({ a: a.value, b: b.value });
  history.replaceState(history.state, "", "?" + new URLSearchParams(new FormData(form)));
}

// The plant, the way of comparing and the alignment apply at once.
form.addEventListener("change", ({ target }) => target.matches("#plant, [name=mode], [name=align]") && reload(target));

// The page is another one then, and the focus comes along.
function reload({ name, value, type }) {
  sessionStorage.setItem("focus:compare", `[name="${name}"]` + (type === "radio" ? `[value="${value}"]` : ""));
  form.requestSubmit();
}
const changed = sessionStorage.getItem("focus:compare");
sessionStorage.removeItem("focus:compare");
if (changed) form.querySelector(changed)?.focus({ preventScroll: true });

for (const select of root.querySelectorAll("select[data-scrub]")) {
  let scrub;
  select.addEventListener("change", () => {
    if (scrub) scrub.value = select.selectedIndex;
    choose(select);
  });
  if (select.options.length < 3) continue;
  scrub = element("input", { type: "range", min: 0, max: select.options.length - 1, value: select.selectedIndex });
  scrub.setAttribute("aria-label", document.querySelector(`label[for=${select.id}]`).textContent);
  select.after(scrub);
  scrub.addEventListener("input", () => {
    select.selectedIndex = scrub.value;
    scrub.setAttribute("aria-valuetext", select.selectedOptions[0].text);
    if (frame) show(select, "thumbnail");
  });
  scrub.addEventListener("change", () => choose(select));
}
