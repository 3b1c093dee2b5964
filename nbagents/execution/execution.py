"""A notebook run from its first cell to its last, in a kernel of its own."""

from __future__ import annotations

import asyncio
import re
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, Any, Final, Literal, Protocol

from nbagents.execution.marks import MAY_FAIL, marks_of, tags_of

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Callable, Mapping

# Any in this file: nbformat's notebooks and nbclient have no types.

GRACE_S: Final = (4, 3, 3)
"""So long an interrupted cell may take to end, before it is interrupted again, and then killed."""
STARTS_S: Final = 120
SKIP: Final = "skip-execution"
"""nbclient's tag for a cell that is left out."""
ANSI: Final = re.compile(r"\x1b\[[0-9;?]*[ -/]*[@-~]|\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)?|\x1b")
ASKED: Final = "It was interrupted."
LAST_LINES: Final = 8
"""So much of what a kernel's process said is repeated where it has ended."""


class Watch(Protocol):
    """Is told how far a notebook is."""

    def began(self, label: str, cell: Any) -> None:
        """A cell has begun."""
        ...

    def ended(self, label: str, cell: Any, seconds: float) -> None:
        """A cell has ended, well or not; it has its outputs."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Setting:
    """In what a notebook runs."""

    kernel: str
    folder: Path
    """Where its cells are."""
    environment: Mapping[str, str]
    said: Path
    """The file that keeps what the kernel's process says."""
    timeout_s: float | None
    """How long one cell may take."""
    first: str = ""
    """Code that is run before all cells; if it fails, none is run."""
    keeps_widgets: bool = False
    """Whether the state of widgets is kept in the notebook, as Jupyter does."""
    before: Callable[[str, Any], str] | None = None
    """Gives the code that is run before a cell, of its label and the cell."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Stop:
    """Why a notebook was not run to its end."""

    kind: Literal["error", "timeout", "died", "interrupted", "no kernel"]
    label: str
    """The cell: `In [3]`; nothing if none had begun."""
    line: str
    """Its first line."""
    words: str
    """In a sentence: for an error, its name and message."""
    traceback: str = ""

    @property
    def is_brief(self) -> bool:
        """Whether its words say all, such as those of what a recording has not."""
        return self.traceback.strip() in ("", self.words.strip())


def first_line(cell: Any) -> str:
    """The first line of a cell that says something."""
    return next((line.strip() for line in cell.source.splitlines() if line.strip()), "")


def labels_of(notebook: Any) -> dict[int, str]:
    """What the cells that run will be called, by their places: `In [1]`, `In [2]`."""
    runs = [
        place
        for place, cell in enumerate(notebook.cells)
        if cell.cell_type == "code" and cell.source.strip() and SKIP not in tags_of(cell)
    ]
    return {place: f"In [{count}]" for count, place in enumerate(runs, 1)}


async def execute(
    notebook: Any, setting: Setting, watch: Watch, stop: asyncio.Event | None = None
) -> Stop | None:
    """Run all cells; the outputs of those that have run are in the notebook, whatever happens.

    Args:
        notebook: nbformat's notebook; its outputs are replaced.
        setting: In what it runs.
        watch: Is told of each cell.
        stop: Interrupts the cell that runs, once it is set.

    Returns:
        Why it stopped before its end; `None`: it has not.
    """
    for cell in notebook.cells:
        if cell.cell_type == "code":
            cell.outputs, cell.execution_count = [], None
    execution = _Execution(notebook, setting, watch, stop or asyncio.Event())
    try:
        async with execution.kernel():
            return await execution.cells()
    except _NoKernelError as error:
        return Stop(kind="no kernel", label="", line="", words=str(error))


class _NoKernelError(Exception):
    """The kernel did not start."""


class _Execution:
    def __init__(self, notebook: Any, setting: Setting, watch: Watch, stop: asyncio.Event) -> None:
        from nbclient import NotebookClient  # slow to import

        self._notebook = notebook
        self._setting = setting
        self._watch = watch
        self._stop = stop
        self._is_stuck = False
        """Whether a cell runs that has not ended, also not when it was interrupted."""
        self._client: Any = NotebookClient(
            notebook,
            kernel_name=setting.kernel,
            timeout=None,
            startup_timeout=STARTS_S,
            record_timing=False,
            resources={"metadata": {"path": str(setting.folder)}},
        )
        self._client.log.setLevel("CRITICAL")  # what it says stands in a cell or in `Stop`

    @asynccontextmanager
    async def kernel(self) -> AsyncGenerator[None]:
        """Have a kernel for as long as this lasts."""
        client = self._client
        manager = client.create_kernel_manager()
        if manager.ipykernel:
            client.extra_arguments = ["--log-level=ERROR"]
        try:
            with self._setting.said.open("wb") as said:
                await client.async_start_new_kernel(
                    env=dict(self._setting.environment), stdout=said, stderr=said
                )
            await client.async_start_new_kernel_client()
            await self._put_up_first()
        except (OSError, RuntimeError) as error:
            await self._shut_down(manager, at_once=True)
            raise _NoKernelError(f"Its kernel did not start: {error}.{self._said()}") from error
        self._is_stuck = True
        try:
            yield
        finally:
            if self._setting.keeps_widgets and client.widget_state:
                client.set_widgets_metadata()
            await self._shut_down(manager, at_once=self._is_stuck)

    async def _put_up_first(self) -> None:
        """Run what comes before all cells.

        Raises:
            RuntimeError: It failed.
        """
        if not self._setting.first:
            return
        client = self._client.kc
        reply: Any = await client.execute(
            self._setting.first, silent=True, store_history=False, reply=True, timeout=STARTS_S
        )
        if reply["content"]["status"] != "ok":
            raise RuntimeError(f"{reply['content'].get('ename')}: {reply['content'].get('evalue')}")

    async def _shut_down(self, manager: Any, *, at_once: bool) -> None:
        client, self._client.kc = self._client.kc, None
        if client is not None:
            client.stop_channels()
        with suppress(RuntimeError, OSError):  # it has ended by itself
            if await manager.is_alive():
                await manager.shutdown_kernel(now=at_once)
        await manager.cleanup_resources()

    async def cells(self) -> Stop | None:
        self._is_stuck = False
        for place, label in labels_of(self._notebook).items():
            cell = self._notebook.cells[place]
            if self._stop.is_set():
                return Stop(kind="interrupted", label=label, line=first_line(cell), words=ASKED)
            self._watch.began(label, cell)
            began_s = monotonic()
            stopped = await self._cell(place, label, cell)
            self._watch.ended(label, cell, monotonic() - began_s)
            if stopped is not None:
                return stopped
        return None

    async def _cell(self, place: int, label: str, cell: Any) -> Stop | None:
        if self._setting.before is not None:
            code = self._setting.before(label, cell)
            self._client.kc.execute(code, silent=True, store_history=False, stop_on_error=False)
        self._client.allow_errors = MAY_FAIL in marks_of(cell)
        running = asyncio.create_task(self._executed(cell, place))
        ending = asyncio.create_task(self._stop.wait())
        try:
            await asyncio.wait(
                {running, ending},
                timeout=self._setting.timeout_s,
                return_when=asyncio.FIRST_COMPLETED,
            )
            was_asked = ending.done()
            in_time = running.done() or await self._interrupt(running)
        finally:
            ending.cancel()
            self._is_stuck = not running.done()
            running.cancel()
            await asyncio.gather(running, return_exceptions=True)
            if self._is_stuck:
                await self._end_polling()
        return self._outcome(label, cell, running, was_asked=was_asked, in_time=in_time)

    async def _end_polling(self) -> None:
        """End what nbclient leaves of a cell that is given up: it would poll a dead kernel."""
        left = [task for task in asyncio.all_tasks() if _owner_of(task) is self._client]
        for task in left:
            task.cancel()
        await asyncio.gather(*left, return_exceptions=True)

    async def _executed(self, cell: Any, place: int) -> Exception | None:
        """Run a cell; what nbclient raises, so that nobody misses it where the cell is given up."""
        try:
            await self._client.async_execute_cell(cell, place)
        except Exception as error:  # noqa: BLE001  it is looked at by `_outcome`
            return error
        return None

    async def _interrupt(self, running: asyncio.Task[Any]) -> bool:
        """Have a cell end; whether it would have ended by itself meanwhile is not known."""
        for seconds in GRACE_S:
            await self._client.km.interrupt_kernel()
            ended, _ = await asyncio.wait({running}, timeout=seconds)
            if ended:
                break
        return False

    def _outcome(
        self, label: str, cell: Any, running: asyncio.Task[Any], *, was_asked: bool, in_time: bool
    ) -> Stop | None:
        from nbclient.exceptions import CellExecutionError, DeadKernelError  # slow to import

        stop = partial(Stop, label=label, line=first_line(cell))
        if was_asked:
            return stop(kind="interrupted", words=ASKED)
        if not in_time:
            words = f"It took longer than {self._setting.timeout_s:g} s."
            return stop(kind="timeout", words=words)
        error = running.result()
        if error is None:
            return None
        if isinstance(error, CellExecutionError):
            words = f"{error.ename}: {plain_text(error.evalue)}".rstrip(": ")
            return stop(kind="error", words=words, traceback=traceback_of(cell))
        if isinstance(error, DeadKernelError):
            words = f"Its kernel died: out of memory, or ended by the cell.{self._said()}"
            return stop(kind="died", words=words)
        raise error

    def _said(self) -> str:
        """The last that the kernel's process said, for whoever must find out why it ended."""
        try:
            text = self._setting.said.read_text(encoding="utf-8", errors="replace")
        except OSError:
            return ""
        lines = plain_text(text).strip().splitlines()[-LAST_LINES:]
        return "\n".join(["", *lines]) if lines else ""


def _owner_of(task: asyncio.Task[Any]) -> object:
    """The object whose method a task runs."""
    frame = getattr(task.get_coro(), "cr_frame", None)
    return None if frame is None else frame.f_locals.get("self")


def plain_text(text: str) -> str:
    """A text as it reads in a terminal, without its colours."""
    return ANSI.sub("", text)


def traceback_of(cell: Any) -> str:
    """The traceback of a cell that failed, without colours."""
    for output in reversed(cell.outputs):
        if output.output_type == "error":
            return plain_text("\n".join(output.traceback))
    return ""
