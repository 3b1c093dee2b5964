"""The registry of tools by name: what is there, where it was defined, what may replace what."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from fnmatch import fnmatchcase
from typing import Protocol, runtime_checkable

from nbagents.errors import ToolConflictError, ToolNotFoundError
from nbagents.tools.context import Origin, defining
from nbagents.tools.tool.definition import Tool
from nbagents.tools.tool.tool_name import SEPARATOR


class UnknownToolError(ToolNotFoundError, KeyError):
    """No tool of this name is in the toolbox; a `KeyError` because a toolbox is a mapping."""

    __str__ = Exception.__str__  # KeyError's own puts the sentence into quotes


INSTEAD = "say so: `@nbagents.tool(replace=True)`, or toolbox.add(tool, replace=True)"


@runtime_checkable
class Group(Protocol):
    """A toolset, as far as a toolbox knows one."""

    def tools(self) -> Sequence[Tool]:
        """The tools as they are now."""
        ...


class Toolbox(Mapping[str, Tool]):
    """Tools by name, in the order in which their names were first defined.

    Example:
        >>> box = Toolbox()
        >>> def weather(city: str) -> str: ...
        >>> _ = box.add(Tool(weather))
        >>> list(box)
        ['weather']
    """

    def __init__(self) -> None:
        self._tools: dict[str, Tool] = {}
        self._origins: dict[str, Origin] = {}

    def __getitem__(self, name: str) -> Tool:
        try:
            return self._tools[name]
        except KeyError:
            raise UnknownToolError(name, tuple(self._tools)) from None

    def __iter__(self) -> Iterator[str]:
        return iter(tuple(self._tools))

    def __len__(self) -> int:
        return len(self._tools)

    def __repr__(self) -> str:
        return f"<Toolbox {', '.join(self._tools) or 'empty'}>"

    def add(self, tool: Tool, *, origin: Origin | None = None, replace: bool = False) -> Tool:
        """Register a tool under its name.

        Args:
            tool: The tool.
            origin: Where it was defined; `None`: the cell that runs, else the module.
            replace: Whether it may take the place of a tool from elsewhere.

        Raises:
            ToolConflictError: A tool of this name was defined elsewhere.
        """
        self.add_all([tool], origin=origin, replace=replace)
        return tool

    def add_all(
        self,
        tools: Iterable[Tool] | Group,
        *,
        origin: Origin | None = None,
        replace: bool = False,
        instead: str = INSTEAD,
    ) -> None:
        """Register several tools, or none of them where one is in conflict.

        Args:
            tools: The tools, or a toolset.
            origin: Where they were defined; `None`: the cell that runs, else the module.
            replace: Whether they may take the place of tools from elsewhere.
            instead: How to say that they may, where they may not.

        Raises:
            ToolConflictError: A tool of such a name was defined elsewhere.
        """
        members = tools.tools() if isinstance(tools, Group) else tools
        placed = [(one, origin or defining() or _module_of(one)) for one in members]
        if not replace:
            for tool, place in placed:
                self.refuse_conflict(tool.name, place, instead=instead)
        for tool, place in placed:
            self._tools[tool.name] = tool
            self._origins[tool.name] = place

    def remove(self, name: str) -> Tool:
        """Take a tool out.

        Raises:
            UnknownToolError: There is none of this name.
        """
        tool = self[name]
        del self._tools[name]
        del self._origins[name]
        return tool

    def remove_cell(self, cell_id: str, *, keep: Iterable[str] = ()) -> tuple[str, ...]:
        """Take out what one cell defined, because the cell is gone or defines it no more.

        Args:
            cell_id: The cell.
            keep: Names that the cell still defines.

        Returns:
            The names that are free now.
        """
        kept = set(keep)
        freed = tuple(
            name
            for name, origin in self._origins.items()
            if origin.cell_id == cell_id and name not in kept
        )
        for name in freed:
            self.remove(name)
        return freed

    def origin(self, name: str) -> Origin:
        """Where a tool was defined.

        Raises:
            UnknownToolError: There is none of this name.
        """
        return self._origins[self[name].name]

    def select(self, specs: Iterable[str]) -> tuple[Tool, ...]:
        """The tools that are meant, each once, in the order of the specs.

        Args:
            specs: Names, names of toolsets, patterns like `map*`, `all`, or `none`. What is private
                is in no pattern and not in `all`.

        Raises:
            UnknownToolError: A spec means no tool; the message names close ones.
        """
        names = [name for spec in specs for name in self._meant(spec.strip())]
        return tuple(self._tools[name] for name in dict.fromkeys(names))

    def _meant(self, spec: str) -> list[str]:
        if spec in self._tools:
            return [spec]
        if spec in {"", "none"}:
            return []
        if spec == "all":
            return self._matching("*")
        is_pattern = any(one in spec for one in "*?[")
        found = self._matching(spec) if is_pattern else self._members(spec)
        if not found:
            raise UnknownToolError(spec, self._known())
        return found

    def _matching(self, pattern: str) -> list[str]:
        return [
            name
            for name, tool in self._tools.items()
            if fnmatchcase(name, pattern) and not tool.options.private
        ]

    def _members(self, toolset: str) -> list[str]:
        return [name for name in self._tools if name.startswith(f"{toolset}{SEPARATOR}")]

    def _known(self) -> tuple[str, ...]:
        """Names and toolsets, in order."""
        toolsets = (name.partition(SEPARATOR)[0] for name in self._tools if SEPARATOR in name)
        return tuple(dict.fromkeys((*self._tools, *toolsets)))

    def refuse_conflict(self, name: str, origin: Origin, *, instead: str = INSTEAD) -> None:
        """See that a tool of this name may be defined here.

        Args:
            name: The tool's name.
            origin: Where it is defined now.
            instead: How to say that it takes the place of the other one.

        Raises:
            ToolConflictError: A tool of this name was defined elsewhere.
        """
        other = self._origins.get(name)
        if other is not None and other.cell_id != origin.cell_id:
            raise ToolConflictError(
                f"A tool {name!r} is already defined in {other.label}, and now also in "
                f"{origin.label}. Rename one of them; or, to put this one in its place, {instead}."
            )


def _module_of(tool: Tool) -> Origin:
    module = getattr(tool.function, "__module__", None) or "__main__"
    return Origin(cell_id=f"module:{module}", label=f"the module {module!r}")


toolbox = Toolbox()
"""The tools of this kernel: what `@tool` and `%%tool` define."""
