"""The pages in a real Chromium, against the built program: flows as people go through them.

Takes LEAFLOG (the built program; .build/release/leaflog by default) and LEAFLOG_SHOTS (a folder that gets
screenshots). Needs selenium and axe-playwright-python (for axe alone) from PyPI, and Debian's chromium and
chromium-driver.
"""

import importlib.util
import json
import os
import re
import signal
import subprocess
import tempfile
import unittest
import urllib.request

from selenium import webdriver
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.by import By
from selenium.webdriver.support.ui import WebDriverWait

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
LEAFLOG = os.environ.get("LEAFLOG", ROOT + "/.build/release/leaflog")
SHOTS = os.environ.get("LEAFLOG_SHOTS")
SIZES = {"phone": (390, 844), "desk": (1280, 900)}
PAGES = [
    "/", "/timeline", "/plants", "/plants/{plant}", "/plants/new", "/plants/{plant}/edit", "/photos/{photo}",
    "/photos/{photo}/edit", "/add", "/compare?plant={plant}", "/symptoms", "/symptoms/new", "/log", "/episodes",
    "/episodes/new", "/insights", "/moods", "/quotes", "/activities", "/activities/new", "/compact", "/search?text=basil",
    "/me", "/me/store", "/me/history", "/me/trash", "/me/reminders", "/me/settings", "/me/devices", "/me/export",
    "/me/about", "/offline",
]


# Found without running the package, which wants a browser driver of its own.
AXE = open(importlib.util.find_spec("axe_playwright_python").submodule_search_locations[0] + "/axe.min.js").read()


class Server:
    """`leaflog serve` on a library of its own."""

    def __init__(self, *photos):
        self.folder = tempfile.TemporaryDirectory()
        self.library = self.folder.name + "/library"
        self.run("init", "--policy", "exact", "--time-zone", "Europe/Berlin", "--quiet")
        if photos:
            self.run("import", "--quiet", *photos)
        self.process = subprocess.Popen(
            [LEAFLOG, "serve", "--port", "0", "--json", "--library", self.library], stdout=subprocess.PIPE, text=True)
        self.address = json.loads(self.process.stdout.readline())["address"].rstrip("/").replace("127.0.0.1", "localhost")

    def run(self, *words):
        return subprocess.run(
            [LEAFLOG, *words, "--library", self.library], check=True, capture_output=True, text=True).stdout

    def json(self, *words):
        return json.loads(self.run(*words, "--json"))

    def api(self, path):
        with urllib.request.urlopen(self.address + "/api/v1/" + path) as answer:
            return json.load(answer)

    def stop(self):
        self.process.send_signal(signal.SIGTERM)
        self.process.wait(20)
        self.process.stdout.close()
        self.folder.cleanup()


class Browser:
    """A Chromium with a window of a size."""

    def __init__(self, size="phone", language="en-GB", dark=False, scripts=True):
        options = webdriver.ChromeOptions()
        options.binary_location = "/usr/bin/chromium"
        for word in ("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--hide-scrollbars"):
            options.add_argument(word)
        preferences = {"intl.accept_languages": language}
        if not scripts:
            preferences["profile.managed_default_content_settings.javascript"] = 2
        options.add_experimental_option("prefs", preferences)
        options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
        self.driver = webdriver.Chrome(options=options, service=Service("/usr/bin/chromedriver"))
        width, height = SIZES[size]
        self.driver.execute_cdp_cmd(
            "Emulation.setDeviceMetricsOverride",
            {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": size == "phone"})
        if dark:
            self.driver.execute_cdp_cmd(
                "Emulation.setEmulatedMedia", {"features": [{"name": "prefers-color-scheme", "value": "dark"}]})

    def open(self, address):
        self.driver.get(address)

    def find(self, selector):
        return WebDriverWait(self.driver, 20).until(lambda driver: driver.find_element(By.CSS_SELECTOR, selector))

    def click(self, selector):
        element = self.find(selector)
        self.driver.execute_script("arguments[0].scrollIntoView({block: 'center'})", element)
        element.click()

    def type(self, selector, text):
        element = self.find(selector)
        element.clear()
        element.send_keys(text)

    def wait(self, condition):
        WebDriverWait(self.driver, 30).until(condition)

    def text(self):
        return self.driver.find_element(By.TAG_NAME, "body").text

    def shoot(self, name):
        if SHOTS:
            os.makedirs(SHOTS, exist_ok=True)
            self.driver.save_screenshot(f"{SHOTS}/{name}.png")

    def complaints(self):
        """What the console has of errors, such as those of the content security policy.

        That a photo is not known yet is said by 404, which Chromium reports.
        """
        lines = [line["message"] for line in self.driver.get_log("browser") if line["level"] == "SEVERE"]
        return [line for line in lines if "/api/v1/sources/" not in line]

    def violations(self):
        """What axe finds, of any level."""
        self.driver.execute_script(AXE)
        found = self.driver.execute_async_script(
            "axe.run().then(found => arguments[0](found.violations.map(one => [one.id, one.nodes[0].html])))")
        return [tuple(one) for one in found]

    def stop(self):
        self.driver.quit()


def photo(name):
    return f"{ROOT}/Fixtures/Photos/{name}"


class FirstMinute(unittest.TestCase):
    """From the welcome to the first photos, a symptom and a tick, by clicks alone."""

    def flow(self, scripts):
        server = Server()
        browser = Browser(scripts=scripts)
        self.addCleanup(server.stop)
        self.addCleanup(browser.stop)
        browser.open(server.address + "/")
        self.assertIn("/welcome", browser.driver.current_url)
        browser.click("input[name=acknowledged]")
        browser.click("button[value=photos]")
        browser.wait(lambda driver: driver.current_url.split("?")[0].endswith("/add"))
        files = [photo(f"monstera/IMG_000{number}.jpg") for number in (1, 2, 3)]
        browser.find("#photos").send_keys("\n".join(files))
        browser.type("input[name=newPlant]", "Monstera")
        browser.click("#save")
        browser.wait(lambda _: len(server.api("timeline?kind=photo")["entries"]) == 3)
        browser.open(server.address + "/symptoms/new")
        browser.type("input[name=name]", "Headache")
        severity = browser.driver.find_elements(By.CSS_SELECTOR, "input[name=severity]")
        if severity and severity[0].get_attribute("type") == "radio":
            browser.driver.execute_script("arguments[0].click()", severity[1]) if scripts else severity[1].find_element(
                By.XPATH, "./..").click()
        browser.click("main form.edit button.primary")
        browser.wait(lambda _: len(server.api("timeline?kind=symptom")["entries"]) == 1)
        browser.open(server.address + "/activities/new")
        browser.type("input[name=name]", "Water the monstera")
        browser.click("main form.edit button.primary")
        browser.wait(lambda _: len(server.api("activities")["items"]) == 1)
        browser.open(server.address + "/")
        browser.click("button.tick")
        browser.wait(lambda _: len(server.api("timeline?kind=completion")["entries"]) == 1)
        browser.open(server.address + "/")
        for word in ("Headache", "Water the monstera"):
            self.assertIn(word, browser.text())
        browser.open(server.address + "/timeline")
        self.assertEqual(len(browser.driver.find_elements(By.CSS_SELECTOR, "a.tile")), 3)
        self.assertIn("Headache", browser.text())
        self.assertEqual(browser.complaints(), [])

    def test_with_scripts(self):
        self.flow(scripts=True)

    def test_without_scripts(self):
        self.flow(scripts=False)


class EveryPage(unittest.TestCase):
    """Each page: no complaint in the console, nothing for axe, nothing cut off."""

    @classmethod
    def setUpClass(cls):
        cls.server = Server(ROOT + "/Fixtures/Photos")
        cls.server.run("settings", "set", "disclaimer", "acknowledged")
        cls.server.run("symptom", "add", "Headache", "--severity", "mild", "--note", "after the greenhouse", "--quiet")
        cls.server.run("activity", "add", "Water the basil", "--every", "4", "--plant", "basil", "--quiet")
        cls.server.run("activity", "add", "Yoga", "--quiet")
        cls.server.run("activity", "done", "Yoga", "--quiet")
        cls.server.run("log", "set", "--stress", "2", "--sleep-hours", "7.5", "--quiet")
        cls.server.run("mood", "set", "happy", "--quiet")
        cls.plant = cls.server.api("plants/basil")["id"]
        cls.photo = cls.server.api("timeline?kind=photo&limit=1")["entries"][0]["id"]

    @classmethod
    def tearDownClass(cls):
        cls.server.stop()

    def look(self, size, language, dark):
        browser = Browser(size, language, dark)
        self.addCleanup(browser.stop)
        for path in PAGES:
            path = path.format(plant=self.plant, photo=self.photo)
            with self.subTest(path=path, size=size, language=language, dark=dark):
                browser.open(self.server.address + path)
                name = re.sub(r"[0-9a-f]{32}", "ID", path).strip("/").replace("/", "-") or "today"
                browser.shoot(f"{re.sub('[^a-zA-Z-]', '-', name)}.{size}.{language}.{'dark' if dark else 'light'}")
                wide = browser.driver.execute_script("return document.documentElement.scrollWidth - innerWidth")
                self.assertLessEqual(wide, 0, "the page is wider than its window")
                self.assertEqual(browser.violations(), [])
                self.assertEqual(browser.complaints(), [])

    def test_on_a_phone_in_the_light(self):
        self.look("phone", "en-GB", dark=False)

    def test_on_a_desk_in_the_dark_in_german(self):
        self.look("desk", "de", dark=True)


class HostileTexts(unittest.TestCase):
    """Names, notes and tags that would be scripts, were they not shown as text."""

    def test_shown_as_text(self):
        text = "<img src=x onerror=alert(1)>"
        server = Server(photo("basil"))
        browser = Browser()
        self.addCleanup(server.stop)
        self.addCleanup(browser.stop)
        server.run("settings", "set", "disclaimer", "acknowledged")
        server.run("plant", "rename", "basil", text)
        server.run("symptom", "add", text, "--severity", "mild", "--note", text, "--tag", text, "--quiet")
        server.run("activity", "add", text, "--note", text, "--quiet")
        server.run("activity", "done", text, "--note", text, "--quiet")
        server.run("quote", "add", text, "--author", text)
        server.run("episode", "add", "--type", "cold", "--from", "yesterday", "--note", text, "--quiet", "--yes")
        server.run("photo", "edit", server.api("timeline?kind=photo")["entries"][0]["id"], "--note", text, "--tag", text)
        plant = server.api("plants")["items"][0]["id"]
        shown = server.api("timeline?kind=photo")["entries"][0]["id"]
        for path in PAGES:
            path = path.format(plant=plant, photo=shown)
            with self.subTest(path=path):
                browser.open(server.address + path)
                made = browser.driver.find_elements(By.CSS_SELECTOR, "img[src=x]")
                self.assertEqual(made, [])
                self.assertEqual(browser.complaints(), [])


if __name__ == "__main__":
    unittest.main()
