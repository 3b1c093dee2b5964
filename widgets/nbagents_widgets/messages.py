"""What pages say, which is JSON, and how an error is told to them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from typing_extensions import TypeIs

__all__ = ["is_mapping", "words_of"]


def is_mapping(value: object) -> TypeIs[Mapping[str, Any]]:
    """Whether it has names and values (Any: JSON)."""
    return isinstance(value, Mapping)


def words_of(error: Exception) -> str:
    """What went wrong; of an error that says nothing, what it is called."""
    return str(error) or type(error).__name__
