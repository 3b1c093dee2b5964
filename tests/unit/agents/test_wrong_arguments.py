"""What an agent cannot be made of, or asked, is said at once; what can be understood, is."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import pytest

import nbagents as nba
from nbagents.agents import Agent
from nbagents.errors import OutputError, RunError, ToolDefinitionError
from nbagents.models.scripted import ScriptedModel
from tests.unit.agents.wrong import (
    Row,
    any_,
    begun_with,
    later,
    made,
    nobody,
    none,
    one,
    session,
    two,
)
from tests.unit.runs.desk import double, treble


class AsyncFilter:
    async def __call__(self, at: object, tool: object) -> bool:
        return bool(at and tool)


def begun(*args: Any, **options: Any) -> object:
    return made().begin(*args, **{"log": "memory", **options})


GIVEN: list[tuple[str, Any, str]] = [
    ("name", 5, r"name is 5: it must be text, e\.g\. Agent\("),
    ("instructions", 5, r"instructions is 5: give text, e\.g\. Agent\("),
    ("instructions", double, "instructions is the function double: give text"),
    ("model", 5, "model is 5: give a model"),
    ("model", ScriptedModel, r"model is the class ScriptedModel: give an object of it"),
    ("model", nobody, "an agent is no model"),
    ("settings", 5, "settings is 5: give what the model is sent by name"),
    ("settings", {5: 1}, "A name among settings is 5"),
    ("tools", {"a": double}, r"give its values, or nbagents\.toolset_of"),
    ("parallel", "no", "parallel is 'no': it must be True or False"),
    ("can_ask", double, "can_ask is the function double: it must be True or False"),
    ("approval", True, "approval is True, which is none of its words. There are: 'risky'"),
    ("on_await", True, "on_await is True, which is none of its words"),
    ("on_await", none, "let it take one argument: what is asked"),
    ("on_missing", ["ask"], "Did you mean 'ask'"),
    ("max_steps", None, "max_steps is None: it must be a whole number"),
    ("max_steps", "5", "max_steps is '5': it must be a whole number"),
    ("max_steps", -1, "max_steps is -1: it must be at least 1"),
    ("max_calls", -1, "max_calls is -1: it must be at least 0"),
    ("max_calls", True, "max_calls is True: it must be a whole number"),
    ("max_depth", -1, "max_depth is -1: it must be at least 0"),
    ("timeout_s", "1m", r"timeout_s is '1m': it must be a number, e\.g\. timeout_s=60"),
    ("timeout_s", -1, "timeout_s is -1: it must be more than 0 seconds"),
    ("timeout_s", True, "timeout_s is True: it must be a number"),
    ("timeout_s", [], r"timeout_s is \[\]: it must be a number"),
    ("max_cost", "1", "max_cost is '1': it must be a number"),
    ("max_cost", float("nan"), "max_cost is nan: it must be more than 0"),
    ("keep_turns", True, "keep_turns is True: give a whole number"),
    ("keep_tokens", -1, "keep_tokens is -1: give a whole number"),
    ("prices", 5, "prices is 5: give by the model's name what a million tokens cost"),
    ("prices", {"m": 5}, r"The price of 'm' is 5: .*prices=\{"),
    ("prices", {"input": 1, "output": 2}, "The price of 'input' is 1: give by the model's name"),
    ("prices", {5: {"input": 1, "output": 2}}, "A model among the prices is 5"),
    ("prices", {"m": {"input": "1", "output": 2}}, "The price of 'm' is '1': it must be a number"),
    ("prices", {"m": {"input": 1, 5: 2}}, "The price of 'm' has 5, input: give what a million"),
    ("tool_filter", 5, "tool_filter is 5: give a function of a StepContext and a tool"),
    ("tool_filter", one, "let it take two arguments: a StepContext and a tool"),
    ("tool_filter", later, "tool_filter is async: take a plain `def`"),
    ("tool_filter", AsyncFilter(), "tool_filter is async: take a plain `def`"),
    ("allow_tags", 5, r"allow_tags is 5: give words, e\.g\. \[\"net\"\]"),
    ("allow_tags", [["net"]], r"allow_tags is \[\['net'\]\]: give words"),
    ("deny_tags", True, "deny_tags is True: give words"),
    ("on_limit", double, r"nbagents\.FinalCall\(\"double\", \{\.\.\.\}\)"),
    ("on_limit", nba.FinalCall, r"on_limit is the class FinalCall: .*FinalCall\(\"a_tool\""),
    ("on_limit", 5, "on_limit is 5: say which call ends the run"),
    ("tool_use", ["double"], r"nbagents\.StopAt\('double'\)"),
    ("tool_use", nba.StopAt, r"tool_use is the class StopAt: take .*nbagents\.StopAt\("),
    ("tool_use", None, "tool_use is None: take 'run_again'"),
    ("tool_use", one, "let it take two arguments: the context and the calls"),
    ("input_guardrails", 5, "One of input_guardrails is 5: give a function of the context"),
    ("input_guardrails", [one], "let it take two arguments: the context and the value"),
    ("output_guardrails", ["x"], "One of output_guardrails is 'x': give a function"),
    ("output_guardrails", nba.Refuse("no"), r"is Refuse\(message='no'\): give a function"),
    ("handoffs", 5, "One of handoffs is 5: give an agent"),
    ("handoffs", ["text"], "One of handoffs is 'text': give an agent"),
    ("handoffs", {"a": nobody}, "give an agent, or a function that gives one"),
    ("handoffs", [Agent], "One of handoffs is the class Agent: give an agent"),
    ("handoffs", [double], "a function here gives an agent, and is called with nothing"),
    ("exports", [double], r"e\.g\. exports=\{\"planning\": \[make_plan\]\}"),
    ("exports", {5: [double]}, "A toolset of exports is 5"),
]


@pytest.mark.parametrize(("field", "wrong", "told"), GIVEN)
def test_an_agent_says_what_it_cannot_be_made_of(field: str, wrong: Any, told: str) -> None:
    with pytest.raises(ValueError, match=told):
        Agent(**any_({"tools": [double], field: wrong}))


ROWS: list[Row] = [
    # what an agent is made of, where it is no matter of values
    ("output", lambda: made(output=5), OutputError, "output is 5, which is no type: give a type"),
    ("output instance", lambda: made(output=[int]), OutputError, "give a type that JSON can carry"),
    ("output function", lambda: made(output=double), OutputError, "the function double, which is"),
    (
        "export of no function",
        lambda: made(exports={"p": 5}),
        ToolDefinitionError,
        r"5 cannot be exported in 'p': give functions .* nbagents\.passthrough\(function\)",
    ),
    ("export agent", lambda: made(exports={"p": [nobody]}), ToolDefinitionError, "cannot be exp"),
    ("passthrough 5", lambda: nba.passthrough(any_(5)), ToolDefinitionError, "give a function"),
    ("passthrough class", lambda: nba.passthrough(int), ToolDefinitionError, "the class int is no"),
    # what an agent is asked
    ("prompt", lambda: begun(5), ValueError, "The prompt is 5: it must be text"),
    ("no prompt", lambda: begun(None), ValueError, "The prompt is None: it must be text"),
    (
        "messages",
        lambda: begun([{"role": "user"}]),
        ValueError,
        "The prompt is .*: it must be text",
    ),
    ("preview", lambda: made().preview(any_(5)), ValueError, "The prompt is 5"),
    ("label", lambda: begun("Go", labels={"a": 1}), ValueError, r"labels\['a'\] is 1: give texts"),
    ("labels", lambda: begun("Go", labels=["a"]), ValueError, r"labels is \['a'\]: give texts by"),
    ("vars", lambda: begun("Go", vars=["ab"]), ValueError, r"give objects by name, e\.g\. vars="),
    ("vars names", lambda: begun("Go", vars={5: 1}), ValueError, "A name in vars is 5"),
    ("attach", lambda: begun("Go", attach={5: "x"}), ValueError, "A name in attach is 5"),
    ("chat", lambda: begun("Go", chat=5), RunError, r"chat is 5: a chat needs a name, e\.g\."),
    ("past", lambda: begun("Go", passthrough=5), ValueError, r"passthrough is 5: .*toolset's name"),
    ("past 5", lambda: begun("Go", passthrough={"t": 5}), ValueError, r"passthrough\['t'\] is 5"),
    (
        "unknown toolset",
        lambda: begun("Go", passthrough={"duoble": {}}),
        ValueError,
        "passthrough is for 'duoble', which is no toolset here. Did you mean 'double'",
    ),
    ("host", lambda: made().run("Go", log="memory", host=any_(5)), ValueError, "host is 5: leave"),
    ("resume", lambda: made().resume(any_(5)), ValueError, "give a run, or its id"),
    ("resume host", lambda: made().resume("x", host=any_(5)), ValueError, "host is 5: leave it"),
    # what depends on the tools
    (
        "no such limit tool",
        lambda: begun_with(on_limit="doble"),
        ValueError,
        "Did you mean 'double",
    ),
    ("limit call", lambda: begun_with(on_limit="double"), ValueError, "number: This is required"),
    (
        "no such stop",
        lambda: begun_with(tool_use=nba.StopAt("x")),
        ValueError,
        "There are: 'double",
    ),
    ("lost agent", lambda: begun_with(handoffs=[lambda: 5]), ValueError, "it must give an agent"),
]


@pytest.mark.parametrize(
    ("do", "error", "told"), [row[1:] for row in ROWS], ids=[row[0] for row in ROWS]
)
def test_what_an_agent_cannot_be_asked_is_said(
    do: Callable[[], object], error: type[Exception], told: str
) -> None:
    with pytest.raises(error, match=told):
        do()


def allowed(*_: object) -> None:
    "No objection."


UNDERSTOOD: list[tuple[dict[str, Any], str, object]] = [
    ({"handoffs": nobody}, "handoffs", (nobody,)),
    ({"handoffs": None}, "handoffs", ()),
    ({"input_guardrails": allowed}, "input_guardrails", (allowed,)),
    ({"output_guardrails": iter([allowed])}, "output_guardrails", (allowed,)),
    ({"deny_tags": "net"}, "deny_tags", ("net",)),
    ({"deny_tags": None}, "deny_tags", ()),
    ({"allow_tags": iter(["net"])}, "allow_tags", ("net",)),
    ({"on_limit": "double"}, "on_limit", nba.FinalCall("double")),
    ({"tool_use": nba.StopAt(any_(["a", "b"]))}, "tool_use", nba.StopAt("a", "b")),
    ({"instructions": None}, "instructions", ""),
    ({"settings": None}, "settings", {}),
    ({"prices": None}, "prices", {}),
    ({"exports": None}, "exports", {}),
]


@pytest.mark.parametrize(("options", "field", "kept"), UNDERSTOOD, ids=[str(i) for i in range(13)])
def test_one_for_several_and_none_for_nothing_are_understood(
    options: dict[str, Any], field: str, kept: object
) -> None:
    assert getattr(Agent(**options), field) == kept


def quiet(check: Callable[[object], None]) -> Callable[..., None]:
    @functools.wraps(check)  # what is seen of it takes one, what is called takes two
    def called(_: object, value: object) -> None:
        check(value)

    return called


@quiet
def no_numbers(value: object) -> None:
    "No objection."
    del value


class Guard:
    def __call__(self, context: object, value: object, *, strict: bool = True) -> None:
        del context, value, strict


@pytest.mark.parametrize(
    "check",
    [two, allowed, no_numbers, Guard(), functools.partial(two), later, print],
    ids=["def", "stars", "decorated", "object", "partial", "async", "builtin"],
)
def test_whatever_can_be_called_so_is_taken(check: Any) -> None:
    assert Agent(input_guardrails=check).input_guardrails == (check,)


def test_a_class_may_make_the_prompt_of_an_agent_as_a_tool() -> None:
    assert nobody.as_tool(prompt=str, extract=repr).name == "nobody"


def test_what_is_passed_through_may_be_for_a_toolset_that_is_left_out() -> None:
    trips = nba.toolset_of("trips", [nba.Tool(double, nba.ToolOptions(enabled=False))])
    some = Agent(tools=[treble, trips], deny_tags="net", model=ScriptedModel([]))
    given = {"trips": {"user": 7}, "treble": {}}
    assert some.begin("Go", "memory", passthrough=given)[1].passthrough == given
    with pytest.raises(ValueError, match="Did you mean 'trips'"):
        some.begin("Go", "memory", passthrough={"trip": {}})


def test_who_takes_over_may_have_other_toolsets() -> None:
    plan = made(handoffs=nobody).begin("Go", "memory", passthrough={"theirs": {"a": 1}})[1]
    assert plan.passthrough == {"theirs": {"a": 1}}


def test_a_wrong_value_leaves_the_chat_free() -> None:
    log = session()
    with pytest.raises(ValueError, match="host is 5"):
        made("Yes.").run("Go", log=log, chat="trip", host=any_(5))
    assert made("Yes.").run("Go", log=log, chat="trip").text == "Yes."
