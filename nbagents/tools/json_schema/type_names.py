"""JSON Schema (draft 2020-12) of what others write in its place: `dict`, `float`, `HashMap`, ….

Source: Berkeley Function-Calling Leaderboard, data v4, for the names of types; OpenAPI 3.0 and JSON
Schema draft 4 for `required: true` at a property, lists of items and boolean exclusive limits.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, TypeAlias, TypeGuard

from pydantic import JsonValue

from nbagents.narrowing import dict_of, is_dict
from nbagents.tools.json_schema.reference import (
    INNER,
    INNER_BY_NAME,
    INNER_LISTS,
    Written,
    path_of,
)

NAMES: Final[dict[str, str]] = {
    "integer": "integer int long short byte bigint",
    "number": "number float double",
    "string": "string str char",
    "boolean": "boolean bool",
    "array": "array list arraylist tuple set queue stack",
    "object": "object dict hashmap hashtable",
    "null": "null none",
}
TYPES = {word: kind for kind, words in NAMES.items() for word in words.split()}
ANYTHING: Final = ("", "any")


def _is_number(value: object) -> TypeGuard[float]:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def _is_count(value: object) -> bool:
    return _is_number(value) and value >= 0 and value % 1 == 0


def _is_text(value: object) -> bool:
    return isinstance(value, str)


def _is_flag(value: object) -> bool:
    return isinstance(value, bool)


Form: TypeAlias = tuple[Callable[[object], bool], str]
NUMBER: Form = (_is_number, "a number")
COUNT: Form = (_is_count, "a whole number that is not negative")
TEXT: Form = (_is_text, "a string")
RULES: Final[dict[str, Form]] = {
    **dict.fromkeys(
        ("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"), NUMBER
    ),
    **dict.fromkeys(("minLength", "maxLength", "minItems", "maxItems"), COUNT),
    **dict.fromkeys(("minProperties", "maxProperties", "minContains", "maxContains"), COUNT),
    **dict.fromkeys(("$ref", "$id", "$anchor", "$dynamicRef", "$dynamicAnchor", "pattern"), TEXT),
    "enum": (lambda value: isinstance(value, list), "a list"),
    "uniqueItems": (_is_flag, "true or false"),
}
"""What a keyword must be that decides what fits."""
NOTES: Final[dict[str, Callable[[object], bool]]] = {
    **dict.fromkeys(("title", "description", "format", "$comment", "$schema"), _is_text),
    **dict.fromkeys(("contentEncoding", "contentMediaType"), _is_text),
    **dict.fromkeys(("deprecated", "readOnly", "writeOnly"), _is_flag),
    "examples": lambda value: isinstance(value, list),
}
"""What only describes, and is left out where it has no form."""


def json_type_of(word: object) -> str | None:
    """JSON Schema's name of a type, however it is written; `None` for anything, and the unknown."""
    return TYPES.get(word.strip().lower()) if isinstance(word, str) else None


def json_schema_of(given: object, where: str = "") -> Written:
    """A schema whose every keyword has the form of draft 2020-12. Unknown keywords stay.

    Args:
        given: What stands in place of a schema, as JSON.
        where: Its path, for the message.

    Raises:
        TypeError: A keyword that decides what fits cannot be read; says where.
    """
    if isinstance(given, bool):
        return {} if given else {"not": {}}
    if not is_dict(given):
        raise TypeError(f"{where or 'it'} must be an object, not {given!r}")
    node: Written = dict(given)
    _rename_types(node, where)
    _replace_old_forms(node)
    _keep_valid(node, where)
    return {word: _inner(word, one, path_of(where, word)) for word, one in node.items()}


def _inner(word: str, given: JsonValue, where: str) -> JsonValue:
    if word in INNER_BY_NAME:
        return _named(given, where)
    if word in INNER_LISTS:
        return _listed(given, where)
    return json_schema_of(given, where) if word in INNER and not _is_flag(given) else given


def _rename_types(node: Written, where: str) -> None:
    words = node.pop("type", None)
    listed = words if isinstance(words, list) else [words]
    for one in listed:
        if json_type_of(one) is None and not _is_anything(one):
            at = path_of(where, "type")
            raise TypeError(f"{at} must be a type of JSON (string, number, object, …), not {one!r}")
    kinds = list(dict.fromkeys(json_type_of(one) for one in listed))
    known = [one for one in kinds if one is not None]
    if known and len(known) == len(kinds):
        node["type"] = [*known] if isinstance(words, list) else known[0]


def _is_anything(word: object) -> bool:
    return word is None or (isinstance(word, str) and word.strip().lower() in ANYTHING)


def _replace_old_forms(node: Written) -> None:
    items = node.get("items")
    if isinstance(items, list):
        node["prefixItems"] = node.pop("items")
        if "additionalItems" in node:
            node["items"] = node.pop("additionalItems")
    for exclusive, limit in (("exclusiveMinimum", "minimum"), ("exclusiveMaximum", "maximum")):
        if isinstance(node.get(exclusive), bool) and node.pop(exclusive) and limit in node:
            node[exclusive] = node.pop(limit)
    _collect_required(node)


def _collect_required(node: Written) -> None:
    """`required: true` at a property is said in its object."""
    if isinstance(node.get("required"), bool):
        del node["required"]  # the object above has read it
    named = dict_of(node.get("properties"))
    own = [name for name, one in named.items() if dict_of(one).get("required") is True]
    listed = node.get("required", [])
    if own and isinstance(listed, list):
        node["required"] = [*listed, *own]


def _keep_valid(node: Written, where: str) -> None:
    for word in [one for one, fits in NOTES.items() if one in node and not fits(node[one])]:
        del node[word]
    for word, (fits, noun) in RULES.items():
        if word in node and not fits(node[word]):
            raise TypeError(f"{path_of(where, word)} must be {noun}, not {node[word]!r}")
    if "required" in node:
        names = node["required"]
        if not isinstance(names, list) or not all(isinstance(one, str) for one in names):
            raise TypeError(f"{path_of(where, 'required')} must be a list of names, not {names!r}")
        node["required"] = [*dict.fromkeys(names)]


def _named(given: JsonValue, where: str) -> Written:
    if not isinstance(given, dict):
        raise TypeError(f"{where} must be an object of schemas, not {given!r}")
    return {name: json_schema_of(one, path_of(where, name)) for name, one in given.items()}


def _listed(given: JsonValue, where: str) -> list[JsonValue]:
    if not isinstance(given, list) or not given:
        raise TypeError(f"{where} must be a list of schemas, not {given!r}")
    return [json_schema_of(one, path_of(where, at)) for at, one in enumerate(given)]
