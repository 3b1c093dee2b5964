"""`@tool`: a function becomes a tool and is registered."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, TypeVar, overload

from typing_extensions import ParamSpec

from nbagents.tools.context import defining, is_unbound_method
from nbagents.tools.tool.definition import Ask, Check, Enabled, OnError, Tool, ToolOptions, is_tool
from nbagents.tools.tool.registry import toolbox

if TYPE_CHECKING:
    from collections.abc import Callable

    from nbagents.tools.schema import DocstringStyle

P = ParamSpec("P")
R = TypeVar("R")


@overload
def tool(function: Callable[P, R], /) -> Tool[P, R]: ...


@overload
def tool(
    *,
    name: str | None = None,
    description: str | None = None,
    toolset: str | None = None,
    title: str | None = None,
    strict: bool = True,
    thread: bool = False,
    command: bool = False,
    timeout_s: float | None = None,
    retries: int | None = None,
    on_error: OnError = "tell",
    enabled: Enabled = True,
    ask: Ask = None,
    read_only: bool | None = None,
    destructive: bool | None = None,
    idempotent: bool | None = None,
    open_world: bool | None = None,
    resumable: bool = False,
    private: bool = False,
    external: bool = False,
    defer: bool = False,
    tags: tuple[str, ...] = (),
    input_guardrails: tuple[Check, ...] = (),
    output_guardrails: tuple[Check, ...] = (),
    use_docstring: bool = True,
    docstring_style: DocstringStyle = "auto",
    replace: bool = False,
) -> Callable[[Callable[P, R]], Tool[P, R]]: ...


def tool(
    function: Callable[..., object] | None = None, /, *, replace: bool = False, **options: object
) -> object:
    """Make a function a tool and put it into the toolbox; it can still be called as before.

    Args:
        function: The function, where the decorator stands without brackets.
        replace: Whether it may take the place of a tool that was defined elsewhere.
        options: The fields of `ToolOptions`.

    Raises:
        ToolDefinitionError: The function cannot be a tool as it stands. A hint that does not
            resolve is told of in the cell that defines it; in a module, when the tool is used.
        ToolConflictError: Another cell, or another module, defines a tool of this name.

    Example:
        >>> @tool(command=True)
        ... def beep(times: int = 1) -> None:
        ...     "Make a sound."
        >>> toolbox["beep"].description
        'Make a sound.'
        >>> _ = toolbox.remove("beep")
    """
    said = ToolOptions(**options)  # pyright: ignore[reportArgumentType]  the overload types them
    if function is None:
        return partial(_defined, options=said, replace=replace)
    return _defined(function, said, replace=replace)


def _defined(function: Callable[..., object], options: ToolOptions, *, replace: bool) -> Tool:
    made = _made(function, options)
    if is_unbound_method(made.function):
        return made  # it becomes a tool of each object, see `Tool.__get__`
    if defining() is not None and made.function.__module__ == "__main__":
        _ = made.parameters  # in a cell, a hint that says nothing fails where it stands
    return toolbox.add(made, replace=replace)


def _made(function: Callable[..., object], options: ToolOptions) -> Tool:
    if not is_tool(function):
        return Tool(function, options)
    return function if options == ToolOptions() else function.with_options(options)
