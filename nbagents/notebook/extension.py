"""`%load_ext nbagents`: puts the magics in, and takes out again exactly what it put in.

Loading is light: of this package only what the hooks need comes now; the runtime, pydantic and the
widgets come with the first tool or run.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

from IPython.core.error import UsageError

from nbagents.notebook.kernel import CellWatch, PlainSyntax, kernel_of, take_magic_lines
from nbagents.notebook.live import NotebookHost, Workplace
from nbagents.notebook.magics import AgentMagics, magic_matcher
from nbagents.notebook.options import NbAgents, checked_config
from nbagents.notebook.place import NotebookPlace
from nbagents.notebook.recorded import NotebookRecordings
from nbagents.runs.people import Host, use_host
from nbagents.tools.context import set_defining

if TYPE_CHECKING:
    from nbagents.notebook.kernel import Shell
    from nbagents.runs.state import History

__all__ = ["load", "unload"]

RUN = ("nbagents.runs.state.run.run", "Run")
PREVIEW = ("nbagents.runs.plan.preview", "Preview")
BRANCH_PREVIEW = ("nbagents.runs.plan.branch_preview", "BranchPreview")
HISTORY = ("nbagents.runs.state.history", "History")
"""The classes that the notebook shows in its own way, by name: loading must stay light."""
PAGES = "nbagents.runs"
"""Where pages ask what became of runs whose ends they did not see, and about saved ones."""
TABLES = "nbagents.tables"
"""Where the tables of runs that have ended ask for their rows."""
OURS = ("agent", "tool", "nbagents", "config")
"""The magics that we put in; the last is IPython's, seen to where it is about us."""


class Extension:
    """What one loading put into a shell."""

    current: Extension | None = None

    def __init__(self, shell: Shell) -> None:
        self.shell = shell
        self.config = NbAgents(parent=shell)
        self.host = NotebookHost(
            shell,
            mode=lambda: self.config.value("display"),
            opened=lambda: self.config.value("open"),
        )
        self.notebook = NotebookPlace(shell)
        self.recordings = NotebookRecordings(self.config, self.notebook)
        self.place = place = Workplace(
            shell=shell, config=self.config, host=self.host, recordings=self.recordings
        )
        self.magics = AgentMagics(place)
        self._matcher = magic_matcher(place)
        self._watch = CellWatch(shell)
        self._syntax = PlainSyntax(shell)
        self._host_before: Host | None = None
        self._comms: Any = None  # the kernel's comm manager, which has no types
        self._magics_before: dict[str, dict[str, Any]] = {}

    def put_in(self) -> None:
        """Put everything in."""
        shell = self.shell
        shell.find_line_magic("config")  # which loads it: until then something stands for it
        self._magics_before = {
            kind: {name: table[name] for name in OURS if name in table}
            for kind, table in shell.magics_manager.magics.items()
        }
        shell.register_magics(self.magics)
        lines = shell.magics_manager.magics["line"]
        lines["config"] = checked_config(lines["config"], self.config, shell)
        shell.configurables.append(self.config)
        _matchers(shell).append(self._matcher)
        shell.input_transformers_cleanup.append(take_magic_lines)
        self._syntax.put_in()
        shell.events.register("pre_run_cell", self._watch)
        shell.events.register("pre_run_cell", self.notebook.begin)
        shell.events.register("post_run_cell", _look_again)
        self._comms = getattr(kernel_of(shell), "comm_manager", None)
        self._hear_pages("register_target")
        _own_formatter(shell).for_type_by_name(*RUN, self.host.show)
        for name in (PREVIEW, BRANCH_PREVIEW):
            _own_formatter(shell).for_type_by_name(*name, self.host.show_preview)
        _own_formatter(shell).for_type_by_name(*HISTORY, self._show_history)
        self._host_before = use_host(self.host)
        self.notebook.begin()
        self.recordings.begin()

    def take_out(self) -> None:
        """Take everything out, and stop what goes on in the background."""
        behind = sys.modules.get("nbagents.runs.drive.background")
        if behind is not None:
            behind.stop_all()
        shell = self.shell
        for kind, table in shell.magics_manager.magics.items():
            for name in OURS:
                table.pop(name, None)
            table.update(self._magics_before.get(kind, {}))
        for ours in (self.config, self.magics):
            if ours in shell.configurables:
                shell.configurables.remove(ours)
        _matchers(shell).remove(self._matcher)
        shell.magics_manager.registry.pop(type(self.magics).__name__, None)
        shell.input_transformers_cleanup.remove(take_magic_lines)
        shell.input_transformers_cleanup.remove(self._syntax)
        shell.events.unregister("pre_run_cell", self._watch)
        shell.events.unregister("pre_run_cell", self.notebook.begin)
        shell.events.unregister("post_run_cell", _look_again)
        self._hear_pages("unregister_target")
        for name in (RUN, PREVIEW, BRANCH_PREVIEW, HISTORY):
            _own_formatter(shell).pop(".".join(name), None)
        set_defining(None)
        self.notebook.end()
        self.recordings.end()
        if self._host_before is not None:
            use_host(self._host_before)

    def _show_history(self, history: History) -> None:
        from nbagents.notebook.reports import history_bundle  # few cells show one

        self.host.publish(history_bundle(history))

    def _hear_pages(self, how: str) -> None:
        """Begin or end to hear what pages ask, where there is a kernel."""
        if self._comms is not None:
            getattr(self._comms, how)(PAGES, _answer_page)
            getattr(self._comms, how)(TABLES, _answer_table)


def _answer_page(comm: Any, message: Any) -> None:
    """Say what became of runs to a page that was loaded later, or answer what a saved one asks.

    Both arguments are as the `comm` library has them.
    """
    if "ask" in message["content"]["data"]:
        from nbagents.notebook import copies as answering  # few pages ask
    else:
        from nbagents.notebook import saved as answering  # few pages ask

    answering.answer_page(comm, message)


def _answer_table(comm: Any, message: Any) -> None:
    """Answer the table of a run that has ended; both as the `comm` library has."""
    from nbagents.notebook.kinds import answer_page  # few pages ask

    answer_page(comm, message)


def _look_again(*_cell: object) -> None:
    """Have cards of runs that wait learn at once what this cell has done about them."""
    waiting = sys.modules.get("nbagents.notebook.saved.aftermath")
    if waiting is not None:
        waiting.look_again()


def load(shell: Shell) -> Extension:
    """Load into a shell; loading again changes nothing.

    Raises:
        UsageError: The cell that loads it also asks a question: IPython has read it as help.
    """
    loaded = Extension.current
    if loaded is None:
        _refuse_questions(shell)
        loaded = Extension.current = Extension(shell)
        loaded.put_in()
    return loaded


def unload(shell: Shell) -> None:
    """Undo `load`."""
    del shell
    if (loaded := Extension.current) is not None:
        Extension.current = None  # first: what cannot be taken out must not keep us from loading
        loaded.take_out()


def _refuse_questions(shell: Shell) -> None:
    """See that no `%agent …?` stands in the cell that is running: it was read before we came."""
    history: Any = getattr(shell, "history_manager", None)
    cell = str(history.input_hist_raw[-1]) if history and history.input_hist_raw else ""
    lines = cell.splitlines(keepends=True)
    for before, after in zip(lines, take_magic_lines(lines), strict=False):
        if before != after and before.rstrip().endswith("?"):
            raise UsageError(
                f"Put `%load_ext nbagents` into a cell of its own: IPython has already read"
                f" {before.strip()!r} as a request for help."
            )


def _own_formatter(shell: Shell) -> Any:
    # Any: traitlets gives the formatter as an untyped instance
    return shell.display_formatter.ipython_display_formatter


def _matchers(shell: Shell) -> list[Any]:  # Any: IPython's matchers are of several types
    return shell.Completer.custom_matchers
