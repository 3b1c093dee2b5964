"""`%agent` or `%nbagents` alone: which model would be asked, and with what."""

from __future__ import annotations

from typing import TYPE_CHECKING

from nbagents.notebook.access import access_of
from nbagents.notebook.report import Report, report_bundle
from nbagents.runs.session import current_session
from nbagents.runs.tree.words import clipped, counted
from nbagents.tools.toolbox import toolbox

if TYPE_CHECKING:
    from collections.abc import Sequence

    from nbagents.notebook.workplace import Workplace
    from nbagents.runs.record import Run

__all__ = ["show_status"]

NAMES_SHOWN = 12


def show_status(place: Workplace) -> None:
    """Show it."""
    access, session = access_of(place.config), current_session()
    key = access.key_in_words
    rows = [
        ("Model", f"{access.model}, because {access.why}"),
        ("Key", key if access.has_key or not access.is_offline else f"{key}; none is needed"),
        ("Tools", _listed(tuple(toolbox), "tool", "none yet: write %%tool above a function")),
        ("Chats", _listed(session.chats.names(), "chat", "none yet: -c NAME begins one")),
        ("Last run", _last(session.runs)),
    ]
    notes = ["%agent? lists the options, %nbagents doctor looks for what does not work."]
    place.host.publish(report_bundle(Report(title="nbagents", rows=rows, notes=notes)))


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
    return f"{run.id}, {run.summary}: {clipped(run.prompt, 60)}"
