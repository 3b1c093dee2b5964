"""Markdown, code, JSON, logs, progress and diffs in a saved run."""

from __future__ import annotations

from typing import Any

import pytest
from lab_sanitizer import refused
from trees import Page, call, html_of, payload, plain_of, run, tree

from nbagents import ui
from nbagents.notebook.kinds.media_forms import KINDS
from nbagents.notebook.saved.bundle import frozen_bundle
from nbagents.tools.values import BUILT_IN_KINDS

HARM = "<img src=x onerror=harm()><script>harm()</script>"


def frozen(view: Any) -> dict[str, object]:
    kind, value = (view.kind, view.value) if isinstance(view, ui.View) else view
    return frozen_bundle(tree(run(call(payloads=[payload(kind, value)]))), "run-1")


def page(view: Any) -> Page:
    shown = Page(html_of(frozen(view)))
    assert refused(shown.elements) == []
    assert shown.open_tags == []
    return shown


def line(view: Any) -> str:
    """What the text says of the payload."""
    (said,) = [one for one in plain_of(frozen(view)).split("\n") if one.startswith("    [")]
    return said.strip()


def test_markdown_is_drawn_as_an_answer_is() -> None:
    shown = page(ui.markdown("# Title\n\n**bold** <b onclick=x>no</b> [a](javascript:harm())"))
    assert ("strong", {}) in shown.elements
    assert "<b onclick=x>" in shown.text
    assert shown.named("a") == []
    assert line(ui.markdown("# a")) == "[text: # a]"


def test_code_is_text_with_its_name_and_size() -> None:
    view = ui.code("a = 1\nb = 2\n", "python", filename="x.py")
    assert "x.py python · 2 linesa = 1\nb = 2" in page(view).text
    assert line(view) == "[code, x.py, python, 2 lines]"


def test_json_stands_open_while_it_is_short() -> None:
    assert '{\n  "a": 1\n}' in page(ui.json({"a": 1})).text
    long = page(ui.json(list(range(500))))
    assert "JSON, 500 items · 2.4 kB" in long.text
    assert len(long.named("details")) > len(page(ui.json([1])).named("details"))
    assert line(ui.json({"a": 1})) == "[JSON, 1 key · 8 bytes]"
    assert line(ui.json(None)) == "[JSON, 4 bytes]"


def test_a_log_shows_its_end_and_says_levels_in_words() -> None:
    view = ui.log(["reading", ("warn", "slow"), {"level": "error", "text": "gone"}], level="info")
    assert "Log · 3 lines, 1 error, 1 warning" in page(view).text
    assert "reading\nWARNING slow\nERROR gone" in page(view).text
    assert line(view) == "[log, 3 lines, 1 error, 1 warning: gone]"
    long = page(ui.log("\n".join(f"line {number}" for number in range(1000)))).text
    assert "1,000 lines; the first 800 are left out" in long
    assert "line 799\n" not in long
    assert "line 999" in long


@pytest.mark.parametrize(
    ("view", "said", "width"),
    [
        (ui.progress(3, 10, label="Reading"), "Reading: 3 of 10 (30%)", "30%"),
        (ui.progress(0.25), "25%", "25%"),
        (ui.progress(12, 10), "12 of 10 (100%)", "100%"),
        (ui.progress(label="Reading", done=True), "Reading: 100% done", "100%"),
    ],
)
def test_progress_is_a_bar_and_words(view: Any, said: str, width: str) -> None:
    assert f"width:{width};background:#2f9158" in html_of(frozen(view))
    assert said in page(view).text
    assert line(view) == f"[progress: {said}]"


def test_progress_of_which_nobody_knows_how_much_is_its_label() -> None:
    view = ui.progress(label="Waiting")
    assert "width:160px" not in html_of(frozen(view))
    assert line(view) == "[progress: Waiting]"


def test_a_diff_has_signs_and_says_how_much_changed() -> None:
    view = ui.diff("a\nb\nc", "a\nB\nc\nd", name="x.txt")
    assert "x.txt 2 lines added, 1 removed" in page(view).text
    assert " a\n-b\n+B\n c\n+d\n" in page(view).text
    assert line(view) == "[changes to x.txt: 2 lines added, 1 removed]"
    assert "no line differs" in page(ui.diff("a", "a\n")).text
    long = ui.diff("a\n" * 4000, "b\n")
    assert "4,000 lines before, 1 after: too long to compare here" in page(long).text


def test_a_line_that_looks_like_a_diff_s_own_is_counted_as_it_is() -> None:
    assert "1 line added, 1 removed" in page(ui.diff("--- a\n", "+++ b\n")).text


@pytest.mark.parametrize(
    "view",
    [
        ui.code(HARM, HARM, filename=HARM),
        ui.json({HARM: HARM}),
        ui.log([HARM, (HARM, HARM)], level=HARM),
        ui.progress(1, 2, label=HARM),
        ui.diff(HARM, f"{HARM}\n{HARM}", name=HARM),
        ui.markdown(HARM),
        ui.html(HARM, plain=HARM),
    ],
)
def test_whatever_stands_in_them_stays_text(view: Any) -> None:
    shown = page(view)
    assert {"img", "script"} & {name for name, _ in shown.elements} == set()
    assert "onerror" in shown.text or "<script>" in shown.text


@pytest.mark.parametrize(
    "given",
    [
        ("markdown", {"text": 1}),
        ("markdown", {}),
        ("code", {"text": ["a", 1]}),
        ("json", {}),
        ("log", {"lines": "a"}),
        ("log", {"lines": [1]}),
        ("log", {"lines": [{"level": "info"}]}),
        ("log", {}),
        ("progress", {}),
        ("progress", {"value": "3"}),
        ("diff", {"before": "a"}),
        ("diff", "a"),
    ],
)
def test_what_does_not_fit_its_kind_is_shown_as_data(given: tuple[str, Any]) -> None:
    assert f"Data: {given[0]}" in page(given).text


def test_every_kind_of_ours_but_the_map_has_a_static_form_of_its_own() -> None:
    assert {*KINDS, "map"} == BUILT_IN_KINDS
