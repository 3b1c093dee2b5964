"""A run as a test for pytest: a model that says what was said, and what is to come of it."""

from __future__ import annotations

import json
import re
import sys
from types import FunctionType
from typing import TYPE_CHECKING, Any, Final

from nbagents.errors import RunError
from nbagents.narrowing import is_dict
from nbagents.notebook.copies.definitions import Definitions
from nbagents.notebook.copies.outer_names import NoDefinitionError
from nbagents.notebook.copies.own_names import OwnNames
from nbagents.notebook.copies.run_source import agent_fields
from nbagents.notebook.options import call_source, text_source
from nbagents.redaction import holds_mark
from nbagents.runs.state import UNBROKEN_ENDS
from nbagents.runs.wording import (
    child_runs,
    clipped,
    is_by_hand,
    is_name,
    literal,
    visible,
    was_given,
)
from nbagents.tools.context import written_function
from nbagents.tools.tool import Tool, ToolOptions, is_tool, source_of_version, toolbox
from nbagents.tools.values import is_numbered

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from nbagents.runs.tree import AnswerNode, AwaitNode, CallNode, RunNode, Tree

PROMPT_WIDTH: Final = 60
OPTIONS: Final = ("times", "status", "gave", "inside", "arguments")
"""What `expect` takes for itself."""
REACHED: Final = ("done", "failed", "timed_out")
"""How calls end that a tool got."""
PARTS: Final = 4
"""The words of `from module import name`."""


def run_test(tree: Tree, run_id: str) -> str:
    """A run as the source of a test, which passes when it is run.

    Args:
        tree: Runs by id.
        run_id: The run.

    Raises:
        RunError: No test can be made of it.
    """
    run = tree["runs"][run_id]
    _check(run)
    known = _live_tools(run)
    definitions, named = Definitions(), dict[str, str]()
    helpers: list[str] = []
    for name in _used(run):
        made, needs = _tool(tree, run, name, known.get(name), definitions)
        named[name] = made
        helpers += needs
    own_names = OwnNames.beside(definitions.names, run["prompt"])
    body = _body(run, named, own_names)
    imports = ["import nbagents as nba", *own_names.imports(body)]
    said = clipped(visible(run["prompt"]), PROMPT_WIDTH).replace('"""', "'''").replace("\\", "/")
    head = f'"""What {run_id} did, as a test: {said}"""'.replace('""""', '" """')
    own, *defined = definitions.text()
    block = "\n".join(sorted({*imports, *filter(None, own.split("\n"))}))
    tools = [one for one in definitions.functions if one.lower().startswith("test")]
    no_tests = (
        ["\n".join(f"{one}.__test__ = False  # it is a tool" for one in tools)] if tools else []
    )
    return "\n\n\n".join([f"{head}\n\n{block}", *defined, *no_tests, *helpers, body]) + "\n"


def _check(run: RunNode) -> None:
    """See that a test can be made of it.

    Raises:
        RunError: None can.
    """
    if is_by_hand(run):
        raise RunError("A call by hand asked no model: copy it as Python (run.to_python()).")
    if run["status"] not in UNBROKEN_ENDS:
        raise RunError(
            f"The run is {run['status']}: only one that came to its end can be made a test, which "
            "says what is to come of it."
        )
    forked_from = run["forked_from"]
    own = forked_from and forked_from["call_id"]  # of a branch the model says what was changed
    edited = [one for one in run.get("edits", []) if one["call_id"] not in (None, own)]
    if edited:
        names = dict.fromkeys(run["calls"][one["call_id"] or ""]["name"] for one in edited)
        raise RunError(
            f"In step mode somebody else than the model decided about {', '.join(names)}: the test "
            "would make other calls. Run it again without those edits, or write the test by hand."
        )
    for call in run["calls"].values():
        held = [one for one in _names_held(call) if not is_numbered(one)]
        if held:
            raise RunError(
                f"{call['name']} took {', '.join(held)}, which you had shared: a test cannot make "
                "such an object. Write one that makes it, and gives it by `vars`."
            )
        if holds_mark(call["arguments"]):
            raise RunError(f"A secret was taken out of what {call['name']} got: no test can tell.")


def _names_held(call: CallNode) -> Iterator[str]:
    """The names by which a call took live objects."""
    given = call["arguments"]
    defaults = call.get("defaults", ())
    for path in call.get("objects", {}):
        first, *rest = path[1:].split("/")
        if not isinstance(given, dict) or first in defaults:
            continue
        value: Any = given[first]
        for part in rest:
            value = value[int(part) if part.isdecimal() else part]
        yield str(value)


def _used(run: RunNode) -> list[str]:
    """The tools that it called: the others need not be there, and what is none cannot."""
    offered = _offered(run)
    names = dict.fromkeys(one["name"] for one in run["calls"].values())
    return [one for one in names if one in offered or not offered]


def _offered(run: RunNode) -> set[str]:
    return {one["name"] for request in run["requests"] for one in request["schemas"] or ()}


def _is_invalid(run: RunNode, call: CallNode) -> bool:
    """Whether no tool got the call: there is none, or its arguments did not fit."""
    failure = call["failure"]
    if failure is None or failure["kind"] != "invalid_call":
        return False
    return bool(failure["issues"]) or call["name"] not in _offered(run)


def _tool(
    tree: Tree, run: RunNode, name: str, tool: Tool | None, definitions: Definitions
) -> tuple[str, list[str]]:
    """How the test has a tool, and the definitions that it needs for that."""
    calls = [one for one in run["calls"].values() if one["name"] == name]
    why = "its calls began runs of their own" if any(child_runs(tree, one) for one in calls) else ""
    if any(was_given(run, one["id"]) for one in calls):
        why = "a result of it was given by hand"
    if tool is not None and (tool.options.external or tool.options.hosted):
        why = "its results came from outside"
    try:
        if not why and tool is not None:
            asks = any(_was_asked_about(run, one) for one in calls)
            return _by_function(tool, definitions, asks=asks), []
        if not why:
            source = source_of_version(calls[0]["source_hash"] or "")
            return definitions.add_source(source, name), []
    except NoDefinitionError as error:
        why = str(error)
    return _stand_in(run, name, calls, why)


def _was_asked_about(run: RunNode, call: CallNode) -> bool:
    kinds = {one["kind"] for one in run["awaits"] if one["call_id"] == call["id"]}
    return "confirmation" in kinds


def _by_function(tool: Tool, definitions: Definitions, *, asks: bool) -> str:
    """A tool by its function.

    Raises:
        NoDefinitionError: That cannot stand in a test.
    """
    function = tool.function
    if written_function(function) is not function or not hasattr(function, "__code__"):
        raise NoDefinitionError(f"{tool.name} is no plain function")
    name = definitions.add(function)
    usual = ToolOptions()
    changed = {
        one: getattr(tool.options, one)
        for one in ("name", "toolset", "command", "thread", "resumable", "timeout_s")
        if getattr(tool.options, one) != getattr(usual, one)
    }
    if asks:
        changed["ask"] = True
    if not changed:
        return name
    if any(callable(one) for one in changed.values()):
        raise NoDefinitionError(f"an option of {tool.name} is a function")
    said = ", ".join(f"{key}={value!r}" for key, value in changed.items())
    return f"nba.Tool({name}, nba.ToolOptions({said}))"


def _stand_in(run: RunNode, name: str, calls: list[CallNode], why: str) -> tuple[str, list[str]]:
    """A tool that gives what it gave, and a comment that says so."""
    schemas = [one for request in run["requests"] for one in request["schemas"] or ()]
    none: dict[str, Any] = {}
    shown = next((one for one in schemas if one["name"] == name), none)
    parameters: dict[str, Any] = shown.get("parameters") or {"type": "object", "properties": {}}
    function = f"gave_{re.sub(r'[^0-9a-zA-Z_]', '_', name)}"
    reached = [one for one in calls if one["status"] in REACHED and not _is_invalid(run, one)]
    results = literal([(one["content"] or "", one["status"] == "done") for one in reached])
    lines = [
        f"# {name} gives what it gave, one result after the other: {why}.",
        f"{function}_results = {results}",
        "",
        "",
        f"def {function}(given: dict[str, object]) -> str:",
        '    """Give the next of its results."""',
        "    del given",
        f"    said, is_well = {function}_results.pop(0)",
        "    if not is_well:",
        "        raise nba.ToolError(said)",
        "    return said",
    ]
    description = text_source(str(shown.get("description") or ""))
    closed = "additionalProperties" in parameters
    asks = any(_was_asked_about(run, one) for one in calls)
    made = call_source(
        "nba.Tool.from_schema",
        {"options": "nba.ToolOptions(ask=True)"} if asks else {},
        text_source(name),
        description,
        literal(parameters if closed else {**parameters, "additionalProperties": True}),
        function,
    )
    return made.replace("\n", "\n    "), ["\n".join(lines)]


def _body(run: RunNode, named: Mapping[str, str], own: OwnNames) -> str:
    steps = [_step(one, own) for one in run["answers"]]
    model = call_source("nba.ScriptedModel", {}, f"[{', '.join(steps)}]")
    known = {
        name: text_source(value) if isinstance(value, str) else literal(value)
        for name, value in agent_fields(run).items()
        if name not in ("model", "tools")
    }
    known["tools"] = f"[{', '.join(named.values())}]"
    known["model"] = own.model
    answers = [_answer(run, one) for one in run["awaits"] if one["outcome"]]
    lines = [f"{own.model} = {model}"]
    if answers:
        lines.append(f"{own.answers} = [{', '.join(answers)}]")
        known["on_await"] = f"lambda _: {own.answers}.pop(0)"
    lines.append(f"{own.agent} = {call_source('nba.Agent', known)}")
    prompt = text_source(run["prompt"])
    lines += [f'{own.run} = {own.agent}.run({prompt}, log="memory")', *_asserts(run, own.run)]
    return f"def {own.test}() -> None:\n{_indent(lines)}"


def _indent(lines: list[str]) -> str:
    """Lines as a body; what goes on in the next line of a text stays as it is."""
    made: list[str] = []
    for one in lines:
        is_text = '"""' in one
        made.append(f"    {one}" if is_text else "\n".join(f"    {x}" for x in one.split("\n")))
    return "\n".join(made)


def _step(answer: AnswerNode, own: OwnNames) -> str:
    calls = [_asked(one, own) for one in answer["calls"]]
    text = text_source(answer["text"])
    if not calls:
        return text
    if answer["text"]:
        return f"nba.ModelTurn(text={text}, calls=({', '.join(calls)},))"
    return f"[{', '.join(calls)}]"


def _asked(call: Mapping[str, Any], own: OwnNames) -> str:
    try:
        given = json.loads(call["arguments"])
    except ValueError:
        given = None
    if is_dict(given) and all(map(is_name, given)):
        named = (f"{name}={literal(one)}" for name, one in given.items())
        return f"{own.call}({', '.join([text_source(call['name']), *named])})"
    said = ", ".join(f"{name}={text_source(call[name])}" for name in ("id", "name", "arguments"))
    return f"nba.CallRequest({said})"


def _answer(run: RunNode, asked: AwaitNode) -> str:
    note = {"note": text_source(asked["note"])} if asked["note"] else {}
    if asked["kind"] == "confirmation":
        action = "approve" if asked["outcome"] == "answered" else "deny"
        edited = _edited(run["calls"].get(asked["call_id"] or ""))
        return call_source("nba.Answer", {"action": f'"{action}"', **edited, **note})
    if asked["outcome"] == "denied":
        return call_source("nba.Answer", {"action": '"deny"', **note})
    return call_source("nba.Answer", {"action": '"answer"', "value": literal(asked["answer"])})


def _edited(call: CallNode | None) -> dict[str, str]:
    said, given = (call["authorization"], call["arguments"]) if call else (None, None)
    if call is None or said is None or not said["edited"] or not isinstance(given, dict):
        return {}
    defaults = call.get("defaults", ())
    return {
        "arguments": literal({name: one for name, one in given.items() if name not in defaults})
    }


def _asserts(run: RunNode, name: str) -> Iterator[str]:
    """What is to come of it: the calls in order, what each gave, how it ended, and the answer."""
    calls = [*run["calls"].values()]
    yield f"assert {name}.status == {text_source(run['status'])}"
    yield f"assert [one.name for one in {name}.calls] == {literal([one['name'] for one in calls])}"
    links = [*_links(run, calls), f".answered(equals={text_source(run['text'])})"]
    said = "".join(f"\n    {one}" for one in links) if calls else links[0]
    yield f"(\n    nba.expect({name}){said}\n)" if calls else f"nba.expect({name}){said}"


def _links(run: RunNode, calls: list[CallNode]) -> Iterator[str]:
    """What is expected of each call; those of a later step come after."""
    before = None
    for call in calls:
        verb = "then" if before is not None and call["step"] > before else "called"
        before = call["step"]
        given = call["arguments"] if isinstance(call["arguments"], dict) else {}
        is_plain = all(is_name(one) and one not in OPTIONS for one in given)
        named = {one: literal(value) for one, value in given.items()} if is_plain else {}
        if not is_plain:
            named = {"arguments": literal(given)}
        if call["status"] != "done":
            named["status"] = text_source(call["status"])
        # What is told of these hangs on the tools, and on the person, that are there.
        if call["status"] != "denied" and not _is_invalid(run, call):
            named["gave"] = text_source(call["content"] or "")
        written = ", ".join(f"{key}={value}" for key, value in named.items())
        yield f".{verb}({text_source(call['name'])}, {written})"


def _live_tools(run: RunNode) -> dict[str, Tool]:
    """The tools of its calls that are here: in the toolbox, or where the calls say."""
    found: dict[str, Tool] = {}
    for call in run["calls"].values():
        name = call["name"]
        if name in found:
            continue
        known = toolbox.get(name) or _named_here(call)
        if known is not None:
            found[name] = known
    return found


def _named_here(call: CallNode) -> Tool | None:
    """A tool of a function that is in a module, or among what the person's cells have defined."""
    taken: Mapping[str, Any] = call.get("taken") or {}
    called = str(taken.get("called") or call["name"]).removeprefix("await ")
    lines = [one.split() for one in taken.get("imports", ()) if one.startswith("from ")]
    places = [
        module
        for _, module, _, name in (one for one in lines if len(one) == PARTS)
        if name == called
    ]
    for module in (*places, "__main__"):
        one: object = getattr(sys.modules.get(module), called, None)
        if is_tool(one):
            return one
        if isinstance(one, FunctionType):
            return Tool(
                one, ToolOptions(name=call["name"]) if one.__name__ != call["name"] else None
            )
    return None
