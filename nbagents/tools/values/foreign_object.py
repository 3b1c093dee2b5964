"""What objects of other libraries, and the first bytes of images, are; no library is imported."""

from __future__ import annotations

import struct
import sys
from math import prod
from pathlib import Path
from typing import Any, Literal, TypeAlias, cast

from nbagents.results import FilePart, ImagePart

Kind: TypeAlias = Literal["frame", "series", "array", "picture", "file", "chart"]

MAX_WRITTEN_ITEMS = 1_000
"""Of an array that is written out as a list; a larger one is only described."""

FRAME = ("columns", "dtypes", "shape", "head")
SERIES = ("dtype", "shape", "head", "to_frame")


def kind_of(value: object) -> Kind | None:
    """What a value is beyond JSON; `None` for all that has a JSON form, or is unknown."""
    if isinstance(value, (bytes, bytearray)):
        return "picture" if is_image(value) else None
    if type(value).__module__ == "builtins":
        return None
    if isinstance(value, (ImagePart, FilePart)):
        return "picture" if isinstance(value, ImagePart) else "file"
    if is_pillow(value) or figure_of(value) is not None:
        return "picture"
    return "chart" if is_chart(value) else _kind_of_data(value)


def figure_of(value: object) -> Any:  # Any: a matplotlib figure, of which nothing is imported here
    """The matplotlib figure that a value is, or is drawn on, else `None`."""
    figures = sys.modules.get("matplotlib.figure")
    if figures is None:
        return None
    if isinstance(value, figures.Figure):
        return value
    if type(value).__module__.partition(".")[0] not in {"matplotlib", "seaborn"}:
        return None
    owner = getattr(value, "figure", None)
    return owner if isinstance(owner, figures.Figure) else None


def is_file(value: object) -> bool:
    """Whether it is the path of a file that is there."""
    if not isinstance(value, Path):
        return False
    try:
        return value.is_file()
    except (OSError, ValueError):  # e.g. a name that is too long
        return False


def is_pillow(value: object) -> bool:
    """Whether it is an image of Pillow."""
    pillow = sys.modules.get("PIL.Image")
    return pillow is not None and isinstance(value, pillow.Image)


def is_chart(value: object) -> bool:
    """Whether it is a chart of Altair: by default its own display is a page that loads code."""
    altair = sys.modules.get("altair")
    return altair is not None and isinstance(value, getattr(altair, "TopLevelMixin", ()))


def shape_of(value: object) -> tuple[int, ...] | None:
    """The shape of an array, a frame or a series."""
    shape = getattr(value, "shape", None)
    if not isinstance(shape, tuple):
        return None
    sizes = cast("tuple[object, ...]", shape)
    return tuple(one for one in sizes if isinstance(one, int))


def item_count(value: object) -> int | None:
    """How many items an array has, or `None` where it is no array."""
    if not hasattr(type(value), "tolist"):  # the class: some objects answer to every name
        return None
    shape = shape_of(value)
    if shape is not None:
        return prod(shape)
    size = getattr(value, "size", None)
    return size if isinstance(size, int) else None


def _kind_of_data(value: object) -> Kind | None:
    cls = type(value)
    if all(hasattr(cls, name) for name in FRAME):
        return "frame"
    if all(hasattr(cls, name) for name in SERIES):
        return "series"
    count = item_count(value)
    return "array" if count is not None and count > MAX_WRITTEN_ITEMS else None


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
    if data.startswith(b"\x89PNG") and len(data) >= 24:  # up to the height
        return struct.unpack(">II", data[16:24])
    if data.startswith(b"GIF8") and len(data) >= 10:  # up to the height
        return struct.unpack("<HH", data[6:10])
    return _pixels_of_jpeg(data) if data.startswith(b"\xff\xd8") else None


def _pixels_of_jpeg(data: bytes | bytearray) -> tuple[int, int] | None:
    at = 2
    while at + 9 <= len(data) and data[at] == 0xFF:  # every segment begins so
        if data[at + 1] in JPEG_FRAMES:
            height, width = struct.unpack(">HH", data[at + 5 : at + 9])
            return width, height
        at += 2 + int.from_bytes(data[at + 2 : at + 4])
    return None
