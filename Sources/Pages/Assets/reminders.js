// The reminder on this device: switched on and off, and tried.
import "./push.js";
import { fill } from "./page.js";

const { ask, subscribe } = globalThis.leaflogPush;
const part = document.querySelector("[data-push]");
const status = part.querySelector("[role=status]");
const [on, trial, off] = ["on", "trial", "off"].map((name) => part.querySelector(`[name=${name}]`));

// Safari on iPhones and iPads has no messages before the page is on the home screen (WebKit, Web Push for Web Apps).
const isOnApple = navigator.standalone !== undefined && !navigator.standalone;

function obstacle() {
  if (!isSecureContext) return "insecure";
  if (!("PushManager" in globalThis)) return isOnApple ? "install" : "unsupported";
  return Notification.permission === "denied" ? "denied" : undefined;
}

function show(subscription, text) {
  const reason = obstacle();
  const isOn = !reason && subscription;
  status.textContent = text ?? part.dataset[reason ?? (isOn ? "isOn" : "")] ?? "";
  on.hidden = Boolean(reason || isOn);
  trial.hidden = off.hidden = !isOn;
}

const registration = async () => (obstacle() ? undefined : navigator.serviceWorker.ready);
const current = async () => (await registration())?.pushManager.getSubscription();

// Each button works once at a time; what fails says so.
function press(button, act) {
  button.addEventListener("click", async () => {
    button.disabled = true;
    try {
      await act();
    } catch {
      show(await current().catch(() => undefined), obstacle() ? undefined : part.dataset.failed);
    }
    button.disabled = false;
  });
}

press(on, async () => {
  if ((await Notification.requestPermission()) !== "granted") return show();
  const subscription = await subscribe(await registration());
  show(subscription, subscription ? undefined : part.dataset.failed);
});
press(off, async () => {
  const subscription = await current();
  const { ok } = await ask("/push", "DELETE", { address: subscription.endpoint });
  if (!ok) throw new Error();
  await subscription.unsubscribe();
  show();
});
press(trial, async () => {
  const subscription = await current();
  const response = await ask("/push/trial", "POST", { address: subscription.endpoint });
  const { outcome, status: code } = response.ok ? await response.json() : { outcome: response.status === 404 ? "gone" : "failed" };
  if (outcome === "gone") await subscription.unsubscribe();
  show(outcome === "gone" ? undefined : subscription, fill(part.dataset[outcome], { status: code }));
});

show(await current().catch(() => undefined));
