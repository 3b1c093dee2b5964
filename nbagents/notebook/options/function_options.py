"""What the options of `%%tool` say of the functions below it."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from nbagents.notebook.options.option import OptionError, said
from nbagents.notebook.options.tool_table import TOOL_OPTIONS
from nbagents.tools.tool import Tool, ToolOptions, is_tool, joined_name

if TYPE_CHECKING:
    from collections.abc import Mapping

CONTRADICTIONS = (("ask", "no-ask"), ("read-only", "destructive"))


@dataclass(frozen=True, slots=True, kw_only=True)
class CellOptions:
    """What is said of a whole cell."""

    names: tuple[str, ...] = ()
    """Which of its functions become tools; empty: all public ones."""
    said: Mapping[str, Any] = field(default_factory=dict[str, Any])  # Any: fields of ToolOptions
    replace: bool = False
    trial: str | None = None
    """The arguments to call it with once."""

    @property
    def wants_one(self) -> str | None:
        """The option that makes sense for one tool only, if such a one was given."""
        if self.trial is not None:
            return "--try"
        return "--name" if "name" in self.said else None

    def name_of(self, function_name: str) -> str:
        """How the tool of a function will be called.

        Raises:
            ToolDefinitionError: It is none that models take.
        """
        return joined_name(self.said.get("name") or function_name, self.said.get("toolset"))

    def tool_of(self, function: Any, name: str) -> Tool:
        """The tool of a function; one that is a tool already keeps what no option says."""
        if not is_tool(function):
            return Tool(function, replace(ToolOptions(name=name), **self.said))
        if not self.said:
            return function
        return function.with_options(replace(function.options, **self.said))


def read_cell_options(options: Mapping[str, list[str]], rest: str) -> CellOptions:
    """Read what stands after `%%tool`.

    Args:
        options: The options, by long name.
        rest: What follows them: names of functions.

    Raises:
        OptionError: Two of them contradict each other, or a value is none.
    """
    for one, other in CONTRADICTIONS:
        if one in options and other in options:
            raise OptionError(f"--{one} and --{other} contradict each other: write one of them.")
    return CellOptions(
        names=_names(rest),
        said=said(TOOL_OPTIONS, options, "field", {}),
        replace="replace" in options,
        trial=options.get("try", [None])[-1],
    )


def _names(rest: str) -> tuple[str, ...]:
    names = tuple(dict.fromkeys(rest.replace(",", " ").split()))
    for name in names:
        if not name.isidentifier():
            hint = " Quote the arguments of --try: --try 'city=Paris days=3'." * ("=" in name)
            raise OptionError(
                f"After its options %%tool takes names of functions, not {name!r}.{hint}"
            )
    return names
