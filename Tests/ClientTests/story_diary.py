"""The entries of the diary: symptoms, moods, quotes, episodes and daily logs."""

from answer import field, is_absent
from teller import BEFORE, EARLIER, TODAY, YESTERDAY, Teller
from texts import LINE, LINES, NAMES, SCRIPTS


class Diary(Teller):
    def test_symptoms(self):
        for name in NAMES:
            with self.subTest(name):
                sent = {
                    "symptom": {"name": name, "severity": 2.5, "medications": NAMES},
                    "occurredAt": YESTERDAY.isoformat() + "T10:30", "notes": LINES, "tags": NAMES}
                made = self.call("addSymptom", sent, expected=201).value
                read = self.call("entry", id=made.id).value
                self.assertEqual((read.kind, read.local_day, read.occurred_at[:16]), (
                    "symptom", YESTERDAY, YESTERDAY.isoformat() + "T10:30"))
                self.assertEqual((read.symptom.name, read.symptom.severity, read.symptom.medications), (name, 2.5, NAMES))
                self.assertEqual((read.notes, sorted(read.tags)), (LINES, sorted(NAMES)))
                edited = self.call("editEntry", {
                    "symptom": {"severity": 4, "medications": None}, "notes": None, "tags": [name]}, id=made.id).value
                self.assertTrue(is_absent(edited.notes))
                self.assertEqual((edited.symptom.name, edited.symptom.severity, edited.symptom.medications), (name, 4, []))
                self.assertEqual(edited.tags, [name])
        names = self.call("symptomNames").value.items
        self.assertLessEqual(set(NAMES), {one.name for one in names})
        self.assertEqual({one.last_day for one in names if one.name in NAMES}, {YESTERDAY})
        self.assertEqual([one.name for one in self.call("symptomNames", starting_with="Фиал").value.items], [SCRIPTS["Cyrillic"]])

    def test_a_symptom_by_the_name_of_its_severity(self):
        made = self.call("addSymptom", {"symptom": {"name": "labelled", "severity": "mild"}}, expected=201).value
        self.assertEqual((made.symptom.severity, made.symptom.severity_label), (1, "mild"))

    def test_a_late_symptom_is_confirmed(self):
        sent = {"symptom": {"name": "late", "severity": 1}, "occurredAt": EARLIER.isoformat()}
        refused = self.call("addSymptom", sent, expected=409).value
        self.assertIn("allowLate", refused.detail + str(refused.remedy))
        made = self.call("addSymptom", {**sent, "allowLate": True}, expected=201).value
        self.assertEqual((made.local_day, made.symptom.severity), (EARLIER, 1))

    def test_moods(self):
        for mood in ("happy", "lonely"):
            made = self.call("setMood", {"mood": mood, "notes": LINES, "tags": NAMES}, day=YESTERDAY.isoformat()).value
            self.assertEqual((made.kind, made.mood, made.notes, made.local_day), ("mood", mood, LINES, YESTERDAY))
        read = self.call("entry", id=made.id).value
        self.assertEqual((read.mood, sorted(read.tags)), ("lonely", sorted(NAMES)))
        self.assertEqual(self.call("today", on=YESTERDAY).value.mood.id, made.id)
        self.assertEqual(self.call("mood", day=YESTERDAY.isoformat()).value.id, made.id)
        edited = self.call("editEntry", {"mood": "calm"}, id=made.id).value
        self.assertEqual((edited.mood, edited.notes), ("calm", LINES))
        self.call("deleteEntry", id=made.id)
        self.assertTrue(is_absent(self.call("today", on=YESTERDAY).value.mood))

    def test_quotes(self):
        for name in NAMES:
            with self.subTest(name):
                made = self.call("addQuote", {"text": name + LINE, "author": LINE, "source": name}, expected=201).value
                read = self.call("quote", id=made.id).value
                self.assertEqual((read.text, read.author, read.source), (name + LINE, LINE, name))
                self.assertEqual((read.origin, read.favourite), ("own", False))
                again = self.call("addQuote", {"text": name + LINE, "author": LINE, "source": name}).value
                self.assertEqual(again.id, made.id)
                kept = self.call("favouriteQuote", {"tags": [name]}, id=made.id).value
                self.assertTrue(kept.favourite)
                self.assertEqual(self.call("entry", id=kept.entry).value.tags, [name])
                self.assertFalse(self.call("unfavouriteQuote", id=made.id).value.favourite)
                self.call("deleteQuote", id=made.id)
                self.assertEqual(self.call("quotes", q=name).value.items, [])
        page = self.call("quotes", limit=3).value
        self.assertEqual(len(page.items), 3)
        self.assertNotIn(page.items[0].id, [one.id for one in self.call("quotes", limit=3, at=field(page, "next")).value.items])
        self.assertEqual(self.call("quoteOfDay", day="today").value.day, TODAY)

    def test_episodes(self):
        sent = {
            "episode": {
                "type": "cold", "endDay": YESTERDAY.isoformat(), "symptoms": ["cough", "fever"], "severity": 3, "mucus": None,
                "worstTime": "night", "medications": NAMES, "doctorVisit": LINES, "testResult": LINES},
            "occurredAt": BEFORE.isoformat(), "notes": LINES, "tags": NAMES}
        made = self.call("addEpisode", sent, expected=201).value
        read = self.call("entry", id=made.id).value
        episode = read.episode
        self.assertEqual((read.local_day, episode.end_day, read.duration_days), (BEFORE, YESTERDAY, 2))
        self.assertEqual((field(episode, "type"), sorted(episode.symptoms), episode.severity, episode.worst_time), (
            "cold", ["cough", "fever"], 3, "night"))
        self.assertEqual((episode.medications, episode.doctor_visit, episode.test_result), (NAMES, LINES, LINES))
        self.assertTrue(is_absent(episode.mucus))
        self.assertEqual((read.notes, sorted(read.tags)), (LINES, sorted(NAMES)))
        self.call("addEpisode", sent, expected=409)
        other = self.call("addEpisode", {"episode": {"type": "sinus"}, "occurredAt": YESTERDAY.isoformat(), "allowOverlap": True},
                          expected=201).value
        self.assertTrue(is_absent(other.episode.end_day))
        self.assertIn(other.id, [one.id for one in self.call("today").value.active_episodes])
        self.call("deleteEntries", {"ids": [other.id]})
        edited = self.call("editEntry", {
            "episode": {"type": "sinus", "worstTime": None, "mucus": "clear", "symptoms": []},
            "occurredAt": YESTERDAY.isoformat()}, id=made.id).value
        self.assertTrue(is_absent(edited.episode.worst_time))
        self.assertEqual((field(edited.episode, "type"), edited.episode.mucus, edited.episode.symptoms, edited.duration_days), (
            "sinus", "clear", [], 1))
        self.assertEqual([one.id for one in self.call("deleteEntry", id=made.id).value.items], [made.id])
        self.assertFalse(is_absent(self.call("entry", id=made.id).value.deleted_at))

    def test_own_fields_of_the_log(self):
        for name in NAMES:
            with self.subTest(name):
                name = "F " + name
                made = self.call("addFactor", {
                    "name": name, "kind": "number", "lowest": 0, "highest": 10, "step": 0.5, "unit": "cups"}, expected=201).value
                self.assertEqual((made.name, made.kind, made.highest, made.unit, made.value_count), (name, "number", 10, "cups", 0))
                self.assertEqual(self.call("factor", name=name).value.id, made.id)
                edited = self.call("editFactor", {"isHidden": True, "unit": None}, name=made.id).value
                self.assertTrue(edited.is_hidden and is_absent(edited.unit))
        ids = [one.id for one in self.call("factors").value.items]
        ordered = self.call("orderFactors", {"ids": ids[::-1]}).value
        self.assertEqual([one.id for one in ordered.items], ids[::-1])
        made = self.call("editLog", {"dailyLog": {"factors": {name: 2.5}}}, day=BEFORE.isoformat()).value
        self.assertEqual(field(made.daily_log, "factors") is None, False)
        for one in ids:
            self.call("deleteFactor", name=one)
        self.assertEqual(self.call("factors").value.items, [])
        self.call("deleteEntry", id=made.id)

    def test_a_daily_log(self):
        fields = {
            "sleepHours": 7.25, "sleepQuality": 4, "stress": 2, "exerciseMinutes": 45, "exerciseType": "yoga", "sugar": "low",
            "alcohol": "none", "officeDay": True, "sickContact": False, "humidifier": True}
        made = self.call("editLog", {"dailyLog": fields, "notes": LINES, "tags": NAMES}, day="today").value
        self.assertEqual(self.call("log", day="today").value.id, made.id)
        log = self.call("entry", id=made.id).value.daily_log
        self.assertEqual(
            (log.sleep_hours, log.sleep_quality, log.stress, log.exercise_minutes, log.exercise_type, log.sugar, log.alcohol),
            (7.25, 4, 2, 45, "yoga", "low", "none"))
        self.assertEqual((log.office_day, log.sick_contact, log.humidifier), (True, False, True))
        edited = self.call("editLog", {"dailyLog": {"sleepHours": 8, "sugar": None}}, day=TODAY.isoformat())
        self.assertEqual((edited.value.id, edited.value.daily_log.sleep_hours, edited.value.notes), (made.id, 8, LINES))
        self.assertTrue(is_absent(edited.value.daily_log.sugar))
        changed = self.call("editEntry", {"dailyLog": {"exerciseType": None, "alcohol": "some"}}, id=made.id).value.daily_log
        self.assertTrue(is_absent(changed.exercise_type))
        self.assertEqual((changed.alcohol, changed.stress), ("some", 2))
        self.assertEqual(self.call("today").value.daily_log.id, made.id)
        self.call("deleteEntry", id=made.id)
        self.call("undo", id=self.change(self.call("editLog", {"dailyLog": {"stress": 1}}, day="today")))
