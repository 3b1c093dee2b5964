"""The log of a session: append-only, read by pages, as one stream, through profiles."""

from nbagents.runs.logs.history import (
    ChatTurns,
    answered,
    chat_history,
    read_family,
    read_line,
    read_whole,
)
from nbagents.runs.logs.ledger import (
    NO_RUN,
    Beginning,
    beginning_of,
    find_run,
    find_runs,
    is_going_on,
    newest_runs,
    root_above,
    session_usage,
    tree_of,
    words_of,
)
from nbagents.runs.logs.liveness import Living
from nbagents.runs.logs.log import CLAIM_S, Log, MemoryLog, RunEntry, RunSummary, branched_from
from nbagents.runs.logs.profiles import USER, Profile, profile_of
from nbagents.runs.logs.stream import Bell, Reader, followed, subscribe

__all__ = [
    "CLAIM_S",
    "NO_RUN",
    "USER",
    "Beginning",
    "Bell",
    "ChatTurns",
    "Living",
    "Log",
    "MemoryLog",
    "Profile",
    "Reader",
    "RunEntry",
    "RunSummary",
    "answered",
    "beginning_of",
    "branched_from",
    "chat_history",
    "find_run",
    "find_runs",
    "followed",
    "is_going_on",
    "newest_runs",
    "profile_of",
    "read_family",
    "read_line",
    "read_whole",
    "root_above",
    "session_usage",
    "subscribe",
    "tree_of",
    "words_of",
]
