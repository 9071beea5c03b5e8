"""The story with a client by openapi-generator."""

import shutil
import unittest

from openapi_generator import OpenAPIGeneratorClient
from story import Story


@unittest.skipUnless(shutil.which("java"), "openapi-generator needs Java")
class OpenAPIGeneratorStory(Story):
    generator = OpenAPIGeneratorClient


def load_tests(loader, _tests, _pattern):
    # The story itself has no client.
    return loader.loadTestsFromTestCase(OpenAPIGeneratorStory)


if __name__ == "__main__":
    unittest.main()
