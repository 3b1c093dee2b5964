"""Asking a person before a call that wants it; where nobody can be asked, the answer is no."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from nbagents.events import AwaitConfirmation, AwaitResolved, ToolAuthorization
from nbagents.identity import new_id
from nbagents.results import CallResult

if TYPE_CHECKING:
    from nbagents.runs.host import Host
    from nbagents.runs.record import Run
    from nbagents.tools.invoke import Lanes, PreparedCall

__all__ = ["Consent"]

MAX_SHOWN = 300
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
        """The result of a call that was not allowed; `None` where it may be made."""
        if not self.is_needed(call):
            return None
        await_id, question = new_id("await"), question_of(call)
        self._ask(call, await_id, question)
        said = await self._lanes.on_main(lambda: self._host.confirm(self._run, question))
        self._settle(call, await_id, said)
        if said:
            return None
        return CallResult(content=UNASKED if said is None else DENIED, status="denied")

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
        self._run.emit(
            lambda stamp: AwaitResolved(
                **stamp,
                await_id=await_id,
                outcome="answered" if approved else "denied",
                answer=approved,
                answered_by=by,
            )
        )
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
    shown = ", ".join(f"{name}={json.dumps(value)}" for name, value in given.items())
    if len(shown) > MAX_SHOWN:
        shown = shown[:MAX_SHOWN] + "…"
    return f"Run {call.request.name}({shown})?"
