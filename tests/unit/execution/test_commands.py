"""`nbagents test` and `nbagents run` with real kernels, as one types them."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol
from xml.etree import ElementTree as ET

import pytest

from nbagents.cli import main
from tests.unit.execution.written import call, cell, shown_run, written

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.medium

DOUBLE = '''
import nbagents as nba

@nba.tool
def double(x: int) -> int:
    """Double a number."""
    return 2 * x

def ask(*steps):
    agent = nba.Agent(tools=[double], model=nba.ScriptedModel(list(steps)))
    return agent.run("Double 4")

CALL = nba.CallRequest(id="c1", name="double", arguments='{"x": 4}')
'''
FAILS = """
try:
    ask(nba.ModelError("the model is away"))
except nba.ModelError as error:
    print(error)
"""
SAVED = shown_run(call("c1", "double", {"x": 5}))


@dataclass(frozen=True, kw_only=True)
class Done:
    """What a command came to."""

    returncode: int
    stdout: str
    stderr: str


class Nbagents(Protocol):
    """Runs the command in a folder."""

    def __call__(self, *words: str, cwd: Path) -> Done: ...


@pytest.fixture
def nbagents(monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> Nbagents:
    def run(*words: str, cwd: Path) -> Done:
        monkeypatch.chdir(cwd)
        code = main(words)
        said = capfd.readouterr()
        return Done(returncode=code, stdout=said.out, stderr=said.err)

    return run


def read(path: Path) -> Any:  # Any: what a notebook holds
    return json.loads(path.read_text(encoding="utf-8"))


def text_of(one: Any) -> str:
    """What a cell printed."""
    return "".join("".join(output.get("text", [])) for output in one["outputs"])


def test_what_does_not_hold_is_said_with_a_reason_and_a_diff(
    nbagents: Nbagents, tmp_path: Path
) -> None:
    written(
        tmp_path / "agents.ipynb",
        cell("%load_ext nbagents"),
        cell(DOUBLE),
        cell("ask(CALL, 'Eight.')", outputs=[SAVED]),
        cell("ask(CALL, 'Eight.')", "nbagents-names-only", outputs=[SAVED]),
        cell("ask(CALL, 'Eight.')  # nbagents: any-calls\n# nbagents: any-calls"),
        cell(FAILS, outputs=[shown_run(status="failed")]),
        cell(FAILS, "nbagents-may-fail", outputs=[shown_run(status="failed")]),
        cell("1 / 0", "raises-exception"),
    )
    written(tmp_path / "error.ipynb", cell("x = 1"), cell("# so\nx.nothing"), cell("never"))
    written(tmp_path / "died.ipynb", cell("import os\nos._exit(3)"))
    (tmp_path / "cut.ipynb").write_text('{"cells": [{"cell_type": "co', encoding="utf-8")
    before = {path.name: path.read_bytes() for path in tmp_path.glob("*.ipynb")}

    done = nbagents("test", ".", "--junit", "out/report.xml", cwd=tmp_path)

    assert done.returncode == 1, done.stderr
    assert "4 notebooks: 0 passed, 4 failed" in done.stdout.splitlines()[-1]
    report = ET.parse(tmp_path / "out" / "report.xml").getroot()
    assert report.attrib["failures"] == "4"
    said = {
        case.attrib["name"]: (failure.attrib["message"], failure.text or "")
        for case in report.iter("testcase")
        for failure in case.iter("failure")
    }
    assert "-  double(x=5)\n+  double(x=4)" in said["agents.ipynb"][1]
    assert "In [3] \"ask(CALL, 'Eight.')\": its calls are not those" in said["agents.ipynb"][1]
    assert "In [6] 'try:': its run failed: " in said["agents.ipynb"][0]
    assert "(and 1 more)" in said["agents.ipynb"][0]
    assert said["error.ipynb"][0].startswith("In [2] '# so': AttributeError: 'int' object")
    assert "x.nothing" in said["error.ipynb"][1]
    assert "its kernel died" in said["died.ipynb"][0].lower()
    assert "cut off at line 1" in said["cut.ipynb"][0]
    assert {path.name: path.read_bytes() for path in tmp_path.glob("*.ipynb")} == before


def test_a_cell_that_takes_too_long_is_stopped_and_not_saved(
    nbagents: Nbagents, tmp_path: Path
) -> None:
    path = written(tmp_path / "slow.ipynb", cell("import time\ntime.sleep(600)"))
    before = path.read_bytes()
    done = nbagents("test", ".", "--timeout", "1", "--update", cwd=tmp_path)
    assert done.returncode == 1
    assert "In [1] 'import time': It took longer than 1 s." in done.stdout
    assert path.read_bytes() == before


NETWORK = """
import asyncio, socket, subprocess, sys, threading
import httpx

def refused(do, address):
    try:
        do()
    except Exception as error:
        while error is not None:
            if address in str(error) and "tests have no network" in str(error):
                return
            error = error.__cause__ or error.__context__
    raise AssertionError(address)
"""
WAYS = """
refused(lambda: socket.create_connection(("example.org", 443)), "In [2] wanted example.org:443")
refused(lambda: httpx.get("http://example.net/"), "example.net")

async def ask():
    async with httpx.AsyncClient() as client:
        await client.get("http://192.0.2.7/")

said = []
def in_a_thread():
    try:
        asyncio.run(ask())
    except Exception as error:
        said.append(error)

thread = threading.Thread(target=in_a_thread)
thread.start()
thread.join()
refused(lambda: (_ for _ in ()).throw(said[0]), "192.0.2.7:80")
"""
SERVER = """
import http.server
server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), http.server.SimpleHTTPRequestHandler)
threading.Thread(target=server.serve_forever, daemon=True).start()
url = f"http://127.0.0.1:{server.server_port}/"
refused(lambda: httpx.get(url), "127.0.0.1")
"""


def test_a_cell_has_no_network_but_this_machine_where_it_says_so(
    nbagents: Nbagents, tmp_path: Path
) -> None:
    written(
        tmp_path / "network.ipynb",
        cell(NETWORK),
        cell(WAYS),
        cell(SERVER),
        cell("# nbagents: loopback\nassert httpx.get(url).status_code == 200"),
        cell("httpx.get(url)"),
    )
    done = nbagents("test", "network.ipynb", cwd=tmp_path)
    assert done.returncode == 1
    assert "In [5] 'httpx.get(url)': ConnectError: In [5] wanted 127.0.0.1:" in done.stdout
    assert "tag the cell `nbagents-loopback`" in done.stdout
    assert "note: In [2] wanted example.org:443, example.net:80, 192.0.2.7:80" in done.stdout


def test_an_update_is_written_once_and_then_holds(nbagents: Nbagents, tmp_path: Path) -> None:
    path = written(
        tmp_path / "one.ipynb",
        cell("%load_ext nbagents"),
        cell(DOUBLE),
        cell("ask(CALL, 'Eight.')", "mine", outputs=[SAVED]),
        own={"kept": True},
    )
    done = nbagents("test", "one.ipynb", "--update", cwd=tmp_path)
    assert done.returncode == 0
    assert "1 updated" in done.stdout
    first = path.read_bytes()
    again = nbagents("test", "one.ipynb", "--update", "--outputs", cwd=tmp_path)
    assert again.returncode == 0
    assert "updated" not in again.stdout
    assert path.read_bytes() == first
    notebook = read(path)
    assert notebook["metadata"]["own"] == {"kept": True}
    assert notebook["cells"][2]["metadata"] == {"tags": ["mine"]}
    assert "double(x=4)" in str(notebook["cells"][2]["outputs"])


PARAMETERS = "count = 1\nname = 'x'\nshare: float = 0.5"


def test_a_notebook_runs_with_values_and_stays_as_it_was(
    nbagents: Nbagents, tmp_path: Path
) -> None:
    path = written(
        tmp_path / "one.ipynb",
        cell(PARAMETERS, "parameters"),
        cell("print(count, repr(name), share)"),
        cell("import os\nprint(os.environ['NBAGENTS_NOTEBOOK'], os.environ['NBAGENTS_RECORD'])"),
        cell("%load_ext nbagents"),
        cell(DOUBLE),
        cell("ask(CALL, 'Eight.')"),
        cell("1 / 0"),
        cell("never = 1"),
        kernelspec={},
    )
    before = path.read_bytes()
    values = ("-p", "count=3", "-p", "name=7", "-p", "share=1", "-p", "cuont=2")
    done = nbagents("run", "one.ipynb", "-o", "out.ipynb", "--live", *values, cwd=tmp_path)

    assert done.returncode == 1
    assert path.read_bytes() == before
    assert "note: It names no kernel, so python3 runs it." in done.stderr
    assert "no parameter 'cuont'. Did you mean 'count'?" in done.stderr
    assert "    agent (scripted): done, " in done.stdout
    assert "failed in In [8]: ZeroDivisionError: division by zero" in done.stdout
    cells = read(tmp_path / "out.ipynb")["cells"]
    assert cells[1]["metadata"]["tags"] == ["injected-parameters"]
    assert text_of(cells[2]) == "3 '7' 1.0\n"
    assert text_of(cells[3]) == f"{path} live\n"
    assert cells[7]["outputs"][-1]["ename"] == "ZeroDivisionError"
    assert cells[8]["execution_count"] is None


def test_what_comes_is_kept_after_each_cell_also_in_the_notebook_itself(
    nbagents: Nbagents, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("nbagents.cli.run.KEEP_EVERY_S", 0)
    look = "print(open('one.ipynb').read().count('s' + 'o far'))"
    path = written(tmp_path / "one.ipynb", cell("print('so' + ' far')"), cell(look), cell("1 / 0"))
    assert nbagents("run", "one.ipynb", "-o", "one.ipynb", cwd=tmp_path).returncode == 1
    cells = read(path)["cells"]
    assert text_of(cells[1]) == "1\n"
    assert cells[2]["outputs"][0]["ename"] == "ZeroDivisionError"


PARROT = """
import nbagents as nba
from nbagents.models.model import ModelTurn
%load_ext nbagents

class Parrot:
    name = "parrot"

    async def stream(self, request):
        yield ModelTurn(text=request.messages[-1].text.upper())

agent = nba.Agent(model=Parrot())
"""


def test_answers_come_from_the_recording_and_what_it_has_not_is_shown(
    nbagents: Nbagents, tmp_path: Path
) -> None:
    asks = [cell(PARROT), cell('print(agent.run("Double four").text)')]
    written(tmp_path / "one.ipynb", *asks)
    assert nbagents("run", "one.ipynb", "--refresh", cwd=tmp_path).returncode == 0
    recording = tmp_path / "one.recording.jsonl"
    before = recording.read_bytes()
    written(tmp_path / "one.ipynb", *asks, cell('agent.run("Double five")'))
    done = nbagents("test", "one.ipynb", cwd=tmp_path)
    assert done.returncode == 1
    assert "In [3] 'agent.run(\"Double five\")': RecordingMiss: one.recording.jsonl" in done.stdout
    assert "- Double four" in done.stdout
    assert "+ Double five" in done.stdout
    assert "In [2]" not in done.stdout
    assert recording.read_bytes() == before


@pytest.mark.parametrize(
    ("command", "code"), [("run", 1), pytest.param("test", 2, marks=pytest.mark.slow)]
)
def test_an_interrupt_ends_it_and_keeps_what_ran(tmp_path: Path, command: str, code: int) -> None:
    mark = tmp_path / "begun"
    slow = f"import pathlib, time\npathlib.Path({str(mark)!r}).touch()\ntime.sleep(600)"
    path = written(tmp_path / "one.ipynb", cell("print('first')"), cell(slow), cell("never"))
    before = path.read_bytes()
    output = ["-o", "out.ipynb"] if command == "run" else []
    with subprocess.Popen(
        [sys.executable, "-m", "nbagents.cli", command, "one.ipynb", *output],
        cwd=tmp_path,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    ) as running:
        while not mark.exists() and running.poll() is None:
            time.sleep(0.05)
        running.send_signal(signal.SIGINT)
        said, _ = running.communicate()
    assert running.returncode == code, said
    assert "interrupted" in said
    assert path.read_bytes() == before
    if output:
        cells = read(tmp_path / "out.ipynb")["cells"]
        assert text_of(cells[0]) == "first\n"
        assert cells[1]["outputs"][-1]["ename"] == "KeyboardInterrupt"
        assert len(cells) == 3


IMPORTED = DOUBLE.replace("@nba.tool\n", "")
"""The same without the extension: no run of it shows a card."""


def test_runs_of_a_notebook_that_loads_no_extension_are_counted_and_looked_at(
    nbagents: Nbagents, tmp_path: Path
) -> None:
    written(tmp_path / "plain.ipynb", cell(IMPORTED), cell("ask(CALL, 'eight').text"), cell(FAILS))
    done = nbagents("test", "plain.ipynb", cwd=tmp_path)
    assert done.returncode == 1
    assert "3 cells, 2 runs, 1 call" in done.stdout
    assert "In [3] 'try:': its run failed: the model is away" in done.stdout
    assert "2 runs without a card, in In [2], In [3]" in done.stdout


def test_such_a_run_may_fail_where_its_cell_says_so(nbagents: Nbagents, tmp_path: Path) -> None:
    written(tmp_path / "plain.ipynb", cell(IMPORTED), cell(f"# nbagents: may-fail\n{FAILS}"))
    done = nbagents("test", "plain.ipynb", cwd=tmp_path)
    assert (done.returncode, "2 cells, 1 run, 0 calls" in done.stdout) == (0, True)


RECORDED = """
import nbagents as nba
from nbagents.models.scripted import call

def double(x: int) -> int:
    return 2 * x

class Teacher(nba.ScriptedModel):
    name = "teacher"
    asks_nobody = False

def ask(*steps):
    return nba.Agent(tools=[double], model=Teacher(list(steps))).run("Double 4").text
"""


def test_such_runs_are_replayed_from_the_recording_beside_the_notebook(
    nbagents: Nbagents, tmp_path: Path
) -> None:
    asks = "assert ask(call('double', x=4), 'eight') == 'eight'"
    path = tmp_path / "plain.ipynb"
    written(path, cell(RECORDED), cell(asks))
    recorded = nbagents("run", "plain.ipynb", "--refresh", cwd=tmp_path)
    assert recorded.returncode == 0, recorded.stdout
    assert (tmp_path / "plain.recording.jsonl").is_file()
    written(path, cell(RECORDED), cell("assert ask() == 'eight'"))
    replayed = nbagents("test", "plain.ipynb", cwd=tmp_path)
    assert (replayed.returncode, "1 run, 1 call" in replayed.stdout) == (0, True), replayed.stdout
    written(path, cell(RECORDED.replace("Double 4", "Double 5")), cell("ask('nine')"))
    missed = nbagents("test", "plain.ipynb", cwd=tmp_path)
    assert missed.returncode == 1
    assert "RecordingMiss" in missed.stdout
