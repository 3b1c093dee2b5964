"""What our wheel must do where it is installed; `matrix.py` runs it there, outside the checkout."""

from __future__ import annotations

import json
import platform
import subprocess
import sys
import warnings
from importlib import metadata
from pathlib import Path
from typing import Any

warnings.filterwarnings("error", module=r"nbagents(_widgets)?(\.|$)")

from IPython.core.interactiveshell import InteractiveShell  # noqa: E402  as below

import nbagents as nba  # noqa: E402  under the filter

RUN_MIME = "application/vnd.nbagents.run.v1+json"
COMMAND = str(Path(sys.prefix) / "bin" / "nbagents")
ASKED = "What is the population of Nairobi?"
TOOL_CELL = '''%%tool
def population(city: str) -> int:
    """How many people live in a city."""
    return {"Quito": 1_978_000, "Nairobi": 4_397_000}[city]
'''
DIRECT = ("openai", "pydantic", "anywidget", "ipython", "jupyterlab", "ipykernel")


def it_is_the_wheel_and_knows_its_name() -> None:
    assert Path(nba.__file__).is_relative_to(sys.prefix)
    assert metadata.version("jupyter-nbagents") == nba.__version__
    assert all(getattr(nba, name) is not None for name in nba.__all__)


def its_command_answers() -> None:
    assert nba.__version__ in output(COMMAND, "--version")
    assert "--no-lab" in output(COMMAND, "demo", "--help")
    assert "jupyter-nbagents" in output(COMMAND, "doctor")


def an_agent_calls_a_tool_offline() -> None:
    def population(city: str) -> int:
        """How many people live in a city."""
        return {"Quito": 1_978_000, "Nairobi": 4_397_000}[city]

    run = nba.Agent(tools=[population], model="offline").run(ASKED)
    assert run.status == "completed"
    assert [(call.name, call.content) for call in run.calls] == [("population", "4397000")]
    assert "4397000" in run.text


def the_magics_work_in_a_shell() -> None:
    shell: Any = InteractiveShell.instance()  # Any: IPython is untyped
    for cell in ("%load_ext nbagents", TOOL_CELL, f"run = %agent -m offline {ASKED}"):
        shell.run_cell(cell).raise_error()
    assert shell.user_ns["run"].calls[0].content == "4397000"


def the_tour_runs_in_a_kernel_and_is_saved_with_its_runs() -> None:
    output(COMMAND, "demo", "--no-lab")
    notebook = json.loads(Path("nbagents-demo/tour.ipynb").read_text(encoding="utf-8"))
    bundles = [
        made["data"]
        for cell in notebook["cells"]
        for made in cell.get("outputs", [])
        if "data" in made
    ]
    runs = [bundle for bundle in bundles if RUN_MIME in bundle]
    assert runs
    assert all("text/html" in bundle for bundle in runs)


def jupyterlab_finds_the_extension() -> None:
    folder = Path(sys.prefix) / "share" / "jupyter" / "labextensions" / "nbagents"
    described = json.loads((folder / "package.json").read_text(encoding="utf-8"))
    script = described["jupyterlab"]["_build"]["load"].partition("?")[0]
    assert (folder / script).is_file()
    listed = output(sys.executable, "-m", "jupyter", "labextension", "list")
    assert any("nbagents" in line and "OK" in line for line in listed.splitlines())


def output(*command: str) -> str:
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout + done.stderr


if __name__ == "__main__":
    versions = ", ".join(f"{name} {metadata.version(name)}" for name in DIRECT)
    print(f"Python {platform.python_version()}: {versions}", flush=True)
    it_is_the_wheel_and_knows_its_name()
    its_command_answers()
    an_agent_calls_a_tool_offline()
    jupyterlab_finds_the_extension()
    the_tour_runs_in_a_kernel_and_is_saved_with_its_runs()
    the_magics_work_in_a_shell()
