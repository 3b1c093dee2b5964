"""Who takes over a run brings prices, and money can be counted from the beginning."""

from __future__ import annotations

from typing import Any

import pytest

from nbagents.agents import Agent
from nbagents.models.model import ModelTurn
from nbagents.models.scripted import ScriptedModel
from nbagents.results import Usage
from tests.unit.runs.desk import request

MILLION = Usage(requests=1, input_tokens=1_000_000)
ONE = {"m1": {"input": 1, "output": 0}}
THREE = {"m2": {"input": 3, "output": 0}}


def model(name: str, *steps: Any) -> ScriptedModel:
    turns = [
        ModelTurn(text=one, usage=MILLION)
        if isinstance(one, str)
        else ModelTurn(calls=(one,), usage=MILLION)
        for one in steps
    ]
    made = ScriptedModel(turns)
    made.name = name
    return made


def second(**options: Any) -> Agent:
    return Agent("B", model=model("m2", "Done."), **options)


def first(other: Agent, **options: Any) -> Agent:
    asks = model("m1", request("c1", "transfer_to_b"))
    options.setdefault("prices", ONE)
    return Agent("A", model=asks, handoffs=[other], **options)


def test_the_prices_of_both_count() -> None:
    assert first(second(prices=THREE)).run("Go", log="memory").usage.cost == 4


def test_where_both_name_a_model_the_run_s_own_price_counts() -> None:
    own = ONE | {"m2": {"input": 7, "output": 0}}
    assert first(second(prices=THREE), prices=own).run("Go", log="memory").usage.cost == 8


def test_money_that_is_limited_is_counted_after_a_hand_over() -> None:
    assert first(second(prices=THREE), max_cost=10).run("Go", log="memory").status == "completed"


def test_who_takes_over_without_a_price_is_said_before_anything_begins() -> None:
    third = Agent("C", model=model("m3", "Done."))
    asked = first(second(prices=THREE, handoffs=[third]), max_cost=10)
    with pytest.raises(ValueError, match=r"'C' may take over this run.*the price of 'm3'"):
        asked.run("Go", log="memory")
    assert isinstance(asked.model, ScriptedModel)
    assert asked.model.requests == []


def test_a_run_inside_keeps_to_the_money_above_in_whoever_takes_over() -> None:
    inner = first(second())
    boss = Agent(
        "boss",
        tools=[inner],
        model=model("m1", request("c1", "a", input="x"), "Done."),
        prices=ONE,
        max_cost=50,
    )
    with pytest.raises(ValueError, match="'B' may take over"):
        boss.run("Go", log="memory")
    assert isinstance(inner.model, ScriptedModel)
    assert inner.model.requests == []


def test_a_preview_asks_nobody_for_prices_who_may_take_over() -> None:
    assert first(second(), max_cost=10).preview("Go").model == "m1"
