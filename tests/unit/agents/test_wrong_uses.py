"""Wrong uses of hand-overs, agents as tools, answers, sessions and contexts say what to do."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest
from pydantic import BaseModel

import nbagents as nba
from nbagents.agents import Agent
from nbagents.errors import OutputError, ToolDefinitionError
from nbagents.models.scripted import ScriptedModel
from nbagents.runs.state.run.run import Run
from nbagents.tools.context.context import Context
from tests.unit.agents.wrong import (
    Row,
    any_,
    begun_with,
    giving,
    made,
    nobody,
    none,
    one,
    session,
    two,
)
from tests.unit.runs.desk import double, request, turn


class Reason(BaseModel):
    why: str = ""


def hand(**options: Any) -> Any:
    return nba.handoff(nobody, **options)


def tool(**options: Any) -> object:
    return nobody.as_tool(**options)


def option(**options: Any) -> object:
    return nba.Tool(double, nba.ToolOptions(**options))


ROWS: list[Row] = [
    # values of policies
    ("StopAt 5", lambda: nba.StopAt(any_(5)), ValueError, r"A tool of StopAt is 5: give names"),
    (
        "StopAt function",
        lambda: nba.StopAt(any_(double)),
        ValueError,
        "is the function double: give",
    ),
    ("StopAt", nba.StopAt, ValueError, r"StopAt says no tool: give names, e\.g\. StopAt\("),
    (
        "FinalCall",
        lambda: nba.FinalCall(any_(double)),
        ValueError,
        "function double: give its name",
    ),
    ("its arguments", lambda: nba.FinalCall("x", any_(5)), ValueError, "is 5: give them by name"),
    # hand-overs
    (
        "handoff",
        lambda: nba.handoff(any_(5)),
        ValueError,
        r"agent of handoff\(\) is 5: give an agent",
    ),
    ("handoff list", lambda: nba.handoff(any_([nobody])), ValueError, "give an agent"),
    (
        "handoff name",
        lambda: hand(name=5),
        ValueError,
        r"name of handoff\(\) is 5: it must be text",
    ),
    ("description", lambda: hand(description=5), ValueError, "description of handoff.* be text"),
    ("on_handoff", lambda: hand(on_handoff=none), ValueError, "one argument: the context"),
    (
        "input",
        lambda: hand(on_handoff=one, input_type=Reason),
        ValueError,
        "the context and the input",
    ),
    ("input_filter", lambda: hand(input_filter=5), ValueError, "give a function of the messages"),
    (
        "enabled",
        lambda: hand(enabled="no"),
        ValueError,
        "True, False or a function without arguments",
    ),
    ("enabled of one", lambda: hand(enabled=one), ValueError, "let it take no arguments"),
    (
        "input_type",
        lambda: begun_with(handoffs=[hand(input_type=5)]),
        ToolDefinitionError,
        "pydantic",
    ),
    # agents as tools
    (
        "as_tool option",
        lambda: tool(approval="ask"),
        TypeError,
        "no option 'approval'. Did you mean",
    ),
    (
        "as_tool name",
        lambda: tool(name=5),
        ValueError,
        r"name of as_tool\(\) is 5: it must be text",
    ),
    ("as_tool words", lambda: tool(description=5), ValueError, "description of as_tool.* be text"),
    (
        "parameters",
        lambda: tool(parameters=5),
        ToolDefinitionError,
        "give a pydantic model or a dat",
    ),
    (
        "its output",
        lambda: tool(output=5),
        OutputError,
        "output is 5, which is no type: give a type",
    ),
    (
        "on_error",
        lambda: tool(on_error="tel"),
        ToolDefinitionError,
        "give 'tell', None or a function",
    ),
    (
        "on_error of one",
        lambda: tool(on_error=one),
        ToolDefinitionError,
        "the context and the error",
    ),
    (
        "needs",
        lambda: tool(needs_approval="yes"),
        ToolDefinitionError,
        "needs_approval of .*give True",
    ),
    (
        "needs one",
        lambda: tool(needs_approval=one),
        ToolDefinitionError,
        "let it take two arguments",
    ),
    ("its prompt", lambda: tool(prompt=none), ValueError, "prompt is .*one argument: the input"),
    ("extract", lambda: tool(extract=5), ValueError, "extract is 5: give a function of the run"),
    (
        "include",
        lambda: tool(include_schema="x"),
        ValueError,
        "include_schema is 'x': it must be True",
    ),
    ("its enabled", lambda: tool(enabled=5), ToolDefinitionError, "give True, False or a function"),
    (
        "its time",
        lambda: tool(timeout_s="1m"),
        ValueError,
        "timeout_s is '1m': it must be a number",
    ),
    ("its calls", lambda: tool(max_calls=-1), ValueError, "max_calls is -1: it must be at least 0"),
    # tools
    ("ask", lambda: option(ask=one), ToolDefinitionError, "ask of tool 'double' .* two arguments"),
    (
        "guardrail",
        lambda: option(input_guardrails=two),
        ToolDefinitionError,
        r"give a tuple.*\(two,\)",
    ),
    (
        "check",
        lambda: option(output_guardrails=(one,)),
        ToolDefinitionError,
        "functions of the context",
    ),
    (
        "tags",
        lambda: option(tags=(5,)),
        ToolDefinitionError,
        "tags of tool 'double' is 5: give words",
    ),
    (
        "retries",
        lambda: option(retries="3"),
        ToolDefinitionError,
        "must be 0 or more, a whole number",
    ),
    (
        "time",
        lambda: option(timeout_s="1m"),
        ToolDefinitionError,
        "must be a positive number of sec",
    ),
    (
        "title",
        lambda: option(title=5),
        ToolDefinitionError,
        "title of tool 'double' is 5: it must be",
    ),
    ("thread", lambda: option(thread="no"), ToolDefinitionError, "thread of tool .* True or False"),
    # people
    (
        "action",
        lambda: nba.Answer(any_("aprove")),
        ValueError,
        "is 'aprove'. Did you mean 'approve'",
    ),
    (
        "arguments",
        lambda: nba.Answer("approve", arguments=any_(5)),
        ValueError,
        "give a dictionary",
    ),
    (
        "note",
        lambda: nba.Answer("deny", note=any_(5)),
        ValueError,
        "note of Answer is 5: it must be t",
    ),
    (
        "by",
        lambda: nba.Answer("deny", by=any_(5)),
        ValueError,
        "by of Answer is 5: it must be text",
    ),
    ("remember", lambda: nba.Answer("approve", remember=any_("yes")), ValueError, "True or False"),
    ("value", lambda: nba.Answer("answer", value=any_({"a": {1}})), ValueError, "as JSON has them"),
    # sessions
    ("profile", lambda: session().stream("usr"), ValueError, "Did you mean 'user'"),
    (
        "profile 5",
        lambda: session().stream(any_(5)),
        ValueError,
        "There is no profile 5. There are",
    ),
    ("profiles", lambda: session().events(any_(["user"])), ValueError, "Did you mean 'user'"),
    (
        "after",
        lambda: session().stream(after=any_("x")),
        ValueError,
        "give the `seq` that was seen",
    ),
    ("run", lambda: session().stream(run_id=any_(nobody)), ValueError, r"e\.g\. run_id=run\.id"),
    ("subscriber", lambda: session().subscribe(any_(5)), ValueError, "give a function of an event"),
    ("no parameter", lambda: session().subscribe(any_(none)), ValueError, "one argument: an event"),
    ("log", lambda: nba.Session(any_("memory")), ValueError, r"Session\(open_log\(\"memory\"\)\)"),
    ("types", lambda: nba.Profile("x", any_(5)), ValueError, "There is no event 5. There are: "),
    ("type", lambda: nba.Profile.only("tool_strat"), ValueError, "Did you mean 'tool_start'"),
    ("left out", lambda: nba.Profile("x").without(any_(5)), ValueError, "There is no event 5"),
    (
        "profile name",
        lambda: nba.Profile(any_(5)),
        ValueError,
        "name of Profile is 5: it must be text",
    ),
    ("redact", lambda: nba.Profile("x", redact=any_(5)), ValueError, "give a function of an event"),
    (
        "redact none",
        lambda: nba.Profile("x", redact=any_(none)),
        ValueError,
        "one argument: an event",
    ),
]


@pytest.mark.parametrize(
    ("do", "error", "told"), [row[1:] for row in ROWS], ids=[row[0] for row in ROWS]
)
def test_a_wrong_use_says_what_to_do(
    do: Callable[[], object], error: type[Exception], told: str
) -> None:
    with pytest.raises(error, match=told):
        do()


ASKED: list[tuple[str, Callable[[Context], object], str]] = [
    ("text", lambda ctx: ctx.run("planner", "Plan."), "is 'planner': give an agent first"),
    ("class", lambda ctx: ctx.run(Agent, "Plan."), "is the class Agent: give an agent first"),
    ("tool", lambda ctx: ctx.run(nobody.as_tool(), "Plan."), "give an agent first"),
    ("question", lambda ctx: ctx.ask(any_(5)), "The question is 5: it must be text"),
    ("empty", lambda ctx: ctx.ask(" "), "The question is empty: say what"),
    ("options", lambda ctx: ctx.ask("Now?", options=any_(5)), r"options is 5: give a list, e\.g\."),
    ("letters", lambda ctx: ctx.ask("Now?", options="yes"), "options is 'yes': give a list"),
    ("both", lambda ctx: ctx.ask("Now?", options=["a"], form=int), "leave one of them out"),
    ("several", lambda ctx: ctx.ask("Now?", multiple=True), "give options, or leave it out"),
    ("form", lambda ctx: ctx.ask("Now?", form=5), "form is 5: give a type that JSON can carry"),
    ("confirm", lambda ctx: ctx.confirm(any_(5)), "The question is 5: it must be text"),
    ("fraction", lambda ctx: ctx.progress("x", any_("x")), "give a number from 0 to 1"),
    ("children", lambda ctx: ctx.expect_children(any_("x")), "give a whole number"),
    ("payload", lambda ctx: ctx.show({}, any_(5)), "payload_id is 5: give text"),
    ("swapped", lambda ctx: ctx.update_data(any_({}), any_("x")), "give the id first"),
]


@pytest.mark.parametrize(("do", "told"), [row[1:] for row in ASKED], ids=[row[0] for row in ASKED])
def test_a_tool_is_told_what_it_cannot_ask_of_its_run(
    do: Callable[[Context], object], told: str
) -> None:
    with pytest.raises(ValueError, match=told):
        do(Context())  # by hand, as in a call


def test_a_wrong_prompt_of_a_run_inside_is_told_to_the_tool() -> None:
    def plan(ctx: Context) -> str:
        "Plan."
        return ctx.run(nobody, any_(5)).text

    steps = [turn(request("c", "plan")), turn(text="Done.")]
    run = Agent(tools=[plan], model=ScriptedModel(steps)).run("Go", log="memory")
    assert run.calls[0].content == (
        "ValueError: The prompt is 5: it must be text; what goes along with it is `attach`."
    )


def doubled(**options: Any) -> Run:
    steps = [turn(request("c", "double", number=2)), turn(text="Four.")]
    return made(*steps, **options).run("Go", log="memory")


GAVE: list[tuple[dict[str, Any], str]] = [
    ({"tool_use": giving(object())}, "cannot be an answer: give text, or what JSON can carry"),
    ({"approval": "ask", "on_await": giving("yes")}, r"it must give nbagents\.Answer\("),
]


@pytest.mark.parametrize(("options", "told"), GAVE, ids=["tool_use", "on_await"])
def test_a_function_that_gives_something_else_is_told_of(
    options: dict[str, Any], told: str
) -> None:
    with pytest.raises(TypeError, match=told):
        doubled(**options)


@pytest.mark.parametrize("gives", [None, "text", ["text"]], ids=repr)
def test_a_filter_of_a_hand_over_gives_messages(gives: object) -> None:
    handoff = nba.handoff(nobody, input_filter=giving(gives))
    steps = [turn(request("c", "transfer_to_nobody"))]
    with pytest.raises(TypeError, match="it must give those of the messages"):
        made(*steps, handoffs=handoff).run("Go", log="memory")


def test_a_profile_that_gives_no_event_is_told_of() -> None:
    log = session()
    nobody.run("Go", log=log)
    wrong: Any = nba.Profile("x", redact=any_(one)), nba.Profile("y", redact=giving("text"))
    assert list(log.events(wrong[0]))
    with pytest.raises(TypeError, match=r"redact of the profile 'y' gave .* copy of it"):
        list(log.events(wrong[1]))


REFUSED: list[tuple[object, str]] = [
    (True, r"gave a bool, so this was refused: a check gives None, nbagents\.Replace"),
    (nba.Refuse(any_(5)), r"gave Refuse\(5\), so this was refused: a check says why in words"),
    (nba.Replace(object()), "what takes the place of something that was said is text"),
]


@pytest.mark.parametrize(("gives", "told"), REFUSED, ids=["bool", "Refuse", "Replace"])
def test_a_check_that_gives_something_else_refuses_and_says_so(gives: object, told: str) -> None:
    run = doubled(input_guardrails=giving(gives))
    assert run.status == "denied"
    assert re.search(told, run.text)


def test_a_check_of_arguments_puts_a_dictionary_in_their_place() -> None:
    checked = nba.Tool(double, nba.ToolOptions(input_guardrails=(giving(nba.Replace(5)),)))
    steps = [turn(request("c", "double", number=2)), turn(text="Refused.")]
    run = Agent(tools=[checked], model=ScriptedModel(steps)).run("Go", log="memory")
    assert run.calls[0].status == "denied"
    assert "is all of them, as a dictionary." in (run.calls[0].content or "")
