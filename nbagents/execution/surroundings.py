"""What a kernel is given beside its cells: an environment, folders of its own, no network."""

from __future__ import annotations

import json
import os
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from nbagents.execution.guard import NAME, REFUSED

GUARD: Final = Path(__file__).with_name("guard.py")
SITE: Final = '''

def _go_on() -> None:
    """Run what Python would have run in place of this file."""
    from importlib import machinery, util

    here = str(Path(__file__).parent)
    sys.path[:] = [one for one in sys.path if one != here]
    other = machinery.PathFinder.find_spec("sitecustomize", sys.path)
    if other is not None and other.loader is not None:
        other.loader.exec_module(util.module_from_spec(other))


start()
_go_on()
'''
"""What stands below the guard in a `sitecustomize`, which each Python runs when it starts."""
OF_A_SERVER: Final = ("JPY_SESSION_NAME", "JPY_PARENT_PID")
"""What a server says to a kernel of its own, and to the terminal that we may stand in."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Refusal:
    """What wanted the network and did not get it."""

    cell: str
    """`In [3]`."""
    address: str


@dataclass(frozen=True, slots=True)
class Scratch:
    """A folder for one notebook under test: its log of runs, and who wanted the network."""

    folder: Path

    @property
    def said(self) -> Path:
        """Where what the kernel's process says is kept."""
        return self.folder / "kernel.log"

    def environment(self, notebook: Path) -> dict[str, str]:
        """The environment of a kernel under test, and of all that it starts.

        It lacks what would let a model be asked, and what names another notebook.
        """
        startup = self.folder / "startup"
        startup.mkdir()
        (startup / "sitecustomize.py").write_text(guard_text() + SITE, encoding="utf-8")
        known = os.environ.get("PYTHONPATH", "")
        kept = {
            name: value
            for name, value in os.environ.items()
            if not name.endswith("_API_KEY") and name not in OF_A_SERVER
        }
        return {
            **kept,
            "NBAGENTS_DETERMINISTIC": "1",
            "NBAGENTS_NOTEBOOK": str(notebook.resolve()),
            "NBAGENTS_RECORD": "replay",
            "NBAGENTS_STATE_DIR": str(self.log.parent),
            REFUSED: str(self._refused),
            "PYTHONPATH": os.pathsep.join(one for one in (str(startup), known) if one),
        }

    @property
    def log(self) -> Path:
        """Where its kernel logs runs."""
        return self.folder / "state" / "log.sqlite3"

    @property
    def _refused(self) -> Path:
        return self.folder / "refused.jsonl"

    def refusals(self) -> list[Refusal]:
        """Who wanted the network, each address of a cell once."""
        if not self._refused.is_file():
            return []
        found: dict[Refusal, None] = {}
        for line in self._refused.read_text(encoding="utf-8").splitlines():
            found[Refusal(**json.loads(line))] = None
        return list(found)


def guard_text() -> str:
    """What keeps a Python from the network, to be sent to it."""
    return GUARD.read_text(encoding="utf-8")


def put_up_guard() -> str:
    """What a kernel runs before its first cell."""
    names = {"__name__": NAME}
    return (
        f"exec(compile({guard_text()!r}, '{NAME}.py', 'exec'), (_ := {names!r}))\n"
        "_['start']()\ndel _"
    )


def enter_cell(label: str, *, loopback: bool) -> str:
    """What a kernel under test runs before a cell."""
    guard = f"__import__('sys').modules[{NAME!r}]"
    return f"{guard}.enter({label!r}, loopback={loopback})"
