"""The properties by which the members of a union are told apart."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TypeAlias

from pydantic import JsonValue
from pydantic_core import to_json

from nbagents.tools.references import is_schema, target_of

__all__ = ["tag_of", "union_tags"]

Schema: TypeAlias = dict[str, JsonValue]


def union_tags(root: Schema) -> dict[int, frozenset[str]]:
    """The properties by which unions tell their members apart, by member.

    A member's tag is never left out, although it may have a default: without it nothing could be
    told apart.
    """
    found: dict[int, frozenset[str]] = {}
    if b'"discriminator"' not in to_json(root):  # most have none
        return found
    for node in _all_nodes(root):
        if tag := tag_of(node):
            for one in (*_listed(node.get("oneOf", [])), *_listed(node.get("anyOf", []))):
                _mark(one, tag, root, found)
    return found


def _mark(
    branch: JsonValue, tag: frozenset[str], root: Schema, found: dict[int, frozenset[str]]
) -> None:
    ref = branch.get("$ref") if isinstance(branch, dict) else None
    target = target_of(ref, root) if isinstance(ref, str) else branch
    if is_schema(target) and not tag <= found.get(id(target), frozenset()):
        found[id(target)] = found.get(id(target), frozenset()) | tag
        for word in ("oneOf", "anyOf", "allOf"):
            for one in _listed(target.get(word, [])):
                _mark(one, tag, root, found)


def tag_of(node: Mapping[str, JsonValue]) -> frozenset[str]:
    """The property that tells a union's members apart, if it says one."""
    said = node.get("discriminator")
    name = said.get("propertyName") if isinstance(said, dict) else None
    return frozenset({name}) if isinstance(name, str) else frozenset()


def _all_nodes(value: JsonValue) -> Iterator[Schema]:
    if isinstance(value, dict):
        yield value
    for one in value.values() if isinstance(value, dict) else _listed(value):
        if isinstance(one, dict | list):
            yield from _all_nodes(one)


def _listed(value: JsonValue) -> list[JsonValue]:
    return value if isinstance(value, list) else []
