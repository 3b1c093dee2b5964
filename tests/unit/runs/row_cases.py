"""Runs as rows, case by case, for both languages: `tests/fixtures/rows.json`.

`python -m tests.unit.runs.row_cases` writes the runs that are told of here, and what Python says of
them. Python (`runs/wording/rows/rows.py`, `waterfall.py`) and the page (`js/src/run-view/rows`)
must both say it. What is special of a case is its name: read it beside the lines that change.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, cast

from nbagents.runs.wording.rows.rows import (
    Group,
    calls_in,
    group_preview,
    group_status,
    group_words,
    is_urgent,
    kept_words,
    lines_of,
    more_words,
    subjects,
)
from nbagents.runs.wording.rows.waterfall import (
    phase_words,
    phases_of,
    phases_of_run,
    tick_s,
)
from tests.unit.notebook import trees

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from nbagents.runs.tree import CallNode, RunNode, Tree
    from nbagents.runs.wording.rows.rows import Line
    from nbagents.runs.wording.rows.waterfall import Phase

FIXTURE: Final = Path(__file__).parents[2] / "fixtures" / "rows.json"
NOW_S: Final = 1010.0
"""What goes on is told of as of then."""
ENDINGS: Final = ("failed", "timed_out", "denied", "cancelled", "skipped", "unknown")
AXES: Final = (0.0, 0.0004, 0.02, 0.3, 1.0, 4.0, 7.0, 61.0, 600.0, 86_400.0)
Json = dict[str, Any]


def said_of(runs: Sequence[Json], alone: Sequence[str]) -> Json:
    """What Python says of the first of some runs, and when each of them ran."""
    tree = cast("Tree", trees.tree(*runs))
    run = tree["runs"][runs[0]["id"]]
    lines = lines_of(run, lambda call: call["id"] in alone)
    calls = [call for line in lines for call in calls_in(line)]
    return {
        "lines": [_line(tree, run, one) for one in lines],
        "more": more_words(tree, calls),
        "calls": {one["id"]: _phases(phases_of(tree, run, one)) for one in calls},
        "runs": {one["id"]: _phases(phases_of_run(tree, one)) for one in tree["runs"].values()},
    }


def ticks() -> Json:
    """How far apart the ticks of an axis stand."""
    return {f"{total_s:g}": tick_s(total_s) for total_s in AXES}


def cases() -> Iterator[Json]:
    """All of them: their names, their runs, and which calls stand alone."""
    for name, runs, *alone in (*_groups(), *_endings(), *_times(), *_people(), *_families()):
        yield {"name": name, "runs": runs, "alone": alone}


def written() -> str:
    """The fixture's text: a case on a line."""
    told = [{**one, "says": said_of(one["runs"], one["alone"])} for one in cases()]
    lines = ",\n".join(json.dumps(one, ensure_ascii=False) for one in told)
    return f'{{"now_s": {NOW_S},\n"ticks": {json.dumps(ticks())},\n"cases": [\n{lines}\n]}}\n'


def _line(tree: Tree, run: RunNode, line: Line) -> Json:
    if not isinstance(line, Group):
        return {"type": line["type"]} if "type" in line else {"type": "call", "ids": [line["id"]]}
    calls: Sequence[CallNode] = line.calls
    phases = [phase for one in calls for phase in phases_of(tree, run, one)]
    return {
        "type": "group",
        "ids": [one["id"] for one in calls],
        "status": group_status(tree, calls),
        "words": group_words(tree, calls),
        "kept": kept_words(calls),
        "is_urgent": is_urgent(calls),
        "subjects": subjects(calls),
        "gave": group_preview(calls),
        "when": phase_words(phases, NOW_S),
    }


def _phases(phases: Sequence[Phase]) -> Json:
    return {
        "phases": [[one.kind, one.from_s, one.to_s] for one in phases],
        "words": phase_words(phases, NOW_S),
    }


def _call(call_id: str, name: str = "weather", **fields: Any) -> Json:
    """A call as the fixture tells of it: what rows do not read is left out."""
    told = trees.call(call_id, name, **{"asked_at": None, **fields})
    read = ("id", "name", "step", "arguments", "status", "started_at", "duration_ms", "preview")
    beside = ("asked_at", "child_run_ids", "guardrails", "kept")
    return {name: told[name] for name in (*read, *beside) if name in told}


def _run(*calls: Json, **fields: Any) -> Json:
    told = trees.run(*calls, **fields)
    read = ("id", "parent_run_id", "parent_tool_call_id", "status", "started_at", "ended_at")
    lists = ("text", "items", "calls", "requests", "awaits")
    return {name: told[name] for name in (*read, *lists)}


def _of(*cities: str, **fields: Any) -> list[Json]:
    return [_call(city, arguments={"days": 3, "city": city}, **fields) for city in cities]


def _groups() -> Iterator[tuple[Any, ...]]:
    yield "no call", [_run()]
    yield "one call", [_run(*_of("Oslo"))]
    yield "three of one tool", [_run(*_of("Paris", "Oslo", "Rome"))]
    yield "another tool between", [_run(*_of("Paris", "Oslo"), _call("b", "plot"), *_of("Rome"))]
    yield "one stands alone", [_run(*_of("Paris", "Oslo", "Rome", "Bonn"))], "Oslo"
    yield "the first stands alone", [_run(*_of("Paris", "Oslo", "Rome"))], "Paris"
    yield "the same twice", [_run(*(_call(one) for one in "ab"))]
    yield "they differ in a number", [_run(*(_call(str(n), arguments={"n": n}) for n in (1, 2.5)))]
    given: list[Any] = [None, {"a": [1]}, [True, None], "x" * 50, 'quoted "so"', "", "🦜" * 40]
    for one in given:
        calls = [_call("a", arguments={"value": one}), _call("b", arguments={"value": 7})]
        yield f"they differ in {json.dumps(one, ensure_ascii=False)[:20]}", [_run(*calls)]
    yield "arguments that are none", [_run(_call("a", arguments=None), _call("b", arguments="x"))]
    long = [_call(f"c{n}", arguments={"city": f"A long name {n}"}, preview="") for n in range(20)]
    yield "very many subjects", [_run(*long)]
    gave = [_call("a", preview="9 °C"), _call("b", preview=None), _call("c", preview="w" * 60)]
    yield "what they gave", [_run(*gave)]
    spoken: list[Json] = [
        {"type": "text", "step": 1, "text": "I look."},
        {"type": "call", "call_id": "Oslo"},
        {"type": "thought", "step": 1, "text": "Hm"},
        {"type": "call", "call_id": "Rome"},
        {"type": "call", "call_id": "gone"},
        {"type": "text", "step": 2, "text": "Warm."},
        {"type": "thought", "step": 2, "text": "That was it."},
    ]
    yield "words between", [{**_run(*_of("Oslo", "Rome"), text="Warm."), "items": spoken}]
    yield "no answer", [{**_run(*_of("Oslo", "Rome"), text="I look."), "items": spoken[:4]}]


def _endings() -> Iterator[tuple[Any, ...]]:
    for status in ENDINGS:
        ended: Json = {"status": status}
        yield f"all {status}", [_run(*_of("Paris", "Oslo", **ended))]
        yield f"one {status}", [_run(*_of("Paris"), *_of("Oslo", **ended), *_of("Rome"))]
        never: Json = {**ended, "started_at": None, "duration_ms": 0.0, "asked_at": 1000.2}
        yield f"{status}, never begun", [_run(*_of("Paris", **never))]
    every = [_call(one, status=one) for one in (*ENDINGS, "done", "done")[:7]]
    yield "one of each", [_run(*every)]
    refused = _call("b", guardrails=[trees.guardrail("refuse", "tool_output")])
    yield "one refused by a guardrail", [_run(_call("a"), refused)]


def _times() -> Iterator[tuple[Any, ...]]:
    at: Json = {"asked_at": 1000.25}
    sent: list[Json] = [{"step": 1, "at": 1000.0}]
    parallel = [
        _call(str(n), started_at=1000.5 + n / 2, duration_ms=2000.0, **at) for n in range(3)
    ]
    yield "parallel calls", [{**_run(*parallel), "requests": sent}]
    yield (
        "one after the other",
        [_run(*(_call(str(n), started_at=1001.0 + n, duration_ms=500.0) for n in range(3)))],
    )
    many = [_call(str(n), started_at=1000.0 + n / 64, duration_ms=1000.0) for n in range(45)]
    yield "more than forty at once", [_run(*many)]
    yield (
        "asked twice of the model",
        [{**_run(_call("a", **at)), "requests": [{"step": 1, "at": 999.0}, *sent]}],
    )
    yield "a request without a time", [{**_run(_call("a", **at)), "requests": [{"step": 1}]}]
    yield "no time at all", [_run(_call("a", started_at=None, duration_ms=None))]
    yield "in no time", [_run(_call("a", started_at=1001.0, duration_ms=0.0))]
    yield "a clock that was set back", [_run(_call("a", duration_ms=-500.0), _call("b"))]
    kept = [_call("a", kept=True), _call("b")]
    yield "made in another run", [_run(*kept)]
    whole = [_call("a", kept=True), _call("b", kept=True)]
    yield "all made in another run", [_run(*whole)]
    open_call: Json = _call("b", status="running", duration_ms=None)
    yield "it goes on", [_run(_call("a"), open_call, text="", status="running", ended_at=None)]
    yield "left open by a run that ended", [_run(_call("a"), open_call, status="cancelled")]
    waits: Json = {"status": "preparing", "started_at": None, "duration_ms": None, **at}
    still: Json = _run(*_of("Paris", **waits), text="", status="running", ended_at=None)
    yield "still in the queue", [{**still, "requests": sent}]


def _ask(call_id: str | None, **fields: Any) -> Json:
    outcome = "answered" if "resolved_at" in fields else None
    told = trees.asked(call_id=call_id, outcome=outcome, **fields)
    read = ("id", "kind", "call_id", "calls", "asked_at", "resolved_at", "outcome")
    return {name: told[name] for name in read}


def _people() -> Iterator[tuple[Any, ...]]:
    asked: Json = {"asked_at": 1000.25, "started_at": 1003.5}
    before: Json = _ask("a", asked_at=1000.5, resolved_at=1003.0)
    yield "somebody allowed it", [{**_run(_call("a", **asked)), "awaits": [before]}]
    denied: Json = _call("a", status="denied", asked_at=1000.25, started_at=None, duration_ms=0.0)
    yield "somebody denied it", [{**_run(denied), "awaits": [before]}]
    within: Json = _ask("a", asked_at=1000.75, resolved_at=1001.0)
    yield "asked in the midst", [{**_run(_call("a")), "awaits": [within]}]
    twice: list[Json] = [within, _ask("a", id="x", asked_at=1001.0, resolved_at=1001.125)]
    yield "asked twice", [{**_run(_call("a")), "awaits": twice}]
    waiting: Json = {
        "status": "waiting",
        "started_at": None,
        "duration_ms": None,
        "asked_at": 1000.25,
    }
    open_run: Json = {"text": "", "status": "running", "ended_at": None}
    still: Json = _ask("a", asked_at=1000.5)
    yield "waiting for you", [{**_run(_call("a", **waiting), **open_run), "awaits": [still]}]
    both: list[Json] = [_call("a", **waiting), _call("b", **waiting), _call("c")]
    each: list[Json] = [still, _ask("b", id="x", asked_at=1004.0)]
    yield "two are waiting", [{**_run(*both, **open_run), "awaits": each}]
    shut = _run(_call("a", **waiting), status="suspended", text="")
    yield "nobody answered", [{**shut, "awaits": [still]}]


def _families() -> Iterator[tuple[Any, ...]]:
    outer: Json = _call("a", "ask", child_run_ids=["run-2"], duration_ms=3000.0)
    above: Json = {"parent_run_id": "run-1", "parent_tool_call_id": "a"}
    inner: Json = _run(*_of("Paris", "Oslo"), run_id="run-2", ended_at=1003.0, **above)
    yield "a run inside", [_run(outer), inner]
    asked: Json = {**inner, "awaits": [_ask("Oslo", asked_at=1001.0, resolved_at=1002.0)]}
    yield "asked inside", [_run(outer), asked]
    ask = _call("m", "ask", child_run_ids=["run-2"])
    middle: Json = _run(ask, run_id="run-3", ended_at=1003.5, **above)
    deeper: Json = {**asked, "parent_run_id": "run-3", "parent_tool_call_id": "m"}
    yield "two deep", [_run({**outer, "child_run_ids": ["run-3"]}), middle, deeper]
    yield "several runs", [_run({**outer, "child_run_ids": ["run-2", "run-3"]}), asked, middle]
    yield "a run that is not there", [_run({**outer, "child_run_ids": ["gone"]})]
    going: Json = {"status": "running", "ended_at": None}
    open_inner: Json = {**inner, **going, "awaits": [_ask("Oslo", asked_at=1001.0)]}
    open_outer: Json = {**outer, "status": "running", "duration_ms": None}
    two: list[Json] = [open_outer, {**outer, "id": "b", "child_run_ids": []}]
    yield "somebody is asked inside", [_run(*two, text="", **going), open_inner]


if __name__ == "__main__":
    FIXTURE.write_text(written(), encoding="utf-8")
