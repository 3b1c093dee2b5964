"""What a run leaves: `Run`, the object that a cell gets back.

Long: one class, whose many members each give one thing that people look for in it.
"""

from __future__ import annotations

import copy
import threading
import warnings
from collections.abc import Mapping
from functools import partial
from types import NoneType
from typing import TYPE_CHECKING, Any, Self

from nbagents.events import AnyEvent, RunStart, RunStatus
from nbagents.identity import clock, new_id
from nbagents.narrowing import is_number
from nbagents.redaction import clean
from nbagents.results import CallResult, Failure, RunLink, Usage
from nbagents.runs.state.run.copies import Copied
from nbagents.runs.state.run.fork_point import Forked
from nbagents.runs.state.run.member import Common
from nbagents.runs.state.run.safekeeping import Kept
from nbagents.runs.tree import (
    CallNode,
    RunNode,
    Tree,
    blank_run,
)
from nbagents.runs.wording import (
    Call,
    RunData,
    explain_call,
    explain_run,
    outcome_of,
    replayed_of,
)
from nbagents.tools.context import check_function, is_async, require, wrong
from nbagents.tools.values import Handles, source_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from nbagents.messages import Message
    from nbagents.runs.state.session import Session, Stamp
    from nbagents.runs.wording import Replayed, Troubles
    from nbagents.tools.context import Caps


class Run(Copied, Forked, Kept):
    """One execution of an agent: what was asked, what happened, how it ended.

    What it gave:
        text: The answer; `output` is the same as a value of the type that was asked for.
        status: `running`, or how it ended: `completed`, `failed`, `limit`, `denied`, `cancelled`,
            `suspended`. `error` is what ended it, if it did not end well.
        calls: The calls, in order, each with its `arguments`, `status`, `content` and `value`.
        values: The live objects by name: those that were shared, and results as `r1`, `r2`, ….
        data: What the calls gave as `data`, by call id; by tool as `data.by_name`.
        usage: Tokens and money, with those of the runs inside it; `own_usage` has them without.
            `duration` is the seconds that it took.
        messages: The whole conversation. `tree()` printed shows all that happened, as text, and
            `explain()` why it, or a call of it, failed, and what you can do about it.
        children: The runs that its calls have started.
        to_markdown(), to_html(), to_python(): The run as text, page and Python.
        save(path): Keep it as a file; `Run.load(path)` has it back, also of a notebook or the log.

    While it goes on:
        wait(): Wait for its end; raises what went wrong.
        stop(): Stop it; `stop_call(id)` stops one call.
        awaiting: What a person is asked, to be answered by `approve`, `deny` or `answer`.

    Everything but `data` and `messages` is folded from the run's events, which are in the log.
    """

    def __init__(  # noqa: PLR0915  it is what everything about a run hangs on
        self,
        session: Session,
        *,
        agent_name: str,
        prompt: str,
        parent: Self | None = None,
        parent_call_id: str | None = None,
        labels: Mapping[str, str] | None = None,
        handles: Handles | None = None,
        run_id: str | None = None,
    ) -> None:
        self.id = run_id or new_id("run")
        self.session = session
        self.agent_name = agent_name
        self.last_agent = agent_name
        """Who goes on with it, or had the last word: another one where it was handed over."""
        self.prompt = prompt
        self.parent = parent
        self.turn_id = parent.turn_id if parent else new_id("turn")
        self.error: BaseException | None = None
        """What ended the run, if it did not end well."""
        self.is_closed = False
        self.messages: tuple[Message, ...] = ()
        """The whole conversation; each call of it has its result."""
        self.parent_call_id = parent_call_id
        self.tool_input: Any = None
        """The structured input of the tool as which the agent was called, as the object it is."""
        self.context: Any = None
        """The caller's own object, of whatever type; no model and no log is told of it."""
        self.agent: Any = None
        """The agent that it is of, where this process made it."""
        self.passthrough: Mapping[str, Mapping[str, Any]] = {}
        """What its toolsets were handed past the model, by their names."""
        self.schemas: Callable[[], Mapping[str, Mapping[str, Any]]] | None = None
        """What the tools of its calls take, by their names, where it was driven here."""
        self.caps: Caps | None = None
        """How much it may do, and has left, once it goes on."""
        self._children = []
        self.common: Common = parent.common if parent else Common()
        own = {clean(name): clean(one) for name, one in (labels or {}).items()}
        self.labels = {**(parent.labels if parent else {}), **own}
        """Those of the run above, and its own."""
        self._clock = clock()
        self._count = 0
        self._data = RunData()
        self.results: dict[str, CallResult] = {}
        """What each call gave, by its id: beside the tree, what no JSON holds of it."""
        self.handles = Handles() if handles is None else handles
        """The live objects that calls may take by name."""
        self._output: Any = None  # a value of the person's type
        self._has_output = False
        self._noticing = threading.Lock()
        self._notices: dict[str, str] = {}
        self.told = self.common.history.told
        """Gives what a request tells of its chat that other runs have logged."""
        self.cuts: tuple[str, ...] = ()
        """What is not here of a run that a notebook kept, a sentence each."""

    # What happens: the driver, the lanes and the tools write here.

    def emit(self, make: Callable[[Stamp], AnyEvent]) -> None:
        """Log an event of this run, from any thread; after its last one nothing is taken."""
        self.session.emit(self._stamp, make, self._take)

    def keep(self, call_id: str, name: str, result: CallResult) -> None:
        """Keep what a call gave, as the objects they are."""
        self.results[call_id] = result
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

    def wait(self, timeout: float | None = None) -> Run:
        """Wait until the run has ended; tools of a background run that want this thread run on it.

        Args:
            timeout: Seconds after which to raise; `None`: for as long as it takes.

        Returns:
            The run itself.

        Raises:
            ValueError: The timeout is no number of seconds.
            TimeoutError: It has not ended in time; it goes on.
            KeyboardInterrupt: The wait was interrupted; the run is stopped.
            Exception: What ended the run, if it did not end well.
        """
        __tracebackhide__ = True
        if timeout is not None and not (is_number(timeout) and timeout >= 0):
            raise wrong("timeout", timeout, "give seconds, e.g. run.wait(60), or leave it out.")
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
            text: One line; of a run that has ended, the next run of its chat is told.
            key: A later notice of the same key takes the place of one that was not told yet.

        Raises:
            ValueError: One of the two is no text.
        """
        require("The notice", text, str, 'give text, e.g. run.notice("They chose Oslo.").')
        require("key", key, (str, NoneType), "give text, or leave it out.")
        with self._noticing:
            self._notices[key or f"{len(self._notices)}\0"] = text

    def take_over(self, earlier: Run) -> None:
        """Tell the model of this run what that of an earlier one was not told any more."""
        with earlier._noticing:
            left, earlier._notices = earlier._notices, {}
        with self._noticing:
            self._notices = {**left, **self._notices}

    def take_notices(self) -> tuple[str, ...]:
        """What the model has not been told yet; then it has."""
        with self._noticing:
            taken, self._notices = tuple(self._notices.values()), {}
            return taken

    def listen(self, listener: Callable[[AnyEvent], None]) -> Callable[[], None]:
        """Tell `listener` of every event of the tree: of those there are, then as they come.

        Returns:
            What ends it.

        Raises:
            ValueError: This is no plain function of an event.
        """
        check_function("listener", listener, "an event", 1)
        if is_async(listener):
            advice = "it is async; take a plain `def`, or `session.stream`."
            raise wrong("listener", listener, advice)
        with self.session.lock:  # so that none is missed between the two
            for event in self.events:
                listener(event)
            self.common.listeners = (*self.common.listeners, listener)
        return partial(self._hear_no_more, listener)

    def _take(self, event: AnyEvent) -> None:
        if event.type == "run_stream_end":
            self.is_closed = True
        common = self.common
        with common.folding:
            common.fold.apply(event)
        common.events.append(event)
        for listener in common.listeners:
            try:
                listener(event)
            except Exception as error:  # noqa: BLE001  a listener's own fault; the run goes on
                self._hear_no_more(listener)
                said = clean(f"A listener raised {error!r} and is told no more.")
                warnings.warn(said, stacklevel=2)

    def _hear_no_more(self, listener: Callable[[AnyEvent], None]) -> None:
        with self.session.lock:
            left = (one for one in self.common.listeners if one is not listener)
            self.common.listeners = tuple(left)

    def _stamp(self) -> Stamp | None:
        if self.is_closed:
            return None
        self._count += 1
        return self._stamped(str(self._count))

    def _stamped(self, key: str) -> Stamp:
        return {
            "seq": 0,
            "at": self._clock(),
            "event_key": key,
            "session_id": "",
            "turn_id": self.turn_id,
            "run_id": self.id,
            "parent_run_id": self.parent and self.parent.id,
            "parent_tool_call_id": self.parent_call_id,
            "labels": self.labels,
        }

    # What can be read.

    @property
    def _node(self) -> RunNode:
        with self.common.folding:
            known = self.state["runs"].get(self.id)
            if known is not None:  # one that has ended changes no more
                return known if self.is_closed else copy.deepcopy(known)
        return self._unbegun()

    def _unbegun(self) -> RunNode:
        """How a run stands that has not begun: one in the background begins a moment later."""
        start = RunStart(**self._stamped(""), agent_name=self.agent_name, model="", tools=())
        return blank_run(start)

    @property
    def status(self) -> RunStatus:
        """How it stands: `running`, or how it ended."""
        return self._node["status"]

    @property
    def summary(self) -> str:
        """What came of it in words, as its card says it: `done, 2 of 30 calls failed`."""
        return outcome_of(*self._as_shown()).words

    def explain(self) -> Troubles:
        """Say why it, or calls in it, came to nothing: what failed, and what one can do."""
        return explain_run(*self._as_shown())

    def _as_shown(self) -> tuple[Tree, RunNode]:
        tree = self._tree()
        return tree, tree["runs"].get(self.id) or self._unbegun()

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
        """Tokens, as the provider counted them, with those of the runs inside of it."""
        return sum((child.usage for child in self._children), self.own_usage)

    @property
    def replayed(self) -> Replayed | None:
        """What of it, and of the runs inside of it, a recording gave; `None`: nothing.

        Its tokens are those that were used when it was recorded; it has cost nothing.
        """
        return replayed_of(*self._as_shown())

    @property
    def own_usage(self) -> Usage:
        """Tokens of this run alone, without those of the runs inside of it."""
        return Usage(**self._node["usage"])

    @property
    def duration(self) -> float | None:
        """Seconds from start to end; `None` while it runs."""
        node = self._node
        return None if node["ended_at"] is None else node["ended_at"] - node["started_at"]

    def _call(self, node: CallNode) -> Call:
        failure, duration_ms = node["failure"], node["duration_ms"]
        result = self.results.get(node["id"])
        return Call(
            id=node["id"],
            run_id=self.id,
            name=node["name"],
            arguments=node["arguments"],
            defaults=tuple(node.get("defaults", ())),
            status=node["status"],
            content=node["content"],
            data=result and result.data,
            value=result and result.value,
            handle=node["handle"],
            failure=Failure.model_validate(failure) if failure else None,
            duration=None if duration_ms is None else duration_ms / 1000,
            run_links=result.run_links
            if result
            else tuple(map(RunLink.model_validate, node["run_links"])),
            troubles=explain_call(node),
            tables=tuple(filter(None, (source_of(one["payload"]) for one in node["payloads"]))),
        )

    def __repr__(self) -> str:
        asked = clean(self.prompt)[:40]
        if not self.is_closed:  # asyncio asks in mid-run, and a fold is not for nothing
            return f"<Run of {clean(self.agent_name)!r}, running: {asked!r}>"
        return f"<Run of {clean(self.agent_name)!r}, {self.summary}: {asked!r}>"
