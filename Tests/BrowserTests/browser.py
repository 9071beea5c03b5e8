"""A Chromium browser, and what a user does in it."""

import importlib.util
import os
import pathlib

from selenium import webdriver
from selenium.common.exceptions import StaleElementReferenceException, WebDriverException
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.by import By
from selenium.webdriver.support.ui import WebDriverWait

SHOTS = os.environ.get("LEAFLOG_SHOTS")
SIZES = {
    "phone": (390, 844), "desk": (1280, 900), "narrow": (320, 640), "side": (844, 390),
    # Windows of 1280 × 1024, 1440 × 1120 and 1280 × 900 pixels at 400 % or 300 %.
    "fourfold": (320, 256), "fourfold-wide": (360, 280), "threefold": (427, 300)}

# Found without importing the package, which requires its own browser driver.
AXE = pathlib.Path(
    importlib.util.find_spec("axe_playwright_python").submodule_search_locations[0], "axe.min.js").read_text()

# Layout shifts without recent user input, as the browser reports them, violations of the content security policy, and
# rejected promises that nothing handles, with the reasons, which the driver's own lines may lack.
OBSERVER = """
globalThis.shifts = [];
new PerformanceObserver((list) => {
  for (const shift of list.getEntries()) {
    if (shift.hadRecentInput) continue;
    shifts.push([shift.value, shift.sources.map(({ node }) => node?.outerHTML?.slice(0, 120) ?? node?.textContent ?? "")]);
  }
}).observe({ type: "layout-shift", buffered: true });
globalThis.broken = [];
addEventListener("securitypolicyviolation", (event) => broken.push(event.violatedDirective + " " + event.blockedURI));
addEventListener("unhandledrejection", ({ reason }) => console.error("unhandled: " + (reason?.stack || reason)));
"""


class Browser:
    """A Chromium window of a given size."""

    def __init__(self, size="phone", language="en-GB", dark=False, scripts=True, font=16, proxy=None, home=None):
        options = webdriver.ChromeOptions()
        options.binary_location = "/usr/bin/chromium"
        for word in (
            "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--hide-scrollbars",
            "--disable-background-networking", "--disable-component-update", "--no-first-run",
        ):
            options.add_argument(word)
        if proxy:
            options.add_argument(f"--proxy-server=socks5://{proxy}")
            options.add_argument("--proxy-bypass-list=<-loopback>")
        preferences = {"intl.accept_languages": language, "webkit.webprefs.default_font_size": font}
        if not scripts:
            preferences["profile.managed_default_content_settings.javascript"] = 2
        options.add_experimental_option("prefs", preferences)
        options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
        # Its settings, among them the authorities that it trusts, are below its user's home.
        environment = {**os.environ, **({"HOME": home} if home else {})}
        self.driver = webdriver.Chrome(options=options, service=Service("/usr/bin/chromedriver", env=environment))
        self.scripts = scripts
        self.steps = []
        self.tell("Page.addScriptToEvaluateOnNewDocument", source=OBSERVER)
        self.resize(size)
        if dark:
            self.media(("prefers-color-scheme", "dark"))

    def tell(self, command, **parameters):
        return self.driver.execute_cdp_cmd(command, parameters)

    def resize(self, size):
        # The emulation of a phone widens the window for a page that is too wide, so `innerWidth` is not the width asked for.
        self.width, height = SIZES[size]
        self.tell(
            "Emulation.setDeviceMetricsOverride", width=self.width, height=height, deviceScaleFactor=1, mobile=size != "desk")

    def media(self, *features):
        self.tell("Emulation.setEmulatedMedia", features=[{"name": name, "value": value} for name, value in features])

    def run(self, script, *values):
        return self.driver.execute_script(script, *values)

    def open(self, address):
        self.driver.get(address)

    def find(self, selector):
        return WebDriverWait(self.driver, 20).until(lambda driver: driver.find_element(By.CSS_SELECTOR, selector))

    def all(self, selector):
        return self.driver.find_elements(By.CSS_SELECTOR, selector)

    def click(self, target):
        """Clicks a selector or an element."""
        element = self.find(target) if isinstance(target, str) else target
        self.steps.append(f"click {target if isinstance(target, str) else element.text}")
        self.run("arguments[0].scrollIntoView({block: 'center'})", element)
        element.click()

    def press(self, text, within="main"):
        """Clicks the link, button or label with this text."""
        path = f"//{within}//*[self::a or self::button or self::label or self::summary][contains(normalize-space(.), {text!r})]"
        self.click(WebDriverWait(self.driver, 20).until(lambda driver: driver.find_element(By.XPATH, path)))

    def plus(self, text):
        """Presses + and then one of the choices: in the sheet, or without scripts on the page that asks."""
        self.click(".bar .plus")
        self.press(text, within="dialog" if self.scripts else "main")

    def submit(self, selector="main form.edit button.primary"):
        """Clicks, and waits for the resulting page."""
        before = self.find("html")
        self.click(selector)
        self.wait_until_gone(before)

    def wait_until_gone(self, page):
        def is_gone(_):
            try:
                page.is_enabled()
                return False
            except WebDriverException:
                # Chromium has several messages for it.
                return True
        self.wait(is_gone)
        self.wait(lambda _: self.run("return document.readyState") == "complete")

    def type(self, selector, text):
        element = self.find(selector)
        self.steps.append(f"type {text} into {selector}")
        self.run("arguments[0].scrollIntoView({block: 'center'})", element)
        element.clear()
        element.send_keys(text)

    def set(self, **values):
        """Fills in fields by name, according to their type."""
        for name, value in values.items():
            fields = self.all(f"main [name={name}]:not([type=hidden])")
            kind = fields[0].get_attribute("type")
            if kind in ("radio", "checkbox"):
                for one in value if isinstance(value, (list, tuple)) else [value]:
                    self.click(self.find(f"main [name={name}][value={str(one)!r}]").find_element(By.XPATH, "./ancestor::label"))
            elif kind in ("date", "time", "datetime-local") or fields[0].tag_name == "select":
                self.steps.append(f"choose {value} for {name}")
                self.run(
                    "arguments[0].value = arguments[1]; for (const name of ['input', 'change'])"
                    " arguments[0].dispatchEvent(new Event(name, {bubbles: true}))", fields[0], value)
            else:
                self.type(f"main [name={name}]:not([type=hidden])", value)

    def key(self, *keys):
        """Sends keys to the focused element."""
        self.driver.switch_to.active_element.send_keys(*keys)

    def wait(self, condition):
        # A page that is just being replaced has no elements for a moment.
        return WebDriverWait(
            self.driver, 30, poll_frequency=0.05, ignored_exceptions=[StaleElementReferenceException]
        ).until(condition)

    def wait_long(self, condition):
        """Waits for something that takes many steps, each of which shows progress."""
        return WebDriverWait(self.driver, 300, poll_frequency=0.01).until(condition)

    def settle(self):
        """Waits until the page has loaded with its visible pictures, and has been painted."""
        self.wait(lambda _: self.run(
            "return document.readyState === 'complete' && [...document.images].every((image) => image.complete ||"
            " image.getBoundingClientRect().top > 2 * innerHeight || image.getBoundingClientRect().bottom < -innerHeight)"))
        if self.scripts:
            self.driver.execute_async_script(
                "requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(arguments[0])))")

    def text(self):
        return self.driver.find_element(By.TAG_NAME, "body").text

    @property
    def path(self):
        return self.run("return location.pathname")

    def shoot(self, name):
        if not SHOTS:
            return
        os.makedirs(SHOTS, exist_ok=True)
        self.driver.save_screenshot(f"{SHOTS}/{name}.png")

    def complaints(self):
        """Errors on the console, such as violations of the content security policy.

        Chromium also reports requests for unknown photos (answered with 404), missing pages, forms that are shown
        again, and cross-page transitions that it has skipped, once more without the reason.
        """
        lines = [line["message"] for line in self.driver.get_log("browser") if line["level"] == "SEVERE"]
        expected = ("/api/v1/sources/", "status of 409", "status of 422", "/trust - ", "/nowhere - ", "ViewTransition opt-in")
        bare = " 0:0 Uncaught (in promise)"
        return [line for line in lines if not line.endswith(bare) and not any(words in line for words in expected)] + self.run(
            "return globalThis.broken ?? []")

    def shifts(self):
        return self.run("return globalThis.shifts")

    def overflow(self):
        """How many pixels the page is wider than the window."""
        return self.run("return document.documentElement.scrollWidth") - self.width

    def violations(self, *rules):
        """Violations found by axe, of any level; only for these rules, if any are given."""
        self.run(AXE)
        options = {"runOnly": list(rules)} if rules else {}
        found = self.driver.execute_async_script(
            "axe.run(document, arguments[0]).then(found => arguments[1](found.violations.map(one => [one.id, one.nodes[0].html])))",
            options)
        return [tuple(one) for one in found]

    def stop(self):
        self.driver.quit()
