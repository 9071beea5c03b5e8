#!/usr/bin/env python3
"""Compares thumbnails and compressed copies with what independent programs show of the same pictures.

The pictures are one drawing in many encodings: profiles that fit and do not, HDR, linear light, samples of 8 to 14 bits in
16, further bands, transparency, limited range; and, with a folder as argument, any files of others that Pillow or tifffile
reads. For each, the shown picture is known. Thumbnail and copy have to be like it, in size and in colour: a mean CIEDE2000
of at most 2 and 8 for 99 % of the pixels of a copy, somewhat more for a thumbnail; or the file is kept exactly.

    pip install numpy pillow pillow-heif tifffile imagecodecs
    LEAFLOG=.build/release/leaflog python3 Tests/Pictures/colours.py [FOLDER]

LEAFLOG names the built program; it is .build/release/leaflog by default. avifenc and cjxl write AVIF and JPEG XL.
"""

import io
import json
import os
import shutil
import sqlite3
import struct
import subprocess
import sys
import tempfile
import zlib
from pathlib import Path

import numpy as np
import pillow_heif
import tifffile
from PIL import Image, ImageCms, ImageOps

ROOT = Path(__file__).resolve().parents[2]
LEAFLOG = os.path.abspath(os.environ.get("LEAFLOG", ROOT / ".build/release/leaflog"))

# Mean and 99 % of CIEDE2000. A thumbnail is compressed more, so of it squares of 8 pixels are compared.
COPY, THUMBNAIL = (2, 8), (2, 8)
SQUARE = 8
FORMATS = ["JPEG", "PNG", "WEBP", "TIFF", "GIF", "AVIF", "HEIF"]


def to_linear(v):
    return np.where(v <= 0.04045, v / 12.92, ((v + 0.055) / 1.055) ** 2.4)


def from_linear(v):
    return np.where(v <= 0.0031308, v * 12.92, 1.055 * np.maximum(v, 0) ** (1 / 2.4) - 0.055)


def to_lab(srgb):
    matrix = np.array([[0.4124564, 0.3575761, 0.1804375], [0.2126729, 0.7151522, 0.0721750],
                       [0.0193339, 0.1191920, 0.9503041]])
    xyz = to_linear(srgb / 255) @ matrix.T / np.array([0.95047, 1, 1.08883])
    f = np.where(xyz > 216 / 24389, np.cbrt(xyz), (24389 / 27 * xyz + 16) / 116)
    return np.stack([116 * f[..., 1] - 16, 500 * (f[..., 0] - f[..., 1]), 200 * (f[..., 1] - f[..., 2])], -1)


def ciede2000(one, other):
    """Sharma, Wu and Dalal, 2005."""
    (l1, a1, b1), (l2, a2, b2) = (np.moveaxis(v, -1, 0) for v in (one, other))
    mean_chroma = (np.hypot(a1, b1) + np.hypot(a2, b2)) / 2
    g = 1.5 - 0.5 * np.sqrt(mean_chroma**7 / (mean_chroma**7 + 25.0**7))
    a1, a2 = a1 * g, a2 * g
    c1, c2 = np.hypot(a1, b1), np.hypot(a2, b2)
    h1, h2 = (np.degrees(np.arctan2(b, a)) % 360 for a, b in ((a1, b1), (a2, b2)))
    dh = (h2 - h1 + 180) % 360 - 180
    dh = np.where(c1 * c2 == 0, 0, dh)
    dl, dc, dhue = l2 - l1, c2 - c1, 2 * np.sqrt(c1 * c2) * np.sin(np.radians(dh / 2))
    lm, cm = (l1 + l2) / 2, (c1 + c2) / 2
    hm = np.where(c1 * c2 == 0, h1 + h2, (h1 + dh / 2) % 360)
    t = (1 - 0.17 * np.cos(np.radians(hm - 30)) + 0.24 * np.cos(np.radians(2 * hm))
         + 0.32 * np.cos(np.radians(3 * hm + 6)) - 0.20 * np.cos(np.radians(4 * hm - 63)))
    sl = 1 + 0.015 * (lm - 50) ** 2 / np.sqrt(20 + (lm - 50) ** 2)
    sc, sh = 1 + 0.045 * cm, 1 + 0.015 * cm * t
    rt = (-np.sin(np.radians(60 * np.exp(-(((hm - 275) / 25) ** 2))))
          * 2 * np.sqrt(cm**7 / (cm**7 + 25.0**7)))
    return np.sqrt((dl / sl) ** 2 + (dc / sc) ** 2 + (dhue / sh) ** 2 + rt * dc / sc * dhue / sh)


def chunk(name, data):
    return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))


def save_png(path, samples, chunks=()):
    height, width = samples.shape[:2]
    bits = 16 if samples.dtype == np.uint16 else 8
    kind = {1: 0, 2: 4, 3: 2, 4: 6}[samples.shape[2] if samples.ndim == 3 else 1]
    rows = samples.reshape(height, -1).astype(">u2" if bits == 16 else "u1")
    path.write_bytes(
        b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, bits, kind, 0, 0, 0))
        + b"".join(chunk(*c) for c in chunks)
        + chunk(b"IDAT", zlib.compress(b"".join(b"\0" + row.tobytes() for row in rows))) + chunk(b"IEND", b""))


def icc(space, exponent, columns=None):
    """A profile with one exponent for all curves, of sRGB's primaries unless others are given."""
    curve = b"curv" + bytes(4) + (struct.pack(">I", 0) if exponent == 1
                                  else struct.pack(">IHxx", 1, round(exponent * 256)))

    def xyz(values):
        return b"XYZ " + bytes(4) + struct.pack(">3i", *(round(v * 65536) for v in values))
    tags = [(b"wtpt", xyz((0.9642, 1, 0.8249)))]
    if space == b"GRAY":
        tags.append((b"kTRC", curve))
    else:
        columns = columns or ((0.4361, 0.2225, 0.0139), (0.3851, 0.7169, 0.0971), (0.1431, 0.0606, 0.7141))
        tags += [(n, xyz(c)) for n, c in zip((b"rXYZ", b"gXYZ", b"bXYZ"), columns)]
        tags += [(n, curve) for n in (b"rTRC", b"gTRC", b"bTRC")]
    at, table, data = 132 + 12 * len(tags), struct.pack(">I", len(tags)), b""
    for name, content in tags:
        table += name + struct.pack(">II", at + len(data), len(content))
        data += content
    header = struct.pack(">II", at + len(data), 0) + bytes.fromhex("02100000") + b"mntr" + space + b"XYZ "
    header += bytes(12) + b"acsp" + bytes(28) + struct.pack(">3i", 63190, 65536, 54061)
    return header.ljust(128, b"\0") + table + data


def pq(light):
    """Codes of SMPTE ST 2084; 1 is diffuse white, 203 cd/m2 (ITU-R BT.2408)."""
    power = (light * 203 / 10_000) ** (2610 / 16_384)
    return ((3424 / 4096 + 2413 / 128 * power) / (1 + 2392 / 128 * power)) ** (2523 / 32)


def hlg(light):
    """Codes of hybrid log-gamma on a display of 1000 cd/m2 (ITU-R BT.2100)."""
    scene = (light * 203 / 1000) ** (1 / 1.2)
    high = 0.17883277 * np.log(np.maximum(12 * scene - 0.28466892, 1e-9)) + 0.55991073
    return np.where(scene <= 1 / 12, np.sqrt(3 * scene), high)


def drawing():
    """Leaves of many greens with some blue and red, and a slope of light."""
    height, width = 480, 640
    y, x = np.mgrid[0:height, 0:width]
    light = 60 + 100 * x / width
    red = light + 50 * np.sin(x / 23) * np.cos(y / 31)
    green = light + 60 * np.sin(x / 17 + y / 41)
    blue = light - 30 + 60 * np.cos((x - y) / 53)
    return np.clip(np.stack([red, green, blue], -1), 0, 235).round().astype(np.uint8)


def encodings(folder, srgb):
    """Each file of the drawing, with what has to be seen of it."""
    light = to_linear(srgb / 255)
    wide = srgb.astype(np.uint16) * 257
    grey = np.asarray(Image.fromarray(srgb).convert("L"))
    greys = np.stack([grey] * 3, -1)
    alpha = np.tile(np.linspace(0.2, 1, srgb.shape[1]), (srgb.shape[0], 1))
    opaque = np.round(alpha * 255).astype(np.uint8)
    on_white = np.round(srgb * alpha[..., None] + 255 * (1 - alpha[..., None])).astype(np.uint8)
    rgba = np.dstack([srgb, opaque])
    infrared = np.full(srgb.shape[:2], 90, np.uint8)
    adobe = np.array([[0.7152, 0.2848, 0], [0, 1, 0], [0, 0.0412, 0.9588]])
    p3 = np.array([[0.8225, 0.1774, 0], [0.0332, 0.9669, 0], [0.0171, 0.0724, 0.9108]])
    bt2020 = np.array([[0.6274, 0.3293, 0.0433], [0.0691, 0.9195, 0.0114], [0.0164, 0.0880, 0.8956]])
    cases = {}

    def path(name, shown):
        cases[name] = shown
        return folder / name

    save_png(path("plain.png", srgb), srgb)
    save_png(path("16.png", srgb), wide)
    tifffile.imwrite(path("16.tif", srgb), wide, photometric="rgb")
    in_p3 = (from_linear(light @ p3.T) * 255 + 0.5).astype(np.uint8)
    for transfer in (13, 2, 1):
        # With equal samples, they would be one photo.
        in_p3[0, 0, 0] = transfer
        save_png(path(f"p3-{transfer}.png", srgb), in_p3, [(b"cICP", bytes([12, transfer, 0, 1]))])
    in_adobe = (np.clip(light @ adobe.T, 0, 1) ** (256 / 563) * 255 + 0.5).astype(np.uint8)
    exif = Image.Exif()
    exif.get_ifd(0x8769)[0xA001] = 2
    Image.fromarray(in_adobe).save(path("adobe.jpg", srgb), quality=98, subsampling="4:4:4", exif=exif)
    for name, code in (("pq", pq), ("hlg", hlg)):
        number = 16 if name == "pq" else 18
        codes = code(np.maximum(light @ bt2020.T, 0))
        for bits, kind in ((8, np.uint8), (16, np.uint16)):
            samples = np.round(codes * (2**bits - 1)).astype(kind)
            save_png(path(f"{name}{bits}.png", srgb), samples, [(b"cICP", bytes([9, number, 0, 1]))])
        source = folder / f"{name}8.png"
        subprocess.run(["avifenc", "--ignore-icc", "--cicp", f"9/{number}/9", "--min", "0", "--max", "0", "-y",
                        "444", source, path(f"{name}.avif", srgb)], check=True, capture_output=True)
        space = "PeQ" if name == "pq" else "HLG"
        subprocess.run(["cjxl", "-d", "0", "-x", f"color_space=RGB_D65_202_Rel_{space}", source,
                        path(f"{name}.jxl", srgb)], check=True, capture_output=True)
    linear16 = np.round(light * 65535).astype(np.uint16)
    tifffile.imwrite(path("linear.tif", srgb), linear16, photometric="rgb", iccprofile=icc(b"RGB ", 1))
    save_png(path("linear-gama.png", srgb), linear16, [(b"gAMA", struct.pack(">I", 100_000))])
    for exponent in (1.8, 2.2):
        samples = np.round(light ** (1 / exponent) * 65535).astype(np.uint16)
        tifffile.imwrite(path(f"gamma-{exponent}.tif", srgb), samples, photometric="rgb",
                         iccprofile=icc(b"RGB ", exponent))
    misfit = icc(b"GRAY", 2.2)
    picture = Image.fromarray(srgb)
    picture.save(path("misfit.jpg", srgb), quality=98, subsampling="4:4:4", icc_profile=misfit)
    picture.save(path("misfit-progressive.jpg", srgb), quality=98, subsampling="4:4:4", icc_profile=misfit,
                 progressive=True)
    picture.save(path("misfit.webp", srgb), lossless=True, icc_profile=misfit)
    picture.save(path("misfit.png", srgb), icc_profile=misfit)
    tifffile.imwrite(path("misfit.tif", srgb), srgb, photometric="rgb", iccprofile=misfit)
    Image.fromarray(grey).save(path("misfit-grey.jpg", greys), quality=98, icc_profile=icc(b"RGB ", 2.2))
    for count in (1, 2, 3):
        tifffile.imwrite(path(f"bands-{count}.tif", srgb), np.dstack([srgb] + [infrared] * count),
                         photometric="rgb", extrasamples=[0] * count)
    tifffile.imwrite(path("bands-alpha.tif", on_white), np.dstack([srgb, infrared, opaque]), photometric="rgb",
                     extrasamples=[0, 2])
    for bits in (8, 10, 12, 14):
        most = 2**bits - 1
        samples, one = (np.round(v / 255.0 * most).astype(np.uint16) for v in (srgb, grey))
        tifffile.imwrite(path(f"narrow-{bits}.tif", srgb), samples, photometric="rgb")
        tifffile.imwrite(path(f"narrow-white-{bits}.tif", greys), (most - one).astype(np.uint16),
                         photometric="miniswhite")
        save_png(path(f"narrow-{bits}.png", greys), one, [(b"sBIT", bytes([bits]))])
    premultiplied = np.dstack([np.round(srgb * alpha[..., None]).astype(np.uint8), opaque])
    tifffile.imwrite(path("associated.tif", on_white), premultiplied, photometric="rgb",
                     extrasamples=["assocalpha"])
    tifffile.imwrite(path("unassociated.tif", on_white), rgba, photometric="rgb", extrasamples=["unassalpha"])
    Image.fromarray(rgba).save(path("alpha.png", on_white))
    for flag, name in (("--premultiply", "premultiplied.avif"), (None, "straight.avif")):
        subprocess.run(["avifenc", *([flag] if flag else []), "--min", "0", "--max", "0", "--minalpha", "0",
                        "--maxalpha", "0", "-y", "444", folder / "alpha.png", path(name, on_white)],
                       check=True, capture_output=True)
    for flag in (0, 1):
        subprocess.run(["cjxl", "-d", "0", f"--premultiply={flag}", folder / "alpha.png",
                        folder / f"premultiplied-{flag}.jxl"], check=True, capture_output=True)
    # Some versions of cjxl ignore the option.
    if (folder / "premultiplied-0.jxl").read_bytes() == (folder / "premultiplied-1.jxl").read_bytes():
        (folder / "premultiplied-1.jxl").unlink()
    cases |= {f.name: on_white for f in folder.glob("premultiplied-*.jxl")}
    save_png(folder / "grey-source", grey)
    os.replace(folder / "grey-source", folder.parent / "grey.png")
    for kind in ("limited", "full"):
        for depth in ("8", "10"):
            subprocess.run(["avifenc", "-y", "400", "-r", kind, "-d", depth, "--min", "0", "--max", "0",
                            folder.parent / "grey.png", path(f"grey-{kind}-{depth}.avif", greys)],
                           check=True, capture_output=True)
    return cases


def seen_by_pillow(path):
    """The picture on white in sRGB, as Pillow and littleCMS show it; None if they do not."""
    try:
        with Image.open(path, formats=FORMATS) as file:
            picture = ImageOps.exif_transpose(file)
            profile = file.info.get("icc_profile")
            if picture.mode in ("I;16", "I", "F", "CMYK", "LAB"):
                return None
            if "A" in picture.mode or "transparency" in file.info:
                picture = picture.convert("RGBA")
                white = Image.new("RGBA", picture.size, "white")
                picture = Image.alpha_composite(white, picture)
            picture = picture.convert("RGB")
            if profile:
                source = ImageCms.ImageCmsProfile(io.BytesIO(profile))
                if source.profile.xcolor_space.strip() != "RGB":
                    return None
                picture = ImageCms.profileToProfile(picture, source, ImageCms.createProfile("sRGB"))
            return np.asarray(picture)
    # Files of others make Pillow raise whatever there is.
    except Exception:  # noqa: BLE001
        return None


def squares(picture):
    """The mean colours of squares, the last of which may be smaller."""
    size = tuple(max(1, -(-side // SQUARE)) for side in (picture.shape[1], picture.shape[0]))
    return np.asarray(Image.fromarray(picture).resize(size, Image.Resampling.BOX))


def difference(shown, wanted, is_thumbnail):
    if is_thumbnail:
        size = (shown.shape[1], shown.shape[0])
        wanted = np.asarray(Image.fromarray(wanted).resize(size, Image.Resampling.BOX))
        shown, wanted = squares(shown), squares(wanted)
    if shown.shape != wanted.shape:
        return 100, 100
    delta = ciede2000(to_lab(shown.astype(float)), to_lab(wanted.astype(float)))
    return float(delta.mean()), float(np.percentile(delta, 99))


def leaflog(library, *arguments):
    return subprocess.run([LEAFLOG, *map(str, arguments)], capture_output=True, text=True, check=False,
                          env={**os.environ, "LEAFLOG_LIBRARY": str(library)})


def photos(library):
    """The photos' original names, with their files in the store by role, and their warnings."""
    with sqlite3.connect(f"file:{library}/catalog.sqlite?mode=ro", uri=True) as catalog:
        rows = catalog.execute(
            "SELECT p.originalName, p.warnings, r.role, lower(hex(b.digest)) FROM rendition r "
            "JOIN photo p ON p.entryID = r.photoID JOIN blob b ON b.id = r.blobID")
        found = {}
        for name, warnings, role, blob in rows:
            files = found.setdefault(name, ({}, set(warnings.split())))[0]
            files[role] = Path(library) / "blobs" / blob[:2] / blob
        return found


def compare(name, wanted, roles):
    """What is wrong with a photo's thumbnail and copy."""
    wrong = []
    checked = [("thumbnail", THUMBNAIL)] + ([("master", COPY)] if "master" in roles else [])
    for role, (most, most99) in checked:
        mean, high = difference(seen_by_pillow(roles[role]), wanted, role == "thumbnail")
        is_wrong = mean > most or high > most99
        print(f"{name:40} {role:10} {mean:6.2f} {high:6.2f}{'  WRONG' if is_wrong else ''}")
        if is_wrong:
            wrong.append(f"{name}: {role} {mean:.2f} {high:.2f}")
    return wrong


def check(files, cases, outcomes, library):
    """Compares all that can be compared, and names the files that Pillow shows and Leaflog refuses."""
    wrong, exact, refused = [], [], []
    stored = photos(library)
    for name, file in sorted(files.items()):
        wanted = cases.get(name)
        if wanted is None:
            wanted = seen_by_pillow(file)
        if wanted is None:
            continue
        if name not in stored:
            outcome = outcomes.get(name, {})
            # The same picture as another's is no further photo.
            if outcome.get("outcome") != "duplicate":
                refused.append(f"{name}: {outcome.get('message') or outcome.get('reason')}")
            continue
        roles, warnings = stored[name]
        if "master" not in roles:
            exact.append(name)
        if warnings.isdisjoint({"noPreview", "damaged"}):
            wrong += compare(name, wanted, roles)
    wrong += [line for line in refused if line.split(":")[0] in cases]
    return wrong, exact, refused


def main():
    Image.init()
    pillow_heif.register_heif_opener()
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch) / "pictures"
        folder.mkdir()
        cases = encodings(folder, drawing())
        for given in sys.argv[1:]:
            for file in Path(given).rglob("*"):
                if file.is_file():
                    shutil.copy(file, folder / f"{zlib.crc32(str(file).encode()):08x}-{file.name}")
        library = Path(scratch) / "library"
        done = leaflog(library, "import", folder, "--json")
        lines = [json.loads(line) for line in done.stdout.splitlines()]
        outcomes = {Path(line["path"]).name: line for line in lines if "path" in line}
        wrong, exact, refused = check({f.name: f for f in folder.iterdir()}, cases, outcomes, library)
    if done.returncode not in (0, 1, 3):
        wrong.append(f"the import ended with {done.returncode}: {done.stderr}")
    print(json.dumps({"keptExactly": len(exact), "refused": refused, "wrong": wrong}, indent=1))
    sys.exit(bool(wrong))


main()
