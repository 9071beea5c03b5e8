#!/usr/bin/env python3
"""Measures commands on large libraries of small drawn photos: processor time and memory.

    python3 Tests/Scale/large.py .build/release/leaflog [COUNT...]

Without counts, the libraries have 15,000 and 150,000 photos, which takes about an hour: run it at night. Prints a table,
and ends with status 1 if a command takes more than 11 times as long with ten times as many photos, or more memory than
250 MB.
"""

import datetime
import os
import struct
import subprocess
import sys
import tempfile
import zlib
from pathlib import Path

PLANTS = 40
DAYS = 3650
MOST_GROWTH = 11
MOST_MEMORY = 250_000_000


def png(number):
    """A picture of 48 by 32 pixels, of which no two are the same."""
    colours = [number >> shift & 0xFF for shift in (16, 8, 0)]
    rows = b"".join(
        b"\0" + bytes((colour * (x + 1) + 5 * y) & 0xFF for x in range(48) for colour in colours)
        for y in range(32)
    )

    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    head = struct.pack(">IIBBBBB", 48, 32, 8, 2, 0, 0, 0)
    # Its number, as pictures with alike colours may have the same pixels.
    text = b"Comment\0" + str(number).encode()
    data = zlib.compress(rows, 1)
    return (
        b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"tEXt", text) + chunk(b"IDAT", data) + chunk(b"IEND", b"")
    )


def draw(folder, count):
    """Photos of ten years, with their dates as names. The first plant has two thirds of them."""
    start = datetime.datetime(2015, 1, 1, 6)
    step = datetime.timedelta(days=DAYS) / count
    for plant in range(PLANTS):
        (folder / f"plant {plant}").mkdir(parents=True)
    for number in range(count):
        plant = 0 if number % 3 else 1 + number // 3 % (PLANTS - 1)
        name = (start + step * number).strftime("%Y%m%d_%H%M%S") + f"_{number}.png"
        (folder / f"plant {plant}" / name).write_bytes(png(number))


def measured(words, environment):
    """The seconds of processor time and the bytes of memory that a command takes."""
    with tempfile.TemporaryFile() as output:
        process = subprocess.Popen(words, env=environment, stdout=subprocess.DEVNULL, stderr=output)
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode:
            output.seek(0)
            sys.exit(f"{' '.join(words[1:])} ended with {process.returncode}: {output.read().decode()[-2000:]}")
    return usage.ru_utime + usage.ru_stime, usage.ru_maxrss * 1024


def commands(base):
    changes = {
        "redate all": ["photo", "redate", "--from", "1900-01-01", "--shift", "1h"],
        "favourite all": ["photo", "favourite", "--from", "1900-01-01"],
        "merge of two thirds": ["plant", "edit", "plant 0", "--merge-into", "plant 1", "--yes"],
    }
    export = ["photo", "export", "--output", str(base / "export")]
    yield "import", ["import", str(base / "photos"), "--note", "a drawn leaf"]
    yield "import again", ["import", str(base / "photos"), "--note", "a drawn leaf"]
    yield "first page", ["timeline"]
    yield "last page", ["timeline", "--oldest-first"]
    yield "search", ["search", "leaf"]
    yield "stats", ["stats"]
    yield "verify", ["verify"]
    yield "backup", ["backup", str(base / "backup")]
    yield "export", export
    yield "export again", export
    for name, words in changes.items():
        yield name, words
        yield f"undo: {name}", ["undo"]
        yield f"redo: {name}", ["redo"]
    yield "thin", ["prune", "--thin", "1/month", "--yes"]
    yield "undo: thin", ["undo"]
    yield "redo: thin", ["redo"]
    yield "prune", ["prune", "--yes"]


def table(leaflog, count):
    figures = {}
    with tempfile.TemporaryDirectory(prefix="leaflog-large-") as folder:
        base = Path(folder)
        draw(base / "photos", count)
        environment = dict(os.environ, LEAFLOG_LIBRARY=str(base / "library"))
        for name, words in commands(base):
            figures[name] = measured([leaflog, *words], environment)
            print(f"{count:>7} {name:<26} {figures[name][0]:8.2f} s {figures[name][1] / 1e6:7.0f} MB", flush=True)
    return figures


def main():
    leaflog, *counts = sys.argv[1:]
    counts = [int(count) for count in counts] or [15_000, 150_000]
    tables = [table(leaflog, count) for count in counts]
    problems = []
    first, last = tables[0], tables[-1]
    growth = counts[-1] / counts[0]
    print(f"\n| | {counts[0]:,}: s | MB | {counts[-1]:,}: s | MB | times |\n| --- | ---: | ---: | ---: | ---: | ---: |")
    for name in first:
        (small, little), (large, much) = first[name], last[name]
        ratio = large / small
        print(f"| {name} | {small:.2f} | {little / 1e6:.0f} | {large:.2f} | {much / 1e6:.0f} | {ratio:.1f} |")
        if len(counts) > 1 and ratio > growth * MOST_GROWTH / 10:
            problems.append(f"{name}: {ratio:.1f} times the processor time")
        if much > MOST_MEMORY:
            problems.append(f"{name}: {much / 1e6:.0f} MB")
    print(*problems, sep="\n")
    sys.exit(bool(problems))


if __name__ == "__main__":
    main()
