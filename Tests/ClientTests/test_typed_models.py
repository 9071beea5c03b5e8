"""The models that openapi-generator makes for Go and Java, whose readers are stricter than Python's, read the answers of a
later version. The answers are the examples of the description."""

import json
import os
import shutil
import subprocess
import sys
import tempfile
import unittest

from case import Case
from growing import NEW, Growth

SOURCES = os.path.join(os.path.dirname(os.path.abspath(__file__)), "typed")
# Of Debian's packages libjackson2-databind-java and libjakarta-annotation-api-java.
JARS = [f"/usr/share/java/{name}.jar" for name in (
    "jackson-annotations", "jackson-core", "jackson-databind", "jakarta-annotation-api")]


def run(*words, folder=None, **options):
    done = subprocess.run(
        words, cwd=folder, check=False, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, encoding="utf-8", **options)
    if done.returncode != 0:
        raise AssertionError(done.stdout)
    return done.stdout


class TypedModels(Case):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        self.description.save(self.folder + "/openapi.json")
        schemas = self.description.document["components"]["schemas"]
        # Those of answers.
        self.examples = {name: schema["examples"][0] for name, schema in schemas.items()
                         if not name.endswith(("Input", "Patch"))}

    def generate(self, language, files, **options):
        run(os.path.join(os.path.dirname(sys.executable), "openapi-generator-cli"), "generate", "-g", language, "-i", "openapi.json",
            "-o", "models", "--global-property", "models,modelTests=false,supportingFiles=" + files,
            "--additional-properties", ",".join(f"{name}={value}" for name, value in options.items()), folder=self.folder)

    def check(self, *program, folder):
        """Each model reads its example with what a later version adds, and keeps that."""
        self.assertGreater(len(self.examples), 50)
        for new_kinds in (False, True):
            growth = Growth(self.description, new_kinds)
            grown = {name: growth.grown(example, {"$ref": "#/components/schemas/" + name}) for name, example in self.examples.items()}
            lines = "".join(f"{name}\t{json.dumps(value)}\n" for name, value in grown.items())
            read = dict(line.split("\t", 1) for line in run(*program, folder=folder, input=lines).splitlines())
            self.assertEqual(read.keys(), grown.keys())
            for name, value in grown.items():
                self.assertEqual(json.loads(read[name])[NEW], value[NEW], name)

    @unittest.skipUnless(shutil.which("java") and shutil.which("go"), "Go, or the generator's Java, is not installed")
    def test_go(self):
        self.generate("go", "utils.go", packageName="generated")
        models = self.folder + "/models"
        # Generated models ask it about tags that they do not have.
        for path, text in (
            ("validator/validator.go", "package validator\n\nfunc Validate(_ interface{}) error { return nil }\n"),
            ("validator/go.mod", "module gopkg.in/validator.v2\n"),
            ("reader/models.go", 'package main\n\nimport "generated"\n\nvar models = map[string]func() interface{}{\n'
             + "".join(f'\t"{name}": func() interface{{}} {{ return &generated.{name}{{}} }},\n' for name in self.examples) + "}\n"),
        ):
            os.makedirs(os.path.dirname(f"{models}/{path}"), exist_ok=True)
            with open(f"{models}/{path}", "w") as file:
                file.write(text)
        shutil.copy(SOURCES + "/main.go", models + "/reader")
        shutil.copy(SOURCES + "/go.mod", models)
        settings = {**os.environ, "GOFLAGS": "-mod=mod", "GOPROXY": "off", "GOCACHE": self.folder + "/cache"}
        run("go", "build", "-o", "read", "./reader", folder=models, env=settings)
        self.check(models + "/read", folder=models)

    @unittest.skipUnless(
        shutil.which("javac") and all(map(os.path.exists, JARS)), "Java's compiler or Jackson is not installed")
    def test_java(self):
        self.generate(
            "java", "AbstractOpenApiSchema.java", library="native", openApiNullable="false", dateLibrary="legacy", useJakartaEe="true",
            modelPackage="generated", invokerPackage="generated.client")
        sources = [os.path.join(place, name) for top in (self.folder + "/models/src/main", SOURCES)
                   for place, _, names in os.walk(top) for name in names if name.endswith(".java")]
        path = ":".join([*JARS, self.folder])
        run("javac", "-nowarn", "-cp", path, "-d", self.folder, *sources)
        self.check("java", "-Dfile.encoding=UTF-8", "-cp", path, "Main", folder=self.folder)


if __name__ == "__main__":
    unittest.main()
