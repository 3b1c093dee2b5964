"""What is named on the basemap, from the one table that the page reads too."""

from __future__ import annotations

import functools
import json
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Literal, TypeAlias

from nbagents_widgets.world.mercator import unit_x, unit_y

if TYPE_CHECKING:
    from collections.abc import Iterator

NAMES_FILE: Final = Path(__file__).with_name("names.json")
"""By kind, rows of name, longitude, latitude, the zoom level from which on it is shown, and 1 for
a capital. Facts of Natural Earth, public domain, and of our own hand."""

LINE_MOST: Final = 12
UP_TO_ZOOM: Final = {"country": 8, "sea": 10}
"""Close up a country is wider than the view."""

NameKind: TypeAlias = Literal["country", "sea", "town", "capital", "pin"]


@dataclass(frozen=True, slots=True)
class Name:
    """A text that wants a place on the map."""

    kind: NameKind
    lines: tuple[str, ...]
    """One or two."""
    x: float
    y: float
    """On the world taken as a unit square."""
    from_zoom: float = 0

    def is_shown(self, zoom: float) -> bool:
        """Whether a map of this zoom level has it."""
        return self.from_zoom <= zoom <= UP_TO_ZOOM.get(self.kind, 19)


@functools.cache
def world_names() -> tuple[Name, ...]:
    """The names, those that matter most first."""
    table: dict[str, list[Any]] = json.loads(NAMES_FILE.read_text(encoding="utf-8"))
    rows = (
        *_named(table["countries"], "country"),
        *_named(table["seas"], "sea"),
        *_named(table["towns"], "town"),
    )
    return tuple(sorted(rows, key=lambda name: name.from_zoom))


def _named(rows: list[Any], kind: NameKind) -> Iterator[Name]:
    for text, lon, lat, from_zoom, *is_capital in rows:
        own: NameKind = "capital" if is_capital else kind
        lines = (text,) if kind == "town" else _broken(text)
        yield Name(own, lines, unit_x(lon), unit_y(lat), from_zoom)


def _broken(text: str) -> tuple[str, ...]:
    """A long name in two lines, as equal as its words allow."""
    gaps = [at for at, sign in enumerate(text) if sign == " "]
    if len(text) <= LINE_MOST or not gaps:
        return (text,)
    gap = min(gaps, key=lambda at: (abs(2 * at + 1 - len(text)), at))
    return text[:gap], text[gap + 1 :]
