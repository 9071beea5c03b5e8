"""The flows of requirements/daily-boost.txt, each with its row in the catalog."""

import unittest

from case import Case


class DailyBoost(Case):
    def moods(self):
        return [entry["mood"] for entry in self.server.json("mood", "list")["items"]]

    def favourites(self):
        """The favourite quotes as the pages show them, in quotation marks and verse in lines."""
        return [f'“{entry["quote"]["text"].replace("“", "‘").replace("”", "’")}”'.replace(" / ", "\n") for entry in self.server.entries("quote")]

    def test_a_mood_in_one_tap_and_another_in_its_place(self):
        for mood in ("okay", "happy"):
            self.go("/")
            self.browser.click(f".mood[data-value={mood}]")
            self.browser.wait(lambda _: self.moods() == [mood])
        self.go("/")
        self.browser.press("More")
        self.browser.click(".mood[data-value=stressed]")
        self.browser.wait(lambda _: self.moods() == ["stressed"])
        self.browser.press("Moods")
        self.browser.wait(lambda _: "Stressed" in self.browser.text())

    def test_undo_comes_back_to_its_place(self):
        if not self.scripts:
            self.skipTest("the place is kept by a script")
        for number in range(12):
            self.server.run("mood", "set", ("calm", "bored")[number % 2], "--on", "yesterday", "--quiet")
        self.go("/me/history")
        buttons = self.browser.all("main form button")
        self.browser.run("arguments[0].scrollIntoView({block: 'center'})", buttons[8])
        place = self.browser.run("return Math.round(scrollY)")
        self.assertGreater(place, 100)
        before = self.browser.find("html")
        buttons[8].click()
        self.browser.wait_until_gone(before)
        self.browser.settle()
        self.assertAlmostEqual(self.browser.run("return scrollY"), place, delta=2)
        self.server.run("mood", "delete", "yesterday", "--yes", "--quiet")

    def test_the_quote_of_the_day_is_kept_and_let_go(self):
        self.go("/")
        quote = self.browser.find("figure.quote blockquote").text
        self.browser.click("figure.quote .heart")
        self.browser.wait(lambda _: self.favourites() == [quote])
        self.browser.press("Quotes")
        self.browser.press("Favourites")
        self.browser.wait(lambda _: quote in self.browser.text() and len(self.browser.all("figure.quote")) == 1)
        self.browser.click("figure.quote .heart")
        self.browser.wait(lambda _: self.favourites() == [])

    def test_an_own_quote(self):
        self.go("/quotes")
        self.browser.type("#quote-text", "Plant a seed.")
        self.browser.type("#quote-author", "Grandmother")
        self.browser.submit("form[action='/quotes'] button.primary")
        found = self.server.json("quote", "list", "--search", "Plant a seed")["items"]
        self.assertIn(("Plant a seed.", "Grandmother"), [(quote["text"], quote.get("author")) for quote in found])

    def test_a_quote_is_shared_as_a_card(self):
        self.go("/")
        card = self.browser.find("figure.quote a[data-share-file]").get_attribute("href")
        kind = self.browser.driver.execute_async_script(
            "fetch(arguments[0]).then((answer) => arguments[1](answer.headers.get('content-type')))", card)
        self.assertTrue(kind.startswith("image/"), kind)


class DailyBoostWithoutScripts(DailyBoost):
    scripts = False


if __name__ == "__main__":
    unittest.main()
