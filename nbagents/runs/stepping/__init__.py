"""Where a run waits in step mode, and what may be changed there: values and checks, no I/O."""

from nbagents.runs.stepping.call_edits import CallMove, call_moves
from nbagents.runs.stepping.edit import Edit, edit_of
from nbagents.runs.stepping.message_edits import EditedMessages, edited_messages, words_of
from nbagents.runs.stepping.mode import StepMode, Stepping, mode_of
from nbagents.runs.stepping.pause import NextCall, Pause, call_words, cut_words, message_words
from nbagents.runs.stepping.request_edits import RequestMove, request_move
from nbagents.runs.stepping.wire import changed_arguments, edit_json, page_edit, shown_pause

__all__ = [
    "CallMove",
    "Edit",
    "EditedMessages",
    "NextCall",
    "Pause",
    "RequestMove",
    "StepMode",
    "Stepping",
    "call_moves",
    "call_words",
    "changed_arguments",
    "cut_words",
    "edit_json",
    "edit_of",
    "edited_messages",
    "message_words",
    "mode_of",
    "page_edit",
    "request_move",
    "shown_pause",
    "words_of",
]
