"""What an agent exports: questions that it answers itself, and functions past its model."""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from typing import Any, Literal

import pytest
from pydantic import BaseModel

import nbagents as nba
from nbagents.agents import Agent
from nbagents.messages import UserMessage
from nbagents.models.scripted import ScriptedModel
from nbagents.runs.state.run.run import Run
from tests.unit.runs.desk import double, request, turn


class Plan(BaseModel):
    steps: list[str]


LOGGED: list[tuple[str, str]] = []


def create_plan(goal: str, steps: int = 2) -> Plan:
    """Make a plan.

    Args:
        goal: What is wanted.
    """
    prompt: Any = f"Plan {goal!r} in {steps} steps."
    return prompt


def log_message(level: Literal["debug", "info", "warn", "error"], message: str) -> str:
    """Write a line to the log."""
    LOGGED.append((level, message))
    return f"logged as {level}"


def planner(*steps: Any, **options: Any) -> tuple[Agent, ScriptedModel]:
    model = ScriptedModel(steps)
    exports = {"planning": [create_plan, nba.passthrough(log_message)]}
    return Agent("planner", "You plan.", model=model, exports=exports, **options), model


def boss(call: Any, tools: list[Any], **options: Any) -> Run:
    model = ScriptedModel([turn(call), turn(text="Done.")])
    return Agent("boss", tools=tools, model=model, **options).run("Go", log="memory")


def prompt_of(model: ScriptedModel) -> str:
    said = [one for one in model.requests[0].messages if isinstance(one, UserMessage)]
    return said[0].text


def test_an_export_is_a_toolset() -> None:
    agent, _ = planner()
    asked, passed = agent.exports["planning"].tools()
    assert (asked.name, passed.name) == ("planning--create_plan", "planning--log_message")
    assert asked.description == "Make a plan."
    properties: Any = asked.parameters["properties"]
    assert properties["goal"]["description"] == "What is wanted."
    assert asked.schema.parameters["required"] == ["goal"]


def test_a_declared_question_is_answered_in_a_run_of_the_agent() -> None:
    agent, model = planner('{"steps": ["a", "b"]}')
    run = boss(
        request("c1", "planning--create_plan", goal="tea", steps=3), [agent.exports["planning"]]
    )
    (call,) = run.calls
    assert call.value == Plan(steps=["a", "b"])
    assert json.loads(call.content or "") == {"steps": ["a", "b"]}
    assert prompt_of(model) == "Plan 'tea' in 3 steps."
    (child,) = run.children
    assert (child.agent_name, child.parent_call_id) == ("planner", "c1")
    assert model.requests[0].output is not None


def test_what_passes_the_model_is_called_itself_and_stands_in_the_tree() -> None:
    LOGGED.clear()
    agent, model = planner()
    run = boss(
        request("c1", "planning--log_message", level="warn", message="late"),
        [agent.exports["planning"]],
    )
    assert LOGGED == [("warn", "late")]
    assert run.calls[0].content == "logged as warn"
    assert run.children == ()
    assert model.requests == []
    node = run.tree()["runs"][run.id]["calls"]["c1"]
    assert node["hint"] == "log_message (planner, past its model)"


def test_its_arguments_are_checked_as_those_of_any_tool() -> None:
    LOGGED.clear()
    agent, _ = planner()
    run = boss(
        request("c1", "planning--log_message", level="loud", message="late"),
        [agent.exports["planning"]],
    )
    assert run.calls[0].status == "failed"
    assert LOGGED == []


def test_a_method_may_be_passed_to() -> None:
    class Book:
        def __init__(self) -> None:
            self.lines: list[str] = []

        def write(self, line: str) -> str:
            """Write a line."""
            self.lines.append(line)
            return f"line {len(self.lines)}"

    book = Book()
    agent = Agent("clerk", exports={"books": nba.passthrough(book.write)})
    run = boss(request("c1", "books--write", line="one"), [agent.exports["books"]])
    assert (run.calls[0].content, book.lines) == ("line 1", ["one"])


def test_a_declaration_without_a_body_tells_the_arguments() -> None:
    seen: list[object] = []

    def look(ctx: nba.Context) -> str:
        """Look."""
        seen.append(ctx.tool_input)
        return "seen"

    def visit(city: str, days: list[int]) -> str:
        """Plan a visit."""
        ...  # noqa: PIE790  the body of a declaration

    model = ScriptedModel([turn(request("x", "look")), turn(text="Go there.")])
    agent = Agent("guide", tools=[look], model=model, exports={"trips": [visit]})
    run = boss(request("c1", "trips--visit", city="Oslo", days=[1, 2]), [agent.exports["trips"]])
    assert run.calls[0].value == "Go there."
    assert prompt_of(model) == "city: Oslo\ndays: [1,2]"
    assert seen == [{"city": "Oslo", "days": [1, 2]}]


def test_the_limits_of_the_provider_hold_for_its_runs() -> None:
    steps = [turn(request(f"x{n}", "double", number=n)) for n in range(3)]
    agent, _ = planner(*steps, turn(text='{"steps": []}'), tools=[double], max_calls=2)
    run = boss(
        request("c1", "planning--create_plan", goal="tea"),
        [agent.exports["planning"]],
        max_calls=10,
    )
    child = run.children[0]
    statuses = [call.status for call in child.calls]
    assert (child.status, statuses, run.status) == (
        "limit",
        ["done", "done", "skipped"],
        "completed",
    )


@dataclass
class Answer:
    text: str


def test_an_agent_made_of_another_one_exports_itself() -> None:
    def ask(question: str) -> Answer:
        """Ask."""
        ...  # noqa: PIE790  the body of a declaration

    agent = Agent("first", model="offline", exports={"all": [ask]})
    model = ScriptedModel(['{"text": "yes"}'])
    other = replace(agent, name="second", model=model)
    run = boss(request("c1", "all--ask", question="?"), [other.exports["all"]])
    assert run.calls[0].value == Answer("yes")
    assert run.children[0].agent_name == "second"


@pytest.mark.parametrize("wrong", [3, Plan])
def test_what_is_no_function_cannot_be_exported(wrong: object) -> None:
    with pytest.raises(nba.ToolDefinitionError, match=r"nbagents.passthrough\(function\)"):
        Agent("x", exports={"all": [wrong]})


def test_nothing_can_be_passed_to_what_is_no_function() -> None:
    wrong: Any = 3
    with pytest.raises(nba.ToolDefinitionError, match="3 is no function"):
        nba.passthrough(wrong)
