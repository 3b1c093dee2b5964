"""What of a run's tools was found before, as its tree tells it: what goes on needs them again."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from nbagents.narrowing import dict_of, list_of
from nbagents.runs.shelf.hits import LOADED, NAME

if TYPE_CHECKING:
    from nbagents.runs.tree import CallNode, RunNode


def found_before(nodes: Iterable[RunNode]) -> tuple[str, ...]:
    """The names of tools that the model of a run was offered, or told that it may call, in order.

    Args:
        nodes: The run, and those that it goes on with, the oldest first.
    """
    return tuple(dict.fromkeys(name for node in nodes for name in _found(node)))


def _found(node: RunNode) -> Iterator[str]:
    for request in node["requests"]:
        yield from request["tools"]
    for call in node["calls"].values():
        yield from _loaded_by(call)


def _loaded_by(call: CallNode) -> Iterator[str]:
    """The tools that a search has loaded: its table says which."""
    for one in call["payloads"]:
        value = dict_of(one["payload"].get("value"))
        columns = list_of(value.get("columns"))
        if LOADED in columns and NAME in columns:
            at, name = columns.index(LOADED), columns.index(NAME)
            yield from (row[name] for row in value["rows"] if row[at])
