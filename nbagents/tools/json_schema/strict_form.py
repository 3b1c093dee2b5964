"""OpenAI's strict mode: a JSON Schema written by its rules, or the reasons why it cannot be.

Long: these are the rules of one page of one provider; its limits stand last.

Source: OpenAI, guide "Structured outputs", section "Supported schemas" (as of 2026), and the API's
own refusals (`'default' is not permitted`, `'uri' is not a valid format`).
"""

from __future__ import annotations

import re

from pydantic import JsonValue
from pydantic_core import to_json

from nbagents.narrowing import dict_of, list_of
from nbagents.tools.json_schema.coercion import has_kind
from nbagents.tools.json_schema.flat_schema import CannotFlattenError, flat, is_same
from nbagents.tools.json_schema.null_meaning import admits_null
from nbagents.tools.json_schema.reference import (
    DEFINITIONS,
    NOTES,
    REFERENCE,
    Schema,
    Written,
    all_schemas,
    inner_schemas,
    is_schema,
    kinds_of,
    resolved_ref,
    target_of,
)

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

KEPT = {
    "$ref",
    "additionalProperties",
    "anyOf",
    "const",
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

OTHER = re.compile(r"[^A-Za-z0-9_.-]")
MAX_WALK, MAX_NODES = 60, 20_000
KINDS: dict[type, str] = {
    bool: "boolean",
    int: "integer",
    float: "number",
    str: "string",
    type(None): "null",
}

LOOKAROUND = re.compile(r"\(\?(=|!|<=|<!)")

MAX_PROPERTIES = 5_000
MAX_DEPTH = 10
MAX_ENUM_VALUES = 1_000
MANY_CHOICES, MAX_CHOICE_TEXT = 250, 15_000
"""A property with more values than the first may have no more characters in all of them."""
MAX_TEXT = 120_000
"""Characters of all names of properties and definitions, and of enum and const values."""


def strict_schema(schema: Schema) -> tuple[Written | None, str | None]:
    """The schema by strict rules and `None`; or `None` and why there is no such schema, in words.

    Every object is closed and requires all of its properties; what was optional takes `null`.

    Args:
        schema: A JSON Written of type object.
    """
    writer = _Writer(dict(schema))
    written = writer.root()
    reasons = writer.reasons or _limits_broken(written)
    if reasons:
        return None, "; ".join(dict.fromkeys(reasons))
    return written, None


class _Writer:
    """Writes one schema anew and collects what stands in the way."""

    def __init__(self, root: Written) -> None:
        self._root = root
        self._labels: dict[int, str] = {}
        """What the definitions are called, by the objects that were given."""
        self._definitions: Written = {}
        self._waiting: list[tuple[str, Schema]] = []
        self._tags = _union_tags(root)
        self._depth = self._nodes = 0
        self.reasons: list[str] = []

    def root(self) -> Written:
        """The whole schema."""
        root = self._whole()
        if "anyOf" in root:
            self.reasons.append("the parameters are a choice of several objects")
            return {}
        root = {"type": "object", "properties": {}, **root}
        if not isinstance(root["properties"], dict):
            self.reasons.append("its properties are no object")
            return {}
        is_put_together = any(word in self._root for word in ("$ref", "allOf", "anyOf", "oneOf"))
        if is_put_together and not root["properties"] and "additionalProperties" not in root:
            root["additionalProperties"] = True  # closed, it would take nothing at all
        written = self._node(root, "the tool", self._tags.get(id(self._root), frozenset()))
        return self._with_definitions(written)

    def _whole(self) -> Written:
        """The root, which may refer to a definition, without the definitions."""
        root: Schema = self._root
        try:
            root = flat(root, self._root)
            while "$ref" in root and is_schema(target := self._target(root, "the tool")):
                notes = {word: root[word] for word in root if word not in ("$ref", *DEFINITIONS)}
                self._tags.setdefault(id(self._root), self._tags.get(id(target), frozenset()))
                root = {**flat(target, self._root), **notes}
        except CannotFlattenError as error:
            self.reasons.append(f"the tool {error}")
        choices = list_of(root.get("anyOf"))
        if len(choices) == 1 and is_schema(choices[0]):
            rest = {word: root[word] for word in root if word != "anyOf"}
            root = {**flat(choices[0], self._root), **rest}
        return {word: root[word] for word in root if word not in DEFINITIONS}

    def _with_definitions(self, written: Written) -> Written:
        """Those that are referred to, in the order in which they were given."""
        while self._waiting:
            name, target = self._waiting.pop()
            tags = self._tags.get(id(target), frozenset())
            self._definitions[name] = self._node(dict(target), f"{name!r}", tags)
        if not self._definitions:
            return written
        given = [name for word in DEFINITIONS for name in dict_of(self._root.get(word))]
        order = [name for name in given if name in self._definitions]
        order += [name for name in self._definitions if name not in given]
        definitions: Written = {name: self._definitions[name] for name in order}
        head = {word: written[word] for word in ("type", "properties") if word in written}
        return {**head, "$defs": definitions, **written}

    def _node(self, schema: JsonValue, where: str, tags: frozenset[str] = frozenset()) -> Written:
        self._nodes += 1
        if not isinstance(schema, dict):
            self.reasons.append(f"{where} takes anything")
            return {}
        if self._depth > MAX_WALK or self._nodes > MAX_NODES:
            self.reasons.append(f"{where} has no end")
            return {}
        self._depth += 1
        try:
            return self._written(flat(schema, self._root), where, tags)
        except CannotFlattenError as error:
            self.reasons.append(f"{where} {error}")
            return {}
        finally:
            self._depth -= 1

    def _written(self, schema: Written, where: str, tags: frozenset[str]) -> Written:
        node = self._plain(schema, where)
        if "$ref" in node:
            return self._reference(node, where)
        _say_type(node)
        if "type" in node and not all(has_kind(one, kinds_of(node)) for one in _values(node)):
            self.reasons.append(f"{where} has values that are not of its type")
        if not node.keys() & {"type", "anyOf"}:
            self.reasons.append(f"{where} takes anything")
        if "anyOf" in node:
            tags |= _tag_of(schema)
            node["anyOf"] = [self._node(one, where, tags) for one in list_of(node["anyOf"])]
        if "object" in kinds_of(node):
            self._close(node, where, tags)
        if "array" in kinds_of(node):
            self._fix_items(node, where)
        return node

    def _plain(self, schema: Written, where: str) -> Written:
        """Without what strict mode refuses: said in words, left out, or a reason."""
        node = dict(schema)
        self._unify_tuple(node)
        words: list[str] = []
        for word in [one for one in node if one not in KEPT or _is_refused(one, node[one])]:
            value = node.pop(word)
            if word in SAID_INSTEAD:
                words.extend(_said(word, value))
            elif word not in NOTES and word not in DEFINITIONS:
                self.reasons.append(f"{where} uses {word!r}")
        return _with_words(node, words)

    def _reference(self, node: Written, where: str) -> Written:
        target = self._target(node, where)
        label = self._label(target, str(node["$ref"])) if is_schema(target) else ""
        about = {word: node[word] for word in node if word != "$ref"}
        plain: Written = {"$ref": label}
        # Nothing may stand beside a reference, so what describes it goes around it.
        return {"anyOf": [plain], **about} if about else plain

    def _target(self, node: Schema, where: str) -> Schema | None:
        """What a node refers to, also over several steps, none of which says more."""
        seen: list[JsonValue] = []
        found: object = node
        while is_schema(found) and "$ref" in found and set(found) <= REFERENCE:
            ref = found["$ref"]
            found = target_of(ref, self._root) if isinstance(ref, str) else None
            if found is None or ref in seen:
                ref = node["$ref"]
                self.reasons.append(f"{where} refers to {ref!r}, which is not in the schema")
                return None
            seen.append(ref)
        return found if is_schema(found) else None

    def _label(self, target: Schema, ref: str) -> str:
        """How a definition is referred to; when it is first met, it waits to be written."""
        if target is self._root:
            return "#"
        if id(target) not in self._labels:
            name = OTHER.sub("_", self._name(target, ref)) or "definition"
            while name in self._definitions:
                name += "_"
            self._labels[id(target)] = name
            self._definitions[name] = {}
            self._waiting.append((name, target))
        return f"#/$defs/{self._labels[id(target)]}"

    def _name(self, target: Schema, ref: str) -> str:
        for word in DEFINITIONS:
            for name, one in dict_of(self._root.get(word)).items():
                if one is target:
                    return name
        return ref.rpartition("/")[2].removeprefix("#")

    def _close(self, node: Written, where: str, tags: frozenset[str]) -> None:
        properties = node.get("properties")
        if node.get("additionalProperties", False) is not False or (
            not isinstance(properties, dict)
        ):
            self.reasons.append(f"{where} takes keys that are not known beforehand")
            return
        required = dict.fromkeys(list_of(node.get("required")))
        for name in (one for one in required if one not in properties):
            self.reasons.append(f"{where} requires {name!r}, of which nothing is said")
        node["properties"] = {
            name: self._property(one, name, is_required=name in required or name in tags)
            for name, one in properties.items()
        }
        node["required"] = list(properties)
        node["additionalProperties"] = False

    def _property(self, schema: JsonValue, name: str, *, is_required: bool) -> Written:
        node = self._node(schema, f"{name!r}")
        if is_required or _is_constant(schema) or admits_null(schema, self._root):
            return node
        description = node.pop("description", None)
        branches = list_of(node["anyOf"]) if set(node) == {"anyOf"} else [node]
        nullable: Written = {"anyOf": [*branches, {"type": "null"}]}
        return nullable if description is None else {**nullable, "description": description}

    def _fix_items(self, node: Written, where: str) -> None:
        if "items" not in node:
            self.reasons.append(f"the items of {where} can be anything")
            return
        node["items"] = self._node(node["items"], f"an item of {where}")

    def _unify_tuple(self, node: Written) -> None:
        """A tuple of one type throughout, e.g. (lon, lat), is a list of fixed length."""
        first, *rest = list_of(node.get("prefixItems")) or [None]
        if first is not None and all(one == first for one in rest):
            size = len(rest) + 1
            if node.get("minItems") == node.get("maxItems") == size:
                del node["prefixItems"]
                node["items"] = first


def _is_constant(schema: JsonValue) -> bool:
    """Whether a property can only be its default, so that it need not be left out."""
    if not isinstance(schema, dict) or "default" not in schema:
        return False
    only = _values(schema)
    return len(only) == 1 and is_same(only[0], schema["default"])


def _values(node: Schema) -> list[JsonValue]:
    return [node["const"]] if "const" in node else list_of(node.get("enum"))


def _say_type(node: Written) -> None:
    """What a choice of values leaves unsaid: their types; and that what has items is a list."""
    if "type" in node or "anyOf" in node:
        return
    values = _values(node)
    kinds = list(dict.fromkeys(KINDS.get(type(one), "") for one in values))
    if "number" in kinds and "integer" in kinds:
        kinds.remove("integer")
    if kinds and "" not in kinds:
        node["type"] = kinds[0] if len(kinds) == 1 else [*kinds]
    elif "properties" in node:
        node["type"] = "object"
    elif "items" in node:
        node["type"] = "array"


def _is_refused(word: str, value: JsonValue) -> bool:
    if word == "format":
        return value not in FORMATS
    return word == "pattern" and bool(LOOKAROUND.search(str(value)))


def _said(word: str, value: JsonValue) -> tuple[str, ...]:
    if value is None or value is False or value == []:
        return ()
    shown = ", ".join(map(repr, value)) if isinstance(value, list) else _shown(value)
    return (SAID_INSTEAD[word].format(shown),)


def _shown(value: JsonValue) -> str:
    if value is True:
        return "true"
    return f"{value!r}" if isinstance(value, str) else str(value)


def _with_words(node: Written, words: list[str]) -> Written:
    if not words:
        return node
    sentence = ", ".join(words) + "."
    sentence = sentence[0].upper() + sentence[1:]
    described = str(node.get("description", "")).rstrip()
    stop = "" if not described or described.endswith((".", "!", "?", ":")) else "."
    node["description"] = f"{described}{stop} {sentence}".lstrip()
    return node


def _union_tags(root: Written) -> dict[int, frozenset[str]]:
    """The properties by which unions tell their members apart, by member.

    A member's tag is never left out, although it may have a default: without it nothing could be
    told apart.
    """
    found: dict[int, frozenset[str]] = {}
    if b'"discriminator"' not in to_json(root):  # most have none
        return found
    for _, node in all_schemas(root):
        if tag := _tag_of(node):
            for one in (*list_of(node.get("oneOf")), *list_of(node.get("anyOf"))):
                _mark(one, tag, root, found)
    return found


def _mark(
    branch: JsonValue, tag: frozenset[str], root: Written, found: dict[int, frozenset[str]]
) -> None:
    ref = branch.get("$ref") if isinstance(branch, dict) else None
    target = target_of(ref, root) if isinstance(ref, str) else branch
    if is_schema(target) and not tag <= found.get(id(target), frozenset()):
        found[id(target)] = found.get(id(target), frozenset()) | tag
        for word in ("oneOf", "anyOf", "allOf"):
            for one in list_of(target.get(word)):
                _mark(one, tag, root, found)


def _tag_of(node: Schema) -> frozenset[str]:
    """The property that tells a union's members apart, if it says one."""
    name = dict_of(node.get("discriminator")).get("propertyName")
    return frozenset({name}) if isinstance(name, str) else frozenset()


def _limits_broken(schema: Schema) -> list[str]:
    """Each limit that a strict schema breaks, in words."""
    written = to_json(schema)
    if len(written) < MAX_ENUM_VALUES and written.count(b'"properties"') <= MAX_DEPTH:
        return []  # most are so small
    nodes = [node for _, node in all_schemas(schema)]
    properties = [name for node in nodes for name in dict_of(node.get("properties"))]
    labels = [name for node in nodes for name in dict_of(node.get("$defs"))]
    choices = [one for node in nodes for one in list_of(node.get("enum"))]
    constants = [node["const"] for node in nodes if "const" in node]
    text = sum(len(str(one)) for one in (*properties, *labels, *choices, *constants))
    broken = {
        f"it has more than {MAX_PROPERTIES} properties": len(properties) > MAX_PROPERTIES,
        f"it has more than {MAX_ENUM_VALUES} enum values": len(choices) > MAX_ENUM_VALUES,
        f"its names and values have more than {MAX_TEXT} characters": text > MAX_TEXT,
        f"one choice has more than {MAX_CHOICE_TEXT} characters": any(map(_is_long, nodes)),
        f"it nests more than {MAX_DEPTH} objects": _depth(schema, schema, {}) > MAX_DEPTH,
    }
    return [reason for reason, is_broken in broken.items() if is_broken]


def _is_long(node: Schema) -> bool:
    texts = [one for one in list_of(node.get("enum")) if isinstance(one, str)]
    return len(texts) > MANY_CHOICES and sum(map(len, texts)) > MAX_CHOICE_TEXT


def _depth(schema: Schema, root: Schema, known: dict[int, int]) -> int:
    """Objects inside of objects; what refers to itself counts once, and is looked at once."""
    node = resolved_ref(schema, root)
    if id(node) not in known:
        known[id(node)] = 0
        inner = [one for _, one in inner_schemas(node) if is_schema(one)]
        below = max((_depth(one, root, known) for one in inner), default=0)
        known[id(node)] = below + (1 if "properties" in node else 0)
    return known[id(node)]
