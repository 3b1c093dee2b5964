"""OpenAI's strict mode: a JSON Schema written by its rules, or the reasons why it cannot be.

Source: OpenAI, guide "Structured outputs", section "Supported schemas" (as of 2026), and the API's
own refusals (`'default' is not permitted`, `'uri' is not a valid format`).
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, TypeAlias, cast

from pydantic import JsonValue

from nbagents.tools.nulls import admits_null, resolved_ref
from nbagents.tools.strict_limits import limits_broken

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

__all__ = ["strict_schema"]

Schema: TypeAlias = dict[str, JsonValue]

FORMATS = {"date-time", "time", "date", "duration", "email", "hostname", "ipv4", "ipv6", "uuid"}

SAID_INSTEAD = {
    "minLength": "at least {} characters",
    "maxLength": "at most {} characters",
    "uniqueItems": "no item twice",
    "format": "format {}",
    "pattern": "matching {}",
    "default": "default {}",
    "examples": "for example {}",
}
"""What strict mode refuses, but a description may say; pydantic checks it all the same."""

LEFT_OUT = {
    "$comment",
    "$id",
    "$schema",
    "contentEncoding",
    "contentMediaType",
    "deprecated",
    "discriminator",
    "example",
    "nullable",
    "readOnly",
    "title",
    "writeOnly",
}
"""What says nothing that a model needs."""

KEPT = {
    "$defs",
    "$ref",
    "additionalProperties",
    "anyOf",
    "const",
    "definitions",
    "description",
    "enum",
    "exclusiveMaximum",
    "exclusiveMinimum",
    "format",
    "items",
    "maxItems",
    "maximum",
    "minItems",
    "minimum",
    "multipleOf",
    "pattern",
    "properties",
    "required",
    "type",
}

LOOKAROUND = re.compile(r"\(\?(=|!|<=|<!)")


def strict_schema(schema: Mapping[str, JsonValue]) -> tuple[Schema | None, str | None]:
    """The schema by strict rules and `None`; or `None` and why there is no such schema, in words.

    Every object is closed and requires all of its properties; what was optional takes `null`.

    Args:
        schema: A JSON Schema of type object.
    """
    writer = _Writer(dict(schema))
    written = writer.root()
    reasons = writer.reasons or limits_broken(written)
    if reasons:
        return None, "; ".join(dict.fromkeys(reasons))
    return written, None


class _Writer:
    """Writes one schema anew and collects what stands in the way."""

    def __init__(self, root: Schema) -> None:
        self._root = root
        self.reasons: list[str] = []

    def root(self) -> Schema:
        """The whole schema."""
        if "anyOf" in self._root or "oneOf" in self._root:
            self.reasons.append("the parameters are a choice of several objects")
        root = {"type": "object", "properties": {}, **self._root}
        if not isinstance(root["properties"], dict):
            self.reasons.append("its properties are no object")
            return {}
        for group in ("$defs", "definitions"):
            if isinstance(inner := root.get(group), dict):
                root[group] = {name: self._node(one, f"{name!r}") for name, one in inner.items()}
        return self._node(root, "the tool")

    def _node(self, schema: JsonValue, where: str) -> Schema:
        if not isinstance(schema, dict):
            self.reasons.append(f"{where} takes anything")
            return {}
        node = self._plain(schema, where)
        if "$ref" in node:
            return self._reference(node, where)
        if not node.keys() & {"type", "anyOf", "enum", "const"}:
            self.reasons.append(f"{where} takes anything")
        if "anyOf" in node:
            node["anyOf"] = [self._node(one, where) for one in _listed(node["anyOf"])]
        if "object" in _kinds(node):
            self._close(node, where)
        if "array" in _kinds(node):
            self._fix_items(node, where)
        return node

    def _plain(self, schema: Schema, where: str) -> Schema:
        """Without what strict mode refuses: said in words, left out, or a reason."""
        node = dict(schema)
        if "oneOf" in node:
            node["anyOf"] = node.pop("oneOf")
        only = _listed(node.get("allOf", []))
        if len(only) == 1 and isinstance(only[0], dict):
            del node["allOf"]
            node = {**only[0], **node}
        self._unify_tuple(node)
        words: list[str] = []
        for word in [one for one in node if one not in KEPT or _is_refused(one, node[one])]:
            value = node.pop(word)
            if word in SAID_INSTEAD:
                words.extend(_said(word, value))
            elif word not in LEFT_OUT:
                self.reasons.append(f"{where} uses {word!r}")
        return _with_words(node, words)

    def _reference(self, node: Schema, where: str) -> Schema:
        target = resolved_ref(node, self._root)
        if "$ref" in target:
            self.reasons.append(f"{where} refers to {node['$ref']!r}, which is not in the schema")
        about = {word: node[word] for word in node if word != "$ref"}
        # Nothing may stand beside a reference, so what describes it goes around it.
        return {"anyOf": [{"$ref": node["$ref"]}], **about} if about else node

    def _close(self, node: Schema, where: str) -> None:
        properties = node.get("properties")
        if node.get("additionalProperties", False) is not False or (
            not isinstance(properties, dict)
        ):
            self.reasons.append(f"{where} takes keys that are not known beforehand")
            return
        required = set(cast("list[str]", node.get("required", [])))
        node["properties"] = {
            name: self._property(one, name, is_required=name in required)
            for name, one in properties.items()
        }
        node["required"] = list(properties)
        node["additionalProperties"] = False

    def _property(self, schema: JsonValue, name: str, *, is_required: bool) -> Schema:
        node = self._node(schema, f"{name!r}")
        if is_required or admits_null(schema, self._root):
            return node
        description = node.pop("description", None)
        branches = _listed(node["anyOf"]) if set(node) == {"anyOf"} else [node]
        nullable: Schema = {"anyOf": [*branches, {"type": "null"}]}
        return nullable if description is None else {**nullable, "description": description}

    def _fix_items(self, node: Schema, where: str) -> None:
        if "items" not in node:
            self.reasons.append(f"the items of {where} can be anything")
            return
        node["items"] = self._node(node["items"], f"an item of {where}")

    def _unify_tuple(self, node: Schema) -> None:
        """A tuple of one type throughout, e.g. (lon, lat), is a list of fixed length."""
        first, *rest = _listed(node.get("prefixItems", [])) or [None]
        if first is not None and all(one == first for one in rest):
            size = len(rest) + 1
            if node.get("minItems") == node.get("maxItems") == size:
                del node["prefixItems"]
                node["items"] = first


def _listed(value: JsonValue) -> list[JsonValue]:
    return value if isinstance(value, list) else []


def _kinds(node: Schema) -> list[JsonValue]:
    kinds = node.get("type")
    return kinds if isinstance(kinds, list) else [kinds]


def _is_refused(word: str, value: JsonValue) -> bool:
    if word == "format":
        return value not in FORMATS
    return word == "pattern" and bool(LOOKAROUND.search(str(value)))


def _said(word: str, value: JsonValue) -> Iterable[str]:
    if value is None or value is False or value == []:
        return ()
    shown = ", ".join(map(repr, value)) if isinstance(value, list) else _shown(value)
    return (SAID_INSTEAD[word].format(shown),)


def _shown(value: JsonValue) -> str:
    if value is True:
        return "true"
    return f"{value!r}" if isinstance(value, str) else str(value)


def _with_words(node: Schema, words: list[str]) -> Schema:
    if not words:
        return node
    sentence = ", ".join(words) + "."
    sentence = sentence[0].upper() + sentence[1:]
    described = str(node.get("description", "")).rstrip()
    stop = "" if not described or described.endswith((".", "!", "?", ":")) else "."
    node["description"] = f"{described}{stop} {sentence}".lstrip()
    return node
