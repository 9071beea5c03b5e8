"""Narrow windows, large type, long words, and system preferences."""

import unittest

from browser import Browser
from each_screen import COVERED, CUT, EachScreen


class Room(EachScreen):
    """Narrow windows, large type and long words cut nothing off."""

    def fits(self, *arguments, **options):
        def check(browser, _):
            self.assertEqual(browser.run(CUT, browser.width), [])
            self.assertLessEqual(browser.overflow(), 0)
        self.each(check, *arguments, **options)

    def test_320_pixels_with_words_that_are_longer_by_two_fifths(self):
        self.fits("full", "narrow", "en-XA")

    def test_390_pixels_with_words_that_are_longer_by_two_fifths(self):
        self.fits("full", "phone", "en-XA")

    def test_400_percent_in_german(self):
        self.fits("full", "fourfold", "de")
        self.fits("full", "fourfold-wide", "de")

    def test_300_percent_in_german(self):
        self.fits("full", "threefold", "de")

    def test_the_focus_is_in_sight(self):
        def check(browser, _):
            self.assertEqual(browser.run(COVERED), [])
        for size in ("fourfold", "phone", "desk"):
            self.each(check, "full", size, "de")

    def test_spaced_text_in_german(self):
        # WCAG 1.4.12.
        spaced = (
            "const sheet = new CSSStyleSheet(); sheet.replaceSync('* { line-height: 1.5 !important; letter-spacing: 0.12em !important;"
            " word-spacing: 0.16em !important; } p { margin-block-end: 2em !important; }'); document.adoptedStyleSheets = [sheet]")

        def check(browser, _):
            browser.run(spaced)
            self.assertEqual(browser.run(CUT, browser.width), [])
            self.assertLessEqual(browser.overflow(), 0)
        self.each(check, "full", "phone", "de")

    def test_a_phone_on_its_side_in_german(self):
        self.fits("full", "side", "de")

    def test_letters_of_twice_the_size_in_german(self):
        self.fits("full", "phone", "de", font=32)


class Preferences(EachScreen):
    """System preferences."""

    def test_reduced_motion_moves_nothing(self):
        def check(browser, _):
            browser.media(("prefers-reduced-motion", "reduce"))
            moving = browser.run(
                "return [...document.querySelectorAll('*')].filter((element) => {"
                "const style = getComputedStyle(element);"
                "return style.animationName !== 'none' || (style.transitionProperty !== 'none' && parseFloat(style.transitionDuration) > 0)"
                "|| style.scrollBehavior === 'smooth' }).map((element) => element.outerHTML.slice(0, 100))")
            self.assertEqual(moving, [])
        self.each(check, "full")

    def test_forced_colours_tell_states_apart(self):
        shown = "return getComputedStyle(document.querySelector(arguments[0])).%s"
        pairs = {
            "/": ("button.tick[aria-pressed=true]", "button.tick[aria-pressed=false]"),
            "/timeline": (".chip[aria-current]", ".chip:not([aria-current])"),
            "/symptoms/new": (".segments label:has(:checked)", ".segments label:not(:has(:checked))"),
        }
        browser = Browser()
        self.addCleanup(browser.stop)
        browser.media(("forced-colors", "active"))
        for path, states in pairs.items():
            browser.open(self.servers["full"].address + path)
            browser.settle()
            if ".segments" in states[0]:
                browser.set(severity="mild")
            grounds = [browser.run(shown % "backgroundColor", state) for state in states]
            self.assertNotEqual(*grounds, path)
        # The focus is drawn by an outline, which forced colours keep.
        browser.key("\ue004")
        self.assertNotEqual(browser.run("return getComputedStyle(document.activeElement).outlineStyle"), "none")


if __name__ == "__main__":
    unittest.main()
