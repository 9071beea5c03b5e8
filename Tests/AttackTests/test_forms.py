"""Hostile forms: uploads that are mutated by chance, and addresses to go to that are elsewhere."""

import os
import random
import socket

from case import IS_LONG, AttackCase
from flood import head
from probe import ask
from server import photo

BOUNDARY = "frontier"


def part(name, body, *fields):
    return f'--{BOUNDARY}\r\nContent-Disposition: form-data; {name}\r\n'.encode() + b"".join(fields) + b"\r\n" + body + b"\r\n"


def mutated(form, chance):
    """The form with some bytes changed, removed, repeated or moved."""
    form = bytearray(form)
    for _ in range(chance.randint(1, 8)):
        # Most of a form is its photo; the other half of the mutations is in what stands around it.
        end = len(form) if chance.random() < 0.5 else min(len(form), 400)
        start = chance.randrange(end)
        piece = bytes(form[start:start + chance.choice((1, 2, 10, 200))])
        kind = chance.randrange(4)
        if kind == 0:
            form[start] = chance.randrange(256)
        elif kind == 1:
            del form[start:start + len(piece)]
        elif kind == 2:
            form[start:start] = piece * chance.choice((1, 3, 50))
        else:
            place = chance.randrange(end)
            form[place:place] = piece
    return bytes(form)


class FormTests(AttackCase):
    def send(self, request):
        """The head of the answer."""
        with socket.create_connection(("127.0.0.1", self.port), 30) as connection:
            try:
                connection.sendall(request)
                answer = b""
                while b"\r\n\r\n" not in answer and (piece := connection.recv(65536)):
                    answer += piece
            except ConnectionResetError:
                # It was refused before all of it was sent.
                return "HTTP/1.1 400 "
        return answer.split(b"\r\n\r\n")[0].decode("latin-1")

    def test_mutated_uploads(self):
        seed = random.randrange(1 << 32)
        chance = random.Random(seed)
        folder = photo("basil")
        with open(os.path.join(folder, min(os.listdir(folder))), "rb") as file:
            form = (part('name="plant"', b"basil") + part('name="notes"', b"green")
                    + part('name="file"; filename="a.jpg"', file.read(), b"Content-Type: image/jpeg\r\n")
                    + f"--{BOUNDARY}--\r\n".encode())
        for number in range(3000 if IS_LONG else 150):
            body = mutated(form, chance)
            fields = [self.bearer, f"Content-Type: multipart/form-data; boundary={BOUNDARY}",
                      f"Content-Length: {len(body)}", "Connection: close"]
            answer = self.send(head("POST", "/api/v1/photos", *fields) + body)
            self.assertRegex(answer, r"^HTTP/1\.1 [24]\d\d ", f"seed {seed}, form {number}")
        self.assertEqual(ask(self.port, "/healthz"), 200)
        self.assertEqual(os.listdir(self.server.library + "/uploads"), [])

    def test_redirects_stay_here(self):
        token = self.server.secret
        for back in ("//evil.example/", "https://evil.example", "/%09/evil.example", "/\\evil.example", "%2F%2Fevil"):
            body = f"token={token}&back={back}"
            fields = ["Content-Type: application/x-www-form-urlencoded", f"Content-Length: {len(body)}"]
            answer = self.send(head("POST", "/sign-in", *fields) + body.encode())
            self.assertRegex(answer, r"(?i)\r\nlocation: /(?![/\\])", back)
            self.assertNotIn("evil", answer.lower())

    def test_no_address_is_made_of_the_host(self):
        for path in ("/", "/timeline", "/sign-in", "/pair?code=x"):
            answer = self.send(head("GET", path, "Accept: text/html", "X-Forwarded-Host: evil.example"))
            self.assertNotIn("evil", answer)
            foreign = self.send(head("GET", path, "Accept: text/html", host="evil.example"))
            self.assertRegex(foreign, r"^HTTP/1\.1 421 ")
            self.assertNotIn("evil", foreign)
