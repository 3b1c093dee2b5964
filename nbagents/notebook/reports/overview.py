"""`%nbagents` alone: tools, chats, consents, what runs in the background and what waits, live."""

from __future__ import annotations

import datetime as dt
import threading
from collections import deque
from typing import TYPE_CHECKING, Any, Final

from nbagents_widgets.displays import show

from nbagents.errors import RunError
from nbagents.notebook.cards import badges, tool_signature
from nbagents.notebook.reports.below import Below
from nbagents.notebook.reports.panel import Act, Panel, PanelView, Row, Section
from nbagents.notebook.reports.status import status_rows
from nbagents.runs.lanes import BY_PERSON
from nbagents.runs.state import current_session
from nbagents.runs.wording import clipped, counted, visible_name
from nbagents.tools.tool import toolbox

if TYPE_CHECKING:
    from collections.abc import Mapping

    from nbagents.events import AnyEvent
    from nbagents.notebook.live import Workplace
    from nbagents.runs.state import Await, Run, Session

AFTER_CELL: Final = "post_run_cell"
NEWS: Final = frozenset(
    {
        *("run_start", "user_message", "workflow", "run_stream_end", "tool_authorization"),
        *("await_confirmation", "await_clarification", "await_questions"),
        *("await_external_tools", "await_resolved"),
    }
)
"""The events that may change what is shown: a flood of others costs nothing."""
TOOLS_SHOWN: Final = 40
MOST_CHOICES: Final = 3
LIVE: Final = 3
"""So many overviews of a notebook go on; older ones stay as they are."""
_live: deque[Overview] = deque()


def show_overview(place: Workplace) -> None:
    """Show it: live where a page is watching."""
    overview = Overview(place)
    overview.show()
    if overview.is_live:
        _live.append(overview)
    while len(_live) > LIVE:
        _live.popleft().end()


class Overview:
    """What there is in a session, in one cell, and the place below it for a run that waits.

    Nothing is looked at by the clock: the events of the session's runs and the ends of cells say
    when something may have changed.

    Args:
        place: Where it stands.
    """

    def __init__(self, place: Workplace) -> None:
        self._place = place
        self._session = current_session()
        self._below = Below()
        self._shown: Run | None = None
        self._lock = threading.Lock()
        self._view = PanelView(self._make, self._do)
        self._end_hearing: Any = None  # a function

    @property
    def is_live(self) -> bool:
        """Whether a page shows it, and is told of what changes."""
        return self._view.comm is not None

    def show(self) -> None:
        """Show it, and listen."""
        show(self._view)
        if not self.is_live:
            return
        self._below.open()
        after = self._session.log.next_seq(self._session.session_id) - 1
        self._end_hearing = self._session.subscribe(self._hear, "audit", after=after)
        self._place.shell.events.register(AFTER_CELL, self._after_cell)

    def end(self) -> None:
        """Leave it as it stands."""
        if self._end_hearing is not None:
            self._end_hearing()
            self._place.shell.events.unregister(AFTER_CELL, self._after_cell)
        self._view.freeze()

    def _hear(self, event: AnyEvent) -> None:
        if event.type in NEWS:
            self._renew()

    def _after_cell(self, *_result: object) -> None:
        self._renew()

    def _renew(self) -> None:
        with self._lock:  # cells and runs may say so at once
            self._view.renew()
            if self._shown is not None and self._shown.is_closed:
                shown, self._shown = self._shown, None
                self._below.put(self._place.host.bundle(shown))

    def _make(self) -> Panel:
        running = [run for run in self._session.runs if _goes_on(run)]
        return Panel(
            title="nbagents",
            sections=[
                Section(title="", rows=[Row(cells=row) for row in status_rows(self._place)]),
                _waiting(running),
                _background(running),
                self._tools(),
                self._chats(),
                self._consents(),
            ],
            notes=["%agent? lists the options, %nbagents doctor looks for what does not work."],
        )

    def _tools(self) -> Section:
        tools = tuple(toolbox.values())
        rows = [
            Row(cells=(tool_signature(one), clipped(one.description, 80), ", ".join(badges(one))))
            for one in tools[:TOOLS_SHOWN]
        ]
        more = len(tools) - TOOLS_SHOWN
        rows += [Row(cells=(f"and {more} more: %tool lists them", "", ""))] if more > 0 else []
        return Section(title="Tools", rows=rows, empty="None yet: write %%tool above a function.")

    def _chats(self) -> Section:
        rows = [
            Row(
                cells=(name, _turns(self._session, name)),
                acts=[Act(label="Forget", title=f"%nbagents reset {name}", asks={"forget": name})],
            )
            for name in self._session.chats.names()
        ]
        return Section(title="Chats", rows=rows, empty="None yet: %agent -c NAME begins one.")

    def _consents(self) -> Section:
        rows = [
            Row(
                cells=(
                    visible_name(one.tool),
                    f"since {dt.datetime.fromtimestamp(one.at).astimezone():%H:%M:%S}",
                    f"{counted(one.calls, 'call')} without asking",
                ),
                acts=[
                    Act(
                        label="Ask again",
                        title=f"%nbagents approvals --revoke {one.tool}",
                        asks={"revoke": one.tool},
                    )
                ],
            )
            for one in self._session.approvals
        ]
        return Section(
            title="Allowed without asking", rows=rows, empty="Nothing: you are asked each time."
        )

    def _do(self, question: Mapping[str, Any]) -> None:
        match question:
            case {"act": {"forget": str(name)}}:
                self._session.chats.forget(name)
            case {"act": {"revoke": str(name)}}:
                self._session.revoke(name)
            case {"act": {"stop": str(run_id)}}:
                self._run(run_id).stop_part(run_id, None, cause=BY_PERSON)
            case {"act": {"show": str(run_id)}}:
                self._shown = self._run(run_id)
                self._below.put(self._place.host.bundle(self._shown))
            case {"act": {"answer": str(await_id), "value": value}}:
                self._resolve(await_id, {"action": "answer", "value": value})
            case {"act": {"deny": str(await_id)}}:
                self._resolve(await_id, {"action": "deny"})
            case _:
                raise ValueError("There is no such thing to do.")

    def _run(self, run_id: str) -> Run:
        for run in self._session.runs:
            if run.id == run_id and _goes_on(run):
                return run
        raise ValueError("That run has ended.")

    def _resolve(self, await_id: str, said: Mapping[str, Any]) -> None:
        for run in self._session.runs:
            if any(one.id == await_id for one in run.awaiting):
                taken = run.resolve(await_id, said)
                if taken.done():  # whoever asks may be on this very thread: nobody waits for it
                    taken.result()
                return
        raise ValueError("That was answered already.")


def _turns(session: Session, name: str) -> str:
    try:
        return counted(len(session.chats.get(name).turns), "turn")
    except RunError:
        return "going on"


def _goes_on(run: Run) -> bool:
    """Whether a run that no other has started has begun, and not ended."""
    return run.parent is None and not run.is_closed and bool(run.events)


def _background(running: list[Run]) -> Section:
    rows = [
        Row(
            cells=(
                visible_name(run.agent_name),
                "waiting for you" if run.awaiting else "running",
                clipped(run.prompt, 80),
            ),
            acts=[
                Act(label="Show", title="Show its card below", asks={"show": run.id}),
                Act(label="Stop", title="run.stop()", asks={"stop": run.id}),
            ],
        )
        for run in running
    ]
    return Section(title="Running", rows=rows, empty="Nothing: %agent -b runs in the background.")


def _waiting(running: list[Run]) -> Section:
    rows = [
        Row(
            cells=(clipped(_question(one), 120), visible_name(one.agent_name)), acts=_acts(run, one)
        )
        for run in running
        for one in run.awaiting
    ]
    return Section(title="Waiting for you", rows=rows, empty="Nothing.")


def _question(asked: Await) -> str:
    if asked.kind == "questions":
        return " ".join(one.text for one in asked.questions) or asked.title
    return asked.text or asked.title


def _acts(run: Run, asked: Await) -> list[Act]:
    """A few short answers at once; to allow a call, and to write, one goes to its card."""
    acts = [Act(label="Go there", title="Show its card below", asks={"show": run.id})]
    if asked.kind == "confirmation":
        return [*acts, Act(label="Deny", title="Do not make the call", asks={"deny": asked.id})]
    if len(asked.questions) == 1:
        (one,) = asked.questions
        if one.options and len(one.options) <= MOST_CHOICES and not one.multiple:
            return [
                *(
                    Act(
                        label=option.label,
                        title=f"Answer {option.label}",
                        asks={"answer": asked.id, "value": {one.id: option.label}},
                    )
                    for option in one.options
                ),
                *acts,
            ]
    return acts
