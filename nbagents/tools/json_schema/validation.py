"""Arguments against a JSON Schema: in the form that it asks for, and with what does not fit.

The checker is ours because a tool that comes with its own schema (`Tool.from_schema`) has no Python
types to validate with, and a full validator is a heavy dependency. Keywords it does not know are
not checked.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Sequence
from typing import TypeAlias

from pydantic import JsonValue

from nbagents.errors import did_you_mean
from nbagents.narrowing import dict_of, list_of
from nbagents.results import FieldIssue
from nbagents.tools.json_schema.coercion import coerced, has_kind
from nbagents.tools.json_schema.flat_schema import is_same
from nbagents.tools.json_schema.null_meaning import admits_null
from nbagents.tools.json_schema.reference import (
    REFERENCE,
    Schema,
    is_schema,
    kinds_of,
    path_of,
    resolved_ref,
    schemas_in,
)

Issues: TypeAlias = tuple[FieldIssue, ...]
Fit: TypeAlias = tuple[JsonValue, Issues]

ANYTHING: Schema = {}
NAMES = {
    "string": "a string",
    "number": "a number",
    "integer": "a whole number",
    "boolean": "true or false",
    "array": "a list",
    "object": "an object",
    "null": "null",
}


def fitted(value: JsonValue, schema: Schema, *, drop_nulls: bool = True) -> Fit:
    """The value as the schema asks for it, and each place where it does not fit.

    What fits stays the very object that it was.

    Args:
        value: The arguments.
        schema: What they should fit; its own references are followed.
        drop_nulls: Whether a `null` for something optional that takes none means "not given":
            in strict mode a model cannot say that in another way.
    """
    try:
        return _Fitter(schema, drop_nulls=drop_nulls).fit(value, schema, "")
    except RecursionError:
        return value, (_issue("", "depth", "The arguments are nested too deeply"),)


def _issue(path: str, constraint: str, message: str) -> FieldIssue:
    stop = "" if message.endswith((".", "?")) else "."
    return FieldIssue(field=path, constraint=constraint, message=f"{message}{stop}")


class _Fitter:
    """Fits one value; what was found for a list or an object is kept, or unions would repeat it."""

    def __init__(self, root: Schema, *, drop_nulls: bool) -> None:
        self._root = root
        self._drop_nulls = drop_nulls
        self._known: dict[tuple[int, int], tuple[JsonValue, Fit]] = {}
        self._beside: dict[int, Schema] = {}
        """What stands beside a reference, by the schema that holds both."""

    def fit(self, value: JsonValue, schema: Schema, path: str) -> Fit:
        node = resolved_ref(schema, self._root)
        if node is not schema and not schema.keys() <= REFERENCE:
            return self._both(value, node, schema, path)
        if not isinstance(value, (dict, list)):
            return self._fit(value, node, path)
        key = (id(value), id(node))
        if key not in self._known:
            # The value is kept too: another one could get its id.
            self._known[key] = value, self._fit(value, node, path)
        return self._known[key][1]

    def _fit(self, value: JsonValue, node: Schema, path: str) -> Fit:
        kinds = kinds_of(node)
        value = coerced(value, kinds)
        found = _choice_issues(value, node, path)
        if found or (kinds and not has_kind(value, kinds)):
            return value, found or (_type_issue(kinds, path),)
        for word in ("anyOf", "oneOf", "allOf", "not"):
            if word in node:
                value, more = self._combined(value, word, node[word], path)
                found += more
        if isinstance(value, dict):
            value, more = self._object(value, node, path)
        elif isinstance(value, list):
            value, more = self._list(value, node, path)
        else:
            more = tuple(_plain_issues(value, node, path))
        return value, found + more

    def _both(self, value: JsonValue, target: Schema, schema: Schema, path: str) -> Fit:
        """What is referred to, and what stands beside the reference."""
        value, found = self.fit(value, target, path)
        if id(schema) not in self._beside:
            rest = {word: one for word, one in schema.items() if word != "$ref"}
            self._beside[id(schema)] = rest
        value, more = self.fit(value, self._beside[id(schema)], path)
        return value, found + more

    def _combined(self, value: JsonValue, word: str, given: JsonValue, path: str) -> Fit:
        if word == "not":
            fits = is_schema(given) and not self.fit(value, given, path)[1]
            return value, (_issue(path, "not", "This is not allowed"),) if fits else ()
        branches = schemas_in(given)
        if word != "allOf":
            return self._one_of(value, branches, path) if branches else (value, ())
        found: Issues = ()
        for one in branches:
            value, more = self.fit(value, one, path)
            found += more
        return value, found

    def _one_of(self, value: JsonValue, branches: list[Schema], path: str) -> Fit:
        """The branch that takes the value as it is, else the first that takes it, else none."""
        tried = [self.fit(value, one, path) for one in branches]
        good = [one for one, issues in tried if not issues]
        if good:
            return next((one for one in good if one is value), good[0]), ()

        def distance(issues: Issues) -> tuple[bool, int]:
            return issues[0].field == path and issues[0].constraint == "type", len(issues)

        closest = min((issues for _, issues in tried), key=distance)
        return value, closest[:1]

    def _object(self, value: dict[str, JsonValue], node: Schema, path: str) -> Fit:
        known: dict[str, Schema] = dict_of(node.get("properties"))
        required = list_of(node.get("required"))
        found: list[FieldIssue] = []
        fitting: dict[str, JsonValue] = {}
        for name, one in value.items():
            if one is None and name not in required and self._means_nothing(known.get(name)):
                continue
            schema = known[name] if name in known else _other_schema(name, node)
            if schema is None:
                hint = did_you_mean(name, list(known))
                words = f"There is no such parameter.{hint}"
                found.append(_issue(path_of(path, name), "extra_forbidden", words))
                fitting[name] = one
                continue
            fitting[name], more = self.fit(one, schema, path_of(path, name))
            found += more
        missing = [name for name in required if name not in value]
        found[:0] = [_issue(path_of(path, name), "missing", "This is required") for name in missing]
        return _same_or_new(value, fitting), tuple(found)

    def _means_nothing(self, schema: Schema | None) -> bool:
        return self._drop_nulls and schema is not None and not admits_null(schema, self._root)

    def _list(self, value: list[JsonValue], node: Schema, path: str) -> Fit:
        found = list(_list_issues(value, node, path))
        first = schemas_in(node.get("prefixItems"))
        items = node.get("items")
        rest = items if isinstance(items, dict) else ANYTHING
        fitting: list[JsonValue] = []
        for at, one in enumerate(value):
            fit, more = self.fit(one, first[at] if at < len(first) else rest, path_of(path, at))
            fitting.append(fit)
            found += more
        changed = any(new is not old for new, old in zip(fitting, value, strict=True))
        return fitting if changed else value, tuple(found)


def _same_or_new(value: dict[str, JsonValue], fitting: dict[str, JsonValue]) -> JsonValue:
    """The very object where nothing changed."""
    same = len(value) == len(fitting) and all(value[name] is one for name, one in fitting.items())
    return value if same else fitting


def _other_schema(name: str, node: Schema) -> Schema | None:
    """What a key must fit that the properties do not name; `None` where there may be none."""
    patterns = node.get("patternProperties")
    for pattern, schema in (patterns if isinstance(patterns, dict) else {}).items():
        if _matches(pattern, name) and is_schema(schema):
            return schema
    others = node.get("additionalProperties", True)
    if isinstance(others, dict):
        return others
    return None if others is False else ANYTHING


def _type_issue(kinds: Sequence[object], path: str) -> FieldIssue:
    wanted = " or ".join(NAMES.get(str(kind), str(kind)) for kind in kinds)
    return _issue(path, "type", f"This must be {wanted}")


def _choice_issues(value: JsonValue, node: Schema, path: str) -> Issues:
    choices = node.get("enum")
    if isinstance(choices, list) and not any(is_same(value, one) for one in choices):
        return (_issue(path, "enum", f"This must be one of {', '.join(map(_shown, choices))}"),)
    if "const" in node and not is_same(value, node["const"]):
        return (_issue(path, "const", f"This must be {_shown(node['const'])}"),)
    return ()


def _shown(value: JsonValue) -> str:
    return json.dumps(value, ensure_ascii=False)


def _list_issues(value: list[JsonValue], node: Schema, path: str) -> Iterator[FieldIssue]:
    yield from _size_issues(len(value), node, path, ("minItems", "maxItems"), "items")
    if node.get("uniqueItems") is True:
        distinct = {json.dumps(one, sort_keys=True) for one in value}
        if len(distinct) < len(value):
            yield _issue(path, "uniqueItems", "No item may come twice")


def _plain_issues(value: JsonValue, node: Schema, path: str) -> Iterator[FieldIssue]:
    if isinstance(value, str):
        yield from _size_issues(len(value), node, path, ("minLength", "maxLength"), "characters")
        pattern = node.get("pattern")
        if isinstance(pattern, str) and not _matches(pattern, value):
            yield _issue(path, "pattern", f"This must match {pattern!r}")
    elif isinstance(value, (int, float)) and not isinstance(value, bool):
        yield from _number_issues(value, node, path)


def _matches(pattern: str, text: str) -> bool:
    try:
        return bool(re.search(pattern, text))
    # JavaScript's patterns know more than Python's: not checked.
    except (re.error, OverflowError, RecursionError):
        return True


def _size_issues(
    size: int, node: Schema, path: str, words: tuple[str, str], noun: str
) -> Iterator[FieldIssue]:
    least, most = (node.get(word) for word in words)
    if isinstance(least, int) and size < least:
        yield _issue(path, words[0], f"This must have at least {least} {noun}; it has {size}")
    if isinstance(most, int) and size > most:
        yield _issue(path, words[1], f"This must have at most {most} {noun}; it has {size}")


ROUNDING = 1e-9
"""0.3 is a multiple of 0.1, whatever binary fractions say."""


def _is_multiple(value: float, step: float) -> bool:
    if isinstance(value, int) and isinstance(step, int):
        return step != 0 and value % step == 0
    try:
        steps = value / step
        return abs(steps - round(steps)) < ROUNDING
    except (OverflowError, ZeroDivisionError):  # larger than a float can tell
        return bool(step)


LIMITS: dict[str, tuple[Callable[[float, float], bool], str]] = {
    "minimum": (lambda value, limit: value >= limit, "at least"),
    "maximum": (lambda value, limit: value <= limit, "at most"),
    "exclusiveMinimum": (lambda value, limit: value > limit, "more than"),
    "exclusiveMaximum": (lambda value, limit: value < limit, "less than"),
    "multipleOf": (_is_multiple, "a multiple of"),
}


def _number_issues(value: float, node: Schema, path: str) -> Iterator[FieldIssue]:
    for word, (fits, words) in LIMITS.items():
        limit = node.get(word)
        if isinstance(limit, (int, float)) and not fits(value, limit):
            yield _issue(path, word, f"This must be {words} {limit}; given: {value}")
