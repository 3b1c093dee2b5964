"""Who shows runs: nobody, or the notebook whose extension is loaded."""

from __future__ import annotations

import contextlib
import sys
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    import asyncio
    from collections.abc import Callable, Generator

    from nbagents.runs.state import Answer, Await, Run


class Attendance(Protocol):
    """What a host does while a run goes on."""

    def poll(self) -> None:
        """Hear clicks; on the waiting thread."""
        ...

    def beat(self) -> None:
        """Pass on what happened; on the loop's thread."""
        ...


class Lingering(Attendance, Protocol):
    """What a host does while a run goes on in the background."""

    def settle(self) -> None:
        """Show how it ended where somebody has waited for it, if it could not be shown before."""
        ...


class Host(Protocol):
    """Shows runs, and can ask the person."""

    @property
    def shows_output(self) -> bool:
        """Whether the display shows what calls print; else it goes where it would have gone too."""
        ...

    def hears(self, run: Run) -> bool | None:
        """Whether the person can answer on a page that shows the run, or the run above it.

        Returns:
            `None`: it is not known yet, for a page may still come.
        """
        ...

    def ask(self, run: Run, question: Await) -> Answer | None:
        """Ask the person by typing, on the main thread.

        Returns:
            The answer; `None` where nobody can be asked.
        """
        ...

    def waits_for_page(self, run: Run) -> bool:
        """Whether a page that is connected may still show the run, and nobody types meanwhile.

        Asked on the main thread, when `ask` had nobody to ask.
        """
        ...

    def attend(
        self, run: Run, stop: Callable[[], None], *, is_blocking: bool
    ) -> contextlib.AbstractContextManager[Attendance]:
        """Show a run from before its first event to after its last.

        Args:
            run: The run.
            stop: Stops it; may be called from any thread.
            is_blocking: Whether the calling thread waits, and polls.
        """
        ...

    def linger(
        self, run: Run, stop: Callable[[], None]
    ) -> contextlib.AbstractContextManager[Lingering]:
        """Show a run in the background: entered where it starts, left on the loop's thread.

        Args:
            run: The run.
            stop: Stops it; may be called from any thread.
        """
        ...

    def listen(self) -> contextlib.AbstractContextManager[Callable[[], None]]:
        """Hear clicks while this thread waits for a run in the background.

        Returns:
            What is called again and again meanwhile.
        """
        ...

    def main_loop(self) -> asyncio.AbstractEventLoop | None:
        """The loop that the main thread runs when it has nothing else to do."""
        ...

    def between_cells(self) -> contextlib.AbstractContextManager[None]:
        """Put around what a run in the background does on the main thread."""
        ...


class NoHost:
    """Shows nothing; asks in the terminal, if there is one."""

    shows_output = False

    def hears(self, run: Run) -> bool | None:
        """No page shows it."""
        del run
        return False

    def waits_for_page(self, run: Run) -> bool:
        """No page will."""
        del run
        return False

    def ask(self, run: Run, question: Await) -> Answer | None:
        """Ask in the terminal."""
        del run
        if sys.stdin is None or not sys.stdin.isatty():
            return None
        from nbagents.runs.people.typing import typed_answer  # few runs ask

        return typed_answer(question, input)

    @contextlib.contextmanager
    def attend(
        self, run: Run, stop: Callable[[], None], *, is_blocking: bool
    ) -> Generator[Attendance]:
        """Let the run go on unseen."""
        del run, stop, is_blocking
        yield self

    @contextlib.contextmanager
    def linger(self, run: Run, stop: Callable[[], None]) -> Generator[NoHost]:
        """Let the run go on unseen."""
        del run, stop
        yield self

    @contextlib.contextmanager
    def listen(self) -> Generator[Callable[[], None]]:
        """Hear nothing."""
        yield self.poll

    def main_loop(self) -> asyncio.AbstractEventLoop | None:
        """None that is known here."""
        return None

    def between_cells(self) -> contextlib.AbstractContextManager[None]:
        """Nobody looks."""
        return contextlib.nullcontext()

    def settle(self) -> None:
        """Nothing to show."""

    def poll(self) -> None:
        """Nothing to hear."""

    def beat(self) -> None:
        """Nothing to show."""


_host: Host = NoHost()


def current_host() -> Host:
    """The host of this process."""
    return _host


def use_host(host: Host) -> Host:
    """Make `host` this process's.

    Returns:
        The one before.
    """
    global _host
    before, _host = _host, host
    return before
