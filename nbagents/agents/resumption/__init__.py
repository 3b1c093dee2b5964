"""Going on with a run of the log: what it needs, what was said, and nothing done twice."""

from nbagents.agents.resumption.kernel_needs import RESULT, shared_names
from nbagents.agents.resumption.past_run import PastRun, may_begin_anew
from nbagents.agents.resumption.resumption import begin_resumed, read_again

__all__ = [
    "RESULT",
    "PastRun",
    "begin_resumed",
    "may_begin_anew",
    "read_again",
    "shared_names",
]
