"""Constructors of what people see: their shapes, and where they may be used."""

from __future__ import annotations

import base64
from pathlib import Path
from typing import Any

import pandas as pd  # pyright: ignore[reportMissingTypeStubs]  it has none
import pytest

from nbagents import ui
from nbagents.results import Payload, Result
from nbagents.tools.call.return_value import result_of
from nbagents.tools.context.context import Context
from nbagents.tools.tool.definition import Tool
from nbagents.tools.values.object_payload import payload_of_bundle, rich_payload
from nbagents.tools.values.payload import PAYLOAD_MIME, payload_text

PNG = base64.b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
)
SVG = "<svg xmlns='http://www.w3.org/2000/svg'></svg>"
SPEC: dict[str, Any] = {"mark": "bar", "encoding": {}}

SHAPES: list[tuple[ui.View, str, dict[str, Any]]] = [
    (ui.markdown("# a"), "markdown", {"text": "# a"}),
    (ui.code("x"), "code", {"text": "x"}),
    (ui.code("x", "python", filename="a.py"), "code", {"language": "python"}),
    (ui.json({"a": {1, 2}}), "json", {"value": {"a": [1, 2]}}),
    (ui.log("a\nb"), "log", {"text": "a\nb"}),
    (ui.log(["a", ("info", "b")]), "log", {"lines": ["a", {"level": "info", "text": "b"}]}),
    (ui.progress(3, 10), "progress", {"value": 3, "max": 10}),
    (ui.progress(label="x", done=True), "progress", {"label": "x", "done": True}),
    (ui.diff("a", "b", name="x"), "diff", {"before": "a", "after": "b", "name": "x"}),
    (ui.html("<b>", plain="b"), "mime", {"data": {"text/html": "<b>", "text/plain": "b"}}),
    (ui.image(PNG, alt="dot"), "image", {"media_type": "image/png", "alt": "dot"}),
    (ui.image(SVG, alt="x"), "mime", {"data": {"image/svg+xml": SVG, "text/plain": "x"}}),
    (ui.table(pd.DataFrame({"a": [1]})), "table", {"columns": ["index", "a"], "rows": [[0, 1]]}),
    (ui.chart(SPEC, [{"a": 1}]), "chart", {"spec": SPEC, "data": [{"a": 1}]}),
    (ui.file(b"abc", "a.csv"), "file", {"name": "a.csv", "media_type": "text/csv", "size": 3}),
]


class Output:
    """Takes what a context shows."""

    def __init__(self) -> None:
        self.shown: list[tuple[str, Payload]] = []

    def progress(self, message: str, fraction: float | None = None) -> None: ...

    def log(self, text: str) -> None: ...

    def show(self, payload: Payload, name: str) -> None:
        self.shown.append((name, payload))

    def expect_children(self, count: int) -> None: ...


@pytest.mark.parametrize(("view", "kind", "value"), SHAPES)
def test_each_makes_a_payload_of_its_kind(view: Any, kind: str, value: dict[str, Any]) -> None:
    assert view.kind == kind
    assert view.value == view.value | value


def test_pictures_and_files_may_be_paths(tmp_path: Path) -> None:
    (tmp_path / "a.svg").write_text(SVG, encoding="utf-8")
    (tmp_path / "b.png").write_bytes(PNG)
    assert ui.image(tmp_path / "a.svg").kind == "mime"
    assert ui.image(tmp_path / "b.png").kind == "image"
    assert ui.file(tmp_path / "b.png").value["name"] == "b.png"  # pyright: ignore[reportIndexIssue,reportOptionalSubscript,reportArgumentType,reportCallIssue]  JSON


@pytest.mark.parametrize(
    ("make", "said"),
    [
        (lambda: ui.image("no drawing"), "taken for an SVG"),
        (lambda: ui.image(b"abc"), "no picture"),
        (lambda: ui.table([1]), "A list is no table"),
        (lambda: ui.chart(1), "A int is no chart"),
        (ui.progress, "Say how much is done"),
    ],
)
def test_what_does_not_fit_is_said(make: Any, said: str) -> None:
    with pytest.raises(ValueError, match=said):
        make()


def test_a_call_shows_them_and_updates_them_under_their_id() -> None:
    output = Output()
    ctx = Context(output=output)
    name = ctx.show(ui.progress(1, 2))
    ctx.update_data(name, ui.progress(2, 2, done=True))
    assert [one for one, _ in output.shown] == [name, name]
    assert output.shown[1][1].kind == "progress"


def test_they_may_be_the_data_of_a_result() -> None:
    def count() -> Result:
        """Count."""
        return Result("2 words", data=[ui.json(2), ui.markdown("two")])

    result = result_of(Tool(count), count())
    assert [one.kind for one in result.payloads] == ["json", "markdown"]


def test_one_that_a_tool_returns_is_shown() -> None:
    def write() -> Payload:
        """Write."""
        return ui.markdown("# a")

    result = result_of(Tool(write), write())
    assert [one.kind for one in result.payloads] == ["markdown"]


@pytest.mark.parametrize(
    ("view", "said"),
    [
        (ui.markdown("# a"), "# a"),
        (ui.code("x = 1"), "x = 1"),
        (ui.json({"a": 1}), '{"a":1}'),
        (ui.log(["a", ("error", "b")]), "a\nerror b"),
        (ui.log("a\nb"), "a\nb"),
        (ui.image(PNG), "Shown to the user: an image."),
        (ui.table(pd.DataFrame({"a": [1]})), "Shown to the user: a table."),
    ],
)
def test_what_a_model_is_told_of_one_is_its_text(view: Any, said: str) -> None:
    assert payload_text(view) == said


def test_at_the_end_of_a_cell_they_show_themselves() -> None:
    bundle = ui.markdown("**a** <script>harm()</script>")._repr_mimebundle_()  # pyright: ignore[reportPrivateUsage]
    assert "<strong>a</strong>" in str(bundle["text/html"])
    assert "<script>" not in str(bundle["text/html"])
    assert bundle["text/plain"] == "text: **a** <script>harm()</script>"
    assert ui.image(PNG)._repr_mimebundle_()["image/png"]  # pyright: ignore[reportPrivateUsage]
    assert "<b>" not in str(ui.html("<b>")._repr_mimebundle_()["text/html"])  # pyright: ignore[reportPrivateUsage]


def test_displayed_in_a_call_they_are_what_they_are() -> None:
    view = ui.log(["a"])
    shown = payload_of_bundle(view._repr_mimebundle_(), {})  # pyright: ignore[reportPrivateUsage]
    assert (shown.kind, shown.value) == (view.kind, view.value)
    assert payload_of_bundle({PAYLOAD_MIME: "odd", "text/plain": "a"}, {}).kind == "mime"
    assert payload_of_bundle({PAYLOAD_MIME: {}, "text/plain": "a"}, {}).kind == "mime"


def test_a_chart_of_altair_is_a_chart_however_it_is_shown() -> None:
    alt: Any = pytest.importorskip("altair")
    chart: Any = alt.Chart(alt.Data(values=[{"a": 1}])).mark_bar()
    assert ui.chart(chart).kind == "chart"
    assert rich_payload(chart).kind == "chart"
    shown = payload_of_bundle({"application/vnd.vegalite.v5+json": SPEC, "text/plain": "c"}, {})
    assert (shown.kind, shown.value) == ("chart", {"spec": SPEC})


def test_a_view_that_is_too_large_is_cut_and_says_so() -> None:
    cut = ui.markdown("x" * 300_000)
    assert cut.kind == "cut"
    assert payload_text(cut) == "Shown to the user: a cut."


def test_sound_and_moving_pictures_are_files_that_know_what_they_are(tmp_path: Path) -> None:
    (tmp_path / "a.webm").write_bytes(b"film")
    for shown, media in (
        (ui.audio(b"RIFF", "beep.wav"), "audio/wav"),
        (ui.audio(b"ID3", media_type="audio/mpeg"), "audio/mpeg"),
        (ui.video(tmp_path / "a.webm"), "video/webm"),
    ):
        assert shown.kind == "file"
        value: Any = shown.value
        assert value["media_type"] == media
        assert value["data"]
    long: Any = ui.audio(b"x" * 2_000_000, "long.mp3").value
    assert "data" not in long
    with pytest.raises(ValueError, match=r"'a.csv' is text/csv, no audio"):
        ui.audio(b"a,b", "a.csv")
    with pytest.raises(ValueError, match="no video"):
        ui.video(b"RIFF", "beep.wav")
