"""What a call becomes by the arguments that a person gives for it, and whether that is those."""

from __future__ import annotations

from dataclasses import dataclass, replace
from decimal import Decimal, InvalidOperation
from typing import TYPE_CHECKING, Final

from pydantic_core import to_jsonable_python

from nbagents.narrowing import is_dict, is_list, known
from nbagents.redaction import MARK, holds_mark
from nbagents.tools.call import as_written, is_json, misfit

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from pydantic import JsonValue

    from nbagents.tools.call import Effective, PreparedCall
    from nbagents.tools.context import Context

NO_JSON: Final = (
    "Arguments are text, numbers, lists and dictionaries, as JSON has them: no NaN and no Infinity."
)
OTHERWISE: Final = (
    "Of what you gave for {names}, its tool makes what you see here. Allow it as it is, or give "
    "something else."
)
MARKED: Final = (
    f"{{name}} holds {MARK}, which stands where a secret was left out: leave {{name}} as it was, "
    "or write all of it."
)
TRUTHS: Final = {"true": "1", "yes": "1", "on": "1", "false": "0", "no": "0", "off": "0"}
MANIFOLD: Final = (dict, list)
MANY: Final = 1_000
"""Items of a list that are looked for in any order."""


@dataclass(frozen=True, slots=True)
class Edited:
    """A call with arguments that a person gave."""

    call: PreparedCall
    """With what its tool would get."""
    arguments: Mapping[str, JsonValue]
    """What was given, as it would be written."""
    is_as_given: bool
    """Whether the tool would get just that; else nobody has seen yet what it would get."""


def edited(call: PreparedCall, given: Mapping[str, JsonValue], context: Context) -> Edited | None:
    """What a call becomes by what somebody gave for what he was shown; `None`: it stays.

    Raises:
        ValueError: No call can be made with it, or not the one that it says.
    """
    tool, shown, plain = known(call.tool), known(call.effective), _plain(given)
    arguments = as_written(plain, shown.named, call.arguments)
    if not is_json(arguments):
        raise ValueError(NO_JSON)
    _refuse_marks(arguments, call.arguments)
    others = _others(plain, shown)
    if _is_like(arguments, call.arguments):
        if others and not _is_settled(call, context):
            raise ValueError(OTHERWISE.format(names=", ".join(others)))
        return None
    if wrong := misfit(tool, arguments, context):
        raise ValueError(wrong)
    other = call.with_arguments(arguments).seen(context)
    would_get = other.effective
    if would_get is not None and (
        new := {name: plain[name] for name in _others(plain, would_get) if name not in arguments}
    ):  # shown and left as it was, but a default that is another each time
        arguments = arguments | new
        other = call.with_arguments(arguments).seen(context)
        would_get = other.effective
    if would_get is not None and would_get.key == shown.key:
        return None
    is_as_given = would_get is not None and not _others(plain, would_get)
    return Edited(other, arguments, is_as_given)


def mended(call: PreparedCall, given: Mapping[str, JsonValue], context: Context) -> Edited:
    """What a call becomes by what somebody gave for it that could not be made as it stood.

    Raises:
        ValueError: With that it cannot be made, either.
    """
    plain = _plain(given)
    if not is_json(plain):
        raise ValueError(NO_JSON)
    _refuse_marks(plain, call.arguments)
    if wrong := misfit(known(call.tool), plain, context):
        raise ValueError(wrong)
    other = replace(call, failure=None).with_arguments(plain).seen(context)
    would_get = other.effective
    return Edited(other, plain, would_get is not None and not _others(plain, would_get))


def _refuse_marks(arguments: Mapping[str, JsonValue], before: JsonValue) -> None:
    """See that nothing is made of what only stands where a secret was left out.

    Raises:
        ValueError: Something would be.
    """
    was = before if isinstance(before, dict) else {}
    for name, one in arguments.items():
        if holds_mark(one) and one != was.get(name):
            raise ValueError(MARKED.format(name=name))


def _plain(given: Mapping[str, JsonValue]) -> dict[str, JsonValue]:
    try:
        return to_jsonable_python(dict(given))
    except ValueError as error:
        raise ValueError(f"{NO_JSON} {error}") from None


def _others(given: Mapping[str, JsonValue], shown: Effective) -> list[str]:
    """The names of which something else is shown than was given."""
    named, written = shown.named, shown.arguments
    return [
        name
        for name, one in given.items()
        if not (_is_said(one, named.get(name)) or _is_said(one, written.get(name)))
    ]


def _is_settled(call: PreparedCall, context: Context) -> bool:
    """Whether what is shown, given for itself, would be the same: it is only another spelling."""
    shown = known(call.effective)
    again = call.with_arguments(shown.arguments).seen(context)
    return again.effective is not None and again.effective.key == shown.key


def _is_like(one: object, other: object) -> bool:
    """Whether two are the same JSON: 1 is neither 1.0 nor true."""
    if is_dict(one) and is_dict(other):
        return one.keys() == other.keys() and all(_is_like(one[k], other[k]) for k in one)
    if is_list(one) and is_list(other):
        return len(one) == len(other) and all(map(_is_like, one, other))
    return type(one) is type(other) and one == other


def _is_said(given: object, shown: object) -> bool:
    """Whether what is shown says no more and nothing else than what was given, but for defaults.

    The order in a list counts for nothing: it may be a set.
    """
    if is_dict(given) and is_dict(shown):
        return all(name in shown and _is_said(one, shown[name]) for name, one in given.items())
    if is_list(given) and is_list(shown):
        if len(given) == len(shown) and all(map(_is_said, given, shown)):
            return True
        return len(given) <= MANY and _is_same_set(given, shown)
    if given is None or shown is None or isinstance(given, MANIFOLD):
        return given is shown
    return str(given) == str(shown) or _words(str(given)) == _words(str(shown))


def _is_same_set(mine: Sequence[object], yours: Sequence[object]) -> bool:
    return all(any(_is_said(one, other) for other in yours) for one in mine) and all(
        any(_is_said(one, other) for one in mine) for other in yours
    )


def _words(text: str) -> object:
    """A text as what it says: `7` and `7.0` say the same."""
    text = TRUTHS.get(text.strip().lower(), text)
    try:
        return Decimal(text)
    except InvalidOperation:
        return text
