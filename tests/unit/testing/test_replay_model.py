"""A run said again: the same answers in order, and where the conversation departs."""

from __future__ import annotations

import json
from typing import Any

import pytest

import nbagents as nba
from nbagents.errors import ModelError
from nbagents.models.scripted import call


def double(number: int) -> int:
    """Double a number."""
    return 2 * number


def treble(number: int) -> int:
    """Treble a number."""
    return 3 * number


TOOLS = (double, treble)
SCRIPT = (
    [call("double", number=2), call("treble", number=2)],
    call("double", number=6),
    "It is 12.",
)


def run_of(*steps: Any, tools: Any = TOOLS, prompt: str = "Count") -> nba.Run:
    return nba.Agent(tools=tools, model=nba.ScriptedModel(steps)).run(prompt, log="memory")


def replayed(model: nba.ReplayModel, tools: Any = TOOLS, prompt: str = "Count") -> nba.Run:
    return nba.Agent(tools=tools, model=model).run(prompt, log="memory")


def shape(run: nba.Run) -> list[Any]:
    return [run.text, *((one.name, one.arguments, one.content) for one in run.calls)]


def of_run(run: nba.Run) -> object:
    return run


def of_tree(run: nba.Run) -> object:
    return json.loads(json.dumps(run.tree()))


@pytest.mark.parametrize("form", [of_run, of_tree])
def test_the_same_is_said_and_called_again(form: Any) -> None:
    run = run_of(*SCRIPT)
    model = nba.ReplayModel(form(run))
    assert shape(replayed(model)) == shape(run)
    model.assert_complete()


def test_calls_that_were_written_badly_are_written_so_again() -> None:
    run = run_of(call("double", number="x"), call("double", number=1), "2")
    assert shape(replayed(nba.ReplayModel(run))) == shape(run)


def test_runs_inside_of_it_are_said_again_too() -> None:
    def team(model: Any) -> nba.Agent:
        inner = nba.Agent("inner", tools=[double], model=model)
        return nba.Agent("chief", tools=[inner.as_tool(name="ask"), treble], model=model)

    script = [
        [call("ask", input="one"), call("ask", input="two")],
        "Both are done.",
    ]
    answers = {
        "one": [call("double", number=1), "2"],
        "two": [call("double", number=2), "4"],
    }
    inside = {name: nba.ScriptedModel(steps) for name, steps in answers.items()}

    class Everybody:
        name = "everybody"
        chief = nba.ScriptedModel(script)

        def stream(self, request: Any) -> Any:
            asked = request.messages[0].text
            return inside.get(asked, self.chief).stream(request)

    run = team(Everybody()).run("Both", log="memory")
    model = nba.ReplayModel(run)
    again = team(model).run("Both", log="memory")
    assert shape(again) == shape(run)
    assert [shape(one) for one in again.children] == [shape(one) for one in run.children]
    model.assert_complete()


def test_another_result_is_where_the_conversation_departs() -> None:
    def treble(number: int) -> int:
        """Treble a number, wrongly."""
        return 4 * number

    run = run_of(*SCRIPT)
    with pytest.raises(ModelError) as caught:
        replayed(nba.ReplayModel(run), tools=[double, treble])
    assert "departs after step 1: treble(number=2) gives '8', and gave '6'" in str(caught.value)
    again = replayed(nba.ReplayModel(run, strict=False), tools=[double, treble])
    assert [one.content for one in again.calls] == ["4", "8", "12"]


def test_another_question_is_where_the_conversation_departs() -> None:
    run = run_of(*SCRIPT)
    with pytest.raises(ModelError, match="'Sing' is asked, and 'Count' is still to be asked"):
        replayed(nba.ReplayModel(run), prompt="Sing")
    assert replayed(nba.ReplayModel(run, strict=False), prompt="Sing").text == "It is 12."


def test_a_run_is_said_once_and_no_longer_than_it_was() -> None:
    model = nba.ReplayModel(run_of("Hello."))
    assert replayed(model).text == "Hello."
    with pytest.raises(ModelError, match="Each run of it is replayed once"):
        replayed(model)


def test_what_was_left_unsaid_is_noticed() -> None:
    model = nba.ReplayModel(run_of(*SCRIPT))
    with pytest.raises(AssertionError, match="1 run did not begin"):
        model.assert_complete()
    with pytest.raises(ModelError):
        replayed(model, tools=[double])
    with pytest.raises(AssertionError, match="1 run did not come to an end"):
        model.assert_complete()


def test_what_is_no_run_is_said() -> None:
    with pytest.raises(ValueError, match="give a run"):
        nba.ReplayModel("run-1")
