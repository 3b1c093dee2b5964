"""Where a magic works: the shell, what is set in it, and what shows runs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping

    from nbagents.notebook.kernel import Shell
    from nbagents.notebook.live.display import Mode, NotebookHost
    from nbagents.notebook.options import NbAgents
    from nbagents.notebook.recorded import NotebookRecordings
    from nbagents.notebook.saved import Opening


@dataclass(frozen=True, slots=True, kw_only=True)
class Workplace:
    """What every magic is given."""

    shell: Shell
    config: NbAgents
    host: NotebookHost
    recordings: NotebookRecordings

    @property
    def names(self) -> dict[str, Any]:  # Any: the person's variables
        """The person's variables."""
        return self.shell.user_ns

    def host_for(self, said: Mapping[str, list[str]]) -> NotebookHost:
        """What shows one run.

        Args:
            said: The options of its magic.
        """
        mode: Mode = said.get("display", [self.config.value("display")])[-1]  # pyright: ignore[reportAssignmentType]  one of MODES
        opened: Opening = said.get("open", [self.config.value("open")])[-1]  # pyright: ignore[reportAssignmentType]  one of OPENS
        return self.host.with_mode(mode, opened=opened)
