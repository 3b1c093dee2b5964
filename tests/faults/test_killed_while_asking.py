"""A process that is killed while people are asked: the next one goes on, and nothing is twice."""

from __future__ import annotations

import subprocess
import sys
from collections import Counter
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from nbagents.runs.logs.sqlite.log import SqliteLog
from nbagents.runs.tree.awaits import askers
from nbagents.runs.tree.awaits import words_of as question_of
from nbagents.runs.tree.folding import fold, settle
from nbagents.runs.tree.line import NOT_KNOWN
from tests.faults.dying_people import LOG, STEP, Notes, notes_of, sessions_of, sessions_of_two

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from _pytest.mark.structures import ParameterSet

    from nbagents.events import AnyEvent
    from nbagents.runs.tree.nodes import AwaitNode

ROOT = Path(__file__).resolve().parents[2]
MOST = 160
"""More events than any of the runs has."""
EVERY = 4
"""Each of how many events a process is killed after, where only `make test` runs; all are slow."""
DID = {
    "look": "looked",
    "approved": "wiped a",
    "edited": "wiped b2",
    "paint": "painted red L",
    "knock": "went away",
    "post": "posted to Oslo",
    "low-look": "looked",
    "low-wipe": "wiped l",
    "late-wipe": "wiped z",
    "look-2": "looked",
}
"""What is done, by call; the call that is denied is not among them."""
ABOVE = {
    "low-look": ("ask-low", "middle"),
    "low-wipe": ("ask-low", "middle"),
    "late-wipe": ("late",),
}
"""Within which calls a call is made."""
TOLD = {
    "edited": "The person says: b2 is meant\nThe person changed the arguments to ",
    "denied": "The person did not allow this call, and says: not that one",
    "post": "The person gave what was missing: it was called with {'to': 'Oslo'}.\nposted to Oslo",
    "weigh": "7 kg",
}
"""What the model is told of calls that a person had a say in."""


@dataclass(frozen=True)
class Process:
    """What one process has left: its events, and what it noted beside them."""

    events: Sequence[AnyEvent]
    notes: Notes

    @property
    def status(self) -> str:
        """How its run stands, now that it is gone."""
        return next(iter(settle(fold(self.events))["runs"].values()))["status"]

    def questions(self) -> dict[str, bool]:
        """What was asked by its log, and whether it was answered there."""
        runs = fold(self.events)["runs"].values()
        asked = [one for run in runs for one in run["awaits"]]
        return {words_of(one): one["outcome"] is not None for one in asked}

    def left(self) -> set[str]:
        """The calls that had begun and have no end."""
        begun = {one.tool_call_id for one in self.events if one.type == "tool_start"}
        return begun - {one.tool_call_id for one in self.events if one.type == "tool_end"}


def words_of(one: AwaitNode) -> str:
    words = "weigh" if one["kind"] == "external_tools" else question_of(one)
    return f"{one['kind']} {askers(one)[0]} {words}"


def kills(first: int, step: int = 1) -> list[ParameterSet]:
    """After which events a process is killed."""
    return [
        pytest.param(nth, marks=() if (nth - 1) % (EVERY * step) == 0 else pytest.mark.slow)
        for nth in range(first, MOST, step)
    ]


@pytest.fixture(scope="module")
def left(
    tmp_path_factory: pytest.TempPathFactory, request: pytest.FixtureRequest
) -> Iterator[Left]:
    """What all those processes have left, one after the other."""
    folder = tmp_path_factory.mktemp("asking")
    own = [item for item in request.session.items if item.path == request.path]
    every = 1 if any(item.get_closest_marker("slow") for item in own) else EVERY
    command = [sys.executable, "-m", "tests.faults.dying_people", str(folder), str(every)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    with closing(SqliteLog(folder / LOG)) as log:
        yield Left(folder, log)


@dataclass(frozen=True)
class Left:
    """The folder that the processes wrote into."""

    folder: Path
    log: SqliteLog

    def processes(self, names: Sequence[str]) -> list[Process]:
        """Those of these sessions; none where there were none."""
        made = [
            Process(list(self.log.read(name, limit=MOST * 10)), notes_of(self.folder, name))
            for name in names
        ]
        return made if made[-1].events or made[-1].notes.status else []


def test_the_run_that_was_not_killed_is_suspended_two_levels_down(left: Left) -> None:
    first, second = left.processes(sessions_of(last_of(left)))
    tree = fold(first.events)
    assert [run["status"] for run in tree["runs"].values()].count("suspended") == 2
    depths = {one["id"]: one["parent_run_id"] for one in tree["runs"].values()}
    low = next(one["id"] for one in tree["runs"].values() if one["agent_name"] == "low")
    assert depths[depths[depths[low] or ""] or ""] is None
    assert first.notes.status == "suspended"
    assert second.notes.asked == ['confirmation late-wipe Run wipe(path="z")?']
    assert first.notes.told["denied"] == TOLD["denied"]


def last_of(left: Left) -> int:
    """The event that the run never had which was not killed."""
    return max(nth for nth in range(1, MOST) if left.processes(sessions_of(nth)))


def test_a_run_that_broke_off_before_it_said_what_it_is_about_is_not_gone_on_with(
    left: Left,
) -> None:
    first, second = left.processes(sessions_of(1))
    assert [event.type for event in first.events] == ["run_start"]
    assert first.status == "unknown"
    assert (second.events, second.notes.did) == ([], [])
    assert "broke off before its model was told anything" in second.notes.status


@pytest.mark.parametrize("nth", kills(2))
def test_a_run_that_was_killed_while_it_asked_is_gone_on_with(left: Left, nth: int) -> None:
    processes = left.processes(sessions_of(nth))
    if not processes:
        assert nth > last_of(left)
        return
    assert_readable(processes[0].events)
    assert processes[0].status in ("unknown", "suspended")
    assert_nothing_is_twice(processes)
    assert processes[-1].notes.status == "completed"
    assert_all_is_done(processes)


@pytest.mark.parametrize("nth", kills(1, STEP))
def test_a_run_whose_successor_was_killed_too_is_gone_on_with(left: Left, nth: int) -> None:
    processes = left.processes(sessions_of_two(nth))
    if not processes:
        assert nth > STEP
        return
    _, second, third = processes
    assert_readable(second.events)
    assert_nothing_is_twice(processes)
    if second.status == "completed":  # its end was in the log already
        assert "has ended (completed)" in third.notes.status
        return
    assert (second.status, third.notes.status) == ("unknown", "completed")
    assert_all_is_done(processes)


def assert_readable(events: Sequence[AnyEvent]) -> None:
    """Whatever was cut off, the log is a tree."""
    assert [event.seq for event in events] == list(range(len(events)))
    for run in settle(fold(events))["runs"].values():
        assert run["status"] in ("completed", "suspended", "unknown")
        for call in run["calls"].values():
            assert call["status"] in ("done", "denied", "unknown", "waiting")


def assert_nothing_is_twice(processes: Sequence[Process]) -> None:
    """No call has two ends, nothing is done twice, and what was answered is not asked again."""
    ends = Counter(
        one.tool_call_id
        for process in processes
        for one in process.events
        if one.type == "tool_end"
    )
    assert set(ends.values()) <= {1}
    did = [line for process in processes for line in process.notes.did]
    assert len(did) == len(set(did))
    assert set(did) <= {f"{call_id}: {what}" for call_id, what in DID.items()}
    answered: set[str] = set()
    for process in processes:
        assert not answered & set(process.notes.asked)
        answered |= {words for words, is_answered in process.questions().items() if is_answered}


def assert_all_is_done(processes: Sequence[Process]) -> None:
    """What was open is asked again and done, but for what may have been done before."""
    last = processes[-1].notes
    asked: dict[str, bool] = {}
    for process in processes[:-1]:
        for words, is_answered in process.questions().items():
            asked[words] = asked.get(words, False) or is_answered
    assert {words for words, is_answered in asked.items() if not is_answered} <= set(last.asked)
    left = {call_id for process in processes[:-1] for call_id in process.left()}
    did = {line.partition(":")[0] for process in processes for line in process.notes.did}
    for call_id in set(DID) - did:
        assert left & {call_id, *ABOVE.get(call_id, ())}
    for call_id, said in TOLD.items():
        told = last.told[call_id]
        assert told.startswith(said) or (told == NOT_KNOWN and call_id in left - {"weigh"})
