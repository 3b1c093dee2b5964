"""How runs, calls and figures are put in words, the same in HTML and in text."""

from __future__ import annotations

import json
import math
from decimal import ROUND_HALF_UP, Decimal
from typing import TYPE_CHECKING, Any

from nbagents.runs.tree import explanation_of, shown
from nbagents.runs.wording.python_call import LOOKED_AT as VALUE_LOOKED_AT
from nbagents.runs.wording.python_call import argument_words
from nbagents.runs.wording.visible_text import visible, visible_name
from nbagents.tools.values import KILO, counted

if TYPE_CHECKING:
    from collections.abc import Mapping

    from nbagents.events import CallStatus, RunStatus
    from nbagents.runs.tree import CallNode, Output, Progress, RunNode, Stream, Tree

CALL_STATUS: Mapping[CallStatus, str] = {
    "preparing": "preparing",
    "waiting": "waiting for you",
    "running": "running",
    "done": "done",
    "failed": "failed",
    "denied": "denied",
    "cancelled": "cancelled",
    "timed_out": "timed out",
    "skipped": "skipped",
    "unknown": "outcome unknown",
}
RUN_STATUS: Mapping[RunStatus, str] = {
    "running": "running",
    "completed": "done",
    "failed": "failed",
    "limit": "stopped at a limit",
    "denied": "denied",
    "cancelled": "cancelled",
    "suspended": "suspended",
    "unknown": "outcome unknown",
}
FAILURE_KINDS: Mapping[str, str] = {
    "invalid_call": "the call was not valid",
    "domain_rejection": "the tool refused",
    "unavailable": "not available",
    "rate_limited": "too many requests",
    "timeout": "timed out",
    "malformed_result": "the result made no sense",
    "internal": "the code raised an exception",
}
RECOVERIES: Mapping[str, str] = {
    "correct_call": "the model may correct the call",
    "replan": "the model should do something else",
    "finish": "the model should stop",
}
STREAMS: Mapping[Stream, str] = {
    "stdout": "printed",
    "stderr": "printed to stderr",
    "log": "log",
}
REFUSED = "The model refused."
BY_HAND = "by hand"
"""The model of a run that is a call somebody made themselves: `%tool NAME …`."""
CALLED_BY_HAND = "called by hand"
SECOND_MS = 1000
MINUTE_MS = 60 * SECOND_MS
EXACT = 2**53
"""A number from here on has nothing behind its point."""
SAID_TO_PEOPLE = frozenset({"denied", "cancelled", "skipped", "unknown"})
"""How calls end of which the model is told what people did: they read it otherwise."""
MANY_PIECES = 12
LOOKED_AT = 8
"""So many times of its limit a text is looked at: much of it may be spaces."""
SHORT = 40
"""Characters of one argument."""
LEAST_ROOM = 8
"""Fewer characters of arguments say nothing."""
NAME_WIDTH = 60


def as_json(value: object, *, indent: int | None = None) -> str:
    """A value as JSON for people; a value nested too deeply to write says so."""
    try:
        return json.dumps(value, indent=indent, ensure_ascii=False)
    except RecursionError:
        return "(nested too deeply to show)"


def sentence(words: str) -> str:
    """Words that begin with a capital letter."""
    return words[:1].upper() + words[1:]


def clipped(text: str, limit: int) -> str:
    """The text on one line of at most `limit` characters, with nothing hidden in it."""
    line = " ".join(visible(text[: LOOKED_AT * limit]).split())
    is_whole = len(line) <= limit and len(text) <= LOOKED_AT * limit
    return line if is_whole else f"{line[: limit - 1].rstrip()}…"


def short_name(name: str, limit: int = NAME_WIDTH) -> str:
    """A name on one line; of one that is too long the beginning, which alone is looked at."""
    return clipped(visible_name(name[: LOOKED_AT * limit]), limit)


def thousands(count: int) -> str:
    """A count in few characters: `940`, `1.9k`, `12k`, `3.4M`."""
    if count < KILO:
        return str(count)
    scaled, unit = (count / KILO, "k") if count < 999_500 else (count / KILO**2, "M")  # as 1.0M
    return f"{scaled:.1f}{unit}" if scaled < 9.95 else f"{scaled:.0f}{unit}"  # two digits


def duration(ms: float | None) -> str:
    """A time in words; none where it is not known or, in deterministic outputs, 0."""
    if not ms or ms < 0:
        return ""
    if ms < 10:  # below, the digits that tell calls apart are in milliseconds
        return f"{_rounded(max(ms, 0.1), '0.1')} ms"
    if _rounded(ms) < SECOND_MS:
        return f"{_rounded(ms)} ms"
    if (seconds := _rounded(ms / SECOND_MS, "0.1")) < MINUTE_MS / SECOND_MS:
        return f"{seconds} s"
    minutes, rest_s = divmod(_rounded(ms / SECOND_MS), MINUTE_MS // SECOND_MS)
    return f"{minutes:.0f} min {rest_s:.0f} s"


def _rounded(number: float, to: str = "1") -> Decimal:
    """Rounded as people do and as the page does: what is halfway goes up."""
    if number >= EXACT:
        return Decimal(round(number))
    return Decimal(number).quantize(Decimal(to), ROUND_HALF_UP)


def run_duration_ms(run: RunNode) -> float | None:
    """How long a run took, if it has ended."""
    return None if run["ended_at"] is None else (run["ended_at"] - run["started_at"]) * SECOND_MS


def call_in_words(call: CallNode, limit: int = 88) -> str:
    """A call as one would write it: `weather(city="Paris", days=3)`, cut to `limit` characters."""
    name = short_name(call["name"], limit - 3)
    defaults, objects = call.get("defaults", ()), call.get("objects", {})
    written = argument_words(
        call["arguments"], defaults, objects, cut=_short, looked_at=VALUE_LOOKED_AT
    )
    room = limit - len(name) - 2
    return f"{name}({clipped(written, room) if room >= LEAST_ROOM or not written else '…'})"


def preview(call: CallNode, limit: int = 72) -> str:
    """One line of what a call gave, or of what went wrong."""
    failure: dict[str, Any] | None = call["failure"]
    if call["status"] in SAID_TO_PEOPLE and (why := explanation_of(call)):
        return clipped(why["what"], limit)
    if failure:
        return clipped(str(failure["message"]), limit)
    if call["preview"]:
        return clipped(call["preview"], limit)
    if call["child_run_ids"] and not call["content"]:
        return counted(len(call["child_run_ids"]), "run")
    return clipped(call["content"] or "", limit)


def brief_output(output: list[Output]) -> list[Output]:
    """What a call printed, in order; where streams take turns very often, one text for each."""
    if len(output) <= MANY_PIECES:
        return [{**one, "text": shown(one["text"])} for one in output]
    texts: dict[Stream, list[str]] = {}
    for one in output:
        texts.setdefault(one["stream"], []).append(one["text"])
    return [{"stream": stream, "text": shown("".join(pieces))} for stream, pieces in texts.items()]


def progress_in_words(progress: Progress) -> str:
    """How far a call said it was: `Reading (50%)`."""
    fraction = progress["fraction"]
    part = "" if fraction is None else f"{fraction:.0%}"
    if not progress["message"]:
        return part
    return f"{progress['message']} ({part})" if part else progress["message"]


def child_runs(tree: Tree, call: CallNode) -> list[RunNode]:
    """The runs that a call started, as far as the tree holds them."""
    return [tree["runs"][one] for one in call["child_run_ids"] if one in tree["runs"]]


def family(tree: Tree, run: RunNode) -> list[RunNode]:
    """A run and all runs inside it."""
    found = {run["id"]: run}
    for one in (queue := [run]):
        for call in one["calls"].values():
            new = [child for child in child_runs(tree, call) if child["id"] not in found]
            found.update((child["id"], child) for child in new)
            queue += new
    return list(found.values())


def answer_item(run: RunNode) -> int | None:
    """The place among a run's items of the text that is its answer."""
    for place in range(len(run["items"]) - 1, -1, -1):
        item = run["items"][place]
        if item["type"] != "thought":
            is_answer = item["type"] == "text" and item["text"] == run["text"]
            return place if is_answer else None
    return None


def answer_of(run: RunNode) -> str:
    """What a run answered; what it said before it went on to call something is no answer."""
    said = [item["text"] for item in run["items"] if item["type"] == "text"]
    is_before = answer_item(run) is None and run["text"] in said
    return "" if is_before or is_by_hand(run) else run["text"]


def is_by_hand(run: RunNode) -> bool:
    """Whether a run is one call of a person's own: no agent and no model has a part in it."""
    return run["model"] == BY_HAND


def tokens(tree: Tree, run: RunNode) -> str:
    """The tokens of a run and of all runs inside it; nothing where none were counted."""
    usages = [one["usage"] for one in family(tree, run)]
    used = sum(usage["input_tokens"] + usage["output_tokens"] for usage in usages)
    return f"{thousands(used)} tokens" if used else ""


def cost_of(tree: Tree, run: RunNode) -> float | None:
    """What a run and all runs inside it have cost; `None` where no prices were set."""
    known = [cost for one in family(tree, run) if (cost := one["usage"]["cost"]) is not None]
    return sum(known) if known else None


def money(cost: float | None) -> str:
    """A cost in the person's own currency: `0.0052`, `12.5`; nothing where it is not known.

    Below 1 it has two digits that tell something, however small it is.
    """
    if cost is None:
        return ""
    decimals = 2 if cost >= 1 or cost <= 0 else 1 - math.floor(math.log10(cost))
    written = f"{cost:.{decimals}f}"
    return written.rstrip("0").rstrip(".")


def _short(written: str) -> str:
    return clipped(written, SHORT)
