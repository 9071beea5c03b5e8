"""The largest paint of the timeline of a library, beside that of a static page with the same pictures.

    .build/python/bin/python Tests/BrowserTests/measure_paint.py LIBRARY

Serves the library, saves the page and all that it shows into a folder, serves that by Python's http.server, and loads both in
turn, each time in a fresh browser; prints the medians in milliseconds.
"""

import functools
import http.server
import json
import os
import re
import statistics
import subprocess
import sys
import tempfile
import threading
import urllib.request

from browser import Browser
from server import LEAFLOG

RUNS = 5
PAINT = """
const done = arguments[0];
new PerformanceObserver((list) => done(list.getEntries().at(-1).startTime)).observe({ type: "largest-contentful-paint", buffered: true });
"""


class Static(http.server.SimpleHTTPRequestHandler):
    """The saved files, served under their full addresses."""

    def translate_path(self, path):
        return self.directory + "/" + re.sub(r"[^\w.]", "_", path)

    def guess_type(self, path):
        if not os.path.exists(path + ".type"):
            return "text/plain"
        with open(path + ".type") as file:
            return file.read()

    def log_message(self, *_):
        pass


def save(address, folder, path):
    request = urllib.request.Request(address + path, headers={"Accept-Language": "en-GB"})
    with urllib.request.urlopen(request) as answer:
        body = answer.read()
        name = folder + "/" + re.sub(r"[^\w.]", "_", path)
        with open(name, "wb") as file:
            file.write(body)
        with open(name + ".type", "w") as file:
            file.write(answer.headers["content-type"])
    return body


def paint(address):
    browser = Browser()
    try:
        browser.open("about:blank")
        browser.open(address)
        browser.settle()
        return browser.driver.execute_async_script(PAINT)
    finally:
        browser.stop()


def main():
    server = subprocess.Popen(
        [LEAFLOG, "serve", "--port", "0", "--json", "--library", sys.argv[1]], stdout=subprocess.PIPE, text=True)
    try:
        address = json.loads(server.stdout.readline())["address"].rstrip("/").replace("127.0.0.1", "localhost")
        with tempfile.TemporaryDirectory() as folder:
            page = save(address, folder, "/timeline").decode()
            addresses = set(re.findall(r'(?:src|href)="(/(?:assets|api)/[^"#]+)', page.replace("&amp;", "&").replace("&#x3D;", "=")))
            scripts = [name for name in addresses if name.endswith("leaflog.js")]
            for path in addresses:
                save(address, folder, path)
            # The static page has no scripts: they would request more from the service.
            plain = re.sub(r"<script.*?</script>", "", page)
            with open(folder + "/_timeline", "w") as file:
                file.write(plain)
            assert scripts, "the page has no scripts"
            handler = functools.partial(Static, directory=folder)
            static = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
            threading.Thread(target=static.serve_forever, daemon=True).start()
            there = f"http://localhost:{static.server_port}"
            times = {"leaflog": [], "static": []}
            for _ in range(RUNS):
                times["leaflog"].append(paint(address + "/timeline"))
                times["static"].append(paint(there + "/timeline"))
            static.shutdown()
        medians = {name: statistics.median(found) for name, found in times.items()}
        print(json.dumps({"medians": medians, "ratio": medians["leaflog"] / medians["static"], "runs": times}, indent=1))
    finally:
        server.terminate()
        server.wait(20)


if __name__ == "__main__":
    sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
    main()
