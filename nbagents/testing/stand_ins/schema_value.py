"""Junk that fits a JSON Schema: whatever the schema allows, the simplest and the oddest."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from nbagents.narrowing import is_mapping
from nbagents.testing.stand_ins.formats import FORMATS
from nbagents.testing.stand_ins.pattern_text import CannotWriteError, text_matching
from nbagents.tools.json_schema import fitted, resolved_ref

if TYPE_CHECKING:
    from nbagents.testing.stand_ins.choices import Choices

Schema: TypeAlias = Mapping[str, Any]  # Any: JSON

ODD: Final = (
    *(
        "",
        "a",
        "x y",
        "0",
        "-1",
        "null",
        "é",
        "日本",
        "😀",
        " ",
        "a\nb",
        "\t",
        '"',
        "'",
        "\\",
        "%s",
    ),
    *("{}", "<b>", "../..", "; --", "NaN", "true", "r1", "a" * 200),
)
"""Texts that programs stumble over."""
INTEGERS: Final = (0, 1, -1, 2, 7, 10, -10, 255, 1000, -1000, 2**31, -(2**31), 2**53)
NUMBERS: Final = (*INTEGERS, 0.5, -0.5, 1.5, 0.1, -273.15, 1e-9, 1e9)
MORE: Final = 3
"""So many more items than it must a list has."""
TRIES: Final = 40
ENDLESS: Final = 10**6
PLAIN: Final = ("null", "boolean", "integer", "number", "string", "array", "object")
HINTS: Final = {
    "object": ("properties", "required", "additionalProperties", "minProperties"),
    "array": ("items", "prefixItems", "minItems", "maxItems", "uniqueItems"),
    "string": ("pattern", "format", "minLength", "maxLength"),
    "number": ("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"),
}
"""What a schema that names no type says it is about."""


class NoValueError(Exception):
    """Nothing was found that fits the schema."""


def value_for(schema: Schema, choices: Choices) -> Any:  # Any: JSON
    """A value that fits a schema.

    Args:
        schema: The schema, with its own `$defs`.
        choices: What says which one.

    Raises:
        NoValueError: It asks for what cannot be made up, or for nothing that there is.
    """
    maker = _Maker(schema, choices)
    for _ in range(TRIES):
        try:
            value = maker.value(schema)
        except CannotWriteError as error:
            raise NoValueError(
                f"its pattern {str(error)!r} is too hard to write a text for"
            ) from error
        if not fitted(value, schema, drop_nulls=False)[1]:
            return value
    raise NoValueError("nothing was found that fits its schema")


class _Maker:
    def __init__(self, root: Schema, choices: Choices) -> None:
        self._root = root
        self._choices = choices
        self._heights: dict[int, float] = {}

    def value(self, schema: Any) -> Any:
        """A value of a schema; `true`, which allows everything, is one."""
        node = self._whole(schema if is_mapping(schema) else {})
        if "const" in node:
            return node["const"]
        if node.get("enum"):
            return self._pick(node["enum"])
        for word in ("anyOf", "oneOf"):
            if node.get(word):
                rest = {name: one for name, one in node.items() if name != word}
                branch = self._branch(node[word])
                number = next((one for one in node[word] if _type(one) == "number"), None)
                if number is not None and branch == {"type": "string"}:
                    return str(self.value(number))  # a Decimal, of which pydantic says no more
                return self.value(_joined(rest, branch))
        makers: Mapping[str, Callable[[Schema], Any]] = {
            "null": lambda _: None,
            "boolean": lambda _: bool(self._choices.below(2)),
            "integer": self._integer,
            "number": self._number,
            "string": self._string,
            "array": self._array,
            "object": self._object,
        }
        return makers[self._kind(node)](node)

    def _whole(self, schema: Schema) -> Schema:
        """A schema with what it refers to, and with all parts of `allOf`, in one."""
        target = resolved_ref(schema, self._root)
        if target is not schema:
            schema = _joined(target, {name: one for name, one in schema.items() if name != "$ref"})
        if not schema.get("allOf"):
            return schema
        whole: Schema = {name: one for name, one in schema.items() if name != "allOf"}
        for part in schema["allOf"]:
            whole = _joined(whole, self._whole(part))
        return whole

    def _kind(self, node: Schema) -> str:
        given = node.get("type")
        kinds = [given] if isinstance(given, str) else list(given or ())
        if not kinds:
            told = [kind for kind, words in HINTS.items() if any(word in node for word in words)]
            kinds = told or list(PLAIN[:5])
        return self._pick(kinds)

    def _pick(self, found: Sequence[Any]) -> Any:
        return found[self._choices.below(len(found))]

    def _branch(self, branches: Sequence[Any]) -> Schema:
        """One of several; those that end soonest first, and alone when enough was made."""
        ordered = sorted(branches, key=lambda one: self._height(one, frozenset()))
        return ordered[0] if self._choices.is_spent else self._pick(ordered)

    def _height(self, schema: Any, above: frozenset[int]) -> float:
        """How deep the shallowest value of a schema is; without end for one that needs itself."""
        if not is_mapping(schema):
            return 0
        node = resolved_ref(schema, self._root)
        if id(node) in above:
            return math.inf
        if above:  # what it comes to depends on what stands above
            return self._measured(node, above | {id(node)})
        if id(node) not in self._heights:
            self._heights[id(node)] = self._measured(node, frozenset({id(node)}))
        return self._heights[id(node)]

    def _measured(self, node: Schema, above: frozenset[int]) -> float:
        branches = node.get("anyOf") or node.get("oneOf")
        if branches:
            return min(self._height(one, above) for one in branches)
        needed = [node.get("properties", {}).get(name) for name in node.get("required", ())]
        needed += list(node.get("allOf", ()))
        if node.get("minItems", 0) > 0:
            needed += [*node.get("prefixItems", ()), node.get("items")]
        return max((self._height(one, above) + 1 for one in needed), default=0)

    def _integer(self, node: Schema) -> int:
        return int(self._amount({**node, "multipleOf": node.get("multipleOf") or 1}, INTEGERS))

    def _number(self, node: Schema) -> float:
        amount = self._amount(node, NUMBERS)
        return int(amount) if amount.denominator == 1 else float(amount)

    def _amount(self, node: Schema, known: Sequence[float]) -> Fraction:
        step = Fraction(str(node["multipleOf"])) if node.get("multipleOf") else None
        least, most = _bounds(node, step)
        inside = [one for one in map(_exact, known) if least <= one <= most]
        fitting = [one for one in inside if step is None or one % step == 0]
        edges = [
            _on(edge, step, up=up)
            for edge, up in ((least, True), (most, False))
            if abs(edge) < ENDLESS**3
        ]
        found = [one for one in dict.fromkeys([*fitting, *edges]) if least <= one <= most]
        if not found:
            raise NoValueError("no number lies between its bounds")
        return self._pick(found)

    def _string(self, node: Schema) -> str:
        least, most = node.get("minLength", 0), node.get("maxLength", ENDLESS)
        if pattern := node.get("pattern"):
            return text_matching(pattern, self._choices)
        if (make := FORMATS.get(node.get("format", ""))) is not None:
            return make(self._choices)
        text = self._pick(ODD)
        if len(text) < least:
            text += "x" * (least - len(text))
        return text[:most]

    def _array(self, node: Schema) -> list[Any]:
        first: Sequence[Any] = node.get("prefixItems", ())
        least, most = node.get("minItems", 0), node.get("maxItems", ENDLESS)
        rest = node.get("items", {})
        at_most = len(first) if rest is False else most
        room = min(max(at_most, least), max(least, len(first)) + MORE)
        many = least if self._choices.is_spent else least + self._choices.below(room - least + 1)
        items = [self.value(first[at] if at < len(first) else rest) for at in range(many)]
        if not node.get("uniqueItems"):
            return items
        return list({json.dumps(one, sort_keys=True): one for one in items}.values())

    def _object(self, node: Schema) -> dict[str, Any]:
        properties: Mapping[str, Any] = node.get("properties", {})
        needed = list(node.get("required", ()))
        made = {
            name: self.value(properties.get(name, {}))
            for name in [*needed, *(one for one in properties if one not in needed)]
            if name in needed or self._is_wanted(properties[name])
        }
        others = node.get("additionalProperties", properties == {} and not needed)
        if others is False or (others is True and properties):
            return made
        least = node.get("minProperties", 0)
        many = max(least - len(made), 0 if self._choices.is_spent else self._choices.below(MORE))
        names: Schema = {"type": "string", **(node.get("propertyNames") or {})}
        return made | {
            str(self.value(names)): self.value({} if others is True else others)
            for _ in range(many)
        }

    def _is_wanted(self, schema: Any) -> bool:
        """Whether something is given that need not be; nothing that would never end."""
        is_endless = self._height(schema, frozenset()) == math.inf
        return not is_endless and not self._choices.is_spent and bool(self._choices.below(2))


def _type(schema: Any) -> object:
    return schema.get("type") if is_mapping(schema) else None


def _bounds(node: Schema, step: Fraction | None) -> tuple[Fraction, Fraction]:
    """The least and the most that a number may be."""
    tiny = step or Fraction(1, 1000)
    least, most = (
        _exact(node.get("minimum", -(ENDLESS**4))),
        _exact(node.get("maximum", ENDLESS**4)),
    )
    if (over := node.get("exclusiveMinimum")) is not None:
        least = max(least, _exact(over) + tiny)
    if (under := node.get("exclusiveMaximum")) is not None:
        most = min(most, _exact(under) - tiny)
    return least, most


def _exact(number: float) -> Fraction:
    return Fraction(str(number))


def _on(edge: Fraction, step: Fraction | None, *, up: bool) -> Fraction:
    """The multiple of a step at an edge, on its inner side."""
    if step is None:
        return edge
    return (math.ceil(edge / step) if up else math.floor(edge / step)) * step


def _joined(one: Schema, other: Schema) -> Schema:
    """A schema that asks for both; what both say of a number or a text, the second one says."""
    both: dict[str, Any] = {**one, **other}
    if "properties" in one and "properties" in other:
        both["properties"] = {**one["properties"], **other["properties"]}
    if "required" in one and "required" in other:
        both["required"] = list(dict.fromkeys([*one["required"], *other["required"]]))
    return both
