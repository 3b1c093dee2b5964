"""One agent hands a run over to another."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest
from pydantic import BaseModel

import nbagents as nba
from nbagents.agents import Agent
from nbagents.messages import Message, SystemMessage, ToolMessage, UserMessage
from nbagents.models.model import ModelRequest
from nbagents.models.scripted import ScriptedModel
from nbagents.runs.policy.policy import StopAt, ToolUse
from tests.unit.runs.desk import double, request, treble, turn

TRANSFER = turn(request("c1", "transfer_to_biller"))


def biller(*steps: Any, **options: Any) -> tuple[Agent, ScriptedModel]:
    model = ScriptedModel(steps)
    return Agent("Biller", "You bill people.", tools=[treble], model=model, **options), model


def triage(*steps: Any, handoffs: Sequence[Any], **options: Any) -> tuple[Agent, ScriptedModel]:
    model = ScriptedModel(steps)
    made = Agent(
        "Triage", "You send people on.", tools=[double], model=model, handoffs=handoffs, **options
    )
    return made, model


def system(asked: ModelRequest) -> str:
    """The instructions that hold: the newest."""
    return [one.text for one in asked.messages if isinstance(one, SystemMessage)][-1]


TOLD = (
    "You are now 'Biller'. What follows are your instructions; those before hold no longer.\n\n"
    "You bill people."
)


def test_the_same_run_goes_on_with_the_other_agent() -> None:
    other, billing = biller(turn(request("c2", "treble", number=2)), turn(text="6 it is."))
    first, sorting = triage(TRANSFER, handoffs=[other])
    run = first.run("What do I owe?", log="memory")
    assert (run.status, run.text) == ("completed", "6 it is.")
    assert [call.name for call in run.calls] == ["transfer_to_biller", "treble"]
    assert [spec.name for spec in sorting.requests[0].tools] == ["double", "transfer_to_biller"]
    assert [spec.name for spec in billing.requests[0].tools] == ["treble"]
    assert system(billing.requests[0]) == TOLD
    asked = [one.text for one in billing.requests[0].messages if isinstance(one, UserMessage)]
    assert asked == ["What do I owe?"]
    (told,) = [one for one in billing.requests[0].messages[:4] if isinstance(one, ToolMessage)]
    assert told.content == "Handed over to 'Biller'."
    assert billing.requests[0].memo is not sorting.requests[0].memo


def test_it_is_an_event_and_an_item_of_the_tree() -> None:
    other, _ = biller("Done.")
    first, _ = triage(TRANSFER, handoffs=[other])
    run = first.run("Bill me", log="memory")
    (event,) = [one for one in run.events if one.type == "handoff"]
    assert (event.from_agent, event.to_agent, event.step) == ("Triage", "Biller", 1)
    assert (event.model, event.tool_call_id) == ("scripted", "c1")
    items = run.tree()["runs"][run.id]["items"]
    assert [one["type"] for one in items] == ["call", "handoff", "text"]


def test_the_log_says_what_the_other_model_is_told_first() -> None:
    other, _ = biller("Done.")
    first, _ = triage(TRANSFER, handoffs=[other])
    run = first.run("Bill me", log="memory")
    requests = run.tree()["runs"][run.id]["requests"]
    assert [one["role"] for one in requests[1]["messages"]] == ["system"]
    assert requests[1]["messages"][0]["text"] == TOLD
    assert [tool["name"] for tool in requests[1]["schemas"] or ()] == ["treble"]


def test_the_first_one_wins_and_the_others_are_told() -> None:
    other, _ = biller("Here.")
    third = Agent("Seller", model=ScriptedModel([]))
    both = turn(
        request("c1", "transfer_to_biller"),
        request("c2", "double", number=1),
        request("c3", "transfer_to_seller"),
    )
    first, _ = triage(both, handoffs=[other, third])
    run = first.run("Go", log="memory")
    assert run.text == "Here."
    assert [(call.name, call.status) for call in run.calls] == [
        ("transfer_to_biller", "done"),
        ("double", "done"),
        ("transfer_to_seller", "skipped"),
    ]
    said = run.calls[2].content
    assert said == "Not done: one call of an answer can hand over, and that to 'Biller' came first."


@pytest.mark.parametrize("tool_use", ["stop_on_first", StopAt("double")])
def test_a_turn_that_is_handed_over_is_not_answered_by_a_tool_beside(tool_use: ToolUse) -> None:
    other, _ = biller("Here.")
    both = turn(request("c1", "double", number=1), request("c2", "transfer_to_biller"))
    first, _ = triage(both, handoffs=[other], tool_use=tool_use)
    run = first.run("Go", log="memory")
    assert (run.text, run.last_agent) == ("Here.", "Biller")


class Why(BaseModel):
    reason: str


@pytest.mark.parametrize("is_async", [True, False])
def test_a_reason_is_given_with_it(*, is_async: bool) -> None:
    seen: list[tuple[str, object]] = []

    def note(ctx: nba.Context, why: Why) -> None:
        seen.append((ctx.agent_name, why))

    async def note_later(ctx: nba.Context, why: Why) -> None:
        note(ctx, why)

    other, _ = biller("Done.")
    how = nba.handoff(
        other,
        name="bill",
        description="Send a bill.",
        input_type=Why,
        on_handoff=note_later if is_async else note,
    )
    steps = [turn(request("c1", "bill")), turn(request("c2", "bill", reason="they asked"))]
    first, model = triage(*steps, handoffs=[how])
    run = first.run("Bill me", log="memory")
    assert run.text == "Done."
    assert seen == [("Triage", Why(reason="they asked"))]
    assert [call.status for call in run.calls] == ["failed", "done"]
    (spec,) = [one for one in model.requests[0].tools if one.name == "bill"]
    assert spec.description == "Send a bill."


def test_the_other_agent_may_be_told_less() -> None:
    def last_only(messages: Sequence[Message]) -> Sequence[Message]:
        return [one for one in messages if isinstance(one, UserMessage)][-1:]

    other, model = biller("Done.")
    first, _ = triage(TRANSFER, handoffs=[nba.handoff(other, input_filter=last_only)])
    run = first.run("Bill me", log="memory")
    assert [one.role for one in model.requests[0].messages[:2]] == ["system", "user"]
    requests = run.tree()["runs"][run.id]["requests"]
    texts = [one["text"] for one in requests[1]["messages"]]
    assert texts == ["You are now 'Biller'.\n\nYou bill people.", "Bill me"]
    assert requests[1]["message_count"] == 2


def test_a_suspended_run_is_gone_on_with_by_whoever_had_it() -> None:
    def pay(amount: int) -> str:
        """Pay."""
        return f"paid {amount}"

    risky = nba.Tool(pay, nba.ToolOptions(ask=True))
    model = ScriptedModel([turn(request("c2", "pay", amount=5)), turn(text="All paid.")])
    other = Agent("Biller", "You bill people.", tools=[risky], model=model)
    middle = Agent("Desk", model=ScriptedModel([TRANSFER]), handoffs=[other])
    to_desk = turn(request("c0", "transfer_to_desk"))
    first, _ = triage(to_desk, handoffs=[middle], on_await="suspend")
    run = first.run("Bill me", log="memory")
    assert run.status == "suspended"
    again = first.resume(run, answer=True)
    assert (again.status, again.text) == ("completed", "All paid.")
    assert [one.content for one in again.calls] == ["paid 5"]
    assert system(model.requests[1]) == TOLD


def test_what_is_not_enabled_is_not_offered() -> None:
    other, _ = biller()
    first, model = triage("Hello.", handoffs=[nba.handoff(other, enabled=False)])
    first.run("Hi", log="memory")
    assert [spec.name for spec in model.requests[0].tools] == ["double"]


def test_agents_may_hand_over_to_each_other() -> None:
    found: list[Agent] = []
    other, _ = biller(
        turn(request("c2", "transfer_to_triage")), handoffs=[nba.handoff(lambda: found[0])]
    )
    first, _ = triage(TRANSFER, "Back again.", handoffs=[other])
    found.append(first)
    run = first.run("Bill me", log="memory")
    assert run.text == "Back again."
    ways = [(one.from_agent, one.to_agent) for one in run.events if one.type == "handoff"]
    assert ways == [("Triage", "Biller"), ("Biller", "Triage")]


def test_the_answer_has_the_form_that_the_last_agent_wants() -> None:
    other, _ = biller('{"reason": "late"}', output=Why)
    first, _ = triage(TRANSFER, handoffs=[other])
    assert first.run("Bill me", log="memory").output == Why(reason="late")


def test_the_answer_passes_the_checks_of_the_last_agent_the_prompt_those_of_the_first() -> None:
    seen: list[tuple[str, str]] = []

    def check(ctx: nba.Context, value: str) -> None:
        seen.append((ctx.agent_name, value))

    checks: dict[str, Any] = {"input_guardrails": [check], "output_guardrails": [check]}
    other, _ = biller("Done.", **checks)
    first, _ = triage(TRANSFER, handoffs=[other], **checks)
    first.run("Bill me", log="memory")
    assert seen == [("Triage", "Bill me"), ("Biller", "Done.")]


def test_steps_and_calls_are_those_of_the_one_run() -> None:
    forever = [turn(request("c", "treble", number=1)) for _ in range(9)]
    other, model = biller(*forever[:2], turn(text="Enough."))
    first, _ = triage(TRANSFER, handoffs=[other], max_steps=3)
    run = first.run("Go", log="memory")
    assert (run.status, run.text) == ("limit", "Enough.")
    assert [one.tool_choice for one in model.requests] == [None, "auto", "none"]


def test_an_agent_without_a_model_goes_on_with_that_of_the_run() -> None:
    other = Agent("Biller", "You bill people.")
    first, model = triage(TRANSFER, "Done.", handoffs=[other])
    assert first.run("Bill me", log="memory").text == "Done."
    assert len(model.requests) == 2


def test_shared_objects_are_told_where_they_were_shared_to_whoever_goes_on() -> None:
    other, model = biller("Done.")
    first, _ = triage(TRANSFER, handoffs=[other])
    first.run("Bill me", log="memory", vars={"prices": [1, 2, 3]})
    prompt = model.requests[0].messages[1]
    assert isinstance(prompt, UserMessage)
    assert "- prices: list of int, 3 items" in prompt.told


def test_a_tool_of_the_same_name_as_a_hand_over_is_an_error() -> None:
    other, _ = biller()

    def transfer_to_biller() -> str:
        """Send somebody."""
        return ""

    first = Agent("Triage", tools=[transfer_to_biller], model="offline", handoffs=[other])
    with pytest.raises(nba.ToolDefinitionError, match="Two tools are called 'transfer_to_biller'"):
        first.run("Go", log="memory")
