"""The same behind nginx, as the manual sets it up, from clients that it names."""

import os
import shutil
import socket
import subprocess
import unittest

from case import ADDRESSES, AttackCase
from probe import ask
from test_strangers import DRIP

NGINX = shutil.which("nginx", path=os.environ["PATH"] + ":/usr/sbin")
SETTINGS = """
daemon off; {user} pid {folder}/pid; error_log {folder}/log;
events {{ worker_connections 8192; }}
worker_rlimit_nofile 20000;
http {{
  access_log off;
  client_body_temp_path {folder}/a; proxy_temp_path {folder}/b; fastcgi_temp_path {folder}/c;
  uwsgi_temp_path {folder}/d; scgi_temp_path {folder}/e;
  server {{
    listen 127.0.0.1:{port};
    client_max_body_size 0;
    location / {{
      proxy_pass http://{upstream};
      proxy_http_version 1.1;
      proxy_set_header Connection "";
      proxy_set_header Host $http_host;
      proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;
      proxy_set_header X-Forwarded-Proto $scheme;
      proxy_request_buffering off;
    }}
  }}
}}
"""


@unittest.skipUnless(NGINX, "nginx is not installed (apt: nginx-light)")
class ProxyTests(AttackCase):
    options = ("--proxy",)

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        with socket.create_server(("127.0.0.1", 0)) as free:
            cls.proxy_port = free.getsockname()[1]
        path = cls.folder.name + "/nginx.conf"
        with open(path, "w") as file:
            file.write(SETTINGS.format(
                user="user root;" if os.geteuid() == 0 else "", folder=cls.folder.name, port=cls.proxy_port,
                upstream=cls.upstream()))
        cls.proxy = subprocess.Popen(
            [NGINX, "-p", cls.folder.name, "-c", path], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        cls.addClassCleanup(cls.proxy.wait)
        cls.addClassCleanup(cls.proxy.terminate)
        cls.port = cls.proxy_port
        while ask(cls.port, "/healthz") != 200:
            if cls.proxy.poll() is not None:
                raise AssertionError("nginx has ended")

    @classmethod
    def upstream(cls):
        return f"127.0.0.1:{cls.server.port}"

    def test_bodies_that_never_come(self):
        for sources in (ADDRESSES[:1], ADDRESSES):
            self.endure(f"1,005 bodies through nginx from {len(sources)}", sources, 1005, [DRIP])
