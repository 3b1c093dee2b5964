"""Units of everyday quantities, so that `90 minutes` reaches a parameter in seconds as 5400."""

from __future__ import annotations

import re

from nbagents.models.offline.language.lexicon import word_set

_TABLE = {
    "time": {
        "milliseconds millisecond ms msec": 0.001,
        "seconds second sec secs s": 1.0,
        "minutes minute min mins": 60.0,
        "hours hour hr hrs h": 3600.0,
        "days day": 86400.0,
        "weeks week": 604800.0,
        "months month": 2629746.0,
        "years year yrs yr": 31556952.0,
    },
    "length": {
        "millimeters millimeter millimetres millimetre mm": 0.001,
        "centimeters centimeter centimetres centimetre cm": 0.01,
        "meters meter metres metre m": 1.0,
        "kilometers kilometer kilometres kilometre km kms": 1000.0,
        "inches inch": 0.0254,
        "feet foot ft": 0.3048,
        "yards yard yd": 0.9144,
        "miles mile mi": 1609.344,
    },
    "mass": {
        "milligrams milligram mg": 1e-6,
        "grams gram g": 0.001,
        "kilograms kilogram kg kgs kilo kilos": 1.0,
        "pounds pound lb lbs": 0.45359237,
        "ounces ounce oz": 0.028349523125,
    },
    "volume": {
        "milliliters milliliter millilitres millilitre ml": 0.001,
        "centiliters centiliter centilitres centilitre cl": 0.01,
        "deciliters deciliter decilitres decilitre dl": 0.1,
        "tablespoons tablespoon tbsp": 0.0147867648,
        "teaspoons teaspoon tsp": 0.00492892159,
        "cups cup": 0.2365882365,
        "liters liter litres litre l": 1.0,
    },
    "speed": {
        "m/s mps": 1.0,
        "km/h kph kmh": 1 / 3.6,
        "mph": 0.44704,
    },
    "concentration": {"mol/l molar molarity": 1.0},
    "acceleration": {"m/s^2 m/s2 m/s²": 1.0},
    "size": {
        "kilobytes kilobyte kb": 1e3,
        "megabytes megabyte mb": 1e6,
        "gigabytes gigabyte gb": 1e9,
        "terabytes terabyte tb": 1e12,
    },
}
_MEASURED = {
    "time": word_set("time duration period timespan age interval delay timeout"),
    "length": word_set("distance length height width radius depth diameter side thickness"),
    "mass": word_set("mass weight"),
    "volume": frozenset({"volume"}),
    "concentration": word_set("concentration molarity"),
    "speed": word_set("speed velocity"),
    "acceleration": frozenset({"acceleration"}),
    "size": word_set("size memory storage"),
}
_UNITS = {
    name: (dimension, factor, names.split()[0])
    for dimension, rows in _TABLE.items()
    for names, factor in rows.items()
    for name in names.split()
}
_WRITTEN_ON = word_set(
    "k m g x s h l K M G C F V W A N J mb gb kb tb MB GB KB TB hz Hz khz kHz MHz GHz kv kV "
    "kw kW kWh ma mA pt "
    "px em rem kj kJ cal kcal mol ppm bp bps psi pa Pa kPa atm dB db rpm fps usd eur gbp USD "
    "EUR GBP st nd "
    "rd th am pm AM PM yo nm pc ly au AU deg rad eV"
)
_WANTED = re.compile(
    r"\bin\s+(?:the\s+unit\s+of\s+)?([a-z]+)\b|_([a-z]+)\b|\(([a-z]+)\)|\b([a-z]{4,})\b"
)


def is_unit(letters: str) -> bool:
    """Whether letters written onto a number count something."""
    return (len(letters) > 1 and letters.lower() in _UNITS) or letters in _WRITTEN_ON


def dimension_of(unit: str) -> str | None:
    """What a unit measures, if it is known."""
    known = _UNITS.get(unit.lower())
    return known[0] if known else None


def unit_names(unit: str) -> frozenset[str]:
    """All the ways to write a unit: itself, where it is not known."""
    known = _UNITS.get(unit.lower())
    if known is None:
        return frozenset({unit.lower()})
    return frozenset(name for name, other in _UNITS.items() if other == known)


def measures(unit: str, words: tuple[str, ...]) -> bool | None:
    """Whether words speak of what a unit measures (`seconds`: time), as far as it is known."""
    known = _UNITS.get(unit.lower())
    spoken = {dimension for dimension, names in _MEASURED.items() if not names.isdisjoint(words)}
    if known is None or not spoken:
        return None
    return known[0] in spoken


def rescaled(value: float, unit: str, described: str) -> int | float:
    """A quantity in the unit that a description names, if that is another of the same dimension."""
    known = _UNITS.get(unit.lower())
    if known is None:
        return value
    named = {
        _UNITS[word]
        for groups in _WANTED.findall(described)
        for word in groups
        if word in _UNITS and _UNITS[word][0] == known[0]
    }
    if len(named) != 1 or known in named:
        return value
    factor = known[1] / next(iter(named))[1]
    scaled = float(f"{value * factor:.10g}")
    return int(scaled) if scaled.is_integer() else scaled
