// A plant's time-lapse, played in place from its thumbnails.
import { at, toast, words } from "./page.js";

const film = document.querySelector("[data-film]");
const image = film.querySelector("[data-film-image]");
const controls = document.getElementById("film-controls");
const start = film.querySelector("[data-film-start]");
const play = controls.querySelector("[data-film-play]");
const slider = controls.querySelector("[data-film-at]");
const pace = controls.querySelector("[data-film-pace]");
// The plant's age, over its picture.
const caption = film.querySelector(".over p");
const date = controls.querySelector("[data-film-date]");
const icon = play.querySelector("use");
const address = (id, size = "thumbnail") => at(`/api/v1/photos/${id}/${size}`);

let frames;
let playing = false;
let _ahead = [];

async function load() {
  frames ??= (await (await fetch(film.dataset.film, { headers: { Accept: "application/json" } })).json()).frames;
  slider.max = frames.length - 1;
}

async function show(index) {
  const frame = frames[index];
  slider.value = index;
  slider.setAttribute("aria-valuetext", frame.label);
  // The next few frames are fetched while this one is shown.
  _ahead = frames.slice(index + 1, index + 6).map(({ id }) => Object.assign(new Image(), { src: address(id) }));
  const next = new Image();
  next.src = address(frame.id);
  await next.decode().catch(() => {});
  image.src = next.src;
  image.alt = frame.label;
  date.textContent = frame.label;
  if (caption) caption.textContent = frame.label;
}

function set(on) {
  playing = on;
  play.setAttribute("aria-label", on ? words.pause : words.play);
  start?.setAttribute("aria-label", on ? words.pause : words.play);
  for (const use of [icon, start?.querySelector("use")]) use?.setAttribute("href", use.getAttribute("href").replace(/#.*/, on ? "#pause" : "#play"));
  if (!on && frames) image.src = address(frames[Number(slider.value)].id, "preview");
}

async function run() {
  try {
    await load();
  } catch {
    return toast(words.offline);
  }
  if (frames.length < 2) return;
  controls.hidden = false;
  if (Number(slider.value) >= frames.length - 1) slider.value = 0;
  set(true);
  while (playing) {
    const begun = performance.now();
    await show(Number(slider.value));
    await new Promise((done) => setTimeout(done, Math.max(0, 1000 / Number(pace.value) - (performance.now() - begun))));
    if (!playing) return;
    if (Number(slider.value) >= frames.length - 1) return set(false);
    slider.value = Number(slider.value) + 1;
  }
}

const toggle = () => (playing ? set(false) : run());
if (start && image) {
  start.hidden = false;
  start.addEventListener("click", toggle);
}
play.addEventListener("click", toggle);
slider.addEventListener("input", async () => {
  set(false);
  await load();
  show(Number(slider.value));
});
document.addEventListener("visibilitychange", () => document.hidden && playing && set(false));
if (film.dataset.filmOpen !== undefined) {
  load().then(() => {
    controls.hidden = frames.length < 2;
    if (frames.length) show(0);
    if (location.search && !matchMedia("(prefers-reduced-motion: reduce)").matches) run();
  }, () => {});
}
