"""What the model was asked in each step, in short: which messages, which tools, how large."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from nbagents.notebook.cut_texts import json_bytes, written_bytes
from nbagents.notebook.frozen_markup import Html, fold, join, muted, tag
from nbagents.runs.tree.visible import visible_name
from nbagents.runs.tree.words import clipped, counted, size

if TYPE_CHECKING:
    from collections.abc import Mapping

    from nbagents.runs.tree.folding import RequestNode, RunNode

__all__ = ["limits_in_words", "requests_fold"]

MESSAGE_WIDTH = 240
MOST_MESSAGES = 12
MOST_STEPS = 40
LIST = "margin:0 0 4px;padding-left:24px"
LIMITS = {
    "max_steps": "step",
    "max_calls": "call",
    "max_tokens": "token",
    "max_failed_batches": "failed step",
    "max_depth": "nested run",
}


def requests_fold(run: RunNode) -> Html:
    """What the model saw, a line for each step, and below it what no row of the run says."""
    steps = [tag("li", _step(request)) for request in run["requests"][:MOST_STEPS]]
    if not steps:
        return Html()
    if (rest := len(run["requests"]) - len(steps)) > 0:
        steps.append(tag("li", f"{counted(rest, 'more step')}, in the saved JSON"))
    listed = tag("ul", *steps, style=LIST)
    return fold("What the model saw", listed, head="opacity:0.75", style="margin:0 0 6px")


def _step(request: RequestNode) -> Html:
    count, told = request["message_count"], request["messages"]
    head = join(f"Step {request['step']}: {counted(count, 'message')}", _tools(request))
    if not told:
        return head
    lines = [tag("li", _message(message)) for message in told[:MOST_MESSAGES]]
    if (rest := len(told) - len(lines)) > 0:
        lines.append(tag("li", f"{counted(rest, 'more message')}, in the saved JSON"))
    return join(head, tag("ul", *lines, style=LIST))


def _tools(request: RequestNode) -> Html:
    """The tools that were offered; said where they are others than in the step before."""
    if request["schemas"] is None:
        return Html()
    names = join(
        *(tag("code", visible_name(tool["name"])) for tool in request["schemas"]), between=", "
    )
    about = f" ({size(json_bytes(request['schemas']))})" if names else ""
    return join("; tools: ", names or "none", muted(about))


def _message(message: Mapping[str, Any]) -> Html:
    text = message["text"]
    called = [f"calls {visible_name(call['name'])}" for call in message["calls"]]
    said = join(clipped(text, MESSAGE_WIDTH), *called, *message["parts"], between=" · ")
    return join(tag("strong", message["role"]), muted(f" · {size(written_bytes(text))}: "), said)


def limits_in_words(limits: Mapping[str, Any]) -> str:
    """What a run may take: `10 steps, 5 calls, 30 s`."""
    words = [
        counted(value, noun)
        for key, noun in LIMITS.items()
        if (value := limits.get(key)) is not None
    ]
    if (timeout_s := limits.get("timeout_s")) is not None:
        words.append(f"{timeout_s:g} s")
    if (max_cost := limits.get("max_cost")) is not None:
        words.append(f"cost {max_cost:g}")
    return ", ".join(words)
