"""The built program, serving a library of its own."""

import json
import os
import signal
import subprocess
import tempfile
import time
import urllib.request

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
LEAFLOG = os.environ.get("LEAFLOG", ROOT + "/.build/release/leaflog")

# A zone where it is about noon, so that no test runs across midnight. The program and the browser inherit it, and "today"
# is one day for them and the tests. POSIX counts hours west of Greenwich.
ZONE = f"Etc/GMT{time.gmtime().tm_hour - 12:+d}"
os.environ["TZ"] = ZONE
time.tzset()


def photo(name):
    return f"{ROOT}/Fixtures/Photos/{name}"


class Server:
    """`leaflog serve`, and the command on the same library."""

    def __init__(self, *photos, welcome=False, options=(), token=None):
        self.options = options
        self.folder = tempfile.TemporaryDirectory()
        self.library = self.folder.name + "/library"
        self.run("init", "--policy", "exact", "--time-zone", ZONE, "--quiet")
        if photos:
            self.run("import", "--quiet", *photos)
        if not welcome:
            self.run("settings", "set", "disclaimer", "acknowledged", "--quiet")
        self.secret = self.run("token", "add", token, "--quiet").strip() if token else None
        self.start()

    def start(self):
        self.process = subprocess.Popen(
            [LEAFLOG, "serve", "--port", "0", "--json", *self.options, "--library", self.library],
            stdout=subprocess.PIPE, text=True)
        self.address = json.loads(self.process.stdout.readline())["address"].rstrip("/").replace("127.0.0.1", "localhost")

    def run(self, *words):
        return subprocess.run(
            [LEAFLOG, *words, "--library", self.library], check=True, capture_output=True, text=True).stdout

    def json(self, *words):
        """The command's output with --json: a value, or a list of values if it prints one per line."""
        text = self.run(*words, "--json")
        try:
            return json.loads(text)
        except json.JSONDecodeError:
            return [json.loads(line) for line in text.splitlines()]

    def api(self, path):
        with urllib.request.urlopen(self.address + "/api/v1/" + path) as answer:
            return json.load(answer)

    def entries(self, kind):
        """The entries of a kind, newest first, as the command prints them."""
        found = self.json("timeline", "--kind", kind)
        return found["items"] if isinstance(found, dict) and "items" in found else found

    def fill(self):
        """Adds something of every kind, for the screens that show it."""
        for words in (
            ["symptom", "add", "Headache", "--severity", "mild", "--note", "after the greenhouse"],
            ["symptom", "add", "Sore throat", "--severity", "moderate"],
            ["activity", "add", "Water the basil", "--every", "4", "--plant", "basil", "--emoji", "💧",
             "--start-from", "4 days ago"],
            ["activity", "add", "Yoga", "--emoji", "🧘"], ["activity", "add", "Repot the monstera", "--plant", "monstera"],
            ["activity", "done", "Yoga"],
            ["log", "set", "--stress", "2", "--sleep-hours", "7.5"],
            ["mood", "set", "happy"], ["mood", "set", "tired", "--on", "yesterday"],
            ["quote", "add", "Adopt the pace of nature.", "--author", "Ralph Waldo Emerson"],
            ["episode", "add", "--type", "cold", "--from", "yesterday", "--note", "nothing bad"],
            ["plant", "edit", "basil", "--location", "kitchen window", "--scientific-name", "Ocimum basilicum"],
        ):
            self.run(*words, "--quiet")

    def stop_process(self):
        self.process.send_signal(signal.SIGTERM)
        self.process.wait(20)
        self.process.stdout.close()

    def stop(self):
        self.stop_process()
        self.folder.cleanup()
