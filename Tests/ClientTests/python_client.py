"""A client by openapi-python-client."""

import enum
import importlib
import inspect
import io
import json
import os
import subprocess
import sys
import typing

from answer import Answer, is_same
from description import words


class PythonClient:
    name = "openapi-python-client"

    @classmethod
    def generate(cls, document, folder):
        """Writes the package `generated`."""
        # What the client is to take for bytes: it knows no other types of files.
        with open(folder + "/settings.json", "w") as file:
            bytes_type = "application/octet-stream"
            json.dump({"content_type_overrides": {"image/*": bytes_type, "*/*": bytes_type}, "post_hooks": []}, file)
        return subprocess.run(
            [os.path.join(os.path.dirname(sys.executable), cls.name), "generate", "--path", document, "--meta", "none",
             "--output-path", folder + "/generated", "--config", folder + "/settings.json", "--fail-on-warning"],
            check=False, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)

    def __init__(self, address, secret):
        client = importlib.import_module("generated.client")
        self.types = importlib.import_module("generated.types")
        self.client = client.AuthenticatedClient(base_url=address + "/api/v1", token=secret, timeout=60)

    def stop(self):
        self.client.get_httpx_client().close()

    def call(self, operation, body=None, **parameters):
        place = f"generated.api.{self.tags[operation]}.{words(operation)}"
        function = importlib.import_module(place).sync_detailed
        types = typing.get_type_hints(function)
        if body is not None:
            parameters["body"] = self.model(types["body"], body)
        # Arguments have the names of the description, without the underscore that Python's own words need.
        parameters = {name: self.parameter(types[name], value) for name, value in parameters.items()}
        done = function(client=self.client, **parameters)
        value = getattr(done.parsed, "payload", done.parsed)
        value = value.read() if isinstance(value, io.IOBase) else value
        headers = {name.lower(): text for name, text in done.headers.items()}
        return Answer(int(done.status_code), headers, value, done.content)

    def model(self, types, body):
        """The model of a request, by what it takes. It has to keep all of it."""
        if isinstance(body, bytes):
            return self.types.File(payload=io.BytesIO(body))
        for model in self.alternatives(types):
            if hasattr(model, "to_multipart"):
                if "file" in body:
                    files = [self.types.File(io.BytesIO(data), name) for name, data in body["file"]]
                    fields = {words(name): value for name, value in body.items()}
                    return model(**{**fields, "file": files})
                continue
            try:
                made = model.from_dict(body)
            except (KeyError, ValueError, TypeError, AttributeError):
                continue
            if is_same(made.to_dict(), body):
                return made
        raise AssertionError(f"no model takes {body}")

    @staticmethod
    def alternatives(types):
        return [kind for kind in typing.get_args(types) or [types] if hasattr(kind, "from_dict")]

    @classmethod
    def parameter(cls, types, value):
        """The value of a parameter, of which choices are a type of their own."""
        if isinstance(value, list):
            items = next(typing.get_args(kind)[0] for kind in typing.get_args(types) if typing.get_origin(kind) is list)
            return [cls.parameter(items, item) for item in value]
        for kind in typing.get_args(types) or [types]:
            if inspect.isclass(kind) and issubclass(kind, enum.Enum):
                return kind(value)
        return value

    @staticmethod
    def plain(value):
        """A model as the JSON that it stands for."""
        return value.to_dict()
