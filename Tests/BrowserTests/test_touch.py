"""Fingers: swipes that delete, two on the timeline, and a tap on a photo."""

import unittest

from case import Case
from server import photo

PINCH = """
const [first, last] = arguments;
const target = document.querySelector('.month');
const finger = (identifier, clientX) => new Touch({ identifier, target, clientX, clientY: 400 });
for (const [type, apart] of [["touchstart", first], ["touchmove", (first + last) / 2], ["touchmove", last]]) {
  const touches = [finger(0, 195 - apart), finger(1, 195 + apart)];
  target.dispatchEvent(new TouchEvent(type, { touches, bubbles: true }));
}
"""


class Touch(Case):
    photos = (photo("basil"), photo("monstera"))

    def touch(self, kind, *points):
        self.browser.tell("Emulation.setTouchEmulationEnabled", enabled=True, maxTouchPoints=2)
        self.browser.tell(
            "Input.dispatchTouchEvent", type="touch" + kind,
            touchPoints=[{"x": x, "y": y, "id": finger} for finger, (x, y) in enumerate(points)])

    def swipe(self, selector, by, down=0):
        element = self.browser.find(selector)
        self.browser.run("arguments[0].scrollIntoView({block: 'center'})", element)
        box = self.browser.run("return arguments[0].getBoundingClientRect().toJSON()", element)
        x, y = box["left"] + box["width"] / 2, box["top"] + box["height"] / 2

        self.touch("Start", (x, y))
        for step in range(1, 9):
            self.touch("Move", (x + by * step / 8, y + down * step / 8))
        self.touch("End")

    def test_a_swipe_deletes_and_is_undone(self):
        self.server.fill()
        for path, selector, kind in (
            ("/symptoms", "li.row:has(a[href^='/symptoms/'])", "symptom"), ("/episodes", "li.row", "episode"), ("/moods", "li.row", "mood"),
            ("/timeline", ".line[data-sign='🧘']", "completion"),
        ):
            before = len(self.server.entries(kind))
            self.go(path)
            self.swipe(selector, -40)
            self.swipe(selector, -120, down=200)
            self.assertEqual(self.browser.path, path, "a short one, and one that scrolls, do nothing")
            page = self.browser.find("html")
            self.swipe(selector, -160)
            self.browser.wait_until_gone(page)
            self.assertEqual((self.browser.path, len(self.server.entries(kind))), (path, before - 1))
            self.browser.submit("#toast button")
            self.assertEqual(len(self.server.entries(kind)), before)

    def test_two_fingers_lead_farther_and_nearer(self):
        self.go("/timeline")
        for first, last, zoom in ((150, 20, "?zoom=months"), (150, 20, "?zoom=years"), (20, 150, "?zoom=months")):
            self.browser.wait(lambda _: self.browser.run("return document.querySelector('.month.sized') !== null"))
            # The browser's own gesture would not end on the page that it began on.
            self.browser.run(PINCH, first, last)
            self.browser.wait(lambda _, zoom=zoom: self.browser.run("return location.search").startswith(zoom))
            self.browser.settle()

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
