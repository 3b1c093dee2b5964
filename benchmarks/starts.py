"""What a new process takes until it has an agent, beside one that has a pydantic model."""

from __future__ import annotations

import os
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from benchmarks.measure import Timing

__all__ = ["START", "START_FLOOR", "START_MODEL", "starts"]

START_FLOOR = "floor: import pydantic, build one model"
START = "import nbagents, define a tool, build an offline agent"
START_MODEL = "the same, with an OfflineModel() made for it"

MODEL = """
import pydantic

class Place(pydantic.BaseModel):
    city: str
    days: int
"""
TOOL = '''
import nbagents as nba

@nba.tool
def forecast(city: str, days: int = 3) -> str:
    """Say how the weather will be.

    Args:
        city: Where.
        days: How far ahead.
    """
    return f"{city}: fair for {days} days."
'''
AGENT = "agent = nba.Agent(tools=[forecast], model='offline')\n"
ASKING = "assert agent.run('Forecast for Rome', log='memory').text\n"
SCRIPTS = {
    "python": "",
    START_FLOOR: MODEL,
    "import nbagents": "import nbagents",
    START: TOOL + AGENT,
    START_MODEL: TOOL + AGENT.replace("'offline'", "nba.OfflineModel()"),
    "the first, and ask it": TOOL
    + AGENT
    + "\nassert agent.run('Forecast for Rome', log='memory').text",
}


def starts(rounds: int) -> dict[str, Timing]:
    """Start each script once a round, in turns.

    The first round does not count. It compiles: what pip installs is compiled too, so all the
    others find bytecode.
    """
    timings = {name: Timing() for name in SCRIPTS}
    with tempfile.TemporaryDirectory() as folder:
        environment = {**os.environ, "PYTHONPYCACHEPREFIX": folder, "NBAGENTS_STATE_DIR": folder}
        environment.pop("PYTHONDONTWRITEBYTECODE", None)
        for number in range(-1, rounds):
            for index, (name, script) in enumerate(SCRIPTS.items()):
                path = Path(folder) / f"start_{index}.py"
                path.write_text(script, encoding="utf-8")
                wall_ms, cpu_ms = _started(path, environment)
                if number >= 0:
                    timings[name].wall_ms.append(wall_ms)
                    timings[name].cpu_ms.append(cpu_ms)
    return timings


def _started(script: Path, environment: dict[str, str]) -> tuple[float, float]:
    before, wall_s = _cpu_s(), time.perf_counter()
    subprocess.run([sys.executable, str(script)], check=True, env=environment)  # noqa: S603  our own
    return (time.perf_counter() - wall_s) * 1000, (_cpu_s() - before) * 1000


def _cpu_s() -> float:
    """CPU time of the processes that have ended."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime
