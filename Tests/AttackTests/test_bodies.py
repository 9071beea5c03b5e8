"""Clients with a token that send large bodies."""

from case import ADDRESSES, JSON, AttackCase
from flood import head

BODY = b'{"ids":[' + b"0," * 499_990 + b"0]}"


class BodyTests(AttackCase):
    def request(self, body):
        fields = [JSON, self.bearer, f"Content-Length: {len(BODY)}", "Connection: close"]
        return head("POST", "/api/v1/entries/delete", *fields) + body

    def test_two_posters_of_a_megabyte(self):
        self.endure("2 posters of 1 MB", ADDRESSES[:1], 2, [self.request(BODY)])

    def test_bodies_that_never_end(self):
        self.endure("300 bodies of 1 MB", ADDRESSES, 300, [self.request(BODY[:-1])])
