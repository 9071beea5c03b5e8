"""The addresses of all screens."""

import re

SCREENS = [
    "/", "/timeline", "/timeline?kind=photo&select=true", "/timeline/selection", "/timeline?zoom=months", "/timeline?zoom=years",
    "/timeline?only=deleted", "/plants", "/plants/{plant}", "/plants/new", "/plants/{plant}/edit", "/plants/{plant}/film",
    "/photos/{photo}", "/photos/{photo}/edit", "/add", "/add/what", "/compare?plant={plant}", "/symptoms",
    "/symptoms/new", "/symptoms/{symptom}", "/symptoms/trend?name={symptomName}", "/log", "/episodes", "/episodes/new", "/insights",
    "/moods", "/quotes", "/activities", "/activities?order=true", "/activities/new", "/activities/{activity}", "/entries/{completion}",
    "/compact",
    "/factors", "/factors/new", "/factors/{factor}",
    "/search?text={word}", "/me", "/me/store", "/me/history", "/me/trash", "/me/reminders", "/me/settings", "/me/devices",
    "/me/export", "/me/accessibility", "/me/about", "/trust", "/pair", "/sign-in", "/offline", "/nowhere",
]


def screens(server, word="basil"):
    """The screens available for a library; those of things that it lacks are left out."""
    from urllib.parse import quote

    def first(kind):
        return next(iter(server.entries(kind)), None)
    known = {"word": quote(word)}
    if plants := server.json("plant", "list")["items"]:
        known["plant"] = max(plants, key=lambda plant: plant["photoCount"])["id"]
    if entry := first("photo"):
        known["photo"] = entry["id"]
    if entry := first("symptom"):
        known["symptom"], known["symptomName"] = entry["id"], quote(entry["symptom"]["name"])
    if entry := first("completion"):
        known["completion"] = entry["id"]
    if activities := server.json("activity", "list")["items"]:
        known["activity"] = activities[0]["id"]
    if factors := server.json("factor", "list")["items"]:
        known["factor"] = factors[0]["id"]
    return [
        (name(path), path.format(**known)) for path in SCREENS
        if all(part in known for part in re.findall(r"{(\w+)}", path))]


def name(path):
    return re.sub("[^a-z]+", "-", re.sub("{[a-zA-Z]+}", "one", path)).strip("-") or "today"
