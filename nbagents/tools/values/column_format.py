"""How the numbers of a column are written: their unit, and as many decimals for all of them."""

from __future__ import annotations

import math
import re
from typing import TYPE_CHECKING, Final

from nbagents.narrowing import is_list, is_mapping

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from pydantic import JsonValue

NUMERIC: Final = re.compile(
    r"(u?int(\d+|eger)?|float\d*|double|decimal(\d+)?|complex\d*|number)\b", re.IGNORECASE
)
"""The names of types of numbers, in any library."""

MONEY: Final = {"eur": "€", "usd": "$", "gbp": "£", "jpy": "¥", "chf": "CHF", "cny": "¥"}
UNITS: Final = {
    **MONEY,
    "pct": "%",
    "percent": "%",
    "bytes": "bytes",
    "kb": "kB",
    "mb": "MB",
    "gb": "GB",
    "km": "km",
    "cm": "cm",
    "mm": "mm",
    "mi": "mi",
    "ft": "ft",
    "kg": "kg",
    "lb": "lb",
    "ms": "ms",
    "sec": "s",
    "seconds": "s",
    "minutes": "min",
    "hours": "h",
    "days": "days",
    "kmh": "km/h",
    "mps": "m/s",
    "hpa": "hPa",
    "hz": "Hz",
    "khz": "kHz",
    "mhz": "MHz",
    "kw": "kW",
    "kwh": "kWh",
    "mwh": "MWh",
    "celsius": "°C",
    "fahrenheit": "°F",
    "°c": "°C",
    "€": "€",
    "$": "$",
    "£": "£",
    "%": "%",
    "km²": "km²",
    "km2": "km²",
    "m2": "m²",
}
"""What the last word of a name says of its numbers."""

SHORT: Final = {
    "c": ("°C", "temp"),
    "f": ("°F", "temp"),
    "k": ("K", "temp"),
    "m": ("m", "dist|height|length|width|depth|elev|alt"),
    "g": ("g", "weight|mass"),
    "s": ("s", "dur|time|elapsed|wait|took|laten"),
    "min": ("min", "dur|time|elapsed|wait|took"),
    "h": ("h", "dur|time|elapsed|wait|took"),
    "deg": ("°", "lat|lon|angle|bearing|heading|direction"),
}
"""What one letter says, where the words before it are of that kind."""

LAST_WORD: Final = re.compile(r"^(.*?)[\s_.-]*(?:_|\s|\(|\[)([a-zA-Z°€$£%][\w°/²]*)[\])]?$")

MOST_DECIMALS: Final = 6
USUAL_DECIMALS: Final = 4
SIGNIFICANT: Final = 7
LARGEST: Final = 1e15
LOOKED_AT: Final = 500
"""Of the rows that a payload has."""


def unit_of(name: str) -> str:
    """The unit that a column's name ends with, as it is written; empty where it says none."""
    found = LAST_WORD.match(name.strip())
    if found is None:
        return ""
    stem, word = found[1].lower(), found[2].lower()
    if word in SHORT:
        unit, kind = SHORT[word]
        return unit if re.search(kind, stem) else ""
    return UNITS.get(word, "")


def decimals_of(values: Iterable[object], *, most: int | None = None) -> int | None:
    """With how many decimals all of these are written; `None`: each as it is.

    Args:
        values: Numbers; what is none counts for nothing.
        most: No more than this.
    """
    there = [one for one in values if isinstance(one, float) and math.isfinite(one)]
    parts = [abs(one) for one in there if one]
    if not there or any(one >= LARGEST for one in parts):
        return None
    wanted = max((_decimals(one) for one in there), default=1)
    if most is not None:
        return min(wanted, most)
    whole = len(str(int(max(parts, default=0))))
    allowed = max(1, min(USUAL_DECIMALS, SIGNIFICANT - whole))
    if parts and min(parts) < 10**-allowed:
        allowed = MOST_DECIMALS
    return None if parts and min(parts) < 10**-MOST_DECIMALS else max(1, min(wanted, allowed))


def format_of(name: str, dtype: str, values: Sequence[object]) -> dict[str, JsonValue] | None:
    """How the numbers of a column are written; `None` of texts, and where nothing is to be said.

    Args:
        name: The column's.
        dtype: Its type's name, if that is known.
        values: Some of its values.

    Returns:
        `unit`; `decimals`; `grouped`: thousands are set apart; `bytes`: in kB, MB, …
    """
    if dtype == "index" or not _is_numeric(dtype, values):
        return None
    unit = unit_of(name)
    if unit == "bytes":
        return {"unit": unit, "bytes": True}
    said: dict[str, JsonValue] = {"unit": unit, "grouped": True} if unit else {}
    decimals = decimals_of(values, most=2 if unit in MONEY.values() else None)
    return (said if decimals is None else {**said, "decimals": decimals}) or None


def with_formats(value: Mapping[str, JsonValue]) -> dict[str, JsonValue]:
    """A table's payload, with how its numbers are written where it does not say so itself."""
    columns, rows = value.get("columns"), value.get("rows")
    if "formats" in value or not isinstance(rows, list):
        return dict(value)
    looked_at = rows[:LOOKED_AT]
    names = columns if isinstance(columns, list) else _keys(looked_at)
    dtypes = value.get("dtypes")
    types = [str(one) for one in dtypes] if isinstance(dtypes, list) else []
    formats = [
        format_of(str(name), types[at] if at < len(types) else "", _column(looked_at, name, at))
        for at, name in enumerate(names)
    ]
    return {**value, "formats": [*formats]} if any(formats) else dict(value)


def _decimals(value: float) -> int:
    written = f"{value:.{SIGNIFICANT}g}"
    if "e" in written:
        return 0 if abs(value) >= 1 else MOST_DECIMALS
    return len(written.partition(".")[2])


def _is_numeric(dtype: str, values: Sequence[object]) -> bool:
    if dtype:
        return bool(NUMERIC.match(dtype))
    there = [one for one in values if one is not None]
    return bool(there) and all(
        isinstance(one, (int, float)) and not isinstance(one, bool) for one in there
    )


def _keys(rows: Sequence[object]) -> list[object]:
    return list(dict.fromkeys(key for row in rows if is_mapping(row) for key in row))


def _column(rows: Sequence[object], name: object, at: int) -> list[object]:
    found: list[object] = []
    for row in rows:
        if is_mapping(row):
            found.append(row.get(str(name)))
        elif is_list(row) and at < len(row):
            found.append(row[at])
    return found
