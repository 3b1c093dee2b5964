"""The six nodes of a flow: plain functions, called with what they ask for by name."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator, Mapping, MutableMapping
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from nbagents.anytool.flow.state import KEYS
from nbagents.errors import did_you_mean
from nbagents.narrowing import is_mapping
from nbagents.tools.context import Context, wrong

if TYPE_CHECKING:
    from nbagents.catalogue import Catalogue

Node: TypeAlias = Callable[..., Any]

GIVES: Final = {
    "extract_category": "categories",
    "get_apis": "apis",
    "select_api": "api",
    "extract_parameters": "parameters",
    "ask_missing": "parameters",
    "execute_request": "result",
}
"""What each node gives, in the order in which they are called."""
NODES: Final = tuple(GIVES)
MORE: Final = ("state", "catalogue", "ctx")
"""What a node may ask for beside what is known of the request."""


class Nodes(MutableMapping[str, Node]):
    """The functions of a flow, by name; each can be replaced, none added or taken away.

    Args:
        given: All of them.
    """

    def __init__(self, given: Mapping[str, Node]) -> None:
        self._own = dict(given)
        self._given = dict(given)

    def __getitem__(self, name: str) -> Node:
        if name not in self._given:
            raise KeyError(f"There is no node {name!r}.{did_you_mean(name, NODES)}")
        return self._given[name]

    def __setitem__(self, name: str, node: Node) -> None:
        """Put a function in the place of a node.

        Raises:
            ValueError: There is no such node, or this is no function that can be called as one.
        """
        if name not in self._given:
            raise ValueError(f"There is no node {name!r}.{did_you_mean(name, NODES)}")
        check_node(name, node)
        self._given[name] = node

    def __delitem__(self, name: str) -> None:
        """Put the node back that was there first."""
        self._given[name] = self._own[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._given)

    def __len__(self) -> int:
        return len(self._given)


def check_node(name: str, node: object) -> None:
    """See that a function can be called as a node.

    Raises:
        ValueError: It cannot; says what it may take.
    """
    how = f"give a function that takes any of {', '.join((*KEYS, *MORE))} by name."
    if not callable(node):
        raise wrong(f"The node {name!r}", node, how)
    for one in _required(node):
        if one.name not in (*KEYS, *MORE) and not _is_state(node, one):
            raise ValueError(f"The node {name!r} takes {one.name!r}, which no flow knows: {how}")


def arguments_of(
    node: Node, state: Mapping[str, Any], catalogue: Catalogue, ctx: Context
) -> tuple[list[object], dict[str, object]]:
    """With what a node is called."""
    known: dict[str, object] = {
        **{key: state.get(key) for key in KEYS},
        "state": dict(state),
        "catalogue": catalogue,
        "ctx": ctx,
    }
    args: list[object] = []
    named: dict[str, object] = {}
    for one in _parameters(node):
        if one.kind is one.VAR_KEYWORD:
            named |= {key: value for key, value in known.items() if key in KEYS}
        elif one.kind is one.VAR_POSITIONAL:
            continue
        elif one.annotation in (Context, "Context", "nbagents.Context", "nba.Context"):
            named[one.name] = ctx
        elif one.name in known and one.kind is not one.POSITIONAL_ONLY:
            named[one.name] = known[one.name]
        elif _is_state(node, one):
            args.append(dict(state))
    return args, named


def given_by(name: str, node: Node, value: object) -> object:
    """What a node gave: its value, also where it gave it as an update of the state."""
    takes_state = any(one.name == "state" or _is_state(node, one) for one in _parameters(node))
    key = GIVES[name]
    if not (takes_state and is_mapping(value)):
        return value
    is_update = key in value and set(value) <= {*KEYS, "result"}
    return value[key] if is_update else value


def _parameters(node: Node) -> list[inspect.Parameter]:
    return list(inspect.signature(node).parameters.values())


def _required(node: Node) -> list[inspect.Parameter]:
    several = (inspect.Parameter.VAR_KEYWORD, inspect.Parameter.VAR_POSITIONAL)
    return [
        one
        for one in _parameters(node)
        if one.default is one.empty
        and one.kind not in several
        and one.annotation not in (Context, "Context", "nbagents.Context", "nba.Context")
    ]


def _is_state(node: Node, one: inspect.Parameter) -> bool:
    """Whether it is a node's only parameter, of a name of its own: that is the whole state."""
    required = _required(node)
    is_only = len(required) == 1 and required[0].name == one.name
    return is_only and one.name not in (*KEYS, *MORE)
