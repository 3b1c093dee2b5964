"""Frozen tools: recorded results are given in the place of tools that cannot run."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

import nbagents as nba
from nbagents.errors import RecordingMiss
from nbagents.models.scripted import call

if TYPE_CHECKING:
    from pathlib import Path

MADE: list[str] = []


class Robot:
    """Something that no JSON can carry."""


@nba.tool(replace=True)
def measure(place: str) -> nba.Result:
    """Measure with a device that no class room has."""
    MADE.append(place)
    if place == "nowhere":
        raise nba.ToolError("There is no such place.")
    return nba.Result(f"{len(MADE)} degrees in {place}.", data={"kind": "weather", "at": place})


@nba.tool(replace=True)
def build() -> Robot:
    """Build a robot."""
    MADE.append("robot")
    return Robot()


@nba.tool(replace=True)
def ask_robot(robot: Robot, question: str) -> str:
    """Ask it."""
    MADE.append(question)
    return f"{question}: yes"


TOOLS = [measure, build, ask_robot]


@pytest.fixture(autouse=True)
def _nothing_was_made() -> None:
    MADE.clear()


def file(folder: Path) -> Path:
    return folder / "lesson.recording.jsonl"


def record(folder: Path, *steps: object) -> nba.Run:
    model = nba.ScriptedModel([*steps, "Done."])  # type: ignore[list-item]
    with nba.recording(file(folder), "extend"):
        return nba.Agent(model=model, tools=TOOLS).run("Go", log="memory")


def forget_results(folder: Path) -> None:
    told = file(folder).read_text().splitlines(keepends=True)
    file(folder).write_text("".join(one for one in told if '"result"' not in one))


def replay(folder: Path) -> nba.Run:
    MADE.clear()
    with nba.recording(file(folder), frozen_tools=True):
        return nba.Agent(tools=TOOLS).run("Go", log="memory")


def test_results_payloads_and_failures_are_given_again_and_no_tool_runs(tmp_path: Path) -> None:
    calls = [call("measure", place="Oslo"), call("measure", place="nowhere")]
    first = record(tmp_path, calls, call("measure", place="Oslo"))
    again = replay(tmp_path)
    assert MADE == []
    assert [one.content for one in again.calls] == [one.content for one in first.calls]
    assert [one.status for one in again.calls] == ["done", "failed", "done"]
    assert again.calls[0].content != again.calls[2].content
    assert again.data.by_name["measure"] == first.data.by_name["measure"]


def test_an_object_that_no_json_carries_has_a_stand_in_of_the_same_name(tmp_path: Path) -> None:
    first = record(tmp_path, call("build"), call("ask_robot", robot="r1", question="Ready?"))
    again = replay(tmp_path)
    assert MADE == []
    assert [one.content for one in again.calls] == [one.content for one in first.calls]
    assert "recorded" in repr(again.values["r1"])


def test_a_call_without_a_recorded_result_is_a_miss(tmp_path: Path) -> None:
    record(tmp_path, call("measure", place="Oslo"))
    kept = [
        one for one in file(tmp_path).read_text().splitlines() if '"call": "measure"' not in one
    ]
    file(tmp_path).write_text("\n".join([*kept, ""]))
    with pytest.raises(RecordingMiss, match="no result of 'measure' with these arguments"):
        replay(tmp_path)
    assert MADE == []


def test_extend_runs_and_keeps_what_is_missing(tmp_path: Path) -> None:
    record(tmp_path, call("measure", place="Oslo"))
    kept = [
        one for one in file(tmp_path).read_text().splitlines() if '"call": "measure"' not in one
    ]
    file(tmp_path).write_text("\n".join([*kept, ""]))
    MADE.clear()
    with nba.recording(file(tmp_path), "extend", frozen_tools=True):
        nba.Agent(model=nba.ScriptedModel([]), tools=TOOLS).run("Go", log="memory")
    assert MADE == ["Oslo"]
    assert replay(tmp_path).text == "Done."
    assert MADE == []


def test_a_tool_that_starts_runs_is_made_and_what_those_call_is_frozen(tmp_path: Path) -> None:
    def family(model: nba.ScriptedModel | None, inner: nba.ScriptedModel | None) -> nba.Agent:
        child = nba.Agent(name="child", model=inner, tools=TOOLS)
        return nba.Agent(model=model, tools=[child.as_tool()])

    with nba.recording(file(tmp_path), "extend"):
        steps = [call("child", input="Measure"), "Done."]
        inner = nba.ScriptedModel([call("measure", place="Oslo"), "Measured."])
        family(nba.ScriptedModel(steps), inner).run("Go", log="memory")
    MADE.clear()
    with nba.recording(file(tmp_path), frozen_tools=True):
        again = family(None, None).run("Go", log="memory")
    assert MADE == []
    assert again.children[0].calls[0].content == "1 degrees in Oslo."


def test_a_miss_inside_ends_the_whole_run_and_no_model_is_told(tmp_path: Path) -> None:
    def family(inner: nba.ScriptedModel, said: str) -> nba.Agent:
        child = nba.Agent(name="child", model=inner, instructions=said)
        steps = [call("child", input="Hi"), "Done."]
        tool = child.as_tool(description="Ask a child.")
        return nba.Agent(model=nba.ScriptedModel(steps), tools=[tool])

    with nba.recording(file(tmp_path), "extend"):
        family(nba.ScriptedModel(["Yes."]), "Be kind.").run("Go", log="memory")
    with nba.recording(file(tmp_path)), pytest.raises(RecordingMiss, match=r"\+ Be brief\."):
        family(nba.ScriptedModel([]), "Be brief.").run("Go", log="memory")
