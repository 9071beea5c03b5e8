"""Two libraries on one host, below a path each: one behind a proxy that keeps the path, one behind a proxy that cuts it off."""

import os
import re
import shutil
import socket
import subprocess
import tempfile
import unittest
import urllib.error
import urllib.request

from browser import Browser
from gate import Gate
from screens import screens
from server import Server, photo

NGINX = shutil.which("nginx", path=os.environ["PATH"] + ":/usr/sbin")

SETTINGS = """
daemon off;
%(user)s
pid %(folder)s/pid;
error_log stderr notice;
events {}
http {
  log_format targets "$status $request_uri";
  access_log %(folder)s/access targets;
  client_body_temp_path %(folder)s/body;
  proxy_temp_path %(folder)s/proxy;
  fastcgi_temp_path %(folder)s/fastcgi;
  uwsgi_temp_path %(folder)s/uwsgi;
  scgi_temp_path %(folder)s/scgi;
  server {
    listen 127.0.0.1:%(port)d;
    client_max_body_size 0;
    proxy_http_version 1.1;
    proxy_set_header Connection "";
    proxy_set_header Host $http_host;
    proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;
    proxy_set_header X-Forwarded-Proto $scheme;
    proxy_request_buffering off;
    location /leaflog/ { proxy_pass %(kept)s; }
    location /garden/leaflog/ { proxy_pass %(cut)s/; }
    location / { return 404; }
  }
}
"""


class Proxy:
    """nginx before two services."""

    def __init__(self, kept, cut):
        self.folder = tempfile.TemporaryDirectory()
        with socket.create_server(("127.0.0.1", 0)) as free:
            self.port = free.getsockname()[1]
        path = self.folder.name + "/nginx.conf"
        with open(path, "w") as file:
            file.write(SETTINGS % {
                "folder": self.folder.name, "port": self.port, "kept": kept, "cut": cut,
                # Its workers would be nobody, who may not write here.
                "user": "user root;" if os.geteuid() == 0 else ""})
        self.process = subprocess.Popen(
            [NGINX, "-p", self.folder.name, "-c", path], stderr=subprocess.PIPE, text=True)
        for line in self.process.stderr:
            if "start worker process" in line:
                break

    def targets(self):
        """The status and the target of each request."""
        with open(self.folder.name + "/access") as file:
            return [line.split(" ", 1) for line in file.read().splitlines()]

    def stop(self):
        self.process.terminate()
        self.process.wait(20)
        self.process.stderr.close()
        self.folder.cleanup()


@unittest.skipUnless(NGINX, "nginx is not installed (apt: nginx-light)")
class Base(unittest.TestCase):
    paths = ("/leaflog", "/garden/leaflog")

    @classmethod
    def setUpClass(cls):
        cls.servers = []
        for path in cls.paths:
            server = Server(
                photo("basil/20250510T120006+0100.jpg"), options=("--base", path, "--proxy"), token="browser")
            cls.addClassCleanup(server.stop)
            cls.servers.append(server)
        addresses = [re.match("http://[^/]*", server.address)[0] for server in cls.servers]
        cls.proxy = Proxy(*addresses)
        cls.addClassCleanup(cls.proxy.stop)
        cls.origin = f"http://localhost:{cls.proxy.port}"

    def setUp(self):
        self.gate = Gate(self.proxy.port)
        self.addCleanup(self.gate.stop)
        self.browser = Browser(proxy=self.gate.address)
        self.addCleanup(self.browser.stop)

    def sign_in(self, number):
        self.browser.open(self.origin + self.paths[number] + "/timeline")
        self.browser.type("input[name=token]", self.servers[number].secret)
        self.browser.submit("main form button")

    def open(self, number, path):
        self.browser.open(self.origin + self.paths[number] + path)
        self.browser.settle()

    def here(self):
        return self.browser.run("return location.pathname + location.search")

    def controlled(self, number):
        """Opens the page of today, which a worker of the library's own has seen."""
        self.open(number, "/")
        scope = self.origin + self.paths[number] + "/service-worker.js"

        def is_controlled(_):
            if (self.browser.run("return navigator.serviceWorker.controller?.scriptURL") or "").startswith(scope):
                return True
            # An installation of which a file did not come is tried again by the next page.
            if self.browser.run("return navigator.serviceWorker.getRegistration().then((found) => !found)"):
                self.open(number, "/")
            return False

        self.browser.wait(is_controlled)
        self.open(number, "/")

    def network(self, is_there):
        self.gate.open() if is_there else self.gate.close()
        self.browser.tell("Network.enable")
        self.browser.tell(
            "Network.emulateNetworkConditions", offline=not is_there, latency=0, downloadThroughput=-1, uploadThroughput=-1)

    def test_every_screen_keeps_to_its_path(self):
        for number, (server, path) in enumerate(zip(self.servers, self.paths)):
            for name, screen in screens(server):
                with self.subTest(name, base=path):
                    request = urllib.request.Request(
                        self.origin + path + screen,
                        headers={"Authorization": "Bearer " + server.secret, "Accept": "text/html"})
                    try:
                        with urllib.request.urlopen(request) as answer:
                            html = answer.read().decode()
                    except urllib.error.HTTPError as error:
                        html = error.read().decode()
                    found = re.findall(r'[ \n]([a-z-]+)="(/[^"]*)"', html)
                    self.assertTrue(found)
                    for attribute, value in found:
                        if attribute != "value":
                            self.assertTrue(value.startswith(path + "/"), (attribute, value))

    def test_a_day_with_both_libraries(self):
        for number, path in enumerate(self.paths):
            with self.subTest(path):
                self.sign_in(number)
                self.assertEqual(self.here(), path + "/timeline")
                self.controlled(number)
                self.browser.click(".bar a[href$='/plants']")
                self.browser.wait(lambda _: self.here() == path + "/plants")
                # A photo, by the queue of the page.
                self.open(number, "/add")
                self.browser.find("#photos").send_keys(photo("basil/20250524T120006+0100.jpg"))
                self.browser.wait(lambda _: len(self.browser.all("#picked > li")) == 1)
                self.browser.type("input[name=newPlant]", "Fern")
                self.browser.click("#save")
                self.browser.wait(lambda _: any("Added" in row.text for row in self.browser.all("#queue > li")))
                self.assertEqual(len(self.servers[number].entries("photo")), 2)
                # A form, and Undo of what it did.
                self.open(number, "/plants/new")
                self.browser.type("input[name=name]", "Fig")
                self.browser.submit()
                self.assertTrue(self.here().startswith(path + "/plants/"))
                self.browser.submit("#toast button")
                self.assertNotIn("Fig", [plant["name"] for plant in self.servers[number].json("plant", "list")["items"]])
                # A draft, which stays for a reload.
                self.open(number, "/symptoms/new")
                self.browser.type("textarea[name=notes]", f"draft of {path}")
        # Each has its own of everything that the browser keeps.
        self.assertEqual(
            {cookie["name"]: cookie["path"] for cookie in self.browser.driver.get_cookies()}.get(
                "leaflog-at-garden-leaflog"), "/garden/leaflog")
        kept = self.browser.run(
            "return Promise.all([caches.keys(), indexedDB.databases()])"
            ".then(([caches, databases]) => [...caches, ...databases.map(({ name }) => name), ...Object.keys(localStorage)])")
        for path in self.paths:
            for name in ("pages", "pictures", "leaflog", "draft"):
                self.assertTrue([one for one in kept if one.startswith(f"{name}{path}/")], (name, path, kept))
        self.assertEqual([one for one in kept if not any(path in one for path in self.paths)], [])
        # Signing out of one leaves the other's.
        self.open(0, "/me")
        self.browser.submit("form[action$='/sign-out'] button")
        self.assertEqual(self.here().split("?")[0], "/leaflog/sign-in")
        left = self.browser.run("return Promise.all([caches.keys(), Object.keys(localStorage)]).then((all) => all.flat())")
        self.assertEqual([one for one in left if one.startswith(("pages/leaflog", "pictures/leaflog", "draft/leaflog"))], [])
        for name in ("pages", "pictures", "draft"):
            self.assertTrue([one for one in left if one.startswith(f"{name}/garden/leaflog/")], (name, left))
        self.open(1, "/symptoms/new")
        self.assertEqual(self.browser.find("textarea[name=notes]").get_attribute("value"), "draft of /garden/leaflog")
        self.browser.run("localStorage.clear()")
        # Nothing was asked outside of the two paths.
        for status, target in self.proxy.targets():
            if target != "/favicon.ico":
                self.assertTrue(target.startswith(("/leaflog/", "/garden/leaflog/")), (status, target))

    def test_a_phone_is_paired_and_shares_a_photo(self):
        for number, path in enumerate(self.paths):
            with self.subTest(path):
                link = self.servers[number].json("serve", "pair", "tablet", "--address", self.origin + path)["address"]
                self.browser.open(link)
                self.browser.click("main form button")
                self.browser.wait(lambda _: "“tablet”" in self.browser.text())
                self.controlled(number)
                # As the system posts what another program shares.
                self.browser.run(
                    "const field = Object.assign(document.createElement('input'), { type: 'file', name: 'photos', id: 'shared' });"
                    "const form = document.createElement('form');"
                    "Object.assign(form, { method: 'post', enctype: 'multipart/form-data', action: arguments[0] + '/add/shared' });"
                    "form.append(field); document.body.append(form)", path)
                self.browser.find("#shared").send_keys(photo("basil/20250524T120006+0100.jpg"))
                self.browser.run("document.getElementById('shared').form.submit()")
                self.browser.wait(lambda _: self.here() == path + "/add?shared=true")
                self.browser.wait(lambda _: len(self.browser.all("#picked > li")) == 1)
                self.assertEqual(self.browser.complaints(), [])

    def test_without_a_network_the_last_pages_are_there(self):
        for number, path in enumerate(self.paths):
            with self.subTest(path):
                self.sign_in(number)
                self.controlled(number)
                self.open(number, "/plants")
                title = self.browser.find("h1").text
                self.network(False)
                self.open(number, "/plants")
                self.assertEqual(self.browser.find("h1").text, title)
                self.open(number, "/me/about")
                self.browser.find("main .empty a[href$='/add']")
                self.network(True)


if __name__ == "__main__":
    unittest.main()
