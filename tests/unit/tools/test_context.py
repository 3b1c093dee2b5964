"""What a running tool may ask and tell."""

from __future__ import annotations

from typing import Any

from nbagents.results import Payload
from nbagents.tools.context import Context


def test_a_context_made_by_hand_does_nothing() -> None:
    ctx = Context()
    ctx.progress("half", 0.5)
    ctx.log("line")
    assert ctx.show({"kind": "map"}) == "map-1"
    assert (ctx.run_id, ctx.labels) == ("", {})
    assert repr(ctx) == "Context(tool_name='', call_id='')"


def test_progress_is_between_nothing_and_all() -> None:
    seen: list[tuple[str, float | None]] = []
    ctx = Context(on_progress=lambda message, fraction: seen.append((message, fraction)))
    ctx.progress("start")
    for fraction in (-1, 0.5, 1.0000001):
        ctx.progress("on", fraction)
    assert seen == [("start", None), ("on", 0.0), ("on", 0.5), ("on", 1.0)]


def test_log_takes_anything_as_text() -> None:
    seen: list[str] = []
    anything: Any = 3
    Context(on_log=seen.append).log(anything)
    assert seen == ["3"]


def test_what_is_shown_gets_an_id_and_can_be_replaced() -> None:
    seen: list[tuple[Payload, str]] = []
    ctx = Context(tool_name="plot", on_show=lambda payload, one: seen.append((payload, one)))
    first = ctx.show({"kind": "map", "zoom": 1})
    ctx.show({"kind": "map", "zoom": 2}, first)
    ctx.show(Payload(kind="map"))
    ctx.show({"rows": 3})
    assert seen == [
        (Payload(kind="map", value={"zoom": 1}), "map-1"),
        (Payload(kind="map", value={"zoom": 2}), "map-1"),
        (Payload(kind="map"), "map-2"),
        (Payload(kind="plot", value={"rows": 3}), "plot-3"),
    ]
