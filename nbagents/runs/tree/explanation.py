"""Why a call or a run came to nothing: in words for people, and what they can do about it.

The one place that says so. The tree carries it, so the page, the saved notebook, its text and
`run.explain()` say the same.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final

from nbagents.results import Limits
from nbagents.runs.tree.awaits import PERSON, who

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from nbagents.runs.tree.nodes import CallNode, Explanation, RunNode

NOTE_LENGTH: Final = 200

RAISE: Final = (
    'To tell the model what it can do instead, raise nbagents.ToolError("…") where the tool cannot'
    " serve a call."
)
DESCRIBE: Final = (
    "Say in the tool's docstring, or with Field(description=…), what it expects: that is what the"
    " model reads."
)
BY_KIND: Final[Mapping[str, tuple[str, Sequence[str]]]] = {
    "domain_rejection": (
        "The tool refused the call, in its own words.",
        ("Give the model what the tool asks for, e.g. in the prompt, and run the cell again.",),
    ),
    "unavailable": (
        "What the tool needs was not available.",
        (
            "Try again later, or with another tool.",
            "%%tool --retries N, or @nbagents.tool(retries=N), says how often a run may try again.",
        ),
    ),
    "rate_limited": (
        "The service behind the tool was asked too often.",
        (
            "Wait a while, then run the cell again.",
            "Fewer calls at once help: -n and --max-calls bound a run.",
        ),
    ),
    "timeout": (
        "The tool took longer than it may.",
        (
            "%%tool --timeout S, or @nbagents.tool(timeout_s=S), gives a call more time.",
            (
                "What waits for a network or a disk can be `async def`, or run with --thread, so"
                " that it can be stopped and other calls go on meanwhile."
            ),
        ),
    ),
    "malformed_result": (
        "The tool gave something that no model can be told.",
        (
            (
                "Return text, numbers, lists or dictionaries of them, a table or a figure, or an"
                " nbagents.Result."
            ),
        ),
    ),
    "internal": (
        "The tool's code raised an exception.",
        (
            (
                "The traceback ends where it broke: correct the cell that defines the tool, run it,"
                " and ask again."
            ),
            RAISE,
        ),
    ),
    "invalid_call": (
        "The model called it in a way that cannot be served.",
        ("The model was told and may correct it by itself.", DESCRIBE),
    ),
}
UNKNOWN_TOOL: Final = (
    "The model called a tool that it was not given.",
    ("The model was told which there are. Give it the tool if it should have it: -t NAME.",),
)
UNREADABLE: Final = (
    "The model wrote arguments that are no JSON object.",
    (
        "The model was told and may write them again.",
        "If it keeps doing so, a larger model, or a tool with fewer and simpler parameters, helps.",
    ),
)
MISFIT: Final = (
    "The model wrote arguments that do not fit the tool: {fields}.",
    (
        "The model was told and may correct them by itself.",
        DESCRIBE,
        "If they are right, the tool's type hints are too narrow: change them in its cell.",
    ),
)
INSIDE: Final = (
    "An agent that it had started did not come to its end.",
    ("Open the run inside it: it says what stopped it there.",),
)
DENIED_BY_SOMEBODY: Final = (
    "{by} did not allow it{note}.",
    (
        "Run the cell again, and approve it, or change what it is called with by Edit….",
        "What should never be made can be left out of a run: -t names the tools that it has.",
    ),
)
BY_FUNCTION: Final = "on_await ("
DENIED_BY_FUNCTION: Final = (
    "Your function{name}, which answers in your place (on_await), did not allow it{note}.",
    (
        "Change what the function answers, or run it without on_await to be asked yourself.",
        "What should never be made can be left out of a run: -t names the tools that it has.",
    ),
)
DENIED_BEFORE: Final = (
    "You had denied this very call before, so you were not asked again.",
    ("A new run asks you again.",),
)
POLICIES: Final = ("the policy", "the tool")
DENIED_UNASKED: Final = (
    "It needs consent, and nobody could be asked here.",
    (
        "Run it in a notebook that is open, where you can be asked.",
        "--on-await suspend ends such a run so that it can be gone on with later: %agent --resume.",
    ),
)
DENIED_BY_POLICY: Final = (
    "The policy of this run, or its tool, allows no such call.",
    ("--approval ask asks you about each call; %config NbAgents.approval says what holds.",),
)
STOPPED: Final = (
    "You stopped it.",
    ("Run the cell again for another try; what had ended by then is not lost in the log.",),
)
CANCELLED: Final = (
    "It was stopped before it had ended.",
    ("Run the cell again for another try.",),
)
SKIPPED: Final = (
    "It was never made: the run had come to its end or to a limit first.",
    ("A higher limit lets the run go on: -n for steps, --max-calls, --max-tokens, --timeout.",),
)
SKIPPED_BY_YOU: Final = (
    "You skipped it in step mode: it was not made.",
    ("A branch of the run can make it: %agent --fork RUN --at N.",),
)
UNKNOWN: Final = (
    "The kernel ended while it ran, so nobody knows what it did.",
    (
        "See for yourself whether it had an effect before you make it again.",
        "Run the cell again for another try; what had ended by then is in the log.",
    ),
)
RUN_LIMITS: Final[Mapping[str, str]] = {
    "max_steps": "-n N, or max_steps=N, lets it ask the model more often.",
    "max_calls": "--max-calls N lets it make more calls.",
    "max_tokens": "--max-tokens N lets it use more tokens.",
    "timeout": "--timeout S gives it more time; waiting for you does not count.",
    "max_cost": "--max-cost N lets it spend more.",
    "max_failed_batches": "Too many steps failed one after the other: see why its calls failed.",
    "max_depth": "max_depth=N lets more runs stand one inside the other.",
}
RUN_LIMITED: Final = "It met a limit before it had finished."
ASKS_LESS: Final = "A narrower question, or tools that do more in one call, need less."
PROVIDER: Final[Sequence[tuple[str, str, Sequence[str]]]] = (
    (
        r"^.* (has no (answer to this:|result of)|holds answers of)|^There is no recording ",
        "The recording has not what was asked for, and no model was asked.",
        (
            "Put back what differs, and run the cell again: what was recorded is given again.",
            "%agent --record extend … asks a model for what is missing, and keeps its answer.",
            "%agent --record live … asks a model, and writes nothing.",
        ),
    ),
    (
        r"\(401\)|OPENAI_API_KEY|no API key",
        "The provider does not accept the key.",
        (
            "Set OPENAI_API_KEY to a key of yours and restart the kernel; %nbagents doctor looks.",
            "-m offline needs none.",
        ),
    ),
    (
        r"quota",
        "The account at the provider has no quota left.",
        ("See to its billing, or choose another model with -m.",),
    ),
    (
        r"\(429\)",
        "The provider was asked too often.",
        ("Wait as long as it says, then run the cell again.",),
    ),
    (
        r"\(404\)",
        "The provider does not know that model, or the address is none of its.",
        ("Name another model with -m, or check OPENAI_BASE_URL; %nbagents doctor shows both.",),
    ),
    (
        r"context|too (long|large|many tokens)|\(413\)",
        "The request was larger than the model takes.",
        ("Ask with less: fewer tools (-t), a shorter prompt, or keep_turns= for a long chat.",),
    ),
    (
        r"content filter",
        "The provider's content filter withheld the answer.",
        ("Word the prompt otherwise, or choose another model with -m.",),
    ),
    (
        r"\(5\d\d\)",
        "The provider failed.",
        ("That is theirs to mend: try again later, or choose another model with -m.",),
    ),
    (
        r"broke off|did not answer|connection|no host",
        "The provider could not be reached, or its answer broke off.",
        ("See whether the network is there, then run the cell again.", "-m offline needs none."),
    ),
)
MODEL_FAILED: Final = (
    "The model could not be asked, or its provider refused the request.",
    ("Read what it says; %nbagents doctor looks at model, key and address.",),
)
RUN_RAISED: Final = (
    "Code of yours, or of nbagents, raised an exception outside of a call.",
    ("The cell's traceback ends where it broke. --no-raise keeps the run in hand all the same.",),
)
RUN_FORMLESS: Final = (
    "The answer has not the type that was asked for.",
    (
        "Say in the prompt, or in the descriptions of the type's fields, what is to stand there.",
        "A simpler type (--as), or a larger model (-m), is met more often.",
    ),
)
RUN_REFUSED: Final = (
    "A guardrail let the prompt or the answer not through.",
    ("It says why; word the prompt otherwise, or change the guardrail.",),
)
RUN_STOPPED: Final = (
    "It was stopped.",
    ("Run the cell again; calls that had ended stand above with what they gave.",),
)


CALL_ENDS: Final[Mapping[str, tuple[str, Sequence[str]]]] = {
    "timed_out": BY_KIND["timeout"],
    "skipped": SKIPPED,
    "unknown": UNKNOWN,
}
RUN_ENDS: Final[Mapping[str, tuple[str, Sequence[str]]]] = {
    "denied": RUN_REFUSED,
    "cancelled": RUN_STOPPED,
    "unknown": UNKNOWN,
}
WITH_ANSWER: Final = ("completed", "limit", "running")
FORMLESS: Final = "has not the form"
NOTHING: Final = ("", ())


def explain(node: CallNode | RunNode, inside: Iterable[RunNode] = ()) -> None:
    """Say in a node that has ended why it came to nothing, if it did.

    Args:
        node: A run or a call.
        inside: The runs that the call has started.
    """
    if (said := explanation_of(node, inside)) is not None:
        node["explanation"] = said


def explanation_of(node: CallNode | RunNode, inside: Iterable[RunNode] = ()) -> Explanation | None:
    """Why it came to nothing, if it did; also of a saved one whose version did not say so."""
    if (known := node.get("explanation")) is not None:
        return known
    what, remedies = _of_run(node) if "agent_name" in node else _of_call(node, inside)
    return {"what": what, "remedies": list(remedies)} if what else None


def _of_call(call: CallNode, inside: Iterable[RunNode]) -> tuple[str, Sequence[str]]:
    match call["status"]:
        case "denied":
            return _denied(call)
        case "failed":
            return _failed(call, call["failure"] or {}, inside)
        case "cancelled":
            is_mine = f"{PERSON} stopped" in (call["content"] or "").lower()
            return STOPPED if is_mine else CANCELLED
        case "skipped" if f"{PERSON} skipped" in (call["content"] or ""):
            return SKIPPED_BY_YOU
        case status:
            return CALL_ENDS.get(status, NOTHING)


def _denied(call: CallNode) -> tuple[str, Sequence[str]]:
    said = call["authorization"]
    if said is None or said["summary"] == "the same call":
        return DENIED_BEFORE
    if "without a person" in said["by"]:
        return DENIED_UNASKED
    if said["by"].startswith(POLICIES):
        return DENIED_BY_POLICY
    note = f": “{' '.join(said['note'].split())[:NOTE_LENGTH]}”" if said["note"] else ""
    if said["by"].startswith(BY_FUNCTION):
        what, remedies = DENIED_BY_FUNCTION
        name = said["by"].removeprefix(BY_FUNCTION).removesuffix(")")
        called = "" if name == "a function" else f" {name}"
        return what.format(name=called, note=note), remedies
    by = who(said["by"])
    what, remedies = DENIED_BY_SOMEBODY
    return what.format(by=by[:1].upper() + by[1:], note=note), remedies


def _failed(
    call: CallNode, failure: Mapping[str, Any], inside: Iterable[RunNode]
) -> tuple[str, Sequence[str]]:
    kind = failure.get("kind", "internal")
    if any(_is_failure_of(run, failure) for run in inside):
        return INSIDE
    if kind != "invalid_call":
        return BY_KIND[kind if kind in BY_KIND else "internal"]
    if issues := failure.get("issues"):
        fields = ", ".join(dict.fromkeys(str(one["field"]) or "all of them" for one in issues))
        what, remedies = MISFIT
        return what.format(fields=fields), remedies
    if isinstance(call["arguments"], str):
        return UNREADABLE
    return UNKNOWN_TOOL if call["source_hash"] is None else BY_KIND[kind]


def _is_failure_of(run: RunNode, failure: Mapping[str, Any]) -> bool:
    """Whether a call failed as a run inside it did: it may have failed by itself besides."""
    if run["status"] in WITH_ANSWER:
        return False
    said = str((run["failure"] or {}).get("message", ""))
    return said in str(failure.get("message", ""))


def _of_run(run: RunNode) -> tuple[str, Sequence[str]]:
    failure = run["failure"] or {}
    said = str(failure.get("message", ""))
    match run["status"]:
        case "failed" if FORMLESS in said:
            return RUN_FORMLESS
        case "failed":
            return RUN_RAISED if failure.get("kind") == "internal" else _of_provider(said)
        case "limit":
            return RUN_LIMITED, remedies_of_limit(said)
        case status:
            return RUN_ENDS.get(status, NOTHING)


def _of_provider(message: str) -> tuple[str, Sequence[str]]:
    for pattern, what, remedies in PROVIDER:
        if re.search(pattern, message, re.IGNORECASE):
            return what, remedies
    return MODEL_FAILED


def remedies_of_limit(message: str) -> list[str]:
    """What lifts the limit that a message names."""
    names = (name.removesuffix("_s") for name in Limits.model_fields)
    met = [RUN_LIMITS.get(one, f"A higher {one} lets it go on.") for one in names if one in message]
    return [*met, ASKS_LESS]
