#!/usr/bin/env python3
"""Draws the PNG icons from icon.svg with Chromium, into the folder of this script.

The maskable icon and Apple's fill their square: systems cut it to their own shape, and keep the inner 80 %.
"""
import os
import re
import subprocess
import tempfile

folder = os.path.dirname(os.path.abspath(__file__))
with open(f"{folder}/icon.svg") as f:
    rounded = f.read()
square = rounded.replace('rx="112" ', "")
# Inside the safe zone, a circle of 80 % of the width.
maskable = re.sub(r"<g (.*?)>", r'<g transform="translate(51 51) scale(.8)" \1>', square, count=1)

for name, size, svg in [("icon-192", 192, rounded), ("icon-512", 512, rounded), ("icon-maskable-512", 512, maskable),
                        ("apple-touch-icon", 180, square)]:
    with tempfile.TemporaryDirectory() as temporary:
        page = f"{temporary}/icon.html"
        with open(page, "w") as f:
            f.write(f'<style>body{{margin:0;background:transparent}}svg{{display:block;width:{size}px}}</style>{svg}')
        subprocess.run(["chromium", "--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--force-device-scale-factor=1",
                        "--default-background-color=00000000", f"--window-size={size},{size}",
                        f"--screenshot={folder}/{name}.png", page], check=True, capture_output=True)
