"""What the parts of the story have in common."""

import datetime

import pictures
from case import ClientCase

# The day in the zone of the server.
TODAY = datetime.date.today()
YESTERDAY = TODAY - datetime.timedelta(days=1)
BEFORE = TODAY - datetime.timedelta(days=2)
EARLIER = TODAY - datetime.timedelta(days=20)


class Teller(ClientCase):
    # The number of photos made so far.
    number = 0

    @classmethod
    def picture(cls):
        """A small photo, taken yesterday, unlike all others."""
        Teller.number += 1
        taken = datetime.datetime.combine(YESTERDAY, datetime.time(9)) + datetime.timedelta(seconds=Teller.number)
        return pictures.photo(taken, Teller.number)

    def add_photo(self, **fields):
        """The id of a new photo, sent as one file in a form."""
        answer = self.call("addPhoto", {"file": [("IMG_1.jpg", self.picture())], **fields}, expected=201)
        return self.parsed(answer).items[0].photo

    @staticmethod
    def parsed(answer):
        """The model of an answer that may be of one of several types."""
        return getattr(answer.value, "actual_instance", answer.value)

    @staticmethod
    def change(answer):
        return answer.headers["leaflog-change"]
