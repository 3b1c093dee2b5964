"""A tool, as far as a lint looks through it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from nbagents.tools.schema import DocstringStyle, Schema


@dataclass(frozen=True, slots=True, kw_only=True)
class Linted:
    """A tool, as far as it is looked through."""

    name: str
    """Its whole name."""
    function: Callable[..., Any]
    """What it calls."""
    schema: Schema
    """What its function takes."""
    description: str
    """What the model is told of it."""
    docstring_style: DocstringStyle | None
    """How its docstring is written; `None`: a model is not told it."""
    local_names: Mapping[str, object]
    """Names of the place where the function was defined."""
