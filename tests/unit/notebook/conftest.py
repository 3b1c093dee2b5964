"""A shell with the extension loaded, whose cells and displays a test can read."""

from __future__ import annotations

import atexit
import gc
from collections.abc import Iterator
from typing import Any

import pytest
from IPython.core.interactiveshell import InteractiveShell
from IPython.utils.capture import capture_output
from traitlets.config import Config

from nbagents.notebook.extension import load, unload

NO_HISTORY = Config({"HistoryManager": {"enabled": False}})
"""No file of what was typed, and no thread that writes it: a third of what a shell costs."""


class Notebook:
    """Runs cells as a front end would, and says what came of them."""

    def __init__(self, shell: Any) -> None:
        self.shell = shell
        self.metadata: dict[str, object] = {}
        shell.get_parent = lambda: {"metadata": self.metadata}

    def run(self, source: str, *, cell_id: str | None = None) -> Cell:
        """Run a cell; `cell_id` is what a front end sends, nbclient sends none."""
        self.metadata = {"cellId": cell_id} if cell_id else {}
        with capture_output() as captured:
            result = self.shell.run_cell(source, store_history=True)
        return Cell(result, captured)

    def __getitem__(self, name: str) -> Any:
        return self.shell.user_ns[name]


class Cell:
    """What a cell gave."""

    def __init__(self, result: Any, captured: Any) -> None:
        self.error: BaseException | None = result.error_in_exec or result.error_before_exec
        self.value = result.result
        self.stdout: str = captured.stdout
        self.stderr: str = captured.stderr
        self.bundles: list[dict[str, Any]] = [output.data for output in captured.outputs]

    @property
    def texts(self) -> list[str]:
        return [str(bundle.get("text/plain")) for bundle in self.bundles]


@pytest.fixture
def notebook(monkeypatch: pytest.MonkeyPatch) -> Iterator[Notebook]:
    monkeypatch.setenv("NBAGENTS_MODEL", "offline")
    InteractiveShell.clear_instance()
    shell: Any = InteractiveShell.instance(config=NO_HISTORY)
    load(shell)
    made = Notebook(shell)
    made.run("%config NbAgents.display = 'static'")
    yield made
    unload(shell)
    atexit.unregister(shell.atexit_operations)
    with monkeypatch.context() as patch:
        patch.setattr(gc, "collect", lambda: 0)  # of all that tests have imported, for each shell
        shell.atexit_operations()
    InteractiveShell.clear_instance()
