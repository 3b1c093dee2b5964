"""What a person has said of calls in a session, and of which calls that wait it is said, too."""

from __future__ import annotations

import contextlib
import threading
from typing import TYPE_CHECKING, TypeAlias

from nbagents.errors import RunError
from nbagents.runs.awaits import Answer
from nbagents.tools.target import Target

if TYPE_CHECKING:
    from collections.abc import Callable, Generator

    from nbagents.runs.awaits import Desk

__all__ = ["CallKey", "Leave"]

CallKey: TypeAlias = tuple[Target, str]
"""The same for the same call: what is called, and its arguments."""


class Leave:
    """The calls about which a person is not asked any more, and those about which they are."""

    def __init__(self) -> None:
        self._given: set[Target] = set()
        self._waiting: dict[str, tuple[Desk, CallKey]] = {}
        self._lock = threading.Lock()

    def is_given(self, target: Target) -> bool:
        """Whether the person has said that they need not be asked about it."""
        with self._lock:
            return target in self._given

    @contextlib.contextmanager
    def waiting(self, await_id: str, desk: Desk, call: CallKey) -> Generator[None]:
        """Ask about a call meanwhile."""
        with self._lock:
            self._waiting[await_id] = desk, call
        try:
            yield
        finally:
            with self._lock:
                del self._waiting[await_id]

    def give(self, target: Target, by: str) -> None:
        """Ask no more about something, nor about its calls that wait in any run."""
        with self._lock:
            self._given.add(target)
        said = Answer(action="approve", by=by)
        self._say(said, lambda _, call: call[0] == target)

    def deny(self, desk: Desk, call: CallKey, said: Answer) -> None:
        """A call was denied: so are those just like it that wait in the same tree."""
        self._say(said, lambda where, waits: where is desk and waits == call)

    def _say(self, said: Answer, is_meant: Callable[[Desk, CallKey], bool]) -> None:
        with self._lock:
            waiting = tuple(self._waiting.items())
        for await_id, (desk, call) in waiting:
            if is_meant(desk, call):
                with contextlib.suppress(RunError):  # it was answered in this very moment
                    desk.answer(await_id, said)
