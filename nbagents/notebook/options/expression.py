"""The person's own expressions and names: evaluated, and what comes close to one that is none."""

from __future__ import annotations

from typing import TYPE_CHECKING

from nbagents.errors import did_you_mean
from nbagents.notebook.options.option import MissingNameError

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping


def evaluated(text: str, names: Mapping[str, object], said: str, after: str = "") -> object:
    """The value of an expression of the person's.

    Args:
        text: The expression.
        names: The person's variables.
        said: How a message names it.
        after: What a message says at its end.

    Raises:
        MissingNameError: A name is not defined; says which come close.
    """
    __tracebackhide__ = True
    try:
        return eval(text, dict(names))  # noqa: S307  the person's own expression
    except NameError as error:
        close = close_to(error.name or "", names) if error.name else ""
        raise MissingNameError(f"{said}: {error}.{close}{after}", name=error.name) from None


def close_to(name: str, known: Iterable[str]) -> str:
    """Those that come close, if any do: a notebook has too many names to list."""
    hint = did_you_mean(name, [one for one in known if not one.startswith("_")])
    return hint if "mean" in hint else ""
