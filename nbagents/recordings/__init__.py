"""Recordings: what models answered, kept in a file beside a notebook and given again from it."""

from nbagents.recordings.embedding import (
    SUFFIX,
    embed,
    embedded,
    recording_beside,
    recording_in,
    recording_of,
)
from nbagents.recordings.exchange import RecordedResult, secrets_in
from nbagents.recordings.frozen_calls import FrozenCalls
from nbagents.recordings.index import Recording
from nbagents.recordings.lines import FileLines, TextLines
from nbagents.recordings.open_recordings import recording_at, run_over, used_ids
from nbagents.recordings.recorded_model import Recorded
from nbagents.recordings.setting import (
    MODES,
    Mode,
    Setting,
    held,
    held_by_person,
    recording,
    setting_of,
    use_default,
)
from nbagents.recordings.wrapping import calls_of, model_of, recorded

__all__ = [
    "MODES",
    "SUFFIX",
    "FileLines",
    "FrozenCalls",
    "Mode",
    "Recorded",
    "RecordedResult",
    "Recording",
    "Setting",
    "TextLines",
    "calls_of",
    "embed",
    "embedded",
    "held",
    "held_by_person",
    "model_of",
    "recorded",
    "recording",
    "recording_at",
    "recording_beside",
    "recording_in",
    "recording_of",
    "run_over",
    "secrets_in",
    "setting_of",
    "use_default",
    "used_ids",
]
