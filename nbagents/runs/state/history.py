"""All runs that a log knows, those of other kernels too, as light values."""

from __future__ import annotations

import datetime as dt
import fnmatch
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from importlib import import_module
from itertools import islice
from types import NoneType
from typing import TYPE_CHECKING, Any, Final, Protocol, TypedDict, get_args, overload

from nbagents.errors import did_you_mean
from nbagents.events import RunStatus
from nbagents.narrowing import is_whole
from nbagents.redaction import clean
from nbagents.runs.logs import newest_runs, read_family, words_of
from nbagents.runs.wording import clipped, duration
from nbagents.tools.context import require, wrong

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from nbagents.results import Usage
    from nbagents.runs.logs import Log, RunEntry

ALL: Final = 10_000_000
"""More runs than a log has."""
STATUSES: Final = get_args(RunStatus)
PRINTED: Final = 20
PROMPT_WIDTH: Final = 60
RUNS: Final = "nbagents.runs.state"
"""Where runs are: they stand above this file, so that they are found by its name."""


class Logged(Protocol):
    """A session, as far as its history needs it."""

    session_id: str
    log: Log


@dataclass(frozen=True, slots=True, repr=False)
class LoggedRun:
    """A run as the log lists it, with all runs inside it; `load()` gives the run itself."""

    entry: RunEntry
    """What the log says of it."""
    session: Logged = field(compare=False)
    """In whose log it was looked up."""

    @property
    def id(self) -> str:
        """By which it is loaded."""
        return self.entry.run_id

    @property
    def prompt(self) -> str:
        """What was asked."""
        return self.entry.prompt

    @property
    def agent(self) -> str:
        """The agent's name."""
        return self.entry.agent_name

    @property
    def model(self) -> str:
        """Which model answered."""
        return self.entry.model

    @property
    def status(self) -> RunStatus:
        """How it ended; `running` is one that goes on, `unknown` one whose kernel died."""
        return self.entry.status

    @property
    def summary(self) -> str:
        """What came of it in words, as its card says it."""
        return words_of(self.session.log, self.entry)

    @property
    def started(self) -> dt.datetime:
        """When it began, in this machine's time."""
        return dt.datetime.fromtimestamp(self.entry.started_at, tz=dt.UTC).astimezone()

    @property
    def duration(self) -> float | None:
        """Seconds from start to end; `None`: it has none."""
        ended_at = self.entry.ended_at
        return None if ended_at is None else ended_at - self.entry.started_at

    @property
    def calls(self) -> int:
        """How many calls it made, with the runs inside it."""
        return self.entry.calls

    @property
    def children(self) -> int:
        """How many runs are inside it, however deep."""
        return self.entry.children

    @property
    def usage(self) -> Usage:
        """Tokens, with those of the runs inside it."""
        return self.entry.usage

    @property
    def cost(self) -> float | None:
        """Money, where prices were set."""
        return self.entry.cost

    @property
    def labels(self) -> Mapping[str, str]:
        """The words by which it is found again."""
        return self.entry.labels

    @property
    def chat(self) -> str | None:
        """The conversation that it is part of."""
        return self.entry.chat

    @property
    def resumed_from(self) -> str | None:
        """The run that it goes on with."""
        return self.entry.resumed_from

    @property
    def forked_from(self) -> str | None:
        """The run that it is a branch of."""
        return self.entry.forked_from

    @property
    def replayed(self) -> bool:
        """Whether a recording gave answers of it, or of a run inside it; reads its events."""
        events = read_family(self.session.log, self.session_id, self.id)
        return any(one.type == "usage" and one.recorded is not None for one in events)

    @property
    def session_id(self) -> str:
        """The session that it was part of, maybe another kernel's."""
        return self.entry.session_id

    def load(self) -> Any:  # Any: a `Run`, which stands above
        """The run itself; see `Run.load`.

        Raises:
            RunError: It still goes on in another kernel.
        """
        return import_module(RUNS).Run.load(self.id, log=self.session)

    def as_dict(self) -> dict[str, Any]:
        """What the list itself says, by name."""
        return {name: getattr(self, name) for name in FIELDS}

    def __repr__(self) -> str:
        asked = clipped(self.prompt, PROMPT_WIDTH)
        return clean(f"<{self.id} of {self.agent!r}, {self.status}: {asked!r}>")


READ: Final = ("summary", "replayed")
"""What the events of a run say: with many runs that takes long."""
FIELDS: Final = tuple(
    name for name, one in vars(LoggedRun).items() if isinstance(one, property) and name not in READ
)


class History(Sequence[LoggedRun]):
    """Runs that a log knows, the newest first."""

    def __init__(self, runs: Sequence[LoggedRun]) -> None:
        self._runs = tuple(runs)

    def __len__(self) -> int:
        return len(self._runs)

    @overload
    def __getitem__(self, index: int) -> LoggedRun: ...
    @overload
    def __getitem__(self, index: slice) -> History: ...
    def __getitem__(self, index: int | slice) -> LoggedRun | History:
        return History(self._runs[index]) if isinstance(index, slice) else self._runs[index]

    def as_dicts(self) -> list[dict[str, Any]]:
        """All runs as rows, e.g. for `pandas.DataFrame`."""
        return [one.as_dict() for one in self._runs]

    def __repr__(self) -> str:
        lines = [
            f"{one.id}  {one.started:%Y-%m-%d %H:%M}  {_took(one):>8}  {one.status:<10}"
            f"  {clipped(one.prompt, PROMPT_WIDTH)}"
            for one in self._runs[:PRINTED]
        ]
        if (rest := len(self) - PRINTED) > 0:
            lines.append(f"… and {rest} older")
        return clean("\n".join(line.rstrip() for line in lines) or "No runs.")


class Wanted(TypedDict, total=False):
    """Which runs are wanted: those of which all holds that is said."""

    here: bool
    """Of this session alone, which is this kernel's."""
    agent: str | None
    model: str | None
    status: str | None
    tool: str | None
    """That one was called; with `*` and `?`."""
    words: str | None
    """They are in the prompt."""
    chat: str | None
    labels: Mapping[str, str] | None
    cost: float | None
    """At least so much."""
    since: dt.datetime | dt.timedelta | None
    limit: int | None


def history_of(session: Logged, wanted: Wanted, *, among: int = ALL) -> History:
    """The runs of a session's log that are wanted, the newest first.

    Args:
        session: Whose log is meant.
        wanted: Which of them.
        among: How many of the newest are looked through.

    Raises:
        ValueError: What is said of them cannot be used.
        TypeError: There is nothing of this name to be said of runs.
    """
    checked(wanted)
    said = {name: one for name, one in wanted.items() if one is not None}
    only = session.session_id if said.pop("here", False) else None
    limit = wanted.get("limit")
    said.pop("limit", None)
    most = among if said or limit is None else min(limit, among)
    entries = newest_runs(session.log, limit=most, current=session.session_id, only=only)
    found = (LoggedRun(one, session) for one in _chosen(session, entries, said))
    return History([*islice(found, limit)])


def checked(wanted: Wanted) -> None:
    """See that what is said of runs can be used.

    Raises:
        ValueError: It cannot.
        TypeError: There is nothing of this name to be said.
    """
    names = tuple(Wanted.__annotations__)
    for name in wanted:
        if name not in names:
            raise TypeError(f"history() takes no {name!r}.{did_you_mean(name, names)}")
    if (status := wanted.get("status")) not in (None, *STATUSES):
        raise wrong("status", status, f"no run stands so.{did_you_mean(str(status), STATUSES)}")
    if (limit := wanted.get("limit")) is not None and not (is_whole(limit) and limit >= 0):
        raise wrong("limit", limit, "give how many at most, e.g. limit=20.")
    how = "give a datetime, or a timedelta back from now, e.g. timedelta(days=1)."
    require("since", wanted.get("since"), (dt.datetime, dt.timedelta, NoneType), how)
    how = 'give a dict, e.g. labels={"lesson": "3"}.'
    require("labels", wanted.get("labels"), (Mapping, NoneType), how)
    require("cost", wanted.get("cost"), (int, float, NoneType), "give a number, e.g. cost=0.01.")
    for name in ("agent", "model", "tool", "words", "chat"):
        require(name, wanted.get(name), (str, NoneType), "give text.")


def _chosen(
    session: Logged, entries: Sequence[RunEntry], said: Mapping[str, Any]
) -> Iterator[RunEntry]:
    oldest = min((one.started_at for one in entries), default=0.0)
    called: Mapping[str, frozenset[str]] = session.log.called(oldest) if "tool" in said else {}
    for one in entries:
        if "tool" in said and not fnmatch.filter(called.get(one.run_id, ()), said["tool"]):
            continue
        if all(CHECKS[name](one, given) for name, given in said.items() if name in CHECKS):
            yield one


def _began_since(entry: RunEntry, since: dt.datetime | dt.timedelta) -> bool:
    moment = since if isinstance(since, dt.datetime) else dt.datetime.now(dt.UTC) - since
    return entry.started_at >= moment.timestamp()


def _has_words(entry: RunEntry, words: str) -> bool:
    prompt = entry.prompt.casefold()
    return all(word in prompt for word in words.casefold().split())


CHECKS: Final[Mapping[str, Callable[[RunEntry, Any], bool]]] = {
    "agent": lambda entry, name: entry.agent_name == name,
    "model": lambda entry, name: entry.model == name,
    "status": lambda entry, status: entry.status == status,
    "words": _has_words,
    "chat": lambda entry, name: entry.chat == name,
    "labels": lambda entry, labels: labels.items() <= entry.labels.items(),
    "cost": lambda entry, cost: (entry.cost or 0) >= cost,
    "since": _began_since,
}
"""Whether a run is one of those that are wanted, by each thing that may be said of them."""


def _took(run: LoggedRun) -> str:
    took_s = run.duration
    return duration(None if took_s is None else took_s * 1000)
