"""A run and its session as objects, the desk where people are asked, and conversations."""

from nbagents.runs.state.chats import Chat, past_chats
from nbagents.runs.state.desk import Answer, Await, AwaitKind, Desk, Handler, OnAwait, Posed
from nbagents.runs.state.grants import EARLIER, Grant
from nbagents.runs.state.history import History, Wanted, history_of
from nbagents.runs.state.loop import (
    FIRST,
    UNBROKEN_ENDS,
    AskModel,
    CallTools,
    Decide,
    Loop,
    Outcome,
    agent_loop,
    closing_again,
    closing_call,
    open_answer,
)
from nbagents.runs.state.past_answers import Branch, Past, Place, Said, words_of
from nbagents.runs.state.run import Comparison, Run, compare, found_run, is_path
from nbagents.runs.state.session import Session, Stamp, current_session, open_log, state_folder
from nbagents.runs.state.shared_objects import taken_classes, told_of
from nbagents.runs.state.verdict import CallKey, Verdict

__all__ = [
    "EARLIER",
    "FIRST",
    "UNBROKEN_ENDS",
    "Answer",
    "AskModel",
    "Await",
    "AwaitKind",
    "Branch",
    "CallKey",
    "CallTools",
    "Chat",
    "Comparison",
    "Decide",
    "Desk",
    "Grant",
    "Handler",
    "History",
    "Loop",
    "OnAwait",
    "Outcome",
    "Past",
    "Place",
    "Posed",
    "Run",
    "Said",
    "Session",
    "Stamp",
    "Verdict",
    "Wanted",
    "agent_loop",
    "closing_again",
    "closing_call",
    "compare",
    "current_session",
    "found_run",
    "history_of",
    "is_path",
    "open_answer",
    "open_log",
    "past_chats",
    "state_folder",
    "taken_classes",
    "told_of",
    "words_of",
]
