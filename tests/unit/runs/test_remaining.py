"""What a tool is told of the limits: what is left at that moment, over the tree of runs."""

from __future__ import annotations

import asyncio
from typing import Any

import nbagents as nba
from nbagents.models.scripted import ScriptedModel
from nbagents.results import Limits
from nbagents.runs.policy.limits import Spending
from nbagents.tools.context.context import Remaining
from tests.unit.runs.desk import double, request, turn

PRICES = {"scripted": {"input": 1_000_000.0, "output": 1_000_000.0}}


def test_it_falls_by_what_the_run_does_and_what_runs_below_it_do() -> None:
    seen: list[tuple[str, Remaining]] = []

    def look(ctx: nba.Context) -> str:
        """Look."""
        seen.append((ctx.agent_name, ctx.remaining))
        return "ok"

    below = nba.Agent(
        "below",
        tools=[look],
        model=ScriptedModel([turn(request("p", "look")), turn(text="below")]),
        max_calls=2,
    )
    steps = [request("a", "look"), request("b", "below", input="go"), request("c", "look")]
    model = ScriptedModel([*map(turn, steps), turn(text="done")])
    agent = nba.Agent(
        "first",
        tools=[look, below],
        model=model,
        max_steps=8,
        max_calls=10,
        max_tokens=1000,
        max_cost=500.0,
        prices=PRICES,
    )
    assert agent.run("go", log="memory").status == "completed"
    said = [(name, one.steps, one.calls, one.tokens, one.cost) for name, one in seen]
    assert said == [
        ("first", 7, 9, 988, 488.0),
        ("below", 9, 1, 964, 464.0),
        ("first", 5, 6, 940, 440.0),
    ]


def test_a_child_sees_the_ends_of_the_runs_above_and_each_run_its_own_limits() -> None:
    seen: list[tuple[Limits, Remaining]] = []

    async def look(ctx: nba.Context) -> str:
        """Look."""
        seen.append((ctx.limits, ctx.remaining))
        return "ok"

    below = nba.Agent("below", tools=[look], model=ScriptedModel([turn(request("p", "look")), "."]))
    model = ScriptedModel([turn(request("a", "below", input="go")), "done"])
    agent = nba.Agent("first", tools=[below], model=model, max_calls=2, timeout_s=1e9)
    agent.run("go", log="memory")
    ((limits, left),) = seen
    assert (limits.max_calls, limits.max_steps) == (None, 10)
    assert (left.calls, left.tokens, left.cost) == (0, None, None)
    assert left.time_s is not None


def test_after_a_hand_over_the_limits_are_those_of_the_run() -> None:
    seen: list[Remaining] = []

    def look(ctx: nba.Context) -> str:
        """Look."""
        seen.append(ctx.remaining)
        return "ok"

    other = nba.Agent(
        "other", tools=[look], model=ScriptedModel([turn(request("p", "look")), "."]), max_calls=99
    )
    model = ScriptedModel([turn(request("a", "transfer_to_other"))])
    agent = nba.Agent("first", handoffs=[other], model=model, max_calls=5, max_steps=4)
    agent.run("go", log="memory")
    assert [(one.calls, one.steps) for one in seen] == [(3, 2)]


def test_checks_and_filters_by_the_context_see_it_too() -> None:
    seen: list[int | None] = []

    def check(ctx: nba.Context, text: str) -> None:
        seen.append(ctx.remaining.calls)

    def offers(ctx: nba.Context, agent: nba.Agent) -> bool:
        seen.append(ctx.remaining.calls)
        return True

    tool = nba.Tool(double, nba.ToolOptions(enabled=offers))
    model: Any = ScriptedModel([turn(request("a", "double", number=1)), "done"])
    nba.Agent(tools=[tool], model=model, max_calls=3, input_guardrails=[check]).run(
        "go", log="memory"
    )
    assert seen == [3, 3, 2]


def test_nothing_is_less_than_nothing_and_a_context_by_hand_has_no_end() -> None:
    async def spent() -> Remaining:
        spending = Spending(Limits(max_steps=1, max_tokens=1, max_calls=0, timeout_s=1e-9))
        spending.begin()
        spending.step = 3
        spending.tokens.spend(50)
        return spending.remaining()

    left = asyncio.run(spent())
    assert (left.steps, left.calls, left.tokens, left.time_s) == (0, 0, 0, 0.0)
    assert nba.Context().remaining == Remaining()
    assert nba.Context().limits == Limits()
