"""Which arguments tell the calls of one tool apart, for rows that have room for two.

`js/src/words/telling.ts` says the same; both pass `tests/fixtures/telling.json`.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, cast

from nbagents.runs.wording.python_call import LOOKED_AT, argument_words
from nbagents.runs.wording.words import clipped

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from nbagents.runs.tree import CallNode

MOST: Final = 2
"""Arguments on one row."""
LONG: Final = 60
"""A value that is longer as JSON says little on a row."""
MORE: Final = ", …"
VALUE_WIDTH: Final = 60


def telling_arguments(calls: Iterable[CallNode]) -> Mapping[str, Sequence[str]]:
    """The names of the arguments that tell calls apart, by tool: at most two.

    Those whose values differ; where none do, those that were given, and short before long.

    Args:
        calls: Those that stand together, e.g. of one run.
    """
    by_tool: dict[str, list[CallNode]] = {}
    for call in calls:
        if isinstance(call["arguments"], dict):
            by_tool.setdefault(call["name"], []).append(call)
    return {name: _telling(alike) for name, alike in by_tool.items()}


def telling_words(call: CallNode, names: Sequence[str], *, cut: Callable[[str], str] = str) -> str:
    """What a call is made with, of that only what tells it apart: `city="Paris", …`.

    Args:
        call: The call.
        names: Its tool's, of `telling_arguments`.
        cut: Shortens a value.
    """
    given, defaults = call["arguments"], call.get("defaults", ())
    objects = call.get("objects", {})
    if not isinstance(given, dict):
        return argument_words(given, defaults, objects, cut=cut, looked_at=LOOKED_AT)
    shown = {name: one for name, one in given.items() if name in names}
    more = any(name not in shown and name not in defaults for name in given)
    words = argument_words(shown, defaults, objects, cut=cut, looked_at=LOOKED_AT)
    return f"{words}{MORE if more else ''}"


def row_arguments(call: CallNode, names: Sequence[str]) -> str:
    """The same for a row, each value in a few words."""
    return telling_words(call, names, cut=lambda written: clipped(written, VALUE_WIDTH))


def _telling(calls: Sequence[CallNode]) -> Sequence[str]:
    names = dict.fromkeys(name for call in calls for name in _given(call))
    about = [_about(calls, name) for name in names]
    differing = [one for one in about if one.differs]
    picked = differing or [one for one in about if not one.is_default] or about
    return [one.name for one in sorted(picked, key=lambda one: one.is_long)[:MOST]]


@dataclass(frozen=True, slots=True)
class _About:
    """What is known of one argument of several calls."""

    name: str
    differs: bool
    is_long: bool
    is_default: bool


def _about(calls: Sequence[CallNode], name: str) -> _About:
    given = [_given(one) for one in calls]
    values = {json.dumps(one[name]) if name in one else "" for one in given}
    return _About(
        name,
        differs=len(values) > 1,
        is_long=max(map(len, values)) > LONG,
        is_default=all(name in call.get("defaults", ()) for call in calls),
    )


def _given(call: CallNode) -> Mapping[str, object]:
    return cast("Mapping[str, object]", call["arguments"])
