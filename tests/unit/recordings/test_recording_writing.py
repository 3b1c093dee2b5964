"""What is written is what is read again, in few writes, and soon enough."""

from __future__ import annotations

import asyncio
import json
import os
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import nbagents as nba
from nbagents.errors import RecordingError
from nbagents.models.scripted import call
from nbagents.recordings import FileLines, RecordedResult, recording_at
from nbagents.recordings.exchange.secrets import SHAPES, scrubbed
from nbagents.recordings.exchange.volatile import KNOWN, MOMENTS, Moments, Signs
from nbagents.recordings.index import Recording

if TYPE_CHECKING:
    from pathlib import Path

    from nbagents.recordings import Mode

NOW_S = 1_795_417_200.0
VOLATILE = [
    "12345678-90ab-cdef-1234-567890abcdef",
    "run-0123456789ab",
    "call_abcdefghijklmnop0",
    "/var/tmpab12cd34/y \\tmpab12cd34",
    "<A object at 0x7f00aa>",
    "2026-11-23T07:00:00Z",
    "2026-11-23 07:00",
    "2026-11-23",
    "2001-01-01",
    "1795417200",
    "1795417200123.5",
    "r1",
    "r12",
]
PIECES = st.one_of(st.sampled_from(VOLATILE), st.text(max_size=4), st.sampled_from(" -/1r_."))


@nba.tool(replace=True)
def add(a: int, b: int) -> int:
    """Add two numbers."""
    return a + b


@nba.tool(replace=True)
async def slowly(a: int) -> int:
    """Take a while."""
    await asyncio.sleep(0.2)
    return a


def record(path: Path, mode: Mode, answer: str = "Done.") -> None:
    steps: list[Any] = [[call("add", a=1, b=2), call("add", a=2, b=3)], call("add", a=5, b=0)]
    with nba.recording(path, mode):
        nba.Agent(model=nba.ScriptedModel([*steps, answer]), tools=[add]).run("Go", log="memory")


def known(recording: Recording) -> list[dict[str, Any]]:
    entries = [*recording.exchanges(), *recording.results()]
    made = [{name: getattr(one, name) for name in type(one).__slots__} for one in entries]
    return sorted(({**one, "raw": bytes(one["raw"])} for one in made), key=lambda one: one["line"])


def test_what_was_written_is_known_as_if_it_were_read_again(tmp_path: Path) -> None:
    path = tmp_path / "a.recording.jsonl"
    own = recording_at(path)
    record(path, "extend")  # the first line makes the file, so that it is read
    record(path, "extend", "It is not asked again.")
    for number in range(3):
        record(path, "refresh", f"Anew {number}.")
        record(path, "extend", "It is not asked again.")
        assert known(own) == known(Recording(FileLines(path)))


def test_what_calls_gave_goes_with_the_next_exchange(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "a.recording.jsonl"
    written: list[int] = []
    append = FileLines.append

    def counted(self: FileLines, data: bytes, first: bytes, expected: object) -> object:
        written.append(data.count(b"\n"))
        return append(self, data, first, expected)

    monkeypatch.setattr(FileLines, "append", counted)
    record(path, "extend")
    assert (sum(written), len(written)) == (6, 3)


def test_what_a_call_gave_is_written_while_another_one_still_runs(tmp_path: Path) -> None:
    path = tmp_path / "a.recording.jsonl"
    seen: list[bool] = []

    @nba.tool(replace=True)
    async def looks() -> str:
        """Look at the file, once the other call is done."""
        await asyncio.sleep(0.15)
        seen.append('"call": "add"' in path.read_text())
        return "looked"

    steps = [[call("add", a=1, b=2), call("looks")], "Done."]
    with nba.recording(path, "extend"):
        agent = nba.Agent(model=nba.ScriptedModel(steps), tools=[add, looks])
        agent.run("Go", log="memory")
    assert seen == [True]


def test_what_the_last_calls_of_a_run_gave_is_written_when_it_ends(tmp_path: Path) -> None:
    path = tmp_path / "a.recording.jsonl"
    model = nba.ScriptedModel([call("add", a=1, b=2), OSError("gone")])
    with nba.recording(path, "extend"), pytest.raises(OSError, match="gone"):
        nba.Agent(model=model, tools=[add]).run("Go", log="memory")
    (result,) = Recording(FileLines(path)).results()
    assert isinstance(result, RecordedResult)
    assert json.loads(bytes(result.raw))["result"]["content"] == "3"


def test_a_result_that_cannot_be_written_fails_the_run_with_its_next_exchange(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "a.recording.jsonl"
    write, count = os.write, 0

    def full(file: int, data: bytes) -> int:
        nonlocal count
        count += 1
        if count > 1:
            raise OSError(28, "No space left on device")
        return write(file, data)

    monkeypatch.setattr("nbagents.recordings.lines.os.write", full)
    model = nba.ScriptedModel([call("slowly", a=1), "Done."])
    with nba.recording(path, "extend"), pytest.raises(RecordingError, match="Make room"):
        nba.Agent(model=model, tools=[slowly]).run("Go", log="memory")
    monkeypatch.undo()
    before = path.read_bytes()
    assert before.count(b"\n") == 2
    record(path, "extend")  # nothing of the run that failed is written later
    assert b'"call": "slowly"' not in path.read_bytes()


HANDLES = st.sampled_from([frozenset[str](), frozenset({"r1"})])


@given(st.lists(PIECES, max_size=6).map("".join), HANDLES)
def test_a_look_ahead_overlooks_nothing_that_is_volatile(
    text: str, handles: frozenset[str]
) -> None:
    def signs() -> Signs:
        made = Signs(Moments([NOW_S]))
        made.handles = handles
        return made

    seen, all_seen = signs(), signs()
    told = KNOWN.sub(all_seen._sign, text)  # pyright: ignore[reportPrivateUsage]
    assert seen.told(text) == MOMENTS.sub(all_seen._sign, told)  # pyright: ignore[reportPrivateUsage]


TOKENS = {
    "sk-": "sk-proj-" + "a1B2" * 5,
    "ghp_": "ghp_" + "a1B2" * 9,
    "github_pat_": "github_pat_" + "a1_2" * 9,
    "glpat-": "glpat-" + "a1B2-" * 5,
    "hf_": "hf_" + "a1B2" * 9,
    "xox": "xoxb-a1B2c3D4e5",
    "AKIA": "AKIA" + "ABCD" * 4,
    "AIza": "AIza" + "a1B2c" * 7,
    "ya29.": "ya29." + "a1B2" * 5,
    "npm_": "npm_" + "a1B2" * 9,
    "pypi-": "pypi-" + "a1B2c" * 10,
    "eyJ": "eyJhbGciOiJ.eyJzdWIiOiI.dozjgNryP",
    "Bearer ": "Bearer " + "a1B2" * 4,
    "PRIVATE KEY": "-----BEGIN RSA PRIVATE KEY-----\nabc\n-----END RSA PRIVATE KEY-----",
}


def test_each_shape_of_a_token_is_looked_for() -> None:
    assert {marks[0] for marks in SHAPES} == set(TOKENS)


@given(st.sampled_from(sorted(TOKENS)), st.text(max_size=20), st.text(max_size=20))
def test_a_token_is_found_wherever_it_stands(mark: str, before: str, after: str) -> None:
    token = TOKENS[mark]
    assert token not in scrubbed(f"{before} {token} {after}")
