"""What the first bytes of an image say: its type and its size in pixels."""

from __future__ import annotations

import struct

__all__ = ["is_image", "media_type_of", "pixels_of"]

STARTS = {
    b"\x89PNG\r\n\x1a\n": "image/png",
    b"\xff\xd8\xff": "image/jpeg",
    b"GIF87a": "image/gif",
    b"GIF89a": "image/gif",
}

JPEG_FRAMES = frozenset({*range(0xC0, 0xD0)} - {0xC4, 0xC8, 0xCC})


def media_type_of(data: bytes | bytearray) -> str | None:
    """The type of an image by its first bytes."""
    if data[:4] == b"RIFF" and data[8:12] == b"WEBP":
        return "image/webp"
    return next((one for start, one in STARTS.items() if data.startswith(start)), None)


def is_image(data: bytes | bytearray) -> bool:
    """Whether these are the bytes of an image, and not only its first ones."""
    media_type = media_type_of(data)
    return media_type == "image/webp" or (media_type is not None and pixels_of(data) is not None)


def pixels_of(data: bytes | bytearray) -> tuple[int, int] | None:
    """Width and height by the header of a PNG, GIF or JPEG."""
    if data.startswith(b"\x89PNG") and len(data) >= 24:  # noqa: PLR2004  up to the height
        return struct.unpack(">II", data[16:24])
    if data.startswith(b"GIF8") and len(data) >= 10:  # noqa: PLR2004  up to the height
        return struct.unpack("<HH", data[6:10])
    return _pixels_of_jpeg(data) if data.startswith(b"\xff\xd8") else None


def _pixels_of_jpeg(data: bytes | bytearray) -> tuple[int, int] | None:
    at = 2
    while at + 9 <= len(data) and data[at] == 0xFF:  # noqa: PLR2004  every segment begins so
        if data[at + 1] in JPEG_FRAMES:
            height, width = struct.unpack(">HH", data[at + 5 : at + 9])
            return width, height
        at += 2 + int.from_bytes(data[at + 2 : at + 4])
    return None
