"""An open page follows what changes elsewhere, and leaves alone what somebody is busy with."""

import unittest

from case import Case
from server import photo


class Following(Case):
    photos = (photo("basil"),)

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        for words in (
            ["activity", "add", "Water the basil", "--every", "4", "--plant", "basil", "--start-from", "5 days ago"],
            ["activity", "add", "Feed the basil", "--every", "2", "--plant", "basil", "--start-from", "3 days ago"],
            ["activity", "add", "Yoga"],
        ):
            cls.server.run(*words, "--quiet")

    def within(self, condition):
        self.browser.wait(lambda _: condition())

    def open(self, path):
        self.go(path)
        self.browser.run("globalThis.isSamePage = true")

    def row(self, name):
        return next(row for row in self.browser.all("main li.row") if name in row.text)

    def is_done(self, name):
        return "done" in self.row(name).get_attribute("class").split()

    def test_1_today_follows_ticks_symptoms_and_the_mood(self):
        self.open("/")
        self.assertFalse(self.is_done("Feed the basil"))
        order = [row.text.split("\n")[0] for row in self.browser.all("[data-care] .row")]
        self.server.run("activity", "done", "Feed the basil", "--quiet")
        self.within(lambda: self.is_done("Feed the basil"))
        self.assertIn("1 left", self.browser.text())
        self.server.run("symptom", "add", "Headache", "--severity", "mild", "--quiet")
        self.within(lambda: "Headache" in self.browser.text())
        self.server.run("mood", "set", "happy", "--quiet")
        self.within(lambda: self.browser.all("main [aria-pressed=true][value=none]") != [])
        # No row has moved, and the page is the same one.
        self.assertEqual([row.text.split("\n")[0] for row in self.browser.all("[data-care] .row")], order)
        self.assertTrue(self.browser.run("return isSamePage"))

    def test_2_what_is_typed_and_where_one_is_stays(self):
        self.open("/")
        self.browser.run("document.getElementById('log').open = true")
        self.browser.type("#log textarea", "half a sentence")
        self.browser.run("scrollTo(0, 300)")
        before = self.browser.run("return document.querySelector('#log textarea').getBoundingClientRect().top")
        self.server.run("symptom", "add", "Cough", "--severity", "mild", "--quiet")
        self.within(lambda: "Cough" in self.browser.text())
        self.assertEqual(self.browser.find("#log textarea").get_property("value"), "half a sentence")
        self.assertTrue(self.browser.run("return document.activeElement.matches('#log textarea')"))
        self.assertEqual(
            self.browser.run("return document.querySelector('#log textarea').getBoundingClientRect().top"), before)
        self.browser.run("localStorage.clear()")

    def test_3_the_care_of_a_plant_follows(self):
        plant = self.server.json("plant", "list")["items"][0]["id"]
        self.open("/plants/" + plant)
        self.assertFalse(self.is_done("Water the basil"))
        self.server.run("activity", "done", "Water the basil", "--quiet")
        self.within(lambda: self.is_done("Water the basil"))
        self.assertTrue(self.browser.run("return isSamePage"))

    def test_4_the_newest_day_of_the_timeline_follows(self):
        self.open("/timeline")
        self.server.run("symptom", "add", "Fever", "--severity", "mild", "--quiet")
        self.within(lambda: "Fever" in self.browser.find("#months .day").text)
        self.assertTrue(self.browser.run("return isSamePage"))
        # A row that is undone elsewhere goes.
        self.server.run("undo", "--quiet")
        self.within(lambda: "Fever" not in self.browser.find("#months .day").text)


if __name__ == "__main__":
    unittest.main()
