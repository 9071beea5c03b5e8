"""Fingers: swipes that delete, and a tap on a photo."""

import unittest

from case import Case
from server import photo


class Touch(Case):
    photos = (photo("basil"), photo("monstera"))

    def swipe(self, selector, by):
        self.browser.tell("Emulation.setTouchEmulationEnabled", enabled=True)
        element = self.browser.find(selector)
        self.browser.run("arguments[0].scrollIntoView({block: 'center'})", element)
        box = self.browser.run("return arguments[0].getBoundingClientRect().toJSON()", element)
        x, y = box["left"] + box["width"] / 2, box["top"] + box["height"] / 2

        def touch(kind, *points):
            self.browser.tell("Input.dispatchTouchEvent", type=kind, touchPoints=[{"x": x, "y": y} for x in points])
        touch("touchStart", x)
        for step in range(1, 9):
            touch("touchMove", x + by * step / 8)
        touch("touchEnd")

    def test_a_swipe_deletes_and_is_undone(self):
        self.server.fill()
        for path, selector, kind in (
            ("/symptoms", "li.row:has(a[href^='/symptoms/'])", "symptom"), ("/episodes", "li.row", "episode"), ("/moods", "li.row", "mood"),
        ):
            before = len(self.server.entries(kind))
            self.go(path)
            self.swipe(selector, -40)
            self.assertEqual(self.browser.path, path, "a short one does nothing")
            page = self.browser.find("html")
            self.swipe(selector, -160)
            self.browser.wait_until_gone(page)
            self.assertEqual((self.browser.path, len(self.server.entries(kind))), (path, before - 1))
            self.browser.submit("#toast button")
            self.assertEqual(len(self.server.entries(kind)), before)

    def test_a_tap_on_a_photo_hides_everything_else(self):
        self.go("/photos/" + self.server.entries("photo")[0]["id"])
        sheet = "return document.querySelector('.viewer .sheet').getBoundingClientRect().top / innerHeight"
        self.assertGreaterEqual(self.browser.run(sheet), 0.74)
        visible = "return [...document.querySelectorAll('.viewer > .over, .viewer > .sheet, .turn')].map((one) => getComputedStyle(one).visibility)"
        for expected in ("hidden", "visible"):
            self.browser.find("#stage img").click()
            self.assertEqual(set(self.browser.run(visible)), {expected})


if __name__ == "__main__":
    unittest.main()
