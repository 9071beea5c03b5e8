"""Messages to devices, as a browser and its push service get them. They are read by `cryptography` and py-vapid, and by
http-ece where that is installed."""

import base64
import datetime
import json
import tempfile
import unittest
import urllib.error
import urllib.request

from cryptography.exceptions import InvalidTag
from push_service import Browser, PushService, text
from py_vapid import Vapid02
from server import Server

try:
    import http_ece
except ImportError:
    http_ece = None


class Push(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.push = PushService(folder.name)
        self.addCleanup(self.push.stop)
        self.browser = Browser()
        self.serve("--push-host", self.push.host, "--push-authority", self.push.authority)

    def serve(self, *options):
        self.server = Server(options=["--require-token", *options], token="phone")
        self.addCleanup(self.server.stop)
        self.server.run("settings", "set", "push.contact", "mailto:me@plants.example", "--quiet")

    def ask(self, method, path, body=None):
        """The status and the body of the API's answer."""
        request = urllib.request.Request(
            f"{self.server.address}/api/v1/{path}", method=method, data=json.dumps(body).encode() if body else None,
            headers={"Authorization": "Bearer " + self.server.secret, "Content-Type": "application/json",
                     "Accept-Language": "de-AT, en;q=0.5"})
        try:
            with urllib.request.urlopen(request, timeout=60) as answer:
                data = answer.read()
                return answer.status, json.loads(data) if data else None
        except urllib.error.HTTPError as error:
            return error.code, json.loads(error.read())

    def subscribe(self, address=None):
        status, answer = self.ask("POST", "push/key")
        self.assertEqual((status, answer["key"]), (200, self.ask("GET", "push")[1]["key"]))
        status, answer = self.ask("PUT", "push", self.browser.subscription(address or self.push.address))
        self.assertEqual((status, answer), (204, None))

    def trial(self, address=None):
        status, answer = self.ask("POST", "push/trial", {"address": address or self.push.address})
        self.assertEqual(status, 200, answer)
        return answer["outcome"], answer.get("status")

    def check(self, message):
        """Checks what the push service sees, and returns what the browser does."""
        path, headers, body = message
        self.assertEqual(path, "/push/device")
        self.assertEqual(headers["Content-Encoding"], "aes128gcm")
        self.assertEqual(headers["Urgency"], "high")
        self.assertRegex(headers["Topic"], "^[A-Za-z0-9_-]{1,32}$")
        self.assertLess(len(body), 3000)
        token, key = headers["Authorization"].removeprefix("vapid t=").split(",k=")
        self.assertEqual(key, self.ask("GET", "push")[1]["key"])
        claims = json.loads(decoded(token.split(".")[1]))
        self.assertTrue(Vapid02.verify(headers["Authorization"]))
        self.assertEqual((claims["aud"], claims["sub"]), (f"https://{self.push.host}", "mailto:me@plants.example"))
        hours = (claims["exp"] - datetime.datetime.now().timestamp()) / 3600
        self.assertTrue(0 < hours <= 24, hours)
        read = self.browser.read(body)
        if http_ece:
            other = http_ece.decrypt(body, private_key=self.browser.key, auth_secret=self.browser.secret)
            self.assertEqual(json.loads(other), read)
        self.assertEqual(read["web_push"], 8030)
        return headers, read["notification"]

    def test_the_reminder_is_read_by_its_browser_alone(self):
        self.server.run("settings", "set", "reminder.time", datetime.datetime.now().strftime("%H:%M"), "--quiet")
        self.subscribe()
        self.server.stop_process()
        self.server.start()
        headers, shown = self.check(self.push.wait(1))
        self.assertEqual(shown["title"], "Für heute sind noch 2 Sachen offen")
        self.assertEqual((shown["body"], shown["lang"], shown["navigate"][:4]), ("", "de", "http"))
        self.assertTrue(3600 < int(headers["TTL"]) <= 24 * 3600, headers["TTL"])
        other = Browser()
        with self.assertRaises(InvalidTag):
            other.read(self.push.messages[0][2])
        # Another start sends nothing more: the next message is the trial.
        self.server.stop_process()
        self.server.start()
        self.assertEqual(self.trial(), ("taken", None))
        self.assertEqual(self.check(self.push.wait(2))[1]["tag"], "trial")
        self.assertEqual(len({len(body) for _, _, body in self.push.messages}), 1)

    def test_what_a_push_service_refuses_is_told(self):
        self.subscribe()
        for answer, told in (
            ((201, {}, b""), ("taken", None)), ((403, {}, b'{"reason":"BadJwtToken"}'), ("refused", 403)),
            ((302, {"Location": self.push.address + "/again"}, b""), ("refused", 302)),
            ((503, {}, b""), ("failed", None)), ((201, {}, b"x" * 1_000_000), ("failed", None)),
        ):
            self.push.answer = answer
            self.assertEqual(self.trial(), told)
        self.assertEqual({path for path, _, _ in self.push.messages}, {"/push/device"})
        self.push.answer = (410, {}, b"")
        self.assertEqual(self.trial(), ("gone", None))
        self.assertEqual(self.ask("POST", "push/trial", {"address": self.push.address})[0], 404)
        self.assertEqual(self.ask("GET", "push")[1]["deviceCount"], 0)

    def test_a_certificate_of_somebody_else_is_not_trusted(self):
        self.server.stop()
        self.serve("--push-host", self.push.host)
        self.subscribe()
        self.assertEqual(self.trial(), ("failed", None))
        self.assertEqual(self.push.messages, [])

    def test_only_public_addresses_are_reached(self):
        for address in ("https://127.0.0.1/x", "https://localhost/x", "https://10.0.0.1/x", "https://[::1]/x"):
            self.subscribe(address)
            self.assertEqual(self.trial(address), ("failed", None), address)
        for address in (
            "http://push.example/x", "https://push.example:8443/x", "https://me@push.example/x", "https://push.example/x#y",
            "ftp://push.example/x", "https:///x", "https://push.example\\@127.0.0.1/x", "https://push.example/" + "x" * 1000,
        ):
            status, answer = self.ask("PUT", "push", self.browser.subscription(address))
            self.assertEqual((status, answer["code"]), (400, "invalidRequest"), address)
        for key in ("publicKey", "secret"):
            status, _ = self.ask("PUT", "push", {**self.browser.subscription(self.push.address), key: text(b"x" * 16)[:-2]})
            self.assertEqual(status, 400, key)

    def test_without_a_contact_nothing_is_sent(self):
        self.server.run("settings", "set", "push.contact", "", "--quiet")
        self.subscribe()
        status, answer = self.ask("POST", "push/trial", {"address": self.push.address})
        self.assertEqual(answer["code"], "conflict", status)
        self.assertEqual(self.push.messages, [])


def decoded(part):
    return base64.urlsafe_b64decode(part + "=" * (-len(part) % 4))


if __name__ == "__main__":
    unittest.main()
