"""What becomes of a run that was suspended here: its card learns that somebody went on with it.

That may be in another cell, on another card, or in another kernel: the log tells in any case.
"""

from __future__ import annotations

import threading
import time
import weakref
from dataclasses import dataclass, field
from itertools import islice
from typing import TYPE_CHECKING, Any, Final

from nbagents.errors import NbagentsError
from nbagents.notebook.saved.bundle import frozen_bundle
from nbagents.results import CALL_ENDS
from nbagents.runs.logs import tree_of
from nbagents.runs.state import current_session
from nbagents.threads import start_thread

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from nbagents.notebook.saved.rows import Opening
    from nbagents.runs.logs import Log
    from nbagents.runs.state import Run
    from nbagents.runs.tree import AwaitNode, CallNode, RunNode, Tree
    from nbagents.threads import Started

MOST_RUNS: Final = 50
LOOK_S: Final = 2.0
"""How often the log is asked whether another kernel has gone on with what waits here."""


@dataclass(frozen=True, slots=True, eq=False)
class _Card:
    run: Run
    publish: Callable[..., None]
    transient: dict[str, Any]
    opened: Opening
    said: list[str] = field(default_factory=list[str])
    """How the run stood that went on with it, as its card has said."""

    def look(self) -> bool:
        """Whether somebody has gone on with its run; then it says so."""
        try:
            by = self.run.session.log.resumed_by(self.run.id)
        except NbagentsError:  # the log is closed: nobody will know
            return True
        if by is None:
            return False
        later = tree_of(self.run.session.log, by.session_id)["runs"].get(by.run_id)
        status = "running" if later is None else later["status"]
        if self.said and self.said[-1] == status:
            return False
        self.said.append(status)
        tree = with_resumed(self.run.tree(), self.run.session.log)
        bundle = frozen_bundle(tree, self.run.id, opened=self.opened)
        self.publish(bundle, transient=self.transient, update=True)
        return status != "running"


_waiting: list[_Card] = []
_lock = threading.Lock()
_looking: weakref.WeakSet[Started] = weakref.WeakSet()


def follow_resumed(
    run: Run, publish: Callable[..., None], transient: dict[str, Any], opened: Opening
) -> None:
    """Have the card of a run that waits learn that somebody went on with it.

    Args:
        run: The run, which has ended as suspended; of another one nothing is done.
        publish: Publishes a bundle.
        transient: Which display the card is.
        opened: Which calls are open.
    """
    if run.status != "suspended" or run.parent is not None:
        return
    with _lock:
        _waiting.append(_Card(run, publish, transient, opened))
        if not any(one.is_alive() for one in _looking):
            _looking.add(start_thread(_look, "afterwards"))


def look_again(*_cell: object) -> None:
    """Look at what waits, now: at the end of a cell, which may have gone on with it."""
    with _lock:
        waiting = tuple(_waiting)
    gone = [card for card in waiting if card.look()]
    with _lock:
        for card in gone:
            if card in _waiting:
                _waiting.remove(card)


def answer_page(comm: Any, message: Mapping[str, Any]) -> None:
    """Say what became of runs, as bundles, to a page that was not there; `comm`: who asks.

    Of a run that goes on nothing is said: its own view shows it. Nor where nothing is new.
    """
    asked = message.get("content", {}).get("data", {}).get("runs", {})
    log = current_session().log
    found: list[dict[str, object]] = []
    for run_id, state in islice(asked.items(), MOST_RUNS):
        where = next((one for one in log.find(run_id) if one.run_id == run_id), None)
        if where is None:
            continue
        tree = tree_of(log, where.session_id, current=current_session().session_id)
        known = with_resumed({**tree, "root_ids": [run_id]}, log)
        run = known["runs"][run_id]
        if run["status"] != "running" and (run["status"] != state or "resumed_by" in run):
            found.append(frozen_bundle(known, run_id))
    comm.send({"runs": found})


def with_resumed(tree: Tree, log: Log) -> Tree:
    """A tree whose suspended roots know who went on with them."""
    runs = dict(tree["runs"])
    for root_id in tree["root_ids"]:
        run = runs.get(root_id)
        by = log.resumed_by(root_id) if run and run["status"] in ("suspended", "unknown") else None
        if run is not None and by is not None:
            later = tree_of(log, by.session_id)["runs"].get(by.run_id)
            runs[root_id] = _gone_on(run, by.run_id, later)
    return {**tree, "runs": runs}


def _gone_on(run: RunNode, by: str, later: RunNode | None) -> RunNode:
    """A run that waited, with what became of its open calls and questions."""
    ended = (
        {}
        if later is None
        else {one["id"]: one for one in later["calls"].values() if one["status"] in CALL_ENDS}
    )
    calls: dict[str, CallNode] = {
        call_id: {**ended[call_id], "child_run_ids": call["child_run_ids"]}
        if call["status"] not in CALL_ENDS and call_id in ended
        else call
        for call_id, call in run["calls"].items()
    }
    awaits: list[AwaitNode] = [
        one
        if one["outcome"] is not None
        else {**one, "outcome": "answered", "answered_by": "whoever went on with it"}
        for one in run["awaits"]
    ]
    return {**run, "resumed_by": by, "calls": calls, "awaits": awaits}


def _look() -> None:
    while True:
        time.sleep(LOOK_S)
        with _lock:
            if not _waiting:
                _looking.discard(threading.current_thread())
                return
        look_again()
