"""The loop of a run as a plain generator: no I/O, no clock.

It yields what it needs (`AskModel`, `CallTools`), is sent what came back, and returns the outcome.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, TypeAlias

from nbagents.messages import AssistantMessage, CallRequest, Message, ToolMessage, UserMessage

if TYPE_CHECKING:
    from nbagents.results import CallResult

__all__ = ["AskModel", "CallTools", "Loop", "Need", "Outcome", "agent_loop", "told"]


@dataclass(frozen=True, slots=True, kw_only=True)
class AskModel:
    """The model is to be asked; the answer is an `AssistantMessage`."""

    messages: Sequence[Message]
    """The whole conversation, which grows in place."""
    step: int
    """Counts from 1."""
    is_final: bool = False
    """The finaliser step: no tools are offered, so that there is an answer; calls are ignored."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CallTools:
    """Calls are to be made, together; the answer is their results, in call order."""

    calls: tuple[CallRequest, ...]
    step: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """How a run ended, if nothing broke."""

    status: Literal["completed", "limit"]
    text: str
    step: int
    """The last one."""


Need: TypeAlias = AskModel | CallTools
Loop: TypeAlias = Generator[Need, "AssistantMessage | Sequence[CallResult]", Outcome]


def agent_loop(
    messages: list[Message],
    *,
    max_steps: int,
    is_spent: Callable[[], bool] = lambda: False,
    complaint: Callable[[str], str | None] | None = None,
) -> Loop:
    """Ask the model and make its calls until it answers without any.

    The turn also ends when every result of a batch says that the model need not read it, unless the
    answer must have a form. A failure that says so (`finish`) lets no further call follow. After
    `max_steps` steps, or when all is spent, a finaliser step follows, in which no tool is offered.

    Args:
        messages: The conversation so far; grows in place.
        max_steps: How often the model may be asked with tools, at least 1.
        is_spent: Asked after each batch of calls: whether another limit was reached.
        complaint: What is wrong with an answer, in words for the model; it may correct it once.
    """
    step, is_final, is_limited, complaints = 0, False, False, 0
    while True:
        step += 1
        said = yield from _ask(messages, step, is_final=is_final)
        if not said.calls:
            wrong = complaint(said.text) if complaint and not complaints else None
            if wrong is None:
                return Outcome(
                    status="limit" if is_limited else "completed", text=said.text, step=step
                )
            complaints += 1
            messages.append(UserMessage(text=wrong))
        else:
            results = yield from _call(messages, said.calls, step)
            if complaint is None and all(result.has_next is False for result in results):
                text = said.text or _last_word(results)
                return Outcome(status="completed", text=text, step=step)
            is_limited = is_limited or step >= max_steps or is_spent()
            is_final = any(_is_last(result) for result in results)
        is_final = is_final or is_limited or step >= max_steps


def _is_last(result: CallResult) -> bool:
    return result.failure is not None and result.failure.recovery == "finish"


def _ask(
    messages: list[Message], step: int, *, is_final: bool = False
) -> Generator[Need, AssistantMessage | Sequence[CallResult], AssistantMessage]:
    answer = yield AskModel(messages=messages, step=step, is_final=is_final)
    if not isinstance(answer, AssistantMessage):
        raise TypeError(f"AskModel wants an AssistantMessage, not {answer!r}")
    messages.append(answer)
    return answer


def _call(
    messages: list[Message], calls: tuple[CallRequest, ...], step: int
) -> Generator[Need, AssistantMessage | Sequence[CallResult], Sequence[CallResult]]:
    answer = yield CallTools(calls=calls, step=step)
    if isinstance(answer, AssistantMessage) or len(answer) != len(calls):
        raise TypeError(f"CallTools wants {len(calls)} results, not {answer!r}")
    for call, result in zip(calls, answer, strict=True):
        messages.append(told(call, result))
    return answer


def told(call: CallRequest, result: CallResult) -> ToolMessage:
    """What the model is told of a call."""
    return ToolMessage(
        call_id=call.id,
        name=call.name,
        content=result.content,
        parts=result.parts,
        failed=result.status != "done",
    )


def _last_word(results: Sequence[CallResult]) -> str:
    """What to answer when the tools said that nobody need read them."""
    return results[-1].preview or results[-1].content
