"""`pytest --nbagents`: each notebook is a test, as `nbagents test` runs it.

pytest loads this whenever it is installed, so it imports nothing until it is asked for.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any, cast

import pytest

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from nbagents.execution import Verdict

__all__ = [
    "NotebookFile",
    "NotebookItem",
    "pytest_addoption",
    "pytest_collect_file",
    "pytest_configure",
]

SUFFIX = ".ipynb"
LIMIT_S = 300.0


class NotebookFailedError(Exception):
    """A notebook does not hold.

    Args:
        verdict: What came of it.
    """

    def __init__(self, verdict: Verdict) -> None:
        self.verdict = verdict
        super().__init__(verdict.reason)


class Unwatched:
    """Is told how far a notebook is, and says nothing: pytest shows its tests its own way."""

    def began(self, label: str, cell: Any) -> None:
        """A cell has begun (Any: nbformat's)."""

    def ended(self, label: str, cell: Any, seconds: float) -> None:
        """A cell has ended."""


class NotebookItem(pytest.Item):
    """A notebook as one test: its cells depend on each other, and a failure names the cell."""

    def runtest(self) -> None:
        """Run it; its own failure where it does not hold."""
        from nbagents.execution import Rules, check_notebook

        timeout_s = cast("float", self.config.getoption("nbagents_timeout"))
        rules = Rules(
            timeout_s=timeout_s or None,
            update=bool(self.config.getoption("nbagents_update")),
            outputs=bool(self.config.getoption("nbagents_outputs")),
        )
        verdict = asyncio.run(check_notebook(self.path, rules, Unwatched()))
        if verdict.notes:
            self.add_report_section("call", "notes", "\n".join(verdict.notes))
        if not verdict.passed:
            raise NotebookFailedError(verdict)

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> Any:
        """What does not hold, in its own words (Any: as pytest has them)."""
        if isinstance(excinfo.value, NotebookFailedError):
            return excinfo.value.verdict.details
        return super().repr_failure(excinfo, style)

    def reportinfo(self) -> tuple[Path, int | None, str]:
        """What stands above a failure."""
        return self.path, None, f"nbagents: {self.path.name}"


class NotebookFile(pytest.File):
    """A notebook's file."""

    def collect(self) -> Iterator[NotebookItem]:
        """Its one test."""
        made: Any = NotebookItem.from_parent(self, name="nbagents")  # pyright: ignore[reportUnknownMemberType]
        yield cast("NotebookItem", made)


def pytest_addoption(parser: pytest.Parser) -> None:
    """Declare what turns it on."""
    group = parser.getgroup("nbagents", "notebooks with agents, as `nbagents test` runs them")
    add = group.addoption
    add("--nbagents", action="store_true", help="collect notebooks (*.ipynb)")
    add("--nbagents-update", action="store_true", help="save what comes in the notebooks")
    add("--nbagents-outputs", action="store_true", help="all outputs must be those saved")
    add("--nbagents-timeout", type=float, default=LIMIT_S, help="for one cell; 0: no limit")


def pytest_configure(config: pytest.Config) -> None:
    """Say what is missing before anything is collected.

    Raises:
        pytest.UsageError: Notebooks are asked for, and what runs them is not installed.
    """
    if config.getoption("nbagents"):
        from nbagents.installation import lacking

        if missing := lacking("pytest --nbagents"):
            raise pytest.UsageError(missing)


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> pytest.Collector | None:
    """Take notebooks in, where they are asked for."""
    if file_path.suffix != SUFFIX or not parent.config.getoption("nbagents"):
        return None
    made: Any = NotebookFile.from_parent(parent, path=file_path)  # pyright: ignore[reportUnknownMemberType]
    return cast("NotebookFile", made)
