"""Names for live objects: what a model passes instead of an object that no JSON can carry."""

from __future__ import annotations

import re
import threading
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from nbagents.errors import ToolArgumentsError, did_you_mean
from nbagents.results import HandleInfo
from nbagents.tools.values.foreign_object import is_chart
from nbagents.tools.values.summaries import summary, type_name

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable


class Handles(Mapping[str, object]):
    """The objects of one run by name: those that the person shared, and the results `r1`, `r2`, ….

    It is a mapping: `run.values["r1"]` is the object, `list(run.values)` are the names.

    Args:
        shared: Objects by the names that the person gave them.

    Example:
        >>> handles = Handles({"numbers": [1, 2, 3]})
        >>> handles.keep({4, 5})
        'r1'
        >>> list(handles)
        ['numbers', 'r1']
    """

    def __init__(self, shared: Mapping[str, object] | None = None) -> None:
        self._objects: dict[str, object] = dict(shared or {})
        self._charts: dict[str, tuple[object, HandleInfo]] = {}
        self._count = 0
        self._takers: Callable[[], Iterable[str]] | None = None
        self._lock = threading.Lock()  # results come from several threads

    def __getitem__(self, name: str) -> object:
        return self._objects[name]

    def __iter__(self) -> Iterator[str]:
        return iter(tuple(self._objects))

    def __len__(self) -> int:
        return len(self._objects)

    def share(self, name: str, value: object) -> None:
        """Let calls take an object under a name of the person's."""
        with self._lock:
            self._objects[name] = value

    def keep(self, value: object) -> str:
        """Keep a result; the name under which later calls may take it.

        The same object keeps its name, also one that the person shared.
        """
        with self._lock:
            for name, known in self._objects.items():
                if known is value:
                    return name
            name = self.next_name()
            self._objects[name] = value
            return name

    def skip(self, names: Iterable[str]) -> None:
        """Give no later result one of these names, of objects that are gone."""
        with self._lock:
            for name in names:
                if name[:1] == "r" and name[1:].isdecimal():
                    self.count_on(name)

    def taken_by(self, takers: Callable[[], Iterable[str]]) -> None:
        """Know which tools there are: by the names of the classes whose objects they take."""
        self._takers = takers

    def are_taken(self, value: object) -> bool:
        """Whether a tool takes such an object by its name; where no tools are known, one may."""
        if self._takers is None:
            return True
        known = {one.__name__ for one in type(value).__mro__}
        return any(
            name in known or (name == "Callable" and callable(value)) for name in self._takers()
        )

    def held_back(self) -> Handles:
        """The same handles for a call whose result is checked: what is new waits for `let_out`."""
        return _HeldHandles(self)

    def let_out(self) -> None:
        """Let later calls take what was held back; what never is has never been a handle."""

    def named(self, name: str) -> Handles:
        """The same handles for a call whose first result is to have this name."""
        return _OrderedHandles(self, name)

    def in_order(self, count: int) -> tuple[Handles, ...]:
        """The same handles for each of several calls that are made together.

        The first result of each has its number already, so that numbers go by the order of the
        calls and not by which of them ends first. Give them to `release` when all have ended.
        """
        with self._lock:
            return tuple(_OrderedHandles(self, self.next_name()) for _ in range(count))

    def release(self, ordered: Sequence[Handles]) -> None:
        """Take back the last numbers that were not needed."""
        with self._lock:
            for one in reversed(ordered):
                if isinstance(one, _OrderedHandles) and one.own_name == f"r{self._count}":
                    self._count -= 1

    def count_on(self, name: str) -> None:
        """Give no later result a number up to that of a name; whoever asks has the lock."""
        self._count = max(self._count, int(name[1:]))

    def next_name(self) -> str:
        """The name of the next result; whoever asks has the lock."""
        self._count += 1
        while f"r{self._count}" in self._objects:  # the person's own variable
            self._count += 1
        return f"r{self._count}"

    def find(self, name: str, *, fits: Callable[[object], bool] = lambda _: True) -> object:
        """The object of a name.

        Args:
            name: What the model wrote.
            fits: Which objects would do, for the message.

        Raises:
            ToolArgumentsError: There is none of this name; says which would do.
        """
        try:
            return self._objects[name]
        except KeyError:
            known = [one for one, value in self._now() if fits(value)]
            hint = did_you_mean(name, known) or " No object has been shared or returned yet."
            raise ToolArgumentsError(f"There is no object {name!r}.{hint}") from None

    def infos(self) -> tuple[HandleInfo, ...]:
        """What may be told of the objects as they are now: types and sizes, never contents."""
        return tuple(self._info(name, value) for name, value in self._now())

    def _now(self) -> tuple[tuple[str, object], ...]:
        """The objects, also while others share and keep some; their own code runs unlocked."""
        with self._lock:
            return tuple(self._objects.items())

    def _info(self, name: str, value: object) -> HandleInfo:
        """What is told of an object now; of a chart, what was told first.

        A chart is written out whole to be described, and a model is told before each of its steps.
        """
        known = self._charts.get(name)
        if known is not None and known[0] is value:
            return known[1]
        info = HandleInfo(name=name, type_name=type_name(value), summary=summary(value))
        if is_chart(value):
            self._charts[name] = (value, info)
        return info


class _OrderedHandles(Handles):
    """The handles of a run, as one of several calls sees them that are made together."""

    def __init__(self, whole: Handles, own_name: str) -> None:
        super().__init__()
        self.__dict__.update(whole.__dict__)  # the same objects, under the same lock
        self._whole = whole
        self.own_name: str | None = own_name
        """The name that its first result gets; `None` when it has it."""

    def next_name(self) -> str:
        name, self.own_name = self.own_name, None
        whole = self._whole
        if name is None:
            return whole.next_name()
        whole.count_on(name)
        return name


class _HeldHandles(Handles):
    """The handles of a run, as a call sees them whose result is still to be checked."""

    def __init__(self, whole: Handles) -> None:
        super().__init__()
        self.__dict__.update(whole.__dict__)
        self._whole = whole
        self._held: dict[str, object] = {}

    def keep(self, value: object) -> str:
        """Give a result the name that it will have."""
        with self._lock:
            for name, known in (*self._objects.items(), *self._held.items()):
                if known is value:
                    return name
            name = self.next_name()
            self._held[name] = value
            return name

    def let_out(self) -> None:
        """Let later calls take it."""
        with self._lock:
            self._objects.update(self._held)

    def next_name(self) -> str:
        return self._whole.next_name()


def is_numbered(handle: str) -> bool:
    """Whether a handle is one that was given by number: `r1`, `r2`."""
    return re.fullmatch(r"r[0-9]+", handle) is not None
