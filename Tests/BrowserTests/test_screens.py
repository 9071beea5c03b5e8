"""Each screen, empty and full: no axe violations in light and dark mode, no layout shifts, nothing wider than the
window, no console errors, no requests to other hosts."""

import unittest

from browser import SHOTS
from each_screen import CUT, EachScreen


class Screens(EachScreen):
    def look(self, state, size, language):
        def check(browser, name):
            for theme in ("light", "dark"):
                browser.media(("prefers-color-scheme", theme))
                browser.shoot(f"{name}.{state}.{size}.{language[:2]}.{theme}")
                # Dark mode differs only in its colours.
                self.assertEqual(browser.violations(*(["color-contrast"] if theme == "dark" else [])), [])
            shifts = browser.shifts()
            for _ in range(8):
                if not shifts:
                    break
                # A real shift happens every time; a busy machine may paint a page in two steps.
                browser.open(browser.driver.current_url)
                browser.settle()
                shifts = browser.shifts()
            self.assertEqual(shifts, [])
            # After the shifts, as it unfolds what is folded.
            self.assertEqual(browser.run(CUT, browser.width), [])
            self.assertLessEqual(browser.overflow(), 0)
            self.assertEqual(browser.complaints(), [])
        self.each(check, state, size, language)

    def test_full_on_a_phone(self):
        self.look("full", "phone", "en-GB")

    def test_full_on_a_desk_in_german(self):
        self.look("full", "desk", "de")

    def test_full_on_a_narrow_phone_in_german(self):
        self.look("full", "narrow", "de")

    def test_empty_on_a_narrow_phone_in_german(self):
        self.look("empty", "narrow", "de")

    @unittest.skipUnless(SHOTS, "for screenshots: these are the same screens in the other language")
    def test_all_others(self):
        for state, size, language in (
            ("full", "phone", "de"), ("full", "desk", "en-GB"), ("empty", "phone", "en-GB"), ("empty", "desk", "de"),
            ("empty", "desk", "en-GB")):
            self.look(state, size, language)


if __name__ == "__main__":
    unittest.main()
