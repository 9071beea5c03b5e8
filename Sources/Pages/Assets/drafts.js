// Keeps what is typed into a form until it is saved, through reloads, closed tabs, lost networks and conflicts.
import { here, mine, toast, words } from "./page.js";

const week = 7 * 24 * 3600 * 1000;
// A form for another day or plant has its own draft.
const name = (form) => [mine("draft"), here(), new URL(form.action).pathname, form.elements.day?.value ?? ""].join(":");

// A saved form returns with `changed`, and its draft is removed. One with a problem is the same at another address.
const sent = sessionStorage.getItem("sent");
const hasProblem = !!document.getElementById("problem");
const isSent = (form) => hasProblem && sent?.includes(`:${new URL(form.action).pathname}:`);
if (sent) {
  if (/[?&]changed=/.test(location.search)) localStorage.removeItem(sent);
  sessionStorage.removeItem("sent");
}

// Nothing typed is left behind for the next user.
document.querySelector("form[action$='/sign-out']")?.addEventListener("submit", () => {
  for (const place of Object.keys(localStorage)) if (place.startsWith(mine("draft") + ":")) localStorage.removeItem(place);
});

const isTicked = (field) => ["checkbox", "radio"].includes(field.type);
// Items of a list share a name.
const key = (field) => (isTicked(field) ? field.name : field.id || field.name);

const fields = (form) => [...form.elements].filter((field) => field.name && !["file", "hidden", "submit", "password"].includes(field.type));

function isTyped(field) {
  if (isTicked(field)) return field.checked !== field.defaultChecked;
  if (field.options) return [...field.options].some((option) => option.selected !== option.defaultSelected);
  return field.value !== field.defaultValue;
}

// Prefilled values, such as the time, were not typed; in a form with a problem, all were.
function read(form) {
  return fields(form).filter((field) => hasProblem || isTyped(field)).map((field) => [key(field), isTicked(field) ? [field.value, field.checked] : field.value]);
}

function write(form, values) {
  for (const [name, value] of values) {
    for (const field of fields(form)) {
      if (key(field) !== name) continue;
      if (!Array.isArray(value)) field.value = value;
      else if (field.value === value[0]) field.checked = value[1];
    }
  }
}

for (const form of document.querySelectorAll("form[data-draft]")) {
  const place = isSent(form) ? sent : name(form);
  const version = form.elements.version;
  const stored = version?.value;
  try {
    const draft = JSON.parse(localStorage.getItem(place));
    // A form that returns with a problem already has what was typed.
    if (draft && Date.now() - draft.at < week && !hasProblem) {
      if (JSON.stringify(read(form)) !== JSON.stringify(draft.values)) {
        write(form, draft.values);
        // The version from when the draft was typed, so that the server can report a conflict.
        if (version && draft.version) version.value = draft.version;
        form.closest("details")?.setAttribute("open", "");
        form.dataset.dirty = "true";
        const discard = () => {
          localStorage.removeItem(place);
          delete form.dataset.dirty;
          form.reset();
          if (version) version.value = stored;
        };
        toast(words.draft, "", [words.discard, discard]);
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
  // A script has handled what was typed.
  form.addEventListener("taken", () => {
    delete form.dataset.dirty;
    localStorage.removeItem(place);
  });
  for (const cancel of form.querySelectorAll("a.button")) cancel.addEventListener("click", () => localStorage.removeItem(place));
}
