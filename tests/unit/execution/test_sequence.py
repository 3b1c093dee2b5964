"""Calls of saved runs as lines: in the order in which they were asked for, nested, compared."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from nbagents.execution.sequence import difference, lines_of, saved_runs
from tests.unit.execution.written import call, cell, node_of, notebook, shown_run

NAMES = st.sampled_from(["find", "move", "map--setCenter"])
CALLS = st.lists(st.tuples(NAMES, st.dictionaries(st.sampled_from("abc"), st.integers())))


def lines(*outputs: object) -> list[str]:
    saved = node_of(notebook(cell("x", outputs=outputs))).cells[0]
    return [one.text() for one in lines_of(saved_runs(saved))]


def test_calls_stand_in_the_order_in_which_they_were_asked_for_not_by_id() -> None:
    run = shown_run(call("call-9", "find", {"name": "Oslo"}), call("call-10", "move"))
    assert lines(run) == ["run of agent", '  find(name="Oslo")', "  move()"]


def test_what_did_not_end_well_is_said() -> None:
    run = shown_run(call("call-1", "find", status="failed"), status="limit")
    assert lines(run) == ["run of agent  stopped at a limit", "  find()  failed"]


def test_a_run_inside_of_a_call_stands_below_it() -> None:
    run = shown_run(call("call-1", "plan", child_run_ids=["run-2"]))
    nodes = run["data"]["application/vnd.nbagents.run.v1+json"]["tree"]["runs"]
    nodes["run-2"] = {**nodes["run-1"], "id": "run-2", "agent_name": "planner", "items": []}
    nodes["run-2"]["calls"] = {"call-2": call("call-2", "find", child_run_ids=["run-1"])}
    assert lines(run) == [
        "run of agent",
        "  plan()",
        "    run of planner",
        "      find()",  # a run in itself is not followed
    ]


def test_arguments_are_compared_whatever_the_order_of_their_names() -> None:
    one = shown_run(call("call-1", "add", {"b": {"y": 1, "x": 2}, "a": 0}))
    other = shown_run(call("call-1", "add", {"a": 0, "b": {"x": 2, "y": 1}}))
    assert lines(one) == lines(other)


def test_the_names_alone_are_compared_where_that_is_wished() -> None:
    before, now = (
        lines_of(saved_runs(node_of(cell("x", outputs=[shown_run(call("c", "add", {"a": one}))]))))
        for one in (1, 2)
    )
    assert "+  add(a=2)" in difference(before, now)
    assert difference(before, now, names_only=True) == ""


def test_of_a_long_line_the_place_is_shown_where_it_differs() -> None:
    texts = ("x" * 2000 + end for end in ("saved", "again"))
    before, now = (
        lines_of(saved_runs(node_of(cell("x", outputs=[shown_run(call("c", "say", {"a": one}))]))))
        for one in texts
    )
    found = difference(before, now)
    assert "saved" in found
    assert "again" in found
    assert max(map(len, found.splitlines())) <= 250


def test_what_anybody_wrote_into_a_notebook_is_read() -> None:
    odd: dict[str, object] = {"output_type": "display_data", "metadata": {}, "data": {}}
    anything: list[object] = [[], {"tree": 3}, {"tree": {"runs": {"r": 4}}, "root_id": "r"}]
    for saved in anything:
        odd["data"] = {"application/vnd.nbagents.run.v1+json": saved}
        assert lines(odd) == []


@given(CALLS, CALLS)
def test_two_sequences_differ_exactly_where_a_call_does(
    first: list[tuple[str, dict[str, int]]], second: list[tuple[str, dict[str, int]]]
) -> None:
    before, now = (
        lines_of(
            saved_runs(
                node_of(
                    cell(
                        "x",
                        outputs=[
                            shown_run(*(call(f"c{nth}", *one) for nth, one in enumerate(calls)))
                        ],
                    )
                )
            )
        )
        for calls in (first, second)
    )
    assert (difference(before, now) == "") == (first == second)
