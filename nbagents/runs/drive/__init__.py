"""What drives a run: its steps, batches of calls, the runs inside, and the ways in."""

from nbagents.runs.drive.background import start_run
from nbagents.runs.drive.entrance import run_async, run_blocking, stream_events
from nbagents.runs.drive.sample_run import check_samples

__all__ = ["check_samples", "run_async", "run_blocking", "start_run", "stream_events"]
