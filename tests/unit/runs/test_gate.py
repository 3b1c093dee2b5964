"""A check of the prompt beside the model: nothing is heard unless it passes, and until then."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import Any, cast

import pytest

import nbagents as nba
from nbagents.events import EVENTS
from nbagents.messages import CallRequest
from nbagents.models.model import (
    HostedCall,
    ModelPart,
    ModelRequest,
    ModelTurn,
    TextDelta,
    ThoughtDelta,
)
from nbagents.models.scripted import ScriptedModel
from nbagents.results import CallResult, Usage
from nbagents.runs.logs.log import MemoryLog
from nbagents.runs.state.run.run import Run
from tests.unit.runs.desk import double, request, turn

SECRET = "tulip-bulb"
SHOWN = {"assistant_delta", "thought", "tool_start", "tool_args_delta", "assistant_turn"}


class Beside:
    """A check and a model that wait for each other, in a given order."""

    name = "beside"

    def __init__(self, verdict: object = None, *, ends: bool = True, calls: Any = ()) -> None:
        self.verdict = verdict
        self.ends = ends
        self.calls: tuple[CallRequest, ...] = tuple(calls)
        self.was_asked = asyncio.Event()
        self.has_spoken = asyncio.Event()
        self.was_closed = False
        self.requests = 0
        self.shown_by_then: list[str] = []
        self.run: Run | None = None

    async def stream(self, request: ModelRequest) -> AsyncIterator[ModelPart]:
        self.requests += 1
        self.was_asked.set()
        try:
            if self.requests > 1:
                yield ModelTurn(text="the end")
                return
            yield ThoughtDelta(f"thinking of {SECRET}")
            yield HostedCall(id="h", name="web_search", arguments={"q": SECRET})
            yield HostedCall(id="h", name="web_search", result=CallResult(content=SECRET))
            yield TextDelta(f"say {SECRET}")
            self.has_spoken.set()
            if not self.ends:
                await asyncio.Event().wait()
            yield ModelTurn(
                text=f"say {SECRET}",
                calls=self.calls,
                usage=Usage(input_tokens=7, output_tokens=3, requests=1),
            )
        finally:
            self.was_closed = True

    async def check(self, ctx: nba.Context, text: str) -> object:
        await self.has_spoken.wait()
        for _ in range(20):  # whatever the run could do meanwhile, it has done
            await asyncio.sleep(0)
        if self.run is not None:
            self.shown_by_then = [event.type for event in self.run.events]
        return self.verdict


async def gone_through(beside: Beside, **options: Any) -> Run:
    agent = nba.Agent("a", model=beside, input_guardrails=[nba.Parallel(beside.check)], **options)
    session = nba.Session(MemoryLog())
    run, plan = agent.begin("Hello", session)
    beside.run = run
    from nbagents.runs.drive.entrance import run_async  # a run whose events can be seen early

    await run_async(run, plan)
    return run


@pytest.mark.parametrize("ends", [True, False])
@pytest.mark.parametrize("chat", [None, "talk"])
def test_of_what_is_refused_nothing_is_shown_kept_or_called(*, ends: bool, chat: Any) -> None:
    async def tried() -> None:
        called: list[int] = []

        def ring(number: int) -> int:
            """Ring."""
            called.append(number)
            return number

        beside = Beside(nba.Refuse("Not that."), ends=ends, calls=[request("r", "ring", number=1)])
        agent = nba.Agent(
            "a", tools=[ring], model=beside, input_guardrails=[nba.Parallel(beside.check)]
        )
        session = nba.Session(MemoryLog())
        run = await agent.arun("Hello", log=session, chat=chat)
        assert (run.status, run.text, beside.requests) == ("denied", "Not that.", 1)
        assert beside.was_closed
        assert called == []
        assert SECRET not in b"\n".join(map(EVENTS.dump_json, run.events)).decode()
        assert SECRET not in repr(run.messages)
        assert run.usage.total_tokens == (10 if ends else 0)
        assert chat is None or session.chats.get(chat).messages == ()
        verdicts = [one for one in run.events if one.type == "guardrail"]
        assert [(one.stage, one.outcome) for one in verdicts] == [("input", "refuse")]

    asyncio.run(tried())


def test_nothing_is_shown_before_the_check_has_let_it_pass_and_all_of_it_then() -> None:
    async def tried() -> None:
        beside = Beside()
        run = await gone_through(beside)
        assert beside.shown_by_then
        assert not SHOWN & set(beside.shown_by_then)
        assert (run.status, run.text) == ("completed", f"say {SECRET}")
        kinds = [event.type for event in run.events]
        assert {"thought", "assistant_delta", "tool_start", "tool_end"} <= set(kinds)
        assert kinds.index("guardrail") < min(kinds.index(one) for one in SHOWN & set(kinds))

    asyncio.run(tried())


def test_calls_wait_for_the_check_and_are_made_then_and_it_is_made_once() -> None:
    async def tried() -> None:
        beside = Beside(calls=[request("c", "double", number=4)])
        run = await gone_through(beside, tools=[double])
        assert "tool_start" not in beside.shown_by_then
        assert (run.status, run.text, beside.requests) == ("completed", "the end", 2)
        assert [call.value for call in run.calls if call.name == "double"] == [8]
        assert [event.type for event in run.events].count("guardrail") == 1

    asyncio.run(tried())


@pytest.mark.parametrize(
    ("verdict", "said"),
    [
        (nba.Replace("other"), "lets the prompt pass or refuses it"),
        ("yes", "a check gives None"),
        (LookupError("no"), "failed"),
    ],
)
def test_what_is_no_verdict_here_refuses(verdict: object, said: str) -> None:
    async def check(ctx: nba.Context, text: str) -> object:
        if isinstance(verdict, Exception):
            raise verdict
        return verdict

    async def tried() -> None:
        model = ScriptedModel(["never"])
        run = await nba.Agent(model=model, input_guardrails=[nba.Parallel(check)]).arun(
            "Hello", log="memory"
        )
        assert run.status == "denied"
        assert said in run.text
        assert "never" not in repr(run.messages)

    asyncio.run(tried())


def test_a_check_before_it_may_replace_the_prompt_and_a_refusal_there_asks_no_model() -> None:
    seen: list[str] = []

    def louder(ctx: nba.Context, text: str) -> nba.Replace:
        return nba.Replace(text.upper())

    def look(ctx: nba.Context, text: str) -> None:
        seen.append(text)

    def refuse(ctx: nba.Context, text: str) -> nba.Refuse:
        return nba.Refuse("no")

    model = ScriptedModel(["Hello."])
    agent = nba.Agent(model=model, input_guardrails=[nba.Parallel(look), louder])
    assert agent.run("hi", log="memory").text == "Hello."
    assert seen == ["HI"]
    agent = nba.Agent(model=ScriptedModel([]), input_guardrails=[nba.Parallel(look), refuse])
    assert agent.run("hi", log="memory").text == "no"
    assert seen == ["HI"]


def test_a_model_that_breaks_is_told_after_a_check_that_passes_and_not_after_one_that_refuses() -> (
    None
):
    def refuse(ctx: nba.Context, text: str) -> nba.Refuse:
        return nba.Refuse("no")

    def allow(ctx: nba.Context, text: str) -> None:
        return None

    broken = nba.ModelError("down")
    agent = nba.Agent(model=ScriptedModel([broken]), input_guardrails=[nba.Parallel(refuse)])
    assert agent.run("hi", log="memory").status == "denied"
    agent = nba.Agent(model=ScriptedModel([broken]), input_guardrails=[nba.Parallel(allow)])
    with pytest.raises(nba.ModelError, match="down"):
        agent.run("hi", log="memory")


def test_an_agent_below_is_checked_by_its_own_and_its_refusal_is_the_calls() -> None:
    def refuse(ctx: nba.Context, text: str) -> nba.Refuse:
        return nba.Refuse("Not for me.")

    below = nba.Agent(
        "below", model=ScriptedModel([SECRET]), input_guardrails=[nba.Parallel(refuse)]
    )
    model = ScriptedModel([turn(request("a", "below", input="go")), "done"])
    run = nba.Agent("first", tools=[below], model=model).run("go", log="memory")
    assert run.calls[0].status == "denied"
    assert "Not for me." in str(run.calls[0].content)
    assert SECRET not in b"\n".join(map(EVENTS.dump_json, run.events)).decode()


def test_a_run_that_is_stopped_meanwhile_checks_no_longer() -> None:
    async def tried() -> None:
        begun, ended = asyncio.Event(), asyncio.Event()

        async def slow(ctx: nba.Context, text: str) -> None:
            begun.set()
            try:
                await asyncio.Event().wait()
            finally:
                ended.set()

        agent = nba.Agent(model=ScriptedModel(["x"]), input_guardrails=[nba.Parallel(slow)])
        going = asyncio.ensure_future(agent.arun("hi", log="memory"))
        await begun.wait()
        going.cancel()
        await asyncio.gather(going, return_exceptions=True)
        assert going.cancelled()
        assert ended.is_set()

    asyncio.run(tried())


@pytest.mark.parametrize("field", ["output_guardrails", "input_guardrails"])
def test_where_it_cannot_be_it_is_an_error_at_once(field: str) -> None:
    def one(text: str) -> None:
        """Take no context."""

    def two(ctx: nba.Context, text: str) -> None:
        """Take both."""

    given: Any = {field: [nba.Parallel(cast("Any", one if field.startswith("in") else two))]}
    with pytest.raises(ValueError, match=field):
        nba.Agent(**given)
