"""A server that requires a token, attacked by others while somebody uses it."""

import os
import sys
import tempfile
import unittest

from flood import Attack
from probe import ask, watch
from server import Server, photo

# Thorough runs are long, and judge times strictly.
IS_LONG = "LEAFLOG_LONG_TESTS" in os.environ
SECONDS = 45 if IS_LONG else 2
ADDRESSES = [f"127.0.0.{number}" for number in range(1, 11)]
JSON = "Content-Type: application/json"


class Attacked(Server):
    """A service with a token, and options of its own."""

    def start(self):
        self.secret = self.run("token", "add", "phone", "--quiet").strip()
        super().start()
        self.port = int(self.address.rsplit(":", 1)[1])

    @property
    def memory(self):
        """Megabytes in memory."""
        with open(f"/proc/{self.process.pid}/status") as status:
            return next(int(line.split()[1]) for line in status if line.startswith("VmRSS:")) // 1024


class AttackCase(unittest.TestCase):
    options = ("--require-token",)

    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.folder.cleanup)
        cls.server = Attacked(photo("basil"), options=cls.options)
        cls.addClassCleanup(cls.server.stop)
        cls.port = cls.server.port
        cls.bearer = "Authorization: Bearer " + cls.server.secret

    def askers(self):
        return {
            "health": lambda: ask(self.port, "/healthz"),
            "timeline": lambda: ask(self.port, "/api/v1/timeline", self.bearer),
            "page": lambda: ask(self.port, "/", self.bearer),
        }

    def endure(self, name, sources, count, requests):
        """Everybody else is answered during an attack, whose memory has a limit."""
        before = self.server.memory
        askers = self.askers()
        with Attack(self.port, sources, count, requests) as attack:
            answers = watch(SECONDS, *askers.values())
            grown = self.server.memory - before
            print(f"{name}: {attack.made.value} made, memory {before} MB + {grown} MB", file=sys.stderr)
        for asked, noted in zip(askers, answers):
            print(f"  {asked}: {noted}", file=sys.stderr)
        for asked, noted in zip(askers, answers):
            # A busy machine is slow without any attack.
            share, time = (0.99, 250) if IS_LONG else (0.9, 5000)
            self.assertGreaterEqual(noted.within(time), share, f"{name}, {asked}: {noted}")
        self.assertLessEqual(grown, 160, name)
