"""One example for each schema of the description, taken from what the story sends and gets.

With LEAFLOG_RECORD=1 in the environment, the tests of openapi-python-client write them down anew.
"""

import json
import os
import re
import tempfile

PLACE = os.path.join(
    os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))), "Sources/LeaflogServer/API/examples.json")
# Lists of objects are shown by their first ones.
MAX_COUNT = 1


class Examples:
    def __init__(self, description):
        self.description = description
        self.best = {}

    def add(self, value, schema):
        """Notes a value and those within it, each for the name of its schema."""
        name, schema = self.description.form(value, schema)
        if isinstance(value, list):
            items = [self.add(item, schema.get("items", {})) for item in value]
            return items[:MAX_COUNT] if items and isinstance(items[0], dict) else items
        if not isinstance(value, dict):
            return self.plain(value)
        members = schema.get("properties", {})
        made = {member: self.add(item, members.get(member, {})) for member, item in value.items()}
        self.note(name, made)
        if name == "Job" and "result" in made:
            kind = made["kind"]
            self.add(value["result"], {"$ref": f"#/components/schemas/{kind[0].upper()}{kind[1:]}Result"})
        return made

    def note(self, name, value):
        if name and (name not in self.best or self.rank(value) > self.rank(self.best[name])):
            self.best[name] = value

    @staticmethod
    def rank(value):
        """How good an example is: each field counts, and against it long texts in other scripts than Latin."""
        text = json.dumps(value, ensure_ascii=False)
        return len(re.findall('": [^{[n]', text)) - sum(not character.isascii() for character in text) / 20

    @staticmethod
    def plain(value):
        """The value without secrets and without paths of this machine."""
        if not isinstance(value, str):
            return value
        value = re.sub(r"leaflog_[\w-]{20,}", "leaflog_" + "0" * 43, value)
        return re.sub(re.escape(tempfile.gettempdir()) + "/[^/]+", "/srv", value)

    def check(self):
        """Fails unless the story has met each schema that has a name, and each recorded example has a schema."""
        names = self.description.document["components"]["schemas"].keys()
        with open(PLACE) as file:
            recorded = json.load(file).keys()
        if wrong := (names ^ self.best.keys()) | (recorded - names):
            raise AssertionError(f"no schema, or no example: {', '.join(sorted(wrong))}")

    def save(self):
        with open(PLACE, "w") as file:
            json.dump(self.best, file, ensure_ascii=False, indent=1, sort_keys=True)
            file.write("\n")
