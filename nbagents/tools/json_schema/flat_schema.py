"""A schema that says the same as one made of several: without `allOf`, or what stands beside.

OpenAI's strict rules know neither `allOf` nor `oneOf`, nothing beside a `$ref`, and nothing beside
`anyOf`. What such a schema lets in can mostly be said in one.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import product
from typing import Final, TypeAlias

from pydantic import JsonValue

from nbagents.narrowing import dict_of, is_list, list_of
from nbagents.tools.json_schema.coercion import has_kind
from nbagents.tools.json_schema.reference import (
    DEFINITIONS,
    NOTES,
    Schema,
    Written,
    is_schema,
    kinds_of,
    schemas_in,
    target_of,
)

PARTS: Final = ("$ref", "allOf", "anyOf", "oneOf")
MAX_DEPTH, MAX_CHOICES = 20, 32


class CannotFlattenError(Exception):
    """There is no one schema that says the same; the message says why."""


def flat(schema: Schema, root: Schema) -> Written:
    """The schema with at most one of a reference, a choice in `anyOf`, and words of its own.

    Only its top is written anew: what is inside may need the same.

    Args:
        schema: A schema, or a part of one.
        root: Where its references lead.

    Raises:
        CannotFlattenError: It cannot be said in one.
    """
    return _flat(schema, root, 0)


def _flat(schema: Schema, root: Schema, depth: int) -> Written:
    if schema.keys().isdisjoint(PARTS):  # most are so
        return dict(schema)
    node = dict(schema)
    if "oneOf" in node and "anyOf" not in node:
        node["anyOf"] = node.pop("oneOf")
    parts = [one for one in PARTS if one in node]
    own = {word: one for word, one in node.items() if word not in PARTS and word not in NOTES}
    for word in DEFINITIONS:  # definitions are no demand
        own.pop(word, None)
    if not parts or (len(parts) == 1 and parts[0] in ("$ref", "anyOf") and not own):
        return node
    if depth > MAX_DEPTH:
        raise CannotFlattenError("refers to itself")
    notes = {word: node[word] for word in node if word in NOTES or word in DEFINITIONS}
    choices = [own]
    for part in parts:
        for alternatives in _alternatives(part, node[part], root, depth + 1):
            choices = _combined(choices, alternatives)
    notes.pop("discriminator", None)
    return {**choices[0], **notes} if len(choices) == 1 else {"anyOf": [*choices], **notes}


def _alternatives(part: str, given: JsonValue, root: Schema, depth: int) -> list[list[Written]]:
    """What must fit, each as the schemas of which one must."""
    if part == "$ref":
        return [_choices(_found(given, root), root, depth)]
    each = [_choices(one, root, depth) for one in schemas_in(given)]
    return each if part == "allOf" else [[one for several in each for one in several]]


def _choices(schema: Schema, root: Schema, depth: int) -> list[Written]:
    """The schemas, none a reference or a choice, of which a value must fit one."""
    if depth > MAX_DEPTH:
        raise CannotFlattenError("refers to itself")
    node = _flat(schema, root, depth)
    notes = {word: node[word] for word in node if word in NOTES}
    if "$ref" in node:
        inner = _choices(_found(node["$ref"], root), root, depth + 1)
    elif "anyOf" in node:
        (inner,) = _alternatives("anyOf", node["anyOf"], root, depth + 1)
    else:
        return [node]
    return [{**one, **notes} for one in inner]


def _found(ref: JsonValue, root: Schema) -> Schema:
    target = target_of(ref, root) if isinstance(ref, str) else None
    if not is_schema(target):
        raise CannotFlattenError(f"refers to {ref!r}, which is not in the schema")
    return target


def _combined(left: list[Written], right: list[Written]) -> list[Written]:
    if len(left) * len(right) > MAX_CHOICES:
        raise CannotFlattenError("combines too many choices")
    joined = [_joined(one, other) for one, other in product(left, right)]
    possible = [one for one in joined if one is not None]
    if not possible:
        raise CannotFlattenError("asks for what cannot be at once")
    return possible


def _joined(one: Written, other: Written) -> Written | None:
    """What fits both; `None` where nothing does."""
    made = {**one, **other}
    for word in one.keys() & other.keys():
        if one[word] == other[word]:
            continue
        found = _both(word, one[word], other[word])
        if found is None:
            return None
        made[word] = found[0]
    if "enum" in made or "const" in made:
        return _with_values(made)
    if "properties" in made or "additionalProperties" in made:
        return _with_properties(made, one, other)
    return made


Both: TypeAlias = "tuple[JsonValue] | None"
"""A keyword's value that says what both say, or `None` where nothing can."""


def _both(word: str, mine: JsonValue, yours: JsonValue) -> Both:
    if word in NOTES or word in ("properties", "additionalProperties"):
        return (mine,)  # the first to say it; properties are joined later
    rule = RULES.get(word)
    if rule is None:
        raise CannotFlattenError(f"says {word!r} twice")
    return rule(mine, yours)


def _types(mine: JsonValue, yours: JsonValue) -> Both:
    both: list[JsonValue] = []
    for one, other in product(_listed(mine), _listed(yours)):
        are_numbers = sorted((str(one), str(other))) == ["integer", "number"]
        kind = "integer" if are_numbers else one
        if (one == other or are_numbers) and kind not in both:
            both.append(kind)
    return ((both[0] if len(both) == 1 else both),) if both else None


def _values(mine: JsonValue, yours: JsonValue) -> Both:
    both = [one for one in _listed(mine) if any(is_same(one, other) for other in _listed(yours))]
    return (both,) if both else None


def _names(mine: JsonValue, yours: JsonValue) -> Both:
    return (list(dict.fromkeys([*_listed(mine), *_listed(yours)])),)


def _both_fit(mine: JsonValue, yours: JsonValue) -> Both:
    return ({"allOf": [mine, yours]},)


def _never(_mine: JsonValue, _yours: JsonValue) -> Both:
    return None


def _stricter(choose: Callable[..., JsonValue]) -> Callable[[JsonValue, JsonValue], Both]:
    return lambda mine, yours: (choose(mine, yours),)


RULES: Final[Mapping[str, Callable[[JsonValue, JsonValue], Both]]] = {
    "type": _types,
    "enum": _values,
    "const": _never,
    "required": _names,
    "items": _both_fit,
    "uniqueItems": lambda _mine, _yours: (True,),
    **dict.fromkeys(
        ("minimum", "exclusiveMinimum", "minLength", "minItems", "minProperties"), _stricter(max)
    ),
    **dict.fromkeys(
        ("maximum", "exclusiveMaximum", "maxLength", "maxItems", "maxProperties"), _stricter(min)
    ),
}


def _with_values(made: Written) -> Written | None:
    """The values that are left of a choice; `None` where none is."""
    values = _listed(made.get("enum", [made.get("const")]))
    if "const" in made:
        values = [one for one in values if is_same(one, made["const"])]
    if "type" in made:
        values = [one for one in values if has_kind(one, kinds_of(made))]
    if not values:
        return None
    rest = {word: one for word, one in made.items() if word not in ("enum", "const")}
    return {**rest, "const": values[0]} if "const" in made else {**rest, "enum": values}


def _with_properties(made: Written, one: Written, other: Written) -> Written | None:
    """Those that both let in; where one names a property, its rule for the others does not count.

    `None` where one requires what the other does not let in.
    """
    mine, yours = dict_of(one.get("properties")), dict_of(other.get("properties"))
    properties: Written = {}
    for name in (*mine, *(name for name in yours if name not in mine)):
        demands = [_demand(name, mine, one), _demand(name, yours, other)]
        if False not in demands:
            properties[name] = _all_of([rule for rule in demands if rule not in (True, {})] or [{}])
    if any(name not in properties for name in list_of(made.get("required"))):
        closed = False in (one.get("additionalProperties"), other.get("additionalProperties"))
        if closed:
            return None
    rest = [side.get("additionalProperties", True) for side in (one, other)]
    said = [rule for rule in rest if rule not in (True, {})]
    made.pop("additionalProperties", None)
    if said:
        made["additionalProperties"] = False if False in said else _all_of(said)
    return {**made, "properties": properties}


def _all_of(rules: list[JsonValue]) -> JsonValue:
    return {"allOf": rules} if len(rules) > 1 else rules[0]


def _demand(name: str, properties: Written, node: Written) -> JsonValue:
    """What a side asks of a property: what it says of it, else of all others."""
    return properties[name] if name in properties else node.get("additionalProperties", True)


def _listed(value: JsonValue) -> list[JsonValue]:
    return value if isinstance(value, list) else [value]


def is_same(one: object, other: object) -> bool:
    """Whether two values are one in JSON: `1` is `1.0`, but not `true`."""
    if is_list(one) and is_list(other):
        return len(one) == len(other) and all(map(is_same, one, other))
    return isinstance(one, bool) == isinstance(other, bool) and one == other
