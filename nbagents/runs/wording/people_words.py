"""What a person was asked in a run, what was decided, and what guardrails did, in words."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

from nbagents.runs.tree import YOU, who
from nbagents.runs.wording.visible_text import plain
from nbagents.runs.wording.words import (
    CALL_STATUS,
    RUN_STATUS,
    as_json,
    child_runs,
    clipped,
    counted,
    family,
    short_name,
)

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from nbagents.events import CallStatus, RunStatus
    from nbagents.runs.tree import (
        AuthorizationNode,
        AwaitNode,
        CallNode,
        HandoffItem,
        RunNode,
        Tree,
    )

ASK_WIDTH = 300
MANY = 2
"""So many questions at once are answered one by one."""
NOTE_WIDTH = 200
NOBODY = "nobody"
POLICY = "the policy"
"""How the names of those begin who decide without a person."""
NOT_ASKED = "not asked: you allowed all calls of this tool in this session"
STAGES: Mapping[str, str] = {
    "input": "the prompt",
    "output": "the answer",
    "tool_input": "the arguments",
    "tool_output": "the result",
}
OUTCOMES: Mapping[str, str] = {"replace": "replaced", "refuse": "refused"}
GOES_ON = ("running", "suspended", "unknown")
UNANSWERED: Mapping[str, str] = {
    "denied": "not answered",
    "cancelled": "not asked any more",
}


def open_awaits(tree: Tree, run: RunNode) -> list[tuple[RunNode, AwaitNode]]:
    """What a run that has not come to its end, and those inside it, still wait for."""
    asked = [(one, asked) for one in family(tree, run) for asked in one["awaits"]]
    return [(one, asked) for one, asked in asked if is_open(run, asked) and is_open(one, asked)]


def asked_of_run(run: RunNode) -> list[AwaitNode]:
    """What a person was asked that is no call's, and is to be told of: not each single step."""
    return [
        one
        for one in run["awaits"]
        if one["outcome"]
        and one["call_id"] is None
        and (one["kind"] != "step" or (one["answered_by"] or "").startswith(POLICY))
    ]


def is_open(run: RunNode, asked: AwaitNode) -> bool:
    """Whether a run still waits for an answer."""
    return asked["outcome"] is None and run["status"] in GOES_ON and run.get("resumed_by") is None


def call_status(tree: Tree, call: CallNode) -> CallStatus:
    """What a call is doing: one that goes on waits where a run in it asks a person."""
    if call["status"] != "running":
        return call["status"]
    is_asking = any(open_awaits(tree, child) for child in child_runs(tree, call))
    return "waiting" if is_asking else "running"


def run_status(tree: Tree, run: RunNode) -> RunStatus | Literal["waiting"]:
    """What a run is doing: one that goes on waits where it, or one inside it, asks a person."""
    is_asking = run["status"] == "running" and open_awaits(tree, run)
    return "waiting" if is_asking else run["status"]


def status_in_words(status: RunStatus | Literal["waiting"]) -> str:
    """What a run is doing, in words."""
    return CALL_STATUS["waiting"] if status == "waiting" else RUN_STATUS.get(status, status)


def resume_line(tree: Tree, run: RunNode) -> str:
    """The line that goes on with a run; nothing where it has ended, or is inside another.

    A run whose kernel has ended while it waited can be gone on with as one that was suspended.
    """
    is_left = run["status"] == "unknown" and bool(open_awaits(tree, run))
    if (
        run["parent_run_id"] is not None
        or run.get("resumed_by")
        or not (is_left or run["status"] == "suspended")
    ):
        return ""
    return f"%agent --resume {run['id']}"


def await_in_words(asked: AwaitNode) -> str:
    """What is asked, on one line."""
    if asked["kind"] == "questions":
        is_title = [one["text"] for one in asked["questions"]] == [asked["title"]]
        questions = [_question(one) for one in asked["questions"]]
        said = " ".join(questions if is_title else [asked["title"], *questions])
    elif asked["kind"] == "external_tools":
        calls = ", ".join(
            f"{short_name(one['name'])}({plain(one['arguments'])})" for one in asked["calls"]
        )
        said = f"{asked['text']} Results of {calls}".strip()
    else:
        missing = ", ".join(asked["missing_fields"])
        said = f"{asked['text']}{f' Missing: {missing}.' if missing else ''} {asked['reason']}"
    shown = clipped(said, ASK_WIDTH)
    return f"{shown} ({len(said):,} characters)" if shown.endswith("…") else shown


def answered_in_words(asked: AwaitNode) -> str:
    """What came of a question: `"Oslo": by train`; who has said it, where it was not you."""
    note = f": {clipped(asked['note'], NOTE_WIDTH)}" if asked["note"] else ""
    if asked["kind"] == "step" and asked["note"]:
        return clipped(asked["note"], NOTE_WIDTH)
    if asked["outcome"] == "answered":
        answer = clipped(plain(as_json(asked["answer"])), ASK_WIDTH)
        return f"{answer}{_said_by(asked)}{note}"
    words = UNANSWERED.get(asked["outcome"] or "", "still to be answered")
    return f"{words}{note}"


def exchanges(asked: AwaitNode) -> list[tuple[str, str]]:
    """What was asked, each question with what was answered to it."""
    answer, questions = asked["answer"], asked["questions"]
    if asked["outcome"] != "answered" or not isinstance(answer, dict) or len(questions) < MANY:
        return [(await_in_words(asked), answered_in_words(asked))]
    pairs = [
        (
            clipped(_question(one), ASK_WIDTH),
            clipped(plain(as_json(answer.get(one["id"]))), ASK_WIDTH),
        )
        for one in questions
    ]
    note = f": {clipped(asked['note'], NOTE_WIDTH)}" if asked["note"] else ""
    last, given = pairs[-1]
    return [*pairs[:-1], (last, f"{given}{_said_by(asked)}{note}")]


def _said_by(asked: AwaitNode) -> str:
    """Who answered, if it was not who reads it."""
    by = who(asked["answered_by"] or YOU)
    return "" if by == YOU else f", said {by}"


def decision_in_words(decided: AuthorizationNode) -> str:
    """Who allowed or denied a call: `approved by you, with other arguments: a few`."""
    if decided["under_grant"]:
        return NOT_ASKED
    said = "approved" if decided["approved"] else "denied"
    name, _, why = decided["by"].partition(": ")
    by = f"by {who(decided['by'])}"
    by = f"by {why}, for nobody could be asked" if name == NOBODY and why else by
    more = [
        "with other arguments" if decided["edited"] else "",
        "not asked again for this tool in this session" if decided["remembered"] else "",
    ]
    note = f": {clipped(decided['note'], NOTE_WIDTH)}" if decided["note"] else ""
    return ", ".join([f"{said} {by}", *(one for one in more if one)]) + note


def leave_in_words(run: RunNode) -> str:
    """The tools whose calls are not asked about any more: `not asked about: wipe, pay`."""
    tools = dict.fromkeys(
        short_name(call["name"])
        for call in run["calls"].values()
        if (said := call["authorization"]) and (said["remembered"] or said["under_grant"])
    )
    return f"not asked about: {', '.join(tools)}" if tools else ""


def unusual_approval(tree: Tree, run: RunNode) -> str:
    """The policy of a run where it is not the usual one, nor that of the run it is inside of."""
    above = tree["runs"].get(run["parent_run_id"] or "")
    return "" if run["approval"] == (above["approval"] if above else "risky") else run["approval"]


def changed_by(call: CallNode) -> str:
    """Who has changed the arguments that the model wanted; nothing where nobody has."""
    if call["proposed"] is None:
        return ""
    decided = call["authorization"]
    if decided and decided["edited"]:
        return who(decided["by"])
    return call.get("changed_by") or "a guardrail"


def effective_guardrails(guardrails: Sequence[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    """The guardrails that did more than look."""
    return [one for one in guardrails if one["outcome"] in OUTCOMES]


def guardrail_in_words(guardrail: Mapping[str, Any]) -> str:
    """What a guardrail did: `guardrail pii replaced the result: two names`."""
    outcome, stage = guardrail["outcome"], guardrail["stage"]
    did = f"{OUTCOMES.get(outcome, outcome)} {STAGES.get(stage, stage)}"
    why = f": {clipped(guardrail['message'], NOTE_WIDTH)}" if guardrail["message"] else ""
    return f"guardrail {short_name(guardrail['name'])} {did}{why}"


def handoff_in_words(item: HandoffItem) -> str:
    """Who took over from whom: `handed over: guide → booker (offline)`."""
    names = [short_name(one) for one in (item["from_agent"], item["to_agent"])]
    model = f" ({short_name(item['model'])})" if item["model"] else ""
    return f"handed over: {' → '.join(names)}{model}"


def children_in_words(call: CallNode) -> str:
    """How many runs a call has started: `3 of 5 child runs`; nothing where there are none."""
    count, expected = len(call["child_run_ids"]), call["expected_children"]
    if not count and not expected:
        return ""
    if expected is not None and expected != count:
        return f"{count} of {counted(expected, 'child run')}"
    return counted(count, "child run")


def links_in_words(tree: Tree, call: CallNode) -> list[str]:
    """The runs that a call has started and that are not in this tree, by their agents."""
    return [
        short_name(one["agent_name"])
        for one in call["run_links"]
        if one["run_id"] not in tree["runs"]
    ]


def _question(question: Mapping[str, Any]) -> str:
    labels = ", ".join(str(one["label"]) for one in question["options"])
    return f"{question['text']}{f' ({labels})' if labels else ''}"
