"""A plant with very many photos: LEAFLOG_PHOTOS sets the number, 2,000 by default."""

import os
import tempfile
import unittest

import pictures
from browser import Browser
from case import Case
from selenium.webdriver.common.keys import Keys
from server import Server

COUNT = int(os.environ.get("LEAFLOG_PHOTOS", "2000"))

# In each frame: the number of nodes, and the position of every visible tile. A tile whose position on the page changes
# has jumped.
WATCH = """
const places = new Map();
globalThis.watched = { most: 0, jumps: [], frames: 0, seen: 0 };
const look = () => {
  watched.frames += 1;
  watched.most = Math.max(watched.most, document.getElementsByTagName("*").length);
  for (const tile of document.querySelectorAll(".month .tile")) {
    const box = tile.getBoundingClientRect();
    if (box.bottom < 0 || box.top > innerHeight) continue;
    const place = [Math.round(box.left), Math.round(box.top + scrollY)];
    const before = places.get(tile.dataset.photo);
    if (before && Math.hypot(place[0] - before[0], place[1] - before[1]) > 1.5) watched.jumps.push([tile.dataset.photo, before, place]);
    places.set(tile.dataset.photo, place);
  }
  watched.seen = places.size;
  requestAnimationFrame(look);
};
look();
"""


class LongList(Case):
    @classmethod
    def setUpClass(cls):
        cls.server = Server()
        cls.addClassCleanup(cls.server.stop)
        with tempfile.TemporaryDirectory() as folder:
            pictures.many(folder + "/fern", COUNT, years=10)
            cls.server.run("import", "--quiet", folder)
        cls.browser = Browser("phone")
        cls.addClassCleanup(cls.browser.stop)
        plant, = cls.server.json("plant", "list")["items"]
        cls.path = f"/plants/{plant['id']}"

    def begin(self, size):
        self.browser.resize(size)
        self.go("/me/about")
        self.go(self.path)
        self.browser.run(WATCH)

    def height(self):
        return self.browser.run("return document.documentElement.scrollHeight - innerHeight")

    def top(self):
        return self.browser.run("return scrollY")

    def wait_for_tiles(self):
        """Waits until there are no empty places in the window."""
        self.browser.wait(lambda _: self.browser.run(
            "return [0.25, 0.5, 0.75].every((part) => {"
            "const there = document.elementFromPoint(innerWidth / 3, innerHeight * part);"
            "return !there?.closest('.month') || there.closest('.tile, .title, .entry') || there.closest('.fill')?.childElementCount;"
            "})"))

    def check(self):
        watched = self.browser.run("return watched")
        self.assertEqual(watched["jumps"], [])
        self.assertLess(watched["most"], 1500)
        self.assertGreater(watched["frames"], 10)
        # On a busy machine, a distant section may come a few pixels late, a shift of at most 0.004; a visible jump is
        # ten times that.
        self.assertEqual([shift for shift in self.browser.shifts() if shift[0] >= 0.01], [])
        return watched

    def wheel(self, way):
        def turn(_):
            self.browser.tell("Input.dispatchMouseEvent", type="mouseWheel", x=200, y=400, deltaX=0, deltaY=way * 1500)
            return self.top() >= self.height() - 1 if way > 0 else self.top() <= 0
        self.browser.wait_long(turn)

    def test_by_the_wheel_to_the_end_and_back(self):
        self.begin("phone")
        for way in (1, -1):
            self.wheel(way)
            self.wait_for_tiles()
        watched = self.check()
        self.assertGreater(watched["seen"], 0.2 * min(COUNT, 2000))

    def test_by_end_and_home(self):
        for size in ("phone", "desk"):
            self.begin(size)
            for _ in range(2):
                self.browser.key(Keys.END)
                self.browser.wait(lambda _: self.top() >= self.height() - 1)
                self.wait_for_tiles()
                self.browser.key(Keys.HOME)
                self.browser.wait(lambda _: self.top() == 0)
                self.wait_for_tiles()
            self.check()

    def test_by_the_scrubber_to_the_end_and_back(self):
        self.begin("desk")
        box = self.browser.run("return document.querySelector('#scrubber input').getBoundingClientRect().toJSON()")
        x = box["left"] + box["width"] / 2
        places = [box["top"] + 3 + (box["height"] - 6) * part / 20 for part in range(21)]
        self.browser.tell("Input.dispatchMouseEvent", type="mousePressed", x=x, y=places[0], button="left", clickCount=1)
        for y in places[1:] + places[-2::-1]:
            before = self.top()
            self.browser.tell("Input.dispatchMouseEvent", type="mouseMoved", x=x, y=y, button="left", buttons=1)
            self.browser.wait(lambda _: self.top() != before)
            self.wait_for_tiles()
            if y == places[-1]:
                self.assertGreater(self.top(), 0.9 * self.height())
        self.browser.tell("Input.dispatchMouseEvent", type="mouseReleased", x=x, y=places[0], button="left", clickCount=1)
        self.check()

    def test_the_scrubber_by_keys(self):
        self.begin("desk")
        self.browser.run("document.querySelector('#scrubber input').focus()")
        for key, is_there in ((Keys.END, lambda _: self.top() > 0.9 * self.height()), (Keys.HOME, lambda _: self.top() < 2000)):
            self.browser.key(key)
            self.browser.wait(is_there)
            self.wait_for_tiles()
        self.browser.key(Keys.ARROW_DOWN)
        self.browser.wait(lambda _: "·" in self.browser.find("#scrubber input").get_attribute("aria-valuetext"))
        self.check()

    def test_back_from_a_photo_returns_to_the_pixel(self):
        for turns, way in ((0, "history.back()"), (2, "document.querySelector('[data-back]').click()")):
            self.begin("phone")
            self.browser.run("scrollTo(0, Math.round(0.61 * (document.documentElement.scrollHeight - innerHeight)) + 7)")
            self.wait_for_tiles()
            place = self.top()
            tile = self.browser.run(
                "return [...document.querySelectorAll('.month .tile')].find((tile) => tile.getBoundingClientRect().top > 100).dataset.photo")
            top = self.browser.run(f"return document.querySelector('.month [data-photo=\"{tile}\"]').getBoundingClientRect().top")
            self.browser.run(f"document.querySelector('.month [data-photo=\"{tile}\"]').click()")
            self.browser.wait(lambda _: self.browser.path == "/photos/" + tile)
            for _ in range(turns):
                before = self.browser.path
                self.browser.settle()
                self.browser.key(Keys.ARROW_RIGHT)
                self.browser.wait(lambda _: self.browser.path != before)
            self.browser.settle()
            self.browser.run(way)
            self.browser.wait(lambda _: self.browser.path == self.path)
            self.browser.wait(lambda _: self.browser.run(
                f"return document.querySelector('.month [data-photo=\"{tile}\"]')?.getBoundingClientRect().top") == top)
            self.assertEqual(self.top(), place)


if __name__ == "__main__":
    unittest.main()
