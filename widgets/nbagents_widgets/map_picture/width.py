"""How wide a text is, at most, in a usual sans-serif: a saved picture has no fonts to measure."""

from __future__ import annotations

import functools
import unicodedata
from typing import Final

BOLD: Final = 1.1
NO_WIDTH: Final = {"Mn", "Me", "Cf"}
CLASSES: Final = ((" ijl|.,:;'’‘`!", 0.34), ('frtI()[]-/"°·ıí', 0.46), ("mwMW%@—…", 0.99))
"""Widths of DejaVu Sans, the widest of the fonts that pages use, in ems; as on the page."""
WIDE: Final = (
    ("\u1100", "\u115f"),
    ("\u2e80", "\ud7a3"),
    ("\uf900", "\ufaff"),
    ("\ufe30", "\ufe6f"),
    ("\uff00", "\uff60"),
)
WIDEST: Final = 1.3
"""Of any other sign: emoji and the like."""
BY_CATEGORY: Final = {"Lu": 0.74, "Ll": 0.66, "Lo": 0.8, "Lm": 0.8}


def width_px(text: str, font_px: float, *, is_bold: bool = False) -> float:
    """The room that a line of text takes."""
    ems = 0.0
    for sign in text:
        ems += _width(sign)
    return ems * font_px * (BOLD if is_bold else 1)


@functools.cache
def _width(sign: str) -> float:
    category = unicodedata.category(sign)
    if category in NO_WIDTH:
        return 0
    for signs, width in CLASSES:
        if sign in signs:
            return width
    if any(first <= sign <= last for first, last in WIDE):
        return 1
    if sign in "0123456789+=<>&":
        return BY_CATEGORY["Lu"]
    return 0.62 if "a" <= sign <= "z" else BY_CATEGORY.get(category, WIDEST)
