"""Without a network, and with two windows."""

import tempfile
import unittest
import urllib.parse

import pictures
from browser import Browser
from case import Case
from gate import Gate
from server import Server, photo


class Offline(unittest.TestCase):
    def setUp(self):
        self.server = Server()
        self.addCleanup(self.server.stop)
        self.gate = Gate(int(self.server.address.rsplit(":", 1)[1]))
        self.addCleanup(self.gate.stop)
        self.browser = Browser(proxy=self.gate.address)
        self.addCleanup(self.browser.stop)
        # The worker is active, and has seen the page.
        self.browser.open(self.server.address + "/add")
        self.browser.wait(lambda _: self.browser.run("return Boolean(navigator.serviceWorker.controller)"))
        self.browser.open(self.server.address + "/add")
        self.browser.settle()

    def network(self, is_there):
        self.gate.open() if is_there else self.gate.close()
        self.browser.tell("Network.enable")
        self.browser.tell(
            "Network.emulateNetworkConditions", offline=not is_there, latency=0, downloadThroughput=-1, uploadThroughput=-1)

    def rows(self, text):
        return sum(text in row.text for row in self.browser.all("#queue > li"))

    def test_ten_photos_survive_a_reload_and_arrive_once(self):
        with tempfile.TemporaryDirectory() as folder:
            pictures.many(folder + "/ten", 10, years=1)
            self.network(False)
            self.browser.find("#photos").send_keys("\n".join(f"{folder}/ten/{number:06}.jpg" for number in range(10)))
            self.browser.wait(lambda _: len(self.browser.all("#picked > li")) == 10)
            self.browser.type("input[name=newPlant]", "Fern")
            self.browser.click("#save")
            self.browser.wait(lambda _: self.rows("Waiting") + self.rows("Sending") == 10)
        self.browser.driver.refresh()
        self.browser.settle()
        self.browser.wait(lambda _: len(self.browser.all("#queue > li")) == 10)
        self.assertEqual(self.server.entries("photo"), [])
        self.network(True)
        self.browser.wait(lambda _: self.rows("Added") == 10)
        self.assertEqual(len(self.server.entries("photo")), 10)
        # Each photo was imported by a single request: none was already known.
        self.browser.driver.refresh()
        self.browser.settle()
        photos = self.server.entries("photo")
        self.assertEqual(len({entry["photo"]["sourceDigest"] for entry in photos}), 10)
        self.assertEqual({entry["plant"]["name"] for entry in photos}, {"Fern"})
        added = [count for change in self.server.json("history")["items"] for count in change["counts"] if count["thing"] == "photo"]
        self.assertEqual(sum(count["added"] for count in added), 10)

    def test_a_cut_in_the_middle_of_a_photo_sends_nothing_twice(self):
        with tempfile.TemporaryDirectory() as folder:
            pictures.many(folder + "/three", 3, years=1)
            # Three pieces each: bytes after the end of a JPEG are kept with it.
            for number in range(3):
                with open(f"{folder}/three/{number:06}.jpg", "ab") as file:
                    file.write(bytes([number]) * 2_000_000)
            self.browser.find("#photos").send_keys("\n".join(f"{folder}/three/{number:06}.jpg" for number in range(3)))
            self.browser.wait(lambda _: len(self.browser.all("#picked > li")) == 3)
            self.browser.click("#save")
            self.browser.wait(lambda _: self.rows("Sending") or self.rows("Added"))
            self.network(False)
            self.browser.driver.refresh()
            self.browser.settle()
        self.network(True)
        self.browser.wait(lambda _: self.rows("Added") + self.rows("there") == 3)
        self.assertEqual(len(self.server.entries("photo")), 3)

    def test_a_photo_whose_last_answer_is_lost_is_added(self):
        # The answer to the last piece is lost, and the next two requests arrive while the photo is being imported.
        self.browser.run("""
            Object.defineProperty(ServiceWorkerRegistration.prototype, "sync", { value: undefined });
            const ask = fetch;
            let left = 3;
            self.fetch = async (path, options) => {
              const is = (method, part) => options?.method === method && String(path).includes(part);
              const answer = await ask(path, options);
              if (left === 3 && is("PUT", "/uploads/")) { left = 2; throw new TypeError("lost"); }
              if (left === 2 && is("HEAD", "/sources/")) { left = 1; return new Response(null, { status: 404 }); }
              if (left === 1 && is("HEAD", "/uploads/")) {
                left = 0;
                const [{ size }] = await leaflogQueue.all();
                return new Response(null, { status: 204, headers: { "Upload-Offset": size } });
              }
              return answer;
            };
            """)
        self.browser.find("#photos").send_keys(photo("basil/20250510T120006+0100.jpg"))
        self.browser.wait(lambda _: len(self.browser.all("#picked > li")) == 1)
        self.browser.click("#save")
        self.browser.wait(lambda _: self.rows("Added") + self.rows("Not added") + self.rows("there") == 1)
        self.assertEqual((self.rows("Not added"), len(self.server.entries("photo"))), (0, 1))

    def test_a_photo_that_is_refused_says_so_and_those_behind_it_are_added(self):
        # As if the plant of the first one were gone: its upload exists, but accepts nothing more.
        self.browser.run("""
            Object.defineProperty(ServiceWorkerRegistration.prototype, "sync", { value: undefined });
            const ask = fetch;
            let isFirst = true;
            self.fetch = async (path, options) => {
              if (!isFirst || options?.method !== "PUT") return ask(path, options);
              isFirst = false;
              return Response.json({ detail: "There is no such plant." }, { status: 404 });
            };
            """)
        self.browser.find("#photos").send_keys(
            photo("basil/20250510T120006+0100.jpg") + "\n" + photo("basil/20250524T120006+0100.jpg"))
        self.browser.wait(lambda _: len(self.browser.all("#picked > li")) == 2)
        self.browser.click("#save")
        self.browser.wait(lambda _: self.rows("Not added") == 1 and self.rows("Added") == 1)
        self.assertEqual(self.rows("There is no such plant."), 1)
        self.assertEqual(len(self.server.entries("photo")), 1)
        self.browser.click("#queue li:not(:has(button[hidden])) button")
        self.browser.wait(lambda _: self.rows("Added") == 2)
        self.assertEqual(len(self.server.entries("photo")), 2)

    def test_a_form_without_a_network_loses_nothing(self):
        self.browser.open(self.server.address + "/log")
        self.browser.settle()
        self.browser.type("#log-notes", "typed in the garden")
        self.network(False)
        self.browser.click("main form.edit button.primary")
        self.browser.wait(lambda _: "What you typed is kept" in self.browser.text())
        self.browser.press("Back")
        self.browser.wait(lambda _: self.browser.path == "/log" and self.browser.all("#log-notes"))
        self.browser.settle()
        self.assertEqual(self.browser.find("#log-notes").get_property("value"), "typed in the garden")
        self.network(True)
        self.browser.submit()
        self.assertEqual(self.server.entries("dailyLog")[0]["notes"], "typed in the garden")

    def test_pages_that_were_seen_are_seen_and_others_say_so(self):
        self.network(False)
        self.browser.open(self.server.address + "/add")
        self.browser.find("#add-form")
        self.browser.open(self.server.address + "/episodes")
        self.browser.wait(lambda _: "network" in self.browser.text().lower())


class Kept(unittest.TestCase):
    """What a browser keeps: whose it is, and how long."""

    def setUp(self):
        self.server = Server(photo("basil"), options=["--require-token"], token="phone")
        self.addCleanup(self.server.stop)
        self.gate = Gate(int(self.server.address.rsplit(":", 1)[1]))
        self.addCleanup(self.gate.stop)
        self.browser = Browser(proxy=self.gate.address)
        self.addCleanup(self.browser.stop)
        self.browser.open(self.server.address + "/timeline")
        self.sign_in(self.server.secret)
        self.browser.wait(self.is_controlled)
        # The first page that it sees is enough.
        self.browser.open(self.server.address + "/timeline")
        self.browser.wait(lambda _: self.kept() == self.beginnings)

    def is_controlled(self, _):
        if self.browser.run("return Boolean(navigator.serviceWorker.controller)"):
            return True
        # An installation of which a file did not come is tried again by the next page.
        if self.browser.run("return navigator.serviceWorker.getRegistration().then((found) => !found)"):
            self.browser.open(self.server.address + "/timeline")
        return False

    beginnings = sorted([
        "/", "/compact", "/timeline", "/plants", "/activities", "/add", "/add/what", "/symptoms/new", "/log", "/moods",
        "/episodes/new", "/plants/new", "/activities/new"])

    def sign_in(self, secret):
        self.browser.wait(lambda _: self.browser.all("input[name=token]"))
        self.browser.type("input[name=token]", secret)
        self.browser.submit("main form button")

    def kept(self):
        return self.browser.run("""
            return caches.open("pages").then((cache) => cache.keys())
              .then((all) => all.map(({ url }) => new URL(url).pathname).filter((path) => path !== "/service-worker.js").sort())""")

    def elsewhere(self, html):
        """Shows a page of another site."""
        self.browser.tell("Network.setCacheDisabled", cacheDisabled=False)
        self.browser.open("data:text/html," + urllib.parse.quote(html))

    def network(self, is_there):
        self.gate.open() if is_there else self.gate.close()
        self.browser.tell("Network.enable")
        self.browser.tell(
            "Network.emulateNetworkConditions", offline=not is_there, latency=0, downloadThroughput=-1, uploadThroughput=-1)

    def test_links_and_forms_elsewhere_erase_nothing(self):
        for path in ("/sign-in", "/timeline", "/sign-in?back=/plants"):
            self.elsewhere(f"<a href={self.server.address}{path}>go</a>")
            self.browser.click("a")
            self.browser.wait(lambda _: self.browser.run("return location.protocol") == "http:")
            self.browser.settle()
            self.browser.open(self.server.address + "/timeline")
            self.assertEqual(self.kept(), self.beginnings, path)
        for path in ("/sign-in", "/sign-out", "/pair"):
            self.elsewhere(f"<form method=post action={self.server.address}{path}><input name=token value=x><button>go</button></form>")
            self.browser.click("button")
            self.browser.wait(lambda _: self.browser.run("return location.protocol") == "http:")
            self.browser.settle()
            self.browser.open(self.server.address + "/timeline")
            self.assertEqual(self.kept(), self.beginnings, path)

    def test_a_link_elsewhere_shows_the_page_without_scripts_and_without_a_worker(self):
        self.browser.run("return navigator.serviceWorker.getRegistrations().then((all) => Promise.all(all.map((one) => one.unregister())))")
        self.browser.tell("Emulation.setScriptExecutionDisabled", value=True)
        self.elsewhere(f"<a href={self.server.address}/plants?x=1>go</a>")
        self.browser.click("a")
        self.browser.wait(lambda _: self.browser.driver.current_url.endswith("/plants?x=1") and self.browser.all("main .plants, main a[href^='/plants/']"))

    def test_the_first_visit_is_enough_for_a_day_without_a_network(self):
        self.network(False)
        for path in self.beginnings:
            self.browser.open(self.server.address + path)
            self.browser.settle()
            self.assertEqual(self.browser.path, path)
            self.assertNotIn("no network", self.browser.find("h1").text.lower(), path)
            self.assertTrue(self.browser.run("return Boolean(globalThis.leaflogPlace) && document.styleSheets[0].cssRules.length > 100"), path)

    def test_a_kept_page_of_a_day_that_has_ended_says_so_and_is_not_loaded_again_and_again(self):
        self.network(False)
        self.browser.open(self.server.address + "/")
        self.browser.settle()
        self.assertNotIn("This is of", self.browser.find("#offline").text)
        self.browser.run("""
            globalThis.isSamePage = true;
            Object.assign(document.body.dataset, { day: "2026-07-09", dayEnds: "2026-07-10T00:00:00+00:00" });
            dispatchEvent(new Event("offline"));
            document.dispatchEvent(new Event("visibilitychange"));""")
        self.assertIn("This is of Thursday 9 July", self.browser.find("#offline").text)
        # The page has asked for that of the new day, in vain.
        self.browser.run("return fetch('/', { method: 'HEAD' }).catch(() => {})")
        self.assertTrue(self.browser.run("return isSamePage"))
        self.network(True)
        self.browser.run("document.dispatchEvent(new Event('visibilitychange'))")
        self.browser.wait(lambda _: self.browser.run("return !globalThis.isSamePage"))

    def test_a_session_that_has_ended_leaves_nothing(self):
        self.server.run("token", "revoke", "phone", "--quiet")
        other = self.server.run("token", "add", "other", "--quiet").strip()
        self.browser.open(self.server.address + "/plants")
        self.browser.wait(lambda _: self.browser.all("input[name=token]"))
        self.browser.wait(lambda _: self.kept() == [])
        self.sign_in(other)
        self.assertEqual(self.browser.path, "/plants")

    def test_signing_in_as_another_and_out_leaves_nothing(self):
        other = self.server.run("token", "add", "other", "--quiet").strip()
        self.browser.open(self.server.address + "/sign-in")
        self.sign_in(other)
        self.browser.wait(lambda _: self.browser.path == "/")
        self.browser.open(self.server.address + "/me")
        self.network(False)
        self.browser.click("form[action='/sign-out'] button")
        self.browser.wait(lambda _: "network" in self.browser.text().lower())
        self.assertEqual(self.kept(), [])

    def test_photos_that_wait_are_sent_by_whoever_chose_them_alone(self):
        self.browser.open(self.server.address + "/add")
        self.browser.settle()
        self.network(False)
        self.browser.find("#photos").send_keys(photo("monstera/IMG_0001.jpg"))
        self.browser.wait(lambda _: len(self.browser.all("#picked > li")) == 1)
        self.browser.click("#save")
        self.browser.wait(lambda _: len(self.browser.all("#queue > li")) == 1)
        # The session ends before there is a network again, and another one signs in on the same device.
        self.browser.tell("Network.clearBrowserCookies")
        self.network(True)
        other = self.server.run("token", "add", "other", "--quiet").strip()
        before = len(self.server.entries("photo"))
        self.browser.open(self.server.address + "/add")
        self.sign_in(other)
        self.browser.settle()
        self.browser.wait(lambda _: self.browser.find("#others").is_displayed())
        self.assertIn("One photo on this device waits", self.browser.find("#others").text)
        self.assertEqual(self.browser.all("#queue > li"), [])
        self.assertTrue(self.browser.run("return leaflogQueue.run().then((isDone) => isDone || leaflogQueue.run())"))
        self.assertEqual(len(self.server.entries("photo")), before)
        # The one who chose it comes back.
        self.browser.open(self.server.address + "/sign-in")
        self.sign_in(self.server.secret)
        self.browser.open(self.server.address + "/add")
        self.browser.wait(lambda _: any("Added" in row.text for row in self.browser.all("#queue > li")))
        self.assertEqual(len(self.server.entries("photo")), before + 1)

    def test_after_an_update_a_kept_page_has_its_own_style_and_scripts(self):
        # A worker with other assets, as after an update of the service.
        self.browser.run("""
            return new Promise((done) => {
              navigator.serviceWorker.addEventListener("controllerchange", done);
              navigator.serviceWorker.register("/service-worker.js?assets=/assets/later");
            })""")
        self.browser.tell("Network.clearBrowserCache")
        self.network(False)
        self.browser.open(self.server.address + "/plants")
        self.browser.settle()
        self.assertTrue(self.browser.run("return Boolean(globalThis.leaflogPlace) && document.styleSheets[0].cssRules.length > 100"))
        shells = "return caches.keys().then((names) => names.filter((name) => name.startsWith('shell:')).sort())"
        self.assertEqual(len(self.browser.run(shells)), 2)
        # Without a kept page, the former assets go when no page is open.
        self.network(True)
        self.browser.run("return caches.delete('pages')")
        self.browser.open("about:blank")
        self.browser.open(self.server.address + "/service-worker.js")
        self.browser.wait(lambda _: len(self.browser.run(shells)) == 1)


class TwoWindows(Case):
    photos = (photo("basil"),)

    def conflict(self, path, save, field="notes"):
        """Saves theirs in one window, mine in the other: the second shows both, and can still save."""
        driver = self.browser.driver
        self.go(path)
        self.browser.type(f"main [name={field}]", "mine")
        first = driver.current_window_handle
        driver.switch_to.new_window("tab")
        self.go(path)
        self.browser.type(f"main [name={field}]", "theirs")
        self.browser.submit(save)
        driver.close()
        driver.switch_to.window(first)
        self.browser.submit(save)
        self.assertIn("theirs", self.browser.find("#problem").text)
        self.assertIn("mine", self.browser.find("#problem").text)
        self.assertEqual(self.browser.find(f"main [name={field}]").get_attribute("value"), "mine")
        self.browser.submit(save)

    def test_a_photo(self):
        shown = self.server.entries("photo")[0]["id"]
        self.conflict(f"/photos/{shown}/edit", "main form.edit button.primary")
        self.assertEqual(self.server.json("show", shown)["notes"], "mine")

    def test_a_symptom(self):
        self.server.run("symptom", "add", "Cough", "--severity", "mild", "--quiet")
        entry = self.server.entries("symptom")[0]["id"]
        self.conflict(f"/symptoms/{entry}", "main form.edit button.primary")
        self.assertEqual(self.server.json("show", entry)["notes"], "mine")

    def test_a_plant(self):
        plant = self.server.json("plant", "list")["items"][0]["id"]
        self.conflict(f"/plants/{plant}/edit", "main form.edit button.primary")
        self.assertEqual(self.server.api(f"plants/{plant}")["notes"], "mine")

    def test_a_daily_log(self):
        self.server.run("log", "set", "--stress", "2", "--quiet")
        self.conflict("/log", "main form.edit button.primary")
        self.assertEqual(self.server.json("today")["dailyLog"]["notes"], "mine")


if __name__ == "__main__":
    unittest.main()
