"""An exit anywhere in a call ends that call alone; what else goes on in the process goes on."""

from __future__ import annotations

import asyncio
import sys
import threading
from collections.abc import Awaitable, Callable
from typing import Annotated, Any

import pytest
from pydantic import BeforeValidator

from nbagents.agents import Agent
from nbagents.models.scripted import ScriptedModel
from nbagents.runs.drive.loop_thread import LoopThread
from nbagents.runs.logs.log import MemoryLog
from nbagents.runs.policy.guardrails import Refuse
from nbagents.runs.state.desk import Await
from nbagents.runs.state.run.run import Run
from nbagents.runs.state.session import Session
from nbagents.tools.context.context import Context
from nbagents.tools.tool.definition import Tool, ToolOptions
from tests.unit.runs.desk import agent, request, turn

EXITS: list[Callable[[], BaseException]] = [
    lambda: SystemExit(3),
    KeyboardInterrupt,
    GeneratorExit,
    lambda: type("Own", (BaseException,), {})("mine"),
]
NAMES = ["SystemExit", "KeyboardInterrupt", "GeneratorExit", "its-own"]
Make = Callable[[], BaseException]


def agreed(_: Await) -> bool:
    return True


def raises(make: Make) -> Callable[[], Awaitable[None]]:
    async def fail() -> None:
        await asyncio.sleep(0)
        raise make()

    return fail


async def gathered(make: Make) -> None:
    await asyncio.gather(raises(make)(), asyncio.sleep(0))


async def grouped(make: Make) -> None:
    async with asyncio.TaskGroup() as group:
        group.create_task(raises(make)())  # pyright: ignore[reportArgumentType]  a coroutine


async def awaited(make: Make) -> None:
    await asyncio.create_task(raises(make)())  # pyright: ignore[reportArgumentType]  as above


async def nested(make: Make) -> None:
    await asyncio.create_task(gathered(make))


async def bare(make: Make) -> None:
    left.append(asyncio.ensure_future(raises(make)()))
    await asyncio.sleep(0.01)


async def waited(make: Make) -> None:
    await asyncio.wait_for(raises(make)(), 5)


async def shielded(make: Make) -> None:
    await asyncio.shield(raises(make)())


left: list[object] = []
WAYS = [gathered, grouped, awaited, nested, waited, shielded]


def exiting(way: Callable[[Make], Awaitable[None]], make: Make) -> Tool:
    async def leave() -> str:
        """Leave."""
        await way(make)
        return "still here"

    return Tool(leave)


class Bystander:
    """A run in the background whose tool waits until it is let go."""

    def __init__(self) -> None:
        self.begun = threading.Event()
        self._go = threading.Event()

        async def hold() -> str:
            self.begun.set()
            await asyncio.to_thread(self._go.wait, 20)
            return "held"

        made = agent([turn(request("h", "hold")), "done"], [hold])
        self.run = made.start("Hold", log=Session(MemoryLog()))
        assert self.begun.wait(20)

    def ended(self) -> tuple[str, str]:
        self._go.set()
        self.run.wait(20)
        return self.run.status, self.run.calls[0].status


def ends(run: Run) -> tuple[str, str]:
    return run.status, run.calls[0].status


def leaving(tool: Tool) -> Agent:
    return agent([turn(request("c", "leave")), "done"], [tool])


@pytest.mark.parametrize("way", WAYS, ids=lambda way: way.__name__)
@pytest.mark.parametrize("make", EXITS, ids=NAMES)
def test_an_exit_in_a_task_of_a_tool_ends_its_call_alone(make: Make, way: Any) -> None:
    thread, bystanders = LoopThread.get(), [Bystander(), Bystander()]
    run = leaving(exiting(way, make)).run("Go", log="memory")
    assert ends(run) == ("completed", "failed")
    assert [one.ended() for one in bystanders] == [("completed", "done")] * 2
    assert LoopThread.get() is thread


@pytest.mark.parametrize("make", EXITS, ids=NAMES)
def test_a_task_that_nobody_awaits_ends_alone(make: Make) -> None:
    bystander = Bystander()
    run = leaving(exiting(bare, make)).run("Go", log="memory")
    assert ends(run) == ("completed", "done")
    assert bystander.ended() == ("completed", "done")


@pytest.mark.parametrize("way", [*WAYS, bare], ids=lambda way: way.__name__)
@pytest.mark.parametrize("make", EXITS, ids=NAMES)
def test_on_the_loop_of_somebody_else_it_ends_its_call_alone(make: Make, way: Any) -> None:
    async def both() -> tuple[Run, str]:
        async def neighbour() -> str:
            await asyncio.sleep(0.02)
            return "still here"

        beside = asyncio.create_task(neighbour())
        before = asyncio.get_running_loop().get_task_factory()
        run = await leaving(exiting(way, make)).arun("Go", log="memory")
        await asyncio.sleep(0.02)
        assert asyncio.get_running_loop().get_task_factory() is before
        return run, await beside

    run, beside = asyncio.run(both())
    assert ends(run) == ("completed", "done" if way is bare else "failed")
    assert beside == "still here"


def test_a_task_factory_that_was_there_still_makes_the_tasks() -> None:
    made: list[object] = []

    def factory(loop: Any, coroutine: Any, **options: Any) -> asyncio.Task[Any]:
        made.append(coroutine)
        return asyncio.Task(coroutine, loop=loop, **options)

    async def both() -> Run:
        asyncio.get_running_loop().set_task_factory(factory)
        run = await leaving(exiting(gathered, EXITS[0])).arun("Go", log="memory")
        assert asyncio.get_running_loop().get_task_factory() is factory
        return run

    assert ends(asyncio.run(both())) == ("completed", "failed")
    assert made


def test_a_task_that_is_cancelled_before_it_begins_leaves_no_coroutine_behind(
    recwarn: pytest.WarningsRecorder,
) -> None:
    async def cancels() -> str:
        task = asyncio.create_task(asyncio.sleep(60))
        task.cancel()
        await asyncio.wait([task])
        return "cancelled"

    made = agent([turn(request("c", "cancels")), "done"], [cancels])
    assert ends(asyncio.run(made.arun("Go", log="memory"))) == ("completed", "done")
    assert [one for one in recwarn if one.category is RuntimeWarning] == []


def test_a_callback_that_exits_ends_nothing() -> None:
    async def leave() -> str:
        """Leave."""
        asyncio.get_running_loop().call_soon(sys.exit, 3)
        await asyncio.sleep(0.01)
        return "still here"

    bystander = Bystander()
    assert ends(leaving(Tool(leave)).run("Go", log="memory")) == ("completed", "done")
    assert bystander.ended() == ("completed", "done")


@pytest.mark.parametrize("make", EXITS, ids=NAMES)
def test_an_exit_in_a_run_inside_ends_the_call_of_that_run(make: Make) -> None:
    low = agent([turn(request("c", "leave")), "low"], [exiting(gathered, make)])

    async def ask(ctx: Context) -> str:
        return (await ctx.run(low, "Go")).text

    bystander = Bystander()
    run = agent([turn(request("a", "ask")), "done"], [ask]).run("Go", log="memory")
    assert ends(run) == ("completed", "done")
    assert ends(run.children[0]) == ("completed", "failed")
    assert bystander.ended() == ("completed", "done")


@pytest.mark.parametrize("is_async", [True, False])
@pytest.mark.parametrize("make", EXITS[:3], ids=NAMES[:3])
def test_an_exit_in_a_check_refuses(make: Make, *, is_async: bool) -> None:
    def plain(_ctx: Context, _value: object) -> Refuse:
        raise make()

    async def later(_ctx: Context, _value: object) -> Refuse:
        await gathered(make)
        raise AssertionError

    def leave() -> str:
        raise AssertionError

    check = later if is_async else plain
    tool = Tool(leave, ToolOptions(input_guardrails=(check,)))
    bystander = Bystander()
    run = leaving(tool).run("Go", log="memory")
    assert ends(run) == ("completed", "denied")
    assert bystander.ended() == ("completed", "done")
    assert ends(asyncio.run(leaving(tool).arun("Go", log="memory"))) == ("completed", "denied")


@pytest.mark.parametrize("is_async", [True, False])
@pytest.mark.parametrize("make", EXITS[:3], ids=NAMES[:3])
def test_an_exit_in_what_answers_for_the_person_ends_that_run_alone(
    make: Make, *, is_async: bool
) -> None:
    def plain(_: object) -> bool:
        raise make()

    async def later(_: object) -> bool:
        await gathered(make)
        raise AssertionError

    def leave() -> str:
        raise AssertionError

    model = ScriptedModel([turn(request("c", "leave")), "done"])
    made = Agent(
        "asks",
        tools=[Tool(leave, ToolOptions(ask=True))],
        model=model,
        on_await=later if is_async else plain,
    )
    bystander = Bystander()
    run = made.start("Go", log=Session(MemoryLog()))
    with pytest.raises(Exception, match=r"exit\(\)|raised|SystemExit"):
        run.wait(20)
    assert run.status == "failed"
    assert bystander.ended() == ("completed", "done")


@pytest.mark.parametrize("make", EXITS, ids=NAMES)
def test_an_exit_while_the_arguments_are_read_is_the_failure_of_the_call(make: Make) -> None:
    def read(value: object) -> object:
        del value
        raise make()

    def take(given: Annotated[int, BeforeValidator(read)]) -> str:
        """Take."""
        return f"took {given}"

    def look() -> str:
        """Look."""
        return "seen"

    steps = [turn(request("a", "take", given=1), request("b", "look")), "done"]
    for options in (ToolOptions(), ToolOptions(ask=True)):
        made = agent(steps, [Tool(take, options), look], on_await=agreed)
        run = made.run("Go", log="memory")
        assert (run.status, run.text) == ("completed", "done")
        assert [call.status for call in run.calls] == ["failed", "done"]
