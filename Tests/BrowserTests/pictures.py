"""Tiny photos with their own dates and descriptions, each with different bytes."""

import base64
import datetime
import json
import os
import struct

# 48 by 64 pixels: a pale circle on leaf green.
PIXELS = base64.b64decode(
    "/9j/4AAQSkZJRgABAQAAAQABAAD/2wBDABsSFBcUERsXFhceHBsgKEIrKCUlKFE6PTBCYFVlZF9VXVtqeJmBanGQc1tdhbWGkJ6jq62rZ4C8yb"
    "qmx5moq6T/2wBDARweHigjKE4rK06kbl1upKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKT/wAARCABA"
    "ADADASIAAhEBAxEB/8QAGQABAAMBAQAAAAAAAAAAAAAAAAIEBQED/8QAIhAAAwACAQQDAQEAAAAAAAAAAAECAxEEEjFBURMhYXEy/8QAFwEBAQ"
    "EBAAAAAAAAAAAAAAAAAwACAf/EABgRAQEBAQEAAAAAAAAAAAAAAAACEQEh/9oADAMBAAIRAxEAPwDwAAYAAEgAEgscXjPO22+mV513K5tYcfxY"
    "pj0vv+mLrONTzTHhx4v8Ql++Tt44yLVyq/qJAHSM3l8T4V8kPc77eioblSqly/tNaZi3Li6l909DRWjrmIm3itZMc2vK2Yhb4fKWHcZNuX2/Cv"
    "m8U9xpA5NKluWmvaOtpJtvSXkEg2km29JeTEyV15KrWupt6LnM5aqXjxN9/uvDKIscz0dd0AAjKU3UPc05ftPQq7vXXVVrtt7Ig4gAHU//2Q==")


def photo(taken, number, description=None):
    """The bytes of a JPEG with EXIF (ImageDescription, DateTimeOriginal) and a comment that makes them unique."""
    text = (description or "").encode() + b"\0"
    date = taken.strftime("%Y:%m:%d %H:%M:%S").encode() + b"\0"
    fields = 2 if description else 1
    start = 8 + 2 + 12 * fields + 4
    private = start + (len(text) if description else 0)
    tiff = b"II*\0" + struct.pack("<IH", 8, fields)
    if description:
        tiff += struct.pack("<HHII", 0x010E, 2, len(text), start)
    tiff += struct.pack("<HHII", 0x8769, 4, 1, private) + struct.pack("<I", 0) + (text if description else b"")
    tiff += struct.pack("<HHHII", 1, 0x9003, 2, len(date), private + 18) + struct.pack("<I", 0) + date
    exif = b"Exif\0\0" + tiff
    comment = b"%09d" % number
    return (
        PIXELS[:2] + b"\xff\xe1" + struct.pack(">H", len(exif) + 2) + exif + b"\xff\xfe" + struct.pack(">H", len(comment) + 2)
        + comment + PIXELS[2:])


def many(folder, count, years):
    """Writes this many photos, spread evenly over the given years up to yesterday."""
    os.makedirs(folder)
    end = datetime.datetime.now().replace(microsecond=0) - datetime.timedelta(days=1)
    step = datetime.timedelta(days=365.25 * years) / count
    for number in range(count):
        with open(f"{folder}/{number:06}.jpg", "wb") as file:
            file.write(photo(end - number * step, number))


def diary(path, count, years):
    """Writes an export of this many entries without photos, of mixed kinds, spread over the given years up to today."""
    end = datetime.datetime.now(datetime.UTC).replace(microsecond=0)
    step = datetime.timedelta(days=365.25 * years) / count
    entries = []
    days = set()
    for number in range(count):
        time = end - number * step
        day = time.date().isoformat()
        entry = {"id": f"{number:032x}", "kind": "symptom", "occurredAt": time.isoformat()}
        if day in days or number % 2:
            entry["symptom"] = {"name": ("headache", "cough")[number // 2 % 2], "severity": number % 5 + 1, "medications": []}
            if number % 3 == 0:
                entry["notes"] = "after a long day in the greenhouse, with all of its windows closed " * (number % 4)
        else:
            days.add(day)
            entry |= {"kind": "mood", "occurredAt": day, "mood": ("happy", "tired", "calm")[number % 3]}
        entries.append(entry)
    with open(path, "w") as file:
        json.dump({"format": "leaflog-diary", "version": 1, "entries": entries}, file)
