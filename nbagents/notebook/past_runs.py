"""`%nbagents runs`, `show` and `usage`: what the log remembers."""

from __future__ import annotations

import datetime as dt
from typing import TYPE_CHECKING, Any, cast

from nbagents.errors import did_you_mean
from nbagents.identity import is_deterministic
from nbagents.notebook.afterwards import with_resumed
from nbagents.notebook.frozen import frozen_bundle
from nbagents.notebook.prompt import OptionError
from nbagents.notebook.report import Report, report_bundle
from nbagents.results import Usage
from nbagents.runs.logs.ledger import find_runs, newest_runs, session_usage, tree_of, words_of
from nbagents.runs.prices import cost_of
from nbagents.runs.session import current_session
from nbagents.runs.tree.words import clipped, counted, duration, family, money, thousands
from nbagents.tools.toolbox import toolbox

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from nbagents.notebook.workplace import Workplace
    from nbagents.runs.logs.ledger import RunEntry
    from nbagents.runs.logs.log import Log
    from nbagents.runs.record import Run
    from nbagents.runs.tree.folding import Tree

__all__ = ["show_run", "show_runs", "show_usage", "suspended"]

HEAD = (
    *("Run", "Began", "Took", "What came of it", "Calls", "Runs inside"),
    *("Tokens", "Cost", "Model", "Prompt"),
)
MAY_BE_EMPTY = ("Took", "Runs inside", "Cost")
"""Columns that are left out where nothing stands in them."""
RESUMABLE_SHOWN = 3
LOOKED_THROUGH = 500
"""Among how many runs those that wait are found, of this kernel or of an earlier one."""


def show_runs(place: Workplace, *, limit: int, is_all: bool) -> None:
    """List the newest runs.

    Args:
        place: Where they are listed.
        limit: How many at most.
        is_all: Whether those of other kernels are, too.
    """
    session = current_session()
    only = None if is_all else session.session_id
    found = newest_runs(session.log, limit=limit, current=session.session_id, only=only)
    where = "of every kernel" if is_all else "of this kernel"
    title = f"The newest {counted(len(found), 'run')} {where}" if found else f"No runs {where} yet"
    said = ["%nbagents show RUN shows one; the beginning of its id is enough."] * bool(found)
    if not is_all:
        said.append("%nbagents runs --all lists those of earlier kernels, too.")
    head, rows = (
        _filled(HEAD, [_row(session.log, one, found) for one in found]) if found else ((), ())
    )
    notes = [*_resumable(newest_runs(session.log, limit=LOOKED_THROUGH)), " ".join(said)]
    place.host.publish(
        report_bundle(Report(title=title, head=head, rows=rows, notes=notes, code=(0,), ids=(0,)))
    )


def show_run(place: Workplace, beginning: str) -> None:
    """Show the card of a run, and which of its tools have changed since.

    Raises:
        OptionError: No run has such an id, or several have.
    """
    session = current_session()
    here = {run.id: run for run in session.runs}
    found = {one.run_id: one.session_id for one in find_runs(session.log, beginning)}
    chosen = beginning if beginning in found else _only(tuple(found), beginning, tuple(here))
    tree = tree_of(session.log, found[chosen], current=session.session_id)
    run = _inside(here, tree, chosen)
    kept = cast("Mapping[str, Any]", tree if run is None else run.tree())
    kept = with_resumed(cast("Tree", dict(kept)), session.log)
    place.host.publish(frozen_bundle(kept, chosen, opened=place.config.value("open")))
    if changed := list(_changes(tree, chosen)):
        place.host.publish(report_bundle(Report(title="", rows=(), notes=changed)))


def show_usage(place: Workplace) -> None:
    """Show what this kernel's runs have used, by model."""
    session = current_session()
    used = session_usage(session.log, session.session_id)
    prices = cast("Mapping[str, Mapping[str, float]]", place.config.value("prices"))
    if not used:
        title = "No tokens were used in this kernel yet"
        return place.host.publish(report_bundle(Report(title=title, rows=())))
    rows = [_usage_row(model, one, _cost(one, prices.get(model))) for model, one in used.items()]
    costs = [_cost(one, prices.get(model)) for model, one in used.items()]
    if len(used) > 1:
        total = sum(used.values(), Usage())
        known = [one for one in costs if one is not None]
        rows.append(_usage_row("in all", total, sum(known) if known else None))
    head = ["Model", "Requests", "In", "of it cached", "Out", "Tokens", "Cost"]
    has_costs = any(one is not None for one in costs)
    shown = [row if has_costs else row[:-1] for row in rows]
    unpriced = [
        model
        for (model, one), cost in zip(used.items(), costs, strict=True)
        if cost is None and one.total_tokens
    ]
    report = Report(
        title="Tokens in this kernel",
        head=head if has_costs else head[:-1],
        rows=shown,
        notes=_price_notes(unpriced, has_costs=has_costs),
    )
    return place.host.publish(report_bundle(report))


def _resumable(found: Sequence[RunEntry]) -> list[str]:
    """How to go on with those that are suspended, whichever kernel they ran in."""
    waiting = suspended(found)
    lines = [
        f"{one.run_id} waits for you: %agent --resume {one.run_id}"
        for one in waiting[:RESUMABLE_SHOWN]
    ]
    if (rest := len(waiting) - len(lines)) > 0:
        lines.append(f"{counted(rest, 'more run')} suspended, which --resume goes on with, too.")
    return lines


def suspended(found: Sequence[RunEntry]) -> list[RunEntry]:
    """Those that wait for somebody, and that no newer run has gone on with."""
    resumed = {one.resumed_from for one in found}
    return [one for one in found if one.status == "suspended" and one.run_id not in resumed]


def _filled(
    head: Sequence[str], rows: Sequence[Sequence[str]]
) -> tuple[Sequence[str], Sequence[Sequence[str]]]:
    """A table without the columns in which nothing stands."""
    kept = [
        at
        for at, name in enumerate(head)
        if name not in MAY_BE_EMPTY or any(row[at] for row in rows)
    ]
    return [head[at] for at in kept], [[row[at] for at in kept] for row in rows]


def _row(log: Log, entry: RunEntry, found: Sequence[RunEntry]) -> list[str]:
    took_s = None if entry.ended_at is None else entry.ended_at - entry.started_at
    later = [one.run_id for one in found if one.resumed_from == entry.run_id]
    links = [
        f"chat {entry.chat}" if entry.chat else "",
        f"goes on with {entry.resumed_from}" if entry.resumed_from else "",
        f"gone on with by {later[-1]}" if later else "",
    ]
    return [
        entry.run_id,
        _when(entry.started_at),
        duration(None if took_s is None else took_s * 1000),
        words_of(log, entry),
        str(entry.calls),
        str(entry.children or ""),
        thousands(entry.usage.total_tokens),
        money(entry.usage.cost),
        entry.model,
        " · ".join([clipped(entry.prompt, 60), *(link for link in links if link)]),
    ]


def _when(at: float) -> str:
    """A time for people: that of the clock today, with the day before that."""
    zone = dt.UTC if is_deterministic() else None
    moment = dt.datetime.fromtimestamp(at, tz=zone).astimezone(zone)
    today = dt.datetime.now(tz=moment.tzinfo).date()
    if moment.date() == today:
        return f"{moment:%H:%M:%S}"
    return f"{moment:%Y-%m-%d %H:%M}"


def _only(found: tuple[str, ...], beginning: str, here: tuple[str, ...]) -> str:
    """The one run that is meant."""
    if len(found) == 1:
        return found[0]
    if found:
        some = ", ".join(found[:5])
        raise OptionError(f"{len(found)} runs begin with {beginning!r}: {some}. Write more of one.")
    hint = did_you_mean(beginning, here) if here else ""
    raise OptionError(
        f"There is no run {beginning!r}.{hint} %nbagents runs --all lists those that there are."
    )


def _inside(here: Mapping[str, Run], tree: Tree, run_id: str) -> Run | None:
    """The run of this kernel's that holds a run of the log."""
    found: str | None = run_id
    while found is not None and found not in here:
        found = tree["runs"][found]["parent_run_id"] if found in tree["runs"] else None
    return here.get(found or "")


def _changes(tree: Tree, run_id: str) -> Iterator[str]:
    """Which tools of a run are not what they were, a sentence each."""
    calls = [call for run in family(tree, tree["runs"][run_id]) for call in run["calls"].values()]
    for name, was in dict.fromkeys((call["name"], call["source_hash"]) for call in calls):
        tool = toolbox.get(name)
        if tool is not None and was is not None and tool.source_hash != was:
            now = tool.source_hash
            yield f"{name} has changed since: it was version {was[:8]} then, and is {now[:8]} now."


def _usage_row(model: str, usage: Usage, cost: float | None) -> list[str]:
    counts = (usage.input_tokens, usage.cached_tokens, usage.output_tokens, usage.total_tokens)
    return [
        model,
        f"{usage.requests:,}",
        *(f"{one:,}" for one in counts),
        money(cost),
    ]


def _cost(usage: Usage, price: Mapping[str, float] | None) -> float | None:
    """What tokens cost by the price that holds now; without one, what was counted with the runs."""
    return usage.cost if price is None else cost_of(usage, price)


def _price_notes(unpriced: list[str], *, has_costs: bool) -> list[str]:
    if not unpriced:
        return ["Costs are by %config NbAgents.prices, in its currency."] * has_costs
    example = f"%config NbAgents.prices = {{{unpriced[0]!r}: {{'input': 1.25, 'output': 10}}}}"
    said = f"Without a price: {', '.join(unpriced)}." if has_costs else "No prices are set."
    return [f"{said} {example} says what a million tokens cost."]
