"""The planner's turns: what it says to a request, in the parts that any model streams."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, cast

from nbagents.identity import new_id
from nbagents.messages import CallRequest, UserMessage
from nbagents.models.model import CallDelta, ModelTurn, TextDelta, ThoughtDelta
from nbagents.models.offline.answers import answer, no_match, summary
from nbagents.models.offline.finding import can_find, next_look, without_finders
from nbagents.models.offline.followups import goals_for
from nbagents.models.offline.language import stem
from nbagents.models.offline.matching import Index
from nbagents.models.offline.planning import (
    Conversation,
    formed,
    nearest,
    plan,
    unserved,
    unserved_note,
)
from nbagents.results import Usage

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from nbagents.messages import Message
    from nbagents.models.model import ModelPart, ModelRequest, ToolSpec
    from nbagents.models.offline.matching import Score
    from nbagents.models.offline.planning import Goal, Planned, Step

_MEMO = "offline"
_PROMPT = "offline prompt"
"""Where the run's prompt stands in its messages."""
_GROUP = re.compile(r"\S+(?:\s+\S+){0,2}\s*|\s+")
_REASON_WORDS = 5
NOT_FOUND = (
    "I am the offline planner, not a language model: I searched the tools with your words, and "
    "none fits. Say it in their words, or choose a language model, which needs a key (set "
    "OPENAI_API_KEY)."
)


@dataclass(slots=True)
class _Memory:
    """What one run keeps between its requests."""

    tools: tuple[ToolSpec, ...]
    index: Index
    prompt: tuple[str, str]
    goals: list[Goal]
    mends: dict[str, str]


def parts_of(request: ModelRequest) -> Iterator[ModelPart]:
    """A turn: thoughts, then calls or text, then all of it."""
    if not can_find(request.tools):
        yield from _planned(request)
        return
    known = without_finders(request)
    look = None if _fits(known) else next_look(request)
    if look is not None:
        yield ThoughtDelta(f"Nothing here fits yet: {look.name}.\n")
        yield ModelTurn(calls=(look,), usage=Usage(requests=1))
    elif known.tools:
        yield from _planned(known)
    else:
        yield from _answered(known, Conversation.of(_asked(known)), NOT_FOUND, ())


def _fits(request: ModelRequest) -> bool:
    """Whether the tools that are here serve the person's words."""
    conversation = Conversation.of(_asked(request), request.handles)
    tools = tuple(one for one in request.tools if one.hosted is None)
    return bool(tools) and bool(_memory(request, tools, conversation).goals)


def _planned(request: ModelRequest) -> Iterator[ModelPart]:
    """A turn with the tools that are offered."""
    kept = _kept(request)
    conversation = Conversation.of(_asked(request), request.handles)
    tools = tuple(one for one in request.tools if one.hosted is None)
    if not tools:
        mends = kept.mends if kept else {}
        yield from _answered(request, conversation, summary(conversation, mends))
        return
    memory = _memory(request, tools, conversation)
    step = plan(memory.goals, memory.index, conversation, memory.mends, parallel=request.parallel)
    if not conversation.made:
        yield from (ThoughtDelta(_reason(goal)) for goal in memory.goals)
    if step.calls:
        yield from _called(step.calls, memory)
    elif memory.goals:
        yield from _ended(request, step, conversation, memory)
    elif conversation.made:
        yield from _answered(request, conversation, summary(conversation, memory.mends))
    else:
        near = nearest(conversation.prompt, memory.index)
        yield ThoughtDelta(f"No tool fits{_scored(near)}.\n")
        text = no_match(memory.index, [one.entry.name for one in near])
        yield from _answered(request, conversation, text, (conversation.prompt.strip(),))


def _ended(
    request: ModelRequest, step: Step, conversation: Conversation, memory: _Memory
) -> Iterator[ModelPart]:
    """The end of a turn with its answer, or a question, and what nobody has used."""
    text = answer(step, conversation, memory.mends)
    left = unserved(memory.goals, conversation.made)
    note = unserved_note(left)
    if note:
        yield ThoughtDelta(f"{note}\n")
    unmet = (*left, *(gap.goal.said for gap in step.gaps))
    if step.gaps:
        yield from _spoken(text, unmet)
    else:
        whole = f"{text} {note}".strip() if request.output is None else text
        yield from _answered(request, conversation, whole, unmet)


def _asked(request: ModelRequest) -> Sequence[Message]:
    """The messages, without those that only ask for another form of the answer.

    A run has one prompt: what a person's message says after it is a complaint about the form.
    """
    messages = [one for one in request.messages if not _is_notice(one)]
    if request.output is None:
        return messages
    said = [at for at, one in enumerate(messages) if isinstance(one, UserMessage)]
    start = cast("int", request.memo.setdefault(_PROMPT, said[-1] if said else 0))
    return [one for at, one in enumerate(messages) if at <= start or at not in said]


def _is_notice(message: Message) -> bool:
    """Whether a message tells what the person did meanwhile: this planner goes by what they ask."""
    return isinstance(message, UserMessage) and message.is_notice


def _answered(
    request: ModelRequest, conversation: Conversation, text: str, unmet: tuple[str, ...] = ()
) -> Iterator[ModelPart]:
    """An answer, in the form that was asked for."""
    if request.output is not None:
        text = formed(request.output, conversation, text)
    yield from _spoken(text, unmet)


def _kept(request: ModelRequest) -> _Memory | None:
    kept = request.memo.get(_MEMO)
    return kept if isinstance(kept, _Memory) else None


def _memory(
    request: ModelRequest, tools: tuple[ToolSpec, ...], conversation: Conversation
) -> _Memory:
    """The run's memory, read anew where the tools or the prompt changed."""
    kept = _kept(request)
    prompt = (conversation.prompt, conversation.previous)
    same_tools = kept is not None and kept.tools == tools
    if kept is not None and same_tools and kept.prompt == prompt:
        return kept
    index = kept.index if kept is not None and same_tools else Index(tools)
    goals = goals_for(conversation, index)
    memory = _Memory(tools, index, prompt, goals, kept.mends if kept else {})
    request.memo[_MEMO] = memory
    return memory


def _called(calls: Sequence[Planned], memory: _Memory) -> Iterator[ModelPart]:
    requests: list[CallRequest] = []
    for call in calls:
        if call.why:
            yield ThoughtDelta(f"{call.entry.name}: {call.why}.\n")
        arguments = json.dumps(call.arguments, ensure_ascii=False)
        request = CallRequest(id=new_id("call"), name=call.entry.name, arguments=arguments)
        if call.repairs is not None:
            memory.mends[request.id] = call.repairs
        requests.append(request)
        yield CallDelta(request.id, request.name, request.arguments)
    yield ModelTurn(calls=tuple(requests), usage=Usage(requests=1))


def _spoken(text: str, unmet: tuple[str, ...] = ()) -> Iterator[ModelPart]:
    for group in _GROUP.findall(text):
        yield TextDelta(group)
    yield ModelTurn(text=text, unmet=unmet, usage=Usage(requests=1))


def _reason(goal: Goal) -> str:
    """Why a tool was chosen, in one line with its score."""
    written = {stem(word): word for word in re.findall(r"[^\W\d_]+", goal.said.lower())}
    matched = [written.get(one, one) for one in goal.score.matched[:_REASON_WORDS]]
    words = ", ".join(matched) or "its arguments"
    next_best = "".join(f"; next {one.entry.name} {one.value:.1f}" for one in goal.others[:2])
    why = f"({goal.score.value:.1f} by {words}{next_best})"
    return f"“{goal.said}” → {goal.entry.name} {why}{_given(goal)}.\n"


def _given(goal: Goal) -> str:
    """Which words gave which argument."""
    calls = [
        ", ".join(
            f"{name} from “{mention.text}”"
            for name, mention in filling.sources.items()
            if name in filling.values
        )
        for filling in goal.fillings
    ]
    said = "; ".join(dict.fromkeys(one for one in calls if one))
    return f": {said}" if said else ""


def _scored(near: Sequence[Score]) -> str:
    """The nearest tools with their scores."""
    said = ", ".join(f"{one.entry.name} {one.value:.1f}" for one in near)
    return f"; nearest {said}" if said else ""
