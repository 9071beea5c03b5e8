"""Tests the pages in a real Chromium against the built program, through typical user flows.

Reads LEAFLOG (the built program; .build/release/leaflog by default), LEAFLOG_SHOTS (a folder for screenshots)
and LEAFLOG_PHOTOS (the number of photos in the long list). Needs selenium and axe-playwright-python (only for axe) from
PyPI, and Debian's chromium and chromium-driver. Suites run two at a time, each in a process of its own; module names,
such as `test_okie`, select some of them.
"""

import concurrent.futures
import os
import subprocess
import sys
import time

FOLDER = os.path.dirname(os.path.abspath(__file__))
# Longest first.
FIRST = ["test_screens", "test_long_list", "test_room"]


def run(module):
    start = time.monotonic()
    done = subprocess.run(
        [sys.executable, "-m", "unittest", module], cwd=FOLDER, check=False, stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT, text=True)
    print(f"{module}: {time.monotonic() - start:.0f} s\n{done.stdout}", flush=True)
    return done.returncode == 0


def main():
    modules = sorted(name[:-3] for name in os.listdir(FOLDER) if name.startswith("test_") and name.endswith(".py"))
    modules = sys.argv[1:] or FIRST + [module for module in modules if module not in FIRST]
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        sys.exit(0 if all(list(pool.map(run, modules))) else 1)


if __name__ == "__main__":
    main()
