// Each form is saved once, however often it is sent: it carries a key, which lasts as long as its words. After Back, the
// form of the page's own visit still has its key, and other words make it another form.
import { key } from "./page.js";

const made = ["key", "back", "version"];

// The fields that the server compares, too.
const words = (form, submitter) =>
  JSON.stringify([...new FormData(form, submitter)].filter(([name]) => !made.includes(name) && !name.endsWith(".filled")));

const sent = (form) => history.state?.sent?.[form.action];

addEventListener("pageshow", () => {
  for (const field of document.querySelectorAll("form > [name=key]")) field.value = sent(field.form)?.key ?? key();
});

document.addEventListener("submit", ({ target: form, submitter, defaultPrevented }) => {
  const field = form.elements.key;
  if (!field || defaultPrevented) return;
  const said = words(form, submitter);
  const before = sent(form);
  if (before && before.words !== said) field.value = key();
  history.replaceState({ ...history.state, sent: { ...history.state?.sent, [form.action]: { key: field.value, words: said } } }, "");
});
