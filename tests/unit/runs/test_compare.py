"""Two runs beside each other: what differs, as a value, as text and as tables."""

from __future__ import annotations

import re
from typing import Any

import pytest

import nbagents as nba
from nbagents.models.scripted import ScriptedModel, call
from nbagents.results import Usage
from nbagents.runs.state import Run


def look(place: str) -> str:
    """Look."""
    if place == "nowhere":
        raise LookupError("no such place")
    return f"seen {place}"


def ran(*steps: Any) -> Run:
    model = ScriptedModel(steps, usage=Usage(input_tokens=100, output_tokens=5))
    return nba.Agent("guide", tools=[look], model=model).run("Look.", log="memory")


def test_a_run_differs_in_nothing_from_itself() -> None:
    run = ran(call("look", place="here"), "done")
    found = nba.compare(run, run)
    assert found.is_same
    assert (found.differing, found.answer) == ((), ())
    assert repr(found).endswith("answer\n  the same")


def test_calls_stand_beside_those_in_whose_place_they_are() -> None:
    run = ran(call("look", place="here"), call("look", place="there"), "both")
    then = ScriptedModel([call("look", place="nowhere"), "none"])
    branch = run.fork(at=2, result="a fence", model=then)
    found = nba.compare(run, branch)
    signs = [(one.sign, one.changes) for one in found.calls]
    assert signs == [(" ", ()), ("≠", ("result",)), ("+", ())]
    assert [one.what for one in found.differing] == [
        'look(place="there")',
        'look(place="nowhere")',
    ]
    assert found.differing[0].gave == "seen there ≠ a fence"
    assert found.differing[1].gave == "failed: LookupError: no such place"
    assert found.answer == ("-both", "+none")


def test_what_was_kept_is_counted_apart() -> None:
    run = ran(call("look", place="here"), call("look", place="there"), "both")
    branch = run.fork(at=2, result="a fence", model=ScriptedModel(["none"]))
    facts = {one.name: (one.a, one.b) for one in nba.compare(run, branch).facts}
    assert facts["calls"] == ("2", "2, 1 kept")
    assert facts["tokens"] == ("315", "0, 210 kept")
    assert facts["branch"] == ("", "forked at call 2 (look): other result, other model")
    assert facts["steps"] == ("3", "3")


def test_runs_inside_are_compared_below_their_calls() -> None:
    def outer(*inner: Any) -> Run:
        low = nba.Agent("low", tools=[look], model=ScriptedModel(inner))
        model = ScriptedModel([call("low", input="Go"), "up"])
        return nba.Agent("high", tools=[low], model=model).run("Look.", log="memory")

    found = nba.compare(
        outer(call("look", place="here"), "low"), outer(call("look", place="there"), "low")
    )
    assert [(one.depth, one.sign) for one in found.calls] == [(0, " "), (1, "≠")]
    assert found.differing[0].what == 'look(place="here") ≠ look(place="there")'


def test_what_a_model_wrote_is_no_markup() -> None:
    bad = "<img src=x onerror=alert(1)>"
    found: Any = nba.compare(ran(bad), ran("fine"))
    bundle = found._repr_mimebundle_()
    assert "<img" not in bundle["text/html"]
    assert bad in bundle["text/plain"]


def test_what_is_no_run_is_said() -> None:
    wrong: Any = 3
    with pytest.raises(ValueError, match=r"give a run, or its id"):
        nba.compare(ran("fine"), wrong)


def test_words_have_the_colour_of_the_page_around_them() -> None:
    """What is new or gone has a ground of its own: a fixed colour is faint on white or on dark."""
    one, other = (ran(call("look", place=place), place) for place in ("here", "there"))
    found: Any = nba.compare(one, other)
    html = found._repr_mimebundle_()["text/html"]
    assert "background:" in html
    assert not re.findall(r"[\";]color:", html)


def test_the_model_is_who_answered_in_its_place() -> None:
    def be_the_model(pause: nba.Pause) -> nba.Edit | None:
        return nba.Edit(text="by me") if pause.kind == "request" else None

    def only_last(pause: nba.Pause) -> nba.Edit | None:
        return be_the_model(pause) if pause.step > 1 else None

    agent = nba.Agent("guide", tools=[look], model=ScriptedModel(["seen"]))
    told = agent.run("Look.", log="memory")
    by_me = agent.run("Look.", step=be_the_model, log="memory")
    mixed = nba.Agent("guide", tools=[look], model=ScriptedModel([call("look", place="here")])).run(
        "Look.", step=only_last, log="memory"
    )
    facts = {one.name: (one.a, one.b) for one in nba.compare(told, by_me).facts}
    assert facts["model"] == ("scripted", "step (be_the_model)")
    facts = {one.name: (one.a, one.b) for one in nba.compare(told, mixed).facts}
    assert facts["model"] == ("scripted", "scripted; step (only_last) at step 2")
