// A list in user-defined order: items are dragged by their handles, or moved by buttons.
import { call, fill, toast, words } from "./page.js";

const list = document.querySelector("[data-reorder]");
const rows = () => [...list.children];
let before;

async function save(row) {
  const ids = rows().map((other) => other.dataset.id);
  if (ids.join() === before.join()) return;
  try {
    const { change } = await call("PUT /api/v1/activities/order", JSON.stringify({ ids }));
    toast(fill(words.moved, { place: rows().indexOf(row) + 1 }), change);
  } catch (error) {
    for (const id of before) list.append(list.querySelector(`[data-id="${id}"]`));
    toast(error.status ? words.notSaved : words.noNetwork);
  }
}

list.addEventListener("submit", (event) => {
  const direction = event.submitter?.value;
  if (event.submitter?.name !== "direction") return;
  event.preventDefault();
  const row = event.target.closest("[data-id]");
  const other = direction === "up" ? row.previousElementSibling : row.nextElementSibling;
  if (!other) return;
  before = rows().map((each) => each.dataset.id);
  direction === "up" ? other.before(row) : other.after(row);
  event.submitter.focus();
  save(row);
});

for (const handle of list.querySelectorAll(".handle")) {
  handle.addEventListener("pointerdown", (event) => {
    const row = handle.closest("[data-id]");
    before = rows().map((each) => each.dataset.id);
    row.classList.add("dragging");
    handle.setPointerCapture(event.pointerId);
    const move = ({ clientY }) => {
      for (const other of rows()) {
        if (other === row) continue;
        const { top, height } = other.getBoundingClientRect();
        const isBelow = row.compareDocumentPosition(other) & Node.DOCUMENT_POSITION_FOLLOWING;
        if (isBelow && clientY > top + height / 2) other.after(row);
        else if (!isBelow && clientY < top + height / 2) { other.before(row); break; }
      }
    };
    const end = (last) => {
      handle.removeEventListener("pointermove", move);
      row.classList.remove("dragging");
      if (last.type === "pointercancel") for (const id of before) list.append(list.querySelector(`[data-id="${id}"]`));
      else save(row);
    };
    handle.addEventListener("pointermove", move);
    handle.addEventListener("pointerup", end, { once: true });
    handle.addEventListener("pointercancel", end, { once: true });
  });
}
