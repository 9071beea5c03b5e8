"""Prints the syntax errors of stylesheets (CSS Syntax Module 3), and ends with 1 if there are any."""

import sys

import tinycss2


def errors(nodes):
    """The errors among nodes, and within the blocks of rules."""
    for node in nodes:
        if node.type == "error":
            yield node
        elif node.type in ("qualified-rule", "at-rule") and node.content is not None:
            yield from errors(tinycss2.parse_blocks_contents(node.content, skip_whitespace=True))


found = False
for path in sys.argv[1:]:
    with open(path, "rb") as file:
        rules, _ = tinycss2.parse_stylesheet_bytes(file.read(), skip_whitespace=True)
    for error in errors(rules):
        found = True
        print(f"{path}:{error.source_line}:{error.source_column}: {error.message}")
sys.exit(found)
