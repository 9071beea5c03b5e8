"""From the welcome page to a plant, photos, a symptom and a tick, only by clicking and typing."""

import unittest

from case import Case
from server import photo


class FirstMinute(Case):
    welcome = True

    def test_all_that_the_readme_says_takes_few_steps(self):
        browser, server = self.browser, self.server
        self.go("/")
        self.assertEqual(browser.path, "/welcome")
        browser.click("input[name=acknowledged]")
        browser.submit("button[value=photos]")
        self.assertEqual(browser.path, "/add")
        browser.find("#photos").send_keys("\n".join(photo(f"monstera/IMG_000{number}.jpg") for number in (1, 2, 3)))
        browser.type("input[name=newPlant]", "Monstera")
        browser.click("#save")
        browser.wait(lambda _: len(server.entries("photo")) == 3)
        browser.plus("Symptom")
        browser.type("input[name=name]", "Headache")
        browser.set(severity="mild")
        browser.submit()
        browser.press("Today", within="nav")
        browser.press("New activity")
        browser.type("input[name=name]", "Water the monstera")
        browser.submit()
        browser.press("Today", within="nav")
        browser.click("button.tick")
        browser.wait(lambda _: len(server.entries("completion")) == 1)
        for word in ("Headache", "Water the monstera"):
            self.assertIn(word, browser.text())
        browser.press("Timeline", within="nav")
        browser.wait(lambda _: len(browser.all("a.tile")) == 3)
        for word in ("Headache", "Water the monstera"):
            self.assertIn(word, browser.text())
        # A user takes two or three seconds per step: a minute and a half has room for forty.
        self.assertLessEqual(len(browser.steps), 20, browser.steps)


class FirstMinuteWithoutScripts(FirstMinute):
    scripts = False


if __name__ == "__main__":
    unittest.main()
