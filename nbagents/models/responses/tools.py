"""The tools of a Responses request, and what they are called there.

Most functions are sent under their own names, which every server takes. Where the request can
search its tools, the toolsets with deferred tools become namespaces: a model searches those best.

Source: OpenAI, guides, tool search, as of November 2026.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from types import MappingProxyType
from typing import TYPE_CHECKING

from nbagents.tools.tool import SEPARATOR

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from pydantic import JsonValue

    from nbagents.models.model import ToolSpec

SEARCH, COMPUTER = "tool_search", ("computer", "computer_use_preview")
INCLUDE = "include"
"""A key of `ToolSpec.hosted` that is no part of the tool: what the response shall hold of it."""

DESCRIPTION_LENGTH = 1000


@dataclass(frozen=True, slots=True)
class WireName:
    """A function's name on the wire."""

    name: str
    namespace: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class WiredTools:
    """The tools of a request as they are sent, and the way back from their names."""

    tools: tuple[JsonValue, ...] = ()
    include: tuple[str, ...] = ()
    computer: str = "computer"
    """What the tool that drives a computer is called here."""
    names: Mapping[str, WireName] = field(default_factory=lambda: MappingProxyType({}))
    """Wire names by names, where the request can search its tools."""

    def sent(self, name: str) -> WireName:
        """What a tool is called on the wire."""
        return self.names.get(name) or WireName(name)

    def received(self, name: str, namespace: str | None) -> str:
        """What a tool is called here."""
        if not namespace:
            return name
        wanted = WireName(name, namespace)
        for own, wire in self.names.items():
            if wire == wanted:
                return own
        return name if namespace == name else f"{namespace}{SEPARATOR}{name}"


def wired(specs: Sequence[ToolSpec]) -> WiredTools:
    """The tools of a request in the API's words."""
    is_searched = any(_type(spec) == SEARCH for spec in specs)
    spaces = _spaces(specs) if is_searched else {}
    names = {spec.name: _wire_name(spec, spaces) for spec in specs if is_searched}
    tools: list[JsonValue] = []
    for spec in specs:
        members = spaces.get(spec.toolset or "", ())
        if spec.hosted is not None:
            tools.append({key: one for key, one in spec.hosted.items() if key != INCLUDE})
        elif not members:
            tools.append(_function(spec, spec.name, defer=is_searched and spec.defer))
        elif spec is members[0]:
            tools.append(_namespace(members, names))
    return WiredTools(
        tools=tuple(tools),
        include=tuple(dict.fromkeys(_included(specs))),
        computer=next((spec.name for spec in specs if _type(spec) in COMPUTER), "computer"),
        names=MappingProxyType(names),
    )


def _type(spec: ToolSpec) -> JsonValue:
    return (spec.hosted or {}).get("type")


def _included(specs: Iterable[ToolSpec]) -> Iterable[str]:
    for spec in specs:
        wanted = (spec.hosted or {}).get(INCLUDE)
        if isinstance(wanted, list):
            yield from (one for one in wanted if isinstance(one, str))


def _spaces(specs: Sequence[ToolSpec]) -> dict[str, list[ToolSpec]]:
    """The toolsets that become namespaces, with their tools."""
    found: dict[str, list[ToolSpec]] = {
        spec.toolset: [] for spec in specs if spec.defer and spec.toolset and spec.hosted is None
    }
    for spec in specs:
        if spec.hosted is None and spec.toolset in found:
            found[spec.toolset].append(spec)
    return found


def _wire_name(spec: ToolSpec, spaces: Mapping[str, object]) -> WireName:
    if spec.toolset is None or spec.toolset not in spaces:
        # The API puts a deferred function of no namespace into one of its own name.
        return WireName(spec.name, spec.name if spec.defer else None)
    inner = spec.name.removeprefix(f"{spec.toolset}{SEPARATOR}")
    return WireName(spec.name if inner == spec.toolset else inner, spec.toolset)


def _namespace(specs: Sequence[ToolSpec], names: Mapping[str, WireName]) -> JsonValue:
    """A namespace; of its functions the model reads only the description until it searches."""
    lines = (f"{names[spec.name].name}: {_first_sentence(spec.description)}" for spec in specs)
    return {
        "type": "namespace",
        "name": specs[0].toolset,
        "description": "\n".join(lines)[:DESCRIPTION_LENGTH],
        "tools": [_function(spec, names[spec.name].name, defer=spec.defer) for spec in specs],
    }


def _first_sentence(text: str) -> str:
    line = " ".join(text.split())
    return line.partition(". ")[0]


def _function(spec: ToolSpec, name: str, *, defer: bool) -> JsonValue:
    function: dict[str, JsonValue] = {
        "type": "function",
        "name": name,
        "description": spec.description,
        "parameters": dict(spec.parameters),
        "strict": spec.strict,  # left out, the API would make the schema strict by itself
    }
    return {**function, "defer_loading": True} if defer else function
