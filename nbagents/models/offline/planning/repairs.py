"""Repairs: a failed call made again with what the failure says about its arguments."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from nbagents.models.offline.language import stems

if TYPE_CHECKING:
    from pydantic import JsonValue

    from nbagents.models.offline.matching import Entry, Parameter
    from nbagents.models.offline.planning.conversation import Arguments, Made

_OFFERED = re.compile(r"(?<!\w)['\"`]([^'\"`]+)['\"`](?!\w)")
_WHOLE = re.compile(r"\binteger|whole number|\bint\b", re.IGNORECASE)
_TEXT = re.compile(r"\bvalid string\b|should be a string|must be a string", re.IGNORECASE)
_NUMBER = re.compile(r"valid number|must be a number|should be a number", re.IGNORECASE)
_LIST = re.compile(r"valid (?:list|array|tuple|set)|must be an? (?:list|array)", re.IGNORECASE)
_EXTRA = re.compile(r"extra|unexpected|not permitted|unknown (?:argument|parameter)", re.IGNORECASE)


def repaired(entry: Entry, made: Made, prompt: str) -> Arguments | None:
    """Arguments that may do better, or nothing where the failure gives no hint.

    Each parameter that the failure names is mended by type, by the values that the failure offers,
    or left out where it need not be there.
    """
    arguments = dict(made.arguments)
    for line in made.content.splitlines():
        for name in [
            name for name in arguments if re.search(rf"(?<!\w){re.escape(name)}(?!\w)", line)
        ]:
            parameter = next((one for one in entry.parameters if one.name == name), None)
            _mend(arguments, name, parameter, line, prompt)
    return arguments if arguments != made.arguments else None


def _mend(
    arguments: Arguments, name: str, parameter: Parameter | None, line: str, prompt: str
) -> None:
    if parameter is None or _EXTRA.search(line):
        del arguments[name]
        return
    offered = [one for one in _OFFERED.findall(line) if one not in {name, str(arguments[name])}]
    value = _converted(arguments[name], line) or _closest(str(arguments[name]), offered, prompt)
    if value is not None:
        arguments[name] = value
    elif not parameter.required:
        del arguments[name]
        if parameter.listed:
            arguments[name] = None


def _converted(value: JsonValue, line: str) -> JsonValue:
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        if _TEXT.search(line):
            return str(value)
        if isinstance(value, float) and _WHOLE.search(line):
            return round(value)
    if isinstance(value, str) and (_WHOLE.search(line) or _NUMBER.search(line)):
        found = re.search(r"-?\d+(?:\.\d+)?", value)
        return (
            None
            if found is None
            else float(found.group())
            if "." in found.group()
            else int(found.group())
        )
    if _LIST.search(line) and not isinstance(value, list):
        return [value]
    return None


def _closest(value: str, offered: list[str], prompt: str) -> str | None:
    """The offered value that the wish or the failed value means."""
    import difflib  # only a failure pays for it

    said = set(stems(prompt))
    named = [one for one in offered if stems(one) and set(stems(one)) <= said]
    close = difflib.get_close_matches(value, offered, n=1, cutoff=0.6)
    return (named or close or [None])[0]
