"""The flows of requirements/okie.txt, each with its row in the catalog."""

import datetime
import unittest

from case import Case


def day(ago):
    return str(datetime.date.today() - datetime.timedelta(days=ago))


class Okie(Case):
    def activity(self, name):
        return self.server.json("activity", "show", name)

    def days(self, name):
        return [
            entry["localDay"] for entry in self.server.entries("completion")
            if entry["completion"]["activity"]["name"] == name]

    def test_5_1_a_first_activity_with_an_emoji(self):
        self.go("/activities")
        self.browser.press("New activity")
        self.browser.set(
            name="Feed the cat", emoji="🐈", category="Pet", everyDays="2", weeklyGoal="3", startFrom=day(9), notes="dry food")
        self.browser.submit()
        cat = self.activity("Feed the cat")
        self.assertEqual(
            (cat["emoji"], cat["category"], cat["everyDays"], cat["startFrom"], cat["notes"]),
            ("🐈", "Pet", 2, day(9), "dry food"))
        self.assertEqual(cat["daysSince"], 9, "from the first day where it was never done")

    def test_3_1_the_check_mark_and_its_way_back(self):
        self.server.run("activity", "add", "Piano", "--quiet")
        self.go("/activities")
        tick = "//li[contains(., 'Piano')]//button[contains(@class, 'tick')]"
        for done in ([day(0)], []):
            self.browser.click(self.browser.wait(lambda driver: driver.find_element("xpath", tick)))
            self.browser.wait(lambda _: self.days("Piano") == done)
            self.browser.wait(
                lambda driver: driver.find_element("xpath", tick).get_attribute("aria-pressed") == str(bool(done)).lower())

    def test_3_1_a_tick_and_a_mood_get_a_note(self):
        self.server.run("activity", "add", "Repot", "--quiet")
        self.go("/")
        for button, note in (
                ("//li[contains(., 'Repot')]//button[contains(@class, 'tick')]", "larger pot"),
                ("//button[@value='okay']", "a quiet day")):
            self.browser.click(self.browser.wait(lambda driver: driver.find_element("xpath", button)))
            self.browser.press("Add a note", within="form[@class='toast']")
            self.browser.wait(lambda _: self.browser.path.startswith("/entries/"))
            self.browser.set(notes=note)
            self.browser.submit()
            self.browser.find("#toast form")
            self.assertEqual(self.browser.path, "/", "one is where one was")
        self.go("/activities/" + self.activity("Repot")["id"])
        self.assertIn("larger pot", self.browser.text())
        self.browser.click("li[id^=e-] a")
        self.browser.wait(lambda _: self.browser.path.startswith("/entries/"))
        self.assertEqual(self.browser.find("[name=notes]").get_attribute("value"), "larger pot")
        self.assertIn("a quiet day", [entry.get("notes") for entry in self.server.entries("mood")])

    def test_3_2_earlier_days_at_once(self):
        self.go("/activities/new")
        self.browser.set(name="Read", startFrom=day(20))
        self.browser.press("Earlier days")
        self.browser.set(doneOn=[day(0)])
        self.browser.submit()
        self.assertEqual(self.days("Read"), [day(0)])
        month = datetime.date.today().replace(day=1) - datetime.timedelta(days=1)
        self.go(f"/activities/{self.activity('Read')['id']}?month={month:%Y-%m}")
        boxes = [box.get_attribute("value") for box in self.browser.all("input[name=doneOn]:not(:disabled):not(:checked)")]
        self.assertGreaterEqual(len(boxes), 2)
        self.browser.set(doneOn=boxes[:2])
        self.browser.submit("form[action$='/days'] button.button")
        self.assertEqual(set(self.days("Read")), {day(0), *boxes[:2]})

    def test_3_3_the_days_are_shown_in_a_calendar(self):
        self.server.run("activity", "add", "Swim", "--category", "Health", "--quiet")
        self.server.run("activity", "done", "Swim", "--quiet")
        self.go("/activities")
        self.browser.press("Swim")
        self.browser.wait(lambda _: "Health" in self.browser.text())
        self.assertEqual(
            [box.get_attribute("value") for box in self.browser.all("input[name=doneOn]:checked")], [day(0)])

    def test_3_4_the_compact_list_ticks_without_leaving(self):
        self.server.run("activity", "add", "Air the room", "--quiet")
        self.server.run("activity", "reorder", "Air the room", "--to", "1", "--quiet")
        self.go("/compact")
        self.assertLessEqual(len(self.browser.all("button.tick")), 6)
        self.browser.click("li:first-child button.tick")
        self.browser.wait(lambda _: self.days("Air the room") == [day(0)])
        self.assertEqual(self.browser.path, "/compact")

    def test_5_3_editing_and_deleting(self):
        self.server.run("activity", "add", "Run", "--quiet")
        self.go("/activities/" + self.activity("Run")["id"])
        self.browser.press("Edit")
        self.browser.set(name="Run in the park", emoji="🏃")
        self.browser.submit()
        changed = self.activity("Run in the park")
        self.assertEqual(changed["emoji"], "🏃")
        self.go(f"/activities/{changed['id']}/edit")
        self.browser.submit("form[action$='/delete'] button")
        self.assertNotIn("Run in the park", [one["name"] for one in self.server.json("activity", "list")["items"]])

    def test_6_5_the_order_is_ones_own(self):
        for name in ("Last but one", "Last"):
            self.server.run("activity", "add", name, "--quiet")
        self.go("/activities")
        self.browser.press("Order")
        row = "//li[contains(., 'Last') and not(contains(., 'but one'))]//button[@value='up']"
        self.browser.click(self.browser.wait(lambda driver: driver.find_element("xpath", row)))

        def is_before(_):
            names = [one["name"] for one in self.server.json("activity", "list")["items"]]
            return names.index("Last") < names.index("Last but one")
        self.browser.wait(is_before)


class OkieWithoutScripts(Okie):
    scripts = False


if __name__ == "__main__":
    unittest.main()
