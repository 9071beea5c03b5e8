"""Light, dark or as the system, and the accents."""

import unittest

from case import Case


class Look(Case):
    def ground(self):
        return self.browser.run("return getComputedStyle(document.documentElement).backgroundColor")

    def test_a_device_has_a_look_of_its_own(self):
        self.server.run("activity", "add", "Weed", "--every", "2", "--quiet")
        self.server.run("symptom", "add", "Headache", "--severity", "mild", "--quiet")
        light, dark = "rgb(250, 248, 243)", "rgb(19, 21, 18)"
        for accent in ("leaf", "teal", "blue", "plum", "rose"):
            for theme, ground in (("light", light), ("dark", dark)):
                self.go("/me/settings")
                self.browser.set(theme=theme, accent=accent)
                self.browser.submit("form[action='/me/appearance'] button")
                for path in ("/me/settings", "/", "/sign-in"):
                    self.go(path)
                    self.assertEqual(self.ground(), ground, path)
                    self.assertEqual(self.browser.run("return document.documentElement.dataset.accent"), accent)
                    if self.scripts:
                        self.assertEqual(self.browser.violations("color-contrast"), [], (accent, theme, path))
        self.go("/me/settings")
        self.browser.set(theme="system", accent="leaf")
        self.browser.submit("form[action='/me/appearance'] button")
        for scheme, ground in (("dark", dark), ("light", light)):
            self.browser.media(("prefers-color-scheme", scheme))
            self.assertEqual(self.ground(), ground)


class LookWithoutScripts(Look):
    scripts = False


if __name__ == "__main__":
    unittest.main()
