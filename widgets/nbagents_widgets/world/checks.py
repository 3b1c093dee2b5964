"""What is a coordinate, a zoom level or a record, and what to say of what is none."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, TypeGuard

from nbagents_widgets.messages import is_mapping
from nbagents_widgets.world.mercator import ZOOM_LIMIT

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

LAT_NOTE = " Note the order: longitude first, then latitude."


def checked_lon(lon: object) -> float:
    """A longitude in [-180, 180], or a `ValueError` in words."""
    return within(lon, "The longitude", -180, 180, "degrees east (negative: west)")


def checked_lat(lat: object) -> float:
    """A latitude in [-90, 90], or a `ValueError` in words."""
    return within(lat, "The latitude", -90, 90, "degrees north (negative: south)", LAT_NOTE)


def checked_zoom(zoom: object) -> float:
    """A zoom level in [0, 18], or a `ValueError` in words."""
    level = finite(zoom, "The zoom level")
    if not 0 <= level <= ZOOM_LIMIT:
        between = f"between 0 (the world) and {ZOOM_LIMIT} (a house)"
        raise ValueError(f"The zoom level must be {between}, not {level:g}.")
    return level


def finite(value: object, name: str) -> float:
    """A finite number, or a `ValueError` in words."""
    try:
        number = math.nan if isinstance(value, bool | str) else float(value)  # pyright: ignore[reportArgumentType]  that is what is tried
    except (TypeError, ValueError, OverflowError):
        number = math.nan
    if not math.isfinite(number):
        raise ValueError(f"{name} must be a finite number, not {value!r}.")
    return number


def record(value: object, name: str) -> Mapping[str, Any]:
    """A mapping, or a `ValueError` in words (Any: it came as JSON)."""
    if not is_mapping(value):
        raise ValueError(f"{name} is a mapping, not {type(value).__name__}.")
    return value


def a_list(value: object, name: str) -> Sequence[object]:
    """A list, or a `ValueError` in words."""
    if not _is_several(value):
        raise ValueError(f"{name} are a list.")
    return value


def plain(number: float) -> float:
    """9 instead of 9.0, as JavaScript and people write it."""
    return int(number) if number.is_integer() else number


def within(value: object, name: str, least: float, most: float, unit: str, note: str = "") -> float:
    """A number between two others, or a `ValueError` in words."""
    number = finite(value, name)
    if not least <= number <= most:
        between = f"between {least} and {most} {unit}"
        raise ValueError(f"{name} must be {between}, not {number:g}.{note}")
    return number


def check_fields(of: object, **checks: Callable[[object], float]) -> None:
    """Have fields of a frozen value checked, each by its own check, and kept as numbers."""
    for name, check in checks.items():
        object.__setattr__(of, name, check(getattr(of, name)))


def _is_several(value: object) -> TypeGuard[Sequence[object]]:
    return isinstance(value, Sequence) and not isinstance(value, str | bytes)
