"""Photos in forms, their pictures, and their times."""

import datetime
import hashlib
import json

from answer import is_absent
from teller import TODAY, YESTERDAY, Teller
from texts import LINES, NAMES


class Photos(Teller):
    def test_photos(self):
        for name in NAMES:
            with self.subTest(name):
                data = self.picture()
                taken = YESTERDAY.isoformat() + "T08:15:30"
                sent = self.call("addPhoto", {
                    "file": [(name + ".jpg", data)], "plant": name, "notes": LINES, "occurredAt": taken, "timeZone": "Asia/Seoul",
                    "sha256": hashlib.sha256(data).hexdigest()}, expected=201)
                outcome = self.parsed(sent).items[0]
                self.assertEqual((outcome.path, outcome.plant, outcome.outcome), (name + ".jpg", name, "added"))
                read = self.call("photo", id=outcome.photo).value
                self.assertEqual((read.original_name, read.plant.name, read.notes), (name + ".jpg", name, LINES))
                self.assertEqual((read.occurred_at, read.local_day), (taken + "+09:00", YESTERDAY))
                self.assertEqual((read.photo.width, read.photo.height, read.photo.source_byte_count), (48, 64, len(data)))
                for operation in ("source", "sendSource"):
                    self.assertEqual(self.call(operation, digest=hashlib.sha256(data).hexdigest()).value.id, outcome.photo)
                edited = self.call("editEntry", {
                    "notes": name, "favourite": True, "tags": NAMES, "plant": None,
                    "occurredAt": TODAY.isoformat()}, id=outcome.photo).value
                self.assertEqual((edited.notes, edited.photo.favourite, edited.local_day), (name, True, TODAY))
                self.assertTrue(is_absent(edited.plant))
                self.assertEqual(self.call("original", id=outcome.photo).value, data)
                self.assertEqual(self.call("deleteEntry", id=outcome.photo).value.items[0].id, outcome.photo)

    def test_pictures(self):
        photo = self.call("photo", id=self.add_photo()).value
        for rendition in photo.renditions:
            operation = "thumbnail" if rendition.role == "thumbnail" else "original"
            data = self.call(operation, id=photo.id, digest=rendition.blob).value
            self.assertEqual(hashlib.sha256(data).hexdigest(), rendition.blob)
        self.assertEqual(self.call("preview", id=photo.id).value[:2], b"\xff\xd8")

    def test_several_photos_in_one_form(self):
        files = [(f"{name}.jpg", self.picture()) for name in NAMES[:3]] + [("notes.txt", b"no photo")]
        items = self.parsed(self.call("addPhoto", {"file": files})).items
        self.assertEqual([one.path for one in items], [name for name, _ in files])
        self.assertEqual([one.outcome for one in items][:3], ["added"] * 3)
        self.assertNotEqual(items[3].outcome, "added")

    def test_photos_that_are_not_taken(self):
        data = self.picture()
        self.call("addPhoto", {"file": [("a.jpg", data)]}, expected=201)
        self.call("addPhoto", {"file": [("a.jpg", data)]})
        damaged = self.parsed(self.call("addPhoto", {"file": [("b.jpg", data[:300])]}, expected=422))
        self.assertEqual((damaged.items[0].outcome, damaged.items[0].path), ("failed", "b.jpg"))

    def test_redating(self):
        photo = self.add_photo()
        before = self.call("photo", id=photo).value.occurred_at
        moved = self.call("redatePhotos", {"ids": [photo], "shiftSeconds": 3600}).value.items[0].occurred_at
        self.assertEqual(
            datetime.datetime.fromisoformat(moved) - datetime.datetime.fromisoformat(before), datetime.timedelta(hours=1))
        self.assertTrue(
            self.call("redatePhotos", {"ids": [photo], "timeZone": "Asia/Tokyo"}).value.items[0].occurred_at.endswith("+09:00"))
        back = self.call("redatePhotos", {"ids": [photo], "source": "exif"}).value.items[0].occurred_at
        self.assertEqual(back[:19], before[:19])

    def test_a_photo_prepared_elsewhere(self):
        """A photo goes to another library, as it is kept, without being made anew."""
        photo = self.call("photo", id=self.add_photo(plant=NAMES[1])).value
        bodies = {one.role: self.call("thumbnail" if one.role == "thumbnail" else "original", id=photo.id).value
                  for one in photo.renditions}
        other = self.new_server()
        client = self.new_client(other, other.run("token", "add", "generated", "--quiet").strip())
        described = {
            "name": photo.original_name, "byteCount": photo.photo.source_byte_count, "mediaType": photo.source_media_type,
            "width": photo.photo.width, "height": photo.photo.height, "captureSource": "exif", "notes": LINES, "tags": NAMES,
            "plant": photo.plant.name, "placeholder": "", "warnings": [], "readmits": False,
            "time": {"instant": 1000 * int(datetime.datetime.combine(YESTERDAY, datetime.time(9)).timestamp()), "offset": 0,
                     "basis": "zoned"},
            "renditions": [
                {"role": one.role, "sha256": one.blob, "byteCount": one.byte_count, "mediaType": one.media_type,
                 "width": one.width, "height": one.height, "recipe": one.recipe} for one in photo.renditions]}
        form = {"photo": json.dumps(described), "file": [(role, data) for role, data in bodies.items()]}
        sent = self.call("recordPrepared", form, expected=201, client=client, digest=photo.photo.source_digest)
        outcome = sent.value
        self.assertEqual((outcome.outcome, sent.headers["location"]), ("added", "/api/v1/photos/" + outcome.photo))
        read = self.call("photo", client=client, id=outcome.photo).value
        self.assertEqual((read.notes, sorted(read.tags), read.plant.name), (LINES, sorted(NAMES), NAMES[1]))
