"""A callable that is falsy as an object is called all the same, wherever one may be given."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import nbagents as nba


class Falsy:
    """Calls a function, and counts as nothing."""

    def __init__(
        self, function: Callable[[], Any] | Callable[[Any], Any] | Callable[[Any, Any], Any]
    ) -> None:
        self.function: Any = function

    def __bool__(self) -> bool:
        return False

    def __len__(self) -> int:
        return 0

    def __call__(self, *args: Any) -> Any:
        return self.function(*args)


class FalsyAsync(Falsy):
    async def __call__(self, *args: Any) -> Any:
        return self.function(*args)


class FalsyModel(nba.ScriptedModel):
    def __bool__(self) -> bool:
        return False


@pytest.fixture(params=[Falsy, FalsyAsync])
def kind(request: pytest.FixtureRequest) -> type[Falsy]:
    return request.param


def asked(name: str, arguments: str = "{}") -> nba.CallRequest:
    return nba.CallRequest(id="1", name=name, arguments=arguments)


def run(name: str, *tools: Any, arguments: str = "{}", **fields: Any) -> nba.Run:
    """A run in which one tool is called."""
    model = nba.ScriptedModel([[asked(name, arguments)], "ok"])
    return nba.Agent("a", tools=list(tools), model=model, **fields).run("Go", log="memory")


def one(x: int = 1) -> int:
    """One."""
    return x


def test_the_prompt_and_the_result_of_an_agent_as_a_tool(kind: type[Falsy]) -> None:
    said: list[str] = []
    child = nba.Agent("child", model=nba.ScriptedModel(["hi"]))
    prompt, extract = kind(lambda text: said.append(text) or "P"), kind(lambda _run: "taken")
    tool = child.as_tool(prompt=prompt, extract=extract)
    called = run("child", tool, arguments='{"input": "x"}').calls[0]
    assert (called.content, said) == ("taken", ["x"])


def test_what_is_told_of_a_hand_over(kind: type[Falsy]) -> None:
    told: list[str] = []
    other = nba.Agent("b", model=nba.ScriptedModel(["from b"]))
    handing = nba.handoff(other, on_handoff=kind(lambda _ctx: told.append("over")))
    assert run("transfer_to_b", handoffs=[handing]).text == "from b"
    assert told == ["over"]


def test_who_answers_what_waits(kind: type[Falsy]) -> None:
    waits = nba.Tool(one, nba.ToolOptions(ask=True))
    answer = kind(lambda _asked: True)
    assert run("one", waits, on_await=answer).calls[0].status == "done"
    assert run("one", waits, on_await=kind(lambda _asked: False)).calls[0].status == "denied"


def test_a_child_takes_over_who_answers(kind: type[Falsy]) -> None:
    waits = nba.Tool(one, nba.ToolOptions(ask=True))
    inner = nba.ScriptedModel([[asked("one")], "one it is"])
    child = nba.Agent("child", tools=[waits], model=inner).as_tool()
    ended = run("child", child, arguments='{"input": "x"}', on_await=kind(lambda _asked: True))
    assert ended.calls[0].content == "one it is"


def test_whether_a_person_is_asked_and_what_is_told_of_an_error(kind: type[Falsy]) -> None:
    def fail() -> None:
        raise ValueError("no")

    asks = nba.ToolOptions(ask=kind(lambda _ctx, _arguments: True))
    assert run("one", nba.Tool(one, asks)).calls[0].status == "denied"
    told = nba.ToolOptions(on_error=kind(lambda _ctx, error: f"It said {error}."))
    assert run("fail", nba.Tool(fail, told)).calls[0].content == "It said no."


def test_guardrails_of_tools_and_agents(kind: type[Falsy]) -> None:
    seen: list[str] = []
    check = kind(lambda _ctx, _value: seen.append("seen"))
    options = nba.ToolOptions(input_guardrails=(check,), output_guardrails=(check,))
    run("one", nba.Tool(one, options), input_guardrails=check, output_guardrails=[check])
    assert seen == ["seen"] * 4


def test_what_is_offered_and_what_news_there_are() -> None:
    asked_for: list[str] = []
    options = nba.ToolOptions(
        enabled=Falsy(lambda: True), news=Falsy(lambda: asked_for.append("news"))
    )
    keeps = Falsy(lambda _step, tool: asked_for.append(tool.name) or True)
    ended = run("one", nba.Tool(one, options), tool_filter=keeps)
    assert ended.calls[0].status == "done"
    assert {"news", "one"} <= set(asked_for)


def test_a_function_that_gives_an_agent_and_a_model() -> None:
    other = nba.Agent("b", model=FalsyModel(["from b"]))
    handing = nba.handoff(
        Falsy(lambda: other), enabled=Falsy(lambda: True), input_filter=Falsy(list)
    )
    assert run("transfer_to_b", handoffs=[handing]).text == "from b"
