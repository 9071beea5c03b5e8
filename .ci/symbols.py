"""Reads the public symbols of the library from the symbol graphs of the modules that a build has made."""

import glob
import json
import os
import subprocess
import sys
import tempfile

MODULES = ("Leaflog", "DiaryModel", "Fields")
ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


def symbols(build):
    """The public symbols of the modules, without those that the compiler makes."""
    with tempfile.TemporaryDirectory() as folder:
        for path in graphs(build, folder):
            with open(path) as file:
                yield from (symbol for symbol in json.load(file)["symbols"] if not is_made(symbol))


def graphs(build, folder, *options):
    """The paths of the modules' symbol graphs, which are made in a folder, with further options of the compiler."""
    checkouts = os.path.dirname(os.path.dirname(os.path.realpath(build))) + "/checkouts"
    places = (f"{build}/*.build", f"{ROOT}/Sources/C*", f"{ROOT}/Sources/C*/include", f"{checkouts}/*/Sources/*/include")
    maps = [path for place in places for path in glob.glob(place + "/module.modulemap")]
    flags = ["-I", f"{build}/Modules", *(word for one in maps for word in ("-Xcc", f"-fmodule-map-file={one}"))]
    packages = subprocess.run(["pkg-config", "--cflags-only-I", "vips"], stdout=subprocess.PIPE, text=True, check=True)
    flags += [word for one in packages.stdout.split() for word in ("-Xcc", one)]
    target = json.loads(subprocess.run(["swift", "-print-target-info"], stdout=subprocess.PIPE, check=True).stdout)
    for module in MODULES:
        subprocess.run(
            ["swift", "symbolgraph-extract", "-module-name", module, "-minimum-access-level", "public",
             "-output-dir", folder, "-target", target["target"]["triple"], *flags, *options], check=True)
    paths = sorted(glob.glob(folder + "/*.symbols.json"))
    if not paths:
        sys.exit("no symbol graphs were made")
    return paths


def is_made(symbol):
    """Whether no source declares the symbol: it is inherited from a protocol's extension, or made for a conformance."""
    if "::SYNTHESIZED::" in symbol["identifier"]["precise"]:
        return True
    has_comment = symbol.get("docComment", {}).get("module") in MODULES
    return symbol["pathComponents"][-1] in ("init(rawValue:)", "init(from:)") and not has_comment


def name(symbol):
    """The symbol's name with those of the types that it is in: `Library.Access.reading`."""
    return ".".join(symbol["pathComponents"])
