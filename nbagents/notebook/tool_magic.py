"""What `%tool` and `%%tool` do, once their first use has loaded it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from nbagents.agents import Agent
from nbagents.errors import ToolFailedError, brief
from nbagents.notebook import agent_options
from nbagents.notebook.agent_choice import select
from nbagents.notebook.by_hand import Hand, read_arguments
from nbagents.notebook.cards import tool_card, tool_list
from nbagents.notebook.cells import define_tools
from nbagents.notebook.misuse import misuse
from nbagents.notebook.prompt import OptionError
from nbagents.notebook.tool_gaps import gaps
from nbagents.notebook.tool_line import add_tools, remove_tools, schema_bundle, source_tools
from nbagents.notebook.tool_options import read_cell_options
from nbagents.tools.toolbox import toolbox

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from nbagents.notebook.workplace import Workplace
    from nbagents.runs.record import Run
    from nbagents.tools.tool import Tool

__all__ = ["define_cell", "use_line"]


def define_cell(
    place: Workplace, options: Mapping[str, list[str]], rest: str, head: str, cell: str
) -> Run | None:
    """`%%tool`: make tools of the functions of a cell.

    Args:
        place: Where it works.
        options: The options, by long name.
        rest: What follows them: names of functions.
        head: The whole line of the magic.
        cell: What stands below it.

    Returns:
        The run of `--try`.
    """
    __tracebackhide__ = True
    with misuse():
        wanted = read_cell_options(options, rest)
        tools = define_tools(place.shell, head, cell, wanted)
        for tool in tools:
            place.host.publish(tool_card(tool))
            if missing := gaps(tool):
                print(missing)  # noqa: T201  a notice: it is a tool all the same
        return None if wanted.trial is None else _call(place, tools[0], wanted.trial)


def use_line(place: Workplace, options: Mapping[str, list[str]], rest: str) -> Run | None:
    """`%tool`: list tools, show one, call one, or do what an option says.

    Args:
        place: Where it works.
        options: The options, by long name.
        rest: What follows them: a tool's name, and maybe its arguments.

    Returns:
        The run of a call.
    """
    __tracebackhide__ = True
    with misuse():
        if options:
            return _do(place, options, rest)
        name, _, arguments = rest.partition(" ")
        if not name:
            return place.host.publish(tool_list(tuple(toolbox.values())))
        tool = _one(name)
        if not arguments.strip():
            return place.host.publish(tool_card(tool))
        return _call(place, tool, arguments)


def _do(place: Workplace, options: Mapping[str, list[str]], rest: str) -> None:
    __tracebackhide__ = True
    verbs = [one for one in options if one != "replace"]
    if len(verbs) != 1:
        said = " and ".join(f"--{one}" for one in verbs)
        raise OptionError(
            f"{said} are two things to do: write two lines."
            if verbs
            else "--replace belongs to --add, --from, or %%tool above a cell."
        )
    (verb,) = verbs
    if rest:
        raise OptionError(
            f'{rest!r} is too much after --{verb}: quote what has spaces, "like this".'
        )
    if "replace" in options and verb not in ("add", "from"):
        raise OptionError(f"--replace does not go with --{verb}, but with --add and --from.")
    DO[verb](place, options[verb], "replace" in options)


def _schema(place: Workplace, values: Sequence[str], _replace: bool) -> None:  # noqa: FBT001  as DO
    for name in values:
        place.host.publish(schema_bundle(_one(name)))


def _rm(_place: Workplace, values: Sequence[str], _replace: bool) -> None:  # noqa: FBT001  as DO
    gone = remove_tools(agent_options.words(values))
    print(f"Removed: {', '.join(gone)}." if gone else "There was nothing to remove.")  # noqa: T201


def _add(place: Workplace, values: Sequence[str], replace: bool) -> None:  # noqa: FBT001  as DO
    __tracebackhide__ = True
    for text in values:
        _show(place, add_tools(text, place.names, replace=replace))


def _from(place: Workplace, values: Sequence[str], replace: bool) -> None:  # noqa: FBT001  as DO
    __tracebackhide__ = True
    for source in values:
        _show(place, source_tools(source, replace=replace))


DO: Mapping[str, Callable[[Workplace, Sequence[str], bool], None]] = {
    "schema": _schema,
    "rm": _rm,
    "add": _add,
    "from": _from,
}


def _show(place: Workplace, tools: Sequence[Tool]) -> None:
    place.host.publish(tool_card(tools[0]) if len(tools) == 1 else tool_list(tools))


def _one(name: str) -> Tool:
    found = select(name)
    if len(found) != 1:
        raise OptionError(
            f"{name!r} names several tools: write one name."
            if found
            else f"{name!r} names no tool: write the name of one."
        )
    return found[0]


def _call(place: Workplace, tool: Tool, text: str) -> Run:
    __tracebackhide__ = True
    arguments = read_arguments(tool, text)
    taken = agent_options.taken(tool.schema.handles, arguments, place.names)
    agent = Agent(name="you", tools=[tool], model=Hand(tool.name, arguments), max_steps=2)
    run = agent.run(f"{tool.name} {text}", vars=taken, host=place.host)
    failure = run.calls[0].failure
    if failure is not None:
        raise brief(ToolFailedError(failure.message))
    return run
