"""Several kernels on one recording: nothing is lost, whoever writes when."""

from __future__ import annotations

import json
import subprocess
import sys
import threading
from typing import TYPE_CHECKING

import pytest

import nbagents as nba
from nbagents.recordings import FileLines, recording_at
from nbagents.recordings.index import Recording

if TYPE_CHECKING:
    from pathlib import Path

COUNT = 25
SCRIPT = """
import sys
import nbagents as nba
path, mode, who, count, same = sys.argv[1:]
for number in range(int(count)):
    prompt = f"Question {number}" if same == "same" else f"Question {who} {number}"
    with nba.recording(path, mode):
        nba.Agent(model=nba.ScriptedModel([f"Answer of {who}."])).run(prompt, log="memory")
"""


def kernels(path: Path, mode: str, same: str) -> None:
    begun = [
        subprocess.Popen([sys.executable, "-c", SCRIPT, str(path), mode, who, str(COUNT), same])
        for who in ("a", "b")
    ]
    assert [one.wait() for one in begun] == [0, 0]


@pytest.mark.medium
def test_two_kernels_that_extend_one_file_lose_nothing(tmp_path: Path) -> None:
    path = tmp_path / "a.recording.jsonl"
    kernels(path, "extend", "own")
    told = [json.loads(line) for line in path.read_text().splitlines()]
    assert sum("nbagents_recording" in one for one in told) == 1
    asked = {one["asked"][0]["text"] for one in told if "asked" in one}
    assert asked == {f"Question {who} {number}" for who in "ab" for number in range(COUNT)}


@pytest.mark.medium
def test_two_refreshes_of_one_file_leave_one_answer_to_each_question(tmp_path: Path) -> None:
    path = tmp_path / "a.recording.jsonl"
    with path.open("w") as out:
        out.write('{"nbagents_recording": 1}\nsomebody wrote this\n')
    kernels(path, "refresh", "same")
    told = path.read_text().splitlines()
    assert "somebody wrote this" in told
    asked = [json.loads(one)["asked"][0]["text"] for one in told if '"asked"' in one]
    assert sorted(asked) == sorted(f"Question {number}" for number in range(COUNT))


def test_a_refresh_beside_an_extension_loses_nothing(tmp_path: Path) -> None:
    path = tmp_path / "a.recording.jsonl"

    def ask(mode: str, prompt: str) -> None:
        with nba.recording(path, mode):  # type: ignore[arg-type]
            nba.Agent(model=nba.ScriptedModel(["Yes."])).run(prompt, log="memory")

    def often(mode: str) -> None:
        for at in range(30):
            ask(mode, f"{mode} {at % 7}")

    threads = [threading.Thread(target=often, args=(mode,)) for mode in ("extend", "refresh")]
    for one in threads:
        one.start()
    for one in threads:
        one.join()
    asked = sorted(one.prompt for one in recording_at(path).exchanges())
    assert asked == sorted(f"{mode} {at}" for mode in ("extend", "refresh") for at in range(7))


def test_what_another_kernel_has_written_meanwhile_is_found(tmp_path: Path) -> None:
    path = tmp_path / "a.recording.jsonl"
    with nba.recording(path, "extend"):
        nba.Agent(model=nba.ScriptedModel(["Mine."])).run("Mine?", log="memory")
    other = Recording(FileLines(path))
    with nba.recording(other, "extend"):
        nba.Agent(model=nba.ScriptedModel(["Theirs."])).run("Theirs?", log="memory")
    with nba.recording(path):
        assert nba.Agent().run("Theirs?", log="memory").text == "Theirs."


LONG = """
import os, sys
import nbagents as nba
from nbagents.models.scripted import call

@nba.tool
def told(n: int) -> int:
    "Say that the model has asked for it."
    os.write(1, b"x")
    if n == int(sys.argv[2]):
        os.kill(os.getpid(), 9)
    return n

model = nba.ScriptedModel([*[call("told", n=n) for n in range(50)], "Done."])
with nba.recording(sys.argv[1], sys.argv[3]):
    nba.Agent(model=model, tools=[told], max_steps=60).run("Go", log="memory")
"""


@pytest.mark.medium
@pytest.mark.parametrize("mode", ["extend", "refresh"])
@pytest.mark.parametrize("last", [0, 1, 17])
def test_a_kernel_that_is_killed_has_written_all_that_was_answered(
    tmp_path: Path, mode: str, last: int
) -> None:
    path = tmp_path / "a.recording.jsonl"
    command = [sys.executable, "-c", LONG, str(path), str(last), mode]
    ended = subprocess.run(command, stdout=subprocess.PIPE, check=False)
    recording = Recording(FileLines(path))
    assert len(recording.exchanges()) == len(ended.stdout) == last + 1
    assert len(recording.results()) == last
    assert recording.damaged == ()
