"""The addresses and versions of what the description lists, asked without a generated client."""

import json
import unittest
import urllib.parse
import urllib.request

from case import Case
from server import photo

# As the manual says.
VERSIONED = {"entry", "plant", "activity", "photo", "factor", "log", "mood"}
FILES = {"thumbnail", "preview", "original", "jobResult"}
OTHER = '"another"'
# The smallest bodies of requests that need one.
BODIES = {"setMood": {"mood": "happy"}, "mergePlant": {"into": "basil"}}


class Conditions(Case):
    photos = (photo("monstera"), photo("basil"))

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.server.fill()
        taken = cls.server.api("timeline?kind=photo&limit=1")["items"][0]
        job = cls.post("/jobs", {"kind": "exportDiary"})
        # The events end with the job.
        urllib.request.urlopen(f"{cls.server.address}/api/v1/jobs/{job['id']}/events", timeout=60).read()
        upload = cls.post("/uploads", {"name": "a.jpg", "byteCount": 1000})
        cls.things = {
            "entries": cls.server.entries("symptom")[0]["id"], "photos": taken["id"], "plants": "monstera",
            "activities": "Yoga", "days": "today", "quotes": cls.server.api("quotes?limit=1")["items"][0]["id"],
            "sources": taken["photo"]["sourceDigest"], "uploads": upload["id"], "jobs": job["id"], "changes": "last",
            "tags": "none", "settings": "week.start", "tokens": cls.post("/tokens", {"name": "tablet"})["id"],
            "factors": cls.post("/factors", {"name": "tea", "kind": "flag"})["id"]}

    @classmethod
    def post(cls, path, body):
        request = urllib.request.Request(
            cls.server.address + "/api/v1" + path, method="POST", data=json.dumps(body).encode(),
            headers={"Content-Type": "application/json", "Authorization": "Bearer " + cls.secret})
        with urllib.request.urlopen(request, timeout=60) as answer:
            return json.load(answer)

    def address(self, path, operation):
        """The address of something that exists."""
        filled = "/".join(
            self.things[path.split("/")[1]] if part.startswith("{") else part for part in path.split("/"))
        required = {
            parameter["name"]: "monstera" for parameter in operation.get("parameters", [])
            if parameter.get("in") == "query" and parameter.get("required")}
        return "/api/v1" + filled + ("?" + urllib.parse.urlencode(required) if required else "")

    def test_everything_that_can_be_read(self):
        tagged = set()
        for method, path, operation in self.description.operations():
            name = operation["operationId"]
            if method != "GET":
                continue
            for coding in ("identity", "gzip"):
                with self.subTest(name, coding=coding):
                    address = self.address(path, operation)
                    status, fields, _ = self.ask(address, Accept_Encoding=coding)
                    self.assertEqual(status, 200)
                    if tag := fields["ETag"]:
                        tagged.add(name)
                        self.check_conditions(address, tag, coding)
        self.assertEqual(tagged, VERSIONED | FILES)

    def check_conditions(self, address, tag, coding):
        for fields, expected in (
            ({"If_None_Match": tag}, 304), ({"If_None_Match": f"{OTHER}, {tag}"}, 304), ({"If_None_Match": "*"}, 304),
            ({"If_None_Match": OTHER}, 200), ({"If_Match": tag}, 200), ({"If_Match": "*"}, 200), ({"If_Match": OTHER}, 412),
        ):
            status, headers, body = self.ask(address, Accept_Encoding=coding, **fields)
            self.assertEqual(status, expected, fields)
            if status == 304:
                self.assertEqual(body, b"")
            if status == 304 and fields != {"If_None_Match": "*"}:
                self.assertEqual(headers["ETag"], tag)
            if status == 412:
                self.assertEqual(json.loads(body)["status"], 412)

    def test_files_in_part(self):
        for name in ("thumbnail", "original"):
            address = f"/api/v1/photos/{self.things['photos']}/{name}"
            _, fields, whole = self.ask(address)
            status, _, part = self.ask(address, Range="bytes=10-19", If_Range=fields["ETag"])
            self.assertEqual((status, part), (206, whole[10:20]))

    def test_changes_of_another_version(self):
        """Each change that can be limited to a version is refused for another."""
        before = self.server.api("changes?limit=1")
        for method, path, operation in self.description.operations():
            if method == "GET" or "#/components/parameters/If-Match" not in [
                    parameter.get("$ref") for parameter in operation.get("parameters", [])]:
                continue
            with self.subTest(operation["operationId"]):
                body = BODIES.get(operation["operationId"], {})
                status, _, body = self.ask(
                    self.address(path, operation), method, json.dumps(body).encode() if "requestBody" in operation else None,
                    Content_Type="application/json", If_Match=OTHER)
                self.assertEqual((status, json.loads(body)["code"]), (412, "changed"))
        self.assertEqual(self.server.api("changes?limit=1"), before)

    def test_what_is_made_has_an_address(self):
        for name in self.making():
            self.assertIn(name, self.with_address())

    def making(self):
        return {operation["operationId"] for _, _, operation in self.description.operations()
                if operation["responses"].keys() & {"201", "202"} and operation["operationId"] != "removeJob"}

    def with_address(self):
        return {operation["operationId"] for _, _, operation in self.description.operations()
                for status in ("201", "202") if "Location" in operation["responses"].get(status, {}).get("headers", {})}


if __name__ == "__main__":
    unittest.main()
