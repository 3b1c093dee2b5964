"""What is a coordinate, a zoom level or a record, and what to say of what is none."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any, cast

from nbagents_widgets.world.mercator import ZOOM_LIMIT

__all__ = ["a_list", "checked_lat", "checked_lon", "checked_zoom", "finite", "plain", "record"]


def checked_lon(lon: object) -> float:
    """A longitude in [-180, 180], or a `ValueError` in words."""
    return _within(lon, "longitude", 180, "degrees east (negative: west)")


def checked_lat(lat: object) -> float:
    """A latitude in [-90, 90], or a `ValueError` in words."""
    return _within(lat, "latitude", 90, "degrees north (negative: south)")


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
        msg = f"{name} must be a finite number, not {value!r}."
        raise ValueError(msg)
    return number


def record(value: object, name: str) -> Mapping[str, Any]:
    """A mapping, or a `ValueError` in words (Any: it came as JSON)."""
    if not isinstance(value, Mapping):
        msg = f"{name} is a mapping, not {type(value).__name__}."
        raise ValueError(msg)  # noqa: TRY004  it is a value that came in a payload
    return cast("Mapping[str, Any]", value)


def a_list(value: object, name: str) -> Sequence[object]:
    """A list, or a `ValueError` in words."""
    if not isinstance(value, Sequence) or isinstance(value, str | bytes):
        msg = f"{name} are a list."
        raise ValueError(msg)  # noqa: TRY004  as above
    return cast("Sequence[object]", value)


def plain(number: float) -> float:
    """9 instead of 9.0, as JavaScript and people write it."""
    return int(number) if number.is_integer() else number


def _within(value: object, name: str, limit: int, unit: str) -> float:
    number = finite(value, f"The {name}")
    if abs(number) > limit:
        msg = f"The {name} must be between -{limit} and {limit} {unit}, not {number:g}."
        if name == "latitude":
            msg += " Note the order: longitude first, then latitude."
        raise ValueError(msg)
    return number
