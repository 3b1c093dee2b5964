"""The tree of runs and calls: the one state that events come to."""

from nbagents.runs.tree.awaits import PERSON, YOU, askers, who, words_of
from nbagents.runs.tree.blanks import blank, blank_call, blank_run, hints_of
from nbagents.runs.tree.conversation import unpaired
from nbagents.runs.tree.explanation import explanation_of
from nbagents.runs.tree.folding import TreeFold, fold, parsed, settle
from nbagents.runs.tree.line import NOT_KNOWN, Line, last_offered
from nbagents.runs.tree.nodes import (
    OLDER,
    AnswerNode,
    AuthorizationNode,
    AwaitNode,
    CallNode,
    EditNode,
    HandoffItem,
    Item,
    PayloadNode,
    Plain,
    Progress,
    RequestNode,
    RunNode,
    Tree,
)
from nbagents.runs.tree.patches import ABSENT, TreePatches
from nbagents.runs.tree.projection import shown_field, shown_tree
from nbagents.runs.tree.shown_messages import (
    ChatHistory,
    ShownOnce,
    part_line,
    parted,
    shown_message,
    shown_tools,
)
from nbagents.runs.tree.terminal import Output, Stream, shown
from nbagents.runs.tree.trimming import estimated_tokens, newest_turn, trimmed

__all__ = [
    "ABSENT",
    "NOT_KNOWN",
    "OLDER",
    "PERSON",
    "YOU",
    "AnswerNode",
    "AuthorizationNode",
    "AwaitNode",
    "CallNode",
    "ChatHistory",
    "EditNode",
    "HandoffItem",
    "Item",
    "Line",
    "Output",
    "PayloadNode",
    "Plain",
    "Progress",
    "RequestNode",
    "RunNode",
    "ShownOnce",
    "Stream",
    "Tree",
    "TreeFold",
    "TreePatches",
    "askers",
    "blank",
    "blank_call",
    "blank_run",
    "estimated_tokens",
    "explanation_of",
    "fold",
    "hints_of",
    "last_offered",
    "newest_turn",
    "parsed",
    "part_line",
    "parted",
    "settle",
    "shown",
    "shown_field",
    "shown_message",
    "shown_tools",
    "shown_tree",
    "trimmed",
    "unpaired",
    "who",
    "words_of",
]
