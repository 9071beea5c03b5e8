#!/usr/bin/env python3
"""Draw the README's picture, tour.png: the thumbnails of Photos/ as an import made them, in order of
time. Draw the manual's pictures: compare.jpg, what `leaflog compare` makes of the first and the last
photo of one plant, and quote.jpg, what `leaflog quote share` makes of a day's quote.

    pip install pillow                     # 10.1 or newer
    swift build -c release --product leaflog
    python3 Fixtures/make-tour.py          # or: make-tour.py path/to/leaflog
"""

import json
import subprocess
import sys
import tempfile
from datetime import date
from pathlib import Path

from PIL import Image, ImageDraw, ImageFont, ImageOps

ROOT = Path(__file__).resolve().parent
MANUAL = ROOT.parent / "Sources/Leaflog/Leaflog.docc"
COLUMNS, WIDTH, MARGIN, GAP = 5, 1000, 24, 14
CELL = (WIDTH - 2 * MARGIN - (COLUMNS - 1) * GAP) // COLUMNS
CAPTION = 50
PAPER, INK, FAINT = (250, 249, 245), (38, 46, 36), (122, 128, 116)
PLANT_INKS = [(46, 110, 62), (32, 96, 124), (172, 60, 38), (126, 88, 26)]


class Diary:
    """A library that has imported Photos/."""

    def __init__(self, leaflog, folder):
        self.leaflog, self.folder = leaflog, folder
        self.run("import", str(ROOT / "Photos"))

    def run(self, *arguments):
        command = [self.leaflog, *arguments, "--library", self.folder, "--json"]
        return subprocess.run(command, check=True, capture_output=True, text=True).stdout

    def entries(self, *arguments):
        return json.loads(self.run("timeline", "--oldest-first", *arguments))["entries"]

    def photos(self):
        """Every photo as `leaflog show --json` tells it, oldest first, with its thumbnail."""
        for entry in self.entries():
            photo = json.loads(self.run("show", entry["id"]))
            path = next(r["path"] for r in photo["renditions"] if r["role"] == "thumbnail")
            yield photo, Image.open(path).convert("RGB")

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
            self.run("quote", "share", "--date", day, "-o", str(path))
            image = Image.open(path).convert("RGB")
            return image.resize((800, round(800 * image.height / image.width)), Image.LANCZOS)


def square(picture):
    """The middle of a picture, as large as a cell; the lower part of an upright one: pots stand."""
    side = min(picture.size)
    left, top = (picture.width - side) // 2, (picture.height - side) * 9 // 10
    return picture.resize(
        (CELL, CELL), Image.Resampling.LANCZOS, box=(left, top, left + side, top + side))


def sheet(photos):
    rows = -(-len(photos) // COLUMNS)
    height = 2 * MARGIN + rows * (CELL + CAPTION) + (rows - 1) * GAP
    image = Image.new("RGB", (WIDTH, height), PAPER)
    pen = ImageDraw.Draw(image)
    large, small = ImageFont.load_default(16), ImageFont.load_default(13)
    plants = sorted({photo["plant"]["name"] for photo, _ in photos})
    corners = Image.new("L", (CELL, CELL))
    ImageDraw.Draw(corners).rounded_rectangle((0, 0, CELL - 1, CELL - 1), 8, fill=255)
    for index, (photo, picture) in enumerate(photos):
        row, column = divmod(index, COLUMNS)
        x, y = MARGIN + column * (CELL + GAP), MARGIN + row * (CELL + CAPTION + GAP)
        image.paste(square(picture), (x, y), corners)
        plant, day = photo["plant"]["name"], date.fromisoformat(photo["localDay"])
        ink = PLANT_INKS[plants.index(plant) % len(PLANT_INKS)]
        pen.text((x + 2, y + CELL + 8), plant, ink, large)
        pen.text((x + CELL - 2, y + CELL + 10), f"day {photo['plantDay']}", INK, small, anchor="ra")
        pen.text((x + 2, y + CELL + 29), f"{day.day} {day:%B %Y}", FAINT, small)
    return image


def main():
    leaflog = sys.argv[1] if len(sys.argv) > 1 else ROOT.parent / ".build/release/leaflog"
    with tempfile.TemporaryDirectory() as folder:
        diary = Diary(str(leaflog), folder)
        # Six bits a channel: a quarter smaller, and nobody sees it.
        image = ImageOps.posterize(sheet(list(diary.photos())), 6)
        image.save(ROOT / "tour.png", optimize=True)
        diary.comparison("monstera").save(MANUAL / "compare.jpg", quality=85)
        diary.quote("2026-11-21").save(MANUAL / "quote.jpg", quality=82)


if __name__ == "__main__":
    main()
