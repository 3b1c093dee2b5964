"""Where a model's `null` means "not given": found once in a schema, dropped from each call.

In strict mode each optional property is required and nullable, so a model can only leave it out by
saying `null`. Where the type itself takes no null, that null is dropped and the default applies.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from pydantic import JsonValue

from nbagents.narrowing import dict_of, list_of
from nbagents.tools.json_schema.reference import (
    REFERENCE,
    Schema,
    is_schema,
    kinds_of,
    resolved_ref,
    schemas_in,
)

CHOICES = ("anyOf", "oneOf", "allOf")


@dataclass(slots=True, kw_only=True)
class _Place:
    """What may be dropped at one place of the arguments; places may be circular."""

    droppable: set[str] = field(default_factory=set[str])
    kept: set[str] = field(default_factory=set[str])
    properties: dict[str, _Place] = field(default_factory=dict[str, "_Place"])
    others: _Place | None = None
    """Values of the keys that the schema does not name."""
    items: _Place | None = None


def null_dropper(schema: Schema) -> Callable[[JsonValue], JsonValue] | None:
    """A function that drops the nulls that mean "not given"; `None` where there can be none."""
    known: dict[int, _Place] = {}
    place = _place(schema, schema, known)
    if not any(one.droppable - one.kept for one in known.values()):
        return None
    return lambda value: _dropped(value, place)


def admits_null(schema: object, root: Schema) -> bool:
    """Whether `null` fits a schema, as far as its form says."""
    return _admits_null(schema, root, ())


def _admits_null(schema: object, root: Schema, above: tuple[int, ...]) -> bool:
    if not is_schema(schema):
        return schema is True
    node = resolved_ref(schema, root) if set(schema) <= REFERENCE else schema
    if id(node) in above:  # it refers to itself, which adds nothing
        return False
    deeper = (*above, id(node))
    target = resolved_ref(node, root) if "$ref" in node else {"$ref": ""}
    if "$ref" not in target and not _admits_null(target, root, deeper):
        return False
    for word, fits in (("anyOf", any), ("oneOf", any), ("allOf", all)):
        branches = node.get(word)
        if isinstance(branches, list) and not fits(
            _admits_null(one, root, deeper) for one in branches
        ):
            return False
    return _own_words_admit_null(node)


def _own_words_admit_null(schema: Schema) -> bool:
    if "enum" in schema and None not in list_of(schema["enum"]):
        return False
    if "const" in schema and schema["const"] is not None:
        return False
    kinds = kinds_of(schema)
    return not kinds or "null" in kinds


def _branches(schema: Schema, root: Schema) -> list[Schema]:
    branches = [one for word in CHOICES for one in schemas_in(schema.get(word))]
    target = resolved_ref(schema, root)  # with something beside it
    return branches if "$ref" in target else [*branches, target]


def _place(schema: object, root: Schema, known: dict[int, _Place]) -> _Place:
    node: Schema = schema if is_schema(schema) else {}
    if set(node) <= REFERENCE:
        node = resolved_ref(node, root)
    if id(node) in known:
        return known[id(node)]
    place = known[id(node)] = _Place()
    required = set(list_of(node.get("required")))
    for name, one in dict_of(node.get("properties")).items():
        place.properties[name] = _place(one, root, known)
        can_drop = name not in required and not admits_null(one, root)
        (place.droppable if can_drop else place.kept).add(name)
    if is_schema(node.get("additionalProperties")):
        place.others = _place(node["additionalProperties"], root, known)
    if is_schema(node.get("items")):
        place.items = _place(node["items"], root, known)
    for one in _branches(node, root):
        _merge(place, _place(one, root, known))
    return place


def _merge(place: _Place, branch: _Place) -> None:
    """Join a branch of a union: what one branch needs is kept for all of them."""
    place.droppable |= branch.droppable
    place.kept |= branch.kept
    for name, one in branch.properties.items():
        place.properties.setdefault(name, one)
    place.others = place.others or branch.others
    place.items = place.items or branch.items


def _dropped(value: JsonValue, place: _Place) -> JsonValue:
    if isinstance(value, dict):
        return {
            name: _dropped(one, inner) if (inner := _inner(place, name)) else one
            for name, one in value.items()
            if one is not None or name not in place.droppable or name in place.kept
        }
    if isinstance(value, list) and (items := place.items):
        return [_dropped(one, items) for one in value]
    return value


def _inner(place: _Place, name: str) -> _Place | None:
    return place.properties.get(name, place.others)
