"""Asking a person before a call that wants it; where nobody can be asked, the answer is no."""

from __future__ import annotations

import asyncio
import contextlib
import json
from typing import TYPE_CHECKING, Literal, TypeAlias

from nbagents.events import AwaitConfirmation, AwaitResolved, ToolAuthorization
from nbagents.identity import new_id
from nbagents.results import CallResult
from nbagents.tools.capture import capturing

if TYPE_CHECKING:
    from nbagents.runs.host import Host
    from nbagents.runs.record import Run
    from nbagents.tools.invoke import Lanes, PreparedCall

__all__ = ["Consent"]

Outcome: TypeAlias = Literal["answered", "denied", "expired", "cancelled"]

SETTLE_S = 0.3
"""How long a page has to draw the run first: nothing is drawn while the main thread asks."""

MAX_SHOWN = 300
"""Characters of each argument in the question."""
DENIED = "The person did not allow this call. Do not ask for it again unless they want it."
UNASKED = (
    "This call needs a person's consent, and nobody can be asked here, so it was not made. "
    "Go on without it."
)


class Consent:
    """Asks, and writes down who decided.

    Args:
        run: What it is written into.
        host: Who can ask the person.
        lanes: The main lane is where the question is put: it may wait for a key.
    """

    def __init__(self, run: Run, host: Host, lanes: Lanes) -> None:
        self._run = run
        self._host = host
        self._lanes = lanes

    def is_needed(self, call: PreparedCall) -> bool:
        """Whether a person must confirm the call."""
        return call.tool is not None and call.failure is None and call.tool.options.ask is True

    async def refusal(self, call: PreparedCall) -> CallResult | None:
        """Ask; the result of a call that was not allowed, `None` where it may be made."""
        await_id, question = new_id("await"), question_of(call)
        self._ask(call, await_id, question)
        try:
            if self._host.shows_output:
                await asyncio.sleep(SETTLE_S)
            said = await self._lanes.on_main(lambda: self._confirmed(question))
        except asyncio.CancelledError:
            self._resolve(await_id, "cancelled", by="a stop")
            raise
        self._settle(call, await_id, said)
        if said:
            return None
        return CallResult(content=UNASKED if said is None else DENIED, status="denied")

    def _confirmed(self, question: str) -> bool | None:
        with capturing(None), contextlib.suppress(EOFError):  # the question is no call's output
            return self._host.confirm(self._run, question)
        return None

    def _resolve(
        self, await_id: str, outcome: Outcome, *, by: str, answer: bool | None = None
    ) -> None:
        self._run.emit(
            lambda stamp: AwaitResolved(
                **stamp, await_id=await_id, outcome=outcome, answer=answer, answered_by=by
            )
        )

    def _ask(self, call: PreparedCall, await_id: str, question: str) -> None:
        tool = call.tool
        self._run.emit(
            lambda stamp: AwaitConfirmation(
                **stamp,
                tool_call_id=call.request.id,
                tool_name=call.request.name,
                await_id=await_id,
                title=(tool and tool.title) or call.request.name,
                prompt=question,
                arguments=call.arguments,
            )
        )

    def _settle(self, call: PreparedCall, await_id: str, said: object) -> None:
        approved = said is True
        by = "the policy for runs without a person" if said is None else "the person"
        self._resolve(await_id, "answered" if approved else "denied", by=by, answer=approved)
        self._run.emit(
            lambda stamp: ToolAuthorization(
                **stamp,
                tool_call_id=call.request.id,
                tool_name=call.request.name,
                approved=approved,
                approved_by=by,
                summary="allowed" if approved else "not allowed",
            )
        )


def question_of(call: PreparedCall) -> str:
    """The call as a sentence that can be answered by yes or no."""
    given = call.arguments if isinstance(call.arguments, dict) else {}
    shown = ", ".join(f"{_plain(name)}={_written(value)}" for name, value in given.items())
    return f"Run {call.request.name}({shown})?"


def _plain(name: str) -> str:
    """A name that a model wrote: quoted where it is none, so that it cannot end the question."""
    return name if name.isidentifier() else _written(name)


def _written(value: object) -> str:
    """A value, each cut by itself, so that a long one hides no other; without control marks."""
    text = json.dumps(value, ensure_ascii=False)
    text = "".join(one if one.isprintable() else f"\\u{ord(one):04x}" for one in text)
    return text if len(text) <= MAX_SHOWN else f"{text[:MAX_SHOWN]}… ({len(text):,} characters)"
