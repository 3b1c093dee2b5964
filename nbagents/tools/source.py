"""Which version of a tool this is: a hash of the source it was made from."""

from __future__ import annotations

import hashlib
import inspect
import json
import textwrap
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

from nbagents.tools.callables import written_function

__all__ = ["schema_hash", "source_hash"]

LENGTH = 12


def source_hash(function: Callable[..., object]) -> str | None:
    """Twelve hex digits of the function's source; `None` where there is no source.

    The same text gives the same hash in every kernel, wherever in a notebook it stands. What is
    bound by `functools.partial`, and the state of an object, are not part of it.
    """
    try:
        return _digest(textwrap.dedent(inspect.getsource(written_function(function))))
    except (OSError, TypeError):  # made by exec, or written in C
        return None


def schema_hash(name: str, description: str, parameters: Mapping[str, object]) -> str:
    """Twelve hex digits of how a model sees the tool."""
    return _digest(json.dumps([name, description, parameters], sort_keys=True))


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode(errors="surrogatepass")).hexdigest()[:LENGTH]
