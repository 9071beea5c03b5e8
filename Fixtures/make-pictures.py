#!/usr/bin/env python3
"""Draw the manual's pictures: compare.jpg, what `leaflog compare` makes of the first and the last photo
of one plant, and quote.jpg, what `leaflog quote share` makes of a day's quote. Draw the README's picture,
pages.webp, of screenshots that Tests/BrowserTests have left in a folder.

    pip install pillow                     # 10.1 or newer
    swift build -c release -debug-info-format none --product leaflog
    LEAFLOG_SHOTS=shots python3 Tests/BrowserTests test_screens
    python3 Fixtures/make-pictures.py shots [path/to/leaflog]
"""

import json
import subprocess
import sys
import tempfile
from pathlib import Path

from PIL import Image

ROOT = Path(__file__).resolve().parent
MANUAL = ROOT.parent / "Sources/Leaflog/Leaflog.docc"
WIDTH, GAP = 1000, 20
PAGES = ["today", "timeline", "plants-one", "photos-one", "symptoms", "activities"]


class Diary:
    """A library that has imported Photos/."""

    def __init__(self, leaflog, folder):
        self.leaflog, self.folder = leaflog, folder
        self.run("init")
        self.run("import", str(ROOT / "Photos"))

    def run(self, *arguments):
        command = [self.leaflog, *arguments, "--library", self.folder, "--json"]
        return subprocess.run(command, check=True, capture_output=True, text=True).stdout

    def entries(self, *arguments):
        return json.loads(self.run("timeline", "--oldest-first", *arguments))["items"]

    def comparison(self, plant):
        """The first photo of a plant beside its last, as wide as the other picture."""
        ids = [entry["id"] for entry in self.entries(plant)]
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "comparison.png"
            self.run("compare", ids[0], ids[-1], "-o", str(path))
            picture = Image.open(path).convert("RGB")
        height = round(WIDTH * picture.height / picture.width)
        return picture.resize((WIDTH, height), Image.Resampling.LANCZOS)

    def quote(self, day):
        """800 px wide."""
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "quote.png"
            self.run("quote", "share", "--on", day, "-o", str(path))
            image = Image.open(path).convert("RGB")
            return image.resize((800, round(800 * image.height / image.width)), Image.LANCZOS)


def sheet(folder):
    """Pages on a phone, three beside one another."""
    shots = [Image.open(f"{folder}/{name}.full.phone.en.light.png").convert("RGB") for name in PAGES]
    width, height = shots[0].size
    image = Image.new("RGB", (3 * width + 4 * GAP, 2 * height + 3 * GAP), (200, 204, 196))
    for index, shot in enumerate(shots):
        row, column = divmod(index, 3)
        image.paste(shot, (GAP + column * (width + GAP), GAP + row * (height + GAP)))
    return image


def main():
    sheet(sys.argv[1]).save(ROOT / "pages.webp", quality=80, method=6)
    leaflog = sys.argv[2] if len(sys.argv) > 2 else ROOT.parent / ".build/release/leaflog"
    with tempfile.TemporaryDirectory() as folder:
        diary = Diary(str(leaflog), folder)
        diary.comparison("monstera").save(MANUAL / "compare.jpg", quality=85)
        diary.quote("2026-11-21").save(MANUAL / "quote.jpg", quality=82)


if __name__ == "__main__":
    main()
