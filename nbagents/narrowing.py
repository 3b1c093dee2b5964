"""What a value of JSON is: `isinstance` says that it is a dictionary; these, also of what.

They say it to the type checker. That the names in a dictionary are text is taken for granted: of
what was read as JSON it is so, of anything else `isinstance` and a cast say what is meant.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeGuard, TypeVar

from typing_extensions import TypeIs

__all__ = [
    "dict_of",
    "is_dict",
    "is_list",
    "is_mapping",
    "is_number",
    "is_sequence",
    "is_whole",
    "known",
    "list_of",
]

T = TypeVar("T")


def is_dict(value: object) -> TypeIs[dict[str, Any]]:
    """Whether it is a dictionary."""
    return isinstance(value, dict)


def is_mapping(value: object) -> TypeIs[Mapping[str, Any]]:
    """Whether it has names and values."""
    return isinstance(value, Mapping)


def is_list(value: object) -> TypeIs[list[Any]]:
    """Whether it is a list."""
    return isinstance(value, list)


def is_sequence(value: object) -> TypeIs[list[Any] | tuple[Any, ...]]:
    """Whether it is a list or a tuple: text and bytes are not."""
    return isinstance(value, (list, tuple))


def dict_of(value: object) -> dict[str, Any]:
    """The dictionary that it is, or an empty one."""
    return value if is_dict(value) else {}


def list_of(value: object) -> list[Any]:
    """The list that it is, or an empty one."""
    return value if is_list(value) else []


def known(value: T | None) -> T:
    """What is there: that it is there is known where this stands.

    Raises:
        LookupError: It is not; a fault of ours.
    """
    if value is None:
        raise LookupError("Something is missing that should be known here.")
    return value


def is_whole(value: object) -> TypeGuard[int]:
    """Whether it is a whole number: what is true or false is none."""
    return isinstance(value, int) and not isinstance(value, bool)


def is_number(value: object) -> TypeGuard[float]:
    """Whether it is a number: what is true or false is none."""
    return isinstance(value, (int, float)) and not isinstance(value, bool)
