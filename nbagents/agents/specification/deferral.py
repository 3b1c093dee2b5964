"""Which of an agent's tools its model is not shown: those of catalogues that are large."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final, TypeGuard

from nbagents.errors import ToolDefinitionError
from nbagents.runs.policy import FinalCall, StopAt
from nbagents.runs.shelf import PER_TOKEN
from nbagents.tools.tool import Tool, ToolSearch

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from nbagents.catalogue import Catalogue
    from nbagents.runs.shelf import Shelf
    from nbagents.tools.tool import ToolLike

MOST_TOOLS: Final = 30
"""Of more, a model chooses worse. Source: Anthropic, tool search; GitHub, Copilot CLI."""
FINDABLE: Final = ("append", "bridge")
"""Where a model finds; code knows the names of what it calls."""
SHARE: Final = 10
"""A tenth of what a model can read at once is the most that deferrable tools may take."""


def parted(things: Iterable[ToolLike]) -> tuple[Sequence[ToolLike], Sequence[Catalogue]]:
    """What a model is offered, and the catalogues that it searches.

    A catalogue whose tools are few stays among what is offered; one whose search the provider
    makes is offered as its tools, each to be loaded when it is found.

    Raises:
        ValueError: Catalogues say different things of how their tools are found.
        ToolDefinitionError: Two of them call different tools by the same name.
    """
    given = tuple(things)
    catalogues = [one for one in given if is_catalogue(one)]
    if not catalogues:
        return given, ()
    deferred = _deferred(catalogues)
    ways = sorted({one.found for one in deferred})
    if len(ways) > 1:
        raise ValueError(
            f"One run finds its tools in one way, and its catalogues say {' and '.join(ways)}: "
            "give all of them the same `found`, or put them into one Catalogue."
        )
    _refuse_clashes(deferred)
    offered = [one for one in given if not any(one is each for each in deferred)]
    if ways == ["native"]:
        return [*offered, *_native(deferred, offered)], ()
    return offered, deferred


def is_catalogue(thing: object) -> TypeGuard[Catalogue]:
    """Whether this is a catalogue: asked of each tool, so it loads nothing."""
    kind = type(thing)
    return hasattr(kind, "tool_of") and hasattr(kind, "search")


def _deferred(catalogues: Sequence[Catalogue]) -> list[Catalogue]:
    automatic = [one for one in catalogues if one.defer == "auto"]
    is_large = sum(map(len, automatic)) > MOST_TOOLS or any(map(_fills_window, automatic))
    return [
        one for one in catalogues if one.defer == "always" or (one.defer == "auto" and is_large)
    ]


def _refuse_clashes(catalogues: Sequence[Catalogue]) -> None:
    homes: dict[str, Catalogue] = {}
    for one in catalogues if len(catalogues) > 1 else ():
        for name in one.names:
            home = homes.setdefault(name, one)
            if home is not one and not _is_same(home.tool_of(name), one.tool_of(name)):
                raise ToolDefinitionError(
                    f"Two catalogues have a tool called {name!r}: take it out of one of them, or "
                    "put both into one Catalogue, which tells them apart."
                )


def _is_same(one: Tool, other: Tool) -> bool:
    return one is other or one.is_same(other)


def _fills_window(catalogue: Catalogue) -> bool:
    """Whether its definitions would take more than their share of what the model can read."""
    window = catalogue.context_tokens
    if window is None:
        return False
    told = (json.dumps(one, ensure_ascii=False) for one in catalogue.describe(*catalogue.names))
    return sum(map(len, told)) * SHARE > window * PER_TOKEN


def _native(catalogues: Sequence[Catalogue], offered: Sequence[ToolLike]) -> list[ToolLike]:
    tools = [tool for one in catalogues for tool in one.tools()]
    found: list[ToolLike] = [tool.with_options(replace(tool.options, defer=True)) for tool in tools]
    has_search = any(isinstance(one, ToolSearch) for one in offered)
    return found if has_search else [*found, ToolSearch()]


def shelf_of(
    catalogues: Sequence[Catalogue],
    may: Callable[[Tool], bool] | None,
    offer_of: Callable[[Tool], Callable[..., object] | None],
) -> Shelf:
    """The shelf of a run."""
    from nbagents.runs.shelf import Finders, Shelf

    found = catalogues[0].found
    shelf = Shelf(catalogues, found=found, may=may or _may_all, offer_of=offer_of)
    if found in FINDABLE:
        shelf.finders = Finders(shelf).tools
    return shelf


def _may_all(tool: Tool) -> bool:
    del tool
    return True


def loaded_by_name(shelf: Shelf, named: Iterable[Any]) -> dict[str, Tool]:
    """The tools of a shelf that an agent names itself: they are offered from the beginning.

    Args:
        shelf: The shelf.
        named: What may name some: a choice, the call at a limit, or where a run stops.
    """
    names = [name for one in named for name in _names(one)]
    shelf.load(names)
    return {tool.name: tool for tool in shelf.loaded}


def _names(one: object) -> Sequence[str]:
    if isinstance(one, str):
        return (one,)
    if isinstance(one, FinalCall):
        return (one.name,)
    return one.names if isinstance(one, StopAt) else ()
