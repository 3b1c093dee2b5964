"""Counts, seconds and money, as options say them."""

from __future__ import annotations

from nbagents.notebook.prompt import OptionError

__all__ = ["amount", "count", "seconds"]


def count(option: str, text: str, *, least: int = 1) -> int:
    """A whole number.

    Raises:
        OptionError: It is none, or less than `least`.
    """
    if not text.isdecimal() or int(text) < least:
        raise OptionError(f"{option} wants a whole number, {_at_least(least)}, not {text!r}.")
    return int(text)


def seconds(option: str, text: str) -> float:
    """A time.

    Raises:
        OptionError: It is no number, or not above 0.
    """
    return _above_0(f"{option} wants a number of seconds above 0", text)


def amount(option: str, text: str) -> float:
    """A sum of money.

    Raises:
        OptionError: It is no number, or not above 0.
    """
    return _above_0(f"{option} wants a number above 0", text)


def _above_0(wanted: str, text: str) -> float:
    try:
        said = float(text)
    except ValueError:
        said = 0.0
    if not 0 < said < float("inf"):
        raise OptionError(f"{wanted}, not {text!r}.")
    return said


def _at_least(least: int) -> str:
    return "0 or more" if least == 0 else f"at least {least}"
