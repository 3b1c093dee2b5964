"""What a model is told lets it go on: each sentence by its property, as a model reads it."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

import pandas as pd  # pyright: ignore[reportMissingTypeStubs]  it has none
import pytest
from pydantic import BaseModel

import nbagents as nba
from nbagents.agents import Agent
from nbagents.errors import OutputError
from nbagents.messages import CallRequest, ToolMessage, UserMessage
from nbagents.models.chat.stream import ChatStream
from nbagents.models.model import ModelTurn
from nbagents.models.scripted import ScriptedModel
from nbagents.results import Usage
from nbagents.runs.state.run.run import Run
from tests.unit.models.provider import delta
from tests.unit.runs.desk import agent, double, request, turn
from tests.unit.runs.wire import APIS, Wired

ROWS = "its rows are shown to the user, not to you"


def table() -> pd.DataFrame:
    """Load the table."""
    days = pd.DatetimeIndex(["2026-01-01", "2026-01-02", "2026-01-03"], name="day")
    return pd.DataFrame({"celsius": [9.5, 8.0, 7.5]}, index=days)


def rows(table: pd.DataFrame) -> int:
    """Count rows."""
    return len(table)


def untyped(thing: Any) -> str:
    return repr(thing)


untyped.__annotations__.pop("thing")
anything = nba.Tool(untyped, nba.ToolOptions(name="anything", description="Look at a thing."))


def told(run: Run) -> list[str]:
    """The results as the model read them."""
    return [one.content for one in run.messages if isinstance(one, ToolMessage)]


# Agents as tools


def boss(child: Agent, **options: Any) -> tuple[Run, ScriptedModel]:
    steps = [turn(request("c1", "helper", input="What is it?")), "So."]
    model = ScriptedModel(steps)
    made = Agent("boss", tools=[child.as_tool("helper", **options)], model=model)
    return made.run("Go", log="memory"), model


def helper(*steps: Any, **options: Any) -> Agent:
    return Agent("Helper", "You help.", model=ScriptedModel(steps), **options)


@pytest.mark.parametrize("description", [None, "Ask somebody."])
def test_a_child_is_described_as_an_agent_that_sees_nothing_of_this(
    description: str | None,
) -> None:
    def plan(goal: str) -> str:
        """Make a plan."""
        return f"Plan {goal}"

    child = helper()
    exporting = helper(exports={"planning": [plan]})
    model = ScriptedModel(["Hello."])
    tools = [child.as_tool("helper", description), exporting.exports["planning"], double]
    Agent("boss", tools=tools, model=model).run("Go", log="memory")
    sees = "sees neither this conversation nor shared objects unless you give them"
    said = {one.name: sees in one.description for one in model.requests[0].tools}
    assert said == {"helper": True, "planning--plan": True, "double": False}


def test_an_empty_end_of_a_child_is_told_as_such() -> None:
    run, _ = boss(helper(""))
    assert told(run) == ["'Helper' ended without an answer."]
    last = turn(request("x", "double", number=2), text="Let me see.")
    run, _ = boss(helper(last, "", tools=[double]))
    assert told(run) == ["'Helper' ended without an answer. What it said before:\nLet me see."]


def test_a_failed_end_of_a_child_is_told_as_such() -> None:
    run, _ = boss(helper(nba.ModelError("no network")))
    assert told(run) == ["The agent 'Helper' failed: ModelError: no network"]
    assert run.calls[0].status == "failed"


@pytest.mark.parametrize(
    ("options", "said"), [({"max_steps": 1}, "max_steps=1"), ({"max_calls": 1}, "max_calls=1")]
)
def test_a_limit_of_a_child_is_passed_on(options: dict[str, Any], said: str) -> None:
    step = turn(request("x", "double", number=2))
    run, _ = boss(helper(step, "So far 4.", tools=[double], **options))
    lead = f"'Helper' did not finish. Stopped at a limit: {said}. What it had by then:"
    assert told(run) == [f"{lead}\nSo far 4."]
    assert run.calls[0].value == "So far 4."


def test_a_limit_of_a_child_is_passed_on_with_an_answer_of_a_form_too() -> None:
    class Sum(BaseModel):
        value: int

    step = turn(request("x", "double", number=2))
    child = helper(step, '{"value": 4}', tools=[double], output=Sum, max_steps=1)
    run, _ = boss(child)
    assert told(run)[0].startswith("'Helper' did not finish. Stopped at a limit: max_steps=1.")
    assert run.calls[0].value == Sum(value=4)


def test_of_a_child_that_had_nothing_no_answer_is_announced() -> None:
    step = turn(request("x", "double", number=2))
    run, _ = boss(helper(step, step, tools=[double], max_steps=1))
    lead = "'Helper' did not finish. Stopped at a limit: max_steps=1.\nNo answer: the model asked"
    assert told(run)[0].startswith(lead)


# Hand-overs


def billing(*steps: Any) -> Agent:
    return Agent("Billing", "You bill.", model=ScriptedModel(steps))


def triage(*steps: Any, **options: Any) -> Agent:
    return Agent("Triage", "You sort.", model=ScriptedModel(steps), **options)


def test_a_refused_hand_over_does_not_block_the_right_one() -> None:
    @dataclass
    class Why:
        reason: str

    sales = Agent("Sales", model=ScriptedModel([]))
    both = turn(
        request("c1", "transfer_to_sales", wrong=1),
        request("c2", "transfer_to_billing"),
        request("c3", "transfer_to_sales", reason="late"),
    )
    first = triage(both, handoffs=[nba.handoff(sales, input_type=Why), billing("Billed.")])
    run = first.run("Bill me", log="memory")
    assert (run.text, run.last_agent) == ("Billed.", "Billing")
    assert [one.status for one in run.calls] == ["failed", "done", "skipped"]
    assert "to 'Billing' came first" in told(run)[2]


def test_where_no_hand_over_can_be_made_the_agent_goes_on() -> None:
    @dataclass
    class Why:
        reason: str

    wrong = turn(request("c1", "transfer_to_billing"), request("c2", "transfer_to_billing"))
    first = triage(wrong, "I keep it.", handoffs=[nba.handoff(billing(), input_type=Why)])
    run = first.run("Bill me", log="memory")
    assert (run.text, run.last_agent) == ("I keep it.", "Triage")
    assert [one.status for one in run.calls] == ["failed", "failed"]


@pytest.mark.parametrize(
    "given", ['{"reason": "they asked"}', "{}", "", "null", '{"a": {"b": []}}']
)
def test_a_hand_over_without_input_takes_any_arguments(given: str) -> None:
    asked = CallRequest(id="c1", name="transfer_to_billing", arguments=given)
    run = triage(turn(asked), handoffs=[billing("Billed.")]).run("Bill me", log="memory")
    assert run.text == "Billed."


# Images, files, tables

PNG = (
    b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR\x00\x00\x00\x01\x00\x00\x00\x01\x08\x06\x00\x00\x00\x1f"
    b"\x15\xc4\x89\x00\x00\x00\rIDATx\x9cc\xf8\xff\xff?\x00\x05\xfe\x02\xfe\xa75\x81\x84\x00\x00"
    b"\x00\x00IEND\xaeB`\x82"
)


@pytest.mark.parametrize("api", APIS)
def test_images_and_files_are_labelled_by_their_names(api: Any) -> None:
    def photo() -> Any:
        """Take two photos."""
        return [nba.ImagePart(data=PNG, name="left"), nba.ImagePart(data=PNG, name="right")]

    model = Wired([turn(request("c1", "photo")), "Nice."], api)
    attached = {"before": PNG, "after": PNG, "plan": b"\x00\x01"}
    Agent("tester", tools=[photo], model=model).run("Compare", log="memory", attach=attached)
    pieces: list[Any] = []
    for one in model.messages():
        content = one.get("content") or one.get("output")
        pieces += content if isinstance(content, list) else []
    for name in ("before", "after", "plan", "left", "right"):
        at = next(at for at, piece in enumerate(pieces) if piece.get("text") == f"{name}:")
        assert pieces[at + 1]["type"] in {"image_url", "input_image", "file", "input_file"}


def test_a_file_result_has_a_handle() -> None:
    def report() -> Any:
        """Write a report."""
        return nba.FilePart(name="report.pdf", media_type="application/pdf", data=b"%PDF")

    run = agent([turn(request("c1", "report")), "Here."], [report, anything]).run(
        "Report", log="memory"
    )
    assert run.calls[0].handle == "r1"
    assert isinstance(run.handles["r1"], nba.FilePart)
    assert told(run)[0].endswith("Kept as r1: pass 'r1' where a tool takes a FilePart.")


def test_the_line_of_a_table_has_its_index() -> None:
    run = agent([turn(request("c1", "table")), "Here."], [table]).run("Load", log="memory")
    assert "celsius (float64); index: day (datetime64[" in told(run)[0]


@pytest.mark.parametrize(
    ("tools", "is_told"),
    [([table], False), ([table, double], False), ([table, rows], True), ([table, anything], True)],
)
def test_a_name_is_to_be_passed_only_where_a_tool_takes_such_an_object(
    tools: list[Any], *, is_told: bool
) -> None:
    run = agent([turn(request("c1", "table")), "Here."], tools).run("Load", log="memory")
    assert ("pass 'r1'" in told(run)[0]) is is_told
    assert "Kept as r1" in told(run)[0]
    assert ROWS in told(run)[0]


def test_of_shared_objects_only_those_are_to_be_passed_that_a_tool_takes() -> None:
    model = ScriptedModel(["Hello."])
    Agent("tester", tools=[rows], model=model).run(
        "Go", log="memory", vars={"sales": table(), "numbers": [1, 2]}
    )
    (prompt,) = [one for one in model.requests[0].messages if isinstance(one, UserMessage)]
    passed, _, seen = prompt.told.partition("\n\nThe user shares these objects, of which you see")
    assert "A tool takes one where you pass its name:\n- sales: DataFrame" in passed
    assert "- numbers: list of int, 2 items" in seen


def test_after_a_hand_over_it_is_the_tools_of_the_other_agent_that_count() -> None:
    step = turn(request("c2", "table"))
    other = Agent("Billing", tools=[table, rows], model=ScriptedModel([step, "Billed."]))
    first = triage(turn(request("c1", "transfer_to_billing")), handoffs=[other])
    assert "pass 'r1'" in told(first.run("Bill me", log="memory"))[1]


def first_of(_: nba.Context, calls: Any) -> object:
    return calls[0]


ENDS: dict[str, dict[str, Any]] = {
    "the first result": {"tool_use": "stop_on_first"},
    "the result of a certain tool": {"tool_use": nba.StopAt("table")},
    "a function's choice": {"tool_use": first_of},
    "a call at the limit": {"max_calls": 0, "on_limit": nba.FinalCall("table")},
}


@pytest.mark.parametrize("kind", ENDS)
def test_an_answer_to_a_person_says_nothing_that_is_for_a_model(kind: str) -> None:
    run = agent([turn(request("c1", "table"))], [table, rows], **ENDS[kind]).run(
        "Load", log="memory"
    )
    assert run.text.startswith("DataFrame, 3 rows × 1 column: celsius (float64); index: day")
    assert "Kept as" not in run.text
    assert "not to you" not in run.text


def test_a_command_and_the_offline_model_answer_people_too() -> None:
    shown = nba.Tool(table, nba.ToolOptions(command=True))
    run = agent([turn(request("c1", "table"))], [shown, rows]).run("Load", log="memory")
    offline = Agent("o", tools=[table, rows], model="offline").run("Load the table", log="memory")
    for one in (run, offline):
        assert "DataFrame" in one.text
        assert "Kept as" not in one.text
        assert "not to you" not in one.text


def test_rows_are_said_to_be_shown_only_where_they_are() -> None:
    def apart() -> Any:
        """Load the table, and show something else."""
        return nba.Result(table(), data={"kind": "note", "text": "hi"})

    run = agent([turn(request("c1", "apart")), "Here."], [apart]).run("Load", log="memory")
    assert ROWS not in told(run)[0]


# An answer that was cut off


def cut(arguments: str) -> ModelTurn:
    """What a provider sends whose limit of tokens is met in the middle of a call."""
    stream = ChatStream()
    call = {"index": 0, "id": "c1", "function": {"name": "double", "arguments": arguments}}
    stream.read(json.dumps(delta(tool_calls=[call])).encode())
    stream.read(json.dumps(delta("length")).encode())
    return stream.turn()


@pytest.mark.parametrize("arguments", ["", '{"num', '{"number": 2', '{"number": "'])
def test_a_call_that_was_cut_off_is_told_as_cut_off_and_never_made(arguments: str) -> None:
    def double(number: int = 1) -> int:
        """Double a number."""
        return 2 * number

    run = agent([cut(arguments), "Sorry."], [double]).run("Double 2", log="memory")
    (content,) = told(run)
    assert "cut off at the provider's limit of tokens" in content
    assert "JSON" not in content
    assert run.calls[0].status == "failed"


def test_a_call_that_was_whole_when_the_limit_came_is_made() -> None:
    run = agent([cut('{"number": 2}'), "4"], [double]).run("Double 2", log="memory")
    assert told(run) == ["4"]


def test_an_answer_of_a_form_that_was_cut_off_is_told_as_cut_off() -> None:
    half = ModelTurn(text="[1, 2", is_cut=True, usage=Usage(requests=1))
    made = agent([half, '{"value": [1]}'], output=list[int])
    run = made.run("Numbers", log="memory")
    (asked,) = [one for one in run.messages[1:] if isinstance(one, UserMessage)]
    assert asked.text.startswith("Your answer was cut off at the provider's limit of tokens.")
    assert run.output == [1]
    with pytest.raises(OutputError, match="cut off at the provider's limit of tokens, also"):
        agent([half, half], output=list[int]).run("Numbers", log="memory")
