// What is typed into a form stays until it is saved: over a reload, a closed tab, a lost network, a conflict.
import { here, toast, words } from "./page.js";

const week = 7 * 24 * 3600 * 1000;
// A form for another day or plant has another draft.
const name = (form) => ["draft", here(), new URL(form.action).pathname, form.elements.day?.value ?? ""].join(":");

// A save comes back with `changed`: its draft has done its work. One that comes back with a problem is the same form at
// another address.
const sent = sessionStorage.getItem("sent");
const hasProblem = Boolean(document.getElementById("problem"));
const isSent = (form) => hasProblem && sent?.includes(`:${new URL(form.action).pathname}:`);
if (sent) {
  if (/[?&]changed=/.test(location.search)) localStorage.removeItem(sent);
  sessionStorage.removeItem("sent");
}

// Nothing typed stays behind for the next to sign in.
document.querySelector("form[action='/sign-out']")?.addEventListener("submit", () => localStorage.clear());

const fields = (form) => [...form.elements].filter((field) => field.name && !["file", "hidden", "submit", "password"].includes(field.type));

function isTyped(field) {
  if (field.type === "checkbox" || field.type === "radio") return field.checked !== field.defaultChecked;
  if (field.options) return [...field.options].some((option) => option.selected !== option.defaultSelected);
  return field.value !== field.defaultValue;
}

// Nobody typed what the server had filled in, such as the time. Of a form with a problem it was typed before.
function read(form) {
  return fields(form).filter((field) => hasProblem || isTyped(field)).map((field) => [field.name, field.type === "checkbox" || field.type === "radio" ? [field.value, field.checked] : field.value]);
}

function write(form, values) {
  for (const [name, value] of values) {
    for (const field of fields(form)) {
      if (field.name !== name) continue;
      if (Array.isArray(value)) {
        if (field.value === value[0]) field.checked = value[1];
      } else {
        field.value = value;
      }
    }
  }
}

for (const form of document.querySelectorAll("form[data-draft]")) {
  const place = isSent(form) ? sent : name(form);
  const version = form.elements.version;
  try {
    const draft = JSON.parse(localStorage.getItem(place));
    // A form that comes back with a problem has what was typed already.
    if (draft && Date.now() - draft.at < week && !hasProblem) {
      if (JSON.stringify(read(form)) !== JSON.stringify(draft.values)) {
        write(form, draft.values);
        // The version that was read when it was typed: the server tells of a conflict.
        if (version && draft.version) version.value = draft.version;
        form.closest("details")?.setAttribute("open", "");
        form.dataset.dirty = "true";
        toast(words.draft);
      }
    }
  } catch {
    localStorage.removeItem(place);
  }
  form.addEventListener("input", () => {
    form.dataset.dirty = "true";
    localStorage.setItem(place, JSON.stringify({ at: Date.now(), version: version?.value, values: read(form) }));
  });
  form.addEventListener("submit", () => {
    delete form.dataset.dirty;
    sessionStorage.setItem("sent", place);
  });
  // A script has taken what was typed.
  form.addEventListener("taken", () => {
    delete form.dataset.dirty;
    localStorage.removeItem(place);
  });
  for (const cancel of form.querySelectorAll("a.button")) cancel.addEventListener("click", () => localStorage.removeItem(place));
}
