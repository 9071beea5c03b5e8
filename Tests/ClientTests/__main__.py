"""Tests the service with clients that are generated from its description.

`--leaflog PATH`, or LEAFLOG, names the built program; it is .build/release/leaflog by default. Needs the packages of
.ci/clients.txt from PyPI, and Java for one of the two generators. Without Java, its tests are skipped. Suites run two
at a time, each in a process of its own; module names, such as `test_conditions`, select some of them.
"""

import argparse
import concurrent.futures
import os
import shutil
import subprocess
import sys
import time

FOLDER = os.path.dirname(os.path.abspath(__file__))
# It has the server and the photos.
BROWSER_TESTS = os.path.join(os.path.dirname(FOLDER), "BrowserTests")
# Longest first.
FIRST = ["test_openapi_generator"]


def run(module):
    start = time.monotonic()
    done = subprocess.run(
        [sys.executable, "-m", "unittest", module], cwd=FOLDER, check=False, stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT, text=True, env={**os.environ, "PYTHONPATH": BROWSER_TESTS})
    print(f"{module}: {time.monotonic() - start:.0f} s\n{done.stdout}", flush=True)
    return done.returncode == 0


def main():
    parser = argparse.ArgumentParser(prog="ClientTests")
    parser.add_argument("--leaflog", metavar="PATH", help="the built program")
    parser.add_argument("modules", nargs="*", metavar="MODULE")
    given = parser.parse_args()
    if program := given.leaflog or os.environ.get("LEAFLOG"):
        # The suites run in another folder.
        os.environ["LEAFLOG"] = os.path.abspath(program)
    modules = sorted(name[:-3] for name in os.listdir(FOLDER) if name.startswith("test_") and name.endswith(".py"))
    modules = given.modules or FIRST + [module for module in modules if module not in FIRST]
    if "test_openapi_generator" in modules and not shutil.which("java"):
        print("SKIPPED: the client of openapi-generator is not tested, as there is no Java.", flush=True)
    if "test_typed_models" in modules:
        for program in ("go", "javac"):
            if not shutil.which(program):
                print(f"SKIPPED: the models that it compiles are not tested, as there is no {program}.", flush=True)
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        sys.exit(0 if all(list(pool.map(run, modules))) else 1)


if __name__ == "__main__":
    main()
