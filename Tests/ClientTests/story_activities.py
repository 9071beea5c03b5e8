"""Recurring activities, and when they were done."""

import datetime

from answer import is_absent
from teller import BEFORE, EARLIER, TODAY, YESTERDAY, Teller
from texts import LINE, LINES, NAMES, SCRIPTS


class Activities(Teller):
    def test_activities(self):
        self.call("addPlant", {"name": "for activities"}, expected=201)
        for script, name in [*SCRIPTS.items(), ("emoji", NAMES[-1])]:
            with self.subTest(script):
                name = "A " + name
                sent = {
                    "name": name, "emoji": "👩🏽‍🌾", "category": LINE, "startFrom": EARLIER.isoformat(), "everyDays": 4,
                    "notes": LINES, "iconName": "drop", "plant": "for activities", "doneOn": [BEFORE.isoformat()]}
                made = self.call("addActivity", sent, expected=201).value
                read = self.call("activity", name=name).value
                self.assertEqual(read.id, made.id)
                self.assertEqual(
                    (read.name, read.emoji, read.category, read.start_from, read.every_days, read.notes, read.icon_name),
                    (name, "👩🏽‍🌾", LINE, EARLIER, 4, LINES, "drop"))
                self.assertEqual((read.plant.name, read.last_done, read.due_on), (
                    "for activities", BEFORE, BEFORE + datetime.timedelta(days=4)))
                edited = self.call(
                    "editActivity", {"everyDays": None, "weeklyGoal": 3, "notes": None, "plant": None}, name=name).value
                self.assertTrue(is_absent(edited.every_days) and is_absent(edited.notes) and is_absent(edited.plant))
                self.assertEqual((edited.weekly_goal, edited.category), (3, LINE))
                self.call("deleteActivity", name=name)
                self.call("activity", name=name, expected=404)

    def test_completions(self):
        made = [self.call("addActivity", {"name": name}, expected=201).value for name in ("Water", "Stretch")]
        ids = [one.id for one in made]
        done = self.call("completeActivity", {
            "days": [YESTERDAY.isoformat(), BEFORE.isoformat()], "notes": LINES, "tags": NAMES}, name="Water").value
        self.assertEqual({item.local_day for item in done.items}, {YESTERDAY, BEFORE})
        self.assertEqual({(item.kind, item.notes, item.completion.activity.id) for item in done.items}, {
            ("completion", LINES, ids[0])})
        now = self.call("completeActivity", name="Water").value
        self.assertEqual([item.local_day for item in now.items], [TODAY])
        month = self.call("activity", name="Water", month=TODAY.isoformat()[:7]).value
        self.assertTrue(month.done_today)
        self.assertIn(TODAY, month.calendar.days)
        self.assertEqual((month.completion_count, month.current_streak.count), (3, 3))
        gone = self.call("uncompleteActivity", name="Water", day=TODAY.isoformat()).value
        self.assertEqual([item.local_day for item in gone.items], [TODAY])
        self.assertEqual(self.call("activity", name="Water").value.completion_count, 2)
        self.call("deleteEntry", id=done.items[0].id)
        others = [one.id for one in self.call("activities").value.items if one.id not in ids]
        ordered = self.call("orderActivities", {"ids": [*reversed(ids), *others]}).value
        self.assertEqual([one.id for one in ordered.items][:2], ids[::-1])
