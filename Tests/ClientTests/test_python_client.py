"""The story with a client by openapi-python-client."""

import os
import unittest

from python_client import PythonClient
from story import Story
from teller import YESTERDAY
from texts import LINE


class PythonClientStory(Story):
    generator = PythonClient

    def test_a_photo_as_it_is(self):
        """The other generator knows only one media type of a body."""
        data, line = self.picture(), LINE
        sent = self.call("addPhoto", data, expected=201, name=line + ".jpg", plant=line, notes=line, occurred_at=YESTERDAY.isoformat())
        photo = self.call("photo", id=self.parsed(sent).photo).value
        self.assertEqual((photo.original_name, photo.plant.name, photo.notes, photo.local_day), (
            line + ".jpg", line, line, YESTERDAY))
        self.assertEqual(self.call("original", id=photo.id).value, data)
        broken = self.call("addPhoto", data[:300], expected=422, name="broken.jpg").value
        self.assertEqual((broken.outcome, broken.status), ("failed", 422))

    @classmethod
    def tearDownClass(cls):
        super().tearDownClass()
        if "LEAFLOG_RECORD" in os.environ:
            cls.examples.save()
        cls.examples.check()


def load_tests(loader, _tests, _pattern):
    # The story itself has no client.
    return loader.loadTestsFromTestCase(PythonClientStory)


if __name__ == "__main__":
    unittest.main()
