"""The tree of runs and calls, folded from events: the one place that knows what an event changes.

The nodes are plain JSON, so that a tree can be saved
in a notebook as it stands.

Long: one reducer, with a case for each kind of event.
"""

from __future__ import annotations

import json
from functools import singledispatch
from typing import TYPE_CHECKING, Final, Literal, cast

from pydantic import BaseModel, JsonValue

from nbagents.events import (
    ENDED,
    UNDER_WAY,
    AnyEvent,
    AssistantDelta,
    AssistantTurn,
    AwaitClarification,
    AwaitConfirmation,
    AwaitExternalTools,
    AwaitQuestions,
    AwaitResolved,
    AwaitStep,
    CallEvent,
    ChildRunLinked,
    Event,
    Guardrail,
    Handoff,
    KeptEnd,
    KeptUsage,
    PromptRendered,
    RunStart,
    StepEdited,
    Thought,
    ToolArgsDelta,
    ToolAuthorization,
    ToolData,
    ToolEnd,
    ToolOutputDelta,
    ToolStart,
    ToolUpdate,
    UsageReported,
    UserMessageReceived,
    Workflow,
)
from nbagents.runs.tree import awaits
from nbagents.runs.tree.blanks import blank_call, blank_run
from nbagents.runs.tree.edits import apply_edit
from nbagents.runs.tree.explanation import explain
from nbagents.runs.tree.nodes import (
    CallNode,
    PayloadNode,
    ReplayedNode,
    RequestNode,
    RunNode,
    TextItem,
    Tree,
    UsageNode,
)
from nbagents.runs.tree.terminal import add_output

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from nbagents.runs.tree.nodes import Plain

    Told = Callable[[PromptRendered], Sequence[Plain]]

REQUEST = {"step", "at", "message_count", "messages", "earlier", "schemas", "tools"}


def fold(events: Iterable[AnyEvent]) -> Tree:
    """The tree that these events make."""
    folding = TreeFold()
    for event in events:
        folding.apply(event)
    return folding.tree


class TreeFold:
    """A tree in the making. The same event twice changes nothing.

    Args:
        tree: What it goes on from, e.g. what another process has folded; by default nothing.
        told: Gives what a request tells of its chat that other runs have logged.
    """

    def __init__(self, tree: Tree | None = None, told: Told | None = None) -> None:
        self._told = told
        self.tree: Tree = tree or {"version": 1, "root_ids": [], "runs": {}}

    def apply(self, event: AnyEvent) -> None:
        """Fold one event in; those of one run come in their order."""
        run = self.tree["runs"].get(event.run_id)
        if run is None:
            if isinstance(event, RunStart):
                _start(self.tree, event)
        elif event.seq > run["seq"]:
            run["seq"], run["heard_at"] = event.seq, event.at
            # By its very type, where that is known: events have no subclasses to be looked for.
            _apply.registry.get(type(event), _apply)(event, run)
            if isinstance(event, ToolEnd):
                call = run["calls"][event.tool_call_id]
                runs = self.tree["runs"]
                explain(call, [runs[one] for one in call["child_run_ids"] if one in runs])
            if isinstance(event, PromptRendered) and event.earlier:
                _add_told(run["requests"][-1], self._told(event) if self._told else ())


def settle(tree: Tree) -> Tree:
    """The tree of a log whose writer is gone: what was open is of unknown outcome."""
    for run in tree["runs"].values():
        if run["status"] != "running":
            continue
        run["status"] = "unknown"
        explain(run)
        for call in run["calls"].values():
            if call["status"] in UNDER_WAY:
                call["status"] = "unknown"
                explain(call)
    return tree


def _start(tree: Tree, event: RunStart) -> None:
    if event.parent_run_id is None:
        tree["root_ids"].append(event.run_id)
    tree["runs"][event.run_id] = blank_run(event)


def _call(run: RunNode, call_id: str, name: str) -> CallNode:
    """The node of a call, made where it is first heard of."""
    if (known := run["calls"].get(call_id)) is not None:
        return known
    run["items"].append({"type": "call", "call_id": call_id})
    run["calls"][call_id] = made = blank_call(call_id, name, run["step"])
    return made


def _of(run: RunNode, event: CallEvent) -> CallNode:
    return _call(run, event.tool_call_id, event.tool_name)


def _alike(event: type[CallEvent], *apart: str) -> tuple[str, ...]:
    """The fields of an event that the node of a call has under the same name."""
    known = CallNode.__annotations__
    return tuple(name for name in event.__annotations__ if name in known and name not in apart)


OF_START: Final = _alike(ToolStart, "arguments", "defaults", "objects")
OF_END: Final = _alike(ToolEnd)


def _take(call: CallNode, event: CallEvent, names: Iterable[str]) -> None:
    """Take fields as they are: a new one of an event needs no more than a place in the node."""
    node = cast("dict[str, object]", call)
    for name in names:
        value = getattr(event, name)
        if value is not None or name in node:  # what need not be there is there only with a value
            node[name] = _as_json(value)


def _as_json(value: object) -> object:
    if isinstance(value, BaseModel):
        return value.model_dump(mode="json")
    if isinstance(value, tuple):
        return [_as_json(one) for one in cast("tuple[object, ...]", value)]
    return value


def _said(run: RunNode, kind: Literal["text", "thought"], step: int) -> TextItem | None:
    """The newest item of a step's text or thought."""
    for one in reversed(run["items"]):
        if one["type"] == "call":
            its_step = run["calls"][one["call_id"]]["step"]
        elif one["type"] == kind and one["step"] == step:
            return one
        else:
            its_step = one["step"]
        if 0 < its_step < step:  # what comes before is older still: a long run is not gone through
            return None
    return None


def _text(run: RunNode, kind: Literal["text", "thought"], step: int) -> TextItem:
    """The newest item of a step's text or thought, made where there is none."""
    if (item := _said(run, kind, step)) is not None:
        return item
    made: TextItem = {"type": kind, "step": step, "text": ""}
    run["items"].append(made)
    return made


def parsed(text: str) -> JsonValue:
    """Arguments as a model wrote them, as JSON; as text, where they are none."""
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return text


@singledispatch
def _apply(event: Event, run: RunNode) -> None:
    """Fold an event into its run; of most kinds nothing is shown here."""
    del event, run


@_apply.register
def _(event: UserMessageReceived, run: RunNode) -> None:
    if not run["prompt"]:
        run["prompt"] = event.text
        run["shared"] = list(event.shared)


@_apply.register
def _(event: Workflow, run: RunNode) -> None:
    run["phase"] = event.phase
    run["step"] = max(run["step"], event.step)
    if event.phase in ENDED:
        run["status"] = event.phase
        run["ended_at"] = event.at
        run["failure"] = event.failure and event.failure.model_dump(mode="json")
        explain(run)
        _settle_calls(run, is_suspended=event.phase == "suspended")


def _settle_calls(run: RunNode, *, is_suspended: bool) -> None:
    """Calls of a run that has ended: asked for in an answer that came to nothing, or waiting."""
    for call in run["calls"].values():
        if is_suspended and call["status"] == "running":
            call["status"] = "waiting"  # for a run inside of it
        elif not is_suspended and call["status"] == "preparing":
            call["status"] = "skipped"
            explain(call)


@_apply.register
def _(event: AssistantDelta, run: RunNode) -> None:
    item = _text(run, "text", event.step)
    item["text"] += event.text
    run["text"] = item["text"]


@_apply.register
def _(event: AssistantTurn, run: RunNode) -> None:
    if event.text:
        _text(run, "text", event.step)["text"] = event.text
    elif (item := _said(run, "text", event.step)) is not None:
        run["items"].remove(item)
    run["text"] = event.text
    run["citations"] = [one.model_dump(mode="json") for one in event.citations]
    run["refused"] = event.refused
    run["unmet"] = list(event.unmet)
    run["answers"].append(
        {
            "step": event.step,
            "text": event.text,
            "calls": [one.model_dump() for one in event.calls],
            "requests": len(run["requests"]),
        }
    )
    for call in event.calls:
        node = _call(run, call.id, call.name)
        node["name"] = call.name  # what is meant: as it was written it may have named another
        node["arguments"] = parsed(call.arguments)
        node["step"] = event.step
        node["asked_at"] = event.at


@_apply.register
def _(event: Thought, run: RunNode) -> None:
    _text(run, "thought", event.step)["text"] += event.text


@_apply.register
def _(event: ToolArgsDelta, run: RunNode) -> None:
    _of(run, event)


@_apply.register
def _(event: ToolStart, run: RunNode) -> None:
    call = _of(run, event)
    call["status"] = "running"
    awaits.set_arguments(call, event)
    call["hint"] = event.display_hint
    _take(call, event, OF_START)
    call.pop("kept", None)  # it is made again
    call["progress"] = None  # what it waited for has come
    call["started_at"] = event.at


@_apply.register
def _(event: ToolUpdate, run: RunNode) -> None:
    call = _of(run, event)
    if event.expected_children is not None:
        call["expected_children"] = event.expected_children
    if event.message or event.fraction is not None:
        call["progress"] = {"message": event.message, "fraction": event.fraction}


@_apply.register
def _(event: ToolOutputDelta, run: RunNode) -> None:
    add_output(_of(run, event)["output"], event.stream, event.text)


@_apply.register
def _(event: ToolData, run: RunNode) -> None:
    payloads = _of(run, event)["payloads"]
    node: PayloadNode = {"id": event.payload_id, "payload": event.payload.model_dump(mode="json")}
    for index, known in enumerate(payloads):
        if known["id"] == event.payload_id:
            payloads[index] = node
            return
    payloads.append(node)


@_apply.register
def _(event: ToolEnd, run: RunNode) -> None:
    _take(_of(run, event), event, OF_END)


@_apply.register
def _(event: ChildRunLinked, run: RunNode) -> None:
    call = _of(run, event)
    call["asked_seq"] = event.seq
    if event.child_run_id not in call["child_run_ids"]:
        call["child_run_ids"].append(event.child_run_id)


@_apply.register
def _(
    event: AwaitConfirmation | AwaitClarification | AwaitQuestions | AwaitExternalTools | AwaitStep,
    run: RunNode,
) -> None:
    if isinstance(event, AwaitConfirmation):
        _of(run, event)
    awaits.apply_await(event, run)


@_apply.register
def _(event: AwaitResolved, run: RunNode) -> None:
    awaits.resolve_await(event, run)


@_apply.register
def _(event: ToolAuthorization, run: RunNode) -> None:
    awaits.apply_authorization(event, run, _of(run, event))


@_apply.register
def _(event: Handoff, run: RunNode) -> None:
    run["items"].append(
        {
            "type": "handoff",
            "step": event.step,
            "from_agent": event.from_agent,
            "to_agent": event.to_agent,
            "model": event.model,
        }
    )


@_apply.register
def _(event: Guardrail, run: RunNode) -> None:
    shown = ("name", "stage", "outcome", "message")
    said = event.model_dump(mode="json", include=set(shown))
    call = run["calls"].get(event.tool_call_id or "")
    (run if call is None else call)["guardrails"].append({name: said[name] for name in shown})
    if call is not None and event.stage == "tool_input" and event.outcome == "replace":
        awaits.keep_proposed(call)


@_apply.register
def _(event: PromptRendered, run: RunNode) -> None:
    run["step"] = max(run["step"], event.step)
    run["requests"].append(cast("RequestNode", event.model_dump(mode="json", include=REQUEST)))


@_apply.register
def _(event: StepEdited, run: RunNode) -> None:
    apply_edit(event, run)


@_apply.register
def _(event: KeptEnd, run: RunNode) -> None:
    for call_id in event.calls:
        run["calls"][call_id]["kept"] = True


def _add_told(request: RequestNode, told: Sequence[Plain]) -> None:
    """Put what other runs have logged of a chat where the model was told it."""
    if (earlier := request["earlier"]) is not None:
        earlier["count"] = len(told)
        request["messages"][earlier["place"] : earlier["place"]] = told


@_apply.register
def _(event: UsageReported, run: RunNode) -> None:
    _add_usage(run["usage"], event)
    if (day := event.recorded) is not None:
        said = run.get("replayed") or ReplayedNode(answers=0, since=day, until=day)
        run["replayed"] = ReplayedNode(
            answers=said["answers"] + 1,
            since=min(said["since"], day),
            until=max(said["until"], day),
        )


@_apply.register
def _(event: KeptUsage, run: RunNode) -> None:
    if (kept := run.get("kept")) is not None:
        run["kept"] = {"usage": _add_usage({**kept["usage"]}, event)}


def _add_usage(usage: UsageNode, event: UsageReported | KeptUsage) -> UsageNode:
    usage["input_tokens"] += event.input_tokens
    usage["output_tokens"] += event.output_tokens
    usage["cached_tokens"] += event.cached_tokens
    usage["requests"] += 1
    if event.cost is not None:
        usage["cost"] = (usage["cost"] or 0.0) + event.cost
    return usage
