"""`%nbagents show` and `usage`: what the log remembers of a run, and of tokens."""

from __future__ import annotations

from typing import TYPE_CHECKING

from nbagents.errors import did_you_mean
from nbagents.notebook.markup import Report, report_bundle
from nbagents.notebook.options import OptionError
from nbagents.notebook.saved import frozen_bundle, with_resumed
from nbagents.results import Usage
from nbagents.runs.logs import find_runs, session_usage, tree_of
from nbagents.runs.policy import cost_of
from nbagents.runs.state import current_session
from nbagents.runs.wording import counted, family, money
from nbagents.tools.tool import toolbox

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from nbagents.notebook.live import Workplace
    from nbagents.runs.logs import RunEntry
    from nbagents.runs.state import Run
    from nbagents.runs.tree import Tree

RESUMABLE_SHOWN = 3


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
    place.host.publish(run_bundle(place, tree, chosen, run))
    if changed := list(_changes(tree, chosen)):
        place.host.publish(report_bundle(Report(title="", rows=(), notes=changed)))


def run_bundle(
    place: Workplace, tree: Tree, run_id: str, run: Run | None = None
) -> Mapping[str, object]:
    """The card of a run of the log.

    Args:
        place: Says what is open in it.
        tree: The tree of its session.
        run_id: The run.
        run: The same, where this kernel has it at hand.
    """
    kept = with_resumed(tree if run is None else run.tree(), current_session().log)
    return frozen_bundle(kept, run_id, opened=place.config.value("open"))


def show_usage(place: Workplace) -> None:
    """Show what this kernel's runs have used, by model."""
    session = current_session()
    used = session_usage(session.log, session.session_id)
    prices: Mapping[str, Mapping[str, float]] = place.config.value("prices")
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


def resumable(found: Sequence[RunEntry]) -> list[str]:
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


def _only(found: tuple[str, ...], beginning: str, here: tuple[str, ...]) -> str:
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
