"""Which version of a tool this is: a hash of the source it was made from."""

from __future__ import annotations

import hashlib
import json
import linecache
import textwrap
import types
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
    code = getattr(written_function(function), "__code__", None)
    if not isinstance(code, types.CodeType):  # written in C
        return None
    linecache.checkcache(code.co_filename)
    lines = linecache.getlines(code.co_filename)[code.co_firstlineno - 1 : _last_line(code)]
    return _digest(textwrap.dedent("".join(lines))) if lines else None  # none: made by exec


def _last_line(code: types.CodeType) -> int:
    # The code knows it: `inspect.getsource` would look for it by reading all of the function.
    ends = [end for _, end, _, _ in code.co_positions() if end is not None]
    inner = [_last_line(one) for one in code.co_consts if isinstance(one, types.CodeType)]
    return max(ends + inner, default=code.co_firstlineno)


def schema_hash(name: str, description: str, parameters: Mapping[str, object]) -> str:
    """Twelve hex digits of how a model sees the tool."""
    return _digest(json.dumps([name, description, parameters], sort_keys=True))


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode(errors="surrogatepass")).hexdigest()[:LENGTH]
