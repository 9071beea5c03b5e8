"""A service of a later version, whose answers have further fields and values."""

import re

from growing import Growth, Proxy
from teller import TODAY, Teller


class LaterVersion(Teller):
    def things(self):
        """Something for each part of an address, by the address's first part."""
        photo = self.call("photo", id=self.add_photo(plant="grown")).value
        self.call("addActivity", {"name": "grow", "startFrom": TODAY.isoformat()}, expected=201)
        self.call("addFactor", {"name": "growth", "kind": "flag"}, expected=201)
        self.call("editLog", {"dailyLog": {"stress": 1, "factors": {"growth": True}}}, day="today")
        self.call("setMood", {"mood": "calm"}, day="today")
        self.assertEqual([one.name for one in self.call("insights").value.logs.factors], ["growth"])
        job = self.call("addJob", {"kind": "exportDiary"}, expected=202).value
        self.call("jobEvents", id=job.id)
        return {
            "entries": photo.id, "photos": photo.id, "plants": "grown", "activities": "grow", "factors": "growth", "days": "today",
            "quotes": self.call("quotes", limit=1).value.items[0].id, "jobs": job.id,
            "sources": photo.photo.source_digest, "tokens": "generated",
            "uploads": self.call("beginUpload", {"name": "a.jpg", "byteCount": 9}, expected=201).value.id}

    def reads(self, things):
        """Each operation that reads JSON, with its parameters."""
        for method, path, operation in self.description.operations():
            if method != "GET" or "application/json" not in operation["responses"]["200"].get("content", {}):
                continue
            names = re.findall(r"\{([^}]*)\}", path) + [
                one["name"] for one in operation.get("parameters", []) if one.get("in") == "query" and one.get("required")]
            yield operation["operationId"], {name: things.get(path.split("/")[1], "grown") for name in names}

    def test_answers_of_a_later_version(self):
        things = self.things()
        count = 0
        for new_kinds in (False, True):
            proxy = Proxy(self.server.address, Growth(self.description, new_kinds))
            self.addCleanup(proxy.stop)
            client = self.generator(proxy.address, self.secret)
            self.addCleanup(client.stop)
            for operation, parameters in self.reads(things):
                with self.subTest(operation, new_kinds=new_kinds):
                    self.call(operation, client=client, **parameters)
                    count += 1
            with self.subTest("addSymptom", new_kinds=new_kinds):
                sent = {"symptom": {"name": "grown", "severity": 2}}
                made = self.call("addSymptom", sent, expected=201, client=client)
                self.assertIn("addedLater", made.json)
                self.call("deleteEntry", client=client, id=made.json["id"])
        self.assertGreater(count, 50)
        self.call("deleteFactor", name="growth")
        self.call("deleteActivity", name="grow")
