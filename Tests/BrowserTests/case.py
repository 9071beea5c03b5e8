"""A suite with one server and one browser for all its tests."""

import unittest

from browser import Browser
from server import Server


class Case(unittest.TestCase):
    photos = ()
    size = "phone"
    scripts = True
    welcome = False

    @classmethod
    def setUpClass(cls):
        cls.server = Server(*cls.photos, welcome=cls.welcome)
        cls.addClassCleanup(cls.server.stop)
        cls.browser = cls.new_browser()
        cls.addClassCleanup(cls.browser.stop)

    @classmethod
    def new_browser(cls, **options):
        return Browser(**{"size": cls.size, "scripts": cls.scripts, **options})

    def go(self, path):
        self.browser.open(self.server.address + path)
        # A form left half-filled by a failed test must not prompt the next one.
        self.browser.settle()

    def tearDown(self):
        self.assertEqual(self.browser.complaints(), [])
