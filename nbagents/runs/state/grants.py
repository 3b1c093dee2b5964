"""What a person has said of calls in a session, and of which calls that wait it is said, too."""

from __future__ import annotations

import contextlib
import threading
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from nbagents.errors import RunError
from nbagents.runs.state.desk import Answer
from nbagents.runs.tree import PERSON

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Hashable, Sequence

    from nbagents.runs.state.desk import Desk
    from nbagents.runs.state.verdict import CallKey
    from nbagents.tools.call import Target

EARLIER: Final = f"{PERSON}, earlier"
"""Who allows a call that is not asked about any more."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Grant:
    """That calls of a tool are not asked about any more in a session."""

    tool: str
    """The tool's name."""
    by: str
    """Who said so."""
    at: float
    """When, in seconds since 1970."""
    run_id: str
    """The run that had asked."""
    calls: int = 0
    """How many calls were allowed by it since."""


@dataclass(frozen=True, slots=True)
class _Waiting:
    desk: Desk
    call: CallKey
    target: Target
    """What leave would have to be given for."""


class Leave:
    """The calls about which a person is not asked any more, and those about which they are."""

    def __init__(self) -> None:
        self._given: dict[Target, Grant] = {}
        self._changed: set[Hashable] = set()
        self._waiting: dict[str, _Waiting] = {}
        self._lock = threading.Lock()

    @property
    def grants(self) -> Sequence[Grant]:
        """What was said of all later calls of a tool, the oldest first."""
        with self._lock:
            return tuple(self._given.values())

    def takes(self, target: Target) -> bool:
        """Whether the person has said that they need not be asked about it; a call counts.

        Leave for a tool ends where the same tool is met as another one: it stays ended when that
        is undone.
        """
        with self._lock:
            for other in [*self._given]:
                if other != target and other[0] == target[0]:  # versions of one tool
                    del self._given[other]
                    self._changed.add(target[0])
            known = self._given.get(target)
            if known is None:
                return False
            self._given[target] = replace(known, calls=known.calls + 1)
            return True

    def has_changed(self, target: Target) -> bool:
        """Whether leave for this tool has ended because it is another one now."""
        with self._lock:
            return target[0] in self._changed

    @contextlib.contextmanager
    def waiting(self, await_id: str, desk: Desk, call: CallKey, target: Target) -> Generator[None]:
        """Ask about a call meanwhile."""
        with self._lock:
            self._waiting[await_id] = _Waiting(desk, call, target)
        try:
            yield
        finally:
            with self._lock:
                del self._waiting[await_id]

    def give(self, target: Target, grant: Grant) -> None:
        """Ask no more about something, nor about its calls that wait in any run."""
        with self._lock:
            self._given[target] = grant
            self._changed.discard(target[0])
        said = Answer(action="approve", by=EARLIER)
        count = self._say(said, lambda waits: waits.target == target)
        with self._lock:
            if (known := self._given.get(target)) is not None:
                self._given[target] = replace(known, calls=known.calls + count)

    def revoke(self, tool: str) -> int:
        """Ask again about a tool's calls; how often leave for one of this name was given."""
        with self._lock:
            gone = [target for target, grant in self._given.items() if grant.tool == tool]
            for target in gone:
                del self._given[target]
        return len(gone)

    def deny(self, desk: Desk, call: CallKey, said: Answer) -> None:
        """A call was denied: so are those just like it that wait in the same tree."""
        self._say(said, lambda waits: waits.desk is desk and waits.call == call)

    def _say(self, said: Answer, is_meant: Callable[[_Waiting], bool]) -> int:
        """Answer what is meant; how much of it that was."""
        with self._lock:
            waiting = tuple(self._waiting.items())
        count = 0
        for await_id, waits in waiting:
            if is_meant(waits):
                with contextlib.suppress(RunError):  # it was answered in this very moment
                    waits.desk.answer(await_id, said)
                    count += 1
        return count
