"""Writes the manual as pages of HTML that are read from the disk: manual.py CATALOG FOLDER.

DocC's own pages need scripts and a server. These are its articles, made by cmark-gfm, with the links between them."""

import html
import pathlib
import re
import shutil
import subprocess
import sys

STYLE = """
body { max-width: 46em; margin: 2em auto; padding: 0 1em; font: 1rem/1.5 sans-serif; color: #1d2b20; background: #fff; }
pre { overflow-x: auto; padding: .8em; background: #f1f5ee; } code { font-size: .9em; }
table { border-collapse: collapse; display: block; overflow-x: auto; } td, th { border: 1px solid #bcc8bd; padding: .3em .6em; }
img { max-width: 100%; } a { color: #2c6b3a; }
@media (prefers-color-scheme: dark) {
  body { color: #e4ece4; background: #14201a; } pre { background: #1e2c24; } a { color: #8fd19e; }
  td, th { border-color: #47584c; }
}
"""


def title(text):
    return re.search(r"^# (.*)", text, re.MULTILINE).group(1).strip("`")


def file(name):
    return "index.html" if name == "Leaflog" else name + ".html"


def page(text, titles):
    if title(text) != "Leaflog":
        # These name symbols, whose pages DocC has alone.
        text = text.partition("\n## Topics\n")[0]
    text = re.sub(r"``([^`\n]+?)-(?:swift\.[\w.]+|\([^`\n]*\))``", r"``\1``", text)
    text = re.sub(r"<doc:(\w+)>", lambda match: f"[{titles[match[1]]}]({file(match[1])})", text)
    body = subprocess.run(
        ["cmark-gfm", "--extension", "table"], input=text, text=True, capture_output=True, check=True
    ).stdout
    back = "" if title(text) == "Leaflog" else '<p><a href="index.html">Leaflog</a></p>\n'
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width">\n'
        f"<title>{html.escape(title(text))}</title>\n<style>{STYLE}</style>\n</head>\n<body>\n{back}{body}</body>\n</html>\n"
    )


catalog, folder = map(pathlib.Path, sys.argv[1:])
articles = {path.stem: path.read_text() for path in sorted(catalog.glob("*.md"))}
titles = {name: title(text) for name, text in articles.items()}
folder.mkdir(parents=True)
for name, text in articles.items():
    (folder / file(name)).write_text(page(text, titles))
for picture in catalog.glob("*.jpg"):
    shutil.copy(picture, folder)
