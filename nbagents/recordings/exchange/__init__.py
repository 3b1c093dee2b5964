"""One line of a recording: question and answer in the form in which they are kept and found."""

from nbagents.recordings.exchange.answer import Hearing, Replay, each_text
from nbagents.recordings.exchange.call_result import read_result, written_result
from nbagents.recordings.exchange.exchange import (
    HEADER,
    Damage,
    Entry,
    Exchange,
    Raw,
    RecordedResult,
    Reply,
    answered,
    call_mark,
    exchange_of,
    no_recording,
    read_line,
    read_without,
    result_of,
)
from nbagents.recordings.exchange.question import Json, Question, Reader
from nbagents.recordings.exchange.secrets import scrubbed, scrubbed_json, secrets_in
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
    "Raw",
    "Reader",
    "RecordedResult",
    "Replay",
    "Reply",
    "Signs",
    "answered",
    "call_mark",
    "each_text",
    "exchange_of",
    "no_recording",
    "read_line",
    "read_result",
    "read_without",
    "result_of",
    "scrubbed",
    "scrubbed_json",
    "secrets_in",
    "written_result",
]
