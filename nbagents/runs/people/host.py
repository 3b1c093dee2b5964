"""Who shows runs: nobody, or the notebook whose extension is loaded."""

from __future__ import annotations

import contextlib
import sys
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    import asyncio
    from collections.abc import Callable

    from nbagents.runs.state import Answer, Await, Run


class Attendance(Protocol):
    """What a host does while a run goes on: by itself, nothing."""

    def poll(self) -> None:
        """Hear clicks; on the waiting thread."""

    def beat(self) -> None:
        """Pass on what happened; on the loop's thread."""

    def settle(self) -> None:
        """Show how a run in the background ended where somebody has waited for it."""


class Unseen(Attendance):
    """Lets a run go on unseen."""


class Host(Protocol):
    """Shows runs, and can ask the person: by itself it shows nothing, and asks nobody."""

    @property
    def shows_output(self) -> bool:
        """Whether the display shows what calls print; else it goes where it would have gone too."""
        return False

    def hears(self, run: Run) -> bool | None:
        """Whether the person can answer on a page that shows the run, or the run above it.

        Returns:
            `None`: it is not known yet, for a page may still come.
        """
        del run
        return False

    def ask(self, run: Run, question: Await) -> Answer | None:
        """Ask the person by typing, on the main thread.

        Returns:
            The answer; `None` where nobody can be asked.
        """
        del run, question
        return None

    def waits_for_page(self, run: Run) -> bool:
        """Whether a page that is connected may still show the run, and nobody types meanwhile.

        Asked on the main thread, when `ask` had nobody to ask.
        """
        del run
        return False

    def attend(
        self, run: Run, stop: Callable[[], None], *, is_blocking: bool
    ) -> contextlib.AbstractContextManager[Attendance]:
        """Show a run from before its first event to after its last.

        Args:
            run: The run.
            stop: Stops it; may be called from any thread.
            is_blocking: Whether the calling thread waits, and polls.
        """
        del run, stop, is_blocking
        return contextlib.nullcontext(Unseen())

    def linger(
        self, run: Run, stop: Callable[[], None]
    ) -> contextlib.AbstractContextManager[Attendance]:
        """Show a run in the background: entered where it starts, left on the loop's thread.

        Args:
            run: The run.
            stop: Stops it; may be called from any thread.
        """
        del run, stop
        return contextlib.nullcontext(Unseen())

    def listen(self) -> contextlib.AbstractContextManager[Callable[[], None]]:
        """Hear clicks while this thread waits for a run in the background.

        Returns:
            What is called again and again meanwhile.
        """
        return contextlib.nullcontext(Unseen().poll)

    def main_loop(self) -> asyncio.AbstractEventLoop | None:
        """The loop that the main thread runs when it has nothing else to do; `None`: none known."""
        return None

    def between_cells(self) -> contextlib.AbstractContextManager[None]:
        """Put around what a run in the background does on the main thread."""
        return contextlib.nullcontext()


class NoHost(Host, Unseen):
    """Shows nothing; asks in the terminal, if there is one."""

    def ask(self, run: Run, question: Await) -> Answer | None:
        """Ask in the terminal."""
        del run
        if sys.stdin is None or not sys.stdin.isatty():
            return None
        from nbagents.runs.people.typing import typed_answer  # few runs ask

        return typed_answer(question, input)


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
