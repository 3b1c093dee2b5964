"""What a branch of a long run costs beside the run: only what comes after the change is done.

The calls take a few milliseconds, as a query of a small table does. What is kept is logged anew, so
that the branch has all of it: beside calls that take no time at all that shows, and is printed too.
"""

from __future__ import annotations

import json
import time
from typing import TYPE_CHECKING

import nbagents as nba
from benchmarks.measure import interleaved
from benchmarks.report import Bar
from nbagents.messages import AssistantMessage, CallRequest
from nbagents.models.model import ModelTurn
from nbagents.results import Usage

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from benchmarks.report import Report
    from nbagents.models.model import ModelPart, ModelRequest

__all__ = ["AT", "CALLS", "Numbers", "report_forks"]

CALLS, AT = 100, 90
CALL_S = 0.005
BAR = 0.2
WHOLE = f"the run of {CALLS} calls"
RESULT = f"a branch with another result of call {AT}"
ARGUMENTS = f"a branch with other arguments of call {AT}"
MADE = {RESULT: CALLS - AT, ARGUMENTS: CALLS - AT + 1}


class Numbers:
    """An agent that calls its tool one time after the other, and how often it really has."""

    name = "numbers"

    def __init__(self, call_s: float) -> None:
        self.made = 0
        self._call_s = call_s
        self.agent = nba.Agent(
            "numbers", "Go on.", tools=[self.double], model=self, max_steps=CALLS + 1
        )

    def double(self, number: int) -> int:
        """Double a number.

        Args:
            number: Which.
        """
        self.made += 1
        time.sleep(self._call_s)
        return 2 * number

    async def stream(self, request: ModelRequest) -> AsyncIterator[ModelPart]:
        """Ask for the next call, or say that it is enough."""
        said = sum(isinstance(one, AssistantMessage) for one in request.messages)
        usage = Usage(input_tokens=100, output_tokens=10, requests=1)
        if said == CALLS:
            yield ModelTurn(text="Enough.", usage=usage)
            return
        asked = CallRequest(
            id=f"call-{said}", name="double", arguments=json.dumps({"number": said})
        )
        yield ModelTurn(calls=(asked,), usage=usage)


def report_forks(report: Report, rounds: int) -> None:
    """Run, fork, and print what each took and how many calls it made."""
    made = _report(report, rounds, CALL_S, BAR)
    _report(report, rounds, 0.0, None)
    rows = [
        [name, str(count), report.verdict(f"{name}: calls", count, MADE[name])]
        for name, count in made.items()
    ]
    report.show("Calls that a branch makes", ["", "calls", "bar"], rows)


def _report(report: Report, rounds: int, call_s: float, times: float | None) -> dict[str, int]:
    """Run and fork, with calls that take so long, and print what each took."""
    numbers = Numbers(call_s)
    run = numbers.agent.run("Begin.", log="memory")
    made: dict[str, int] = {}

    def counted(name: str, **change: object) -> None:
        numbers.made = 0
        branch = run.fork(at=AT, **change)
        made[name] = numbers.made
        if branch.text != "Enough." or len(branch.calls) != CALLS:
            raise RuntimeError(f"{name} did not come to its end: {branch.summary}")

    timings = interleaved(
        {
            WHOLE: lambda: numbers.agent.run("Begin.", log="memory"),
            RESULT: lambda: counted(RESULT, result=0),
            ARGUMENTS: lambda: counted(ARGUMENTS, arguments={"number": 0}),
        },
        rounds=rounds,
    )
    bars = {} if times is None else dict.fromkeys((RESULT, ARGUMENTS), Bar(times, WHOLE))
    title = f"Going back in a run, its log in memory; a call takes {call_s * 1000:g} ms"
    report.compare(title, timings, {WHOLE: "x run"}, bars)
    return made
