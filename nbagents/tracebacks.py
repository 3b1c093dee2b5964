"""Errors without secrets: what they say, what caused them, and what was noted on them."""

from __future__ import annotations

import contextlib
from typing import Any, Final, cast

from nbagents.errors import NbagentsError
from nbagents.event_cleaner import clean_value
from nbagents.redaction import MARK, clean

__all__ = ["clean_error"]

BUILT_IN: Final = ("filename", "filename2", "strerror", "doc", "text", "object", "reason", "value")
"""Fields of Python's own errors that hold what they quote."""


def clean_error(error: BaseException) -> BaseException:
    """The same error, which quotes no secret any more; nor does what stands behind it.

    One whose words cannot be changed is replaced by one that says them without the secret.
    """
    return _clean(error, {})


def _clean(error: BaseException, known: dict[int, BaseException]) -> BaseException:
    if id(error) in known:
        return known[id(error)]
    known[id(error)] = error  # a circle of causes ends here
    _clean_fields(error)
    made = known[id(error)] = _in_other_words(error)
    _clean_links(error, made, known)
    if isinstance(error, BaseExceptionGroup):
        for one in cast("BaseExceptionGroup[BaseException]", error).exceptions:
            _clean(one, known)
    return made


def _clean_links(
    error: BaseException, made: BaseException, known: dict[int, BaseException]
) -> None:
    """Clean what stands behind an error; links are set only where they change."""
    if error.__cause__ is not None:
        cause = _clean(error.__cause__, known)
        if cause is not made.__cause__:
            made.__cause__ = cause
    if error.__context__ is not None:
        context = _clean(error.__context__, known)
        if context is not made.__context__:
            made.__context__ = context
    made.__suppress_context__ = error.__suppress_context__ or made is not error


def _clean_fields(error: BaseException) -> None:
    args = tuple(_cleaned(one) for one in error.args)
    if any(one is not before for one, before in zip(args, error.args, strict=True)):
        error.args = args
    for name in {*BUILT_IN, *getattr(error, "__dict__", ())}:
        with contextlib.suppress(
            Exception
        ):  # fields of others' errors; its words are looked at, too
            value: object = getattr(error, name, None)
            made = _cleaned(value)
            if made is not value:
                setattr(error, name, made)
    with contextlib.suppress(Exception):  # it may have no request, which is over
        headers: Any = cast("Any", error).request.headers
        if headers.get("authorization"):
            headers["authorization"] = MARK


def _in_other_words(error: BaseException) -> BaseException:
    try:
        said = f"{error} {error!r}"
    except Exception:  # noqa: BLE001  it has no words
        return error
    if clean(said) == said:
        return error
    return NbagentsError(f"{type(error).__name__}: {error}").with_traceback(error.__traceback__)


def _cleaned(value: Any) -> Any:  # Any: what an error was given, of any type
    if isinstance(value, str):
        return clean(value)
    if isinstance(value, bytes):
        text = value.decode("utf-8", "surrogateescape")
        made = clean(text)
        return value if made == text else made.encode("utf-8", "replace")
    return clean_value(value)
