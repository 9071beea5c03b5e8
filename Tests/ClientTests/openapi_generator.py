"""A client by openapi-generator's generator for Python."""

import importlib
import inspect
import json
import os
import subprocess
import sys
import typing

import pydantic
from answer import Answer
from description import words


class OpenAPIGeneratorClient:
    name = "openapi-generator"

    @classmethod
    def generate(cls, document, folder):
        """Writes the package `generated`."""
        return subprocess.run(
            [os.path.join(os.path.dirname(sys.executable), "openapi-generator-cli"), "generate", "-g", "python",
             "-i", document, "-o", folder, "--package-name", "generated"],
            check=False, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)

    def __init__(self, address, secret):
        self.package = importlib.import_module("generated")
        self.models = importlib.import_module("generated.models")
        settings = self.package.Configuration(host=address + "/api/v1", access_token=secret)
        self.client = self.package.ApiClient(settings)

    def stop(self):
        self.client.rest_client.pool_manager.clear()

    def call(self, operation, body=None, **parameters):
        api = getattr(self.package, self.tags[operation].capitalize() + "Api")(self.client)
        method = getattr(api, words(operation) + "_with_http_info")
        taken = inspect.signature(method).parameters
        # It has a prefix for Python's own words.
        parameters = {"var_" + name[:-1] if name.endswith("_") else name: value for name, value in parameters.items()}
        if isinstance(body, bytes):
            parameters["body"] = body
        elif isinstance(body, dict) and "file" in body:
            parameters.update({self.form_name(taken, name): value for name, value in body.items()})
        elif body is not None:
            name, model = next(self.bodies(taken))
            parameters[name] = self.model(model, body)
        try:
            done = method(**parameters)
            return Answer(done.status_code, self.headers(done.headers), done.data, done.raw_data)
        except self.package.ApiException as error:
            return Answer(error.status, self.headers(error.headers), error.data, (error.body or "").encode())

    @staticmethod
    def headers(headers):
        return {name.lower(): text for name, text in headers.items()}

    @staticmethod
    def form_name(taken, name):
        """A field of a form. Where the query has one of the same name, the generator numbers the form's."""
        name = words(name)
        if name == "sha256" and "sha257" in taken:
            return "sha257"
        return name + "2" if name + "2" in taken else name

    @classmethod
    def bodies(cls, taken):
        """The parameters whose type is a model."""
        for name, parameter in taken.items():
            for model in cls.flat(parameter.annotation):
                if inspect.isclass(model) and issubclass(model, pydantic.BaseModel):
                    yield name, model

    @classmethod
    def flat(cls, kind):
        yield kind
        for part in typing.get_args(kind):
            yield from cls.flat(part)

    def model(self, model, body):
        """The model of a request. It has to keep all of the body."""
        made = self.built(model, body)
        if self.plain(made) != body:
            raise AssertionError(f"{model.__name__} makes {self.plain(made)} of {body}")
        return made

    def built(self, model, body):
        if "one_of_schemas" in model.model_fields:
            return model(self.one_of(model, body))
        if "any_of_schemas" in model.model_fields:
            return model(body)
        values = dict(body)
        for name, field in model.model_fields.items():
            name = field.alias or name
            for part in self.flat(field.annotation):
                if name in values and inspect.isclass(part) and issubclass(part, pydantic.BaseModel):
                    value, is_map = values[name], dict in map(typing.get_origin, self.flat(field.annotation))
                    values[name] = (
                        {key: self.built(part, one) for key, one in value.items()} if is_map else self.built(part, value))
        return model(**values)

    def one_of(self, model, body):
        """The value of a type that is one of several: a model, or a plain value."""
        if not isinstance(body, dict):
            return body
        for name in sorted(model.model_fields["one_of_schemas"].default):
            try:
                made = getattr(self.models, name)(**body)
            except pydantic.ValidationError:
                continue
            if self.plain(made) == body:
                # The reader takes no value that could be of two types.
                if not isinstance(model.from_dict(body).actual_instance, type(made)):
                    raise AssertionError(f"{model.__name__} takes {body} for another type")
                return made
        raise AssertionError(f"{model.__name__} does not take {body}")

    @staticmethod
    def plain(value):
        """A model as the JSON that it stands for."""
        return value if isinstance(value, dict) else json.loads(value.to_json())
