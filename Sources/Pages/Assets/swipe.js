// On touch, swiping a row of a list to the left deletes its entry, and the page comes back with Undo. The entry's own page
// has a button for it, too.
import { at, element, here } from "./page.js";

const far = 96;
let row;
let start;
let by = 0;

function reset() {
  row?.classList.remove("swiped", "ready");
  row?.style.removeProperty("--by");
  row = undefined;
}

document.addEventListener("pointerdown", (event) => {
  reset();
  by = 0;
  if (event.pointerType !== "touch" || !event.isPrimary) return;
  row = event.target.closest("[data-swipe]");
  start = [event.clientX, event.clientY];
});

document.addEventListener("pointermove", (event) => {
  if (!row) return;
  const [along, across] = [start[0] - event.clientX, Math.abs(event.clientY - start[1])];
  if (!by && Math.max(Math.abs(along), across) < 12) return;
  // A movement that begins upwards or downwards scrolls.
  if (!by && across > Math.abs(along)) {
    reset();
    return;
  }
  by = Math.max(1, along);
  row.classList.add("swiped");
  row.style.setProperty("--by", by + "px");
  row.classList.toggle("ready", by > far);
});

document.addEventListener("pointerup", () => {
  const id = row?.classList.contains("ready") && row.dataset.swipe;
  reset();
  if (!id) return;
  const fields = Object.entries({ id, back: here() }).map(([name, value]) => element("input", { type: "hidden", name, value }));
  const form = element("form", { method: "post", action: at("/entries/delete"), hidden: true }, ...fields);
  document.body.append(form);
  form.requestSubmit();
});
document.addEventListener("pointercancel", reset);

// The end of a swipe is no tap.
document.addEventListener(
  "click",
  (event) => {
    if (by && event.target.closest("[data-swipe]")) event.preventDefault();
    by = 0;
  },
  true,
);
