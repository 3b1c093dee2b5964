"""Which cell of the notebook defines a tool now."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from nbagents.tools.tool import toolbox

if TYPE_CHECKING:
    from nbagents.tools.tool import Tool

NO_CELL: Final = ("source:", "module:")
"""How the ids of origins begin which no front end has given."""


def cell_of(tool: Tool) -> str | None:
    """The cell that defines a tool, by the id that the front end knows it by."""
    if tool.name not in tuple(toolbox) or toolbox[tool.name].function is not tool.function:
        return None
    cell_id = toolbox.origin(tool.name).cell_id
    return None if cell_id.startswith(NO_CELL) else cell_id
