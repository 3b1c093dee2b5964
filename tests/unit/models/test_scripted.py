"""The scripted model: says its steps in order, and notices too few and too many requests."""

from __future__ import annotations

import asyncio
import json

import pytest

from nbagents.agents import Agent
from nbagents.errors import ModelError
from nbagents.messages import UserMessage
from nbagents.models.model import CallDelta, ModelPart, ModelRequest, ModelTurn, TextDelta
from nbagents.models.scripted import ScriptedModel, Step, call
from nbagents.results import Usage
from tests.unit.runs.desk import double

REQUEST = ModelRequest(messages=[UserMessage(text="Hi")])


def ask(model: ScriptedModel, request: ModelRequest = REQUEST) -> list[ModelPart]:
    async def collect() -> list[ModelPart]:
        return [part async for part in model.stream(request)]

    return asyncio.run(collect())


def turn(model: ScriptedModel) -> ModelTurn:
    last = ask(model)[-1]
    assert isinstance(last, ModelTurn)
    return last


def test_a_text_is_streamed_and_then_the_turn() -> None:
    text, last = ask(ScriptedModel(["Hello."]))
    assert text == TextDelta("Hello.")
    assert isinstance(last, ModelTurn)
    assert (last.text, last.calls, last.usage.requests) == ("Hello.", (), 1)


def test_one_call_and_several_calls_are_steps() -> None:
    model = ScriptedModel([call("add", a=1), [call("add", a=2), call("add", name="x")]])
    assert [json.loads(one.arguments) for one in turn(model).calls] == [{"a": 1}]
    assert [json.loads(one.arguments) for one in turn(model).calls] == [{"a": 2}, {"name": "x"}]


def test_calls_are_announced_and_have_ids_of_their_own() -> None:
    delta, last = ask(ScriptedModel([call("add", a=1)]))
    assert isinstance(last, ModelTurn)
    assert delta == CallDelta(last.calls[0].id, "add", '{"a": 1}')
    assert call("add").id != call("add").id


def test_a_turn_is_said_as_it_stands() -> None:
    whole = ModelTurn(text="Both.", calls=(call("add"),))
    assert turn(ScriptedModel([whole])) is whole


def test_an_error_is_raised() -> None:
    with pytest.raises(ModelError, match="no luck"):
        ask(ScriptedModel([ModelError("no luck")]))


def test_a_function_makes_the_step_from_the_request() -> None:
    model = ScriptedModel([lambda request: f"{len(request.messages)} message"])
    assert turn(model).text == "1 message"


def test_what_it_was_asked_is_kept() -> None:
    model = ScriptedModel(["One.", "Two."])
    ask(model)
    ask(model)
    assert model.requests == [REQUEST, REQUEST]


def test_a_request_beyond_the_script_fails_and_says_so() -> None:
    model = ScriptedModel(["One."])
    ask(model)
    with pytest.raises(ModelError, match="The script is over: request 2"):
        ask(model)


def test_steps_left_over_are_an_error() -> None:
    model = ScriptedModel(["One.", "Two."])
    with pytest.raises(AssertionError, match=r"2 of the script's steps .*'One\.', 'Two\.'"):
        model.assert_complete()
    ask(model)
    ask(model)
    model.assert_complete()


def test_as_a_context_manager_it_checks_at_the_end() -> None:
    with pytest.raises(AssertionError, match="1 of"), ScriptedModel(["One."]):
        pass


def test_as_a_context_manager_it_lets_another_error_through() -> None:
    with pytest.raises(LookupError), ScriptedModel(["One."]):
        raise LookupError


def test_its_name_is_scripted() -> None:
    assert ScriptedModel([]).name == "scripted"


def test_a_script_that_repeats_serves_several_runs_each_call_with_an_id_of_its_own() -> None:
    steps: list[Step] = [[call("double", number=1), call("double", number=2)], "Two and four."]
    model = ScriptedModel(steps, repeat=True, usage=Usage(input_tokens=7, output_tokens=3))
    runs = [Agent(tools=[double], model=model).run("Go", log="memory") for _ in range(3)]
    assert [run.text for run in runs] == ["Two and four."] * 3
    ids = [one.id for run in runs for one in run.calls]
    assert len(set(ids)) == len(ids) == 6
    assert [run.usage.input_tokens for run in runs] == [14] * 3
    model.assert_complete()


def test_a_script_that_repeats_is_not_complete_in_its_middle() -> None:
    model = ScriptedModel(["One.", "Two."], repeat=True)
    Agent(model=model).run("Go", log="memory")
    with pytest.raises(AssertionError, match="never asked for"):
        model.assert_complete()


def test_a_step_says_its_own_usage_and_a_function_is_a_step() -> None:
    own = ModelTurn(text="One.", usage=Usage(input_tokens=1, output_tokens=1))

    def say(request: ModelRequest) -> str:
        return f"{len(request.messages)} messages"

    model = ScriptedModel([own, say], usage=Usage(input_tokens=50))
    first, second = (Agent(model=model).run("Go", log="memory") for _ in range(2))
    assert (first.usage.input_tokens, second.usage.input_tokens) == (1, 50)
    assert second.text == "1 messages"
