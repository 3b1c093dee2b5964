"""What a saved run says above of what happened inside: waiting, times, calls that failed."""

from __future__ import annotations

from typing import Any, cast

import pytest
from trees import Page, asked, call, guardrail, html_of, plain_of, run, tree

from nbagents.notebook.markup.report import Report, report_bundle
from nbagents.notebook.saved.bundle import RUN_MIME, frozen_bundle

QUESTION: dict[str, Any] = {
    "id": "q1",
    "text": "Where to?",
    "options": [{"label": "Oslo", "description": ""}, {"label": "Rome", "description": ""}],
    "multiple": False,
    "free_text": False,
}


def said(*runs: Any) -> str:
    """The words of the HTML."""
    return " ".join(Page(html_of(frozen_bundle(tree(*runs), "run-1"))).text.split())


def lines(*runs: Any) -> list[str]:
    return plain_of(frozen_bundle(tree(*runs), "run-1")).split("\n")


def three_deep(innermost: Any, status: str = "completed", **fields: Any) -> list[Any]:
    """Runs one inside the other; the innermost makes a call, those above have it in theirs."""
    going = {"status": "running", "duration_ms": None, "preview": None, "content": None}
    is_open = status == "running"
    made: list[Any] = []
    for depth in (1, 2):
        ask = call(name=f"ask{depth}", child_run_ids=[f"run-{depth + 1}"])
        above: Any = {"parent_run_id": f"run-{depth - 1}"} if depth > 1 else {}
        usual: Any = {**above, "run_id": f"run-{depth}", "text": "", "status": status}
        made.append(run({**ask, **(going if is_open else {})}, **usual))
    below: Any = {"run_id": "run-3", "parent_run_id": "run-2", "text": "", "status": status}
    return [*made, run(innermost, **{**below, **fields})]


def test_what_a_run_deep_inside_asks_is_waited_for_by_all_above() -> None:
    waiting = call(status="waiting", duration_ms=None, content=None, preview=None)
    runs = three_deep(waiting, "running", awaits=[asked(text="Sure?")])
    shown = "\n".join(lines(*runs))
    assert "running" not in shown
    assert shown.count("Agent (offline): waiting for you") == 3
    assert "  waiting for you  ask1(" in shown
    words = said(*runs)
    assert "… running" not in words
    assert words.count("waiting for you · 4.2 s") == 3
    assert words.count("○ ") == 1 + 3


def test_what_was_asked_and_answered_is_not_waited_for() -> None:
    closed = asked(text="Sure?", outcome="answered", resolved_at=1001.0, answered_by="me")
    runs = three_deep(call(), "running", awaits=[closed])
    assert "Agent (offline): running" in lines(*runs)[0]
    assert "waiting for you" not in said(*runs)


def test_a_call_denied_deep_inside_is_said_by_all_above() -> None:
    runs = three_deep(call(status="denied", preview=None, content="Denied."))
    shown = [line.strip() for line in lines(*runs) if "denied" in line]
    assert [line.split(",")[0] for line in shown if line.startswith("Agent")] == [
        "Agent (offline): denied: 1 of 3 calls was denied",
        "Agent (offline): denied: 1 of 2 calls was denied",
        "Agent (offline): denied: its only call was denied",
    ]
    assert [line.split()[0] for line in shown] == [
        "Agent",
        "done",
        "Agent",
        "done",
        "Agent",
        "denied",
    ]
    assert said(*runs).count("· denied: ") == 3
    assert said(*runs).count("1 denied") == 2
    assert "✓" not in said(*runs)


def test_each_kind_of_trouble_is_counted() -> None:
    calls = [
        call("c1", status="failed"),
        call("c2", status="failed"),
        call("c3", status="timed_out"),
        call("c4", guardrails=[guardrail("refuse", "tool_output")]),
        call("c5", status="denied", guardrails=[guardrail("refuse", "tool_input")]),
        call("c6", guardrails=[guardrail("replace", "tool_output")]),
    ]
    assert "done, 2 of 6 calls failed, 1 timed out, 1 denied, 1 refused" in lines(run(*calls))[0]
    assert "denied" not in said(run(call()))


def waited(*spans: tuple[float, float | None]) -> list[Any]:
    return [
        asked(asked_at=begin, resolved_at=end, outcome="answered" if end else None)
        for begin, end in spans
    ]


def test_a_time_says_how_much_of_it_was_waiting_in_header_and_row_alike() -> None:
    usual: Any = {"awaits": waited((1000.5, 1004.0))}
    runs = three_deep(call(started_at=1000.4, duration_ms=3700.0), **usual)
    for one in runs[:2]:
        one["calls"]["call-1"]["duration_ms"] = 3700.0
    shown = lines(*runs)
    assert "done, 4.2 s, 3.5 s of it waiting, 3 calls, 2 runs inside" in shown[0]
    assert shown[2].endswith("3.7 s, 3.5 s of it waiting")
    assert said(*runs).count("done · 3.7 s, 3.5 s of it waiting") == 3
    assert said(*runs).count("4.2 s, 3.5 s of it waiting") == 3


@pytest.mark.parametrize(
    ("spans", "words"),
    [
        ([(1000.0, 1000.4)], "4.2 s"),
        ([(1000.0, 1002.0), (1001.0, 1003.0)], "4.2 s, 3.0 s of it waiting"),
        ([(1002.0, 1003.0), (1001.0, 1004.0)], "4.2 s, 3.0 s of it waiting"),
        ([(1002.2, None)], "4.2 s, 2.0 s of it waiting"),
        ([(990.0, 1001.0)], "4.2 s, 1.0 s of it waiting"),
    ],
)
def test_waiting_counts_once_and_only_where_it_is_worth_a_word(
    spans: list[tuple[float, float | None]], words: str
) -> None:
    assert f"done, {words}, 1 call" in lines(run(call(), awaits=waited(*spans)))[0]


def test_waiting_before_a_call_began_is_not_of_its_time() -> None:
    shown = lines(run(call(started_at=1003.0), awaits=waited((1000.0, 1003.0))))
    (row,) = [one for one in shown if "weather(" in one]
    assert row.endswith("812 ms")


def test_a_question_that_is_its_title_is_said_once() -> None:
    awaits = [asked("questions", None, title="Where to?", questions=[QUESTION])]
    shown = lines(run(call(), status="suspended", awaits=awaits))
    assert "  waits for you: Agent asks: Where to? (Oslo, Rome)" in shown
    two = [asked("questions", None, title="Where to?", questions=[QUESTION, QUESTION])]
    shown = lines(run(call(), status="suspended", awaits=two))
    assert "asks: Where to? Where to? (Oslo, Rome) Where to? (Oslo, Rome)" in shown[1]


def test_the_order_of_arguments_is_kept_beside_them_where_sorting_would_lose_it() -> None:
    wanted = {"to": "Eve", "euros": 900}
    one = run(
        call("c1", arguments=wanted),
        call("c2", arguments={"a": 1, "b": 2}),
        call("c3", arguments="to"),
        awaits=[asked(arguments=wanted)],
    )
    saved: Any = frozen_bundle(tree(one), "run-1")[RUN_MIME]
    kept = saved["tree"]["runs"]["run-1"]
    assert kept["calls"]["c1"]["argument_names"] == ["to", "euros"]
    assert kept["awaits"][0]["argument_names"] == ["to", "euros"]
    assert "argument_names" not in kept["calls"]["c2"]
    assert "argument_names" not in kept["calls"]["c3"]
    assert "argument_names" not in one["calls"]["c1"]


def test_an_id_in_a_report_stands_on_one_line() -> None:
    report = Report(title="", rows=[["run-1", "a=1"]], head=["Run", "Set"], code=(0, 1), ids=(0,))
    html = cast("str", report_bundle(report)["text/html"])
    first, second = html.split("run-1")
    assert first.rpartition("<code")[2].count("nowrap") == 1
    assert "nowrap" not in second
