"""What a generated client got."""

import dataclasses
import datetime
import json
import typing


@dataclasses.dataclass
class Answer:
    status: int
    # By lower-case names.
    headers: dict
    # What the client made of the body: one of its models, bytes, or nothing.
    value: typing.Any
    body: bytes

    @property
    def json(self):
        return json.loads(self.body)


def is_absent(value):
    """Whether a field of a model has no value. One of the generators has a value of its own for that."""
    return value is None or type(value).__name__ == "Unset"


def field(model, name):
    """A field with a name that Python has, too. One of the generators adds an underscore."""
    return getattr(model, name) if hasattr(model, name) else getattr(model, name + "_")


def is_same(one, other):
    """Whether two JSON values say the same. Times may be written in several forms."""
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(is_same(one[name], other[name]) for name in one)
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(is_same, one, other))
    if one != other and isinstance(one, str) and isinstance(other, str):
        try:
            return datetime.datetime.fromisoformat(one) == datetime.datetime.fromisoformat(other)
        except (ValueError, TypeError):
            return False
    return type(one) is type(other) and one == other or is_number(one) and is_number(other) and one == other


def is_number(value):
    return isinstance(value, int | float) and not isinstance(value, bool)
