"""What concerns the whole library: the timeline, tags, settings and changes."""

import datetime

from answer import field
from teller import BEFORE, TODAY, Teller
from texts import NAMES


class Library(Teller):
    def test_tags(self):
        ids = [self.call("addSymptom", {"symptom": {"name": "tagged", "severity": 1}}, expected=201).value.id for _ in range(2)]
        for name in NAMES:
            with self.subTest(name):
                tag, other = "T " + name, "U_" + name.replace(" ", "_")
                added = self.call("tagEntries", {"ids": ids, "add": [tag]}).value
                self.assertEqual([tag in one.tags for one in added.items], [True, True])
                renamed = self.call("renameTag", {"name": other}, tag=tag).value.items
                self.assertEqual([(one.count, one.last_day) for one in renamed if one.tag == other], [(2, TODAY)])
                self.assertNotIn(tag, [one.tag for one in self.call("tags").value.items])
                self.assertEqual(len(self.call("timeline", tag=[other]).value.items), 2)
                self.call("tagEntries", {"ids": ids, "remove": [other]})
                self.assertNotIn(other, [one.tag for one in self.call("tags").value.items])
        deleted = self.call("deleteEntries", {"ids": ids}).value
        self.assertEqual({one.id for one in deleted.items}, set(ids))
        restored = self.call("restoreEntries", {"ids": ids}).value
        self.assertEqual({one.id for one in restored.items}, set(ids))

    def test_spaces_in_a_query(self):
        sent = {"symptom": {"name": "spaced", "severity": 1}, "tags": ["one two", "fünf Blätter", "1+1 = 2"]}
        made = self.call("addSymptom", sent, expected=201).value
        for tag in sent["tags"]:
            self.assertEqual([one.id for one in self.call("timeline", tag=[tag]).value.items], [made.id], tag)

    def test_the_timeline(self):
        ids = [self.call("addSymptom", {"symptom": {"name": "listed", "severity": 1}, "tags": ["list"]}, expected=201).value.id
               for _ in range(3)]
        page = self.call("timeline", kind=["symptom", "mood"], tag=["list"], from_=BEFORE.isoformat(), to=TODAY.isoformat(), limit=2).value
        self.assertEqual([one.id for one in page.items], ids[:0:-1])
        following = self.call("timeline", kind=["symptom"], tag=["list"], limit=2, at=field(page, "next")).value
        self.assertEqual([one.id for one in following.items], ids[:1])
        oldest = self.call("timeline", tag=["list"], oldest_first=True).value
        self.assertEqual([one.id for one in oldest.items], ids)
        buckets = self.call("timelineBuckets", by="day", tag=["list"]).value.items
        self.assertEqual([(one.bucket, one.count) for one in buckets], [(TODAY.isoformat(), 3)])
        for name in NAMES[:-1]:
            self.call("addSymptom", {"symptom": {"name": "found", "severity": 1}, "notes": "S " + name}, expected=201)
            self.assertIn("S " + name, [one.notes for one in self.call("search", q=name).value.items], name)

    def test_overviews(self):
        self.add_photo(plant="seen")
        former = self.add_photo(plant="seen", occurredAt=TODAY.replace(year=TODAY.year - 4).isoformat())
        today = self.call("today").value
        self.assertEqual(today.day, TODAY)
        self.assertEqual([one.photos.latest[0].id for one in today.on_this_day], [former])
        self.assertEqual(self.call("insights", days=30).value.last_day, TODAY)
        statistics = self.call("statistics").value
        self.assertGreater(statistics.entries.photo, 0)
        self.assertTrue(self.call("about").value.version)
        self.assertEqual(self.call("description").json["info"]["title"], "Leaflog")

    def test_what_sending_depends_on(self):
        rules = self.call("sendingRules").value
        self.assertEqual(rules.policy, self.call("settings").value.policy)

    def test_settings(self):
        for name, value in (("report.name", NAMES[6]), ("week.start", "sunday"), ("day.end", "3")):
            with self.subTest(name):
                before = self.call("settings").json
                changed = self.call("setSetting", {"value": value}, name=name)
                self.assertEqual(getattr(changed.value, name.replace(".", "_"), None), changed.json[name])
                self.assertEqual(changed.json[name], value)
                self.call("undo", id=self.change(changed))
                self.assertEqual(self.call("settings").json, before)

    def test_commits(self):
        known = self.call("commits").value
        self.assertEqual(known.items, [])
        made = self.call("addSymptom", {"symptom": {"name": "followed", "severity": 1}}, expected=201).value
        after = self.call("commits", after=known.last).value
        self.assertEqual([(one.id, one.kind, one.fate) for one in after.items[0].entries], [(made.id, "symptom", "added")])
        self.assertEqual(self.call("commits", after=after.last).value.items, [])

    def test_changes(self):
        made = self.call("addPlant", {"name": "undone"}, expected=201)
        number = int(self.change(made))
        self.assertTrue(self.call("undo", id="last").value.undone)
        self.call("plant", name="undone", expected=404)
        self.assertFalse(self.call("redo", id=str(number)).value.undone)
        self.call("plant", name="undone")
        history = self.call("changes", limit=2).value
        self.assertEqual(len(history.items), 2)
        self.assertLess(abs(history.items[0].made_at - datetime.datetime.now(datetime.UTC)), datetime.timedelta(hours=1))
        older = self.call("changes", before=field(history, "next"), limit=1).value
        self.assertLess(older.items[0].id, history.items[1].id)
