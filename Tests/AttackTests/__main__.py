"""Attacks the built program while somebody uses it, who has to be answered all the same.

`--leaflog PATH`, or LEAFLOG, names the built program; it is .build/release/leaflog by default. An attack takes two
seconds; with LEAFLOG_LONG_TESTS set, 45, and then 99 of 100 answers have to come within 250 ms. Needs nothing but
Python, and nginx for the module `test_proxy`. Modules run one after the other; their names select some of them.
"""

import argparse
import os
import sys
import unittest

FOLDER = os.path.dirname(os.path.abspath(__file__))
# It has the server and the photos.
sys.path.append(os.path.join(os.path.dirname(FOLDER), "BrowserTests"))


def main():
    parser = argparse.ArgumentParser(prog="AttackTests")
    parser.add_argument("--leaflog", metavar="PATH", help="the built program")
    parser.add_argument("modules", nargs="*", metavar="MODULE")
    given = parser.parse_args()
    if given.leaflog:
        os.environ["LEAFLOG"] = os.path.abspath(given.leaflog)
    modules = given.modules or sorted(
        name[:-3] for name in os.listdir(FOLDER) if name.startswith("test_") and name.endswith(".py"))
    suite = unittest.defaultTestLoader.loadTestsFromNames(modules)
    sys.exit(0 if unittest.TextTestRunner(verbosity=2).run(suite).wasSuccessful() else 1)


if __name__ == "__main__":
    main()
