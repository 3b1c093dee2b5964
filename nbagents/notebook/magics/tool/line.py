"""What the options of `%tool` do: put tools in, take them out, show what a model gets of one."""

from __future__ import annotations

import importlib
import json
import linecache
import re
import sys
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any

from nbagents.errors import ToolNotFoundError
from nbagents.narrowing import is_dict, is_list, is_sequence
from nbagents.notebook.markup import PLAIN, pre, tag
from nbagents.notebook.options import OptionError, evaluated
from nbagents.runs.wording import as_json
from nbagents.tools.tool import Tool, Toolset, is_tool, resolve_tools, toolbox

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

MODULE = re.compile(r"[^\W\d]\w*(\.[^\W\d]\w*)*")
FILES = "nbagents_files"
"""What is put before the names of modules that are files: they are in nobody's way."""
REMOTE = re.compile(r"(mcp|https?|wss?):")


def schema_bundle(tool: Tool) -> dict[str, object]:
    """What a model gets of a tool, as a display bundle: JSON."""
    told: dict[str, object] = {
        "name": tool.name,
        "description": tool.description,
        "parameters": dict(tool.parameters),
    }
    if tool.strict:
        told["strict"] = True
    text = as_json(tool.options.hosted or told, indent=2)
    return {
        "text/html": str(tag("div", pre(text), **{"class": PLAIN, "style": "max-width:960px"})),
        "text/plain": text,
    }


def remove_tools(specs: Sequence[str]) -> tuple[str, ...]:
    """Take tools out of the toolbox, all of them or none.

    Raises:
        OptionError: A name or a pattern means none; says which come close.
    """
    try:
        gone = tuple(tool.name for tool in toolbox.select(specs))
    except ToolNotFoundError as error:
        raise OptionError(str(error)) from None
    for name in gone:
        toolbox.remove(name)
    return gone


def add_tools(
    expression: str, names: Mapping[str, Any], *, replace: bool = False
) -> tuple[Tool, ...]:
    """Make tools of the value of an expression, and put them into the toolbox.

    Args:
        expression: The person's, e.g. the name of a function.
        names: The person's variables.
        replace: Whether they may take the place of tools that other cells define.

    Raises:
        MissingNameError: A name in it is not defined.
        OptionError: It is no Python, or its value is a text.
        ToolDefinitionError: Its value is no tool, or another cell defines one of this name.
    """
    __tracebackhide__ = True
    value = _value(expression, names)
    if value is None or isinstance(value, str):
        raise OptionError(
            f"--add wants a function, a module, an object or a toolset: {expression} is {value!r}."
        )
    things = value if is_sequence(value) else [value]
    found = [tool for thing in things for tool in _tools(thing)]
    return keep_tools(found, "add", expression, replace=replace)


def source_tools(source: str, *, replace: bool = False) -> tuple[Tool, ...]:
    """Make tools of a module or of a file, and put them into the toolbox.

    Where it defines tools (`@nbagents.tool`) these are they, else its public functions.

    Args:
        source: `pkg.mod`, or the path of a `.py` file.
        replace: Whether they may take the place of tools that other cells define.

    Raises:
        OptionError: There is no such module or file, or nobody can make tools of it.
        ToolDefinitionError: It has no functions, or another cell defines tools of these names.
    """
    __tracebackhide__ = True
    before = dict(toolbox)
    module = _module(source)
    own = [one for one in vars(module).values() if is_tool(one)]
    put_in = [tool for name, tool in toolbox.items() if before.get(name) is not tool]
    found = list({id(tool): tool for tool in (*put_in, *own)}.values())
    return keep_tools(found or _tools(module), "from", source, replace=replace)


def keep_tools(tools: Sequence[Tool], option: str, said: str, *, replace: bool) -> tuple[Tool, ...]:
    """Put tools into the toolbox, all or none.

    Args:
        tools: The tools.
        option: Which option of `%tool` it was.
        said: What it was given.
        replace: Whether they may take the place of tools that other cells define.

    Raises:
        OptionError: There are none, or two of one name.
        ToolDefinitionError: One has no schema, or another cell defines tools of these names.
    """
    if not tools:
        raise OptionError(f"{said} gives no tools.")
    names = [tool.name for tool in tools]
    twice = [name for name in dict.fromkeys(names) if names.count(name) > 1]
    if twice:
        raise OptionError(f"{said} gives two tools called {twice[0]!r}: add them one by one.")
    for tool in tools:
        build_schema(tool)
    instead = f"write `%tool --replace --{option} {said}`"
    toolbox.add_all(tools, replace=replace, instead=instead)
    return tuple(tools)


def build_schema(tool: Tool) -> None:
    """Have a hint that says nothing fail where the tool is made."""
    tool.parameters  # noqa: B018  builds it


def _tools(thing: object) -> Sequence[Tool]:
    if is_tool(thing):
        return (thing,)
    if isinstance(thing, Toolset) and callable(thing.tools) and not isinstance(thing, ModuleType):
        return thing.tools()
    return resolve_tools([thing])


def _value(expression: str, names: Mapping[str, Any]) -> object:
    __tracebackhide__ = True
    try:
        return evaluated(expression, names, f"--add {expression}")
    except SyntaxError:
        raise OptionError(f"--add wants a Python expression, not {expression!r}.") from None


def _module(source: str) -> ModuleType:
    __tracebackhide__ = True
    if REMOTE.match(source):
        raise OptionError(
            f"{source}: servers of tools (MCP) are not supported yet. --from takes a module such as"
            " pkg.mod, a .py file, or an OpenAPI document (.yaml or .json, also an address)."
        )
    path = Path(source).expanduser()
    if path.suffix == ".json":
        raise OptionError(_of_json(path))
    if path.suffix == ".py":
        return _of_file(path)
    if not MODULE.fullmatch(source):
        raise OptionError(f"--from takes a module such as pkg.mod, or a .py file, not {source!r}.")
    try:
        return importlib.import_module(source)
    except ModuleNotFoundError as error:
        if not f"{source}.".startswith(f"{error.name}."):
            raise  # it is there, but something that it needs is not
        raise OptionError(f"There is no module {error.name!r} that can be imported here.") from None


def _of_file(path: Path) -> ModuleType:
    """Execute a file anew, as a module that is nobody else's."""
    __tracebackhide__ = True
    if not path.is_file():
        raise OptionError(f"There is no file {str(path)!r}.")
    module = ModuleType(f"{FILES}.{path.stem}")
    module.__file__ = str(path)
    sys.modules[module.__name__] = module  # where dataclasses look their own module up
    linecache.checkcache(str(path))  # else a tool would have the source of the time before
    exec(compile(path.read_bytes(), str(path), "exec"), vars(module))  # noqa: S102  the person's own
    return module


def _of_json(path: Path) -> str:
    """Why a file of definitions gives no tools."""
    try:
        said: object = json.loads(path.read_text(encoding="utf-8"))
    except OSError:
        return f"There is no file {str(path)!r}."
    except ValueError:
        return f"{str(path)!r} is no JSON."
    listed: object = said.get("tools") if is_dict(said) else said
    count = len(listed) if is_list(listed) else 1
    return (
        f"{str(path)!r} defines {count} {'tool' if count == 1 else 'tools'}, but no code that runs"
        " them. In Python, nbagents.tools_of_definitions(definitions, handler) takes both; %tool"
        " --add puts them in."
    )
