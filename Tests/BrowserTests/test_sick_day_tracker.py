"""The flows of requirements/sickday-tracker.txt, each with its row in the catalog."""

import datetime
import unittest

from case import Case


def day(ago):
    return str(datetime.date.today() - datetime.timedelta(days=ago))


class SickDayTracker(Case):
    def episodes(self):
        return self.server.json("episode", "list")["items"]

    def jobs(self):
        return self.server.api("jobs")["items"]

    def test_today_one_log_a_day_with_every_field(self):
        self.go("/")
        self.browser.press("Log today")
        self.browser.set(
            sleepHours="7.25", sleepQuality=4, stress=2, exerciseMinutes="30", exerciseType="yoga", sugar="low",
            alcohol="none", officeDay="true", sickContact="false", humidifier="true", notes="a calm day")
        self.browser.submit("#log button.primary")
        entry = self.server.json("today")["dailyLog"]
        self.assertEqual(entry["dailyLog"], {
            "sleepHours": 7.25, "sleepQuality": 4, "stress": 2, "exerciseMinutes": 30, "exerciseType": "yoga",
            "sugar": "low", "alcohol": "none", "officeDay": True, "sickContact": False, "humidifier": True})
        self.assertEqual(entry["notes"], "a calm day")
        # The day's existing log is opened again, and a field can be unset: not recorded differs from no.
        self.go("/log")
        self.browser.set(stress=5, sickContact="")
        self.browser.submit()
        entry = self.server.json("today")["dailyLog"]
        self.assertEqual(entry["dailyLog"]["stress"], 5)
        self.assertNotIn("sickContact", entry["dailyLog"])

    def test_today_shows_the_streak_and_the_active_episode(self):
        for ago in (3, 2, 1):
            self.server.run("log", "set", "--stress", "1", "--on", day(ago), "--quiet")
        self.server.run("episode", "add", "--type", "sinus", "--from", day(2), "--quiet", "--yes")
        self.go("/")
        self.assertRegex(self.browser.text(), r"\d days in a row")
        self.browser.press("Well again")
        self.browser.wait(lambda _: all("endDay" in entry["episode"] for entry in self.episodes()))

    def test_episodes_with_all_fields_and_an_overlap_that_is_meant(self):
        before = len(self.episodes())
        for meant in (False, True):
            self.go("/episodes/new")
            self.browser.set(
                type="cold", startDay=day(60), endDay=day(55), symptoms=["cough", "fever"], severity=3, worstTime="night",
                mucus="clear", medications="Ibuprofen, Tea", doctorVisit="Dr. Green", testResult="negative",
                notes="from the train")
            self.browser.submit()
            if meant:
                self.assertEqual(len(self.episodes()), before + 1, "it overlaps, which is said")
                self.browser.submit("button[name=allowOverlap]")
        self.assertEqual(len(self.episodes()), before + 2)
        episode = next(entry for entry in self.episodes() if entry.get("notes") == "from the train")["episode"]
        self.assertEqual(sorted(episode["symptoms"]), ["cough", "fever"])
        for field, value in {
            "type": "cold", "severity": 3, "worstTime": "night", "mucus": "clear", "medications": ["Ibuprofen", "Tea"],
            "doctorVisit": "Dr. Green", "testResult": "negative", "endDay": day(55)}.items():
            self.assertEqual(episode[field], value)

    def test_insights_compare_without_advice(self):
        self.server.run("log", "set", "--stress", "4", "--sleep-hours", "6", "--on", day(32), "--quiet")
        self.server.run("episode", "add", "--type", "fever", "--from", day(30), "--to", day(28), "--quiet", "--yes")
        self.go("/insights")
        for period in ("30 days", "90 days", "365 days"):
            self.assertIn(period, self.browser.text())
        self.browser.press("365 days")
        self.browser.wait(lambda _: "Fever" in self.browser.text())
        self.assertIn("advice", self.browser.text())

    def test_settings_export_the_pdf_and_the_tables(self):
        self.server.run("log", "set", "--stress", "4", "--on", day(5), "--quiet")
        for button, kind in (("PDF", "report"), ("Logs", "csv")):
            self.go("/insights")
            self.browser.press(button, within="section[@aria-labelledby='take-title']")
            self.browser.wait(lambda _: any(
                job["kind"] == kind and job["state"] == "done" for job in self.jobs()))

    def test_settings_say_privacy_and_disclaimer(self):
        self.go("/me/about")
        for word in ("device", "medical"):
            self.assertIn(word, self.browser.text().lower().replace("machine", "device"))


class SickDayTrackerWithoutScripts(SickDayTracker):
    scripts = False


if __name__ == "__main__":
    unittest.main()
