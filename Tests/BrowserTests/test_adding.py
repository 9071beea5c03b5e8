"""Adding something from anywhere, and back again."""

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

    def test_save_is_always_in_sight(self):
        self.go("/symptoms/new")
        for y in ("0", "document.body.scrollHeight"):
            self.browser.run(f"scrollTo(0, {y})")
            box = self.browser.run("return document.querySelector('.edit .primary').getBoundingClientRect().toJSON()")
            bar = self.browser.run("return document.querySelector('.bar').getBoundingClientRect().top")
            self.assertTrue(0 <= box["top"] and box["bottom"] <= bar, (box, bar))


class AddingWithoutScripts(Adding):
    scripts = False


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
