"""The run of AnyTool: what was asked, what the pool came to hold, and the solver's answer."""

from __future__ import annotations

from nbagents.anytool.finding.pool import names_shown
from nbagents.runs.state import Run


class AnyToolRun(Run):
    """A run of AnyTool; `text` is the solver's answer, or why there is none.

    What it has beside what other runs have:
        pool: The names of the APIs in the pool.
        is_solved: Whether the solver gave an answer.
    """

    @property
    def pool(self) -> tuple[str, ...]:
        """What the pool holds now, by the names that models call the APIs by."""
        return self.read(lambda _: names_shown(self.node) if self.id in self.state["runs"] else ())

    @property
    def is_solved(self) -> bool:
        """Whether the solver gave an answer."""
        return self.status == "completed" and not self.node["unmet"]
