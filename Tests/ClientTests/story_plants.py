"""Plants, their versions, and requests that are sent twice."""

import datetime

from answer import is_absent
from teller import YESTERDAY, Teller
from texts import LINE, LINES, NAMES, SCRIPTS


class Plants(Teller):
    def test_plants(self):
        for script, name in [*SCRIPTS.items(), ("emoji", NAMES[-1]), ("punctuation", "50 % + a/b? #1")]:
            with self.subTest(script):
                name = "P " + name
                sent = {"name": name, "scientificName": "Ocimum basilicum", "location": LINE, "notes": LINES}
                made = self.call("addPlant", sent, expected=201)
                self.assertEqual((made.value.name, made.value.notes), (name, LINES))
                read = self.call("plant", name=name).value
                self.assertEqual(
                    (read.id, read.name, read.scientific_name, read.location, read.notes, read.photo_count),
                    (made.value.id, name, "Ocimum basilicum", LINE, LINES, 0))
                edited = self.call("editPlant", {"location": None, "notes": name}, name=name).value
                self.assertTrue(is_absent(edited.location))
                self.assertEqual((edited.notes, edited.scientific_name), (name, "Ocimum basilicum"))
                deleted = self.call("deletePlant", name=name).value
                self.assertLess(abs(deleted.deleted_at - datetime.datetime.now(datetime.UTC)), datetime.timedelta(hours=1))
                self.call("plant", name=name, expected=404)
                self.assertIn(made.value.id, [plant.id for plant in self.call("plants", deleted=True).value.items])
                self.assertTrue(is_absent(self.call("restorePlant", name=made.value.id).value.deleted_at))
        self.assertLessEqual({"P " + name for name in NAMES}, {plant.name for plant in self.call("plants").value.items})

    def test_merging_plants(self):
        for name in ("one", "two"):
            self.add_photo(plant=name)
        merged = self.call("mergePlant", {"into": "two"}, name="one").value
        self.assertEqual((merged.name, merged.photo_count), ("two", 2))
        self.assertEqual(merged.first_photo_day, YESTERDAY)

    def test_versions(self):
        """Edits of an old version are refused, and what the client has is not sent again."""
        made = self.call("addPlant", {"name": "versioned"}, expected=201)
        read = self.call("plant", name="versioned")
        tag = read.headers["etag"]
        self.call("plant", name="versioned", if_none_match=tag, expected=304)
        self.call("editPlant", {"notes": "new"}, name="versioned", if_match=tag)
        refused = self.call("editPlant", {"notes": "newer"}, name="versioned", if_match=tag, expected=412)
        self.assertEqual((refused.value.code, refused.value.status), ("changed", 412))
        self.call("plant", name="versioned", if_none_match=made.headers["etag"])

    def test_idempotency(self):
        sent = {"name": "once"}
        first, second = (
            self.call("addPlant", sent, expected=201, idempotency_key="0123456789-abcdefghijkl_M") for _ in range(2))
        self.assertEqual((first.value.id, self.change(first)), (second.value.id, self.change(second)))
