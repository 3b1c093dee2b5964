"""One line of a recording: question and answer in the form in which they are kept and found."""

from nbagents.recordings.exchange.answer import Hearing, Replay
from nbagents.recordings.exchange.call_result import read_result, written_result
from nbagents.recordings.exchange.exchange import (
    HEADER,
    Damage,
    Entry,
    Exchange,
    RecordedResult,
    answered,
    call_mark,
    exchange_line,
    read_line,
    result_line,
)
from nbagents.recordings.exchange.question import Json, Question, Reader
from nbagents.recordings.exchange.secrets import scrubbed_json, secrets_in
from nbagents.recordings.exchange.volatile import Moments, Signs

__all__ = [
    "HEADER",
    "Damage",
    "Entry",
    "Exchange",
    "Hearing",
    "Json",
    "Moments",
    "Question",
    "Reader",
    "RecordedResult",
    "Replay",
    "Signs",
    "answered",
    "call_mark",
    "exchange_line",
    "read_line",
    "read_result",
    "result_line",
    "scrubbed_json",
    "secrets_in",
    "written_result",
]
