"""What a person is asked, folded into the tree."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, TypeAlias

from nbagents.events import AwaitClarification, AwaitConfirmation, AwaitQuestions, AwaitStep
from nbagents.runs.tree.blanks import blank_await

if TYPE_CHECKING:
    from nbagents.events import (
        AwaitExternalTools,
        AwaitResolved,
        ToolAuthorization,
        ToolStart,
    )
    from nbagents.runs.tree.nodes import AwaitNode, CallNode, RunNode

    AnyAwait: TypeAlias = (
        AwaitConfirmation | AwaitClarification | AwaitQuestions | AwaitExternalTools | AwaitStep
    )

PERSON: Final = "the person"
"""Who answers at a page or by typing, as the log names them."""
YOU: Final = "you"
"""The same for whoever is shown the run: they have answered it, or could have."""


def who(by: str) -> str:
    """Who decided, as people are told: `you`, `you, earlier`, or what stands in for them."""
    return f"{YOU}{by.removeprefix(PERSON)}" if by.startswith(PERSON) else by


def apply_await(event: AnyAwait, run: RunNode) -> None:
    """Something is asked; the calls that wait for it say so."""
    said = _node(event)
    run["awaits"].append(said)
    for call_id in askers(said):
        if (call := run["calls"].get(call_id)) is None:
            continue
        call["status"], call["asked_seq"] = "waiting", event.seq
        if isinstance(event, AwaitConfirmation):
            set_arguments(call, event)


def resolve_await(event: AwaitResolved, run: RunNode) -> None:
    """An answer, or none any more; a call that waits for nothing else goes on."""
    known = next((one for one in run["awaits"] if one["id"] == event.await_id), None)
    if known is None:
        return
    known["resolved_at"] = event.at
    known["outcome"] = event.outcome
    known["answer"] = event.answer
    known["answered_by"] = who(event.answered_by)
    known["note"] = event.note
    known.pop("pause", None)  # what was sent and done then, requests and calls say
    for call_id in askers(known):
        call = run["calls"].get(call_id)
        if call is not None and call["status"] == "waiting" and not _is_awaited(run, call_id):
            call["status"] = "preparing" if call["started_at"] is None else "running"


def apply_authorization(event: ToolAuthorization, run: RunNode, call: CallNode) -> None:
    """Somebody, or a policy, allowed or denied a call."""
    call["authorization"] = {
        "approved": event.approved,
        "by": who(event.approved_by),
        "at": event.at,
        "summary": event.summary,
        "note": event.note,
        "edited": event.edited,
        "remembered": event.remembered,
        "under_grant": event.under_grant,
        "made_of": event.arguments if event.written is None else event.written,
    }
    if event.edited:
        keep_proposed(call, _first_asked(run, call))
    if event.arguments is not None:
        set_arguments(call, event)


def set_arguments(
    of: CallNode | AwaitNode, said: ToolStart | AwaitConfirmation | ToolAuthorization
) -> None:
    """Say what a tool gets, and what of it was not given."""
    of["arguments"] = said.arguments
    of.pop("defaults", None)
    of.pop("objects", None)
    if said.defaults:
        of["defaults"] = list(said.defaults)
    if said.objects:
        of["objects"] = said.objects


def keep_proposed(call: CallNode, asked: AwaitNode | None = None) -> None:
    """The arguments are about to change, or have; those that the model wanted stay beside them.

    Args:
        call: The call.
        asked: What the person was asked first: a later question may be of what they gave.
    """
    if call["proposed"] is None:
        call["proposed"] = (asked or call)["arguments"]


def _first_asked(run: RunNode, call: CallNode) -> AwaitNode | None:
    of_call = (one for one in run["awaits"] if one["call_id"] == call["id"])
    return next((one for one in of_call if one["kind"] == "confirmation"), None)


def _node(event: AnyAwait) -> AwaitNode:
    if isinstance(event, AwaitConfirmation):
        said = blank_await(event.await_id, "confirmation", event.tool_call_id, event.at)
        said["title"], said["text"], said["reason"] = event.title, event.prompt, event.reason
        said["form"], said["written"] = event.form, event.written
        set_arguments(said, event)
    elif isinstance(event, AwaitClarification):
        said = blank_await(event.await_id, "clarification", event.tool_call_id, event.at)
        said["title"], said["text"] = event.tool_name or "", event.question
        said["arguments"], said["form"] = event.given, event.form
        said["missing_fields"] = list(event.missing_fields)
    elif isinstance(event, AwaitQuestions):
        said = blank_await(event.await_id, "questions", event.tool_call_id, event.at)
        said["title"] = event.title
        said["questions"] = [one.model_dump(mode="json") for one in event.questions]
    elif isinstance(event, AwaitStep):
        said = blank_await(event.await_id, "step", None, event.at)
        said["title"], said["text"] = event.title, f"{event.title}?"
        said["pause"] = event.pause.model_dump(mode="json")
    else:
        said = blank_await(event.await_id, "external_tools", None, event.at)
        said["title"] = ", ".join(dict.fromkeys(one.name for one in event.calls))
        said["calls"] = [one.model_dump(mode="json") for one in event.calls]
    return said


def words_of(said: AwaitNode) -> str:
    """The question, by which it is told from others of its call."""
    if said["kind"] == "external_tools":
        return " ".join(askers(said))
    return said["title" if said["kind"] in ("questions", "step") else "text"]


def askers(said: AwaitNode) -> list[str]:
    """The calls that wait for an answer."""
    if said["call_id"] is not None:
        return [said["call_id"]]
    return [one["id"] for one in said["calls"]]


def _is_awaited(run: RunNode, call_id: str) -> bool:
    return any(one["outcome"] is None and call_id in askers(one) for one in run["awaits"])
