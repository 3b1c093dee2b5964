"""Ids, handles and times of now differ from run to run, and a request still finds its answer."""

from __future__ import annotations

import re
import time
import uuid
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

import pytest

import nbagents as nba
from nbagents.errors import RecordingMiss
from nbagents.messages import CallRequest
from nbagents.models.scripted import call
from nbagents.recordings.exchange.volatile import Moments, Signs

if TYPE_CHECKING:
    from pathlib import Path

    from nbagents.models.model import ModelRequest

GIVEN: list[str] = []


@nba.tool(replace=True)
def order(item: str) -> str:
    """Order something; its id is new each time."""
    GIVEN.append(str(uuid.uuid4()))
    return f"Order {GIVEN[-1]} of {item} at {datetime.now(UTC).isoformat()}, {time.time():.3f}"


@nba.tool(replace=True)
def cancel(order_id: str) -> str:
    """Cancel an order."""
    return "known" if order_id in GIVEN[-1:] else "unknown"


@pytest.fixture(autouse=True)
def _no_order_yet() -> None:
    GIVEN.clear()


def cancels(request: ModelRequest) -> CallRequest:
    found = re.search(r"Order (\S+)", request.messages[-1].content)  # type: ignore[union-attr]
    assert found is not None
    return call("cancel", order_id=found[1])


def test_an_id_of_a_tool_is_what_it_is_now_in_a_recorded_answer(tmp_path: Path) -> None:
    path = tmp_path / "a.recording.jsonl"
    model = nba.ScriptedModel([call("order", item="tea"), cancels, "Done."])
    with nba.recording(path, "extend"):
        first = nba.Agent(model=model, tools=[order, cancel]).run("Go", log="memory")
    with nba.recording(path):
        again = nba.Agent(tools=[order, cancel]).run("Go", log="memory")
    assert [one.content for one in (first.calls[1], again.calls[1])] == ["known", "known"]
    assert again.calls[1].arguments == {"order_id": GIVEN[1]}
    asked = [one for one in path.read_text().splitlines() if '"asked"' in one]
    assert GIVEN[0] not in "".join(asked)


def test_todays_date_in_the_instructions_is_that_of_any_day(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "a.recording.jsonl"
    today = datetime.now().astimezone().date()

    def agent(day: object, model: nba.ScriptedModel | None = None) -> nba.Agent:
        return nba.Agent(model=model, tools=[order], instructions=f"Today is {day}.")

    steps = [call("order", item=f"tea of {today}"), "Done."]
    with nba.recording(path, "extend"):
        agent(today, nba.ScriptedModel(steps)).run("Go", log="memory")
    later = datetime.now(UTC) + timedelta(days=90)
    monkeypatch.setattr("nbagents.recordings.exchange.volatile.time.time", later.timestamp)
    with nba.recording(path):
        assert agent(later.date()).run("Go", log="memory").text == "Done."
        with pytest.raises(RecordingMiss):
            agent("2001-01-01").run("Go", log="memory")


def test_a_date_that_a_person_wrote_is_content(tmp_path: Path) -> None:
    path = tmp_path / "a.recording.jsonl"
    today = datetime.now(UTC).date()
    with nba.recording(path, "extend"):
        nba.Agent(model=nba.ScriptedModel(["Rain."])).run(f"Weather on {today}?", log="memory")
    with nba.recording(path), pytest.raises(RecordingMiss):
        nba.Agent().run(f"Weather on {today + timedelta(days=1)}?", log="memory")


@pytest.mark.parametrize(
    ("text", "signed"),
    [
        ("it is 2026-11-23T07:00:00Z now", "it is [now] now"),
        ("it is 2026-11-23 07:00:00,123 now", "it is [now] now"),
        ("1795417200 and 1795417200123", "[now] and [now]"),
        ("2026-11-23 is today, 2025-11-23 is not", "[today] is today, 2025-11-23 is not"),
        ("2025-11-23T07:00:00Z is long ago", "2025-11-23T07:00:00Z is long ago"),
        ("<A object at 0x7f00aa>", "<A object at [address]>"),
        ("call_abcdefghijklmnop0 run-0123456789ab", "[id 1] [id 2]"),
        ("r1 and r2 and r1", "[handle 1] and r2 and [handle 1]"),
        ("/scratch/tmpab12cd34/x", "/scratch/[id 1]/x"),
        ("phone 12345678901, year 1999, r3", "phone 12345678901, year 1999, r3"),
    ],
)
def test_what_is_volatile_has_a_sign(text: str, signed: str) -> None:
    signs = Signs(Moments([datetime(2026, 11, 23, 7, 0, tzinfo=UTC).timestamp()]))
    signs.handles = frozenset({"r1"})
    assert signs.told(text) == signed


def test_a_model_that_repeats_what_it_was_told_repeats_the_sign_and_nothing_else() -> None:
    signs = Signs(Moments([0.0]))
    one, other = str(uuid.uuid4()), str(uuid.uuid4())
    signs.told(f"the order {one}")
    assert signs.answered(f"{one}, {other}") == f"[id 1], {other}"
    assert signs.read(f"[id 1], [id 2], {other}") == f"{one}, [id 2], {other}"
