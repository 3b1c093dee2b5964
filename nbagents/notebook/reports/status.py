"""`%agent` or `%nbagents` alone: which model would be asked, and with what."""

from __future__ import annotations

from typing import TYPE_CHECKING

from nbagents.notebook.markup import Report, report_bundle
from nbagents.notebook.reports.access import access_of
from nbagents.runs.state import current_session
from nbagents.runs.wording import clipped, counted
from nbagents.tools.tool import toolbox

if TYPE_CHECKING:
    from collections.abc import Sequence

    from nbagents.notebook.live import Workplace
    from nbagents.runs.state import Run

NAMES_SHOWN = 12


def show_status(place: Workplace) -> None:
    """Show it."""
    session = current_session()
    model, key, recording, last = status_rows(place)
    rows = [
        model,
        key,
        recording,
        ("Tools", _listed(tuple(toolbox), "tool", "none yet: write %%tool above a function")),
        ("Chats", _listed(session.chats.names(), "chat", "none yet: -c NAME begins one")),
        last,
    ]
    notes = ["%agent? lists the options, %nbagents doctor looks for what does not work."]
    place.host.publish(report_bundle(Report(title="nbagents", rows=rows, notes=notes)))


def status_rows(place: Workplace) -> list[tuple[str, str]]:
    """Which model would be asked and why, by which key, which recording holds, the last run."""
    access = access_of(place.config)
    key = access.key_in_words
    return [
        ("Model", f"{access.model}, because {access.why}"),
        ("Key", key if access.has_key or not access.is_offline else f"{key}; none is needed"),
        ("Recording", place.recordings.in_words),
        ("Last run", _last(current_session().runs)),
    ]


def _listed(names: Sequence[str], noun: str, otherwise: str) -> str:
    if not names:
        return otherwise
    more = len(names) - NAMES_SHOWN
    shown = [*names[:NAMES_SHOWN], *([f"and {more} more"] if more > 0 else [])]
    return f"{counted(len(names), noun)}: {', '.join(shown)}"


def _last(runs: Sequence[Run]) -> str:
    begun = [run for run in runs if run.events]
    if not begun:
        return "none yet"
    run = begun[-1]
    return f"{run.summary}: {clipped(run.prompt, 60)}"
