// Two photos of a plant: a range moves the edge between them or sets the opacity of the second; others scrub the dates.

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

// A range over the dates of a select: moving it shows the photo, releasing it loads the page with both.
for (const select of root.querySelectorAll("select[data-scrub]")) {
  if (select.options.length < 3) continue;
  const scrub = Object.assign(document.createElement("input"), { type: "range", min: 0, max: select.options.length - 1, value: select.selectedIndex });
  scrub.setAttribute("aria-label", document.querySelector(`label[for=${select.id}]`).textContent);
  select.after(scrub);
  const figure = document.getElementById("figure-" + select.name);
  scrub.addEventListener("input", () => {
    select.selectedIndex = scrub.value;
    const option = select.options[scrub.value];
    scrub.setAttribute("aria-valuetext", option.textContent);
    if (!figure) return;
    figure.querySelector("img").src = `/api/v1/photos/${option.value}/thumbnail`;
    figure.querySelector("figcaption").textContent = option.textContent;
  });
  scrub.addEventListener("change", () => select.form.requestSubmit());
  select.addEventListener("change", () => select.form.requestSubmit());
}
