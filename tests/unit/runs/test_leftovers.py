"""What a call or an answer has used is gone when it is over, without the collector's looking.

Cycles would be left behind in each turn, and looked at again and again as the run goes on.
"""

from __future__ import annotations

import asyncio
import contextlib
import gc
from collections import Counter
from collections.abc import Callable, Generator

import pytest
from httpx2 import Response

from nbagents.agents import Agent
from nbagents.models.chat.model import OpenAIChat
from nbagents.runs.drive.calls.open_call import OpenCall
from nbagents.tools.call.prepared_call import Effective
from nbagents.tools.context.context import Context
from tests.unit.models.provider import KEY, Provider, Reply, delta, sse
from tests.unit.runs.desk import agent, double, request, treble, turn

USED = (OpenCall, Context, Effective, Response)


async def told(number: int, ctx: Context) -> int:
    """Give a number back, and tell of it."""
    ctx.progress("giving", 0.5)
    ctx.log("given")
    return number


@contextlib.contextmanager
def uncollected() -> Generator[Callable[[], Counter[str]]]:
    """The collector stands still; gives what is there now that was not there before."""
    gc.collect()
    gc.disable()
    before = {id(one) for one in gc.get_objects()}

    def found() -> Counter[str]:
        new = (one for one in gc.get_objects() if id(one) not in before)
        return Counter(type(one).__name__ for one in new if isinstance(one, USED))

    try:
        yield found
    finally:
        gc.enable()


@pytest.mark.medium
@pytest.mark.parametrize("tool", [double, treble, told])
@pytest.mark.parametrize("together", [1, 7])
def test_of_a_call_that_was_made_nothing_is_left(
    tool: Callable[..., object], together: int
) -> None:
    steps = [
        turn(*(request(f"{step}-{one}", tool.__name__, number=one) for one in range(together)))
        for step in range(3)
    ]
    asked = agent([*steps, "Done."], [tool])
    with uncollected() as found:
        run = asked.run("Go", log="memory")
        assert {call.status for call in run.calls} == {"done"}
        assert found() == {}


def _model(provider: Provider) -> OpenAIChat:
    return OpenAIChat("m", base_url=provider.url, api_key=KEY)


@pytest.mark.medium
def test_of_an_answer_that_was_read_nothing_is_left() -> None:
    call = {"index": 0, "function": {"name": "double", "arguments": '{"number": 2}'}}
    replies = [
        Reply(sse(delta(tool_calls=[{**call, "id": f"c{step}"}]), delta("tool_calls")))
        for step in range(3)
    ]

    async def scenario() -> None:
        async with Provider(*replies, Reply(sse(delta(content="4"), delta("stop")))) as provider:
            asked = Agent("tester", tools=[treble, double], model=_model(provider))
            with uncollected() as found:
                run = await asked.arun("Go", log="memory")
                assert [call.content for call in run.calls] == ["4"] * 3
                assert found() == {}

    asyncio.run(scenario())
