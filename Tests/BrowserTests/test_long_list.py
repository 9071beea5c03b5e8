"""A plant with very many photos, and a timeline with as many entries of mixed kinds: LEAFLOG_PHOTOS sets the number, 2,000
by default."""

import base64
import os
import re
import tempfile
import unittest

import pictures
from browser import Browser
from case import Case
from selenium.webdriver.common.keys import Keys
from server import Server

COUNT = int(os.environ.get("LEAFLOG_PHOTOS", "2000"))

# In each frame: the number of nodes, and the position of every visible tile and day. One whose position on the page
# changes has jumped.
WATCH = """
const places = new Map();
globalThis.watched = { most: 0, jumps: [], frames: 0, seen: 0 };
const look = () => {
  watched.frames += 1;
  watched.most = Math.max(watched.most, document.getElementsByTagName("*").length);
  for (const tile of document.querySelectorAll(".month :is(.tile, .day)")) {
    const box = tile.getBoundingClientRect();
    if (box.bottom < 0 || box.top > innerHeight) continue;
    const place = [Math.round(box.left), Math.round(box.top + scrollY)];
    const name = tile.dataset.photo ?? tile.id;
    const before = places.get(name);
    if (before && Math.hypot(place[0] - before[0], place[1] - before[1]) > 1.5) watched.jumps.push([name, before, place]);
    places.set(name, place);
  }
  watched.seen = places.size;
  requestAnimationFrame(look);
};
look();
"""


class LongList:
    """The rules of a long list: few nodes, nothing jumps, and Back returns to the same place."""

    @classmethod
    def setUpClass(cls):
        cls.server = Server()
        cls.addClassCleanup(cls.server.stop)
        with tempfile.TemporaryDirectory() as folder:
            cls.fill(folder)
        cls.browser = Browser("phone")
        cls.addClassCleanup(cls.browser.stop)

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
            "return !there?.closest('.month') || there.closest('.tile, .title, .line, h3') || there.closest('.fill')?.childElementCount;"
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
        self.assertGreater(watched["seen"], 0.1 * min(COUNT, 2000))

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

    def scroll(self, part):
        self.browser.run("scrollTo(0, Math.round(arguments[0] * (document.documentElement.scrollHeight - innerHeight)) + 7)", part)
        self.wait_for_tiles()
        return self.top()

    def visible(self, selector):
        """The first element in sight."""
        return self.browser.run(
            "return [...document.querySelectorAll(arguments[0])].find((one) => one.getBoundingClientRect().top > 100)", selector)

    def leave(self, act):
        page = self.browser.find("html")
        act()
        self.browser.wait_until_gone(page)
        self.browser.settle()

    def expect_place(self, place):
        self.browser.wait(lambda _: self.browser.path == self.path.split("?")[0])
        self.browser.wait(lambda _: self.top() == place)
        self.wait_for_tiles()
        self.browser.settle()
        self.assertEqual(self.top(), place)

    def test_only_what_is_there_is_printed(self):
        self.begin("desk")
        self.scroll(0.55)
        pdf = base64.b64decode(self.browser.tell("Page.printToPDF", preferCSSPageSize=True)["data"])
        self.assertIn(len(re.findall(rb"/Type /Page\b", pdf)), range(1, 13), "not the room of what is not loaded")
        self.browser.tell("Emulation.setEmulatedMedia", media="print")
        self.addCleanup(lambda: self.browser.tell("Emulation.setEmulatedMedia", media=""))
        self.assertEqual(
            self.browser.run("return [...document.querySelectorAll('.bar, .scrubber, .back, .round')].filter((one) => one.checkVisibility())"),
            [])

    def test_a_photo_that_was_edited_and_one_that_was_deleted_close_to_the_pixel(self):
        self.begin("phone")
        place = self.scroll(0.55)
        length = self.browser.run("return history.length")
        tile = self.visible(".month .tile")
        photo = tile.get_attribute("data-photo")
        self.leave(tile.click)
        self.leave(lambda: self.browser.click("[data-edit]"))
        self.browser.type("textarea[name=notes]", "a new leaf")
        self.leave(lambda: self.browser.click("form.edit button.primary"))
        self.assertEqual(self.browser.path, "/photos/" + photo)
        self.browser.wait(lambda _: "a new leaf" in self.browser.text())
        self.browser.find("#toast button")
        following = self.browser.find("a[rel=next]").get_attribute("href").split("/")[-1].split("?")[0]
        self.leave(lambda: self.browser.click(".tools form[action$='/delete'] button"))
        self.assertEqual(self.browser.path, "/photos/" + following, "the next photo takes the place of the deleted one")
        self.browser.find("#toast button")
        self.leave(lambda: self.browser.run("history.back()"))
        self.expect_place(place)
        self.assertEqual(self.browser.all(f"[data-photo='{photo}']"), [], "the list shows what has changed")
        self.assertEqual(self.browser.run("return history.length"), length + 2)
        self.server.run("undo", "--quiet", "--yes")
        self.server.run("undo", "--quiet", "--yes")


class PlantWithManyPhotos(LongList, Case):
    @classmethod
    def fill(cls, folder):
        pictures.many(folder + "/fern", COUNT, years=10)
        cls.server.run("import", "--quiet", folder)
        plant, = cls.server.json("plant", "list")["items"]
        cls.path = f"/plants/{plant['id']}"


class TimelineByDays(LongList, Case):
    path = "/timeline"

    @classmethod
    def fill(cls, folder):
        pictures.many(folder + "/fern", COUNT // 2, years=5)
        pictures.diary(folder + "/diary.json", COUNT // 2, years=5)
        cls.server.run("import", "--quiet", folder + "/fern")
        cls.server.run("import-diary", "--quiet", "--yes", folder + "/diary.json")

    def test_each_part_fits_the_place_reserved_for_it(self):
        for size in ("narrow", "phone", "desk"):
            self.begin(size)
            self.browser.wait(lambda _: self.browser.run("return document.querySelector('.fill.sized > .day') !== null"))
            differences = self.browser.run(
                "return [...document.querySelectorAll('.fill.sized:has(.day)')].map((fill) =>"
                " fill.getBoundingClientRect().bottom - fill.lastElementChild.getBoundingClientRect().bottom)")
            for difference in differences:
                self.assertAlmostEqual(difference, 0, delta=1)

    def test_what_was_edited_or_added_closes_to_the_pixel(self):
        self.begin("phone")
        place = self.scroll(0.45)
        line = self.visible(".line[href^='/symptoms/']")
        entry = line.get_attribute("data-swipe")
        self.leave(line.click)
        self.browser.type("textarea[name=notes]", "worse than before")
        self.leave(lambda: self.browser.click("form.edit button.primary"))
        self.expect_place(place)
        self.assertIn("worse than before", self.browser.find(f"#e-{entry}").text)
        self.assertIn("edited", self.browser.find("#toast").text)
        # +
        self.browser.click(".bar .plus")
        self.leave(lambda: self.browser.press("Symptom", within="dialog"))
        self.browser.set(name="Sneezing", severity="mild")
        # After the skip link, the step before is the form itself.
        self.browser.run("location.hash = 'main'")
        self.leave(lambda: self.browser.click("form.edit button.primary"))
        self.expect_place(place)
        # A form that is shown again first, and one that deletes.
        self.leave(self.browser.find(f"#e-{entry}").click)
        self.browser.set(at="2999-01-01T12:00")
        self.leave(lambda: self.browser.click("form.edit button.primary"))
        self.browser.set(at=self.server.json("show", entry)["occurredAt"][:16])
        self.leave(lambda: self.browser.click("form.edit button.primary"))
        self.expect_place(place)
        self.leave(self.browser.find(f"#e-{entry}").click)
        self.leave(lambda: self.browser.click("form[action$='/delete'] button"))
        self.expect_place(place)
        self.assertEqual(self.browser.all(f"#e-{entry}"), [])

    def test_without_scripts_the_list_opens_at_the_entry(self):
        browser = self.new_browser(scripts=False)
        self.addCleanup(browser.stop)
        oldest = self.server.json("timeline", "--kind", "symptom", "--oldest-first", "--limit", "1")["items"][0]["localDay"]
        browser.open(f"{self.server.address}/timeline?month={oldest[:7]}")
        line = browser.all(".line[href^='/symptoms/']")[-1]
        entry = line.get_attribute("id")
        browser.click(line)
        browser.wait(lambda _: browser.path.startswith("/symptoms/"))
        browser.type("textarea[name=notes]", "without scripts")
        browser.submit()
        self.assertEqual(browser.path, "/timeline")
        self.assertIn("without scripts", browser.find("#" + entry).text)
        top = browser.run("return arguments[0].getBoundingClientRect().top", browser.find("#" + entry))
        self.assertTrue(0 <= top <= 844, top)

    def test_a_day_has_one_heading_that_stays_in_sight(self):
        self.begin("phone")
        self.browser.run("document.querySelectorAll('.day')[3].scrollIntoView(); scrollBy(0, 40)")
        top, name = self.browser.run(
            "const day = document.querySelectorAll('.day')[3]; const heading = day.querySelector('h3');"
            "return [heading.getBoundingClientRect().top, document.elementFromPoint(60, 20).closest('h3') === heading]")
        self.assertTrue(name)
        self.assertAlmostEqual(top, 0, delta=1)
        self.assertEqual(self.browser.run(
            "const days = [...document.querySelectorAll('.day')].map(({ id }) => id);"
            "return days.length - new Set(days).size"), 0)
        self.assertEqual(self.browser.run("return document.querySelector('.day h3').textContent"), "Today")

    def test_from_years_to_months_to_the_day_that_was_touched(self):
        self.begin("phone")
        for press, address in (("Years", "zoom=years"), (".tile:nth-of-type(2)", "zoom=months")):
            self.browser.press(press) if press[0] != "." else self.browser.click(".month " + press)
            self.browser.wait(lambda _: address in self.browser.run("return location.search"))
            self.browser.settle()
        link = self.browser.run("return [...document.querySelectorAll('.month .tile')].find((tile) => tile.getBoundingClientRect().top > 200).href")
        self.browser.run(f"document.querySelector('.month .tile[href=\"{link.replace(self.server.address, '')}\"]').click()")
        day = link.split("#d-")[1]
        self.browser.wait(lambda _: day in self.browser.run("return location.search"))
        self.browser.settle()
        top = self.browser.run(f"return document.getElementById('d-{day}').getBoundingClientRect().top")
        self.assertAlmostEqual(top, 0, delta=2)


if __name__ == "__main__":
    unittest.main()
