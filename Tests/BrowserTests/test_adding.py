"""Adding something from anywhere, and back again."""

import os
import tempfile
import time
import unittest

from case import Case
from server import photo


class Adding(Case):
    photos = (photo("basil"),)

    def names(self):
        return [entry["symptom"]["name"] for entry in self.server.entries("symptom")]

    def test_plus_asks_what_to_add_and_saving_returns(self):
        self.go("/timeline?kind=symptom")
        for choice, fields in (
            ("Symptom", {"name": "Hiccups", "severity": "mild"}), ("Log", {"notes": "a long day"}), ("Plant", {"name": "Mint"}),
            ("Episode", {"type": "fever"}),
        ):
            self.browser.plus(choice)
            self.browser.wait(lambda _: "back=%2Ftimeline%3Fkind%3Dsymptom" in self.browser.run("return location.search"))
            self.browser.set(**fields)
            self.browser.submit()
            self.assertEqual(self.browser.path, "/timeline")
            self.assertIn("kind=symptom", self.browser.run("return location.search"))
            before = self.browser.find("html")
            self.browser.click("#toast button")
            self.browser.wait_until_gone(before)
            self.assertEqual(self.browser.path, "/timeline", "undoing returns, too")
        self.browser.plus("Mood")
        self.browser.submit(".mood[data-value=happy]")
        self.assertEqual(self.browser.path, "/timeline")
        self.browser.submit("#toast button")
        self.assertEqual(self.server.json("mood", "list")["items"], [])

    def test_today_shows_what_was_just_added(self):
        self.go("/")
        self.browser.plus("Symptom")
        self.browser.set(name="Itching", severity="mild")
        self.browser.submit()
        self.browser.wait(lambda _: self.browser.path == "/" and "Itching" in self.browser.find("main").text)
        self.browser.submit("#toast button")
        self.assertEqual(self.names(), [])

    def test_a_refused_form_still_returns(self):
        self.go("/plants")
        self.browser.plus("Symptom")
        self.browser.set(name="Sneezing", severity="mild", at="2020-01-02T03:04")
        self.browser.submit()
        self.browser.set(allowLate="true")
        self.browser.submit()
        self.assertEqual(self.browser.path, "/plants")
        self.browser.submit("#toast button")
        self.assertEqual(self.names(), [])

    def test_photos_are_added_from_any_time_zone(self):
        self.browser.tell("Emulation.setTimezoneOverride", timezoneId="Asia/Calcutta")
        self.addCleanup(self.browser.tell, "Emulation.setTimezoneOverride", timezoneId="")
        self.go("/add")
        self.browser.find("#photos")
        self.assertEqual(self.browser.path, "/add")

    def test_save_is_always_in_sight(self):
        self.go("/symptoms/new")
        for y in ("0", "document.body.scrollHeight"):
            self.browser.run(f"scrollTo(0, {y})")
            box = self.browser.run("return document.querySelector('.edit .primary').getBoundingClientRect().toJSON()")
            bar = self.browser.run("return document.querySelector('.bar').getBoundingClientRect().top")
            self.assertTrue(0 <= box["top"] and box["bottom"] <= bar, (box, bar))


class AddingWithoutScripts(Adding):
    scripts = False


class Twice(Case):
    """A form that is sent twice is saved once."""

    def names(self):
        return sorted(entry["symptom"]["name"] for entry in self.server.entries("symptom"))

    def tearDown(self):
        super().tearDown()
        for entry in self.server.entries("symptom"):
            self.server.run("symptom", "delete", entry["id"], "--yes", "--quiet")

    def fill(self, name):
        self.go("/symptoms/new")
        self.browser.set(name=name, severity="mild")

    def back(self):
        before = self.browser.find("html")
        self.browser.driver.back()
        self.browser.wait_until_gone(before)
        self.browser.settle()

    def test_a_double_tap(self):
        self.fill("Hiccups")
        before = self.browser.find("html")
        self.browser.run("const button = document.querySelector('.edit .primary'); button.click(); button.click();")
        self.browser.wait_until_gone(before)
        self.browser.wait(lambda _: self.browser.all("#toast form"))
        self.assertEqual(self.names(), ["Hiccups"])

    def test_back_and_save_again(self):
        self.fill("Hiccups")
        self.browser.submit()
        self.back()
        self.assertEqual(self.browser.find("#name").get_attribute("value"), "Hiccups")
        self.browser.submit()
        self.assertEqual(self.names(), ["Hiccups"])
        self.assertTrue(self.browser.all("#toast form"), "it can be undone")

    def test_a_form_that_is_opened_again_is_another(self):
        for _ in range(2):
            self.fill("Hiccups")
            self.browser.submit()
        self.assertEqual(self.names(), ["Hiccups", "Hiccups"])

    def test_other_words_after_back(self):
        self.fill("Hiccups")
        self.browser.submit()
        self.back()
        self.browser.type("#name", "Sneezing")
        self.browser.submit()
        if not self.scripts:
            self.assertEqual(self.names(), ["Hiccups"])
            row = self.browser.find("#problem tbody tr").text
            self.assertTrue("Hiccups" in row and "Sneezing" in row, row)
            self.browser.submit()
        self.assertEqual(self.names(), ["Hiccups", "Sneezing"])


class TwiceWithoutScripts(Twice):
    scripts = False


def undated(path):
    """A photo without a date of its own, whose file is from 2 March 2026."""
    with open(photo("monstera/IMG_0001.jpg"), "rb") as file:
        data = file.read()
    at, kept = 2, b"\xff\xd8"
    while data[at + 1] != 0xDA:
        end = at + 2 + int.from_bytes(data[at + 2:at + 4], "big")
        kept += b"" if data[at + 1] == 0xE1 else data[at:end]
        at = end
    with open(path, "wb") as file:
        file.write(kept + data[at:])
    # In the zone of the tests, which depends on the hour.
    os.utime(path, (time.mktime((2026, 3, 2, 12, 0, 0, 0, 0, -1)),) * 2)
    return path


class AddingPhotos(Case):
    photos = (photo("basil"),)

    def test_photos_are_added_to_a_plant_chosen_by_its_picture(self):
        count = len(self.server.entries("photo"))
        self.go("/add")
        self.assertEqual(len(self.browser.all("#add-form [type=file]")), 1)
        self.browser.find("#photos").send_keys("\n".join(photo(f"monstera/IMG_000{number}.jpg") for number in (1, 2)))
        self.browser.click(".plant-choice label:has(img)")
        self.browser.click("#save")
        self.browser.wait(lambda _: "2 photos added to “basil”" in self.browser.text())
        self.browser.wait(lambda _: len(self.browser.all(self.thumbnails)) == 2)
        self.assertIn("Add more", self.browser.text())
        self.browser.shoot("added")
        self.browser.submit("main form[action='/undo'] button")
        self.assertEqual(len(self.server.entries("photo")), count)
        self.assertEqual((self.browser.path, self.browser.all(self.thumbnails)), ("/add", []))

    thumbnails = "#queue img"

    def test_a_photo_without_a_date_says_that_the_date_is_that_of_the_file(self):
        with tempfile.TemporaryDirectory() as folder:
            self.go("/add")
            self.browser.find("#photos").send_keys(undated(folder + "/leaf.jpg"))
            if self.scripts:
                self.browser.wait(lambda _: "date of the file" in self.browser.find("#picked").text)
                self.assertEqual(self.browser.find("#picked input").get_attribute("value")[:10], "2026-03-02")
            self.browser.click("#save")
            self.browser.wait(lambda _: "1 photo added" in self.browser.text())
        if not self.scripts:
            self.assertIn("date of the file", self.browser.text())
        self.browser.submit("main form[action='/undo'] button")


class AddingPhotosWithoutScripts(AddingPhotos):
    scripts = False
    thumbnails = "main .tiles img"


class Sheet(Case):
    def test_the_sheet_is_accessible_and_closes_by_a_tap_beside_it(self):
        for size in ("narrow", "phone", "desk"):
            self.browser.resize(size)
            self.go("/")
            self.browser.click(".bar .plus")
            self.assertEqual(self.browser.violations(), [])
            first, *others = self.browser.all("#add-what a")
            self.assertTrue(all(first.size["height"] > other.size["height"] >= 44 for other in others))
            self.browser.run("document.elementFromPoint(300, 5).click()")
            self.assertEqual(self.browser.all("#add-what[open]"), [])
        self.browser.resize("phone")

    def test_suggestions_follow_what_is_typed(self):
        for name in ("Sore throat", "Headache", "Übelkeit"):
            self.server.run("symptom", "add", name, "--severity", "mild", "--quiet")
        self.go("/symptoms/new")
        self.assertEqual(len(self.browser.all("[data-suggests] .chip")), 3)
        self.browser.type("#name", "ub")
        self.browser.wait(lambda _: [chip.text for chip in self.browser.all("[data-suggests] .chip")] == ["Übelkeit"])
        self.browser.click("[data-suggests] .chip")
        self.assertEqual(self.browser.find("#name").get_attribute("value"), "Übelkeit")


if __name__ == "__main__":
    unittest.main()
