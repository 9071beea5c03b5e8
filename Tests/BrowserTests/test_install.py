"""The pages as an installable application: what a browser requires before installing them, and their size."""

import json
import re
import unittest
import urllib.request

from case import Case


class Install(Case):
    def get(self, path):
        with urllib.request.urlopen(self.server.address + path) as answer:
            return answer.headers, answer.read()

    def test_it_can_be_installed(self):
        self.go("/")
        self.browser.wait(lambda _: self.browser.run("return Boolean(navigator.serviceWorker.controller)"))
        self.go("/")
        manifest = self.browser.tell("Page.getAppManifest")
        self.assertEqual(manifest["errors"], [])
        self.assertEqual(self.browser.tell("Page.getInstallabilityErrors")["installabilityErrors"], [])
        told = json.loads(manifest["data"])
        self.assertEqual(told["share_target"]["action"], "/add/shared")
        self.assertEqual({shortcut["url"] for shortcut in told["shortcuts"]} & {"/add", "/log"}, {"/add", "/log"})
        for icon in told["icons"]:
            headers, body = self.get(icon["src"])
            self.assertEqual(headers["content-type"], icon["type"])
            if icon["type"] == "image/png":
                width, height = (int.from_bytes(body[at:at + 4], "big") for at in (16, 20))
                self.assertEqual(f"{width}x{height}", icon["sizes"])
        self.assertEqual({"192x192", "512x512"} - {icon["sizes"] for icon in told["icons"]}, set())
        self.assertIn("maskable", {icon.get("purpose") for icon in told["icons"]})

    def test_scripts_and_style_are_light(self):
        _, page = self.get("/")
        assets = re.search(rb'data-assets="([^"]+)"', page)[1].decode()
        _, worker = self.get("/service-worker.js")
        names = re.findall(r'"([\w-]+\.(?:js|css))"', worker.decode())
        texts = {name: self.get(f"{assets}/{name}")[1] for name in names}
        sizes = {name: len(text) for name, text in texts.items()}
        for name, text in texts.items():
            self.assertEqual(re.findall(rb"(?m)^\s*(?://|/\*)", text), [], f"comments of {name} are sent")
        sizes["service-worker.js"] = len(worker)
        scripts = sum(size for name, size in sizes.items() if name.endswith(".js"))
        self.assertLess(scripts, 120_000, sizes)
        self.assertLess(sizes["style.css"], 52_000)
        self.assertGreater(scripts, 30_000, "not all of them were counted")

    def test_the_first_view_loads_few_scripts(self):
        self.go("/")
        self.browser.wait(lambda _: self.browser.run("return document.readyState") == "complete")
        scripts = self.browser.run(
            "return performance.getEntriesByType('resource').filter(({ name }) => name.endsWith('.js'))"
            ".map(({ name, decodedBodySize }) => [name.split('/').pop(), decodedBodySize])")
        self.assertIn("leaflog.js", [name for name, _ in scripts])
        self.assertLess(sum(size for _, size in scripts), 45_000, scripts)


if __name__ == "__main__":
    unittest.main()
