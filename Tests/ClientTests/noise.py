"""A large photo: noise, which no format makes smaller."""

import os
import struct
import zlib


def photo(width, height):
    """The bytes of a PNG, three for each pixel."""
    rows = b"".join(b"\0" + os.urandom(3 * width) for _ in range(height))
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
        for kind, data in (
            (b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)), (b"IDAT", zlib.compress(rows, 0)),
            (b"IEND", b"")))
