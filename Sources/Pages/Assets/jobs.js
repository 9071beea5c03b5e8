// Jobs that wait or run: shows the progress reported by the server, and reloads the page when one has ended.
import { at } from "./page.js";

const status = document.querySelector("[data-job-status]");
let quarter = 0;

for (const row of document.querySelectorAll("[data-job]")) {
  const bar = row.querySelector("progress");
  const text = row.querySelector("[data-progress]");
  const events = new EventSource(at(`/api/v1/jobs/${row.dataset.job}/events`));
  events.addEventListener("progress", (event) => {
    const { progress } = JSON.parse(event.data);
    if (!progress) return;
    if (progress.total) {
      bar.max = progress.total;
      bar.value = progress.done;
      // Announced at each quarter: a screen reader would otherwise talk without end.
      const now = Math.floor((4 * progress.done) / progress.total);
      if (now !== quarter) status.textContent = `${row.querySelector("strong").textContent}: ${(quarter = now) * 25} %`;
    }
    text.textContent = progress.total ? `${progress.done} / ${progress.total}` : String(progress.done);
  });
  events.addEventListener("end", () => {
    events.close();
    sessionStorage.setItem("job", row.dataset.job);
    location.reload();
  });
}
