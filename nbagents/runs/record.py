"""What a run leaves: `Run`, the object that a cell gets back."""

from __future__ import annotations

import copy
import threading
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol, cast

from pydantic import JsonValue

from nbagents.events import AnyEvent, CallStatus, RunStatus
from nbagents.identity import clock, new_id
from nbagents.results import CallResult, Failure, Usage
from nbagents.runs.tree import CallNode, RunNode, Tree, TreeFold
from nbagents.tools.handles import Handles

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from nbagents.messages import Message
    from nbagents.runs.session import Session, Stamp

__all__ = ["Call", "Run", "RunData"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Call:
    """One call of a run, as it stands now."""

    id: str
    name: str
    arguments: JsonValue
    """Parsed; the raw text where the model wrote no JSON."""
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


class Control(Protocol):
    """What drives a run, as far as the run itself may ask something of it."""

    def stop(self) -> None:
        """Ask for a stop; from any thread, and again without effect."""
        ...

    def wait(self, timeout_s: float | None) -> None:
        """Return when the run has ended, or after `timeout_s`."""
        ...


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


class Run:
    """One execution of an agent: what was asked, what happened, how it ended.

    Everything but `data` and `messages` is folded from the run's events, which are in the log.
    """

    def __init__(
        self,
        session: Session,
        *,
        agent_name: str,
        prompt: str,
        parent: Run | None = None,
        parent_call_id: str | None = None,
        labels: Mapping[str, str] | None = None,
        handles: Handles | None = None,
    ) -> None:
        self.id = new_id("run")
        self.session = session
        self.agent_name = agent_name
        self.prompt = prompt
        self.parent = parent
        self.turn_id = parent.turn_id if parent else new_id("turn")
        self.error: BaseException | None = None
        """What ended the run, if it did not end well."""
        self.is_closed = False
        self.messages: tuple[Message, ...] = ()
        """The whole conversation; each call of it has its result."""
        self._parent_call_id = parent_call_id
        self.labels = dict(labels or {})
        self._clock = clock()
        self._count = 0
        self._data = RunData()
        self._results: dict[str, CallResult] = {}
        self.handles = Handles() if handles is None else handles
        """The live objects that calls may take by name."""
        self._output: Any = None  # a value of the person's type
        self._has_output = False
        self._root: Run = parent._root if parent else self  # noqa: SLF001  one stream a tree
        self._control: Control | None = None
        self._noticing = threading.Lock()
        self._notices: dict[str, str] = {}
        self._events: list[AnyEvent] = []
        self._listeners: list[Callable[[AnyEvent], None]] = []
        self._fold = TreeFold()
        self._folded = 0
        self._folding = threading.Lock()

    # What happens: the driver, the lanes and the tools write here.

    def emit(self, make: Callable[[Stamp], AnyEvent]) -> None:
        """Log an event of this run, from any thread; after its last one nothing is taken."""
        self.session.emit(self._stamp, make, self._take)

    def keep(self, call_id: str, name: str, result: CallResult) -> None:
        """Keep what a call gave, as the objects they are."""
        self._results[call_id] = result
        if result.failure is not None:
            return
        if result.data is not None:
            self._data[call_id] = result.data
        whole = {**result.extra, "content": result.content}
        if result.data is not None:
            whole["data"] = result.data
        if result.has_next is not None:
            whole["has_next"] = result.has_next
        self._data.by_name[name] = whole

    def answer(self, value: object) -> None:
        """Keep the answer as the value that was asked for."""
        self._output, self._has_output = value, True

    def controlled_by(self, control: Control) -> None:
        """Say who drives this run, for `stop` and `wait`."""
        self._control = control

    def stop(self) -> None:
        """Ask for a stop; from any thread. A run that has ended stays as it is."""
        if self._control is not None and not self.is_closed:
            self._control.stop()

    def wait(self, timeout: float | None = None) -> Run:
        """Wait until the run has ended; tools of a background run that want this thread run on it.

        Args:
            timeout: Seconds after which to raise; `None`: for as long as it takes.

        Returns:
            The run itself.

        Raises:
            TimeoutError: It has not ended in time; it goes on.
            KeyboardInterrupt: The wait was interrupted; the run is stopped.
            Exception: What ended the run, if it did not end well.
        """
        __tracebackhide__ = True
        if self._control is not None:  # also of a run that has ended: it may still have to be shown
            self._control.wait(timeout)
        if not self.is_closed:
            raise TimeoutError(f"The run has not ended within {timeout} s; it goes on.")
        if self.error is not None and self.status != "cancelled":
            raise self.error
        return self

    def notice(self, text: str, key: str | None = None) -> None:
        """Tell the model something with its next request, e.g. what the person did on a map.

        Args:
            text: One line; nothing is told of a run that has ended.
            key: A later notice of the same key takes the place of one that was not told yet.
        """
        with self._noticing:
            self._notices[key or f"{len(self._notices)}\0"] = text

    def take_notices(self) -> tuple[str, ...]:
        """What the model has not been told yet; then it has."""
        with self._noticing:
            taken, self._notices = tuple(self._notices.values()), {}
            return taken

    def listen(self, listener: Callable[[AnyEvent], None]) -> Callable[[], None]:
        """Tell `listener` of every event of the tree: of those there are, then as they come.

        Returns:
            What ends it.
        """
        root = self._root
        with self.session.lock:  # so that none is missed between the two
            for event in tuple(root._events):  # noqa: SLF001
                listener(event)
            root._listeners.append(listener)  # noqa: SLF001

        def end() -> None:
            if listener in root._listeners:  # noqa: SLF001
                root._listeners.remove(listener)  # noqa: SLF001

        return end

    def _take(self, event: AnyEvent) -> None:
        if event.type == "run_stream_end":
            self.is_closed = True
        root = self._root
        root._events.append(event)  # noqa: SLF001
        for listener in tuple(root._listeners):  # noqa: SLF001
            listener(event)

    def _stamp(self) -> Stamp | None:
        if self.is_closed:
            return None
        self._count += 1
        return {
            "seq": 0,
            "at": self._clock(),
            "event_key": str(self._count),
            "session_id": "",
            "turn_id": self.turn_id,
            "run_id": self.id,
            "parent_run_id": self.parent and self.parent.id,
            "parent_tool_call_id": self._parent_call_id,
            "labels": self.labels,
        }

    # What can be read.

    @property
    def events(self) -> Sequence[AnyEvent]:
        """Every event of this run and of the runs below its root, in order."""
        return tuple(self._root._events)  # noqa: SLF001

    @property
    def tree(self) -> Tree:
        """The tree of runs and calls, as JSON: as it stands now, if the run goes on."""
        root = self._root
        with root._folding:  # noqa: SLF001
            events = root._events  # noqa: SLF001
            while root._folded < len(events):  # noqa: SLF001
                root._fold.apply(events[root._folded])  # noqa: SLF001
                root._folded += 1  # noqa: SLF001
            tree = root._fold.tree  # noqa: SLF001
            return tree if root.is_closed else copy.deepcopy(tree)

    @property
    def _node(self) -> RunNode:
        return self.tree["runs"][self.id]

    @property
    def status(self) -> RunStatus:
        """How it stands: `running`, or how it ended."""
        return self._node["status"]

    @property
    def text(self) -> str:
        """The answer."""
        return self._node["text"]

    @property
    def output(self) -> Any:  # Any: the type that was asked for
        """The answer as a value of the type that was asked for; without one, the text."""
        return self._output if self._has_output else self.text

    @property
    def model(self) -> str:
        """Which model answered."""
        return self._node["model"]

    @property
    def calls(self) -> tuple[Call, ...]:
        """The calls, in order."""
        return tuple(self._call(node) for node in self._node["calls"].values())

    @property
    def data(self) -> RunData:
        """What the calls gave as `data`, by call id; `data.by_name` has the whole results."""
        return self._data

    @property
    def values(self) -> Mapping[str, object]:
        """The live objects by name: those that were shared, and results kept as `r1`, `r2`, …."""
        return self.handles

    @property
    def usage(self) -> Usage:
        """Tokens, as the provider counted them."""
        return Usage(**self._node["usage"])

    @property
    def duration(self) -> float | None:
        """Seconds from start to end; `None` while it runs."""
        node = self._node
        return None if node["ended_at"] is None else node["ended_at"] - node["started_at"]

    def _call(self, node: CallNode) -> Call:
        failure = node["failure"]
        duration_ms = node["duration_ms"]
        result = self._results.get(node["id"])
        return Call(
            id=node["id"],
            name=node["name"],
            arguments=node["arguments"],
            status=node["status"],
            content=node["content"],
            data=result and result.data,
            value=result and result.value,
            handle=node["handle"],
            failure=Failure.model_validate(cast("object", failure)) if failure else None,
            duration=None if duration_ms is None else duration_ms / 1000,
        )

    def __repr__(self) -> str:
        if not self.is_closed:  # asyncio asks in mid-run, and a fold is not for nothing
            return f"<Run running: {self.prompt[:40]!r}>"
        count = len(self._node["calls"])
        return f"<Run {self.status}, {count} call{'' if count == 1 else 's'}: {self.prompt[:40]!r}>"
