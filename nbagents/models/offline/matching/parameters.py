"""Parameters of a tool as the planner needs them: types, limits, roles and words."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING, Final, TypeAlias

from nbagents.models.offline.language import (
    COMMON_NOUNS,
    dimension_of,
    split_name,
    stem,
    stems,
    word_set,
)
from nbagents.narrowing import dict_of
from nbagents.tools.json_schema import resolved_ref

if TYPE_CHECKING:
    from pydantic import JsonValue

Schema: TypeAlias = "Mapping[str, JsonValue]"


class Unset(Enum):
    """The type of `UNSET`."""

    UNSET = "unset"


UNSET: Final = Unset.UNSET
"""No default: `None` is one."""

_DEPTH_MAX = 4
_EMAIL_SAID = re.compile(r"\be-?mail address", re.IGNORECASE)
_QUOTED_HINT = re.compile(r"(?<!\w)['\"‘“`]([^'\"’”`]{1,40})['\"’”`](?!\w)")
_NAMED_HINTS = re.compile(
    r"(?:\be\.?g\.?|\bi\.e\.?|\bsuch\s+as|\blike)[,:]?\s+"
    r"((?:[^\W\d_][\w-]*(?:\s[\w-]+){0,2},\s*)+(?:(?:and|or)\s+)?[^\W\d_][\w-]*(?:\s[\w-]+)?)",
    re.IGNORECASE,
)
_HINT_PARTS = re.compile(r",\s*(?:(?:and|or)\s+)?|\s+(?:and|or)\s+|\s+etc\b.*")
_EXAMPLE = re.compile(
    r"['\"‘“`]([A-Z][^'\"’”`,]*, [^'\"’”`]{2,30})['\"’”`]|\be\.?g\.?,?\s+([A-Z][\w ]+, [A-Z]{2})\b"
)
_DEFAULT_SAID = re.compile(
    r"\b(?:the\s+)?defaults?(?:\s+value)?"
    r"(?:(?:\s+(?:is|to|being)|\s*[:=])+\s*(?:set\s+to\s+|to\s+)?|\s+(?=['\"‘“`\d]|(?:true|"
    r"false|all)\b))"
    r"(?:['\"‘“`](?P<quoted>[^'\"’”`]+)['\"’”`]|(?P<number>-?\d+(?:\.\d+)?)(?![\w.]*\w)"
    r"|(?P<word>true|false|all|none)\b|(?P<bare>[A-Za-z][\w-]*)(?=\s*(?:[.,;)]|$)))",
    re.IGNORECASE,
)
_DEFAULT_AS = re.compile(
    r"(?:['\"‘“`]([^'\"’”`]+)['\"’”`]|\b(\w+))\s+(?:is\s+the|as(?:\s+the)?|by)\s+default\b"
)
_DEFAULT_ELSE = re.compile(
    r"\b(?:if|when|unless)\b[^.;]{0,40}\b(?:not|n't|isn't|un)\s?(?:be\s+)?(?:specif\w+|"
    r"provid\w+|giv\w+|set|"
    r"mention\w+|stat\w+)\b[^.;]{0,10}?,?\s*(?:please\s+)?(?:use|it\s+is|assume|take)s?\s+"
    r"['\"‘“`]?(-?\d+(?:\.\d+)?|\w+)['\"’”`]?(?=\s*(?:[.,;)]|$))",
    re.IGNORECASE,
)
_CODE = re.compile(
    r"['\"‘“`]?(?P<code>(?<![\w.])\d{1,4}|(?<=['\"‘“`])[\w-]{1,12})['\"’”`]?\s*"
    r"(?:(?:is|stands|represents|means|denotes|corresponds)?\s*(?:to|for)|represents|means|"
    r"denotes|is|=|:)\s+"
    r"(?:an?\s+|the\s+)?['\"‘“`]?(?P<meaning>[A-Za-z][\w-]*(?:\s(?!and\b|or\b)[A-Za-z][\w-]*){0,2})"
    r"['\"’”`]?(?=\s*(?:[,.;)]|and\b|or\b|$))"
)
_FOR_EXAMPLE = re.compile(
    r"\b(?:e\.\s?g\.|eg|for (?:example|instance)|such as)[,:]?\s+(?P<said>.+)",
    re.IGNORECASE | re.DOTALL,
)
_EXEMPLAR = re.compile(
    r"['\"‘“`]?(?P<said>[^\s,;'\"’”`()]+(?: [A-Z\d][^\s,;'\"’”`()]*)*)['\"’”`]?(?P<more>,? "
    r"(?:or|and) |, )?"
)
_EXEMPLARS_MAX = 6
_NAMING = re.compile(
    r"(?:the\s+|an?\s+|first\s+|last\s+|full\s+)*(?:name|title|label)s?\b", re.IGNORECASE
)
_COUNTS = re.compile(r"(?:how many|(?:the )?number of)\b", re.IGNORECASE)
_COUNTED = word_set("quantity count amount_of copies pieces")
_DATED = re.compile(r"YYYY|\bISO(?: 8601)? date", re.IGNORECASE)
_TIMED = re.compile(r"\bHH:?MM|\b24-hour|\btime of (?:the )?day|\bo['’]clock", re.IGNORECASE)
_IN_UNIT = re.compile(
    r"\bin (?:degrees )?(?P<unit>[A-Za-z]+(?:/[a-z]+)?)\b(?! (?:per|squared|cubed)\b|\s?[/^])"
)
_PLAIN_NUMBER = re.compile(r"-?\d+(?:\.\d+)?")
_NO_DEFAULT = word_set("none null empty nothing not")
_ROLE_WORDS = {
    "date": "date day datetime when until since deadline birthday dates",
    "time": "time hour clock",
    "id": "id ids key code identifier uuid token sku number no ref reference serial isbn account "
    "version password zip phone username ip",
    "email": "email mail emails",
    "address": "address addresses",
    "url": "url urls uri link website site webpage endpoint href",
    "path": "path file filename folder directory dir document",
    "text": "query text prompt message question content body description comment note sentence "
    "expression command input request search keyword keywords review instruction function equation "
    "statement topic task summary answer explanation",
    "name": "name title label names",
    "unit": "unit units",
    "from": "from source origin start departure begin initial old sender src first",
    "to": "to target destination dest end arrival final new recipient receiver into dst last",
    "by": "by author artist director creator owner",
    "with": "with",
    "year": "year years",
    "part": "year month day hour hours minute minutes",
}
_ROLES = {role: word_set(words) for role, words in _ROLE_WORDS.items()}


@dataclass(frozen=True, slots=True, kw_only=True)
class Parameter:
    """One parameter of a tool."""

    name: str
    types: frozenset[str]
    """JSON types without null; empty: any."""
    required: bool
    """Whether a value must be found: it stands in `required` and may not be null."""
    listed: bool
    """Whether it stands in `required`: then it is sent, if only as null."""
    nullable: bool = False
    handle: str = ""
    """The type of the objects whose names it takes, if it takes any."""
    choices: tuple[JsonValue, ...] = ()
    hints: tuple[str, ...] = ()
    """Values that the description quotes."""
    codes: tuple[tuple[str, JsonValue], ...] = ()
    """What the description explains of its values: `1 for small`, `'de' for German`."""
    examples: tuple[str, ...] = ()
    """Those of its values that a comma parts: how a name is to be written out."""
    default: JsonValue | Unset = UNSET
    minimum: float | None = None
    maximum: float | None = None
    items: Parameter | None = None
    properties: tuple[Parameter, ...] = ()
    description: str = ""
    name_words: tuple[str, ...] = ()
    name_stems: frozenset[str] = frozenset()
    text_stems: frozenset[str] = frozenset()
    text_words: frozenset[str] = frozenset()
    roles: frozenset[str] = frozenset()
    shapes: frozenset[str] = frozenset()
    """What its examples look like: `A-12` is `A-0`."""
    measure: str | None = None
    """What its unit measures, if it names one."""
    counts: bool = False
    """Whether it says how many there are of something."""

    def takes(self, *types: str) -> bool:
        """Whether a value of one of the types may be given."""
        return not self.types or not self.types.isdisjoint(types)

    def only(self, one: str) -> bool:
        """Whether it takes this type and no other."""
        return self.types == frozenset({one})

    @property
    def is_numeric(self) -> bool:
        """Whether it takes numbers and no text."""
        return bool(self.types) and self.types <= {"integer", "number"}


def parameters_of(schema: Schema) -> tuple[Parameter, ...]:
    """The parameters that a JSON Schema of type object describes."""
    return _properties(schema, schema, 0)


def _properties(schema: Schema, root: Schema, depth: int) -> tuple[Parameter, ...]:
    properties = schema.get("properties")
    listed = schema.get("required")
    if not isinstance(properties, Mapping):
        return ()
    names = listed if isinstance(listed, list) else []
    return tuple(
        _parameter(name, dict_of(piece), root, depth, listed=name in names)
        for name, piece in properties.items()
    )


def _parameter(name: str, schema: Schema, root: Schema, depth: int, *, listed: bool) -> Parameter:
    branches = _branches(schema, root)
    types = {one for branch in branches for one in _types(branch)}
    nullable = "null" in types or schema.get("nullable") is True
    main = next((branch for branch in branches if "null" not in _types(branch)), schema)
    merged: dict[str, JsonValue] = {**main, **schema}
    description = str(merged.get("description") or "")
    words = split_name(name)
    items = merged.get("items")
    deeper = depth < _DEPTH_MAX
    return Parameter(
        name=name,
        types=frozenset(types - {"null"}),
        required=listed and not nullable,
        listed=listed,
        nullable=nullable,
        choices=_choices(branches),
        hints=_hints(description),
        codes=_codes(description, types),
        examples=_examples(description),
        default=merged["default"] if "default" in merged else _said_default(description),
        minimum=_bound(merged, "minimum", "exclusiveMinimum"),
        maximum=_bound(merged, "maximum", "exclusiveMaximum"),
        items=_parameter(name, items, root, depth + 1, listed=True)
        if isinstance(items, Mapping) and deeper
        else None,
        properties=_properties(main, root, depth + 1) if deeper else (),
        description=description,
        name_words=words,
        name_stems=frozenset(stem(word) for word in words if len(word) > 1),
        text_stems=frozenset(
            one for one in stems(_without_examples(description)) if one not in COMMON_NOUNS
        ),
        text_words=frozenset(re.findall(r"[a-z]+", description.lower())),
        roles=_roles(words, merged),
        shapes=frozenset(shape_of(one) for one in _exemplars(description)),
        measure=_measure(words, description),
        counts=_COUNTS.match(description) is not None or not _COUNTED.isdisjoint(words),
    )


def _hints(description: str) -> tuple[str, ...]:
    """Values that a description names: quoted, or listed after `e.g.`."""
    quoted: list[str] = _QUOTED_HINT.findall(description)
    listed = _NAMED_HINTS.search(description)
    if quoted:
        return tuple(quoted)
    if listed is None:
        return tuple(
            one
            for one in _exemplars(description)
            if one.isalpha() and not one.isupper() and one != "etc"
        )
    parts = (one.strip() for one in _HINT_PARTS.split(listed[1]))
    return tuple(one for one in parts if len(one) > 1 and one != "etc" and not one.isupper())


def _exemplars(description: str) -> tuple[str, ...]:
    """The values that a description gives as examples: after `e.g.`, one or several."""
    match = _FOR_EXAMPLE.search(description)
    found: list[str] = []
    at, said = 0, match["said"] if match else ""
    while len(found) < _EXEMPLARS_MAX and (one := _EXEMPLAR.match(said, at)):
        found.append(one["said"].rstrip(".:"))
        at = one.end()
        if not one["more"]:
            break
    return tuple(one for one in found if any(letter.isalpha() or letter == ":" for letter in one))


def _without_examples(description: str) -> str:
    """A description without the values that stand plainly after `e.g.`: they say nothing of it."""
    match = _FOR_EXAMPLE.search(description)
    plain = match is not None and not _QUOTED_HINT.search(match.group())
    return description[: match.start()] if match and plain else description


def shape_of(text: str) -> str:
    """What a value looks like: `A-12` and `S-3` are `A-0`."""
    return re.sub(r"\d+", "0", re.sub(r"[a-z]+", "a", re.sub(r"[A-Z]+", "A", text)))


def _measure(words: tuple[str, ...], description: str) -> str | None:
    """What a parameter's unit measures: `weight_kg`, `in kilograms`."""
    named = [one for one in words[-1:] if len(one) > 1 or len(words) > 1]
    described = [one["unit"].lower() for one in _IN_UNIT.finditer(description)]
    found = (dimension_of(one) for one in (*named, *described))
    return next((one for one in found if one is not None), None)


def _examples(description: str) -> tuple[str, ...]:
    return tuple(one[0] or one[1] for one in _EXAMPLE.findall(description))


def _said_default(description: str) -> JsonValue | Unset:
    """The default that a description names: `Defaults to 'km'`, `Default is 2`."""
    match = _DEFAULT_SAID.search(description)
    if match is None:
        match = _DEFAULT_AS.search(description) or _DEFAULT_ELSE.search(description)
    said = "" if match is None else next(one for one in match.groups() if one)
    if _PLAIN_NUMBER.fullmatch(said):
        value = float(said)
        return int(value) if value.is_integer() else value
    truths: dict[str, JsonValue] = {"true": True, "false": False}
    return truths.get(said.lower(), said) if said and said.lower() not in _NO_DEFAULT else UNSET


def _codes(description: str, types: set[str]) -> tuple[tuple[str, JsonValue], ...]:
    """Words and the value that stands for them, at least two of a kind."""
    found = [(one["meaning"], one["code"]) for one in _CODE.finditer(description)]
    numeric = "string" not in types
    pairs: list[tuple[str, JsonValue]] = [
        (meaning, int(code) if numeric else code)
        for meaning, code in found
        if (code.isdigit() if numeric else meaning.lower() != code.lower())
    ]
    return tuple(pairs) if len(pairs) > 1 else ()


def _branches(schema: Schema, root: Schema) -> list[Schema]:
    """The schema with its reference followed and its union opened."""
    schema = resolved_ref(schema, root)
    for keyword in ("anyOf", "oneOf", "allOf"):
        union = schema.get(keyword)
        if isinstance(union, list):
            return [
                branch
                for one in union
                if isinstance(one, Mapping)
                for branch in _branches(one, root)
            ]
    return [schema]


def _types(schema: Schema) -> list[str]:
    said = schema.get("type")
    if isinstance(said, str):
        return [said]
    if isinstance(said, list):
        return [str(one) for one in said]
    values = schema.get("enum", [schema["const"]] if "const" in schema else [])
    return sorted({_type_of(one) for one in values}) if isinstance(values, list) else []


def _type_of(value: JsonValue) -> str:
    if isinstance(value, bool):
        return "boolean"
    names = ((str, "string"), (int, "integer"), (float, "number"), (list, "array"))
    known = (name for kind, name in names if isinstance(value, kind))
    return next(known, "null" if value is None else "object")


def _choices(branches: list[Schema]) -> tuple[JsonValue, ...]:
    found: list[JsonValue] = []
    for branch in branches:
        values = branch.get("enum")
        found += [one for one in values if one is not None] if isinstance(values, list) else []
        found += [branch["const"]] if branch.get("const") is not None else []
    return tuple(found)


def _bound(schema: Schema, *keywords: str) -> float | None:
    for keyword in keywords:
        value = schema.get(keyword)
        if isinstance(value, (int, float)) and not isinstance(value, bool):
            return float(value)
    return None


def _roles(words: tuple[str, ...], schema: Schema) -> frozenset[str]:
    roles = {role for role, names in _ROLES.items() if not names.isdisjoint(words)}
    form = str(schema.get("format") or "")
    description = str(schema.get("description") or "")
    if _NAMING.match(description):
        roles = roles - {"text", "date", "time", "path"} | {"name"}
    if _DATED.search(description) and "format" not in words:
        roles = roles - {"text"} | {"date"}
    if _TIMED.search(description):
        roles = roles - {"text"} | {"time"}
    if _EMAIL_SAID.search(description):
        form += " email"
    roles |= {
        role for role in ("date", "time", "email", "url") if role in form.replace("uri", "url")
    }
    return frozenset(roles)
