"""Photos that are sent in pieces."""

import hashlib

import noise
from teller import YESTERDAY, Teller
from texts import LINE, LINES


class Uploads(Teller):
    def test_a_large_photo_in_pieces(self):
        data = noise.photo(2600, 2600)
        self.assertGreater(len(data), 20_000_000)
        sent = {
            "name": LINE + ".png", "byteCount": len(data), "sha256": hashlib.sha256(data).hexdigest(),
            "plant": LINE[:60], "notes": LINES, "occurredAt": YESTERDAY.isoformat(), "modifiedAt": YESTERDAY.isoformat() + "T09:30:00Z"}
        upload = self.call("beginUpload", sent, expected=201)
        self.assertEqual((upload.value.name, upload.value.byte_count, upload.value.offset), (sent["name"], len(data), 0))
        size = 6_000_000
        for start in range(0, len(data), size):
            piece = data[start:start + size]
            end = start + len(piece)
            answer = self.call(
                "continueUpload", piece, expected=201 if end == len(data) else 200, id=upload.value.id,
                content_range=f"bytes {start}-{end - 1}/{len(data)}")
            if end < len(data):
                self.assertEqual(self.parsed(answer).offset, end)
                self.assertEqual(self.call("upload", id=upload.value.id).value.offset, end)
                self.assertEqual(int(answer.headers["upload-offset"]), end)
        outcome = self.parsed(answer)
        self.assertEqual((outcome.outcome, outcome.source_byte_count), ("added", len(data)))
        photo = self.call("photo", id=outcome.photo).value
        self.assertEqual((photo.original_name, photo.notes, photo.local_day), (sent["name"], LINES, YESTERDAY))
        self.assertEqual((photo.photo.width, photo.photo.height), (2600, 2600))
        self.assertEqual(self.call("original", id=outcome.photo).value, data)

    def test_an_upload_that_is_given_up(self):
        upload = self.call("beginUpload", {"name": "a.jpg", "byteCount": 1000}, expected=201).value
        refused = self.call("continueUpload", b"abc", expected=409, id=upload.id, content_range="bytes 5-7/1000")
        self.assertEqual(refused.headers["upload-offset"], "0")
        self.call("removeUpload", expected=204, id=upload.id)
        self.call("upload", expected=404, id=upload.id)

    def test_an_upload_without_a_last_piece(self):
        """The request without a body, for a server that died before the import."""
        upload = self.call("beginUpload", {"name": "a.jpg", "byteCount": 1000}, expected=201).value
        self.call("continueUpload", b"", expected=409, id=upload.id, content_range="bytes */1000")
