"""The rows that a run is shown as: what stands in one, its times, its troubles, a waterfall."""

from nbagents.runs.wording.rows.rows import (
    Group,
    Line,
    call_preview,
    calls_in,
    group_preview,
    group_status,
    group_words,
    is_namesake,
    is_urgent,
    kept_words,
    lines_of,
    more_words,
    subjects,
)
from nbagents.runs.wording.rows.telling import row_arguments, telling_arguments
from nbagents.runs.wording.rows.times import call_time, group_time, run_time
from nbagents.runs.wording.rows.troubles import GAVE_NOTHING, is_refused, troubles_inside
from nbagents.runs.wording.rows.waterfall import (
    Phase,
    joined,
    phase_words,
    phases_of,
    phases_of_group,
    phases_of_run,
    tick_s,
    tick_words,
)

__all__ = [
    "GAVE_NOTHING",
    "Group",
    "Line",
    "Phase",
    "call_preview",
    "call_time",
    "calls_in",
    "group_preview",
    "group_status",
    "group_time",
    "group_words",
    "is_namesake",
    "is_refused",
    "is_urgent",
    "joined",
    "kept_words",
    "lines_of",
    "more_words",
    "phase_words",
    "phases_of",
    "phases_of_group",
    "phases_of_run",
    "row_arguments",
    "run_time",
    "subjects",
    "telling_arguments",
    "tick_s",
    "tick_words",
    "troubles_inside",
]
