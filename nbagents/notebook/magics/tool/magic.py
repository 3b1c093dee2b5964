"""What `%tool` and `%%tool` do, once their first use has loaded it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from nbagents_widgets.displays import show

from nbagents.agents import Agent
from nbagents.catalogue import Catalogue
from nbagents.errors import ToolFailedError, brief
from nbagents.notebook.cards import tool_card, tool_lines, tool_list
from nbagents.notebook.catalogues import CatalogueView
from nbagents.notebook.kernel import say
from nbagents.notebook.magics.tool.cell import define_tools
from nbagents.notebook.magics.tool.document import Added, document_tools, fault_report, is_document
from nbagents.notebook.magics.tool.line import add_tools, remove_tools, schema_bundle, source_tools
from nbagents.notebook.magics.tool.manual_call import Hand, read_arguments
from nbagents.notebook.magics.tool.search import views_of_search
from nbagents.notebook.options import (
    LINE_OPTIONS,
    REPLACE,
    OptionError,
    misuse,
    read_cell_options,
    select,
    words,
)
from nbagents.notebook.options import taken as taken_objects
from nbagents.tools.lint import hint_of
from nbagents.tools.tool import lint, toolbox

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from nbagents.notebook.live import Workplace
    from nbagents.runs.state import Run
    from nbagents.tools.tool import Tool, ToolLike


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
        if tools:
            place.host.publish(tool_lines(tools))
        for tool in tools if place.config.value("hints") == "on" else ():
            if missing := hint_of(tool.linted):
                say(missing)
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
    verbs = [one for one in options if one in DO]
    if not verbs:
        alone = next(iter(options))
        also = ", or %%tool above a cell" if alone == REPLACE.name else ""
        names = ", ".join(f"--{one}" for one in GOES_WITH[alone])
        raise OptionError(f"--{alone} belongs to {names}{also}.")
    verb, *others = verbs
    if others:
        said = " and ".join(f"--{one}" for one in verbs)
        raise OptionError(f"{said} are two things to do: write two lines.")
    if rest and verb not in TAKE_WORDS:
        raise OptionError(
            f'{rest!r} is too much after --{verb}: quote what has spaces, "like this".'
        )
    for one in options:
        if one != verb and verb not in GOES_WITH[one]:
            names = " and ".join(f"--{name}" for name in GOES_WITH[one])
            raise OptionError(f"--{one} does not go with --{verb}, but with {names}.")
    DO[verb](place, options, rest)


def _search(place: Workplace, options: Mapping[str, list[str]], rest: str) -> None:
    words_said = " ".join(one for one in (*options["search"], rest) if one)
    for view in views_of_search(words_said, place.names):
        show(view)


def _schema(place: Workplace, options: Mapping[str, list[str]], _rest: str) -> None:
    for name in options["schema"]:
        place.host.publish(schema_bundle(_one(name)))


def _rm(_place: Workplace, options: Mapping[str, list[str]], _rest: str) -> None:
    gone = remove_tools(words(options["rm"]))
    say(f"Removed: {', '.join(gone)}." if gone else "There was nothing to remove.")


def _add(place: Workplace, options: Mapping[str, list[str]], _rest: str) -> None:
    __tracebackhide__ = True
    for text in options["add"]:
        _show(place, add_tools(text, place.names, replace="replace" in options))


def _from(place: Workplace, options: Mapping[str, list[str]], _rest: str) -> None:
    __tracebackhide__ = True
    replace = "replace" in options
    for source in options["from"]:
        if is_document(source):
            _show_document(place, document_tools(source, options, replace=replace))
        elif alien := next((one for one in OF_DOCUMENTS if one in options), None):
            raise OptionError(f"--{alien} is for OpenAPI documents, and {source} is none.")
        else:
            _show(place, source_tools(source, replace=replace))


def _lint(place: Workplace, _options: Mapping[str, list[str]], rest: str) -> None:
    """Tools of the toolbox, and functions that are none yet; without a name, all of the toolbox."""
    given: list[ToolLike] = []
    for name in words([rest]):
        own = place.names.get(name)
        given += [own] if name not in toolbox and callable(own) else select(name)
    if not given and not toolbox:
        say("There are no tools: write %%tool above a cell.")
        return
    say(str(lint(*given)))


DO: Mapping[str, Callable[[Workplace, Mapping[str, list[str]], str], None]] = {
    "search": _search,
    "schema": _schema,
    "lint": _lint,
    "rm": _rm,
    "add": _add,
    "from": _from,
}
TAKE_WORDS = ("search", "lint")
"""What is followed by words that need no quotes."""
GOES_WITH = {one.name: one.goes_with for one in LINE_OPTIONS}
LISTED = 40
"""Tools of which a list is still read; more are shown to search in."""
OF_DOCUMENTS = ("base-url", "auth")


def _show_document(place: Workplace, added: Added) -> None:
    if len(added.tools) > LISTED:
        show(CatalogueView(Catalogue(*added.tools, cache=False), title=added.name))
    else:
        place.host.publish(tool_list(added.tools))
    if added.faults:
        place.host.publish(fault_report(added))


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
    taken = taken_objects(tool.schema.handles, arguments, place.names)
    agent = Agent(name="you", tools=[tool], model=Hand(tool.name, arguments), max_steps=2)
    run = agent.run(f"{tool.name} {text}", vars=taken, host=place.host)
    failure = run.calls[0].failure
    if failure is not None:
        raise brief(ToolFailedError(failure.message))
    return run
