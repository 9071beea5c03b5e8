"""Names, notes, tags and metadata that would run as scripts if they were not escaped."""

import contextlib
import datetime
import tempfile
import unittest

import pictures
from case import Case
from screens import screens

TEXT = "<img src=x onerror=alert(1)>"
SCRIPT = "</textarea></script><script>alert(2)</script>\"'{{words}}"
SIDECAR = """<?xpacket begin="" id="W5M0MpCehiHzreSzNTczkc9d"?><x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF
xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description rdf:about="" xmlns:dc="http://purl.org/dc/elements/1.1/">
<dc:description><rdf:Alt><rdf:li xml:lang="x-default">&lt;img src=x onerror=alert(3)&gt;</rdf:li></rdf:Alt></dc:description>
<dc:subject><rdf:Bag><rdf:li>&lt;img src=x onerror=alert(4)&gt;</rdf:li></rdf:Bag></dc:subject>
</rdf:Description></rdf:RDF></x:xmpmeta><?xpacket end="w"?>"""


@contextlib.contextmanager
def hostile_file():
    """A drawing with scripts in it and in its name."""
    with tempfile.TemporaryDirectory() as folder:
        path = f"{folder}/<img src=x onerror=alert(5)>.svg"
        with open(path, "w") as file:
            file.write("<svg xmlns='http://www.w3.org/2000/svg' onload='alert(6)'><script>alert(7)</script></svg>")
        yield path


class HostileTexts(Case):
    def check(self, path):
        self.go(path)
        self.assertEqual(self.browser.all("img[src=x]"), [], path)
        self.assertEqual(self.browser.run("return [...document.scripts].filter((script) => !script.src && script.type !== 'speculationrules').length"), 0)
        self.assertEqual(self.browser.complaints(), [], path)

    def test_on_every_screen(self):
        server = self.server
        now = datetime.datetime.now() - datetime.timedelta(hours=1)
        with tempfile.TemporaryDirectory() as folder:
            for name, number in ((TEXT.replace("/", ""), 1), ("plain", 2)):
                with open(f"{folder}/{name}.jpg", "wb") as file:
                    file.write(pictures.photo(now - datetime.timedelta(minutes=number), number, TEXT if number == 1 else None))
            with open(f"{folder}/plain.jpg.xmp", "w") as file:
                file.write(SIDECAR)
            server.run("import", "--quiet", "--plant", TEXT, folder)
        for kind, more in (("symptom", ["--severity", "mild", "--tag", TEXT]), ("activity", [])):
            server.run(kind, "add", TEXT, "--note", SCRIPT, *more, "--quiet")
        server.run("activity", "done", TEXT, "--note", SCRIPT, "--quiet")
        server.run("quote", "add", TEXT, "--author", SCRIPT, "--quiet")
        server.run("episode", "add", "--type", "cold", "--from", "yesterday", "--note", SCRIPT, "--quiet", "--yes")
        server.run("log", "set", "--stress", "2", "--note", SCRIPT, "--quiet")
        server.run("settings", "set", "report.name", TEXT, "--quiet")
        server.run("plant", "edit", TEXT, "--location", TEXT, "--scientific-name", SCRIPT, "--note", SCRIPT, "--quiet")
        photo = server.entries("photo")[0]
        server.run("photo", "edit", photo["id"], "--tag", TEXT, "--note", SCRIPT, "--quiet")
        deleted = server.entries("photo")[1]["id"]
        for _, path in screens(server, word="img"):
            self.check(path)
        for entry in server.entries("photo"):
            self.check("/photos/" + entry["id"])
            self.check(f"/photos/{entry['id']}/edit")
        server.run("photo", "delete", deleted, "--quiet", "--yes")
        self.check("/me/trash")
        self.go("/timeline")
        self.assertIn(TEXT, self.browser.text())

    def test_a_file_by_such_a_name(self):
        with hostile_file() as path:
            self.go("/add")
            self.browser.find("#photos").send_keys(path)
            self.browser.wait(lambda _: "onerror=alert(5)" in self.browser.find("#picked").text)
            self.browser.click("#save")
            self.browser.wait(lambda _: "onerror=alert(5)" in self.browser.find("#queue").text and "Waiting" not in self.browser.find("#queue").text and "Sending" not in self.browser.find("#queue").text)
            self.assertEqual(self.browser.all("img[src=x]"), [])


class HostileTextsWithoutScripts(Case):
    scripts = False

    def test_a_file_by_such_a_name(self):
        with hostile_file() as path:
            self.go("/add")
            self.browser.find("#photos").send_keys(path)
            self.browser.submit("#save")
            self.assertIn("onerror=alert(5)", self.browser.text())
            self.assertEqual(self.browser.all("img[src=x]"), [])


if __name__ == "__main__":
    unittest.main()
