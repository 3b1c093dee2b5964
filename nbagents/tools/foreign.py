"""What objects of other libraries are, told by their methods, so that no library is imported."""

from __future__ import annotations

import sys
from math import prod
from pathlib import Path
from typing import Any, Literal, TypeAlias, cast

from nbagents.results import FilePart, ImagePart
from nbagents.tools.image_headers import is_image

__all__ = [
    "MAX_WRITTEN_ITEMS",
    "Kind",
    "figure_of",
    "is_chart",
    "is_file",
    "is_pillow",
    "item_count",
    "kind_of",
    "shape_of",
]

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
