"""What an object says of how a notebook shows it: IPython's `_repr_…_` methods, without IPython."""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING, Any, TypeAlias, cast

from nbagents.tools.plain import is_mapping

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["Bundle", "bundle_of", "is_displayable"]

Bundle: TypeAlias = tuple[dict[str, Any], dict[str, Any]]
"""Types to values, and types to what is said of them."""

WHOLE = "_repr_mimebundle_"

METHODS = {
    "_repr_png_": "image/png",
    "_repr_jpeg_": "image/jpeg",
    "_repr_svg_": "image/svg+xml",
    "_repr_html_": "text/html",
    "_repr_markdown_": "text/markdown",
    "_repr_latex_": "text/latex",
    "_repr_json_": "application/json",
}

PAIR = 2


def is_displayable(value: object) -> bool:
    """Whether the object itself says how a notebook shows it."""
    return any(_method(value, name) for name in (WHOLE, *METHODS))


def bundle_of(value: object) -> Bundle:
    """What all of its methods give; what raises, or gives nothing, is left out."""
    data: dict[str, Any] = {}
    metadata: dict[str, Any] = {}
    whole = _method(value, WHOLE)
    if whole:
        with contextlib.suppress(Exception):
            found, said = _pair(whole(include=None, exclude=None))
            data.update(found or {})
            metadata.update(said)
    for name, media_type in METHODS.items():
        method = _method(value, name)
        if method and media_type not in data:
            with contextlib.suppress(Exception):
                found, said = _pair(method())
                if found is not None:
                    data[media_type], metadata[media_type] = found, said
    return data, metadata


def _method(value: object, name: str) -> Callable[..., object] | None:
    """Asked of the class: an object that answers to every name would have them all."""
    if not callable(getattr(type(value), name, None)):
        return None
    return getattr(value, name)


def _pair(given: object) -> tuple[Any, dict[str, Any]]:
    """A method gives a value, or a pair of it and what is said of it."""
    if not isinstance(given, tuple):
        return given, {}
    pair = cast("tuple[object, ...]", given)
    if len(pair) != PAIR:
        return pair, {}
    return pair[0], dict(pair[1]) if is_mapping(pair[1]) else {}
