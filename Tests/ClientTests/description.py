"""The description that the running service prints."""

import json
import re


def words(name):
    """A name of the description as both generators write it in Python."""
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name).lower()


class Description:
    def __init__(self, document):
        self.document = document

    def operations(self):
        """The operations, each with its method and path."""
        for path, methods in self.document["paths"].items():
            for method, operation in methods.items():
                yield method.upper(), path, operation

    def form(self, value, schema):
        """The name of a value's schema, if it has one, and what it says of such a value."""
        name = None
        while "$ref" in schema or "oneOf" in schema:
            if "oneOf" in schema:
                schema = next(form for form in schema["oneOf"] if self.is_of(value, self.form(value, form)[1]))
                continue
            name = schema["$ref"].rsplit("/", 1)[1]
            schema = self.document["components"]["schemas"][name]
        return name, schema

    @staticmethod
    def is_of(value, form):
        if not isinstance(value, dict):
            return form.get("type") != "object"
        return form.get("type") == "object" and set(form.get("required", [])) <= value.keys()

    def operation(self, name):
        return next(operation for _, _, operation in self.operations() if operation["operationId"] == name)

    def answers(self, name):
        return self.operation(name)["responses"]

    def save(self, path):
        with open(path, "w") as file:
            json.dump(self.document, file)
