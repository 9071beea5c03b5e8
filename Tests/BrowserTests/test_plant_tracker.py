"""The flows of requirements/planttracker.txt, each with its row in the catalog."""

import unittest

from case import Case
from server import photo


class PlantTracker(Case):
    photos = (photo("basil"), photo("tomato"))

    def plant(self, name):
        return next(plant for plant in self.server.json("plant", "list")["items"] if plant["name"] == name)

    def add(self, path, name, **fields):
        """Adds a photo on the Add page."""
        self.go(path)
        before = len(self.server.entries("photo"))
        self.browser.find("#photos").send_keys(photo(name))
        self.browser.set(**fields)
        self.browser.click("#save")
        self.browser.wait(lambda _: len(self.server.entries("photo")) == before + 1)

    def test_4_1_adding_a_new_plant_directly(self):
        self.go("/plants")
        self.browser.press("New plant")
        self.browser.set(name="Olive", scientificName="Olea europaea", location="balcony")
        self.browser.submit()
        self.go("/plants")
        self.assertIn("Olive", self.browser.text())
        olive = self.plant("Olive")
        self.assertEqual((olive["scientificName"], olive["location"]), ("Olea europaea", "balcony"))

    def test_4_2_adding_a_new_plant_during_photo_capture(self):
        self.add("/add", "monstera/IMG_0001.jpg", newPlant="Swiss cheese plant", notes="first leaf")
        newest = next(entry for entry in self.server.entries("photo") if entry.get("notes") == "first leaf")
        self.assertEqual(newest["plant"]["name"], "Swiss cheese plant")
        self.assertEqual(newest["localDay"][:7], "2025-04")

    def test_4_3_adding_photos_to_an_existing_plant(self):
        basil = self.plant("basil")
        self.go(f"/plants/{basil['id']}")
        self.browser.click("main a[href^='/add?plant=']")
        self.assertEqual(self.browser.find("input[name=plant]:checked").get_attribute("value"), basil["id"])
        before = basil["photoCount"]
        self.browser.find("#photos").send_keys(photo("monstera/IMG_0002.jpg"))
        self.browser.set(notes="beside the basil")
        self.browser.click("#save")
        self.browser.wait(lambda _: self.plant("basil")["photoCount"] == before + 1)

    def test_4_4_editing_plant_details(self):
        tomato = self.plant("tomato")
        self.go(f"/plants/{tomato['id']}")
        self.browser.press("Edit")
        self.browser.set(name="Beefsteak tomato", location="greenhouse")
        self.browser.submit()
        self.assertEqual(self.plant("Beefsteak tomato")["location"], "greenhouse")

    def test_4_5_viewing_photo_details(self):
        basil = self.plant("basil")
        self.go(f"/plants/{basil['id']}")
        self.browser.click(".month a.tile")
        self.browser.wait(lambda _: self.browser.path.startswith("/photos/"))
        shown = self.browser.path.split("/")[-1]
        self.browser.press("Edit")
        self.browser.set(notes="the lower leaves turn yellow")
        self.browser.submit()
        self.assertEqual(self.server.json("show", shown)["notes"], "the lower leaves turn yellow")
        self.browser.click("a[rel=next]")
        self.browser.wait(lambda _: self.browser.path.startswith("/photos/") and shown not in self.browser.path)

    def test_2_1_3_deleting_a_plant_asks_first(self):
        self.server.run("plant", "add", "Weed", "--quiet")
        weed = self.plant("Weed")
        self.go(f"/plants/{weed['id']}/edit")
        self.browser.click("form[action$='/delete'] button")
        self.assertTrue(self.browser.path.endswith("/edit"), "nothing was confirmed")
        self.browser.click("input[name=confirm]")
        self.browser.submit("form[action$='/delete'] button")
        self.assertNotIn("Weed", [plant["name"] for plant in self.server.json("plant", "list")["items"]])

    def test_2_2_3_deleting_a_photo_and_taking_it_back(self):
        count = len(self.server.entries("photo"))
        shown = self.server.entries("photo")[0]["id"]
        self.go(f"/photos/{shown}")
        self.browser.submit(".tools form[action$='/delete'] button")
        self.assertEqual(len(self.server.entries("photo")), count - 1)
        self.browser.submit("#toast button")
        self.assertEqual(len(self.server.entries("photo")), count)

    def test_2_2_2_the_date_may_be_changed(self):
        shown = self.server.entries("photo")[0]["id"]
        self.go(f"/photos/{shown}/edit")
        self.browser.set(at="2025-03-04T05:06:07")
        self.browser.submit()
        self.assertEqual(self.server.json("show", shown)["localDay"], "2025-03-04")

    def test_3_1_plants_are_shown_with_their_latest_photo(self):
        self.go("/plants?location=")
        cards = self.browser.all(".plants .plant")
        self.assertEqual(len(cards), len(self.server.json("plant", "list")["items"]))
        self.assertGreaterEqual(len(self.browser.all(".plants .plant img")), 2)


class PlantTrackerWithoutScripts(PlantTracker):
    scripts = False


if __name__ == "__main__":
    unittest.main()
