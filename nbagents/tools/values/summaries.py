"""What may be told of a live object: its type, shape and size, never what it holds."""

from __future__ import annotations

import inspect
import types
from collections.abc import Callable, Iterable, Mapping, Sequence, Sized
from collections.abc import Set as AbstractSet
from dataclasses import fields, is_dataclass
from itertools import islice
from typing import Any, cast

from pydantic import BaseModel

from nbagents.redaction import cut
from nbagents.tools.values.amounts import counted, size
from nbagents.tools.values.chart import chart_of, chart_sentence
from nbagents.tools.values.foreign_object import (
    Kind,
    figure_of,
    is_file,
    is_pillow,
    item_count,
    kind_of,
    pixels_of,
    shape_of,
)
from nbagents.tools.values.plain_value import clean_text, without_addresses

MAX_COLUMNS = 12
MAX_NAME = 60
MAX_SUMMARY = 1_000
MAX_LOOKED_AT = 1_000
"""Items of a list whose types are compared: enough to say `list of dict`, and always quick."""


def type_name(value: object) -> str:
    """The type as a person would say it, e.g. `DataFrame` or `list of dict`."""
    name = type(value).__name__
    if not isinstance(value, (list, tuple, set, frozenset)):
        return name
    items = cast("Sequence[object] | AbstractSet[object]", value)
    inner = {type(one).__name__ for one in islice(items, MAX_LOOKED_AT)}
    return f"{name} of {inner.pop()}" if len(inner) == 1 else name


def summary(value: object) -> str:
    """One line: type, shape or length, and the columns of a table with their types; no contents.

    It is quick however large the object is, and never raises.

    Example:
        >>> summary([{"a": 1}, {"a": 2}])
        'list of dict, 2 items'
    """
    try:
        line = " ".join(clean_text(_line(value)).split())
    except Exception:  # noqa: BLE001  any object may be told of, and may raise wherever it is touched
        line = type(value).__name__
    return line if len(line) <= MAX_SUMMARY else cut(line, MAX_SUMMARY - 1) + "…"


def with_article(noun: str) -> str:
    """`a DataFrame`, `an ndarray`."""
    if noun == "bytes":
        return noun
    return f"{'an' if noun[:1].lower() in 'aeio' or noun[:2] == 'nd' else 'a'} {noun}"


def _line(value: object) -> str:
    kind = kind_of(value)
    if kind is not None:
        return OF_KIND[kind](value)
    if is_file(value):
        return _path(value)
    if item_count(value) is not None and shape_of(value) is not None:
        return _array(value)
    for classes, tell in OF_TYPE:
        if isinstance(value, classes):
            return tell(value)
    return _object(value)


def _frame(value: Any) -> str:
    rows, width = value.shape
    shape = f"{type(value).__name__}, {counted(rows, 'row')} × {counted(width, 'column')}"
    names, dtypes = map(_first, (value.columns, value.dtypes))
    columns = [f"{_name(name)} ({dtype})" for name, dtype in zip(names, dtypes, strict=True)]
    return f"{shape}: {_and_more(columns, width)}{_index(value)}" if columns else shape


def _series(value: Any) -> str:
    name = getattr(value, "name", None)
    named = f" {_name(name)!r}" if name not in {None, ""} else ""
    count = counted(value.shape[0], "item")
    return f"{type(value).__name__}{named}, {count} ({value.dtype}){_index(value)}"


def _index(value: Any) -> str:
    """By what the rows are found, where it is more than their numbers."""
    index = getattr(value, "index", None)
    if index is None or callable(index):  # e.g. of polars
        return ""
    names = tuple(getattr(index, "names", (index.name,)))
    if names == (None,) and type(index).__name__ == "RangeIndex":
        return ""
    levels = getattr(index, "dtypes", None) if len(names) > 1 else None
    dtypes = (index.dtype,) if levels is None else tuple(levels)
    shown = [
        f"{'unnamed' if name is None else _name(name)} ({dtype})"
        for name, dtype in zip(names, dtypes, strict=True)
    ]
    return f"; index: {_and_more(shown[:MAX_COLUMNS], len(shown))}"


def _array(value: Any) -> str:
    shape, dtype = shape_of(value), getattr(value, "dtype", None)
    if shape is None:
        return f"{type(value).__name__}, {counted(value.size, 'item')}"
    size_bytes = getattr(value, "nbytes", None)
    taken = f", {size(size_bytes)}" if isinstance(size_bytes, int) else ""
    return f"{type(value).__name__}, shape {shape}, {dtype}{taken}"


def _picture(value: Any) -> str:
    figure = figure_of(value)
    if figure is not None:
        return _figure(figure)
    if is_pillow(value):
        return f"Image, {value.width:,} × {value.height:,} px, {value.mode}"
    data = value if isinstance(value, (bytes, bytearray)) else value.data
    if data is None:
        return "Image"
    pixels = pixels_of(data)
    shape = f", {pixels[0]:,} × {pixels[1]:,} px" if pixels else ""
    return f"Image{shape}, {size(len(data))}"


def _figure(figure: Any) -> str:
    """With titles and labels, which its author wrote for whoever cannot see it well."""
    width, height = figure.get_size_inches() * figure.dpi
    titles = [one.get_text() for one in (getattr(figure, "_suptitle", None),) if one is not None]
    titles += [words for axes in islice(figure.axes, MAX_COLUMNS) if (words := _axes(axes))]
    shown = f": {'; '.join(titles)}" if titles else ""
    return f"Figure, {width:.0f} × {height:.0f} px{shown}"


def _axes(axes: Any) -> str:
    title, x, y = axes.get_title(), axes.get_xlabel(), axes.get_ylabel()
    labels = [f"{name}: {_name(label)}" for name, label in (("x", x), ("y", y)) if label]
    shown = f"({', '.join(labels)})" if labels else ""
    return " ".join(one for one in (f"{_name(title)!r}" if title else "", shown) if one)


def _file(value: Any) -> str:
    taken = "" if value.data is None else f", {size(len(value.data))}"
    return f"File {_name(value.name)!r}, {value.media_type}{taken}"


def _path(value: Any) -> str:
    """By its name alone: where it lies is nobody's business but the person's."""
    return f"File {_name(value.name)!r}, {size(value.stat().st_size)}"


def _text(value: Any) -> str:
    return f"{type(value).__name__}, {counted(len(value), 'character')}"


def _bytes(value: Any) -> str:
    return f"{type(value).__name__}, {size(memoryview(value).nbytes)}"


def _class(value: Any) -> str:
    return f"class {value.__name__}{_home(value)}"


def _function(value: Any) -> str:
    try:
        written = without_addresses(str(inspect.signature(value)))
    except (TypeError, ValueError):
        written = "(…)"
    return f"function {value.__name__}{written}"


def _items(value: Any) -> str:
    return f"{type_name(value)}, {counted(len(value), 'item')}"


def _object(value: object) -> str:
    """An object of a class of somebody's own."""
    names = _fields(value)
    inside = f": {_and_more(names[:MAX_COLUMNS], len(names))}" if names else ""
    count = f", {counted(len(value), 'item')}" if isinstance(value, Sized) else ""
    return f"{type(value).__name__}{_home(type(value))}{count}{inside}"


def _fields(value: object) -> list[str]:
    if isinstance(value, BaseModel):
        return list(type(value).model_fields)
    return [one.name for one in fields(value)] if is_dataclass(value) else []


def _home(cls: type) -> str:
    """The module, without its private parts, which nobody imports from."""
    parts = [part for part in cls.__module__.split(".") if not part.startswith("_")]
    return f" ({'.'.join(parts)})" if parts and parts != ["builtins"] else ""


def _and_more(shown: Sequence[str], total: int) -> str:
    more = f" and {total - len(shown):,} more" if total > len(shown) else ""
    return ", ".join(shown) + more


def _first(things: Iterable[object]) -> list[object]:
    return list(islice(things, MAX_COLUMNS))


def _name(name: object) -> str:
    text = " ".join(str(name).split())
    return text if len(text) <= MAX_NAME else cut(text, MAX_NAME - 1) + "…"


OF_KIND: dict[Kind, Callable[[Any], str]] = {
    "frame": _frame,
    "series": _series,
    "array": _array,
    "picture": _picture,
    "file": _file,
    "chart": lambda chart: chart_sentence(chart_of(chart)),
}

OF_TYPE: tuple[tuple[Any, Callable[[Any], str]], ...] = (  # Any: what isinstance takes
    (str, _text),
    ((bytes, bytearray, memoryview), _bytes),
    (type, _class),
    (types.ModuleType, lambda module: f"module {module.__name__}"),
    ((types.FunctionType, types.BuiltinFunctionType, types.MethodType), _function),
    ((list, tuple, Mapping, AbstractSet), _items),
)
