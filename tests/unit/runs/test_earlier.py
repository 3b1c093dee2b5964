"""A conversation that came before, handed to a run: told as it is, or refused before anything."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Sequence
from typing import Any

import pytest

import nbagents as nba
from nbagents.messages import AssistantMessage, Message, SystemMessage, ToolMessage, UserMessage
from nbagents.models.model import ModelPart, ModelRequest
from nbagents.models.scripted import ScriptedModel
from nbagents.tools.tool.definition import Tool, ToolOptions
from tests.unit.runs.desk import double, request, turn


class Hearing(ScriptedModel):
    """A scripted model that keeps what it was told, as it stood when it was told it."""

    def __init__(self, steps: Sequence[Any]) -> None:
        super().__init__(steps)
        self.told: list[tuple[Message, ...]] = []

    async def stream(self, request: ModelRequest) -> AsyncIterator[ModelPart]:
        self.told.append(tuple(request.messages))
        async for part in super().stream(request):
            yield part


def spoken(*steps: Any, instructions: str = "Be brief.") -> tuple[nba.Agent, Hearing]:
    model = Hearing(steps)
    return nba.Agent("tester", instructions, tools=[double], model=model), model


def test_the_messages_of_a_run_are_told_byte_for_byte_and_the_prompt_follows() -> None:
    agent, model = spoken(turn(request("a", "double", number=4)), "It is 8.", "Bye.")
    first = agent.run("Double 4", log="memory")
    second = agent.run("Thanks", messages=first.messages, log="memory")
    assert model.told[-1] == (*first.messages, UserMessage(text="Thanks"))
    assert second.messages[: len(first.messages)] == first.messages
    assert (second.prompt, second.text) == ("Thanks", "Bye.")


def test_a_run_itself_stands_for_its_messages() -> None:
    agent, model = spoken("Hello.", "Bye.")
    first = agent.run("Hi", log="memory")
    agent.run("Thanks", messages=first, log="memory")
    assert model.told[-1][:-1] == first.messages


def test_another_agents_instructions_give_way_to_the_agents_own() -> None:
    other, _ = spoken("Hello.", instructions="You are a pirate.")
    agent, model = spoken("Bye.")
    agent.run("Thanks", messages=other.run("Hi", log="memory").messages, log="memory")
    assert model.told[0] == (
        SystemMessage(text="Be brief."),
        UserMessage(text="Hi"),
        AssistantMessage(text="Hello."),
        UserMessage(text="Thanks"),
    )


def test_dictionaries_are_told_as_what_they_say_with_calls_and_results() -> None:
    called = {"id": "c1", "type": "function", "function": {"name": "double", "arguments": "{}"}}
    said = [
        {"role": "system", "content": "Be a pirate."},
        {"role": "user", "content": [{"type": "text", "text": "Double it"}]},
        {"role": "assistant", "content": None, "tool_calls": [called]},
        {"role": "tool", "tool_call_id": "c1", "content": "8"},
        {"role": "assistant", "content": "It is 8."},
    ]
    agent, model = spoken("Bye.")
    agent.run("Thanks", messages=said, log="memory")
    system, user, asked, result, answer, prompt = model.told[0]
    assert system == SystemMessage(text="Be brief.")
    assert (user, prompt) == (UserMessage(text="Double it"), UserMessage(text="Thanks"))
    assert isinstance(asked, AssistantMessage)
    assert [(one.id, one.name) for one in asked.calls] == [("c1", "double")]
    assert result == ToolMessage(call_id="c1", name="double", content="8")
    assert answer == AssistantMessage(text="It is 8.")


CALL = {"id": "c1", "type": "function", "function": {"name": "double", "arguments": "{}"}}
ASKED = {"role": "assistant", "content": "", "tool_calls": [CALL]}

BAD: dict[str, tuple[Any, str]] = {
    "text": ("Hello", "give run.messages"),
    "a number": (7, "give run.messages"),
    "one dictionary": ({"role": "user", "content": "Hi"}, "give run.messages"),
    "texts": (["Hello"], r"messages\[0\] is 'Hello'"),
    "no role": ([{"content": "Hi"}], r"role of messages\[0\]"),
    "a wrong role": ([{"role": "usr", "content": "Hi"}], "user"),
    "no content": ([{"role": "user"}], r"content of messages\[0\]"),
    "a number as content": ([{"role": "user", "content": 4}], r"content of messages\[0\]"),
    "an image": (
        [{"role": "user", "content": [{"type": "image_url", "image_url": {}}]}],
        "attach",
    ),
    "another key": ([{"role": "user", "content": "Hi", "image": "x"}], "image"),
    "a broken call": ([{**ASKED, "tool_calls": [{"id": "c1"}]}], r"tool_calls\[0\]"),
    "calls that are none": ([{**ASKED, "tool_calls": 3}], "tool_calls"),
    "no result": ([ASKED], "has no result"),
    "no result in the middle": ([ASKED, {"role": "user", "content": "Hi"}], "has no result"),
    "a result of nothing": (
        [{"role": "tool", "tool_call_id": "c1", "content": "8"}],
        "no message right before",
    ),
    "a result without a call's id": ([ASKED, {"role": "tool", "content": "8"}], "tool_call_id"),
    "two results of one call": (
        [ASKED, *2 * [{"role": "tool", "tool_call_id": "c1", "content": "8"}]],
        "no message right before",
    ),
}


@pytest.mark.parametrize("what", BAD)
def test_what_is_no_conversation_is_an_error_before_anything_begins(what: str) -> None:
    given, said = BAD[what]
    agent, model = spoken("Never.")
    ways: tuple[Callable[..., object], ...] = (agent.run, agent.start, agent.stream)
    for way in ways:
        with pytest.raises(ValueError, match=said):
            way("Hi", messages=given, log="memory")
    assert model.requests == []


def test_a_run_goes_on_with_one_conversation_only() -> None:
    agent, _ = spoken("Never.")
    with pytest.raises(ValueError, match="not both"):
        agent.run("Hi", messages=[{"role": "user", "content": "Hi"}], chat="trip", log="memory")


@pytest.mark.parametrize("nothing", [(), [], None])
def test_an_empty_conversation_is_none(nothing: Any) -> None:
    agent, model = spoken("Hello.")
    agent.run("Hi", messages=nothing, log="memory")
    assert len(model.told[0]) == 2


def test_a_run_with_one_is_gone_on_with_whole_after_it_was_suspended() -> None:
    tool = Tool(double, ToolOptions(ask=True))
    model = Hearing([turn(request("a", "double", number=4)), "It is 8."])
    agent = nba.Agent("tester", tools=[tool], model=model, on_await="suspend")
    before = [{"role": "user", "content": "Hi"}, {"role": "assistant", "content": "Hello."}]
    run = agent.run("Double 4", messages=before, log="memory")
    assert run.status == "suspended"
    agent.resume(run, answer=True)
    first, second = model.told
    assert [one.role for one in first] == ["user", "assistant", "user"]
    assert second[:3] == first
