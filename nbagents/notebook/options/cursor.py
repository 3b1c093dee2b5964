"""Where the cursor stands in a magic's line: at an option, in its value, or behind them."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from nbagents.notebook.kernel import may_stand_before
from nbagents.notebook.options.option_line import OPTION, VALUE

if TYPE_CHECKING:
    from collections.abc import Sequence

    from nbagents.notebook.options.option import Option

LINE = re.compile(r"%(?P<magic>agent|tool|nbagents)[ \t](?P<rest>.*)", re.DOTALL)
CELL = re.compile(r"%%(?P<magic>agent|tool)[ \t](?P<rest>.*)", re.DOTALL)


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """The magic whose line the cursor is in."""

    magic: str
    """Its name with its signs: `%agent`, `%%tool`."""
    text: str
    """What stands between the name and the cursor."""
    body: str = ""
    """The cell below a cell magic."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Spot:
    """What is being written where the cursor is."""

    kind: Literal["option", "value", "rest"]
    text: str
    """What of it is there already."""
    option: Option | None = None
    """Whose value it is."""


def magic_line(text: str, line_number: int, column: int) -> Line | None:
    """The magic that the cursor is behind, if it is behind one.

    Args:
        text: The cell.
        line_number: The cursor's line, from 0.
        column: The cursor's place in it.
    """
    lines = text.split("\n")
    first = next((at for at, line in enumerate(lines) if line.strip()), 0)
    start = lines[line_number][:column]
    if line_number == first and (match := CELL.match(start)):
        body = "\n".join(lines[line_number + 1 :])
        return Line(magic=f"%%{match['magic']}", text=match["rest"], body=body)
    if lines[first].startswith("%%") and not lines[first].startswith(("%%time", "%%capture")):
        return None
    while line_number and lines[line_number - 1].rstrip().endswith("\\"):
        line_number -= 1
        start = f"{lines[line_number].rstrip()[:-1]} {start.lstrip()}"
    for match in LINE.finditer(start):
        if may_stand_before(start[: match.start()]):
            return Line(magic=f"%{match['magic']}", text=match["rest"])
    return None


def spot_of(text: str, options: Sequence[Option]) -> Spot:
    """What is being written at the end of a line of leading options.

    Args:
        text: The line up to the cursor.
        options: Those of its magic.
    """
    by_name = {name: option for option in options for name in (option.short, option.long) if name}
    rest = text.lstrip()
    while rest:
        if re.fullmatch(r"-[\w-]*", rest):
            return Spot(kind="option", text=rest)
        match = OPTION.match(rest)
        option = by_name.get(match[1]) if match else None
        if match is None or option is None:
            break
        rest = rest[match.end() :]
        if option.value is not None and (match[2] or not option.bare):
            value = _whole_value(rest)
            if value is None:
                return Spot(kind="value", text=rest.lstrip(), option=option)
            rest = rest[len(value) :]
        rest = rest.lstrip()
    return Spot(kind="rest", text=rest)


def _whole_value(text: str) -> str | None:
    """The value that stands first, if something follows it: until then it may grow."""
    value = VALUE.match(text)
    if value is None or not text[value.end() : value.end() + 1].isspace():
        return None
    begun = value[1]
    is_open = begun[0] in "\"'" and (len(begun) == 1 or begun[-1] != begun[0])
    return None if is_open and text.count(begun[0]) == 1 else value[0]
