"""One stream for all runs of a session; whoever reads it disturbs nobody."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any

import pytest

from nbagents import Context
from nbagents.events import AnyEvent
from nbagents.runs.drive.entrance import run_async
from nbagents.runs.logs.log import Log, MemoryLog
from nbagents.runs.logs.sqlite.log import SqliteLog
from nbagents.runs.state.run.run import Run
from nbagents.runs.state.session import Session
from tests.unit.runs.behind import until
from tests.unit.runs.desk import agent, double, request, treble, turn


@pytest.fixture(params=["memory", "sqlite"])
def session(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Session]:
    log: Log = MemoryLog() if request.param == "memory" else SqliteLog(tmp_path / "log.sqlite3")
    yield Session(log)
    log.close()


def say(session: Session, prompt: str = "Go", steps: Any = None) -> Run:
    return agent(steps or [turn(request("c1", "double", number=4)), turn(text="8")], [double]).run(
        prompt, log=session
    )


async def taken(stream: AsyncIterator[AnyEvent], count: int | None = None) -> list[AnyEvent]:
    """The first events of a stream, or all of one that ends."""
    found: list[AnyEvent] = []
    async for event in stream:
        found.append(event)
        if len(found) == count:
            break
    return found


def seqs(events: list[AnyEvent]) -> list[int]:
    return [one.seq for one in events]


def test_the_runs_of_a_session_are_one_stream_in_one_order(session: Session) -> None:
    runs = [say(session, prompt) for prompt in "abc"]
    events = list(session.events("debug"))
    assert events == [event for run in runs for event in run.events]
    assert seqs(events) == list(range(len(events)))
    assert asyncio.run(taken(session.stream("debug", follow=False))) == events


def test_a_cursor_is_the_last_number_that_was_seen(session: Session) -> None:
    say(session)
    first = list(session.events("debug"))
    say(session)
    rest = list(session.events("debug", after=first[-1].seq))
    assert rest[0].seq == first[-1].seq + 1
    assert [*first, *rest] == list(session.events("debug"))
    assert list(session.events("debug", after=rest[-1].seq)) == []


@pytest.mark.medium
def test_of_many_pages_none_is_left_out(session: Session) -> None:
    for _ in range(60):
        say(session)
    events = list(session.events("debug"))
    assert len(events) > 600
    assert seqs(events) == list(range(len(events)))


def test_profiles_leave_out_and_keep_the_order(session: Session) -> None:
    say(session)
    kinds = {name: [e.type for e in session.events(name)] for name in ("user", "metrics", "audit")}
    assert "usage" not in kinds["user"]
    assert set(kinds["metrics"]) == {"usage", "workflow"}
    assert "assistant_delta" not in kinds["audit"]
    assert list(session.events()) == list(session.events("user"))


def test_one_run_of_several_can_be_followed(session: Session) -> None:
    say(session, "a")
    run = say(session, "b")
    say(session, "c")
    assert list(session.events("debug", run_id=run.id)) == list(run.events)
    assert asyncio.run(taken(session.stream("debug", run_id=run.id))) == list(run.events)


def test_a_run_that_had_ended_before_the_cursor_has_nothing_more(session: Session) -> None:
    run = say(session)
    say(session)
    after = run.events[-1].seq
    assert asyncio.run(taken(session.stream(after=after, run_id=run.id))) == []
    assert asyncio.run(taken(session.stream(after=after + 5, run_id=run.id))) == []


def test_a_profile_without_ends_ends_with_the_run_too(session: Session) -> None:
    run = say(session)
    metrics = asyncio.run(taken(session.stream("metrics", run_id=run.id)))
    assert metrics == list(session.events("metrics"))


async def _while_it_runs(session: Session) -> tuple[Run, list[AnyEvent]]:
    asked = agent([turn(request("c1", "treble", number=1)), turn(text="3")], [treble])
    run, plan = asked.begin("Go", session)
    reading = asyncio.ensure_future(taken(session.stream("debug", run_id=run.id)))
    await asyncio.sleep(0.05)  # it waits by now
    await run_async(run, plan)
    return run, await reading


def test_what_comes_is_told_as_it_comes(session: Session) -> None:
    run, events = asyncio.run(_while_it_runs(session))
    assert events == list(run.events)


def test_a_stream_of_all_runs_goes_on_until_nobody_wants_it(session: Session) -> None:
    first = len(say(session).events)

    async def read() -> list[AnyEvent]:
        stream = session.stream("debug")
        starting = asyncio.get_running_loop().run_in_executor(None, say, session)
        events = await taken(stream, 2 * first)
        await stream.aclose()
        await starting
        return events

    events = asyncio.run(read())
    assert seqs(events) == list(range(2 * first))


def test_a_subscriber_is_told_of_the_past_and_of_what_comes(session: Session) -> None:
    say(session)
    told: list[AnyEvent] = []
    end = session.subscribe(told.append, "debug")
    say(session)
    until(lambda: len(told) == len(list(session.events("debug"))))
    assert told == list(session.events("debug"))
    end()
    say(session)
    threading.Event().wait(0.1)
    assert len(told) < len(list(session.events("debug")))


def test_a_slow_subscriber_holds_no_run_up_and_misses_nothing(session: Session) -> None:
    may_go_on = threading.Event()
    told: list[int] = []

    def slow(event: AnyEvent) -> None:
        may_go_on.wait(5)
        told.append(event.seq)

    end = session.subscribe(slow, "debug")
    run = say(session)
    assert run.status == "completed"
    assert told == []
    may_go_on.set()
    until(lambda: len(told) == len(run.events))
    assert told == list(range(len(run.events)))
    end()


def test_a_subscriber_that_raises_is_told_nothing_more_and_breaks_nothing(
    session: Session,
) -> None:
    told: list[AnyEvent] = []

    def fail(event: AnyEvent) -> None:
        told.append(event)
        raise ValueError("no luck")

    def subscribed() -> Run:
        session.subscribe(fail)
        run = say(session)
        until(lambda: bool(told) and threads() == [])
        return run

    with pytest.warns(UserWarning, match=r"no luck.*nothing more") as caught:
        run = subscribed()
    assert run.status == "completed"
    assert say(session).status == "completed"
    assert len(told) == len(caught) == 1


def test_a_listener_that_raises_is_told_nothing_more_and_breaks_no_run(session: Session) -> None:
    told: list[AnyEvent] = []
    others: list[AnyEvent] = []

    def fail(event: AnyEvent) -> None:
        told.append(event)
        raise ValueError("no luck")

    run, plan = agent([turn(request("c1", "double", number=4)), "8"], [double]).begin("Go", session)
    run.listen(fail)
    run.listen(others.append)
    with pytest.warns(UserWarning, match=r"no luck.*told no more"):
        asyncio.run(run_async(run, plan))
    assert (run.status, len(told)) == ("completed", 1)
    assert others == list(run.events)


def threads() -> list[threading.Thread]:
    return [one for one in threading.enumerate() if one.name == "nbagents-subscriber"]


def test_a_profile_that_there_is_not_is_said_at_once(session: Session) -> None:
    with pytest.raises(ValueError, match="no profile 'loud'"):
        session.stream("loud")


def test_the_end_of_its_stream_is_a_run_s_last_event(session: Session) -> None:
    async def wait() -> str:
        """Wait."""
        await asyncio.sleep(5)
        return "never"

    helper = agent([turn(text="helped")])

    def ask_helper(ctx: Context) -> str:
        """Ask the helper."""
        return ctx.run(helper, "Help").text

    calls = [turn(request("c1", "ask_helper")), turn(text="done")]
    whole = agent(calls, [ask_helper]).run("Go", log=session)
    stopped = agent([turn(request("c1", "wait"))], [wait]).start("Go", log=session)
    until(lambda: any(one.type == "tool_start" for one in stopped.events))
    stopped.stop()
    stopped.wait()
    stopped.emit(lambda stamp: pytest.fail("taken after the end"))
    runs = {one.run_id for one in session.events("debug")}
    assert len(runs) == 3
    assert whole.children[0].id in runs
    for run_id in runs:
        own = list(session.events("debug", run_id=run_id))
        assert [one.type for one in own].count("run_stream_end") == 1
        assert own[-1].type == "run_stream_end"
