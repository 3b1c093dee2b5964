"""A run as a text tree."""

from __future__ import annotations

from typing import Any, cast

from trees import call, failed_call, failure, payload, run, tree

from nbagents.notebook.saved.bundle import text_tree
from nbagents.runs.tree.explanation import BY_KIND


def text(*runs: Any) -> str:
    return text_tree(cast("Any", tree(*runs)), "run-1")


def test_a_run_is_a_header_the_prompt_the_answer_and_a_line_per_call() -> None:
    assert text(run(call(), failed_call("call-2", name="book"))).split("\n") == [
        "Agent (offline): done, 1 of 2 calls failed, 4.2 s, 1.9k tokens",
        "  asked: How warm is it in Oslo?",
        "",
        "It is **9 °C** in Oslo.",
        "",
        '  done    weather(city="Oslo")  9 °C                       812 ms',
        '  failed  book(city="Oslo")     The service answered 409.  812 ms',
        "    why: The tool refused the call, in its own words.",
        f"    to do: {BY_KIND['domain_rejection'][1][0]}",
    ]


def test_a_child_run_is_indented_below_its_call() -> None:
    child = run(
        call("c9", "search"), run_id="run-2", agent_name="researcher", text="Six hits.", prompt=""
    )
    lines = text(run(call(child_run_ids=["run-2"])), child).split("\n")
    assert lines[6] == "    researcher (offline): done, 4.2 s, 1 call, 1.9k tokens"
    assert lines[7] == "      Six hits."
    assert lines[8].startswith('      done  search(city="Oslo")')


def test_without_times_no_duration_is_printed() -> None:
    still = text(run(call(duration_ms=0.0), ended_at=1000.0))
    assert still.split("\n")[0] == "Agent (offline): done, 1 call, 1.9k tokens"
    assert "0.0" not in still
    assert " ms" not in still


def test_what_was_shared_and_kept_is_said() -> None:
    lines = text(run(call(handle="r1"), shared=["df (DataFrame)", "a.png"])).split("\n")
    assert lines[2:4] == ["  shared: df (DataFrame)", "  shared: a.png"]
    assert lines[-1] == '  done  weather(city="Oslo")  9 °C (kept as r1)  812 ms'


def test_the_map_is_a_line() -> None:
    shown = text(run(call(payloads=[payload("map", {"center": {"lon": 10.75, "lat": 59.91}})])))
    assert "  [Map at 10.75° E, 59.91° N, zoom 2]" in shown.split("\n")


def test_a_map_that_is_none_is_only_named() -> None:
    assert "  [map]" in text(run(call(payloads=[payload("map", "?")]))).split("\n")


def test_a_refusal_is_said_below_the_answer() -> None:
    refusing = run(text="I can't.", refused=True)
    assert text(refusing).endswith("\n\nI can't.\n\nThe model refused.")
    assert text(run(text="", refused=True)).endswith("\n\nThe model refused.")
    parent = run(call(child_run_ids=["run-2"]))
    child = run(run_id="run-2", parent_run_id="run-1", text="I can't.", refused=True)
    assert text(parent, child).endswith("\n      I can't.\n      The model refused.")


def test_a_failed_run_says_why() -> None:
    bad = run(status="failed", failure=failure("The provider\nis away."), text="")
    assert "  error: The provider is away." in text(bad).split("\n")


def test_no_line_of_a_call_is_longer_than_a_terminal() -> None:
    long = call(name="n" * 64, arguments={"text": "a" * 500}, preview="p" * 500)
    assert max(len(line) for line in text(run(long)).split("\n")) <= 104


def test_what_was_said_between_calls_is_wrapped_and_indented() -> None:
    talkative = run(call())
    talkative["items"].insert(0, {"type": "text", "step": 1, "text": "word " * 40 + "\n\nend"})
    lines = text(talkative).split("\n")
    assert lines[5].startswith("  word word")
    assert "  end" in lines
    assert max(len(line) for line in lines) <= 96


def test_thoughts_are_left_out() -> None:
    pensive = run(call())
    pensive["items"].insert(0, {"type": "thought", "step": 1, "text": "weather 0.82"})
    assert "0.82" not in text(pensive)


def test_the_answer_keeps_its_lines() -> None:
    assert text(run(text="a\n\n- b\n- c\n")).endswith("\n\na\n\n- b\n- c")


def test_no_line_ends_in_blanks() -> None:
    shown = text(run(call(preview="", content=""), call("call-2", preview="more"), text="a  \nb"))
    assert all(line == line.rstrip() for line in shown.split("\n"))
