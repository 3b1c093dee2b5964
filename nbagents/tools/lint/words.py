"""Names that say nothing, and what says which unit a number has."""

from __future__ import annotations

import re
from typing import Final


def _all(words: str) -> frozenset[str]:
    return frozenset(words.split())


EMPTY_NAMES: Final = _all(
    """
    a action b bar baz blah callback data do doit doo example exec execute f fn foo foobar fun
    func funcs function g get getdata go h handle handler helper helpers info it item job main
    meth method misc my myfunc myfunction mytool name new obj object op operation perform proc
    procedure process qux query result run runit something stuff sub task temp test thing things
    tmp todo tool tools untitled util utils value var work wrapper x xyz xxx y z
    """
)
"""Words that say of no tool what it does, alone, with numbers, or one after the other."""
FILLERS: Final = _all("do get it my new run the this to a an")
VAGUE_PARAMETERS: Final = _all(
    """
    arg args arr attr cfg config context ctx data dict dct flag foo kw kwargs lst misc mode obj
    object opt option options opts other param params parameter parameters payload settings spec
    stuff thing tmp val value var variable vals values
    """
)
"""Names of parameters that leave open what goes in."""
KNOWN_LETTERS: Final = _all("x y z n k a b c r t")
"""Single letters that a formula of numbers may have."""
QUANTITIES: Final = _all(
    """
    age altitude angle area delay depth distance duration elapsed elevation height humidity
    interval latency length mass period pressure radius speed temperature timeout velocity
    volume wait weight width
    """
)
"""Names of numbers that mean nothing without a unit."""
UNITS: Final = _all(
    """
    s sec secs second seconds ms millisecond milliseconds us ns min mins minute minutes h hour
    hours hr hrs day days week weeks month months year years yr m metre metres meter meters km
    kilometre kilometres kilometer kilometers cm mm nm mi mile miles ft foot feet inch inches
    yard yards px pixel pixels pt points em rem char chars character characters word words row
    rows line lines column columns cell cells item items step steps page pages byte bytes kb mb
    gb kib mib gib bit bits kg kilogram kilograms g gram grams mg lb lbs pound pounds oz ounce
    tonne tonnes ton tons deg degree degrees rad radian radians celsius fahrenheit kelvin c f k
    pa hpa kpa bar psi atm mmhg l litre litres liter liters ml gallon gallons kmh kph mph mps
    knot knots percent pct ratio fraction share scale factor m2 km2 ha acre acres m3 hz khz mhz
    ghz w kw mw wh kwh j kj v a eur usd gbp chf unit units mach fps rpm bpm frames ticks
    """
)
UNIT_SIGNS: Final = re.compile(r"°|²|³|%|\b\w+/\w+\b|µ|€|\$|£")
"""Signs of a unit in a text."""
IN_UNITS: Final = re.compile(r"\b(in|of|per)\s+([a-z]+s|[a-z]{1,3})\b")
"""`in seconds`, `per hour`: whatever it is, it says one."""
WORD: Final = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])|\d+")


def words_of(name: str) -> list[str]:
    """The words of a name: `getData2` is `get`, `data`, `2`."""
    return [one.lower() for one in WORD.findall(name)]


def says_nothing(name: str) -> bool:
    """Whether the name of a tool leaves open what it does: `foo`, `func1`, `do_it`, `get_data`."""
    said = [one for one in words_of(name.rpartition("--")[2]) if not one.isdigit()]
    if not said or len("".join(said)) == 1:
        return True
    return all(one in EMPTY_NAMES or one in FILLERS for one in said)


def is_vague(name: str, *, is_number: bool) -> bool:
    """Whether the name of a parameter leaves open what goes in: `data`, `x`, `opts`."""
    said = [one for one in words_of(name) if not one.isdigit()]
    if len(said) == 1 and len(said[0]) == 1:
        return not (is_number and said[0] in KNOWN_LETTERS)
    return bool(said) and all(one in VAGUE_PARAMETERS for one in said)


def needs_unit(name: str) -> bool:
    """Whether a number of this name is a quantity, and the name says no unit."""
    said = words_of(name)
    return bool(said) and said[-1] in QUANTITIES and not UNITS & set(said)


def has_unit(text: str) -> bool:
    """Whether a text says a unit."""
    lowered = text.lower()
    is_named = bool(UNITS & set(re.findall(r"[a-z0-9]+", lowered)) - {"a", "c", "f", "k", "s", "v"})
    return is_named or bool(UNIT_SIGNS.search(text)) or bool(IN_UNITS.search(lowered))


def content_words(text: str) -> frozenset[str]:
    """The words of a text that tell it from others; a plural counts as its singular."""
    found = re.findall(r"[a-z0-9]+", text.lower())
    return frozenset(one.removesuffix("s") for one in found if one not in STOP)


STOP: Final = _all(
    "a an the of for to in on at by is are be it its this that these and or with from as"
)
