"""The flows of requirements/symptomly.txt, each with its row in the catalog."""

import datetime
import unittest

from case import Case


class Symptomly(Case):
    def symptoms(self, name):
        return [entry for entry in self.server.entries("symptom") if entry["symptom"]["name"] == name]

    def test_us1_logging_a_symptom(self):
        self.go("/")
        self.browser.press("Add a symptom")
        self.browser.set(name="Migraine", severity="severe", notes="after spicy food", medications="Ibuprofen, Tea", tags="pain")
        self.browser.submit()
        entry, = self.symptoms("Migraine")
        self.assertEqual((entry["notes"], entry["tags"]), ("after spicy food", ["pain"]))
        self.assertEqual((entry["symptom"]["severity"], entry["symptom"]["medications"]), (5, ["Ibuprofen", "Tea"]))

    def test_on_paper_a_severity_keeps_its_dots(self):
        self.server.run("symptom", "add", "Rash", "--severity", "severe", "--quiet")
        self.browser.media(("prefers-color-scheme", "dark"))
        self.browser.tell("Emulation.setEmulatedMedia", media="print")
        self.addCleanup(lambda: self.browser.tell("Emulation.setEmulatedMedia", media="", features=[]))
        self.go("/symptoms")
        dots = self.browser.run(
            "return [...document.querySelectorAll('.dots i.full')].map((dot) => getComputedStyle(dot))"
            ".map((style) => [style.printColorAdjust, style.backgroundColor])")
        self.assertEqual(set(map(tuple, dots)), {("exact", "rgb(0, 0, 0)")})
        self.assertEqual(self.browser.run("return getComputedStyle(document.body).color"), "rgb(0, 0, 0)")
        self.go("/insights")
        self.assertTrue(self.browser.find(".notice").is_displayed(), "what it is not is said on paper, too")

    def test_with_forced_colours_a_severity_keeps_its_dots(self):
        self.server.run("symptom", "add", "Hives", "--severity", "mild", "--quiet")
        self.browser.media(("forced-colors", "active"))
        self.addCleanup(lambda: self.browser.media())
        self.go("/symptoms")
        full, ground = self.browser.run(
            "return ['.dots i.full', '.card'].map((place) =>"
            " getComputedStyle(document.querySelector(place)).backgroundColor)")
        self.assertNotEqual(full, ground)

    def test_us1_the_time_may_be_changed_and_beyond_48_hours_has_to_be_meant(self):
        yesterday = datetime.datetime.now() - datetime.timedelta(days=1)
        self.go("/symptoms/new")
        self.browser.set(name="Cough", severity="mild", at=yesterday.strftime("%Y-%m-%dT09:15"))
        self.browser.submit()
        self.assertIn("T09:15", self.symptoms("Cough")[0]["occurredAt"])
        long_ago = datetime.datetime.now() - datetime.timedelta(days=10)
        self.go("/symptoms/new")
        self.browser.set(name="Old cough", severity="mild", at=long_ago.strftime("%Y-%m-%dT09:15"))
        self.browser.submit()
        self.assertEqual(self.symptoms("Old cough"), [])
        self.browser.set(allowLate="true")
        self.browser.submit()
        self.assertEqual(len(self.symptoms("Old cough")), 1)
        # The draft is gone, though the form was rejected once.
        self.go("/symptoms/new")
        self.assertEqual(self.browser.find("[name=name]").get_property("value"), "")

    def test_us2_the_day_is_shown_latest_first(self):
        for name in ("Dizzy", "Nausea"):
            self.server.run("symptom", "add", name, "--severity", "mild", "--quiet", "--note", "a snippet")
        self.go("/symptoms")
        text = self.browser.text()
        self.assertLess(text.index("Nausea"), text.index("Dizzy"))
        self.assertIn("a snippet", text)

    def test_us3_history_by_day_and_calendar(self):
        self.server.run("symptom", "add", "Stiff neck", "--severity", "mild", "--at", "yesterday", "--quiet")
        self.go("/symptoms")
        self.assertNotIn("Stiff neck", self.browser.find(".columns > div").text)
        self.browser.click("a[rel=prev]")
        self.browser.wait(lambda _: "Stiff neck" in self.browser.find(".columns > div").text)

    def test_us4_editing_and_deleting(self):
        self.server.run("symptom", "add", "Itch", "--severity", "mild", "--quiet")
        self.go("/symptoms")
        self.browser.press("Itch")
        self.browser.set(severity="moderate", notes="left arm")
        self.browser.submit()
        entry, = self.symptoms("Itch")
        self.assertEqual((entry["symptom"]["severity"], entry["notes"]), (3, "left arm"))
        self.go("/symptoms/" + entry["id"])
        self.browser.submit("main form[action$='/delete'] button")
        self.assertEqual(self.symptoms("Itch"), [])

    def test_us5_the_reminder_has_a_time_and_can_be_off(self):
        self.go("/me/reminders")
        self.browser.set(time="21:30")
        self.browser.submit("main form button.primary")
        self.assertEqual(self.server.json("settings")["reminder.time"], "21:30")
        self.go("/me/reminders")
        self.browser.click("input[name=reminder]")
        self.browser.submit("main form button.primary")
        self.assertEqual(self.server.json("settings")["reminder"], "off")

    def test_us6_names_are_suggested(self):
        for _ in range(3):
            self.server.run("symptom", "add", "Sore throat", "--severity", "mild", "--quiet")
        self.go("/symptoms/new")
        names = [option.get_attribute("value") for option in self.browser.all("#name-names option")]
        self.assertIn("Sore throat", names)
        if self.scripts:
            self.browser.press("Sore throat")
            self.assertEqual(self.browser.find("#name").get_attribute("value"), "Sore throat")

    def test_9_the_scale_is_ones_own(self):
        self.addCleanup(self.server.run, "settings", "set", "severity.scales", "mild, moderate, severe", "--quiet")
        self.go("/me/settings")
        self.browser.type("#severityScales", "faint, clear, strong, awful")
        self.browser.submit()
        self.go("/symptoms/new")
        self.assertIn("awful", self.browser.text())
        self.browser.set(name="Ringing", severity="awful")
        self.browser.submit()
        self.assertEqual(self.symptoms("Ringing")[0]["symptom"]["severityLabel"], "awful")

    def test_9_the_trend_of_a_symptom(self):
        self.server.run("symptom", "add", "Fever", "--severity", "severe", "--quiet")
        self.go("/symptoms")
        self.browser.click("a[href^='/symptoms/trend'][href*='Fever'], a[href*='trend'][href*='Fever'], a[href*='trend'][href*='fever']")
        self.browser.wait(lambda _: "Fever" in self.browser.find("h1").text)
        self.assertTrue(self.browser.all("svg.chart"))


class SymptomlyWithoutScripts(Symptomly):
    scripts = False


if __name__ == "__main__":
    unittest.main()
