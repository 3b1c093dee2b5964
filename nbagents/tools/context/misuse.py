"""What is said of a value that cannot be used, and whether a function can be called as it will be.

Whoever gives a wrong value is told at once, and told what to give instead; a run that breaks in its
middle because of it has cost time and tokens.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Iterable, Mapping
from types import BuiltinFunctionType, FunctionType, MethodType
from typing import TYPE_CHECKING, Any, Final, TypeGuard, cast

from nbagents.errors import did_you_mean
from nbagents.redaction import clean
from nbagents.tools.context.callable_object import as_called

if TYPE_CHECKING:
    from pydantic import ValidationError

MAX_SHOWN: Final = 60
"""Characters of a value that are quoted: an agent, or a table, would hide the message."""

COUNTED: Final = ("no arguments", "one argument", "two arguments")
TEXT: Final = "it must be text."
FLAG: Final = "it must be True or False."
ADVICE: Final[Mapping[str, str]] = {
    "string_type": TEXT,
    "bool_type": FLAG,
    "int_type": "it must be a whole number.",
    "greater_than_equal": "it must be at least {ge}.",
    "float_type": "it must be a number, e.g. {name}=60.",
    "finite_number": "it must be more than 0{unit}.",
    "greater_than": "it must be more than {gt:g}{unit}.",
}
"""What to give instead, by what pydantic calls the fault."""
ROUTINES: Final = (FunctionType, MethodType, BuiltinFunctionType)


def shown(value: object) -> str:
    """A value as a message quotes it.

    Example:
        >>> shown("1m"), shown(shown)
        ("'1m'", 'the function shown')
    """
    if isinstance(value, type):
        return f"the class {value.__name__}"
    if isinstance(value, ROUTINES):
        return f"the function {value.__name__}"
    text = clean(repr(value))
    return text if len(text) <= MAX_SHOWN else f"{text[:MAX_SHOWN]}…"


def wrong(name: str, value: object, advice: str) -> ValueError:
    """The error of a value that cannot be used.

    Args:
        name: What it was given as.
        value: What was given.
        advice: What to give instead, as a sentence.
    """
    return ValueError(f"{name} is {shown(value)}: {advice}")


def require(name: str, given: object, kind: type | tuple[type, ...], advice: str) -> None:
    """See that a value is of a type.

    Raises:
        ValueError: It is not; says what to give instead, as `wrong` does.
    """
    if not isinstance(given, kind):
        raise wrong(name, given, advice)


def require_named(
    name: str, given: object, advice: str, *, of: type = object, key: str = "A name in {name}"
) -> Mapping[str, Any]:
    """See that things are given by names, each of a type; `key` is what a name is called.

    Raises:
        ValueError: They are not; says what to give instead, as `wrong` does.
    """
    require(name, given, Mapping, advice)
    named = cast("Mapping[str, Any]", given)
    for one, value in named.items():
        require(key.format(name=name), one, str, advice)
        require(f"{name}[{one!r}]", value, of, advice)
    return named


def explained(error: ValidationError, advice: Mapping[str, str]) -> ValueError:
    """What pydantic found first, said as of all values that cannot be used.

    Args:
        error: What it found, among values by name.
        advice: By name, what to give instead, where there is more to say.
    """
    first = error.errors(include_url=False)[0]
    name, value, context = str(first["loc"][0]), first["input"], first.get("ctx", {})
    if first["type"] == "literal_error":
        hint = did_you_mean(str(value), re.findall(r"'([^']*)'", context["expected"]))
        return ValueError(f"{name} is {shown(value)}, which is none of its words.{hint}")
    unit = " seconds" if name.endswith("_s") else ""
    said = advice.get(name) or ADVICE.get(first["type"], "{msg}.")
    return wrong(name, value, said.format(name=name, unit=unit, msg=first["msg"], **context))


def is_function(given: object) -> TypeGuard[Callable[..., Any]]:
    """Whether something can be called, and is no class: calling one makes an object."""
    return callable(given) and not isinstance(given, type)


def is_several(given: object) -> TypeGuard[Iterable[object]]:
    """Whether something holds things one beside the other: no text, and nothing by names."""
    return isinstance(given, Iterable) and not isinstance(given, (str, bytes, Mapping))


def takes(function: Callable[..., Any], count: int) -> bool:
    """Whether a function can be called with so many arguments; of what cannot be known, yes.

    Example:
        >>> takes(lambda at, tool: True, 2), takes(lambda tool: True, 2), takes(print, 2)
        (True, False, True)
    """
    if type(function) is FunctionType:  # nearly all are, and a signature takes its time
        code = function.__code__
        if code.co_argcount == count and not code.co_kwonlyargcount:
            return True
    try:
        # Not of what stands behind a decorator: what is called is what the decorator gave.
        signature = inspect.signature(as_called(function), follow_wrapped=False)
    except (TypeError, ValueError):
        return True
    try:
        signature.bind(*(None,) * count)
    except TypeError:
        return False
    return True


def check_function(
    name: str, given: object, of: str, count: int, *, fits: str = "", classes: bool = False
) -> None:
    """See that something can be called as it will be.

    Args:
        name: What it was given as.
        given: What was given.
        of: What it is called with, in words; nothing if it is empty.
        count: How many arguments these are.
        fits: What may be given instead of a function, in words.
        classes: Whether it may be a class, which makes an object of what it is called with.

    Raises:
        ValueError: It cannot; says what to write.
    """
    if not callable(given) or (isinstance(given, type) and not classes):
        what = f"function of {of}" if of else "function without arguments"
        raise wrong(name, given, f"give {fits}a {what}.")
    if not takes(given, count):
        raise wrong(name, given, f"let it take {COUNTED[count]}{f': {of}' if of else ''}.")
