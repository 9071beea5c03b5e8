"""A suite with one server, and one client that is generated from its description."""

import sys
import tempfile
import unittest
import urllib.error
import urllib.request

from answer import is_same
from description import Description
from examples import Examples
from server import Server

# Those that the service makes for its clients.
HEADERS = {"etag", "location", "leaflog-change", "leaflog-unsent", "upload-offset"}
# Generated clients read an answer to its end, which this one has not.
ENDLESS = {"events"}


class Case(unittest.TestCase):
    """A server with a library of its own, and a token for it."""

    photos = ()

    @classmethod
    def setUpClass(cls):
        cls.server = cls.new_server(*cls.photos)
        cls.secret = cls.server.run("token", "add", "generated", "--quiet").strip()
        cls.description = Description(cls.server.api("openapi.json"))

    @classmethod
    def new_server(cls, *photos):
        server = Server(*photos)
        cls.addClassCleanup(server.stop)
        return server

    def ask(self, address, method="GET", body=None, **headers):
        """The status, header fields and body of an answer."""
        fields = {name.replace("_", "-"): value for name, value in headers.items()}
        request = urllib.request.Request(
            self.server.address + address, method=method, data=body,
            headers={"Authorization": "Bearer " + self.secret, **fields})
        try:
            answer = urllib.request.urlopen(request, timeout=60)
        except urllib.error.HTTPError as error:
            answer = error
        with answer:
            # A stream may have no end.
            body = b"" if "event-stream" in answer.headers.get("Content-Type", "") else answer.read()
            return answer.status, answer.headers, body


class ClientCase(Case):
    """Calls go through the generated client. Each answer is compared with the description."""

    generator = None

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.description.save(folder.name + "/openapi.json")
        # Both generators make one module for each tag, so that a client has to know the tag of an operation to find it.
        cls.generator.tags = {one["operationId"]: one["tags"][0] for _, _, one in cls.description.operations()}
        done = cls.generator.generate(folder.name + "/openapi.json", folder.name)
        if done.returncode != 0:
            raise AssertionError(done.stdout)
        sys.path.insert(0, folder.name)
        cls.client = cls.new_client(cls.server, cls.secret)
        cls.called = set()
        cls.examples = Examples(cls.description)

    @classmethod
    def new_client(cls, server, secret):
        client = cls.generator(server.address, secret)
        cls.addClassCleanup(client.stop)
        return client

    def call(self, operation, body=None, expected=200, client=None, **parameters):
        """The answer to a call, which has to have this status."""
        client = client or self.client
        self.called.add(operation)
        answer = client.call(operation, body, **parameters)
        if client is self.client:
            self.note_examples(operation, body, answer)
        self.assertEqual(answer.status, expected, f"{operation} {parameters}: {answer.body[:1000]}")
        if "json" in answer.headers.get("content-type", "") and not isinstance(answer.value, bytes):
            self.assertIsNotNone(answer.value, operation)
            plain = client.plain(answer.value)
            self.assertTrue(is_same(plain, answer.json), f"{operation}:\n{plain}\n{answer.json}")
        if answer.status < 400:
            self.check_headers(operation, answer)
        if answer.status in (201, 202) and "location" in answer.headers and client is self.client:
            status, _, _ = self.ask(answer.headers["location"])
            self.assertEqual(status, 200, f"{operation}: {answer.headers['location']}")
        return answer

    def note_examples(self, operation, body, answer):
        sent = self.description.operation(operation).get("requestBody", {}).get("content", {}).get("application/json")
        if sent and answer.status < 400:
            self.examples.add(body, sent["schema"])
        described = self.description.answers(operation)
        got = described.get(str(answer.status), {}).get("content", {}).get("application/json")
        if answer.status >= 400 and not got:
            got = {"schema": {"$ref": "#/components/schemas/Problem"}}
        if got and "json" in answer.headers.get("content-type", ""):
            self.examples.add(answer.json, got["schema"])

    def check_headers(self, operation, answer):
        """The answer has the headers that the description gives it, and no others of their kind."""
        described = self.description.answers(operation).get(str(answer.status))
        self.assertIsNotNone(described, f"{operation}: {answer.status} is not described")
        names = {name.lower() for name in described.get("headers", {})}
        self.assertLessEqual(HEADERS & answer.headers.keys(), names, operation)
        # The others are not in every answer.
        always = {"etag"} if answer.status in (200, 204) else names - {"leaflog-unsent"}
        self.assertLessEqual(names & always, answer.headers.keys(), operation)

    @classmethod
    def tearDownClass(cls):
        names = {operation["operationId"] for _, _, operation in cls.description.operations()}
        if missing := names - cls.called - ENDLESS:
            raise AssertionError(f"never called: {', '.join(sorted(missing))}")
