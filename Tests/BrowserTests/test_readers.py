"""The pages as screen readers and keyboards have them: Chromium's accessibility tree, spoken changes, and the focus."""

import datetime
import itertools
import os
import tempfile
import unittest

import pictures
from case import Case
from each_screen import EachScreen
from selenium.webdriver.common.keys import Keys
from server import photo

INTERACTIVE = {
    "button", "checkbox", "combobox", "link", "listbox", "menuitem", "radio", "searchbox", "slider", "spinbutton", "switch", "tab",
    "textbox", "DisclosureTriangle", "Date", "DateTime", "InputTime"}

# Records the text that a screen reader speaks by itself: changes within live regions. The title of a new page comes on top.
SPOKEN = """
globalThis.spoken = [];
document.addEventListener("readystatechange", () => {
  if (document.readyState !== "interactive") return;
  for (const region of document.querySelectorAll("[role=status], [aria-live=polite]")) {
    new MutationObserver(() => region.checkVisibility() && region.textContent.trim() && spoken.push(region.textContent.trim()))
      .observe(region, { childList: true, characterData: true, subtree: true });
  }
});
"""

FOCUS = "const e = document.activeElement; return e.id || e.getAttribute('data-photo') || e.getAttribute('href') || e.name || e.tagName"


def interactive(browser):
    """The role, the name and the node of everything that takes the focus, in the order of the page."""
    nodes = browser.tell("Accessibility.getFullAXTree")["nodes"]
    return [
        (node["role"]["value"], node.get("name", {}).get("value", "").strip(), node.get("backendDOMNodeId"))
        for node in nodes if not node.get("ignored") and node.get("role", {}).get("value") in INTERACTIVE]


class Names(EachScreen):
    """Everything that takes the focus has a name, and none beside it has the same."""

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        server = cls.servers["full"]
        with tempfile.TemporaryDirectory() as folder:
            # A plant with many photos of one minute.
            os.makedirs(folder + "/moss")
            for number in range(8):
                with open(f"{folder}/moss/{number}.jpg", "wb") as file:
                    file.write(pictures.photo(datetime.datetime(2026, 3, 4, 12), number))
            server.run("import", "--quiet", folder)
        server.run("symptom", "add", "Headache", "--severity", "severe", "--quiet")
        first, second = server.entries("photo")[:2]
        server.run("photo", "edit", first["id"], "--note", "a new leaf after two weeks in the window, and three more to come", "--quiet")
        server.run("photo", "favourite", second["id"], "--quiet")

    def names(self, language):
        day = r"^(\d+ \w+|\w+ \d+|\d+\. \w+)( \d{4})?$"

        def target(browser, node):
            found = browser.tell("DOM.resolveNode", backendNodeId=node)["object"]["objectId"]
            return browser.tell(
                "Runtime.callFunctionOn", objectId=found, returnByValue=True,
                functionDeclaration="function() { return this.getRootNode() !== document ? 'a part of a field' : this.href ?? (this.form && `${this.form.action} ${this.name} ${this.value}`) }",
            )["result"].get("value") or node

        def check(browser, _):
            found = interactive(browser)
            self.assertEqual([one for one in found if not one[1]], [], "has no name")
            for one, other in itertools.pairwise(found):
                if one[:2] == other[:2] and target(browser, one[2]) != target(browser, other[2]):
                    self.fail(f"two {one[0]}s beside each other are called “{one[1]}”")
            tiles = browser.run(
                "return [...document.querySelectorAll('.tiles, .strip')].map((list) => [...list.querySelectorAll('img')].map(({ alt }) => alt))")
            for names in tiles:
                self.assertEqual(sorted(names), sorted(set(names)))
                for name in names:
                    self.assertNotRegex(name, day)
        self.each(check, "full", "desk", language)

    def test_english(self):
        self.names("en-GB")

    def test_german(self):
        self.names("de")


class Spoken(Case):
    """After each action something is spoken once, and the focus is on something."""

    photos = (photo("monstera"), photo("basil"))
    size = "desk"

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.browser.tell("Page.addScriptToEvaluateOnNewDocument", source=SPOKEN)

    def expect(self, sentence, focus):
        """A sentence is spoken once, by the title or in a live region, and the element with the focus is the expected one."""
        def heard():
            title = self.browser.run("return document.title")
            return ([title] if sentence in title else []) + [text for text in self.browser.run("return spoken") if sentence in text]
        self.browser.wait(lambda _: heard())
        self.browser.settle()
        self.assertEqual(len(heard()), 1, heard())
        self.browser.wait(lambda _: self.browser.run("return document.activeElement.matches(arguments[0])", focus))

    def press(self, selector):
        """Moves the focus to an element as Tab does, and presses Enter."""
        self.browser.wait(lambda _: self.browser.all(selector))
        self.browser.run("document.querySelector(arguments[0]).focus({ focusVisible: true })", selector)
        page = self.browser.find("html")
        self.browser.key(Keys.ENTER)
        return page

    def follow(self, selector):
        self.browser.wait_until_gone(self.press(selector))
        self.browser.settle()

    def test_a_day(self):
        self.server.run("activity", "add", "Water", "--every", "3", "--quiet")
        self.go("/symptoms")
        self.follow("main a[href^='/symptoms/new']")
        for name in ("Sneezing", "Fever"):
            self.browser.set(name=name, severity="mild")
            self.browser.find("form.edit [name=name]").send_keys(Keys.ENTER)
            self.browser.wait(lambda _: self.browser.path == "/symptoms")
            self.expect("Symptom logged", "a[href^='/symptoms/new']")
            if name == "Sneezing":
                self.follow("main a[href^='/symptoms/new']")
        # One is edited, and one deleted.
        row = self.browser.run("return document.querySelector('main a[href^=\"/symptoms/\"]:not([href*=new]):not([href*=trend])').getAttribute('href')")
        self.follow(f"main a[href='{row}']")
        self.browser.find("form.edit [name=notes]").send_keys("after the rain")
        self.follow("main form.edit button.primary")
        self.expect("Symptom edited", f"a[href='{row}']")
        self.follow(f"main a[href='{row}']")
        self.follow("form[action$='/delete'] button")
        self.expect("Symptom deleted", "main, main *")
        # Ticked, and undone: Tab leads to Undo, and back.
        self.go("/")
        self.press(".tick")
        self.expect("Water", ".tick")
        self.browser.key(Keys.TAB)
        self.assertTrue(self.browser.run("return document.activeElement.matches('#toast button')"))
        self.browser.driver.switch_to.active_element.send_keys(Keys.SHIFT, Keys.TAB)
        self.assertTrue(self.browser.run("return document.activeElement.matches('.tick')"))
        self.browser.key(Keys.TAB)
        page = self.browser.find("html")
        self.browser.key(Keys.ENTER)
        self.browser.wait_until_gone(page)
        self.expect("Undone", ".tick")
        self.browser.key(Keys.ESCAPE)
        self.assertEqual(self.browser.all("#toast form"), [])

    def test_a_job(self):
        self.go("/me/store")
        self.follow("form:has([value=verify]) button.primary, form:has([value=verify]) button")
        # It may be over before its start is read.
        # Its end may follow at once, and be spoken, too.
        self.browser.wait(lambda _: "Check the library" in self.browser.run("return document.title + spoken.join()"))
        self.browser.wait(lambda _: self.browser.run("return document.activeElement.matches('[id^=job-]')"))

    def test_photos_are_added_with_one_sentence(self):
        self.go("/add")
        self.browser.find("#photos").send_keys(photo("tomato/DSC_0101.jpg"))
        self.browser.wait(lambda _: self.browser.all("#picked > li"))
        self.browser.run("document.querySelector('#save').focus()")
        self.browser.key(Keys.ENTER)
        self.browser.wait(lambda _: "1 / 1" not in self.browser.find("#queue-status").get_attribute("textContent")
                          and self.browser.run("return document.activeElement.id") == "queue-title")
        self.assertEqual(self.browser.run("return spoken"), [], "what has the focus is read by itself")

    def test_escape_gives_the_focus_back_without_the_browsers_memory(self):
        # A page that is open elsewhere is not kept; here, it is loaded again.
        self.go("/timeline")
        self.browser.tell("Network.enable")
        self.browser.run("addEventListener('unload', () => {})")
        tile = self.browser.find("a.tile").get_attribute("data-photo")
        self.follow(f"a.tile[data-photo='{tile}']")
        self.browser.key(Keys.ESCAPE)
        self.browser.wait(lambda _: self.browser.path == "/timeline")
        self.browser.wait(lambda _: self.browser.run("return document.activeElement.dataset.photo") == tile)


class KeysOff(Case):
    """Single keys do nothing in forms that one types into, and nothing at all once they are switched off."""

    photos = (photo("monstera"),)
    size = "desk"

    def stays(self, path, *keys):
        self.go(path)
        for key in keys:
            self.browser.key(key)
            self.assertEqual(self.browser.path, path.split("?")[0])
            self.assertEqual(self.browser.all("dialog[open]"), [])

    def test_in_a_form_and_switched_off(self):
        self.go("/symptoms/new")
        self.browser.run("document.querySelector('form.edit button.primary').focus()")
        self.browser.key("m")
        self.assertEqual(self.browser.path, "/symptoms/new")
        # Outside of it they act, and ? leads to their list.
        self.go("/plants")
        self.browser.key("?")
        self.browser.wait(lambda _: self.browser.path == "/me/accessibility")
        self.browser.settle()
        self.browser.click("#keys-on")
        try:
            self.stays("/plants", "t", "l", "m", "/", "+", "?")
            self.stays("/timeline", "j", "k")
            picture = self.server.entries("photo")[0]["id"]
            self.stays("/photos/" + picture, "f", "e", "j", "k", "-", "+")
            self.assertEqual(self.browser.all("[aria-pressed=true]"), [])
        finally:
            self.go("/me/accessibility")
            self.browser.click("#keys-on")
        self.go("/plants")
        self.browser.key("m")
        self.browser.wait(lambda _: self.browser.path == "/me")


class Headings(Case):
    """From heading to heading through the years: each is there, and coming to it fills its section."""

    size = "phone"

    def walk(self, years, count):
        with tempfile.TemporaryDirectory() as folder:
            pictures.many(folder + "/fern", count, years=years)
            self.server.run("import", "--quiet", folder)
        self.go("/timeline")
        sections = self.browser.run("return document.querySelectorAll('.month').length")
        titles = self.browser.run("return [...document.querySelectorAll('.month h2')].map((title) => title.closest('.month').id)")
        if sections <= 120:
            self.assertEqual(len(titles), sections)
        else:
            self.assertEqual(
                sorted({title[2:6] for title in titles}),
                sorted(set(self.browser.run("return [...document.querySelectorAll('.month')].map(({ id }) => id.slice(2, 6))"))))
        for title in titles:
            heading = self.browser.find(f"#{title} h2")
            # As a reader does that goes to the next heading.
            self.browser.run("arguments[0].scrollIntoView({ block: 'center' })", heading)
            self.browser.wait(lambda _: self.browser.run("return document.querySelector(arguments[0])", f"#{title} :is(.tile, .line)"))
            self.assertTrue(heading.is_displayed(), "it is the same element")
            self.assertLess(self.browser.run("return document.getElementsByTagName('*').length"), 1500)
        self.assertEqual([shift for shift in self.browser.shifts() if shift[0] >= 0.01], [])

    def test_five_years(self):
        self.walk(5, 300)

    def test_thirty_years(self):
        self.walk(30, 400)


if __name__ == "__main__":
    unittest.main()
