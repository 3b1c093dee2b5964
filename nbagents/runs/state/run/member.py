"""A run as one of those of a tree, and what all of these share."""

from __future__ import annotations

import copy
import threading
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Self, cast

from nbagents.runs.state.desk import Desk
from nbagents.runs.tree import ChatHistory, TreeFold, shown_tree
from nbagents.runs.wording import RunTree
from nbagents.tools.call import Unusable

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Sequence

    from nbagents.events import AnyEvent
    from nbagents.runs.state.verdict import CallKey, Verdict
    from nbagents.runs.tree import RunNode, Tree


@dataclass(slots=True)
class Common:
    """What all runs of a tree share."""

    desk: Desk = field(default_factory=Desk)
    """Where their questions to a person are."""
    denied: dict[CallKey, Verdict] = field(default_factory=dict["CallKey", "Verdict"])
    """Calls that were denied, each with who denied it and why."""
    denied_before: set[tuple[str, str]] = field(default_factory=set[tuple[str, str]])
    """Those that they had denied before the run was gone on with: tool and arguments."""
    history: ChatHistory = field(default_factory=ChatHistory)
    """What they were told of their chats."""
    fold: TreeFold = field(init=False)
    """Their tree."""
    events: list[AnyEvent] = field(default_factory=list["AnyEvent"])
    """What has happened in them, in order."""
    listeners: tuple[Callable[[AnyEvent], None], ...] = ()
    """Who is told of it."""
    folding: threading.Lock = field(default_factory=threading.Lock)
    """Held while an event is folded: whoever reads the tree copies it under the same lock."""
    fault: Exception | None = None
    """What the person's own function raised that answers for them, or what is wrong with an agent
    of theirs: it ends the whole tree."""

    def __post_init__(self) -> None:
        self.fold = TreeFold(told=self.history.told)

    @contextmanager
    def keeping_fault(self) -> Generator[None]:
        """Have a call that cannot be made at all end the whole tree.

        Raises:
            Exception: What is wrong.
        """
        try:
            yield
        except Unusable as error:
            self.fault = error.fault
            raise error.fault from None


class Member:
    """A run, as one of those of a tree."""

    id: str
    common: Common
    parent: Self | None
    is_closed: bool

    @property
    def root(self) -> Self:
        """The run that no other has started, above this one; or itself."""
        return self.parent.root if self.parent else self

    @property
    def events(self) -> Sequence[AnyEvent]:
        """Every event of this run and of the runs below its root, in order."""
        return tuple(self.common.events)

    def tree(self) -> Tree:
        """The tree of runs and calls, as JSON: as it stands now, if the run goes on.

        Printed, it is text: a line a call, with what they have started below.
        """
        return cast("Tree", RunTree(shown_tree(self._tree()), self.id))

    def read(self, reader: Callable[[Tree], Any]) -> Any:  # Any: what the reader makes
        """What a reader makes of the tree itself, which nobody changes meanwhile."""
        with self.common.folding:
            return reader(self.state)

    def _tree(self) -> Tree:
        """The whole tree; one that still grows is copied."""
        with self.common.folding:
            tree = self.state
            return tree if self.root.is_closed else copy.deepcopy(tree)

    @property
    def state(self) -> Tree:
        """The tree itself, as it stands; whoever reads it elsewhere than on the loop copies it."""
        return self.common.fold.tree

    @property
    def node(self) -> RunNode:
        """Its own node in the tree, as `state`."""
        return self.state["runs"][self.id]
