"""The reminder on a device: subscribing, a trial, and the message that the worker shows."""

import json
import unittest
import urllib.request

import websocket
from browser import Browser
from gate import Gate
from server import Server

# A browser without a push service: the subscription is made here, with keys as a browser's.
SUBSCRIPTION = """
globalThis.subscribed = globalThis.subscribed ?? JSON.parse(sessionStorage.getItem("subscribed"));
const text = (bytes) => btoa(String.fromCharCode(...new Uint8Array(bytes))).replace(/\\+/g, "-").replace(/\\//g, "_").replace(/=/g, "");
const made = (stored) => stored && {
  endpoint: stored.endpoint,
  options: { applicationServerKey: new Uint8Array(stored.key).buffer },
  toJSON: () => ({ endpoint: stored.endpoint, keys: stored.keys }),
  unsubscribe: async () => { sessionStorage.removeItem("subscribed"); return true; },
};
const stored = () => JSON.parse(sessionStorage.getItem("subscribed"));
PushManager.prototype.getSubscription = async () => made(stored());
PushManager.prototype.subscribe = async ({ applicationServerKey, userVisibleOnly }) => {
  if (!userVisibleOnly || applicationServerKey.length !== 65) throw new TypeError();
  const { publicKey } = await crypto.subtle.generateKey({ name: "ECDH", namedCurve: "P-256" }, true, ["deriveBits"]);
  const keys = { p256dh: text(await crypto.subtle.exportKey("raw", publicKey)), auth: text(crypto.getRandomValues(new Uint8Array(16))) };
  sessionStorage.setItem("subscribed", JSON.stringify({ endpoint: "https://127.0.0.1/push", key: [...applicationServerKey], keys }));
  return made(stored());
};
"""


class Reminders(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.server = Server(options=["--require-token"], token="phone")
        cls.addClassCleanup(cls.server.stop)
        cls.gate = Gate(int(cls.server.address.rsplit(":", 1)[1]))
        cls.addClassCleanup(cls.gate.stop)
        cls.browser = Browser(proxy=cls.gate.address)
        cls.addClassCleanup(cls.browser.stop)
        cls.browser.tell("Page.addScriptToEvaluateOnNewDocument", source=SUBSCRIPTION)
        cls.browser.tell("Browser.grantPermissions", origin=cls.server.address, permissions=["notifications"])
        cls.browser.open(cls.server.address + "/me/reminders")
        cls.browser.wait(lambda _: cls.browser.all("input[name=token]"))
        cls.browser.type("input[name=token]", cls.server.secret)
        cls.browser.submit("main form button")
        # Chromium reports the page that was refused before.
        cls.browser.complaints()

    def go(self, path):
        self.browser.open(self.server.address + path)
        self.browser.settle()

    def status(self):
        return self.browser.find("[data-push] [role=status]").text

    def count(self):
        return self.browser.run(
            "return fetch('/api/v1/push').then((answer) => answer.json()).then(({ deviceCount }) => deviceCount)")

    def test_1_a_device_is_added_tried_and_removed(self):
        self.go("/me/reminders")
        self.assertIn("Enter one above first", self.browser.text())
        self.browser.type("#contact", "me@plants.example")
        self.browser.submit("main form.fields button.primary")
        self.assertIn("mailto:me@plants.example", self.browser.find("#contact-error").text)
        self.browser.type("#contact", "mailto:me@plants.example")
        self.browser.submit("main form.fields button.primary")
        self.browser.settle()
        self.browser.wait(lambda _: self.browser.find("[data-push] [name=on]").is_displayed())
        self.assertEqual(self.count(), 0)
        self.browser.click("[data-push] [name=on]")
        self.browser.wait(lambda _: self.status() == "This device gets the reminder.")
        self.assertEqual(self.count(), 1)
        self.browser.shoot("reminders")
        self.assertEqual(self.browser.violations(), [])
        self.browser.click("[data-push] [name=trial]")
        self.browser.wait(lambda _: self.status() == "The push service cannot be reached now.")
        # Each opening tells the service; a subscription with another key is made anew.
        self.browser.run("""
            sessionStorage.removeItem("told");
            const subscribed = JSON.parse(sessionStorage.getItem("subscribed"));
            subscribed.key[5] ^= 1;
            subscribed.keys.auth = "";
            sessionStorage.setItem("subscribed", JSON.stringify(subscribed));""")
        self.go("/")
        self.browser.wait(lambda _: self.browser.run("return sessionStorage.getItem('told')") == "true")
        self.assertNotEqual(json.loads(self.browser.run("return sessionStorage.getItem('subscribed')"))["keys"]["auth"], "")
        self.go("/me/reminders")
        self.assertIn("One device gets messages", self.browser.text())
        self.browser.wait(lambda _: self.status() == "This device gets the reminder.")
        self.browser.click("[data-push] [name=off]")
        self.browser.wait(lambda _: self.browser.find("[data-push] [name=on]").is_displayed())
        self.assertEqual((self.count(), self.status()), (0, ""))
        self.assertEqual(self.browser.complaints(), [])

    def test_2_the_worker_shows_what_is_sent(self):
        self.go("/")
        self.browser.wait(lambda _: self.browser.run("return Boolean(navigator.serviceWorker.controller)"))
        self.browser.tell("ServiceWorker.enable")
        message = {"web_push": 8030, "notification": {
            "title": "2 things are left for today", "body": "", "lang": "en", "dir": "ltr", "tag": "reminder-2026-07-10",
            "navigate": self.server.address + "/"}}
        shown = """return navigator.serviceWorker.ready.then((worker) => worker.getNotifications())
            .then((all) => all.map(({ title, tag, data }) => [title, tag, data?.navigate ?? null]))"""

        def is_shown(text, wanted):
            if wanted in self.browser.run(shown):
                return True
            # Chromium forgets a notification that somebody asks for while it is being shown, so it comes again.
            self.browser.tell(
                "ServiceWorker.deliverPushMessage", origin=self.server.address, registrationId="0", data=text)
            return False
        of_service = ["2 things are left for today", "reminder-2026-07-10", self.server.address + "/"]
        self.browser.wait(lambda _: is_shown(json.dumps(message), of_service))
        self.browser.wait(lambda _: is_shown("something else", ["Leaflog", "", None]))

    def in_worker(self, script):
        """The result of a script in the service worker, as the tools of the browser run it."""
        place = self.browser.driver.capabilities["goog:chromeOptions"]["debuggerAddress"]
        with urllib.request.urlopen(f"http://{place}/json/list") as answer:
            worker = next(one for one in json.load(answer) if one["type"] == "service_worker")
        tools = websocket.create_connection(worker["webSocketDebuggerUrl"], suppress_origin=True, timeout=60)
        tools.send(json.dumps({"id": 1, "method": "Runtime.evaluate", "params": {
            "expression": script, "awaitPromise": True, "returnByValue": True}}))
        while (answer := json.loads(tools.recv())).get("id") != 1:
            pass
        tools.close()
        self.assertNotIn("exceptionDetails", answer["result"], answer)
        return answer["result"]["result"].get("value")

    def press(self, activity, token, day):
        """Presses the button of a message, as the system does, and waits until the worker has done what follows."""
        self.in_worker(f"""(async () => {{
            await registration.showNotification("left", {{ tag: "press", data: {{ day: "{day}", token: "{token}" }} }});
            const [notification] = await registration.getNotifications({{ tag: "press" }});
            const event = new NotificationEvent("notificationclick", {{ notification, action: "{activity}" }});
            let done;
            event.waitUntil = (promise) => (done = promise);
            dispatchEvent(event);
            await done;
        }})()""")

    def ticks(self, name):
        return [entry for entry in self.server.entries("completion") if name in json.dumps(entry)]

    def test_3_a_button_ticks_once_also_without_a_network_and_only_for_its_token(self):
        activities = {}
        for name in ("Water", "Feed", "Mist"):
            self.server.run("activity", "add", name, "--every", "2", "--start-from", "3 days ago", "--quiet")
        for activity in self.server.json("activity", "list")["items"]:
            activities[activity["name"]] = activity["id"]
        token = self.server.json("token", "list")["items"][0]["id"]
        day = self.server.json("today")["day"]
        self.go("/")
        self.browser.wait(lambda _: self.browser.run("return Boolean(navigator.serviceWorker.controller)"))
        for _ in range(2):
            self.press(activities["Water"], token, day)
        self.assertEqual(len(self.ticks("Water")), 1)
        self.gate.close()
        self.press(activities["Feed"], token, day)
        self.press(activities["Feed"], token, day)
        self.assertEqual(self.ticks("Feed"), [])
        self.gate.open()
        self.go("/")
        self.browser.wait(lambda _: self.ticks("Feed"))
        self.assertEqual(len(self.ticks("Feed")), 1)
        # One of another token waits, and nothing is sent under this one.
        self.press(activities["Mist"], "0" * len(token), day)
        self.go("/plants")
        self.assertEqual(self.ticks("Mist"), [])
        waiting = "leaflogDatabase('leaflog-entries', 1, () => {})('items', 'readonly', (items) => items.getAll())"
        self.assertEqual([item["path"] for item in self.in_worker(waiting)], [f"activities/{activities['Mist']}/completions"])


if __name__ == "__main__":
    unittest.main()
