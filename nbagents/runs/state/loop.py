"""The loop of a run as a plain generator: no I/O, no clock.

It yields what it needs (`AskModel`, `CallTools`, `Decide`), is sent what came back, and returns the
outcome.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Literal, TypeAlias, get_args

from nbagents.messages import AssistantMessage, CallRequest, Message, UserMessage, told

if TYPE_CHECKING:
    from nbagents.results import CallResult


@dataclass(frozen=True, slots=True, kw_only=True)
class AskModel:
    """The model is to be asked; the answer is an `AssistantMessage`."""

    messages: Sequence[Message]
    """The whole conversation, which grows in place."""
    step: int
    """Counts from 1."""
    is_final: bool = False
    """The last word: no more calls are possible, so that there is an answer."""
    finished_by: str = ""
    """The tool that says that no call may follow, where it is not a limit."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CallTools:
    """Calls are to be made, together; the answer is their results, in call order."""

    calls: tuple[CallRequest, ...]
    step: int
    is_closing: bool = False
    """Whether nobody asked for them: they were said beforehand, for the end at a limit."""
    is_last: bool = False
    """Whether they were asked for with the last word: they are answered, and not made."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Decide:
    """What the results of a step mean; the answer is the text that ends the run, or `None`."""

    calls: tuple[CallRequest, ...]
    results: Sequence[CallResult]
    step: int


UnbrokenEnd: TypeAlias = Literal["completed", "limit", "denied"]
UNBROKEN_ENDS: Final[tuple[UnbrokenEnd, ...]] = get_args(UnbrokenEnd)
"""How a run ends if nothing breaks."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """How a run ended, if nothing broke."""

    status: UnbrokenEnd
    text: str
    step: int
    """The last one."""
    is_of_tool: bool = False
    """Whether the text is a result, and no model has said it yet."""


FIRST: Final = AskModel(messages=(), step=1)

Need: TypeAlias = AskModel | CallTools | Decide
Sent: TypeAlias = "AssistantMessage | Sequence[CallResult] | str | None"
Loop: TypeAlias = Generator[Need, Sent, Outcome]


def agent_loop(
    messages: list[Message],
    *,
    max_steps: int,
    is_spent: Callable[[], bool] = lambda: False,
    complaint: Callable[[str], str | None] | None = None,
    closing: CallRequest | None = None,
    decides: bool = False,
    after: AskModel = FIRST,
) -> Loop:
    """Ask the model and make its calls until it answers without any.

    The turn also ends when every result of a batch says that the model need not read it, unless the
    answer must have a form. A failure that says so (`finish`) lets no further call follow. After
    `max_steps` steps, or when all is spent, the model has a last word, with which it can call
    nothing more, or a call follows that was said beforehand.

    Args:
        messages: The conversation so far, also one that ends with calls; grows in place.
        max_steps: How often the model may be asked with tools, at least 1.
        is_spent: Asked after each batch of calls: whether another limit was reached.
        complaint: What is wrong with an answer, in words for the model; it may correct it once.
        closing: The call that is made at a limit instead of asking once more.
        decides: Whether it is to be decided of each batch if it ends the run.
        after: What another loop wanted whose place this one takes, because another agent goes on,
            or the run does.
    """
    step, is_final, complaints = after.step - 1, after.is_final, 0
    is_limited = is_final and (step >= max_steps or is_spent())
    finished_by = after.finished_by
    opened = open_answer(messages)
    while True:
        step += 1
        if is_limited and closing is not None:
            outcome = yield from closing_call(messages, closing, step)
            if outcome is not None:
                return outcome
            closing = None
        need = AskModel(messages=messages, step=step, is_final=is_final, finished_by=finished_by)
        said = opened or (yield from _ask(messages, need))
        opened = None
        if is_final or not said.calls:
            yield from _not_made(messages, said.calls, step)
            wrong = complaint(said.text) if complaint and not complaints else None
            if wrong is None:
                return Outcome(
                    status="limit" if is_limited else "completed", text=said.text, step=step
                )
            complaints += 1
            messages.append(UserMessage(text=wrong))
        else:
            results = yield from _call(messages, CallTools(calls=said.calls, step=step))
            answer = (yield from _decided(said.calls, results, step)) if decides else None
            if answer is None and complaint is None:
                answer = _unread(said, results)
            if answer is not None:
                return Outcome(status="completed", text=answer, step=step, is_of_tool=True)
            is_limited = is_limited or step >= max_steps or is_spent()
            finished_by = "" if is_limited else _finished_by(said.calls, results)
        is_final = is_final or is_limited or bool(finished_by) or step >= max_steps


def closing_call(
    messages: list[Message], call: CallRequest, step: int
) -> Generator[Need, Sent, Outcome | None]:
    """Make the call that ends a run at a limit: its content is the answer, unless it fails."""
    messages.append(AssistantMessage(text="", calls=(call,)))
    return (yield from _closed(messages, call, step))


def closing_again(messages: list[Message], call: CallRequest, step: int, otherwise: Loop) -> Loop:
    """Make the call with which a run was to end when it was suspended.

    Args:
        messages: The conversation, which ends with the call; grows in place.
        call: The call.
        step: Which step it is.
        otherwise: What is done if it fails.
    """
    outcome = yield from _closed(messages, call, step)
    return outcome or (yield from otherwise)


def _closed(
    messages: list[Message], call: CallRequest, step: int
) -> Generator[Need, Sent, Outcome | None]:
    need = CallTools(calls=(call,), step=step, is_closing=True)
    (result,) = yield from _call(messages, need)
    if result.status != "done":
        return None
    return Outcome(status="limit", text=result.content, step=step, is_of_tool=True)


def open_answer(messages: Sequence[Message]) -> AssistantMessage | None:
    """The answer whose calls have no results yet: a suspended run goes on with them."""
    last = messages[-1] if messages else None
    return last if isinstance(last, AssistantMessage) and last.calls else None


def _finished_by(calls: tuple[CallRequest, ...], results: Sequence[CallResult]) -> str:
    """The first tool that says that no further call may follow."""
    for call, result in zip(calls, results, strict=True):
        if result.failure is not None and result.failure.recovery == "finish":
            return call.name
    return ""


def _ask(messages: list[Message], need: AskModel) -> Generator[Need, Sent, AssistantMessage]:
    answer = yield need
    if not isinstance(answer, AssistantMessage):
        raise TypeError(f"AskModel wants an AssistantMessage, not {answer!r}")
    messages.append(answer)
    return answer


def _call(messages: list[Message], need: CallTools) -> Generator[Need, Sent, Sequence[CallResult]]:
    calls, answer = need.calls, (yield need)
    if answer is None or isinstance(answer, (AssistantMessage, str)) or len(answer) != len(calls):
        raise TypeError(f"CallTools wants {len(calls)} results, not {answer!r}")
    for call, result in zip(calls, answer, strict=True):
        messages.append(told(call, result))
    return answer


def _not_made(
    messages: list[Message], calls: tuple[CallRequest, ...], step: int
) -> Generator[Need, Sent, None]:
    """Answer the calls, if any, that were asked for with the last word."""
    if calls:
        yield from _call(messages, CallTools(calls=calls, step=step, is_last=True))


def _decided(
    calls: tuple[CallRequest, ...], results: Sequence[CallResult], step: int
) -> Generator[Need, Sent, str | None]:
    answer = yield Decide(calls=calls, results=results, step=step)
    if answer is not None and not isinstance(answer, str):
        raise TypeError(f"Decide wants a text or None, not {answer!r}")
    return answer


def _unread(said: AssistantMessage, results: Sequence[CallResult]) -> str | None:
    """What to answer where all tools said that nobody need read them."""
    if any(result.has_next is not False for result in results):
        return None
    return said.text or results[-1].preview or results[-1].content
