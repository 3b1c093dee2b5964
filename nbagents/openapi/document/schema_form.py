"""Schemas of a document as JSON Schema for a model: references as `$defs`, recursion kept.

What 3.0 says in its own words (`nullable`, a true `exclusiveMinimum`) is said as JSON Schema says
it, what a request may not hold (`readOnly`) is left out, and of a schema with a keyword whose value
makes no sense only that keyword: real documents have many, and each would cost the operation.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final, Literal, TypeAlias, TypeGuard

from nbagents.narrowing import dict_of, is_dict, is_list, list_of
from nbagents.openapi.document.fault import DocumentError
from nbagents.openapi.document.pattern import is_usable

if TYPE_CHECKING:
    from nbagents.openapi.document.document import Document, Node

MAX_DEPTH: Final = 100
MAX_NODES: Final = 50_000
"""Schemas in one operation; aliases of YAML can say a great many in a few lines."""
MAX_EXAMPLE: Final = 60
LARGEST: Final = 10**300
"""A whole number beyond is no limit of anything, and no number to most that read JSON."""
LEVELS: Final = 2
"""A whole, and its fields: so deep bytes are given as such. What is deeper is JSON."""

Takes: TypeAlias = Literal["json", "fields"]

TYPES: Final = frozenset(("string", "number", "integer", "boolean", "array", "object", "null"))
CHOICES: Final = ("allOf", "anyOf", "oneOf")
CHILDREN: Final = ("items", "additionalProperties", "not", "contains", "propertyNames")
CHILDREN_BY_NAME: Final = ("properties", "patternProperties")

NOTES: Final = frozenset(("title", "description", "examples", "deprecated"))
"""Keywords that ask for nothing."""
BINARY: Final[Node] = {
    "type": "object",
    "description": "Bytes: one of base64, text, and handle (the name of a live object that holds "
    "them).",
    "properties": {
        "base64": {"type": "string"},
        "text": {"type": "string"},
        "handle": {"type": "string"},
        "filename": {"type": "string"},
        "media_type": {"type": "string"},
    },
    "additionalProperties": False,
}
"""How a model gives bytes, which JSON cannot carry."""


def _is_number(value: object) -> TypeGuard[float]:
    if isinstance(value, int):
        return not isinstance(value, bool) and abs(value) < LARGEST
    return isinstance(value, float) and math.isfinite(value)


def _is_count(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value >= 0


def _is_short(value: object) -> bool:
    return isinstance(value, (str, int, float, bool)) and len(str(value)) <= MAX_EXAMPLE


KEPT: Final[Mapping[str, Callable[[object], bool]]] = {
    **dict.fromkeys(("minimum", "maximum"), _is_number),
    "multipleOf": lambda value: _is_number(value) and value > 0,
    **dict.fromkeys(
        ("minLength", "maxLength", "minItems", "maxItems", "minProperties", "maxProperties"),
        _is_count,
    ),
    "pattern": is_usable,
    **dict.fromkeys(("uniqueItems", "deprecated"), lambda value: value is True),
    "enum": lambda value: bool(list_of(value)),
    **dict.fromkeys(("const", "default"), lambda _: True),
    **dict.fromkeys(
        ("title", "description", "format", "contentEncoding", "contentMediaType"),
        lambda value: isinstance(value, str) and bool(value),
    ),
}
"""Keywords that stay, where their value makes sense."""


@dataclass(frozen=True, slots=True)
class WrittenSchema:
    """A schema of a document, as a model is told of it."""

    schema: Node
    is_binary: bool = False
    """Whether it asks for bytes."""
    binary_fields: frozenset[str] = frozenset()
    """The fields that may be given as bytes."""
    fields: frozenset[str] = frozenset()
    """Those that are named."""
    binary_others: bool = False
    """Whether those that are not named may be given as bytes."""


@dataclass(slots=True)
class SchemaForm:
    """Writes schemas of one operation anew; what they refer to comes into `definitions`.

    Args:
        document: Where references lead.
    """

    document: Document
    definitions: dict[str, Node] = field(default_factory=dict[str, "Node"])
    """By name, as `$defs` of the whole."""
    _names: dict[tuple[str, int], str] = field(default_factory=dict[tuple[str, int], str])
    _nodes: int = 0

    def written(self, schema: object, where: str, takes: Takes = "json") -> WrittenSchema:
        """A schema as JSON Schema.

        Args:
            schema: As it stands in the document.
            where: Its place there.
            takes: Where a binary string is given as bytes: nowhere within JSON, as a field of a
                form, or only as the whole.

        Raises:
            DocumentError: It is no schema, refers to nothing, or to nothing but itself.
        """
        if self.is_binary(schema, where):
            return WrittenSchema(dict(BINARY), is_binary=True)
        made = self._form(schema, where, 0, takes=LEVELS if takes == "fields" else 0)
        parts = list(self._with_parts(made))
        named = [pair for one in parts for pair in one.get("properties", {}).items()]
        others = [other for one in parts if (other := one.get("additionalProperties"))]
        return WrittenSchema(
            made,
            binary_fields=frozenset(name for name, one in named if self._may_be_bytes(one)),
            fields=frozenset(name for name, _ in named),
            binary_others=any(self._may_be_bytes(one) for one in others if one is not True),
        )

    def _may_be_bytes(self, schema: Node) -> bool:
        return any(map(_is_bytes, self._with_parts(schema)))

    def _with_parts(self, schema: Node) -> Iterator[Node]:
        """A written schema and what it is made of, each once."""
        waiting, seen = [schema], set[int]()
        while waiting:
            node = waiting.pop()
            if id(node) in seen:
                continue
            seen.add(id(node))
            yield node
            if isinstance(ref := node.get("$ref"), str):
                waiting.append(self.definitions[ref.rpartition("/")[2]])
            for word in CHOICES:
                waiting.extend(node.get(word, ()))

    def is_binary(self, schema: object, where: str) -> bool:
        """Whether a schema asks for bytes: in 3.0 by its format, in 3.1 by its content."""
        found, _ = self.document.resolved(schema, where)
        node = dict_of(found)
        if len(several := list_of(node.get("allOf"))) == 1:
            return self.is_binary(several[0], where)
        if node.get("type") == "file":
            return True
        if node.get("type", "string") not in ("string", ["string"], ["string", "null"]):
            return False
        is_coded = "contentEncoding" in node
        return node.get("format") == "binary" or ("contentMediaType" in node and not is_coded)

    def _form(
        self,
        schema: object,
        where: str,
        depth: int,
        *,
        takes: int,
        left_out: frozenset[str] = frozenset(),
    ) -> Node:
        self._nodes += 1
        if depth > MAX_DEPTH or self._nodes > MAX_NODES:
            raise DocumentError(where, "the schema is nested too deeply, or too large")
        if isinstance(schema, bool):
            return {} if schema else {"not": {}}
        if not is_dict(schema):
            raise DocumentError(where, f"a schema is {_shown(schema)}, and no object")
        node = schema
        if takes and self.is_binary(node, where):
            return dict(BINARY)
        if "$ref" in node:
            return self._referred(node, where, depth, takes=takes)
        left_out = left_out | self._read_only(node, where)
        made = {
            word: node[word] for word, fits in KEPT.items() if word in node and fits(node[word])
        }
        _take_types(node, made)
        _take_limits(node, made)
        _take_example(node, made)
        self._take_properties(node, made, where, depth, left_out, takes=takes)
        self._take_choices(node, made, where, depth, left_out, takes=takes)
        return _with_null(node, made)

    def _referred(self, node: Node, where: str, depth: int, *, takes: int) -> Node:
        target, at = self.document.resolved(node, where)
        key = (at, takes)
        name = self._names.get(key)
        if name is None:
            name = self._names[key] = self._name(at)
            self.definitions[name] = {}  # taken, while what is in it may refer to it
            self.definitions[name] = self._form(target, at, depth + 1, takes=takes)
            self._refuse_circle(target, at)
        made: Node = {"$ref": f"#/$defs/{name}"}
        beside = {word: one for word, one in node.items() if word != "$ref"}
        if self.document.is_old or not beside:
            said = beside.get("description")
            return {**made, "description": said} if isinstance(said, str) and said else made
        return {**self._form(beside, where, depth + 1, takes=takes), **made}

    def _name(self, at: str) -> str:
        base = re.sub(r"[^A-Za-z0-9_.-]", "_", at.rpartition("/")[2].lstrip("#")) or "schema"
        name, count = base, 1
        while name in self.definitions:
            count += 1
            name = f"{base}_{count}"
        return name

    def _refuse_circle(self, schema: object, where: str) -> None:
        """Refuse a schema that is made of itself by `allOf`: nothing can be held against it.

        Raises:
            DocumentError: It is.
        """
        waiting, seen = [(schema, where)], set[str]()
        while waiting:
            for part, at in self._made_of(*waiting.pop(), 0):
                if at == where:
                    raise DocumentError(where, "the schema is made of itself, by allOf")
                if at not in seen:
                    seen.add(at)
                    waiting.append((part, at))

    def _made_of(self, schema: object, where: str, depth: int) -> Iterator[tuple[object, str]]:
        """The schemas that one refers to by `allOf`, or beside which its own words stand."""
        node = dict_of(schema)
        if depth > MAX_DEPTH:
            return
        if "$ref" in node:
            yield self.document.target(str(node["$ref"]), where), str(node["$ref"])
        for one in list_of(node.get("allOf")):
            yield from self._made_of(one, where, depth + 1)

    def _read_only(self, node: Node, where: str, depth: int = 0) -> frozenset[str]:
        """The properties that only answers have, also those of what the schema is made of."""
        found: set[str] = set()
        for name, one in dict_of(node.get("properties")).items():
            if is_dict(one) and self._says(one, "readOnly", where):
                found.add(name)
        for one in list_of(node.get("allOf")) if depth < 5 else ():  # deeper ones say it themselves
            part, _ = self.document.resolved(one, where)
            found |= self._read_only(dict_of(part), where, depth + 1)
        return frozenset(found)

    def _says(self, node: Node, word: str, where: str) -> bool:
        if node.get(word) is True:
            return True
        try:
            found, _ = self.document.resolved(node, where)
        except DocumentError:
            return False  # told of where the schema itself is written
        return dict_of(found).get(word) is True

    def _take_properties(
        self,
        node: Node,
        made: Node,
        where: str,
        depth: int,
        left_out: frozenset[str],
        *,
        takes: int,
    ) -> None:
        for word in CHILDREN_BY_NAME:
            given = node.get(word)
            if is_dict(given):
                made[word] = {
                    name: self._form(one, f"{where}.{name}", depth + 1, takes=max(takes - 1, 0))
                    for name, one in given.items()
                    if name not in left_out
                }
        for word in CHILDREN:
            if isinstance(node.get(word), (dict, bool)):
                said = node[word]
                made[word] = (
                    said
                    if isinstance(said, bool) and word == "additionalProperties"
                    else self._form(said, f"{where}.{word}", depth + 1, takes=takes)
                )
        names = [one for one in list_of(node.get("required")) if isinstance(one, str)]
        if kept := [one for one in dict.fromkeys(names) if one not in left_out]:
            made["required"] = kept

    def _take_choices(
        self,
        node: Node,
        made: Node,
        where: str,
        depth: int,
        left_out: frozenset[str],
        *,
        takes: int,
    ) -> None:
        for word in (*CHOICES, "prefixItems"):
            given = node.get(word)
            if is_list(given) and given:
                made[word] = [
                    self._form(
                        one,
                        f"{where}.{word}.{at}",
                        depth + 1,
                        takes=takes,
                        left_out=left_out if word == "allOf" else frozenset(),
                    )
                    for at, one in enumerate(given)
                ]


def _is_bytes(schema: Node) -> bool:
    """Whether a written schema is that of bytes, or of a list of them, or says nothing at all."""
    return BINARY in (schema, schema.get("items")) or not schema.keys() - NOTES


def _take_types(node: Node, made: Node) -> None:
    given = node.get("type")
    listed = given if is_list(given) else [given]
    known = [one for one in listed if isinstance(one, str) and one in TYPES]
    if known and len(known) == len(listed):
        made["type"] = known[0] if len(known) == 1 else known


def _take_limits(node: Node, made: Node) -> None:
    """Exclusive limits: a number by itself, or, in 3.0, a word on the limit beside it."""
    for exclusive, limit in (("exclusiveMinimum", "minimum"), ("exclusiveMaximum", "maximum")):
        said = node.get(exclusive)
        if said is True and limit in made:
            made[exclusive] = made.pop(limit)
        elif _is_number(said):
            made[exclusive] = said


def _take_example(node: Node, made: Node) -> None:
    """One short example: it says what a value looks like better than a sentence."""
    example = node.get("example", next(iter(list_of(node.get("examples"))), None))
    if _is_short(example) and "enum" not in made:
        made["examples"] = [example]


def _with_null(node: Node, made: Node) -> Node:
    """What 3.0 calls nullable; documents that became 3.1 often go on saying so.

    Source: OpenAPI 3.0.4, Schema Object, nullable.
    """
    if node.get("nullable") is not True:
        return made
    if "enum" in made and None not in made["enum"]:
        made["enum"] = [*made["enum"], None]
    if "type" in made:
        given: Any = made["type"]
        types: list[Any] = [given] if isinstance(given, str) else given
        made["type"] = list(dict.fromkeys([*types, "null"]))
    if any(word in made for word in CHOICES):
        said = {word: made.pop(word) for word in ("title", "description") if word in made}
        return {**said, "anyOf": [made, {"type": "null"}]}
    return made


def _shown(value: object) -> str:
    text = repr(value)
    return text if len(text) <= MAX_EXAMPLE else text[: MAX_EXAMPLE - 1] + "…"
