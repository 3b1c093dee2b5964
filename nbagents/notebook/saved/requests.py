"""What the model was asked in each step, in short: which messages, which tools, how large."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from nbagents.notebook.markup import Html, fold, join, json_bytes, muted, tag, written_bytes
from nbagents.results import Limits
from nbagents.runs.wording import clipped, counted, short_name, size

if TYPE_CHECKING:
    from collections.abc import Mapping

    from nbagents.runs.tree import RequestNode, RunNode

MESSAGE_WIDTH = 240
MOST_MESSAGES = 12
MOST_STEPS = 40
LIST = "margin:0 0 4px;padding-left:24px"
NOUNS = {"max_failed_batches": "failed step", "max_depth": "nested run"}
"""Of limits whose names do not say what they count."""


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
        *(tag("code", short_name(tool["name"])) for tool in request["schemas"]), between=", "
    )
    about = f" ({size(json_bytes(request['schemas']))})" if names else ""
    return join("; tools: ", names or "none", muted(about))


def _message(message: Mapping[str, Any]) -> Html:
    text = message["text"]
    called = [f"calls {short_name(call['name'])}" for call in message["calls"]]
    said = join(clipped(text, MESSAGE_WIDTH), *called, *message["parts"], between=" · ")
    return join(tag("strong", message["role"]), muted(f" · {size(written_bytes(text))}: "), said)


def limits_in_words(limits: Mapping[str, Any]) -> str:
    """What a run may take: `10 steps, 5 calls, 30 s`."""
    counts = {
        key: value
        for key in Limits.model_fields  # a saved run has them by the alphabet
        if (value := limits.get(key)) is not None and key not in ("timeout_s", "max_cost")
    }
    words = [counted(value, _noun(key)) for key, value in counts.items()]
    if (timeout_s := limits.get("timeout_s")) is not None:
        words.append(f"{timeout_s:g} s")
    if (max_cost := limits.get("max_cost")) is not None:
        words.append(f"cost {max_cost:g}")
    return ", ".join(words)


def _noun(key: str) -> str:
    return NOUNS.get(key) or key.removeprefix("max_").removesuffix("s").replace("_", " ")
