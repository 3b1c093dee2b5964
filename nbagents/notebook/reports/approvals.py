"""The tools whose calls are not asked about any more, listed."""

from __future__ import annotations

import datetime as dt
from typing import TYPE_CHECKING

from nbagents.notebook.markup import Report, report_bundle
from nbagents.runs.state import current_session
from nbagents.runs.wording import visible_name

if TYPE_CHECKING:
    from nbagents.notebook.live import Workplace

NONE = "Each call that needs consent is asked about: no tool was allowed for all of this session."
ENDS = (
    "Such leave ends with the kernel, and when the tool or what it was defined with changes."
    " %nbagents approvals --revoke TOOL takes it back."
)


def show_approvals(place: Workplace) -> None:
    """Show what was said of all later calls of a tool."""
    grants = current_session().approvals
    rows = [
        (
            visible_name(one.tool),
            f"{dt.datetime.fromtimestamp(one.at, tz=dt.UTC):%Y-%m-%d %H:%M:%S} UTC",
            one.by,
            one.run_id,
            f"{one.calls:,}",
        )
        for one in grants
    ]
    head = ("Tool", "Since", "Said by", "In the run", "Calls without asking") if rows else ()
    report = Report(
        title="Not asked about in this session",
        head=head,
        rows=rows,
        notes=[ENDS if rows else NONE],
        code=(0, 3) if rows else (),
    )
    place.host.publish(report_bundle(report))
