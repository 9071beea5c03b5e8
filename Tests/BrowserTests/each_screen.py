"""A browser that visits each screen in turn, through a proxy that records every requested host."""

import unittest

from browser import Browser
from gate import Gate
from screens import screens
from server import ROOT, Server

# Requests that the browser makes on its own, whatever the page: updates and lists.
CHROMIUMS_OWN = frozenset(
    host + port for port in (":80", ":443") for host in (
        "accounts.google.com", "content-autofill.googleapis.com", "clients2.google.com", "optimizationguide-pa.googleapis.com", "update.googleapis.com"))

# Elements with cut-off text, or that extend beyond the width given, except those that can be scrolled sideways. What is folded
# is measured folded, as readers have it first, and unfolded.
CUT = """
const found = [];
const look = () => {
for (const element of document.querySelectorAll("body *")) {
  const box = element.getBoundingClientRect();
  if (!box.width || !box.height || element.closest(".unseen, [hidden], svg, .skip:not(:focus), .scrubber")) continue;
  const style = getComputedStyle(element);
  if (style.visibility === "hidden") continue;
  const scrolls = (other) => ["auto", "scroll"].includes(getComputedStyle(other).overflowX);
  let scrolled = false;
  for (let other = element; other && other !== document.body; other = other.parentElement) scrolled ||= scrolls(other);
  if (scrolled) continue;
  const name = element.outerHTML.slice(0, 140);
  if (box.right > arguments[0] + 1 || box.left < -1) found.push("out: " + name);
  const hides = ["hidden", "clip"].includes(style.overflowX);
  const hasText = [...element.childNodes].some((node) => node.nodeType === 3 && node.data.trim());
  // The lines of a timeline end in dots, and lead to the whole.
  if (hides && hasText && !element.closest(".line") && element.scrollWidth > element.clientWidth + 1) found.push("cut: " + name);
  if (hasText && ["BUTTON", "A", "LABEL"].includes(element.tagName) && element.scrollWidth > element.clientWidth + 1 && style.display !== "inline")
    found.push("over: " + name);
}
};
look();
for (const folded of document.querySelectorAll("details")) folded.open = true;
look();
return found;
"""

# Elements that take the focus where nobody sees it: no point of them is in sight and uncovered (WCAG 2.4.11).
COVERED = """
const isCovered = (element) => {
  element.blur();
  element.focus();
  if (document.activeElement !== element) return false;
  // A range or a box may be invisible itself, with its label as its look.
  const look = element.closest("label") ?? element;
  const { left, right, top, bottom } = look.getBoundingClientRect();
  const parts = [0.05, 0.25, 0.5, 0.75, 0.95];
  return !parts.some((x) => parts.some((y) => {
    const there = document.elementFromPoint(left + x * (right - left), top + y * (bottom - top));
    return there && (look.contains(there) || there.contains(element));
  }));
};
const all = [...document.querySelectorAll("a[href], button, input, select, textarea, summary, [tabindex='0']")].filter((element) =>
  !element.disabled && element.checkVisibility({ visibilityProperty: true }) && !element.closest("dialog:not([open])"));
// A row that scrolls sideways may do so a frame later.
return all.filter(isCovered).filter(isCovered).map((element) => element.outerHTML.slice(0, 140));
"""


class EachScreen(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.servers = {"empty": Server(), "full": Server(ROOT + "/Fixtures/Photos")}
        for server in cls.servers.values():
            cls.addClassCleanup(server.stop)
        cls.servers["full"].fill()

    def each(self, check, state, size="phone", language="en-GB", **options):
        """Calls `check` at each screen in turn, with a browser and the screen's name."""
        server = self.servers[state]
        gate = Gate(int(server.address.rsplit(":", 1)[1]))
        self.addCleanup(gate.stop)
        browser = Browser(size, language, proxy=gate.address, **options)
        self.addCleanup(browser.stop)
        for name, path in screens(server):
            with self.subTest(path=path, state=state, size=size, language=language):
                browser.open(server.address + path)
                browser.settle()
                check(browser, name)
        self.assertGreater(gate.connections, 0)
        self.assertEqual(sorted({host for host in gate.others if host not in CHROMIUMS_OWN}), [], "a request left the origin")
