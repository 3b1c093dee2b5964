"""`%tool --search WORDS`: finds among the tools, and in catalogues among the variables."""

from __future__ import annotations

import contextlib
import json
from typing import TYPE_CHECKING, Any, Final

from nbagents.catalogue import Catalogue
from nbagents.errors import ToolDefinitionError
from nbagents.notebook.catalogues import CatalogueView, example_arguments
from nbagents.notebook.options import OptionError
from nbagents.tools.tool import toolbox

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from nbagents.catalogue import Api

OWN: Final = "Tools"
"""The title of the tools that there are, beside catalogues, which go by their variables."""


def views_of_search(query: str, names: Mapping[str, Any]) -> Sequence[CatalogueView]:
    """A view for each that has hits; where none has, one that says so.

    Args:
        query: What is looked for.
        names: The person's variables.

    Raises:
        OptionError: There is nothing to search in.
    """
    tools = _tools()
    views = [CatalogueView(tools, query=query, title=OWN, example=_line)] if len(tools) else []
    views += [CatalogueView(one, query=query, title=name) for name, one in _catalogues(names)]
    if not views:
        raise OptionError(
            "There is nothing to search: %%tool above a cell makes tools, and a catalogue is"
            " searched where a variable holds one."
        )
    return [one for one in views if one.shown["rows"]] or views[:1]


def _tools() -> Catalogue:
    """The tools that there are; one of which nobody knows what it takes is in no catalogue."""
    found = Catalogue(cache=False)
    for tool in toolbox.values():
        with contextlib.suppress(ToolDefinitionError):
            found.add(tool)
    return found


def _catalogues(names: Mapping[str, Any]) -> list[tuple[str, Catalogue]]:
    """Each catalogue once, by the first of its names."""
    found: dict[int, tuple[str, Catalogue]] = {}
    for name, value in tuple(names.items()):
        if isinstance(value, Catalogue) and not name.startswith("_"):
            found.setdefault(id(value), (name, value))
    return list(found.values())


def _line(api: Api) -> str:
    """The line that calls a tool: `%tool weather {"city": "Oslo"}`."""
    given = example_arguments(api.parameters)
    return f"%tool {api.name} {json.dumps(given, ensure_ascii=False)}"
