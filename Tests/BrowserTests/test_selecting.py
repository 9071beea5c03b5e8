"""Selecting photos on a timeline of mixed entries, longer than the page: LEAFLOG_PHOTOS sets their number."""

import datetime
import os
import tempfile
import unittest

import pictures
from case import Case
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.keys import Keys

COUNT = int(os.environ.get("LEAFLOG_PHOTOS", "1000"))


class Selecting(Case):
    size = "desk"

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        with tempfile.TemporaryDirectory() as folder:
            pictures.many(folder + "/fern", COUNT // 2, years=5)
            pictures.diary(folder + "/diary.json", COUNT // 2, years=5)
            cls.server.run("import", "--quiet", folder + "/fern")
            cls.server.run("import-diary", "--quiet", "--yes", folder + "/diary.json")

    def listed(self, *words):
        """The ids of photos, newest first."""
        found, more = [], []
        while True:
            page = self.server.json("timeline", "--kind", "photo", "--limit", "1000", *words, *more)
            found += [entry["id"] for entry in page["items"]]
            if not page["next"]:
                return found
            more = ["--before", page["next"]]

    def select(self):
        self.go("/timeline?kind=photo&select=true")

    def box(self, photo):
        return f"input[value='{photo}']"

    def reveal(self, part):
        """Scrolls to a part of the list, and returns the photos that are in sight there."""
        seen = """
        return [...document.querySelectorAll('label.tile')].filter((tile) => {
          const { top, bottom } = tile.getBoundingClientRect();
          return top > 100 && bottom < innerHeight - 200;
        }).map((tile) => tile.querySelector('input').value)"""
        self.browser.run("scrollTo(0, arguments[0] * document.documentElement.scrollHeight)", part)
        self.browser.wait(lambda _: self.browser.run(seen))
        return self.browser.run(seen)

    def wait_for_count(self, count):
        self.browser.wait(lambda _: f"{count:,} selected" in self.browser.find("[data-count]").text)

    def act(self, summary, button, **fields):
        self.browser.press(summary, within="form")
        self.browser.set(**fields)
        page = self.browser.find("html")
        self.browser.press(button, within="form")
        self.browser.wait_until_gone(page)

    def tagged(self, tag):
        return self.listed("--tag", tag)


class Ranges(Selecting):
    def test_a_range_is_longer_than_what_the_page_has(self):
        self.select()
        photos = self.listed()
        self.browser.click(self.box(photos[1]))
        self.browser.run("document.activeElement.blur()")
        for part in (0.2, 0.4, 0.6, 0.8):
            end = self.reveal(part)[0]
        self.assertEqual(self.browser.all(self.box(photos[1])), [], "the section of the first one is empty by now")
        ActionChains(self.browser.driver).key_down(Keys.SHIFT).click(self.browser.find(self.box(end))).key_up(Keys.SHIFT).perform()
        expected = photos[1:photos.index(end) + 1]
        self.assertGreater(len(expected), 0.6 * len(photos))
        self.wait_for_count(len(expected))
        # One photo comes and one goes before the tags are saved.
        gone = expected[len(expected) // 2]
        with tempfile.TemporaryDirectory() as folder:
            middle = self.server.json("show", expected[len(expected) // 3])["localDay"]
            with open(folder + "/late.jpg", "wb") as file:
                file.write(pictures.photo(datetime.datetime.fromisoformat(middle + "T12:00:00"), 999_999))
            self.server.run("import", "--quiet", folder)
        self.server.run("photo", "delete", gone, "--quiet", "--yes")
        self.act("Tags", "Add", tags="range")
        self.assertIn("1 was no longer there", self.browser.find("#toast").text)
        self.assertEqual(self.tagged("range"), [photo for photo in expected if photo != gone])
        self.browser.submit("#toast button")
        self.assertEqual(self.tagged("range"), [])

    def test_nothing_selected_is_nothing_sent(self):
        self.select()
        self.browser.press("Delete", within="form")
        self.assertIn("Select something first", self.browser.find("#toast").text)
        self.assertEqual(self.browser.path, "/timeline")

    def enter(self, text, within):
        """Moves the focus to a button or a link as Tab does, and presses Enter."""
        self.browser.run(
            "[...document.querySelectorAll(`${arguments[1]} :is(a, button)`)].find((one) => one.textContent.trim().startsWith(arguments[0]))"
            ".focus({ focusVisible: true })", text, within)
        self.browser.key(Keys.ENTER)

    def test_all_are_deleted_and_come_back_by_keys_alone(self):
        self.select()
        photos = self.listed()
        self.browser.run("document.querySelector(arguments[0]).focus({ focusVisible: true })", self.box(photos[0]))
        self.browser.key(Keys.SPACE)
        self.wait_for_count(1)
        self.enter("All", "#selecting")
        self.wait_for_count(len(photos))
        for action, within, left in (("Delete", "#selecting", []), ("Undo", "#toast", photos)):
            page = self.browser.find("html")
            self.enter(action, within)
            self.browser.wait_until_gone(page)
            self.browser.settle()
            self.assertEqual(self.listed(), left)
            self.browser.wait(lambda _: self.browser.run("return document.activeElement !== document.body"))

    def test_a_second_range_takes_away(self):
        self.select()
        photos = self.listed()
        first, *_, last = self.reveal(0)
        for photo, is_range in ((first, False), (last, True), (last, False), (first, True)):
            keys = ActionChains(self.browser.driver)
            (keys.key_down(Keys.SHIFT) if is_range else keys).click(self.browser.find(self.box(photo))).key_up(Keys.SHIFT).perform()
            there = self.browser.run("return arguments[0].checked", self.browser.find(self.box(photo)))
            expected = photos.index(last) - photos.index(first) + 1
            if photo == last:
                self.wait_for_count(expected if there else expected - 1)
        self.wait_for_count(0)

    def test_a_day_a_month_and_everything(self):
        self.select()
        photos = self.listed()
        of = {}
        for photo in photos[:40]:
            of.setdefault(self.server.json("show", photo)["localDay"], []).append(photo)
        day = next(iter(of))
        self.browser.click(f"[data-span='on={day}']")
        self.wait_for_count(len(of[day]))
        self.browser.click(f"[data-span='on={day}']")
        self.wait_for_count(0)
        month = self.browser.find("[data-span^=month]")
        name = month.get_attribute("data-span").split("=")[1]
        self.browser.click(month)
        self.browser.wait(lambda _: "0 selected" != self.browser.find("[data-count]").text)
        self.wait_for_count(len(self.listed("--from", name, "--to", name)))
        # A month whose title was built by the script.
        self.reveal(0.5)
        self.browser.click(f"[data-span='month={name}']")
        self.browser.press("All", within="form")
        self.wait_for_count(len(photos))
        self.act("Tags", "Add", tags="all")
        self.assertEqual(self.tagged("all"), photos)
        self.browser.submit("#toast button")

    def test_a_long_press_is_the_other_end(self):
        self.browser.resize("phone")
        self.addCleanup(self.browser.resize, "desk")
        self.select()
        photos = self.listed()
        self.browser.tell("Emulation.setTouchEmulationEnabled", enabled=True, maxTouchPoints=1)
        self.addCleanup(self.browser.tell, "Emulation.setTouchEmulationEnabled", enabled=False)
        first = self.reveal(0)[0]
        self.press_long(first, is_long=False)
        self.wait_for_count(1)
        last = self.reveal(0.3)[-1]
        self.press_long(last)
        self.wait_for_count(photos.index(last) - photos.index(first) + 1)
        self.assertTrue(self.browser.find(self.box(last)).is_selected(), "the end of the press is no tap")

    def press_long(self, photo, is_long=True):
        box = self.browser.run(
            "return arguments[0].closest('label').getBoundingClientRect().toJSON()", self.browser.find(self.box(photo)))
        point = {"x": box["left"] + box["width"] / 2, "y": box["top"] + box["height"] / 2}
        before = self.browser.find("[data-count]").text
        self.browser.tell("Input.dispatchTouchEvent", type="touchStart", touchPoints=[point])
        if is_long:
            self.browser.wait(lambda _: self.browser.find("[data-count]").text != before)
        self.browser.tell("Input.dispatchTouchEvent", type="touchEnd", touchPoints=[])


class WithoutScripts(Selecting):
    scripts = False

    def test_all_is_a_number_that_has_to_hold(self):
        self.select()
        photos = self.listed()
        self.browser.press(f"All {len(photos):,}", within="form")
        self.browser.wait(lambda _: self.browser.path == "/timeline/selection")
        self.assertIn(f"{len(photos):,} photos", self.browser.text())
        self.server.run("photo", "delete", photos[3], "--quiet", "--yes")
        self.act("Tags", "Add", tags="everything")
        self.assertIn(f"{len(photos) - 1:,} photos", self.browser.text())
        self.assertEqual(self.tagged("everything"), [], "the number did not hold")
        page = self.browser.find("html")
        self.browser.press("Add", within="form")
        self.browser.wait_until_gone(page)
        self.assertEqual(self.tagged("everything"), [photo for photo in photos if photo != photos[3]])
        self.assertEqual(self.browser.path, "/timeline")

    def test_the_boxes_of_the_page_are_sent(self):
        self.select()
        photos = self.listed()
        for photo in photos[:2]:
            self.browser.click(self.box(photo))
        self.server.run("photo", "delete", photos[0], "--quiet", "--yes")
        self.act("Tags", "Add", tags="two")
        self.assertIn("1 was no longer there", self.browser.find("#toast").text)
        self.assertEqual(self.tagged("two"), [photos[1]])


if __name__ == "__main__":
    unittest.main()
