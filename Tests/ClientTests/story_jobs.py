"""Jobs, tokens and sessions."""

import os

from teller import EARLIER, TODAY, Teller
from texts import NAMES


class Jobs(Teller):
    def test_tokens(self):
        for name in NAMES:
            with self.subTest(name):
                made = self.call("addToken", {"name": name}, expected=201).value
                self.assertEqual(made.name, name)
                self.assertIn((made.id, name), [(one.id, one.name) for one in self.call("tokens").value.items])
                session = self.call("beginSession", {"token": made.secret}).value
                self.assertEqual(session.token.name, name)
                self.call("endSession", expected=204)
                self.assertEqual(self.call("token", id=made.id).value.name, name)
                self.call("revokeToken", expected=204, id=made.id, undo=True)
                self.assertNotIn(made.id, [one.id for one in self.call("tokens").value.items])
        self.assertEqual(self.call("session").value.token.name, "generated")

    def test_messages_to_devices(self):
        key = self.call("makePushKey").value.key
        address = "https://127.0.0.1/push"
        # The browser of RFC 8291, section 5.
        self.call("subscribe", {
            "address": address, "secret": "BTBZMqHH6r4Tts7J_aSIgg",
            "publicKey": "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4"}, expected=204)
        self.assertEqual(self.call("push").json, {"key": key, "deviceCount": 1})
        self.call("setSetting", {"value": "mailto:me@plants.example"}, name="push.contact")
        # An address of this machine is never reached.
        self.assertEqual(self.call("tryPush", {"address": address}).json, {"outcome": "failed"})
        self.call("unsubscribe", {"address": address}, expected=204)
        self.assertEqual(self.call("push").json["deviceCount"], 0)

    def finished(self, job):
        """The job once it has ended."""
        events = self.call("jobEvents", id=job.id).value
        self.assertIn("event: end", events)
        return self.call("job", id=job.id).value

    def test_jobs(self):
        self.add_photo(plant="filmed")
        self.add_photo(plant="filmed")
        days = {"from": EARLIER.isoformat(), "to": TODAY.isoformat()}
        for sent, start in (
            ({"kind": "verify", "full": True}, None),
            ({"kind": "prune", "olderThan": "30d", "grace": "1d", "thin": "1/week", "dryRun": True}, None),
            ({"kind": "recompress", "policy": "exact", "plant": "filmed", "dryRun": True}, None),
            ({"kind": "exportDiary"}, b"{"), ({"kind": "report", **days}, b"%PDF"),
            ({"kind": "csv", "table": "symptom", **days}, b""),
            ({"kind": "timelapse", "plant": "filmed", "format": "gif", "size": 64, "fps": 2, "align": False}, b"GIF8"),
        ):
            with self.subTest(sent["kind"]):
                job = self.finished(self.call("addJob", sent, expected=202).value)
                self.assertEqual((job.kind, job.state, job.request if isinstance(job.request, dict) else job.request.to_dict()), (
                    sent["kind"], "done", sent), job)
                if start is not None:
                    data = self.call("jobResult", id=job.id).value
                    self.assertEqual((len(data), data[:len(start)]), (job.file.byte_count, start))
                again = self.call("retryJob", expected=202, id=job.id).value
                self.assertEqual(again.retry_of, job.id)
                self.assertEqual(self.finished(again).state, "done")
                self.call("removeJob", expected=204, id=again.id)
                self.assertNotIn(again.id, [one.id for one in self.call("jobs").value.items])

    def test_jobs_in_folders(self):
        """Jobs whose folder is not allowed are refused; once it is, they are done."""
        folder = self.server.folder.name + "/allowed"
        os.mkdir(folder)
        with open(folder + "/broken.jpg", "wb") as file:
            file.write(self.picture()[:999])
        for sent in ({"kind": "importFolder", "path": folder}, {"kind": "backup", "to": folder + "/backup"}):
            self.assertEqual(self.call("addJob", sent, expected=403).value.status, 403)
            self.server.run("settings", "set", "service.folders", folder)
            job = self.finished(self.call("addJob", sent, expected=202).value)
            self.assertEqual(job.state, "done", job)
            self.server.run("settings", "set", "service.folders", "")
        self.assertEqual([one.place for one in self.call("statistics").value.backups], [folder + "/backup"])
