"""Images of every kind as the bytes of a PNG or JPEG, no larger than a model or a page needs."""

from __future__ import annotations

import importlib
from dataclasses import dataclass
from io import BytesIO
from typing import Any

from nbagents.results import ImagePart
from nbagents.tools.values.foreign_object import figure_of, is_pillow, media_type_of, pixels_of
from nbagents.tools.values.summaries import summary

MAX_SIDE = 1_568
"""Pixels of the long side. Models scale larger images down; it also is a good width for a page."""

MAX_BYTES = 1_000_000
MODES = {"1": "L", "L": "L", "LA": "RGBA", "P": "RGBA", "RGB": "RGB", "RGBA": "RGBA", "PA": "RGBA"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Picture:
    """An image as it is sent."""

    media_type: str
    data: bytes
    width: int | None
    height: int | None
    alt: str
    """What it shows, as far as that is known."""


def picture_of(value: Any) -> Picture | None:
    """A figure, an image, or the bytes of one, within bounds.

    Args:
        value: A matplotlib figure or axes, an image of Pillow, the bytes of an image, or an
            `ImagePart`.

    Returns:
        `None` where there are no bytes (an image at an address), or where they are too many and
        Pillow is not there to make them fewer.
    """
    alt = summary(value)
    figure = figure_of(value)
    if figure is not None:
        return _sent(_rendered(figure), alt)
    if is_pillow(value):
        return _encoded(value, alt)
    data = value.data if isinstance(value, ImagePart) else value
    return None if data is None else _sent(bytes(data), alt)


def _rendered(figure: Any) -> bytes:
    """A PNG, drawn without pyplot, whose global state belongs to the person."""
    long_side_in = max(*figure.get_size_inches(), 0.01)
    dots = min(float(figure.dpi), MAX_SIDE / long_side_in)
    written = BytesIO()
    figure.savefig(written, format="png", dpi=dots, bbox_inches="tight")
    return written.getvalue()


def _sent(data: bytes, alt: str) -> Picture | None:
    """As it is where that is small enough, else made smaller."""
    media_type, size = media_type_of(data) or "image/png", pixels_of(data)
    if len(data) > MAX_BYTES or max(size or (0,)) > MAX_SIDE:
        pillow = _pillow()
        return None if pillow is None else _encoded(pillow.open(BytesIO(data)), alt)
    width, height = size or (None, None)
    return Picture(media_type=media_type, data=data, width=width, height=height, alt=alt)


def _encoded(image: Any, alt: str) -> Picture:
    """An image of Pillow as a PNG, or as a JPEG where that would be too large."""
    image = _fitted(_simple(image), MAX_SIDE)
    media_type, data = "image/png", _saved(image, "PNG")
    while len(data) > MAX_BYTES:
        media_type, data = "image/jpeg", _saved(_on_white(image), "JPEG", quality=85)
        if len(data) > MAX_BYTES:
            image = _fitted(image, max(image.size) * 3 // 4)
    width, height = image.size
    return Picture(media_type=media_type, data=data, width=width, height=height, alt=alt)


def _simple(image: Any) -> Any:
    """In a mode that PNG has, and that can be scaled."""
    mode = MODES.get(image.mode, "RGB")
    return image if image.mode == mode else image.convert(mode)


def _fitted(image: Any, side: int) -> Any:
    longest = max(image.size)
    if longest <= side:
        return image
    size = [max(1, round(one * side / longest)) for one in image.size]
    return image.resize(size, reducing_gap=2.0)


def _on_white(image: Any) -> Any:
    if image.mode != "RGBA":
        return image
    white = _pillow().new("RGB", image.size, "white")
    white.paste(image, mask=image.getchannel("A"))
    return white


def _saved(image: Any, form: str, **options: object) -> bytes:
    written = BytesIO()
    image.save(written, format=form, **options)
    return written.getvalue()


def _pillow() -> Any:
    """Pillow, where it is installed; loaded when the first image is too large."""
    try:
        return importlib.import_module("PIL.Image")
    except ImportError:
        return None
