"""Clients without a token that hold connections, or send bodies to what is open to everybody."""

from case import ADDRESSES, JSON, AttackCase
from flood import head

DRIP = head("POST", "/api/v1/session", JSON, "Content-Length: 16000") + b"{"
# A list of many values, as much work as a body can be.
JUNK = b'{"a":[' + b"0," * 7900 + b"0]}"
SMALL = JUNK[:900] + b"0]}"


def junk(body):
    return head("POST", "/api/v1/session", JSON, f"Content-Length: {len(body)}", "Connection: close") + body


class StrangerTests(AttackCase):
    def test_bodies_that_never_come(self):
        for sources in (ADDRESSES[:1], ADDRESSES):
            self.endure(f"1,005 bodies from {len(sources)}", sources, 1005, [DRIP])

    def test_small_bodies_that_never_come(self):
        drip = DRIP.replace(b"16000", b"1000")
        for sources in (ADDRESSES[:1], ADDRESSES):
            self.endure(f"1,005 small bodies from {len(sources)}", sources, 1005, [drip])

    def test_heads_that_never_end(self):
        requests = [DRIP[:20], b"", head("GET", "/healthz"), DRIP[:-6]]
        self.endure("2,000 heads from 10", ADDRESSES, 2000, requests)

    def test_bodies_that_are_work(self):
        for sources in (ADDRESSES[:1], ADDRESSES):
            self.endure(f"32 posters from {len(sources)}", sources, 32, [junk(JUNK), junk(SMALL)])
