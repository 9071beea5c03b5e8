"""Answers as a later version may give them: a field more in each object, and a new value of each kind."""

import http.server
import json
import re
import threading
import urllib.error
import urllib.request

NEW = "addedLater"
# As the description lists the values of a kind.
KIND = "Known values: "
# Headers that are of one connection alone.
OWN_HEADERS = {"connection", "transfer-encoding", "content-length", "content-encoding", "keep-alive"}


class Growth:
    """The description, by which an answer is read, and the parts of it that may grow."""

    def __init__(self, description, new_kinds):
        self.description = description
        self.new_kinds = new_kinds

    def schema(self, method, path, status):
        """The schema of an answer in JSON; None for another."""
        for its_method, its_path, operation in self.description.operations():
            pattern = re.sub(r"\{[^}]*\}", "[^/]+", its_path)
            if its_method == method and re.fullmatch(pattern, path):
                content = operation["responses"].get(str(status), {}).get("content", {})
                return content.get("application/json", {}).get("schema")
        return None

    def grown(self, value, schema):
        _, schema = self.description.form(value, schema)
        if isinstance(value, list):
            return [self.grown(item, schema.get("items", {})) for item in value]
        if isinstance(value, dict):
            if "properties" not in schema:
                return value
            members = {name: self.grown(member, schema["properties"].get(name, {})) for name, member in value.items()}
            return {**members, NEW: {"to": ["every", "object"]}} if schema["additionalProperties"] is True else members
        if self.new_kinds and isinstance(value, str) and schema.get("description", "").startswith(KIND):
            return NEW
        return value


class Proxy:
    """In front of a service; its answers have grown."""

    def __init__(self, address, growth):
        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def log_message(self, *_arguments):
                pass

            def forward(self):
                body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
                headers = {name: text for name, text in self.headers.items()
                           if name.lower() not in OWN_HEADERS | {"host", "accept-encoding"}}
                request = urllib.request.Request(
                    address + self.path, method=self.command, data=body or None, headers=headers)
                try:
                    answer = urllib.request.urlopen(request, timeout=600)
                except urllib.error.HTTPError as error:
                    answer = error
                with answer:
                    data = answer.read()
                path = self.path.split("?")[0].removeprefix("/api/v1")
                schema = growth.schema(self.command, path, answer.status)
                if schema and "json" in answer.headers.get("Content-Type", ""):
                    data = json.dumps(growth.grown(json.loads(data), schema)).encode()
                self.send_response(answer.status)
                for name, text in answer.headers.items():
                    if name.lower() not in OWN_HEADERS:
                        self.send_header(name, text)
                self.send_header("Content-Length", str(len(data)))
                self.end_headers()
                self.wfile.write(data)

            do_GET = do_POST = do_PUT = do_PATCH = do_DELETE = forward

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.address = f"http://127.0.0.1:{self.server.server_address[1]}"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def stop(self):
        self.server.shutdown()
        self.server.server_close()
