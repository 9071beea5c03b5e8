#!/usr/bin/env python3
"""Draw every picture and write every sidecar that Leaflog's tests and README use.

Run it from anywhere; it writes beside itself:

    sudo apt install libjxl-tools libimage-exiftool-perl   # cjxl for Colour/photo.jxl, exiftool for Places/
    pip install numpy pillow pillow-heif ssimulacra2   # Pillow 11.3 or newer (AVIF)
    python3 Fixtures/make-fixtures.py

Nothing is downloaded and nothing is random: noise is seeded by the file's own
name, so the same library versions write the same bytes.  A newer encoder may
write other bytes for the same picture, which is why answers.json gives a
tolerance with every colour.

The file reads from top to bottom: drawing, plants, photographs and their
dates, orientation, colour, places, files that are no photographs, answers.
"""

import json
import shutil
import struct
import subprocess
import tempfile
import zlib
from dataclasses import dataclass, field
from datetime import UTC, date, datetime
from pathlib import Path

import numpy as np
import pillow_heif
from PIL import Image, ImageDraw, ImageFilter
from PIL.TiffImagePlugin import IFDRational
from ssimulacra2 import compute_ssimulacra2

ROOT = Path(__file__).resolve().parent
PHOTOS = ROOT / "Photos"
OVERSAMPLING = 2


# --- Drawing -----------------------------------------------------------------
# World coordinates are pixels of the finished photo; (0, 0) is the middle of
# the pot's opening, x to the right and y down.  Angles are degrees from
# straight up, clockwise.

@dataclass
class Shape:
    """A filled outline, shaded from `light` to `dark` in the direction `lit`."""
    outline: np.ndarray
    light: tuple
    dark: tuple
    lit: tuple = (0.5, 0.85)
    cuts: list = field(default_factory=list)
    opacity: float = 1.0
    soft: float = 0.0        # blurred edge, in pixels
    shadow: float = 0.0      # strength of the shadow on whatever is behind


class Canvas:
    """An oversampled RGB picture that shapes are painted on, back to front."""

    def __init__(self, background, origin):
        height, width = background.shape[:2]
        self.size = (width, height)
        self.origin = np.array(origin, float)
        big = (width * OVERSAMPLING, height * OVERSAMPLING)
        self.image = to_image(background).resize(big, Image.Resampling.BICUBIC)

    def pixels(self, points):
        return (np.asarray(points) + self.origin) * OVERSAMPLING

    def box(self, points, margin):
        """The part of the canvas that holds the points, or None when outside."""
        low = np.maximum(np.floor(points.min(0) - margin), 0).astype(int)
        high = np.minimum(np.ceil(points.max(0) + margin), self.image.size).astype(int)
        return (*low, *high) if (high - low > 1).all() else None

    def mask(self, shape, box, shift=(0, 0), blur=0.0):
        corner = np.array(box[:2]) - np.array(shift) * OVERSAMPLING
        mask = Image.new("L", (int(box[2] - box[0]), int(box[3] - box[1])))
        pen = ImageDraw.Draw(mask)
        for polygon, value in [(shape.outline, 255), *((cut, 0) for cut in shape.cuts)]:
            pen.polygon([tuple(p) for p in self.pixels(polygon) - corner], fill=value)
        if blur:
            mask = mask.filter(ImageFilter.GaussianBlur(blur * OVERSAMPLING))
        return mask

    def paint(self, shape):
        if shape.shadow:
            self.cast(shape, shift=(5, 8), blur=7, strength=shape.shadow)
        box = self.box(self.pixels(shape.outline), 3 * shape.soft * OVERSAMPLING + 2)
        if box is None:
            return
        mask = self.mask(shape, box, blur=shape.soft)
        mask = mask.point(lambda v: round(v * shape.opacity))
        self.image.paste(shading(mask.size, shape), box[:2], mask)

    def cast(self, shape, shift, blur, strength):
        """Darken what is behind the shape."""
        points = self.pixels(shape.outline + np.array(shift))
        box = self.box(points, 3 * blur * OVERSAMPLING)
        if box is None:
            return
        mask = self.mask(shape, box, shift, blur).point(lambda v: round(v * strength))
        self.image.paste((30, 34, 38), box, mask)

    def finished(self):
        return np.asarray(self.image.resize(self.size, Image.Resampling.LANCZOS), float)


def to_image(array):
    return Image.fromarray(np.clip(np.round(array), 0, 255).astype(np.uint8))


def shading(size, shape):
    x, y = np.meshgrid(np.linspace(0, 1, size[0]), np.linspace(0, 1, size[1]))
    along = x * shape.lit[0] + y * shape.lit[1]
    along = (along - along.min()) / max(np.ptp(along), 1e-6)
    mix = along[..., None]
    return to_image(np.array(shape.light) * (1 - mix) + np.array(shape.dark) * mix)


def direction(degrees):
    turn = np.radians(degrees)
    return np.array([np.sin(turn), -np.cos(turn)])


def smooth(points, steps=10):
    """A Catmull-Rom curve through the points."""
    p = np.asarray(points, float)
    p = np.vstack([2 * p[0] - p[1], p, 2 * p[-1] - p[-2]])
    t = np.linspace(0, 1, steps, endpoint=False)[:, None]
    pieces = [
        0.5 * (2 * b + (c - a) * t + (2 * a - 5 * b + 4 * c - d) * t**2
               + (3 * b - a - 3 * c + d) * t**3)
        for a, b, c, d in zip(p, p[1:], p[2:], p[3:])
    ]
    return np.vstack([*pieces, p[-2:-1]])


def ribbon(points, start, end):
    """The outline of a line that is `start` wide at first and `end` at last."""
    points = np.asarray(points, float)
    along = np.gradient(points, axis=0)
    along /= np.linalg.norm(along, axis=1, keepdims=True) + 1e-9
    across = np.stack([-along[:, 1], along[:, 0]], 1)
    half = np.linspace(start, end, len(points))[:, None] / 2
    return np.vstack([points + across * half, (points - across * half)[::-1]])


def arc(base, start, end, length):
    """A line from `base` that leaves at angle `start` and arrives at angle `end`."""
    angles = np.linspace(start, end, 24)
    steps = np.array([direction(a) for a in angles]) * (length / len(angles))
    return np.vstack([base, np.asarray(base) + np.cumsum(steps, 0)])


def ellipse(centre, across, down, first=0, last=360):
    turn = np.radians(np.linspace(first, last, 60))
    return np.stack([centre[0] + across * np.cos(turn), centre[1] + down * np.sin(turn)], 1)


def tint(colour, factor):
    return tuple(min(255.0, c * factor) for c in colour)


def blend(one, other, share):
    return tuple(a + (b - a) * share for a, b in zip(one, other))


# --- Leaves ------------------------------------------------------------------
# Half a leaf, from the stalk at x = 0 to the tip at x = 1.

HEART = smooth([(0, 0), (-0.14, 0.10), (-0.17, 0.28), (-0.02, 0.45), (0.24, 0.50),
                (0.54, 0.39), (0.80, 0.19), (1, 0)])
OVAL = smooth([(0, 0), (0.08, 0.12), (0.32, 0.29), (0.58, 0.28), (0.84, 0.14), (1, 0)])
TOOTHED = np.array([(0, 0), (0.08, 0.12), (0.20, 0.25), (0.28, 0.21), (0.40, 0.31), (0.47, 0.22),
                    (0.60, 0.25), (0.66, 0.15), (0.80, 0.14), (0.85, 0.07), (1, 0)])


@dataclass
class Pose:
    """Where a leaf sits and how it is turned."""
    base: np.ndarray
    angle: float
    length: float
    width: float = 1.0
    bend: float = 0.0

    def place(self, points):
        points = np.asarray(points, float)
        ahead = direction(self.angle)
        aside = np.array([-ahead[1], ahead[0]])
        y = points[:, 1] * self.width + self.bend * points[:, 0] ** 2
        return self.base + self.length * (points[:, :1] * ahead + y[:, None] * aside)


def leaf(pose, half, colour, veins=4, cuts=()):
    """A blade, its half that is turned from the light, and its veins."""
    mirrored = half * (1, -1)
    cuts = [pose.place(cut) for cut in cuts]
    whole = pose.place(np.vstack([half, mirrored[::-1]]))
    shaded = half if pose.place([(0.4, 0.3)])[0][1] > pose.place([(0.4, -0.3)])[0][1] else mirrored
    shapes = [
        Shape(whole, tint(colour, 1.18), tint(colour, 0.82), cuts=cuts, shadow=0.30),
        Shape(pose.place(shaded), tint(colour, 0.80), tint(colour, 0.62), cuts=cuts, opacity=0.55),
    ]
    pale = blend(colour, (225, 240, 180), 0.42)
    lines = [([(0, 0), (0.5, 0), (0.95, 0)], 0.022)]
    for at in np.linspace(0.10, 0.70, veins):
        reach = np.interp(at + 0.12, half[len(half) // 3:, 0], half[len(half) // 3:, 1]) * 0.82
        lines += [([(at, 0), (at + 0.10, side * reach / 2), (at + 0.17, side * reach)], 0.010)
                  for side in (1, -1)]
    for line, width in lines:
        outline = ribbon(pose.place(smooth(line, 6)), width * pose.length, 0.004 * pose.length)
        shapes.append(Shape(outline, pale, pale, cuts=cuts, opacity=0.6))
    return shapes


def monstera_cuts(count):
    """The slits of a grown monstera leaf, and small holes beside its midrib."""
    cuts = []
    for at in np.linspace(0.02, 0.58, count) if count else ():
        for side in (1, -1):
            slit = [(at + 0.10, 0.17), (at + 0.17, 0.34), (at + 0.32, 0.62), (at + 0.21, 0.64),
                    (at + 0.12, 0.36)]
            cuts.append(np.array(slit) * (1, side))
            if count > 3:
                cuts.append(ellipse((at + 0.13, side * 0.075), 0.030, 0.016))
    return cuts


def grown(day, born, days):
    """How much of its size something has that started to grow on day `born`."""
    share = float(np.clip((day - born) / days, 0, 1))
    return share * share * (3 - 2 * share)


# --- Plants: each is a list of shapes for a day -------------------------------

# born (day), stalk's lean, stalk's length, the leaf's angle, length, slits
MONSTERA_LEAVES = [
    (52, 30, 450, 116, 236, 5), (38, -29, 430, -122, 232, 5), (66, -4, 510, -166, 210, 5),
    (24, 12, 350, 142, 222, 4), (4, -46, 340, -110, 212, 4), (-16, 54, 310, 106, 204, 3),
    (-34, -14, 235, -150, 176, 2), (-48, 36, 195, 122, 160, 1), (-60, -42, 170, -118, 148, 0),
]


def monstera(day):
    stalks, blades = [], []
    for born, lean, reach, angle, length, slits in MONSTERA_LEAVES:
        size = grown(day, born, 50)
        if size < 0.03:
            continue
        stalk = arc((lean * 0.25, 6), lean * 0.35, lean * 1.35, reach * (0.35 + 0.65 * size))
        stalks.append(Shape(ribbon(stalk, 9, 5), (120, 160, 80), (70, 115, 55), shadow=0.2))
        colour = blend((150, 205, 90), (52, 122, 66), size)
        pose = Pose(stalk[-1], angle, length * (0.22 + 0.78 * size), 0.35 + 0.65 * size, 0.05)
        blades.append(leaf(pose, HEART, colour, 5, monstera_cuts(slits if size > 0.3 else 0)))
    return stalks + [shape for blade in blades for shape in blade]


# lean, full height, day it comes up, where it leaves the soil; back to front
BASIL_STEMS = [(-9, 430, -11, -14), (12, 445, -10, 18), (-24, 395, -9, -34), (27, 400, -8, 36),
               (-40, 330, -5, -52), (42, 315, -4, 54), (2, 345, -8, 2)]


def basil(day):
    return [shape for stem in BASIL_STEMS for shape in basil_stem(day, *stem)]


def basil_stem(day, lean, full, born, foot):
    height = full * grown(day, born, 38)
    if height < 8:
        return []
    line = arc((foot, 8), lean * 0.4, lean * 1.3, height)
    shapes = [Shape(ribbon(line, 8, 4), (150, 180, 95), (100, 140, 65), shadow=0.2)]
    levels = np.arange(30 + abs(foot) * 0.4, height - 14, 58)
    for number, level in enumerate([*levels, height]):
        base = line[min(int(level / height * 24), 24)]
        shapes += basil_pair(base, number + (foot > 0), height - level, lean)
    return shapes


def basil_pair(base, number, below_top, lean):
    """Two leaves that face each other; every other pair faces the viewer."""
    age = min(1.0, below_top / 150)
    colour = tint(blend((156, 208, 84), (60, 138, 58), age), 1 + 0.06 * np.sin(base[0]))
    aside = number % 2 == 0
    length = (34 + 78 * age) * (1.0 if aside else 0.80)
    tilt = (52 if aside else 104) + 22 * age
    return [shape for side in (-1, 1)
            for shape in leaf(Pose(base, 0.7 * lean + side * (tilt + 9 * np.sin(base[1])), length,
                                   1.05 if aside else 1.3, side * 0.16),
                              OVAL, tint(colour, 1 + 0.05 * side), 4)]


def tomato(day):
    height = 250 + 300 * grown(day, -12, 58)
    stem = np.array([(9 * np.sin(y / 46), 8 - y) for y in np.linspace(0, height, 80)])
    shapes = [Shape(ribbon([(14, 12), (13, -280), (12, -575)], 10, 9), (212, 184, 128),
                    (170, 138, 84), lit=(1, 0), shadow=0.25),
              Shape(ribbon(stem, 12, 6), (128, 166, 84), (82, 122, 58), lit=(1, 0), shadow=0.2)]
    for number, level in enumerate(np.arange(70, height, 52)):
        base = stem[min(int(level / height * 79), 79)]
        shapes += tomato_leaf(base, 1 if number % 2 else -1, height - level)
    for tie in range(110, int(height) - 30, 150):
        knot = ribbon([(-8, -tie), (6, -tie - 4), (22, -tie)], 4, 4)
        shapes.append(Shape(knot, (196, 160, 110), (150, 115, 75), shadow=0.2))
    return shapes + tomato_trusses(day, stem, height)


def tomato_leaf(base, side, below_top):
    size = min(1.0, 0.30 + below_top / 230)
    rib = arc(base, side * 48, side * (70 + 52 * size), 175 * size)
    colour = blend((136, 188, 84), (64, 126, 62), size)
    shapes = [Shape(ribbon(rib, 6, 2), (116, 156, 76), (80, 120, 56), shadow=0.2)]
    for at, length in [(8, 52), (13, 66), (19, 58)]:
        heading = np.degrees(np.arctan2(*((rib[at + 1] - rib[at]) * (1, -1))))
        for turn in (-62, 62):
            shapes += leaf(Pose(rib[at], heading + turn, length * size, 1.05, 0.1), TOOTHED,
                           tint(colour, 1.0 + turn / 900), 3)
    return shapes + leaf(Pose(rib[-1], side * (85 + 50 * size), 86 * size, 1.05), TOOTHED, colour, 4)


# height on the stem, side, day it flowers, where its three fruits hang
TRUSSES = [(152, 1, 0, [(34, 26), (64, 40), (46, 74)]),
           (262, -1, 20, [(-36, 24), (-66, 40), (-46, 70)]),
           (372, 1, 34, [(30, 18), (56, 26), (46, 52)]),
           (470, -1, 44, [(-28, 14), (-50, 24), (-38, 44)])]


def tomato_trusses(day, stem, height):
    shapes = []
    for level, side, born, spots in TRUSSES:
        if day < born or level > height:
            continue
        base = stem[min(int(level / height * 79), 79)]
        for number, spot in enumerate(spots[:1] if day == born == 0 else spots):
            place = base + np.array(spot)
            branch = smooth([base, base + (spot[0] * 0.6, -6), place])
            shapes.append(Shape(ribbon(branch, 5, 3), (126, 164, 82), (90, 130, 60), shadow=0.2))
            shapes += fruit_or_flower(place, day - born - 2 * number)
    return shapes


def fruit_or_flower(place, age):
    if age < 12:
        return star(place, 19, (255, 222, 60), (240, 180, 20), 5) + [
            Shape(ellipse(place, 5, 6), (236, 150, 30), (200, 110, 20))]
    ripe = grown(age, 30, 14)
    colour = blend(blend((136, 184, 82), (240, 150, 50), min(1, ripe * 2)), (214, 46, 36),
                   max(0, ripe * 2 - 1))
    radius = 9 + 17 * grown(age, 8, 26)
    middle = place + np.array([0, radius * 0.8])
    shine = Shape(ellipse(middle - radius * 0.36, radius * 0.26, radius * 0.2), (255, 255, 250),
                  (255, 255, 250), opacity=0.75, soft=2.0)
    body = Shape(ellipse(middle, radius, radius * 0.93), tint(colour, 1.16), tint(colour, 0.66),
                 shadow=0.35)
    return [body, shine] + star(place + (0, 3), radius * 0.6, (110, 156, 70), (70, 112, 48), 6)


def star(place, radius, light, dark, petals):
    turns = np.radians(np.arange(petals * 2) * 180 / petals + 12)
    reach = np.where(np.arange(petals * 2) % 2, 0.34, 1.0) * radius
    points = np.stack([np.sin(turns) * reach, -np.cos(turns) * reach * 0.9], 1)
    return [Shape(points + place, light, dark, shadow=0.25)]


# --- Rooms and pots ----------------------------------------------------------

@dataclass
class Room:
    wall: tuple
    table: tuple
    pot: tuple
    stripe: tuple
    grain: float


ROOMS = {
    "monstera": Room((214, 217, 200), (176, 134, 92), (238, 234, 224), (88, 124, 150), 13),
    "basil": Room((226, 208, 190), (206, 190, 168), (202, 112, 74), (220, 140, 100), 7),
    "tomato": Room((188, 208, 218), (142, 142, 138), (70, 92, 116), (206, 214, 214), 6),
}
PLANTS = {"monstera": monstera, "basil": basil, "tomato": tomato}


def cloud(rng, shape, cells):
    """Smooth noise between about -1 and 1 with the given number of cells."""
    coarse = Image.fromarray(rng.normal(0, 0.5, cells).astype(np.float32))
    return np.asarray(coarse.resize(shape[::-1], Image.Resampling.BICUBIC), float)


def wall(rng, size, colour):
    """A plastered wall, lighter towards the window at the upper left."""
    width, height = size
    x, y = np.meshgrid(np.arange(width) / width, np.arange(height) / height)
    light = 1.07 - 0.22 * np.hypot(x - 0.25, (y - 0.2) * 0.8) ** 1.3
    plaster = cloud(rng, (height, width), (9, 12)) * 1.6 + cloud(rng, (height, width), (90, 120)) * 1.3
    return np.array(colour) * light[..., None] + plaster[..., None]


def window_light(size, drift):
    """How much sun each pixel gets through a window with four panes."""
    patch = Image.new("L", size)
    pen = ImageDraw.Draw(patch)
    for column in range(2):
        for row in range(2):
            left, top = 90 + drift + column * 190 + row * 46, 60 + row * 220 + column * 16
            pen.polygon([(left, top), (left + 170, top + 14), (left + 212, top + 212),
                         (left + 42, top + 198)], fill=255)
    blurred = patch.filter(ImageFilter.GaussianBlur(11))
    return np.asarray(blurred, float)[..., None] / 255


def table(rng, shape, colour, grain):
    height, width = shape
    lines = cloud(rng, shape, (max(height // 4, 4), 5)) + 0.6 * cloud(rng, shape, (height // 2, 14))
    fall = np.linspace(0.90, 1.06, height)[:, None] * np.linspace(1.04, 0.92, width)
    return np.array(colour) * fall[..., None] + (lines * grain)[..., None]


def room(rng, size, edge, look):
    width, height = size
    drift = rng.integers(-26, 26)
    picture = wall(rng, size, look.wall)
    picture += window_light(size, drift) * np.array([24, 20, 10])
    picture[edge:] = table(rng, (height - edge, width), look.table, look.grain)
    below = np.arange(height - edge)[:, None, None]
    picture[edge:] *= 1 - 0.28 * np.exp(-below / 7)
    return picture


def pot(look):
    """The pot's body, its stripe, its rim and the soil in it."""
    def band(top, bottom, top_half, bottom_half, end=0):
        upper = ellipse((0, top), top_half, 0.17 * top_half, 180, end)
        return np.vstack([upper, ellipse((0, bottom), bottom_half, 0.17 * bottom_half, 0, 180)])

    def side(outline, colour, shadow=0.0):
        return Shape(outline, tint(colour, 1.06), tint(colour, 0.62), lit=(1, 0.15), shadow=shadow)

    soil = (74, 54, 42)
    return [side(band(30, 176, 116, 84), look.pot, 0.3),
            side(band(84, 108, 105.5, 99.5), look.stripe),
            side(band(0, 34, 132, 130, end=360), tint(look.pot, 1.03), 0.35),
            Shape(ellipse((0, 0), 122, 19), tint(look.pot, 0.50), tint(look.pot, 0.72), lit=(1, 0)),
            Shape(ellipse((0, 5), 116, 14), tint(soil, 0.8), tint(soil, 1.15))]


def crumbs(rng):
    shapes = []
    for _ in range(60):
        x = rng.uniform(-104, 104)
        y = 5 + rng.uniform(-1, 1) * 11 * np.sqrt(1 - (x / 112) ** 2)
        shade = rng.uniform(0.7, 1.6)
        shapes.append(Shape(ellipse((x, y), rng.uniform(2, 5), rng.uniform(1.2, 2.4)),
                            tint((80, 60, 46), shade), tint((64, 46, 36), shade)))
    return shapes


def film(rng, picture):
    """Exposure that differs a little from day to day, darker corners and noise."""
    height, width = picture.shape[:2]
    x, y = np.meshgrid(np.linspace(-1, 1, width), np.linspace(-1, 1, height))
    picture = picture * (1 - 0.10 * (x**2 + y**2) ** 1.5 / 2.8)[..., None]
    picture = picture * rng.uniform(0.97, 1.03) * rng.uniform(0.99, 1.01, 3)
    return picture + rng.normal(0, 0.95, (height, width, 1)) + rng.normal(0, 0.35, picture.shape)


def photograph(plant, day, seed, size=(1200, 900)):
    """The plant in its room, on a day."""
    rng = np.random.default_rng(zlib.crc32(seed.encode()))
    look = ROOMS[plant]
    base = size[1] - 252 + rng.integers(-4, 4)
    canvas = Canvas(room(rng, size, base + 92, look), (size[0] / 2 + rng.integers(-9, 9), base))
    shapes = PLANTS[plant](day)
    for shape in shapes:
        if shape.shadow:
            canvas.cast(shape, shift=(78, 40), blur=20, strength=0.075)
    floor = Shape(ellipse((34, 176), 130, 26), (0, 0, 0), (0, 0, 0))
    canvas.cast(floor, shift=(0, 0), blur=12, strength=0.55)
    for shape in [*pot(look), *crumbs(rng), *shapes]:
        canvas.paint(shape)
    return to_image(film(rng, canvas.finished()))


# --- Photographs and their dates -----------------------------------------------

ORIENTATION, EXIF_IFD, GPS_IFD = 0x0112, 0x8769, 0x8825
MAKE, MODEL = 0x010F, 0x0110
EXIF_VERSION, DATE_ORIGINAL, OFFSET_ORIGINAL = 0x9000, 0x9003, 0x9011


def exif(when=None, offset=None, orientation=None, gps=None):
    tags = Image.Exif()
    tags[MAKE], tags[MODEL] = "Leaflog", "Fixture camera"
    if orientation:
        tags[ORIENTATION] = orientation
    if when:
        tags.get_ifd(EXIF_IFD).update({EXIF_VERSION: b"0232", DATE_ORIGINAL: when})
    if offset:
        tags.get_ifd(EXIF_IFD)[OFFSET_ORIGINAL] = offset
    if gps:
        tags.get_ifd(GPS_IFD).update(gps)
    return tags.tobytes()


def gps_position():
    """A public place: the great glasshouse of Berlin's botanical garden."""
    def degrees(*parts):
        return tuple(IFDRational(part) for part in parts)
    return {0: b"\x02\x03\x00\x00", 1: "N", 2: degrees(52, 27, 27), 3: "E", 4: degrees(13, 18, 19)}


def save_photo(path, picture, tags=b""):
    path.parent.mkdir(parents=True, exist_ok=True)
    picture.save(path, "JPEG", quality=92, subsampling="4:2:0", optimize=True, exif=tags)


def answer(path, captured_at, source, size=(1200, 900), notes=""):
    return {"path": path, "plant": path.split("/")[0], "capturedAt": captured_at,
            "captureSource": source, "uprightSize": list(size), "notes": notes}


def make_monstera():
    times = ["2025-04-02T08:11:05", "2025-04-16T08:02:40", "2025-05-07T07:58:12",
             "2025-06-04T08:20:31", "2025-07-01T08:05:00"]
    notes = {1: "has a GPS position in EXIF; no thumbnail may carry it",
             3: "stored sideways as 1200x900, EXIF Orientation 6; upright it is 900x1200"}
    answers = []
    for number, time in enumerate(times, 1):
        path = f"monstera/IMG_{number:04}.jpg"
        sideways = number == 3
        size = (900, 1200) if sideways else (1200, 900)
        day = (date.fromisoformat(time[:10]) - date(2025, 4, 2)).days
        picture = photograph("monstera", day, path, size)
        if sideways:
            picture = picture.transpose(Image.Transpose.ROTATE_90)
        tags = exif(time.replace("-", ":").replace("T", " "), "+02:00", 6 if sideways else 1,
                    gps_position() if number == 1 else None)
        save_photo(PHOTOS / path, picture, tags)
        answers.append(answer(path, time + "+02:00", "exif", size, notes.get(number, "")))
    return answers


def make_basil():
    answers = []
    for week, day in enumerate(["10", "17", "24", "31"]):
        path = f"basil/202505{day}T120006+0100.jpg"
        save_photo(PHOTOS / path, photograph("basil", 7 * week, path))
        answers.append(answer(path, f"2025-05-{day}T12:00:06+01:00", "filename",
                              notes="no EXIF; time and offset are in the name"))
    return answers


XMP = """<?xpacket begin="\ufeff" id="W5M0MpCehiHzreSzNTczkc9d"?>
<x:xmpmeta xmlns:x="adobe:ns:meta/">
  <rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
    <rdf:Description rdf:about=""
        xmlns:exif="http://ns.adobe.com/exif/1.0/"
        xmlns:dc="http://purl.org/dc/elements/1.1/"
        exif:DateTimeOriginal="2025-05-20T18:30:00+02:00">
      <dc:description>
        <rdf:Alt>
          <rdf:li xml:lang="x-default">first flower</rdf:li>
        </rdf:Alt>
      </dc:description>
    </rdf:Description>
  </rdf:RDF>
</x:xmpmeta>
<?xpacket end="w"?>
"""


def takeout(title, taken, description):
    stamp = {"timestamp": str(int(taken.timestamp())),
             "formatted": taken.strftime("%b %-d, %Y, %-I:%M:%S %p UTC")}
    nowhere = {"latitude": 0.0, "longitude": 0.0, "altitude": 0.0,
               "latitudeSpan": 0.0, "longitudeSpan": 0.0}
    return as_json({"title": title, "description": description, "imageViews": "0",
                    "creationTime": stamp, "photoTakenTime": stamp, "geoData": nowhere})


def as_json(value):
    return json.dumps(value, indent=2, ensure_ascii=False) + "\n"


def tomato_photo(name, day, tags=b""):
    save_photo(PHOTOS / "tomato" / name, photograph("tomato", day, "tomato/" + name), tags)


def make_tomato():
    folder = PHOTOS / "tomato"
    tomato_photo("DSC_0101.jpg", 0, exif("2024:01:01 00:00:00"))
    (folder / "DSC_0101.xmp").write_text(XMP, encoding="utf-8")
    tomato_photo("DSC_0102.jpg", 21, exif("2025:06:10 18:31:10"))
    shutil.copyfile(folder / "DSC_0102.jpg", folder / "DSC_0102 copy.jpg")
    pixel = "PXL_20250620_163000123.jpg"
    tomato_photo(pixel, 31)
    taken = datetime(2025, 6, 20, 16, 30, tzinfo=UTC)
    (folder / (pixel + ".json")).write_text(takeout(pixel, taken, "three green tomatoes"))
    tomato_photo("IMG_20250705_190500.jpg", 46)
    (folder / "notes.txt").write_text("Sown on 1 March, moved to the balcony on 15 May.\n")
    return tomato_answers(pixel)


def tomato_answers(pixel):
    return [
        answer("tomato/DSC_0101.jpg", "2025-05-20T18:30:00+02:00", "sidecar",
               notes="caption 'first flower' from DSC_0101.xmp, which ranks above the camera's "
                     "unset clock (EXIF 2024:01:01 00:00:00)"),
        answer("tomato/DSC_0102.jpg", "2025-06-10T18:31:10", "exif", notes="no offset recorded"),
        answer("tomato/DSC_0102 copy.jpg", "2025-06-10T18:31:10", "exif",
               notes="byte-identical copy of DSC_0102.jpg"),
        answer("tomato/" + pixel, "2025-06-20T16:30:00Z", "takeout",
               notes="caption 'three green tomatoes' from the JSON, which ranks above the name; "
                     "both say the same UTC time"),
        answer("tomato/IMG_20250705_190500.jpg", "2025-07-05T19:05:00", "filename",
               notes="no EXIF; local time in the name, no offset"),
    ]


# --- Orientation and colour ----------------------------------------------------

RED, GREEN, BLUE, YELLOW = (220, 40, 40), (40, 180, 60), (40, 70, 200), (230, 210, 50)
QUADRANTS = [RED, GREEN, BLUE, YELLOW]
CENTRES = {"topLeft": (40, 30), "topRight": (120, 30), "bottomLeft": (40, 90),
           "bottomRight": (120, 90)}
EXACT_JPEG = {"quality": 95, "subsampling": "4:4:4"}


def quadrants(colours=QUADRANTS):
    """160x120, four equal quadrants, as an array."""
    upper, lower = (np.hstack([np.full((60, 80, len(c)), c) for c in pair])
                    for pair in (colours[:2], colours[2:]))
    return np.vstack([upper, lower]).astype(np.uint8)


def expected(path, tolerance, colours=QUADRANTS, notes=""):
    return {"path": path, "uprightSize": [160, 120],
            "quadrants": dict(zip(CENTRES, map(list, colours))),
            "tolerance": tolerance, "notes": notes}


def make_orientation():
    """Store each picture so that applying its tag turns it upright."""
    turn = Image.Transpose
    stored = {2: turn.FLIP_LEFT_RIGHT, 3: turn.ROTATE_180, 4: turn.FLIP_TOP_BOTTOM,
              5: turn.TRANSPOSE, 6: turn.ROTATE_90, 7: turn.TRANSVERSE, 8: turn.ROTATE_270}
    answers = []
    for tag in range(1, 9):
        picture = Image.fromarray(quadrants())
        picture = picture.transpose(stored[tag]) if tag in stored else picture
        picture.save(ROOT / f"Orientation/{tag}.jpg", exif=exif(orientation=tag), **EXACT_JPEG)
        answers.append(expected(f"{tag}.jpg", 5, notes=f"stored as {picture.width}x{picture.height}"))
    return answers


def rgb_to_xyz(primaries, white=(0.3127, 0.3290)):
    """The matrix from linear RGB to XYZ, from chromaticities."""
    def xyz(x, y):
        return np.array([x / y, 1, (1 - x - y) / y])
    columns = np.stack([xyz(*p) for p in primaries], 1)
    return columns * np.linalg.solve(columns, xyz(*white))


SRGB_TO_XYZ = rgb_to_xyz([(0.640, 0.330), (0.300, 0.600), (0.150, 0.060)])
P3_TO_XYZ = rgb_to_xyz([(0.680, 0.320), (0.265, 0.690), (0.150, 0.060)])
D65, D50 = SRGB_TO_XYZ.sum(1), np.array([0.9642, 1.0, 0.8249])


def to_linear(v):
    return np.where(v <= 0.04045, v / 12.92, ((v + 0.055) / 1.055) ** 2.4)


def from_linear(v):
    return np.where(v <= 0.0031308, v * 12.92, 1.055 * np.maximum(v, 0) ** (1 / 2.4) - 0.055)


def srgb_to_p3(colour):
    linear = np.linalg.solve(P3_TO_XYZ, SRGB_TO_XYZ @ to_linear(np.array(colour) / 255))
    return tuple(np.round(from_linear(linear) * 255).astype(int))


def adapt_to_d50(matrix):
    """Bradford adaptation from D65, which ICC's profile connection space wants."""
    cone = np.array([[0.8951, 0.2664, -0.1614], [-0.7502, 1.7135, 0.0367], [0.0389, -0.0685, 1.0296]])
    return np.linalg.inv(cone) @ np.diag((cone @ D50) / (cone @ D65)) @ cone @ matrix


def icc_xyz(values):
    return b"XYZ \0\0\0\0" + b"".join(struct.pack(">i", round(v * 65536)) for v in values)


def icc_description(text):
    ascii_text = text.encode() + b"\0"
    return b"desc\0\0\0\0" + struct.pack(">I", len(ascii_text)) + ascii_text + bytes(78)


def display_p3_profile():
    """A minimal ICC 2.4 display profile: matrix and one curve for all channels."""
    table = np.round(to_linear(np.linspace(0, 1, 1024)) * 65535).astype(">u2")
    curve = b"curv\0\0\0\0" + struct.pack(">I", len(table)) + table.tobytes()
    red, green, blue = adapt_to_d50(P3_TO_XYZ).T
    tags = [(b"desc", icc_description("Display P3 (Leaflog fixture)")),
            (b"cprt", b"text\0\0\0\0No copyright, use freely\0"), (b"wtpt", icc_xyz(D50)),
            (b"rXYZ", icc_xyz(red)), (b"gXYZ", icc_xyz(green)), (b"bXYZ", icc_xyz(blue)),
            (b"rTRC", curve), (b"gTRC", curve), (b"bTRC", curve)]
    return icc_file(tags)


def icc_file(tags):
    """Header, tag table and tag data; equal data is stored once."""
    entries, data, places = b"", b"", {}
    start = 128 + 4 + 12 * len(tags)
    for name, content in tags:
        if content not in places:
            places[content] = start + len(data)
            data += content + bytes(-len(content) % 4)
        entries += name + struct.pack(">II", places[content], len(content))
    created = struct.pack(">6H", 2025, 1, 1, 0, 0, 0)
    header = (struct.pack(">I4sI", start + len(data), b"\0\0\0\0", 0x02400000) + b"mntrRGB XYZ "
              + created + b"acsp" + bytes(28) + icc_xyz(D50)[8:])
    return header.ljust(128, b"\0") + struct.pack(">I", len(tags)) + entries + data


def sixteen_bit_png(pixels):
    def chunk(kind, content):
        body = kind + content
        return struct.pack(">I", len(content)) + body + struct.pack(">I", zlib.crc32(body))
    height, width = pixels.shape[:2]
    rows = b"".join(b"\0" + row.astype(">u2").tobytes() for row in pixels)
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 16, 2, 0, 0, 0))
            + chunk(b"sRGB", b"\0") + chunk(b"IDAT", zlib.compress(rows, 9)) + chunk(b"IEND", b""))


def sixteen_bit_tiff(pixels):
    """Little-endian, uncompressed, one strip: header, directory, bit depths, pixels."""
    height, width = pixels.shape[:2]
    strip = pixels.astype("<u2").tobytes()
    short, long = 3, 4
    depths_at = 8 + 2 + 12 * 10 + 4
    fields = [(256, long, 1, width), (257, long, 1, height), (258, short, 3, depths_at),
              (259, short, 1, 1), (262, short, 1, 2), (273, long, 1, depths_at + 6),
              (277, short, 1, 3), (278, long, 1, height), (279, long, 1, len(strip)),
              (284, short, 1, 1)]
    directory = b"".join(struct.pack("<HHII", *entry) for entry in fields)
    return (b"II*\0" + struct.pack("<IH", 8, len(fields)) + directory + bytes(4)
            + struct.pack("<3H", 16, 16, 16) + strip)


# The quadrants' inks on paper.
PRINTED = [(209, 72, 62), (36, 125, 93), (58, 78, 129), (237, 190, 74)]


def make_jpegs(folder):
    picture = Image.fromarray(quadrants())
    picture.save(folder / "srgb.jpg", **EXACT_JPEG)
    picture.save(folder / "progressive.jpg", progressive=True, **EXACT_JPEG)
    picture.convert("L").save(folder / "grey.jpg", quality=95)
    picture.convert("CMYK").save(folder / "cmyk.jpg", **EXACT_JPEG)
    wide = Image.fromarray(quadrants([srgb_to_p3(c) for c in QUADRANTS]))
    wide.save(folder / "display-p3.jpg", icc_profile=display_p3_profile(), **EXACT_JPEG)
    luma = [(round(0.299 * r + 0.587 * g + 0.114 * b),) * 3 for r, g, b in QUADRANTS]
    return [expected("srgb.jpg", 5, notes="no profile"), expected("progressive.jpg", 5),
            expected("grey.jpg", 5, luma, "one component"),
            expected("cmyk.jpg", 12, PRINTED, "Adobe marker, inverted, K = 0, no profile: "
                                              "what libvips' generic press profile makes of it"),
            expected("display-p3.jpg", 6, notes="stored values are "
                     + ", ".join(str(tuple(map(int, srgb_to_p3(c)))) for c in QUADRANTS)
                     + "; ignoring the profile fails in the red and green quadrants")]


def make_lossless(folder):
    picture = Image.fromarray(quadrants())
    deep = quadrants().astype(np.uint16) * 257
    (folder / "sixteen-bit.png").write_bytes(sixteen_bit_png(deep))
    (folder / "sixteen-bit.tif").write_bytes(sixteen_bit_tiff(deep))
    Image.fromarray(quadrants([(*RED, 255), (*GREEN, 255), (*BLUE, 255), (*YELLOW, 0)])).save(
        folder / "alpha.png", optimize=True)
    picture.save(folder / "lossless.webp", lossless=True)
    picture.save(folder / "rgb.tif", compression="tiff_lzw")
    return [expected("sixteen-bit.png", 1, notes="RGB, 16 bits a channel"),
            expected("sixteen-bit.tif", 1, notes="RGB, 16 bits a channel, little-endian, uncompressed"),
            expected("alpha.png", 1, [RED, GREEN, BLUE, (255, 255, 255)],
                     "bottom right is fully transparent yellow: white once flattened"),
            expected("lossless.webp", 1), expected("rgb.tif", 1, notes="LZW")]


def palette_picture(indices):
    picture = Image.fromarray(np.asarray(indices, np.uint8))
    picture.putpalette([part for colour in [*QUADRANTS, (128, 128, 128)] for part in colour])
    return picture


def make_animated(folder):
    first = palette_picture(quadrants([(0,), (1,), (2,), (3,)])[..., 0])
    second = palette_picture(np.full((120, 160), 4))
    first.save(folder / "animated.gif", save_all=True, append_images=[second], duration=500, loop=0)
    first.convert("RGB").save(folder / "animated.webp", save_all=True, duration=500, loop=0,
                              append_images=[second.convert("RGB")], quality=95)
    note = "frame 1 is the picture, frame 2 is all grey (128, 128, 128)"
    return [expected("animated.gif", 1, notes=note), expected("animated.webp", 10, notes=note + "; lossy")]


def make_modern(folder):
    picture = Image.fromarray(quadrants())
    pillow_heif.register_heif_opener()
    picture.save(folder / "photo.heic", quality=92, chroma=444)
    picture.save(folder / "photo.avif", quality=92, subsampling="4:4:4", max_threads=1)
    with tempfile.TemporaryDirectory() as scratch:
        source = Path(scratch) / "source.png"
        picture.save(source)
        subprocess.run(["cjxl", "--quiet", "-x", "color_space=RGB_D65_SRG_Rel_SRG", "-d", "0.5",
                        source, folder / "photo.jxl"], check=True)
    return [expected("photo.heic", 8, notes="HEVC, 4:4:4"), expected("photo.avif", 8, notes="AV1, 4:4:4"),
            expected("photo.jxl", 8, notes="lossy, distance 0.5")]


def make_colour():
    folder = ROOT / "Colour"
    return make_jpegs(folder) + make_lossless(folder) + make_animated(folder) + make_modern(folder)


# --- Encodings -------------------------------------------------------------------

def pq(light):
    """Codes of SMPTE ST 2084 for light of which 1 is diffuse white (ITU-R BT.2408), 203 cd/m2."""
    power = (np.asarray(light) * 203 / 10_000) ** (2610 / 16_384)
    return ((3424 / 4096 + 2413 / 128 * power) / (1 + 2392 / 128 * power)) ** (2523 / 32)


def make_encodings():
    """The quadrants in encodings that decoders hand on without a word: premultiplied, of limited range, and HDR."""
    folder = ROOT / "Encodings"
    folder.mkdir(exist_ok=True)
    half = Image.fromarray(quadrants([(*c, 128) for c in QUADRANTS]))
    half.save(folder / "premultiplied.avif", quality=100, subsampling="4:4:4", max_threads=1,
              alpha_premultiplied=True)
    Image.fromarray(quadrants()).convert("L").save(
        folder / "grey-limited.avif", quality=100, subsampling="4:0:0", range="limited", max_threads=1)
    with tempfile.TemporaryDirectory() as scratch:
        source = Path(scratch) / "source.png"
        half.save(source)
        subprocess.run(["cjxl", "--quiet", "-d", "0", "--premultiply=1", source,
                        folder / "premultiplied.jxl"], check=True)
        light = to_linear(quadrants() / 255)
        Image.fromarray((pq(light) * 255 + 0.5).astype(np.uint8)).save(source)
        subprocess.run(["cjxl", "--quiet", "-x", "color_space=RGB_D65_SRG_Rel_PeQ", "-d", "0", source,
                        folder / "pq.jxl"], check=True)


# --- Places ----------------------------------------------------------------------

# The position, and the places that name it, are a public botanical garden's.
PLACE_TAGS = [
    "-EXIF:ImageDescription=fern", "-EXIF:DateTimeOriginal=2025:04:02 08:11:05",
    "-EXIF:GPSLatitude=52.4581", "-EXIF:GPSLatitudeRef=N", "-EXIF:GPSLongitude=13.3047",
    "-EXIF:GPSLongitudeRef=E", "-EXIF:GPSAltitude=41", "-XMP-exif:GPSLatitude=52.4581",
    "-XMP-exif:GPSLongitude=13.3047", "-XMP-photoshop:City=Berlin",
    "-XMP-photoshop:Country=Deutschland", "-XMP-iptcCore:Location=Palmenhaus",
    "-XMP-xmp:CreateDate=2025:04:02 08:11:05", "-IPTC:City=Berlin",
    "-IPTC:Sub-location=Palmenhaus", "-IPTC:Country-PrimaryLocationName=Deutschland",
]


def make_places():
    """A picture of each format with its place in every way that exiftool can write there."""
    for source in ["srgb.jpg", "alpha.png", "lossless.webp", "rgb.tif", "animated.gif",
                   "photo.heic", "photo.avif", "photo.jxl"]:
        place = ROOT / "Places" / f"place{Path(source).suffix}"
        shutil.copy(ROOT / "Colour" / source, place)
        subprocess.run(["exiftool", "-q", "-q", "-m", "-overwrite_original", *PLACE_TAGS, place],
                       check=True)


# --- Files that are no photographs ---------------------------------------------

NOT_PHOTOS = {
    "page.html": "<!doctype html>\n<title>Not a photo</title>\n<p>A page about a fern.</p>\n",
    "drawing.svg": '<svg xmlns="http://www.w3.org/2000/svg" width="160" height="120">\n'
                   '  <script>alert("an SVG can run scripts")</script>\n'
                   '  <circle cx="80" cy="60" r="40" fill="#28b43c"/>\n</svg>\n',
    "data.json": '{"plant": "fern", "photo": false}\n',
}


def pdf():
    """One empty page."""
    objects = ["<< /Type /Catalog /Pages 2 0 R >>", "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
               "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 160 120] >>"]
    text, places = "%PDF-1.4\n", []
    for number, content in enumerate(objects, 1):
        places.append(len(text))
        text += f"{number} 0 obj\n{content}\nendobj\n"
    table_rows = "".join(f"{place:010} 00000 n \n" for place in places)
    return (f"{text}xref\n0 4\n0000000000 65535 f \n{table_rows}"
            f"trailer\n<< /Size 4 /Root 1 0 R >>\nstartxref\n{len(text)}\n%%EOF\n")


def make_not_photos():
    folder = ROOT / "Formats/not-photos"
    for name, content in {"document.pdf": pdf(), **NOT_PHOTOS}.items():
        (folder / name).write_text(content)
    return ["document.pdf", *NOT_PHOTOS]


# --- Everything ----------------------------------------------------------------

SOURCES = """# Where the fixtures come from

Every file in this folder was made for this project: drawn or written by
`make-fixtures.py`, unless the table says otherwise. Nothing was taken from
elsewhere. The licence is MIT, like the rest of Leaflog.

| Folder or file | What it is |
| --- | --- |
| `Photos/` | The sample library that the README imports: three growing plants, dated by EXIF, file names, an XMP sidecar and a Google Takeout sidecar, plus one byte-identical copy and one text file. The GPS position in `monstera/IMG_0001.jpg` is that of a public botanical garden. |
| `Orientation/` | One picture of four coloured quadrants, stored in each of the eight EXIF orientations. |
| `Colour/` | The same picture in the colour models, bit depths and file formats that Leaflog reads. The script also builds the Display P3 profile in `display-p3.jpg`. |
| `Places/` | The pictures of `Colour/` in eight formats, with the location of a public botanical garden in EXIF, XMP and IPTC, wherever exiftool can write them. |
| `Formats/not-photos/` | Small files that are not photographs and must not be imported; `drawing.svg` contains a script. |
| `Score/` | A picture, a lossy copy of it, and the score that PyPI's ssimulacra2 0.3.0 gives the pair. |
| `Insights/` | Episodes and logs, and the insights expected from them, worked out by hand: `triggers.md` shows how each number was derived, `triggers.json` has the same for the tests. |
| `Diary/diary-1.json` | A diary with everything that an export can contain, in the form that `leaflog export json` writes: written by hand, then imported and exported once. |
| `Diary/okie-1.0.json`, `Diary/okie-1.1.json` | Activities and completions as the activity tracker Okie stores them according to its requirements for versions 1.0 and 1.1, written by hand: dates as Swift encodes them, in seconds since 2001 and in ISO 8601. |
| `answers.json` | What a reader should find in each file. |
| `commands.txt` | Commands and the JSON that they write, recorded by `JSONOutputTests` with `LEAFLOG_RECORD`. |
| `pages.webp` | The README's picture: pages with `Photos/`, from the screenshots that `Tests/BrowserTests` takes with `LEAFLOG_SHOTS`. |
| `make-pictures.py` | Draws that picture, and the manual's pictures in `Sources/Leaflog/Leaflog.docc`, with a release build of Leaflog and Pillow: `compare.jpg`, the output of `leaflog compare` for the first and the last photo in `Photos/monstera`, 1000 px wide, and `quote.jpg`, the output of `leaflog quote share` for a quote and the last photo in `Photos/`, 800 px wide. |

To create the files again, see the top of `make-fixtures.py`.
"""


def fresh_folders():
    for name in ["Photos", "Orientation", "Colour", "Places", "Formats/not-photos"]:
        shutil.rmtree(ROOT / name, ignore_errors=True)
        (ROOT / name).mkdir(parents=True)


def make_score():
    """A picture, a lossy copy of it, and how PyPI's ssimulacra2 scores the two."""
    folder = ROOT / "Score"
    folder.mkdir(exist_ok=True)
    with Image.open(PHOTOS / "monstera" / "IMG_0004.jpg") as photo:
        crop = photo.convert("RGB").crop((400, 250, 720, 490))
    crop.save(folder / "scored.png", optimize=True)
    crop.save(folder / "scored.jpg", quality=75)
    score = compute_ssimulacra2(str(folder / "scored.png"), str(folder / "scored.jpg"))
    (folder / "score.txt").write_text(f"{score:.3f}\n")


def main():
    fresh_folders()
    answers = {
        "about": "Paths are relative to the folder of their group. capturedAt is the time as it was "
                 "recorded: with an offset when one is known, Z for UTC, neither when unknown. "
                 "Colours are sRGB at the sample points, upright; tolerance is per channel.",
        "samplePoints": {name: list(point) for name, point in CENTRES.items()},
        "Photos": make_monstera() + make_basil() + make_tomato(),
        "Orientation": make_orientation(),
        "Colour": make_colour(),
        "Formats/not-photos": make_not_photos(),
    }
    make_encodings()
    make_places()
    make_score()
    (ROOT / "answers.json").write_text(as_json(answers), encoding="utf-8")
    (ROOT / "SOURCES.md").write_text(SOURCES)


if __name__ == "__main__":
    main()
