"""`%nbagents runs`: the runs of the log to look through, each with its card to open below."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final

from nbagents_widgets.displays import show

from nbagents.identity import is_deterministic
from nbagents.notebook.markup import Report, report_bundle
from nbagents.notebook.options import STATUSES
from nbagents.notebook.reports.below import Below
from nbagents.notebook.reports.panel import Act, Panel, PanelView, Row, Section
from nbagents.notebook.reports.past_runs import resumable, run_bundle
from nbagents.runs.logs import newest_runs, tree_of
from nbagents.runs.state import current_session, history_of
from nbagents.runs.wording import (
    BY_HAND,
    CALLED_BY_HAND,
    DECLINED,
    RUN_STATUS,
    clipped,
    counted,
    duration,
    money,
    thousands,
)

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from nbagents.notebook.live import Workplace
    from nbagents.runs.logs import RunEntry
    from nbagents.runs.state import History, Session
    from nbagents.runs.state import Wanted as Said

HEAD = (
    *("Run", "Began", "Took", "Agent", "What came of it", "Calls", "Runs inside"),
    *("Tokens", "Cost", "Model", "Prompt"),
)
MAY_BE_EMPTY = ("Took", "Runs inside", "Cost")
"""Columns that are left out where nothing stands in them."""
LOOKED_THROUGH: Final = 1_000
"""Among how many of the newest runs those are found that are wanted, or that wait."""
PROMPT_WIDTH: Final = 60
OTHERS: Final = "%nbagents runs --all lists those of earlier kernels, too."
SHOWN: Final = 100
"""How many of a history are shown."""
LOADED: Final = "history[0].load() is the run itself, as is nba.Run.load(RUN)."
BY_ID: Final = "%nbagents show RUN shows one; the beginning of its id is enough."


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """Which runs are listed."""

    limit: int
    is_all: bool = False
    """Also those of other kernels."""
    tool: str = ""
    status: str = ""
    words: str = ""
    cost: float = 0

    @property
    def is_choosy(self) -> bool:
        """Whether some are left out."""
        return bool(self.tool or self.status or self.words or self.cost)

    def as_filters(self) -> dict[str, str]:
        """As a page shows them."""
        cost = f"{self.cost:g}" if self.cost else ""
        return {"words": self.words, "tool": self.tool, "status": self.status, "cost": cost}


@dataclass(frozen=True, slots=True, kw_only=True)
class Listed:
    """A run that is listed, and what came of it in words."""

    entry: RunEntry
    words: str


def show_runs(place: Workplace, wanted: Wanted) -> None:
    """List runs: live where a page is watching."""
    PanelOfRuns(place, wanted).show()


class PanelOfRuns:
    """The table of runs in one cell, and the place below it for the card that is open.

    Args:
        place: Where it stands.
        wanted: What is listed first.
    """

    def __init__(self, place: Workplace, wanted: Wanted) -> None:
        self._place = place
        self._wanted = wanted
        self._session = current_session()
        self._below = Below()
        self._found: list[Listed] = []
        self._view = PanelView(self._make, self._do, self._still)

    def show(self) -> None:
        """Show it, and where a page is watching the place for a card."""
        show(self._view)
        if self._view.comm is not None:
            self._below.open()

    def _do(self, question: Mapping[str, Any]) -> None:
        match question:
            case {"act": {"open": str(run_id)}}:
                self._open(run_id)
            case {"filters": {**filters}}:
                self._wanted = _chosen(self._wanted, filters)
            case _:
                raise ValueError("Runs are opened, and chosen by filters.")

    def _open(self, run_id: str) -> None:
        session_id = next(one.entry.session_id for one in self._found if one.entry.run_id == run_id)
        log = self._session.log
        tree = tree_of(log, session_id, current=self._session.session_id)
        self._below.put(run_bundle(self._place, tree, run_id))

    def _make(self) -> Panel:
        self._found = listed(self._session, self._wanted)
        head, rows = _columns([_row(one, self._found)[1:] for one in self._found])
        acts = [
            Act(label="Open", title="Show its card below", asks={"open": one.entry.run_id})
            for one in self._found
        ]
        return Panel(
            title=_title(self._wanted, len(self._found)),
            sections=[
                Section(
                    title="",
                    head=head,
                    rows=[Row(cells=row, acts=[act]) for row, act in zip(rows, acts, strict=True)],
                    empty="No run is like that.",
                )
            ],
            notes=_notes(self._session, self._wanted),
            filters=self._wanted.as_filters(),
            tools=sorted({name for names in self._called().values() for name in names}),
            statuses=STATUSES,
        )

    def _still(self, panel: Panel) -> dict[str, object]:
        """With the ids, by which `%nbagents show` finds a run where nothing can be pressed."""
        rows = [_row(one, self._found) for one in self._found]
        head, cells = _columns(rows, HEAD) if rows else ((), ())
        notes = [*([BY_ID] if rows else []), *panel.notes]
        report = Report(title=panel.title, head=head, rows=cells, notes=notes, code=(0,), ids=(0,))
        return report_bundle(report)

    def _called(self) -> Mapping[str, frozenset[str]]:
        oldest = min((one.entry.started_at for one in self._found), default=0.0)
        return self._session.log.called(oldest)


def listed(session: Session, wanted: Wanted) -> list[Listed]:
    """The runs that are wanted, the newest first."""
    most = LOOKED_THROUGH if wanted.is_choosy else wanted.limit
    said: Said = {
        "here": not wanted.is_all,
        "tool": wanted.tool or None,
        "words": wanted.words or None,
        "cost": wanted.cost or None,
    }
    found: list[Listed] = []
    for one in history_of(session, said, among=most):
        words = one.summary
        if not wanted.status or words.startswith(_status_words(wanted.status)):
            found.append(Listed(entry=one.entry, words=words))
        if len(found) == wanted.limit:
            break
    return found


def history_bundle(history: History) -> dict[str, object]:
    """A history as a table, the newest of it."""
    found = [Listed(entry=one.entry, words=one.summary) for one in history[:SHOWN]]
    head, rows = _columns([_row(one, found) for one in found], HEAD) if found else ((), ())
    title = f"{counted(len(history), 'run')}, the newest first" if found else "No runs"
    rest = f"{len(history) - SHOWN} older ones are in it, too." if len(history) > SHOWN else ""
    notes = [LOADED, *([rest] if rest else [])] if found else []
    return report_bundle(
        Report(title=title, head=head, rows=rows, notes=notes, code=(0,), ids=(0,))
    )


def _status_words(status: str) -> tuple[str, ...]:
    words = next((words for name, words in RUN_STATUS.items() if name == status), status)
    return (words, DECLINED) if status == "denied" else (words,)


def _chosen(wanted: Wanted, filters: Mapping[str, Any]) -> Wanted:
    """What a page chooses (Any: JSON).

    Raises:
        ValueError: The cost is no number.
    """
    said = {name: str(filters.get(name) or "").strip() for name in wanted.as_filters()}
    try:
        cost = float(said.pop("cost") or 0)
    except ValueError:
        raise ValueError("Cost is a number, e.g. 0.01.") from None
    return replace(wanted, **said, cost=cost)


def _title(wanted: Wanted, count: int) -> str:
    where = "of every kernel" if wanted.is_all else "of this kernel"
    if not count and not wanted.is_choosy:
        return f"No runs {where} yet"
    chosen = [
        f"that called {wanted.tool}" if wanted.tool else "",
        f"{wanted.status}" if wanted.status else "",
        f"with “{wanted.words}”" if wanted.words else "",
        f"at {wanted.cost:g} or more" if wanted.cost else "",
    ]
    said = ", ".join(one for one in chosen if one)
    return f"The newest {counted(count, 'run')} {where}{f', {said}' if said else ''}"


def _notes(session: Session, wanted: Wanted) -> list[str]:
    waiting = resumable(newest_runs(session.log, limit=LOOKED_THROUGH))
    return [*waiting, *([] if wanted.is_all else [OTHERS])]


def _columns(
    rows: Sequence[Sequence[str]], head: Sequence[str] = HEAD[1:]
) -> tuple[Sequence[str], Sequence[Sequence[str]]]:
    """A table without the columns in which nothing stands."""
    kept = [
        at
        for at, name in enumerate(head)
        if name not in MAY_BE_EMPTY or any(row[at] for row in rows)
    ]
    return [head[at] for at in kept], [[row[at] for at in kept] for row in rows]


def _row(one: Listed, found: Sequence[Listed]) -> list[str]:
    entry = one.entry
    took_s = None if entry.ended_at is None else entry.ended_at - entry.started_at
    is_by_hand = entry.model == BY_HAND
    later = any(other.entry.resumed_from == entry.run_id for other in found)
    links = [
        f"chat {entry.chat}" if entry.chat else "",
        "goes on with another run" if entry.resumed_from else "",
        "gone on with by another run" if later else "",
    ]
    return [
        entry.run_id,
        _when(entry.started_at),
        duration(None if took_s is None else took_s * 1000),
        CALLED_BY_HAND if is_by_hand else entry.agent_name,
        one.words,
        str(entry.calls),
        str(entry.children or ""),
        thousands(entry.usage.total_tokens),
        money(entry.usage.cost),
        "" if is_by_hand else entry.model,
        " · ".join([clipped(entry.prompt, PROMPT_WIDTH), *(link for link in links if link)]),
    ]


def _when(at: float) -> str:
    """A time for people: that of the clock today, with the day before that."""
    zone = dt.UTC if is_deterministic() else None
    moment = dt.datetime.fromtimestamp(at, tz=zone).astimezone(zone)
    today = dt.datetime.now(tz=moment.tzinfo).date()
    if moment.date() == today:
        return f"{moment:%H:%M:%S}"
    return f"{moment:%Y-%m-%d %H:%M}"
