"""A chart as JSON for the person: a Vega-Lite specification, and in words what it shows."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from nbagents.narrowing import dict_of, is_dict, is_list, list_of
from nbagents.tools.values.amounts import counted
from nbagents.tools.values.plain_value import clean_text, json_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from pydantic import JsonValue

VEGA_LITE = re.compile(r"application/vnd\.vegalite\.v(\d+)\+json")
SEVERAL = {"hconcat": "side by side", "vconcat": "below one another", "concat": "together"}
CHANNELS = ("x", "y", "x2", "y2", "theta", "color", "size", "shape", "row", "column", "facet")
MAX_PARTS = 4
MAX_WORDS = 300
MAX_NAME = 60
DEEPEST = 12

# Any in this file: JSON that a library or a tool wrote.


def chart_of(value: Any) -> dict[str, JsonValue]:
    """What a payload of kind `chart` holds, of a chart of Altair.

    Raises:
        Exception: Whatever Altair raises, e.g. of a chart of more rows than it writes.
    """
    return {"spec": json_of(value.to_dict())}


def chart_in(data: Mapping[str, Any]) -> dict[str, JsonValue] | None:
    """The chart that a bundle of MIME types holds, if it holds one of Vega-Lite."""
    for media_type, spec in data.items():
        if VEGA_LITE.fullmatch(media_type) and is_dict(spec):
            return {"spec": json_of(spec)}
    return None


def spec_of(value: object) -> dict[str, Any]:
    """The specification of a payload's value.

    Raises:
        TypeError: There is none.
    """
    spec = dict_of(value).get("spec")
    if not is_dict(spec):
        raise TypeError("A chart is {'spec': a Vega-Lite specification, 'data': its rows}.")
    return spec


def chart_rows(value: object) -> list[dict[str, Any]]:
    """The rows that a chart draws, as far as they are in it; of several data sets the largest."""
    rows = dict_of(value).get("data")
    if is_list(rows):
        return _rows(rows)
    found = [_rows(one) for one in _data_sets(spec_of(value), 0)]
    return max(found, key=len, default=list[dict[str, Any]]())


def chart_sentence(value: object) -> str:
    """What a chart shows: `Bar chart “Rain”: x city, y mean of rain_mm, 12 rows`.

    Raises:
        TypeError: It is no chart.
    """
    spec = spec_of(value)
    title = _title(spec.get("title"))
    rows = len(chart_rows(value))
    head = f"{_kind(spec)}{f' “{title}”' if title else ''}"
    shown = [*_encoded(spec)]
    if rows:
        shown.append(counted(rows, "row"))
    words = f"{head}: {', '.join(shown)}" if shown else head
    words = words[0].upper() + words[1:]
    return words if len(words) <= MAX_WORDS else words[: MAX_WORDS - 1] + "…"


def _kind(spec: Mapping[str, Any]) -> str:
    for name, how in SEVERAL.items():
        if isinstance(spec.get(name), list):
            return f"{len(spec[name])} charts {how}"
    inner = spec.get("spec")
    if is_dict(inner):
        return f"{_kind(inner)}, repeated"
    marks = list(dict.fromkeys(_marks(spec, 0)))
    return f"{' and '.join(marks[:MAX_PARTS])} chart" if marks else "chart"


def _marks(spec: Mapping[str, Any], depth: int) -> Iterator[str]:
    mark = spec.get("mark")
    kind = mark.get("type") if is_dict(mark) else mark
    if isinstance(kind, str):
        yield _name("scatter" if kind in ("point", "circle") else kind)
    for layer in _layers(spec, depth):
        yield from _marks(layer, depth + 1)


def _encoded(spec: Mapping[str, Any]) -> list[str]:
    """What is drawn on which channel, each only once."""
    found: dict[str, str] = {}
    for channels in _encodings(spec, 0):
        for channel in CHANNELS:
            field = _field(channels.get(channel))
            if field:
                found.setdefault(channel, field)
    return [f"{channel} {field}" for channel, field in found.items()]


def _encodings(spec: Mapping[str, Any], depth: int) -> Iterator[dict[str, Any]]:
    if isinstance(spec.get("encoding"), dict):
        yield spec["encoding"]
    for layer in _layers(spec, depth):
        yield from _encodings(layer, depth + 1)
    inner = spec.get("spec")
    if is_dict(inner) and depth < DEEPEST:
        yield from _encodings(inner, depth + 1)


def _layers(spec: Mapping[str, Any], depth: int) -> list[dict[str, Any]]:
    return _dicts(spec.get("layer")) if depth < DEEPEST else []


def _field(channel: object) -> str:
    """`mean of rain_mm`, `date by month`, `count`; nothing where no data is drawn."""
    if not is_dict(channel):
        return ""
    field, aggregate, unit = (channel.get(one) for one in ("field", "aggregate", "timeUnit"))
    if aggregate == "count":
        return "count"
    if not isinstance(field, str):
        return ""
    if isinstance(aggregate, str):
        return f"{_name(aggregate)} of {_name(field)}"
    return f"{_name(field)} by {_name(unit)}" if isinstance(unit, str) else _name(field)


def _title(title: object) -> str:
    if is_dict(title):
        return _title(title.get("text"))
    if is_list(title):
        return _name(" ".join(map(str, title)))
    return _name(title) if isinstance(title, str) else ""


def _data_sets(spec: object, depth: int) -> Iterator[list[Any]]:
    """All rows that stand in a specification."""
    if depth > DEEPEST:
        return
    fields = dict_of(spec)
    held = [*dict_of(fields.get("datasets")).values(), dict_of(fields.get("data")).get("values")]
    yield from filter(is_list, held)
    for name in ("layer", *SEVERAL):
        for part in _dicts(fields.get(name)):
            yield from _data_sets(part, depth + 1)
    yield from _data_sets(fields.get("spec"), depth + 1)


def _rows(rows: Sequence[Any]) -> list[dict[str, Any]]:
    """Rows as mappings; a bare value is called `data`, as Vega-Lite calls it."""
    return [one if isinstance(one, dict) else {"data": one} for one in rows]


def _dicts(value: object) -> list[dict[str, Any]]:
    parts = list_of(value)
    return [one for one in parts if is_dict(one)]


def _name(text: str) -> str:
    line = " ".join(clean_text(text).split())
    return line if len(line) <= MAX_NAME else line[: MAX_NAME - 1] + "…"
