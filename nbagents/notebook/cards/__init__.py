"""Cards of tools and of requests that were not sent, and what a tool takes in words."""

from nbagents.notebook.cards.parameters import Parameter, parameters_in_words
from nbagents.notebook.cards.preview import preview_card
from nbagents.notebook.cards.tool import badges, tool_card, tool_lines, tool_list, tool_signature

__all__ = [
    "Parameter",
    "badges",
    "parameters_in_words",
    "preview_card",
    "tool_card",
    "tool_lines",
    "tool_list",
    "tool_signature",
]
