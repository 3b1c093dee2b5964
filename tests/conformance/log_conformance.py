"""What every log must do: a test class to derive from, for whoever writes one."""

from __future__ import annotations

import asyncio
import threading
from typing import TYPE_CHECKING

from nbagents import Agent, ScriptedModel, Session
from nbagents.events import RunStart
from nbagents.models.model import ModelTurn
from nbagents.models.scripted import call
from nbagents.results import Usage
from nbagents.runs.logs.log import CLAIM_S, Log, MemoryLog
from tests.unit.runs.desk import event

if TYPE_CHECKING:
    from collections.abc import Sequence

    from nbagents.events import AnyEvent


def start(seq: int, run: str) -> AnyEvent:
    return RunStart(
        **event(seq, run=run).model_dump(exclude={"type", "text", "shared"}),
        agent_name="a",
        model="m",
        tools=(),
    )


def double(number: int) -> int:
    """Double a number."""
    return 2 * number


def events_of_runs() -> Sequence[AnyEvent]:
    """What real runs log: calls, a run inside, what failed, what was suspended and gone on with."""
    session = Session(MemoryLog())

    def pay(amount: int) -> int:
        """Pay."""
        return amount

    paid = ModelTurn(text="4", usage=Usage(input_tokens=5, output_tokens=7, requests=1))
    inner = Agent(
        "Inner", "Help.", tools=[double], model=ScriptedModel([call("double", number=1), "2"])
    )
    model = ScriptedModel([[call("double", number=2), call("inner", input="Go.")], paid])
    Agent(tools=[double, inner], model=model).run("First", log=session, chat="c")
    Agent(tools=[double], model=ScriptedModel([call("double", number="x"), "No."])).run(
        "Second", log=session
    )
    asks = Agent(
        "Asks",
        tools=[pay],
        approval="ask",
        on_await="suspend",
        model=ScriptedModel([call("pay", amount=1), "Paid."]),
    )
    run = asks.run("Third", log=session)
    asks.resume(run, answer=True)
    return list(session.log.read(session.session_id, limit=10_000))


class LogConformance:
    """The claims of the protocol `Log`; a class derived from it has a fixture `log`, a new one."""

    def test_what_is_appended_is_read_back_in_order(self, log: Log) -> None:
        events = [event(seq) for seq in range(5)]
        for one in events:
            log.append(one)
        assert list(log.read("s")) == events

    def test_reading_goes_by_pages(self, log: Log) -> None:
        for seq in range(7):
            log.append(event(seq))
        first = log.read("s", limit=3)
        second = log.read("s", after_seq=first[-1].seq, limit=3)
        assert [one.seq for one in [*first, *second]] == [0, 1, 2, 3, 4, 5]
        assert [one.seq for one in log.read("s", after_seq=5)] == [6]
        assert list(log.read("s", after_seq=6)) == []

    def test_the_same_event_again_changes_nothing(self, log: Log) -> None:
        log.append(event(0, key="k"))
        log.append(event(1, key="k"))
        assert [one.seq for one in log.read("s")] == [0]

    def test_sessions_are_apart(self, log: Log) -> None:
        log.append(event(0))
        log.append(event(0, session="other", run="run-2"))
        assert [one.session_id for one in log.read("other")] == ["other"]

    def test_the_newest_runs_come_first(self, log: Log) -> None:
        for seq, run in enumerate(["run-1", "run-2", "run-3"]):
            log.append(start(seq, run))
        assert [run.run_id for run in log.find("")[:2]] == ["run-3", "run-2"]

    def test_of_runs_that_began_at_once_the_later_one_is_newer(self, log: Log) -> None:
        for seq, run in enumerate(["run-1", "run-2", "run-3"]):
            log.append(start(seq, run).model_copy(update={"at": 5.0}))
        assert [run.run_id for run in log.find("")] == ["run-3", "run-2", "run-1"]
        assert [one.run_id for one in log.entries(limit=2)] == ["run-3", "run-2"]

    def test_a_run_is_found_by_the_beginning_of_its_id(self, log: Log) -> None:
        for seq, run in enumerate(["run-a1", "run-b", "run-a2"]):
            log.append(start(seq, run))
        assert [run.run_id for run in log.find("run-a")] == ["run-a2", "run-a1"]
        assert [run.run_id for run in log.find("run-b")] == ["run-b"]
        assert list(log.find("run-c")) == []
        assert list(log.find("%")) == []

    def test_one_run_can_be_read_alone_by_pages(self, log: Log) -> None:
        for seq in range(9):
            log.append(event(seq, run=f"run-{seq % 2}"))
        first = log.read("s", run_id="run-0", limit=3)
        rest = log.read("s", run_id="run-0", after_seq=first[-1].seq)
        assert [one.seq for one in [*first, *rest]] == [0, 2, 4, 6, 8]
        assert list(log.read("other", run_id="run-0")) == []

    def test_the_place_of_the_next_event_is_known(self, log: Log) -> None:
        assert log.next_seq("s") == 0
        log.append(event(0))
        log.append(event(7))
        assert (log.next_seq("s"), log.next_seq("other")) == (8, 0)

    def test_flushed_and_committed_it_can_be_read(self, log: Log) -> None:
        log.append(event(0))
        log.flush()
        log.append(event(1))
        asyncio.run(_committed(log))
        assert [one.seq for one in log.read("s")] == [0, 1]

    def test_the_first_that_asks_may_go_on_with_a_run(self, log: Log) -> None:
        assert log.claim("run-a", "run-b", 100.0) == "run-b"
        assert log.claim("run-a", "run-c", 100.0 + CLAIM_S) == "run-b"
        assert log.claim("run-x", "run-c", 101.0) == "run-c"

    def test_who_asked_and_never_began_gives_way(self, log: Log) -> None:
        log.claim("run-a", "run-b", 100.0)
        assert log.claim("run-a", "run-c", 101.0 + CLAIM_S) == "run-c"

    def test_of_many_that_ask_at_once_one_may(self, log: Log) -> None:
        said: list[str] = []

        def ask(by: str) -> None:
            said.append(log.claim("run-a", by, 100.0))

        threads = [threading.Thread(target=ask, args=(f"run-{at}",)) for at in range(8)]
        for one in threads:
            one.start()
        for one in threads:
            one.join()
        assert len(said) == 8
        assert len(set(said)) == 1

    def test_of_real_runs_it_says_what_the_log_in_memory_says(self, log: Log) -> None:
        known, events = MemoryLog(), events_of_runs()
        for one in events:
            log.append(one)
            known.append(one)
        (session,) = {one.session_id for one in events}
        runs = {one.run_id for one in events}
        assert len(runs) == 5
        assert log.read(session, limit=10_000) == known.read(session, limit=10_000)
        for run in runs:
            assert log.read(session, run_id=run) == known.read(session, run_id=run)
            assert log.find(run) == known.find(run)
            assert log.resumed_by(run) == known.resumed_by(run)
        assert log.find("") == known.find("")
        assert log.entries(limit=9) == known.entries(limit=9)
        assert len(log.entries(limit=9, session_id=session)) == 4
        assert log.called(0.0) == known.called(0.0)
        assert log.usage(session) == known.usage(session)
        assert log.usage(session)["scripted"].output_tokens == 7


async def _committed(log: Log) -> None:
    await log.committed()
