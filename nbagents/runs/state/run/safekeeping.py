"""A run as it is kept: saved as a file, and loaded of one, of a notebook or of the log."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Final, Self, cast

from nbagents.errors import RunError, did_you_mean
from nbagents.narrowing import is_whole
from nbagents.redaction import clean
from nbagents.runs.files import (
    NotebookRun,
    is_notebook,
    read_run_file,
    runs_of_notebook,
    write_run_file,
)
from nbagents.runs.logs import (
    MemoryLog,
    chat_history,
    find_runs,
    is_going_on,
    read_whole,
)
from nbagents.runs.state.run.recalled_run import Recalled
from nbagents.runs.state.session import Session, current_session
from nbagents.runs.wording import clipped
from nbagents.tools.context import require

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from nbagents.events import AnyEvent
    from nbagents.runs.tree import Tree

PROMPT_WIDTH: Final = 60
SHOWN: Final = 12
"""Of more runs to choose from not all are listed."""
GIVE: Final = "give a path, or the id of a run, or its beginning"


class Kept(Recalled):
    """A run, as far as it can be kept."""

    def save(self, path: str | Path) -> Path:
        """Save the run as a file, which `Run.load` reads: lines of JSON, its events.

        The runs inside it are in it, and those that it goes on with. The file is written whole or
        not at all; one that is no saved run is not written over. No secret is in it.

        Args:
            path: Where, e.g. `"oslo.run.jsonl"`.

        Returns:
            The path.

        Raises:
            RunError: It goes on, it cannot be written there, or nothing but a notebook has it.

        Example:
            ```python
            run.save("oslo.run.jsonl")
            nba.Run.load("oslo.run.jsonl").text
            ```
        """
        require("The file", path, (str, Path), 'give a path, e.g. run.save("oslo.run.jsonl").')
        if not self.is_closed:
            raise RunError("The run still goes on: wait for its end (run.wait()), then save it.")
        if not self.events:
            raise RunError(
                "A notebook kept this run as its card, without its events, of which a file is "
                "made: keep the notebook, or take run.to_html() or run.to_markdown(). Where the "
                "log still knows the run, Run.load(run.id).save(path) saves it."
            )
        target = Path(path).expanduser()
        write_run_file(target, self.id, self._kept_events(), self.told)
        return target

    @classmethod
    def load(
        cls,
        source: str | Path,
        *,
        run: int | str | None = None,
        whole: bool = True,
        log: Session | None = None,
    ) -> Self:
        """Load a run that is over: from a file, from a notebook's output, or from the log.

        It can be read and shown as any run that has ended; the live objects that its tools gave
        (`run.values`, `call.value`, `run.data`) are gone.

        Args:
            source: What `run.save` has written, a notebook, or the id of a run of the log, of
                whichever kernel, or the beginning of that.
            run: Which run of a notebook that has several: its number, from 1, or its id.
            whole: Whether a file must be all there; else what can be read of it will do.
            log: The session whose log is meant; by default this kernel's.

        Raises:
            RunError: There is none, there are several, it goes on in another kernel, or the file is
                cut, edited, of a newer version, or something else.
        """
        require("The run to load", source, (str, Path), f"{GIVE}.")
        path = Path(source).expanduser()
        if isinstance(source, Path) or is_path(source):
            if is_notebook(path):
                return cls._of_notebook(path, run)
            return cls._of_file(path, whole=whole)
        return cls._of_log(source, log or current_session())

    @classmethod
    def load_all(cls, notebook: str | Path) -> tuple[Self, ...]:
        """Load all runs of a notebook, in the order of its cells; see `load`.

        Raises:
            RunError: It is no notebook, or a run in it cannot be read.
        """
        require("The notebook", notebook, (str, Path), "give the path of an .ipynb file.")
        return tuple(map(cls._shown_in_notebook, _runs_in(Path(notebook).expanduser())))

    @classmethod
    def _shown_in_notebook(cls, one: NotebookRun) -> Self:
        return cls.of_tree(Session(MemoryLog()), one.run_id, one.tree, cuts=one.cuts)

    @classmethod
    def _of_file(cls, path: Path, *, whole: bool) -> Self:
        if not path.is_file():
            raise RunError(f"There is no file {path}: {GIVE}; session.history() lists those.")
        saved = read_run_file(path, whole=whole)
        log = MemoryLog()
        for event in saved.events:
            log.append(event)
        own = next((one for one in saved.events if one.run_id == saved.run_id), None)
        if own is None:
            raise RunError(f"{path} has no event of its run {saved.run_id}: nothing is left of it.")
        session = Session.reopen(log, own.session_id)
        return cls.recalled(session, saved.run_id, saved.events, told=saved.told, is_over=True)

    @classmethod
    def _of_notebook(cls, path: Path, wanted: int | str | None) -> Self:
        return cls._shown_in_notebook(_chosen(path, _runs_in(path), wanted))

    @classmethod
    def _of_log(cls, beginning: str, session: Session) -> Self:
        found = found_run(session, beginning)
        here = next((one for run in session.runs for one in run.family if one.id == found), None)
        if here is not None:
            return cast("Self", here)
        log = session.log
        events = read_whole(log, found)
        own = next((one for one in events if one.run_id == found and one.type == "run_start"), None)
        if own is None:
            raise RunError(f"The log has lost how the run {found} began: it cannot be loaded.")
        goes_on = is_going_on(log, own.session_id, session.session_id)
        made = cls.recalled(session, found, events, told=chat_history(log), is_over=not goes_on)
        if goes_on and made.state["runs"][found]["status"] == "running":
            raise RunError(
                f"The run {found} goes on in another kernel: load it when it has ended. "
                f"%nbagents show {found} shows it as it stands."
            )
        return made

    def _kept_events(self) -> Sequence[AnyEvent]:
        """Its own, those of the runs inside it, and those of the runs that it goes on with."""
        runs = self.state["runs"]
        line: list[str] = [self.id]
        before = runs[self.id]["resumed_from"]
        while before in runs:
            line.append(before)
            before = runs[before]["resumed_from"]
        inside = set(_inside(self.state, line))
        earlier = read_whole(self.session.log, before) if before else []
        return [*earlier, *(one for one in self.events if one.run_id in inside)]


def _inside(tree: Tree, wanted: Sequence[str]) -> Iterator[str]:
    """Runs, and those that their calls have started, however deep."""
    queue, seen = [*wanted], set[str]()
    while queue:
        if (run_id := queue.pop()) in seen or run_id not in tree["runs"]:
            continue
        seen.add(run_id)
        yield run_id
        for call in tree["runs"][run_id]["calls"].values():
            queue += call["child_run_ids"]


def is_path(source: str) -> bool:
    """Whether a text names a file: one that is there, or that no id could be."""
    path = Path(source).expanduser()
    return path.is_file() or bool(path.suffix) or path.name != source


def found_run(session: Session, beginning: str) -> str:
    """The id of the one run that is meant.

    Raises:
        RunError: There is none, or there are several.
    """
    found = find_runs(session.log, beginning) if beginning else ()
    ids = [*dict.fromkeys(one.run_id for one in found)]
    for one in (beginning, f"run-{beginning}"):
        if one in ids:
            return one
    if not ids:
        known = [one.id for one in session.runs]
        hint = did_you_mean(beginning, known) if known else ""
        raise RunError(
            f"There is no run {clean(beginning)!r} in this log, and no such file.{hint} "
            "session.history() lists the runs that there are."
        )
    if len(ids) > 1:
        some = ", ".join(ids[:SHOWN])
        raise RunError(f"{len(ids)} runs begin with {beginning!r}: {some}. Write more of one.")
    return ids[0]


def _runs_in(path: Path) -> Sequence[NotebookRun]:
    if not path.is_file():
        raise RunError(f"There is no notebook {path}.")
    return runs_of_notebook(path)


def _chosen(path: Path, runs: Sequence[NotebookRun], wanted: int | str | None) -> NotebookRun:
    """The run of a notebook that is meant."""
    if not runs:
        raise RunError(
            f"{path} holds no run: its cells have no output of one. Run them, save it, and load it "
            "again."
        )
    if wanted is None and len(runs) == 1:
        return runs[0]
    if is_whole(wanted) and 1 <= wanted <= len(runs):
        return runs[wanted - 1]
    if isinstance(wanted, str) and wanted:
        ids = (wanted, f"run-{wanted}")
        fits = [one for one in runs if one.run_id in ids] or [
            one for one in runs if one.run_id.startswith(ids)
        ]
        if len(fits) == 1:
            return fits[0]
    which = "" if wanted is None else f"no single one is {wanted!r}; "
    raise RunError(f"{path} holds {len(runs)} runs: {which}say which, e.g. run=1.\n{_listed(runs)}")


def _listed(runs: Sequence[NotebookRun]) -> str:
    lines = [
        f"  {number}  {one.run_id}  cell {one.cell}  {clipped(one.prompt, PROMPT_WIDTH)}"
        for number, one in enumerate(runs, 1)
    ]
    rest = [f"  … and {len(lines) - SHOWN} more"] if len(lines) > SHOWN else []
    return "\n".join([*lines[:SHOWN], *rest])
