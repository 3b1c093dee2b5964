"""Pictures of charts for saved notebooks: as a page drew them, or as a library beside draws them.

A page that has drawn a chart sends its picture back. Where no page is, `vl_convert` draws it if it
is installed; it is not required. A picture is only ever shown as an `<img>`, in which nothing runs
and nothing is loaded.
"""

from __future__ import annotations

import base64
import binascii
import contextlib
import hashlib
import re
import threading
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from pydantic_core import to_json

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from pydantic import JsonValue

    from nbagents.runs.state import Run
    from nbagents.runs.tree import Tree

Picture: TypeAlias = tuple[str, str]
"""Media type, and the picture as base64."""

MAX_BYTES = 120_000
"""Of one picture; a page sends a larger drawing as a bitmap."""
MAX_KEPT = 100

SVG: Final = "image/svg+xml"
BITMAPS: Final = {
    "image/png": re.compile(rb"\x89PNG\r\n"),
    "image/webp": re.compile(rb"RIFF....WEBP", re.DOTALL),
}
ACTIVE: Final = re.compile(
    r"<\s*(script|foreignobject|iframe|image|use|a|style|animate\w*|set|handler)\b"
    r"|<!|<\?|\son\w+\s*=|\bhref\s*=|url\(\s*['\"]?(?!#)",
    re.IGNORECASE,
)
"""What no drawing of ours holds: code, links, and what is loaded from elsewhere."""

_kept: Final[dict[str, Picture | None]] = {}
"""By what the chart says, the newest last; `None`: it was tried, and there is none."""
_lock: Final = threading.Lock()


def take_picture(run: Run, value: JsonValue) -> None:
    """Keep what a page drew; in any thread.

    Args:
        run: The run that shows the chart.
        value: `{payload_id, svg}`, or `{payload_id, media_type, data}` of a bitmap as base64, or
            `{payload_id, none: true}` where it could not be drawn. What is too large, or is no such
            picture, is not kept.
    """
    match value:
        case {"payload_id": str(payload_id)}:
            picture = checked_picture(value)
        case _:
            return
    for name, chart in _charts(run.tree()):
        if name == payload_id and (picture is not None or value.get("none") is True):
            keep_picture(chart, picture)


def keep_picture(chart: JsonValue, picture: Picture | None) -> None:
    """Keep the picture of a chart as it stands; one that changes needs another."""
    with _lock:
        _kept[_key(chart)] = picture
        while len(_kept) > MAX_KEPT:
            del _kept[next(iter(_kept))]


def chart_picture(chart: JsonValue) -> Picture | None:
    """The picture of a chart, if somebody has drawn it or can."""
    with _lock:
        key = _key(chart)
        if key in _kept:
            return _kept[key]
    picture = _converted(chart)
    keep_picture(chart, picture)
    return picture


def _checked_svg(svg: str) -> Picture | None:
    """A drawing, if it is no larger than it may be and nothing in it acts."""
    written = svg.strip().encode(errors="replace")
    if not svg.lstrip().startswith("<svg") or len(written) > MAX_BYTES or ACTIVE.search(svg):
        return None
    return SVG, base64.b64encode(written).decode()


def checked_picture(value: Mapping[str, Any]) -> Picture | None:
    """What a page sent as a picture (Any: JSON), if it is one and no larger than it may be."""
    match value:
        case {"svg": str(svg)}:
            return _checked_svg(svg)
        case {"media_type": str(media_type), "data": str(data)} if media_type in BITMAPS:
            with contextlib.suppress(binascii.Error, ValueError):
                written = base64.b64decode(data, validate=True)
                if len(written) <= MAX_BYTES and BITMAPS[media_type].match(written):
                    return media_type, data
        case _:
            pass
    return None


def _charts(tree: Tree) -> Iterator[tuple[str, JsonValue]]:
    """The charts of some runs, with the ids of their payloads."""
    for run in tree["runs"].values():
        for call in run["calls"].values():
            for node in call["payloads"]:
                if node["payload"]["kind"] == "chart":
                    yield node["id"], node["payload"]["value"]


def _converted(chart: JsonValue) -> Picture | None:
    """As `vl_convert` draws it, unless the chart wants anything from elsewhere."""
    spec = _whole_spec(chart)
    if spec is None or find_spec("vl_convert") is None or b'"url":' in to_json(spec):
        return None
    with contextlib.suppress(Exception):  # a chart that it cannot draw
        import vl_convert  # # pyright: ignore[reportMissingImports]  never required

        converter: Any = vl_convert
        return _checked_svg(converter.vegalite_to_svg(spec, allowed_base_urls=[]))
    return None


def _whole_spec(chart: JsonValue) -> dict[str, Any] | None:
    match chart:
        case {"spec": dict() as spec, "data": list() as rows}:
            return {**spec, "data": {"values": rows}}
        case {"spec": dict() as spec}:
            return spec
        case _:
            return None


def _key(chart: JsonValue) -> str:
    return hashlib.sha256(to_json(chart)).hexdigest()
