"""What a run keeps of its calls: each as it stands, their data, and the tree that they make."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass, field, fields
from typing import TYPE_CHECKING, Any, cast

from pydantic import JsonValue

from nbagents.events import CallStatus
from nbagents.redaction import clean
from nbagents.results import Failure, RunLink
from nbagents.runs.wording.explanations import Troubles
from nbagents.tools.values import kept_frame

if TYPE_CHECKING:
    from nbagents.runs.tree import Tree


@dataclass(frozen=True, slots=True, kw_only=True)
class Call:
    """One call of a run, as it stands now.

    `call.name(**call.arguments)` is what was called, `call.content` what the model was told of it,
    `call.value` the object that the tool returned, and `call.status` how it ended: `done`, `failed`
    (then `call.failure.message` says why), `denied`, `cancelled`, `timed_out` or `skipped`.
    """

    id: str
    name: str
    arguments: JsonValue
    """What the tool got, with its defaults; what the model wrote where that fits no call."""
    status: CallStatus
    content: str | None
    """What the model was told."""
    data: Any  # what the tool gave, of any type
    value: Any  # what the tool returned, as the object it is
    handle: str | None
    """The name under which later calls could take `value`."""
    failure: Failure | None
    duration: float | None
    """Seconds."""
    defaults: tuple[str, ...] = ()
    """The arguments that were not given."""
    run_links: tuple[RunLink, ...] = ()
    """The runs that it has started, in order."""
    troubles: Troubles = field(default=Troubles(), repr=False)
    """Why it came to nothing, if it did."""

    def explain(self) -> Troubles:
        """Say why it came to nothing: what failed, what the model was told, what one can do."""
        return self.troubles

    run_id: str = field(default="", repr=False)
    """The run that made it."""
    tables: tuple[str, ...] = field(default=(), repr=False)
    """By which names the tables are kept that it has shown."""

    @property
    def selected(self) -> Any:  # Any: a table of the library of the one that was shown
        """The rows and columns that the person has selected in its table; `None`: nothing."""
        for name in self.tables:
            with suppress(LookupError):  # it is not kept any more
                if (chosen := kept_frame(name).selected) is not None:
                    return chosen
        return None

    def __repr__(self) -> str:
        shown = ((one.name, getattr(self, one.name)) for one in fields(self) if one.repr)
        return clean(f"Call({', '.join(f'{name}={value!r}' for name, value in shown)})")


class RunTree(dict[str, Any]):
    """A tree of runs as JSON, which prints as text.

    Args:
        tree: The tree.
        run_id: The run that is printed, with those inside of it.
    """

    def __init__(self, tree: Tree, run_id: str) -> None:
        super().__init__(tree)
        self.run_id = run_id

    def __str__(self) -> str:
        from nbagents.runs.wording.text_tree import tree_text  # few trees are printed

        return tree_text(cast("Tree", self), self.run_id)


class RunData(dict[str, Any]):
    """What the calls of a run gave as `data`, by call id.

    Attributes:
        by_name: The whole result of the last call of each tool, by the tool's name: `content`,
            `data`, and whatever else it gave.

    Source: receptron/graphai, the tools agent, which merges results by name.
    """

    def __init__(self) -> None:
        super().__init__()
        self.by_name: dict[str, dict[str, Any]] = {}

    def __repr__(self) -> str:
        return clean(super().__repr__())
