"""Tools that misbehave in a real kernel: the next cell works, and what the page gets is bounded."""

from __future__ import annotations

import json
import time
from contextlib import closing
from typing import TYPE_CHECKING

import pytest

from nbagents.runs.logs.sqlite.log import SqliteLog
from nbagents.runs.tree.folding import fold
from tests.faults.leaving import assert_calls_end_once
from tests.kernels.front_end import FrontEnd

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from nbagents.events import AnyEvent
    from nbagents.runs.tree.nodes import RunNode

WRITTEN_S = 10.0
MOST_SENT = 1_000_000
"""Characters that a page may be sent of a run whose tool prints 100 MB."""

SETTING = """
%load_ext nbagents
import os, sys, threading, time, warnings
import nbagents as nba

def run(tool):
    calls = (nba.CallRequest(id="call-1", name=tool.__name__, arguments="{}"),)
    model = nba.ScriptedModel([nba.ModelTurn(calls=calls), nba.ModelTurn(text="So be it.")])
    return nba.Agent(tools=[tool], model=model).run(tool.__name__)
"""
AGAIN = "def fine() -> str:\n    'Fine.'\n    return 'fine'\nprint(run(fine).calls[0].content)"


@pytest.fixture(scope="module")
def state(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The state folder of the kernel."""
    return tmp_path_factory.mktemp("state")


@pytest.fixture(scope="module")
def kernel(state: Path) -> Iterator[FrontEnd]:
    """A kernel for the tests of this file: each must leave it usable."""
    with FrontEnd(None, state=state) as front_end:
        front_end.run(SETTING)
        yield front_end


def run_of(kernel: FrontEnd, state: Path, body: str, name: str) -> tuple[str, RunNode]:
    """Run an agent whose one tool does this; the request, and the run as the log has it."""
    lines = "\n".join(f"    {line}" for line in body.splitlines())
    request = kernel.run(f"def {name}() -> object:\n    'Do it.'\n{lines}\nrun({name});")
    assert kernel.errors(request) == []
    mine = events_of(state, name)
    assert_calls_end_once(mine)
    assert_next_cell_works(kernel)
    (run,) = fold(mine)["runs"].values()
    return request, run


def events_of(state: Path, prompt: str) -> list[AnyEvent]:
    """The events of a run that has ended; what nobody waits for is written a moment later."""
    deadline = time.monotonic() + WRITTEN_S
    while time.monotonic() < deadline:
        with closing(SqliteLog(state / "log.sqlite3")) as log:
            (session_id,) = {one.session_id for one in log.find("")}
            events: list[AnyEvent] = []
            while page := log.read(session_id, after_seq=events[-1].seq if events else -1):
                events += page
        runs = [one.run_id for one in events if one.type == "user_message" and one.text == prompt]
        mine = [event for event in events if event.run_id in runs]
        if mine and mine[-1].type == "run_stream_end":
            return mine
        time.sleep(0.02)
    raise TimeoutError(f"the end of {prompt} was not written")


def assert_next_cell_works(kernel: FrontEnd) -> None:
    request = kernel.run(AGAIN)
    assert kernel.errors(request) == []
    assert kernel.printed(request) == "fine\n"


def sent_by(kernel: FrontEnd) -> int:
    """Characters of all that the page was sent so far."""
    messages = kernel.messages("execute_input", "comm_msg", "stream", "display_data", "comm_open")
    messages += kernel.messages("update_display_data", "execute_result")
    return sum(len(json.dumps(one["content"])) for one in messages)


@pytest.mark.parametrize("size", [1_000, 1_000_000], ids=["lines", "blocks"])
def test_100_mb_of_prints_leave_a_usable_notebook(kernel: FrontEnd, state: Path, size: int) -> None:
    name, before = f"print_{size}", sent_by(kernel)
    body = f"for _ in range(100_000_000 // {size}):\n    print('x' * {size - 1})\nreturn 'printed'"
    request, run = run_of(kernel, state, body, name)
    assert (run["status"], run["calls"]["call-1"]["status"]) == ("completed", "done")
    assert run["calls"]["call-1"]["content"] == "printed"
    assert len(json.dumps(run)) < 2_010_000  # 2,000,000 of output: docs/reliability.md
    assert len(kernel.printed(request)) < 1_000
    assert sent_by(kernel) - before < 2_300_000  # that output, and what stands around it


def test_a_tool_that_closes_stdout_does_not_silence_the_kernel(
    kernel: FrontEnd, state: Path
) -> None:
    _, run = run_of(kernel, state, "sys.stdout.close()\nreturn 'closed'", "close_stdout")
    assert (run["status"], run["calls"]["call-1"]["status"]) == ("completed", "done")


def test_a_tool_that_puts_something_else_in_place_of_stdout_does_not_silence_the_kernel(
    kernel: FrontEnd, state: Path
) -> None:
    body = "import io\nbefore = sys.stdout\nsys.stdout = io.StringIO()\nprint('lost')\n"
    body += "sys.stdout = before\nreturn 'given back'"
    _, run = run_of(kernel, state, body, "swap_stdout")
    assert run["calls"]["call-1"]["content"] == "given back"


def test_a_thread_that_prints_after_its_call_breaks_nothing(kernel: FrontEnd, state: Path) -> None:
    body = "def later():\n    time.sleep(0.3)\n    print('late')\n"
    body += "threading.Thread(target=later).start()\nreturn 'left'"
    _, run = run_of(kernel, state, body, "print_later")
    assert run["calls"]["call-1"]["content"] == "left"
    assert run["calls"]["call-1"]["output"] == []
    assert kernel.errors(kernel.run("time.sleep(0.4)")) == []
    assert_next_cell_works(kernel)


@pytest.mark.parametrize("error", ["SystemExit(1)", "GeneratorExit()", "MemoryError()"])
def test_an_exit_of_a_tool_does_not_end_the_kernel(
    kernel: FrontEnd, state: Path, error: str
) -> None:
    name = "raise_" + error.partition("(")[0].lower()
    _, run = run_of(kernel, state, f"raise {error}", name)
    assert (run["status"], run["calls"]["call-1"]["status"]) == ("completed", "failed")


def test_a_tool_that_displays_100_mb_leaves_a_usable_notebook(
    kernel: FrontEnd, state: Path
) -> None:
    before = sent_by(kernel)
    body = "from IPython.display import HTML, display\ndisplay(HTML('x' * 100_000_000))"
    _, run = run_of(kernel, state, body, "display_much")
    assert run["status"] == "completed"
    assert len(json.dumps(run)) < 5_000_000
    assert sent_by(kernel) - before < 3 * MOST_SENT


def test_a_kernel_whose_tool_kills_it_leaves_its_call_unknown(tmp_path: Path) -> None:
    with FrontEnd(None, state=tmp_path) as front_end:
        front_end.run(SETTING)
        front_end.execute("def die():\n    'Die.'\n    time.sleep(0.2)\n    os._exit(1)\nrun(die)")
        front_end.wait_to_see("start")
        front_end._kernel._process.wait()  # pyright: ignore[reportPrivateUsage]  it dies by itself
    with closing(SqliteLog(tmp_path / "log.sqlite3")) as log:
        (run,) = log.find("")
        events = list(log.read(run.session_id))
    assert "tool_end" not in [event.type for event in events]
    assert [event.type for event in events][-1] == "tool_start"
