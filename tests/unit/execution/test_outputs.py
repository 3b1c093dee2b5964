"""Outputs of a cell are compared but for what changes each time."""

from __future__ import annotations

from typing import Any

from nbagents.execution.outputs import changed_outputs
from tests.unit.execution.written import cell, node_of


def stream(text: str) -> Any:
    return {"output_type": "stream", "name": "stdout", "text": text}


def result(text: str, count: int = 1, html: str = "") -> Any:
    data = {"text/plain": text, **({"text/html": html} if html else {})}
    return {"output_type": "execute_result", "execution_count": count, "metadata": {}, "data": data}


def changed(before: list[Any], now: list[Any]) -> str:
    was, is_now = (node_of(cell("x", outputs=outputs)) for outputs in (before, now))
    return changed_outputs(was, is_now)


def test_counts_and_tracebacks_do_not_count() -> None:
    error = {"output_type": "error", "ename": "E", "evalue": "no", "traceback": ["/one/path"]}
    assert changed([result("1", 3), error], [result("1", 9), {**error, "traceback": []}]) == ""


def test_a_changed_text_is_shown_as_a_diff() -> None:
    assert changed([stream("a\nb\n")], [stream("a\nc\n")]).splitlines() == [
        "What differs: text.",
        "--- saved",
        "+++ this time",
        " a",
        "-b",
        "+c",
    ]


def test_what_people_do_not_read_is_named_by_its_type() -> None:
    before, now = [result("1", html="<b>")], [result("1", html="<i>")]
    assert changed(before, now) == "What differs: text/html."


def test_an_output_more_or_of_another_kind_is_a_change() -> None:
    assert "the number of outputs" in changed([stream("a")], [stream("a"), stream("")])
    assert "the kind of an output" in changed([stream("a")], [result("a")])


def test_a_long_change_is_cut() -> None:
    lines = changed([stream("a\n" * 500)], [stream("b\n" * 500)]).splitlines()
    assert len(lines) < 50
    assert "more lines" in lines[-1]
