"""What a running tool may ask and tell."""

from __future__ import annotations

from typing import Any

from nbagents.messages import CallRequest
from nbagents.results import Payload
from nbagents.tools.context.context import Context


class Heard:
    """Writes down what a context tells."""

    def __init__(self) -> None:
        self.steps: list[tuple[str, float | None]] = []
        self.lines: list[str] = []
        self.shown: list[tuple[Payload, str]] = []

    def progress(self, message: str, fraction: float | None = None) -> None:
        self.steps.append((message, fraction))

    def log(self, text: str) -> None:
        self.lines.append(text)

    def show(self, payload: Payload, name: str) -> None:
        self.shown.append((payload, name))

    def expect_children(self, count: int) -> None:
        self.steps.append((f"{count} runs", None))


def test_a_context_says_how_many_runs_a_call_will_start() -> None:
    heard = Heard()
    Context(output=heard).expect_children(3)
    assert heard.steps == [("3 runs", None)]


def test_a_context_made_by_hand_does_nothing() -> None:
    ctx = Context()
    ctx.progress("half", 0.5)
    ctx.log("line")
    assert ctx.show({"kind": "map"}) == "map-1"
    assert (ctx.run_id, ctx.labels) == ("", {})
    assert repr(ctx) == "Context(tool_name='', call_id='')"


def test_progress_is_between_nothing_and_all() -> None:
    heard = Heard()
    ctx = Context(output=heard)
    ctx.progress("start")
    for fraction in (-1, 0.5, 1.0000001):
        ctx.progress("on", fraction)
    assert heard.steps == [("start", None), ("on", 0.0), ("on", 0.5), ("on", 1.0)]


def test_log_takes_anything_as_text() -> None:
    heard = Heard()
    anything: Any = 3
    Context(output=heard).log(anything)
    assert heard.lines == ["3"]


def test_what_is_shown_gets_an_id_and_can_be_replaced() -> None:
    heard = Heard()
    ctx = Context(CallRequest(id="a", name="plot", arguments="{}"), output=heard)
    first = ctx.show({"kind": "map", "zoom": 1})
    ctx.update_data(first, {"kind": "map", "zoom": 2})
    ctx.show(Payload(kind="map"))
    ctx.show({"rows": 3})
    assert heard.shown == [
        (Payload(kind="map", value={"zoom": 1}), "map-1"),
        (Payload(kind="map", value={"zoom": 2}), "map-1"),
        (Payload(kind="map"), "map-2"),
        (Payload(kind="plot", value={"rows": 3}), "plot-3"),
    ]


def test_any_object_can_be_displayed() -> None:
    heard = Heard()
    shown = Context(output=heard).display("some words")
    ((payload, name),) = heard.shown
    assert (payload.kind, name) == ("mime", shown)
    assert payload.value == {"data": {"text/plain": "some words"}, "metadata": {}}
