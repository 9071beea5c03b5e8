#!/usr/bin/env python3
"""Looks for metadata that a compressed copy loses without a word of it in the manual.

ExifTool writes every tag that it can write into a drawn photo of each format. Leaflog imports them, exports the
compressed copies, and ExifTool reads these. A tag that is gone has to be in the table of Policies.md, in the column `Left
out` of its format. A photo that is kept exactly loses nothing.

    pip install pillow pillow-heif
    LEAFLOG=.build/release/leaflog python3 Tests/Pictures/metadata.py

LEAFLOG names the built program; it is .build/release/leaflog by default. Needs exiftool, and cjxl for JPEG XL.
"""

import json
import math
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from xml.etree import ElementTree

import pillow_heif
from PIL import Image

ROOT = Path(__file__).resolve().parents[2]
LEAFLOG = os.path.abspath(os.environ.get("LEAFLOG", ROOT / ".build/release/leaflog"))
MANUAL = ROOT / "Sources/Leaflog/Leaflog.docc/Policies.md"

# XMP is copied as a whole; with all of its tags, none would fit into a JPEG.
GROUPS = [
    "EXIF", "IPTC", "PNG", "Photoshop", "JFIF", "XMP-dc", "XMP-xmp", "XMP-xmpRights", "XMP-photoshop", "XMP-iptcCore",
    "XMP-tiff",
]

# The rows of the manual's table.
FORMATS = {
    "jpg": "JPEG", "tif": "TIFF", "png": "PNG", "webp": "WebP", "gif": "GIF", "heic": "HEIC, AVIF",
    "avif": "HEIC, AVIF", "jxl": "JPEG XL",
}

# Tags that are gone by the manual's words: the format, the tags with their groups, and the words.
LEFT_OUT = [
    ("TIFF", r"InteropIFD:", "interoperability"),
    ("TIFF", r"ExifIFD:InteropI|ExifIFD:InteropV", "interoperability"),
    ("TIFF", r"(ExifIFD|MakerNotes|MakerUnknown|\w+):MakerNote", "maker's notes"),
    ("TIFF", r"IFD0:", "all other tags of the first directory"),
    ("TIFF", r"(IFD[1-9]|SubIFD\d*):", "further directories"),
    ("TIFF", r"Photoshop:", "Photoshop's other resources"),
    ("PNG", r"PNG(-\w+)?:(?!Title|Author|Artist|Description|Copyright|Comment)", "all other texts"),
    ("PNG", r"PNG:ModifyDate", "time of the last change"),
    ("PNG", r"Photoshop:", "Photoshop's other resources"),
    ("GIF", r"GIF:", "other application extensions"),
    ("HEIC, AVIF", r"ItemProp|Meta|UserDescription", "descriptions of items"),
]

# What the file is, and not the photo: its structure, the samples, what ExifTool makes of other tags.
STRUCTURE = re.compile(
    r"(ExifTool|System|File|Composite|ICC_Profile|ICC-\w+|Meta|ItemProp|Track\d+|QuickTime|Jpeg2000|JPEG2000|RIFF):"
    r"|(IFD0|IFD1|ExifIFD):(ImageWidth|ImageHeight|BitsPerSample|Compression|PhotometricInterpretation|StripOffsets"
    r"|SamplesPerPixel|RowsPerStrip|StripByteCounts|PlanarConfiguration|ExifByteOrder|YCbCr\w+|ExifImage\w+"
    r"|Orientation|SampleFormat|Predictor|SubfileType|OldSubfileType|TileWidth|TileLength|Thumbnail\w+)$"
    r"|PNG:(ImageWidth|ImageHeight|BitDepth|ColorType|Compression|Filter|Interlace|SRGBRendering|Gamma|WhitePoint\w"
    r"|Red\w|Green\w|Blue\w)$"
    r"|GIF:(GIFVersion|ImageWidth|ImageHeight|HasColorMap|ColorResolutionDepth|BitsPerPixel|BackgroundColor"
    r"|TransparentColor|FrameCount|Duration)$"
    r"|(JFIF|Photoshop|PNG-pHYs):(JFIFVersion|IPTCDigest|XResolution|YResolution|PixelUnits|PixelsPerUnit\w"
    r"|ResolutionUnit|Displayed\w+)$|XMP-x:XMPToolkit|XMP-tiff:Orientation$")


def run(*command):
    done = subprocess.run([str(part) for part in command], check=False, capture_output=True,
                          text=True)
    return done.stdout, done


def exiftool(*arguments):
    return run("exiftool", *arguments)


def draw(folder):
    """The same picture in each format, worth compressing."""
    side = 640
    picture = Image.new("RGB", (side, side - 128))
    picture.putdata([
        (int(128 + 60 * math.sin(x / 9) * math.cos(y / 13) + 40 * math.sin((x + y) / 5)),
         int(128 + 70 * math.sin(x / 31)), int(128 + 50 * math.cos((x - y) / 17)))
        for y in range(side - 128) for x in range(side)])
    pillow_heif.register_heif_opener()
    options = {
        "jpg": {"quality": 97}, "tif": {}, "png": {"compress_level": 1}, "webp": {"lossless": True}, "gif": {},
        "heic": {"quality": 100}, "avif": {"quality": 100},
    }
    files = {}
    for ending, given in options.items():
        (folder / ending).mkdir()
        files[ending] = folder / ending / f"photo.{ending}"
        picture.save(files[ending], **given)
    if shutil.which("cjxl"):
        (folder / "jxl").mkdir()
        files["jxl"] = folder / "jxl/photo.jxl"
        run("cjxl", files["png"], files["jxl"], "-d", "0", "--container=1")
    return files


def value(name, kind):
    """A value of a tag that no other tag has, if its type allows that."""
    if re.search(r"Date|TimeStamp|TimeCreated|CreationTime", name) and kind in ("string", "date", "?", "lang-alt"):
        return "2020:02:03 04:05:06"
    if kind.startswith(("int", "rational", "float", "double", "real", "integer", "digits", "boolean")):
        return "2"
    return f"words {name}"


def assignments():
    """One assignment to each tag that ExifTool writes and that does not describe the file itself."""
    found = {}
    for group in GROUPS:
        listed, _ = exiftool("-listx", "-f", f"-{group}:All")
        for table in ElementTree.fromstring(listed).iter("table"):
            for tag in table.iter("tag"):
                flags = set((tag.get("flags") or "").split(","))
                place = tag.get("g1") or table.get("g1")
                if tag.get("writable") != "true" or flags & {"Unsafe", "Protected", "Permanent", "Binary"}:
                    continue
                if place in ("Composite", "All", "ICC_Profile") or tag.get("type") == "struct":
                    continue
                name = tag.get("name")
                if place in GROUPS or not place.startswith("XMP"):
                    found[f"{place}:{name}"] = value(name, tag.get("type") or "?")
    found["Comment"] = "words Comment"
    return [f"-{tag}={text}" for tag, text in sorted(found.items())]


def tags(path):
    """The tags of a file with their groups and values."""
    listed, _ = exiftool("-j", "-a", "-G1", "-n", path)
    answer = json.loads(listed)[0] if listed else {}
    return {name: str(text) for name, text in answer.items() if name != "SourceFile"}


def rows():
    """The words in the manual's column `Left out`, by format."""
    lines = [line.split("|") for line in MANUAL.read_text().splitlines() if line.startswith("|")]
    return {line[1].strip(): line[3] for line in lines if len(line) == 5}


def judge(name, before, after, manual):
    """The tags of a photo that its copy lacks without a word in the manual."""
    by_name = {}
    for tag, text in after.items():
        by_name.setdefault(tag.split(":")[-1], set()).add(text)
    values = set(after.values())
    unsaid = []
    for tag, text in sorted(before.items()):
        if STRUCTURE.match(tag):
            continue
        short = tag.split(":")[-1]
        # A text counts wherever it went; a number has to be under its own name.
        if text in by_name.get(short, set()) or text.startswith("words ") and text in values:
            continue
        said = any(
            row == name and re.match(pattern, tag) and words in manual.get(row, "")
            for row, pattern, words in LEFT_OUT)
        if not said:
            unsaid.append(f"{tag} = {text[:60]} (now {sorted(by_name.get(short, set()))})")
    return unsaid


def main():
    manual = rows()
    for row, _, words in LEFT_OUT:
        assert words in manual.get(row, ""), f"Policies.md does not say “{words}” of {row}"
    isGood = True
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        files = draw(folder)
        arguments = folder / "tags.txt"
        arguments.write_text("\n".join(assignments()) + "\n")
        for path in files.values():
            # Tags that a format cannot have, and values that a tag cannot have, are skipped with a warning.
            exiftool("-m", "-n", "-q", "-q", "-overwrite_original", "-@", arguments, path)
        library, out = folder / "library", folder / "out"
        run(LEAFLOG, "--library", library, "init", "--policy", "compact")
        run(LEAFLOG, "--library", library, "import", *[path.parent for path in files.values()])
        run(LEAFLOG, "--library", library, "photo", "export", "--rendition", "master", "-o", out)
        for ending, path in files.items():
            copies = [found for found in out.glob(f"{ending}/*") if found.suffix != ".xmp"]
            if len(copies) != 1:
                print(f"{ending}: not exported")
                isGood = False
                continue
            before = tags(path)
            if copies[0].read_bytes() == path.read_bytes():
                print(f"{ending}: kept exactly, {len(before)} tags")
                continue
            unsaid = judge(FORMATS[ending], before, tags(copies[0]), manual)
            print(f"{ending}: {len(before)} tags, {len(unsaid)} of them gone without a word")
            for line in unsaid:
                print(f"  {line}")
            isGood = isGood and not unsaid
    sys.exit(0 if isGood else 1)


if __name__ == "__main__":
    main()
