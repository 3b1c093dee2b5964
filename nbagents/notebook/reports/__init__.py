"""What `%nbagents` says: runs of the past, usage, access, approvals, the doctor."""

from nbagents.notebook.reports.doctor import examine
from nbagents.notebook.reports.nbagents_magic import look_after
from nbagents.notebook.reports.past_runs import suspended
from nbagents.notebook.reports.runs_panel import history_bundle
from nbagents.notebook.reports.status import show_status

__all__ = ["examine", "history_bundle", "look_after", "show_status", "suspended"]
