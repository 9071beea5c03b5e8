"""Everything with the keyboard alone."""

import unittest

from case import Case
from selenium.webdriver.common.keys import Keys
from server import photo


class KeysAlone(Case):
    photos = (photo("monstera"), photo("basil"))
    size = "desk"

    def tab_to(self, selector):
        """Presses Tab until the element has the focus."""
        for _ in range(120):
            self.browser.key(Keys.TAB)
            if self.browser.run("return document.activeElement.matches(arguments[0])", selector):
                self.assertNotEqual(self.browser.run("return getComputedStyle(document.activeElement).outlineStyle"), "none", selector)
                return
        self.fail(f"no Tab leads to {selector}")

    def names(self):
        names = [one["name"] for one in self.server.json("activity", "list")["items"]]
        return [name for name in names if name in ("First", "Second", "Third")]

    def test_activities_are_put_in_order(self):
        for name in ("First", "Second", "Third"):
            self.server.run("activity", "add", name, "--quiet")
        self.go("/activities?order=true")
        self.tab_to("li:last-child button[value=up]")
        self.browser.key(Keys.ENTER)
        self.browser.wait(lambda _: self.names() == ["First", "Third", "Second"])
        # The focus stays on the moved item.
        self.browser.key(Keys.ENTER)
        self.browser.wait(lambda _: self.names() == ["Third", "First", "Second"])
        self.browser.wait(lambda _: self.browser.find("#toast").text)

    def test_the_slider_between_two_photos(self):
        plant = next(plant["id"] for plant in self.server.json("plant", "list")["items"] if plant["name"] == "monstera")
        self.go("/compare?plant=" + plant)
        self.tab_to("#compare-at")
        at = "return document.querySelector('.compare').style.getPropertyValue('--at')"
        before = self.browser.run(at)
        self.browser.key(Keys.ARROW_RIGHT, Keys.ARROW_RIGHT)
        self.browser.wait(lambda _: self.browser.run(at) != before)

    def test_a_tick(self):
        self.server.run("activity", "add", "Stretch", "--quiet")
        self.go("/compact")
        self.tab_to("button.tick")
        self.browser.key(Keys.SPACE)
        self.browser.wait(lambda _: self.browser.all("button.tick[aria-pressed=true]"))
        self.browser.wait(lambda _: len(self.server.entries("completion")) == 1)

    def test_from_tile_to_tile_and_from_photo_to_photo(self):
        self.go("/timeline")
        self.tab_to("a.tile")
        first = self.browser.run("return document.activeElement.dataset.photo")
        self.browser.key(Keys.ARROW_RIGHT)
        second = self.browser.run("return document.activeElement.dataset.photo")
        self.assertNotEqual(first, second)
        self.browser.key(Keys.ENTER)
        self.browser.wait(lambda _: self.browser.path == "/photos/" + second)
        self.browser.settle()
        self.browser.key(Keys.ARROW_LEFT)
        self.browser.wait(lambda _: self.browser.path == "/photos/" + first)
        self.browser.settle()
        self.browser.key(Keys.ESCAPE)
        self.browser.wait(lambda _: self.browser.path == "/timeline")

    def test_days_of_a_calendar(self):
        self.server.run("activity", "add", "Walk", "--quiet")
        self.go("/activities/" + self.server.json("activity", "show", "Walk")["id"])
        self.tab_to("input[name=doneOn]:not(:disabled)")
        self.browser.key(Keys.SPACE)
        self.tab_to("form[action$='/days'] button.button")
        self.browser.key(Keys.ENTER)
        self.browser.wait(lambda _: self.server.json("activity", "show", "Walk")["completionCount"] == 1)

    def test_the_pages_have_keys(self):
        self.go("/")
        for key, path in (("l", "/timeline"), ("p", "/plants"), ("m", "/me"), ("/", "/search"), ("t", "/")):
            self.browser.run("document.activeElement.blur()")
            self.browser.key(key)
            self.browser.wait(lambda _: self.browser.path == path)
            self.browser.settle()
        self.browser.key("+")
        self.browser.wait(lambda _: self.browser.run("return document.activeElement.matches('#add-what [href=\"/add\"]')"))
        self.browser.key(Keys.ESCAPE)
        self.assertEqual(self.browser.all("#add-what[open]"), [])

    def test_the_first_tab_skips_to_the_page(self):
        # Opening the same address again is reloading it, which keeps the focus.
        self.go("/plants")
        self.go("/timeline")
        self.browser.key(Keys.TAB)
        self.assertTrue(self.browser.run("return document.activeElement.matches('.skip')"))
        self.browser.key(Keys.ENTER)
        self.assertEqual(self.browser.run("return document.activeElement.id"), "main")


if __name__ == "__main__":
    unittest.main()
