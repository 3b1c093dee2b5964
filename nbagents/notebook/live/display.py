"""One display per run: live while it runs, frozen when it ends."""

from __future__ import annotations

import contextlib
import sys
import threading
import time
import weakref
from typing import TYPE_CHECKING, Any, Literal, TypeAlias, TypeVar

from IPython.core.error import StdinNotImplementedError

from nbagents.notebook.kernel import (
    Pump,
    amid_a_cell,
    asks_page,
    between_cells,
    capture_figures,
    displays_captured,
    kernel_of,
    main_loop_of,
    say_busy,
    through_awaits,
)
from nbagents.notebook.live.screens import (
    BlankScreen,
    LateScreen,
    LateTextScreen,
    LiveScreen,
    StillScreen,
    TextScreen,
    bundle_of,
)
from nbagents.tools.context import capturing

if TYPE_CHECKING:
    import asyncio
    from collections.abc import Callable, Generator, Mapping

    from nbagents.notebook.kernel import Shell
    from nbagents.notebook.saved import Opening
    from nbagents.runs.people import Attendance
    from nbagents.runs.plan import BranchPreview, Preview
    from nbagents.runs.state import Answer, Await, Run

AnyPreview = TypeVar("AnyPreview", bound="Preview | BranchPreview")
Mode: TypeAlias = Literal["auto", "live", "static", "text", "none"]
ASKED = "nbagents.notebook.kernel.main_thread"
"""The room of what pages ask the main thread for, loaded by whatever may be asked."""
HEARTBEAT_S = 0.5
"""How often the kernel is said to be busy: each widget message says idle, and culling listens."""


class NotebookHost:
    """Shows runs in the cell that started them.

    Args:
        shell: The shell.
        mode: `auto` chooses by who is watching: a page, a notebook run headless, a terminal.
        opened: Which calls are open at first.
    """

    def __init__(
        self,
        shell: Shell,
        *,
        mode: Callable[[], Mode],
        opened: Callable[[], Opening] = lambda: "errors",
    ) -> None:
        self._shell = shell
        self._mode = mode
        self._opened = opened
        self._shown_in: weakref.WeakKeyDictionary[Run, int] = weakref.WeakKeyDictionary()
        self._going: weakref.WeakKeyDictionary[Run, BlankScreen] = weakref.WeakKeyDictionary()
        self._screens: weakref.WeakKeyDictionary[Run, BlankScreen] = weakref.WeakKeyDictionary()
        self._preview: tuple[Preview | BranchPreview, int] | None = None

    @contextlib.contextmanager
    def attend(
        self, run: Run, stop: Callable[[], None], *, is_blocking: bool
    ) -> Generator[Attendance]:
        """Show a run from before its first event to after its last."""
        capture_figures()
        kernel = kernel_of(self._shell)
        screen = self._screens[run] = self._screen(run, stop)
        self._shown_in[run] = self._shell.execution_count
        heard = kernel if isinstance(screen, LiveScreen) else None
        hearing = Pump(heard) if is_blocking else through_awaits(heard, self._shell.events)
        try:
            with displays_captured(self._shell), hearing as pump:
                yield _Attending(screen, pump, self._shell)
        finally:
            self._screens.pop(run, None)
            screen.freeze()

    @contextlib.contextmanager
    def linger(self, run: Run, stop: Callable[[], None]) -> Generator[Attendance]:
        """Show a run in the background: begun in its cell, ended on the loop's thread."""
        capture_figures()
        screen = self._screens[run] = self._screen(run, stop, is_late=True)
        self._shown_in[run] = self._shell.execution_count
        self._going[run] = screen
        try:
            with displays_captured(self._shell):
                yield _Attending(screen, Pump(None), self._shell)
        finally:
            self._going.pop(run, None)
            self._screens.pop(run, None)
            screen.freeze()

    @contextlib.contextmanager
    def listen(self) -> Generator[Callable[[], None]]:
        """Hear clicks while the main thread waits for a run in the background."""
        with Pump(kernel_of(self._shell)) as pump:
            yield _Attending(BlankScreen(), pump, self._shell).poll

    def main_loop(self) -> asyncio.AbstractEventLoop | None:
        """The kernel's loop; a terminal's prompt has none that could be used."""
        return main_loop_of(kernel_of(self._shell))

    def between_cells(self) -> contextlib.AbstractContextManager[None]:
        """The kernel says that it is busy meanwhile."""
        return between_cells(kernel_of(self._shell))

    @property
    def shows_output(self) -> bool:
        """Whether the display shows what calls print; a terminal shows it as it comes."""
        mode = self._mode()
        has_page = kernel_of(self._shell) is not None
        return has_page if mode == "auto" else mode in ("live", "static")

    def hears(self, run: Run) -> bool | None:
        """Whether a page shows the run that this one belongs to, so that a click can answer.

        Returns:
            `None`: it is not known yet, for a page may still come.
        """
        screen = self._screen_of(run)
        return False if screen is None else screen.hears

    def waits_for_page(self, run: Run) -> bool:
        """Whether a page may still come, and nobody can be asked otherwise; on the main thread."""
        screen = self._screen_of(run)
        return screen is not None and screen.is_open and not self._can_ask()

    def _screen_of(self, run: Run) -> BlankScreen | None:
        """What shows a run, or the run above it."""
        while run.parent is not None:
            run = run.parent
        return self._screens.get(run)

    def ask(self, run: Run, question: Await) -> Answer | None:
        """Ask the person by typing, on the main thread.

        Returns:
            The answer; `None` where nobody can be asked.
        """
        del run
        if not self._can_ask():
            return None
        from nbagents.runs.people import typed_answer

        with capturing(None):
            return typed_answer(question, _typed)

    def _can_ask(self) -> bool:
        """Whether somebody is there to answer; a notebook run headless says that nobody is."""
        if threading.current_thread() is not threading.main_thread():
            return False
        kernel = kernel_of(self._shell)
        if kernel is not None:
            # There is no public way. Between cells the page takes no question.
            return asks_page() and bool(getattr(kernel, "_allow_stdin", False))
        return sys.stdin is not None and sys.stdin.isatty()

    def with_mode(self, mode: Mode, *, opened: Opening | None = None) -> NotebookHost:
        """The same host, showing one run in another way.

        Args:
            mode: Live, when it has ended, as text, or not at all.
            opened: Which calls are open at first: those that failed, also those with data, all, or
                none. `None`: as it is.
        """
        other = NotebookHost(
            self._shell,
            mode=lambda: mode,
            opened=self._opened if opened is None else lambda: opened,
        )
        other._shown_in, other._going = self._shown_in, self._going
        other._screens = self._screens
        return other

    def publish(self, bundle: Mapping[str, object]) -> None:
        """Display a bundle in the current cell."""
        self._publish(bundle)

    def show(self, run: Run) -> None:
        """Show a run as it stands, unless this very execution has shown it already."""
        if self._shown_in.get(run) == self._shell.execution_count:
            return
        self._shown_in[run] = self._shell.execution_count
        going = self._going.get(run)
        if going is None or not going.show_again():
            self._publish(bundle_of(run, self._opened()))

    def bundle(self, run: Run) -> Mapping[str, object]:
        """What shows a run as it stands: its live view where there is one."""
        screen = self._screens.get(run)
        if isinstance(screen, LiveScreen):
            return screen.live
        return bundle_of(run, self._opened())

    def show_preview(self, preview: AnyPreview) -> AnyPreview:
        """Show what was not sent or begun, unless this very execution has shown it already."""
        from nbagents.notebook.cards import preview_card

        shown, count = self._preview or (None, 0)
        if shown is not preview or count != self._shell.execution_count:
            self._preview = preview, self._shell.execution_count
            self._publish(preview_card(preview))
        return preview

    def _screen(self, run: Run, stop: Callable[[], None], *, is_late: bool = False) -> BlankScreen:
        """What shows a run; `is_late` where it goes on when its cell has ended."""
        mode, publish = self._resolved(), self._publish_in_cell
        if mode == "none":
            return BlankScreen()
        if mode == "text":
            return LateTextScreen(run) if is_late else TextScreen(run)
        if mode == "static" and is_late:
            return LateScreen(run, publish, self._opened(), self._shell.events)
        if mode == "static":
            return StillScreen(run, publish, self._opened())
        return LiveScreen(run, stop, publish, self._opened())

    def _resolved(self) -> Mode:
        mode = self._mode()
        if mode != "auto":
            return mode
        if kernel_of(self._shell) is None:
            return "text"
        from nbagents_widgets.frontend import is_watched

        return "live" if is_watched() else "static"

    def _publish(self, bundle: Mapping[str, object], **options: Any) -> None:
        # Any: what a display publisher takes besides the bundle is untyped
        self._shell.display_pub.publish(data=dict(bundle), metadata={}, **options)

    def _publish_in_cell(self, bundle: Mapping[str, object], **options: Any) -> None:
        """Publish what is no call's output: a run that a tool starts shows itself in the cell."""
        with capturing(None):
            self._publish(bundle, **options)


def _typed(prompt: str) -> str:
    """What was typed after a prompt.

    Raises:
        EOFError: The front end takes no typing.
    """
    try:
        return input(prompt)
    except StdinNotImplementedError as error:
        raise EOFError from error


class _Attending:
    def __init__(self, screen: BlankScreen, pump: Pump, shell: Shell) -> None:
        self._screen = screen
        self._pump = pump
        self._events = shell.events
        self._kernel = kernel_of(shell)
        self._next_s = time.monotonic() + HEARTBEAT_S

    def poll(self) -> None:
        """Hear clicks, and keep saying that the kernel is busy."""
        if threading.current_thread() is threading.main_thread():
            with amid_a_cell(self._events):
                self._pump.poll()
            if (asked := sys.modules.get(ASKED)) is not None:
                asked.run_pending()
        if self._kernel is not None and time.monotonic() >= self._next_s:
            self._next_s = time.monotonic() + HEARTBEAT_S
            say_busy(self._kernel)

    def beat(self) -> None:
        """Pass on what happened."""
        self._screen.feed()

    def settle(self) -> None:
        """Show how it ended where somebody has waited for it."""
        self._screen.settle()
