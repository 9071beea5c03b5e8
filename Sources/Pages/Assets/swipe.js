// On a touch screen, a swipe to the left deletes a row of a list; what was deleted can be undone. The row's own link says
// what it is, and a mood is taken back by the form that its row has.
import { element, here } from "./page.js";

const far = 96;

function deletion(row) {
  const own = row.querySelector("form[action='/moods']");
  if (own) return own;
  const { pathname, searchParams } = new URL((row.querySelector("a.cover") ?? row).href, location);
  const day = searchParams.get("on");
  const fields = pathname === "/log" ? { day } : pathname === "/" && day ? { day, mood: "none" } : {};
  const action = /^\/(symptoms|episodes)\/\w{12,}$/.test(pathname) ? pathname + "/delete" : fields.mood ? "/moods" : fields.day ? "/log/delete" : undefined;
  if (!action) return undefined;
  const inputs = Object.entries({ ...fields, back: here() }).map(([name, value]) => element("input", { type: "hidden", name, value }));
  const form = element("form", { method: "post", action, hidden: true }, ...inputs);
  document.body.append(form);
  return form;
}

let swipe;
document.addEventListener("pointerdown", (event) => {
  const row = event.pointerType === "touch" && event.isPrimary && event.target.closest("li.row:has(a.cover), a.entry");
  swipe = row ? { row, x: event.clientX, y: event.clientY, by: 0 } : undefined;
});
document.addEventListener("pointermove", (event) => {
  if (!swipe) return;
  const across = event.clientX - swipe.x;
  if (!swipe.by && (across > -12 || Math.abs(event.clientY - swipe.y) > -across)) return;
  swipe.by = Math.min(0, across);
  swipe.row.style.transform = `translateX(${swipe.by}px)`;
  swipe.row.classList.toggle("swiped", swipe.by < -far);
});
for (const type of ["pointerup", "pointercancel"]) {
  document.addEventListener(type, () => {
    if (!swipe) return;
    const { row, by } = swipe;
    swipe = undefined;
    if (by) row.addEventListener("click", (event) => event.preventDefault(), { once: true, capture: true });
    const form = type === "pointerup" && by < -far && deletion(row);
    if (form) return form.requestSubmit();
    row.style.transform = "";
    row.classList.remove("swiped");
  });
}
