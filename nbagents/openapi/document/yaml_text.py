"""YAML as OpenAPI means it: the JSON of YAML 1.2, built without recursion, tags or expansion.

PyYAML's own loaders read YAML 1.1, where `NO` is false and 12:30 a number, drop repeated keys, and
copy nothing but recurse. Its parser is used; what events become is decided here.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final, cast

from nbagents.narrowing import is_dict, is_list

if TYPE_CHECKING:
    from pydantic import JsonValue

MAX_MERGED: Final = 1_000_000
"""Entries that merge keys may copy in one document: each copies a mapping anew."""
MAX_DEPTH: Final = 500

NULLS: Final = frozenset(("", "~", "null", "Null", "NULL"))
BOOLEANS: Final = {
    **dict.fromkeys(("true", "True", "TRUE"), True),
    **dict.fromkeys(("false", "False", "FALSE"), False),
}
WHOLE: Final = re.compile(r"[-+]?[0-9]+")
BASED: Final = re.compile(r"0(?:o(?P<octal>[0-7]+)|x(?P<hex>[0-9a-fA-F]+))")
DECIMAL: Final = re.compile(r"[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?")
MAX_DIGITS: Final = 300
"""A longer number stays text: Python would refuse it, or take long."""

PLAIN_TAGS: Final = {
    "tag:yaml.org,2002:str": "text",
    "tag:yaml.org,2002:map": "",
    "tag:yaml.org,2002:seq": "",
    "tag:yaml.org,2002:int": "",
    "tag:yaml.org,2002:float": "",
    "tag:yaml.org,2002:bool": "",
    "tag:yaml.org,2002:null": "",
    "tag:yaml.org,2002:timestamp": "text",
    "!": "text",
}


class YamlError(ValueError):
    """A text is no YAML that is taken; the message says the line and why."""


class _Merge:
    """The key `<<`."""


MERGE: Final = _Merge()


@dataclass(slots=True)
class _Open:
    """A list or a mapping that is not over yet."""

    value: list[Any] | dict[Any, Any]
    anchor: str | None
    line: int
    key: object = None
    has_key: bool = False
    merged: list[dict[str, JsonValue]] = field(default_factory=list["dict[str, JsonValue]"])


def read_yaml(text: str) -> JsonValue:
    """The value of a YAML document.

    An alias is the very object that it names, so that a small text stays small.

    Raises:
        YamlError: It is no YAML, repeats a key, holds a tag of a program, or contains itself.
    """
    import yaml  # most documents are JSON

    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    builder = _Builder(yaml)
    try:
        for event in cast("Any", yaml).parse(text, Loader=loader):
            builder.take(event)
    except yaml.YAMLError as error:
        raise YamlError(_said(error)) from error
    except RecursionError as error:
        raise YamlError("it is nested too deeply") from error
    return builder.result


def _said(error: Any) -> str:  # Any: errors of PyYAML may have a mark
    mark, problem = getattr(error, "problem_mark", None), getattr(error, "problem", None)
    if mark is None:
        return " ".join(str(error).split())
    return f"line {mark.line + 1}, column {mark.column + 1}: {problem or 'it is no YAML'}"


class _Builder:
    """Makes a value of the events of a parser."""

    def __init__(self, yaml: Any) -> None:  # Any: the module, loaded by the first YAML
        self.result: JsonValue = None
        self._stack: list[_Open] = []
        self._anchors: dict[str, JsonValue] = {}
        self._merged = 0
        self._documents = 0
        self._takers = {
            yaml.DocumentStartEvent: self._document,
            yaml.ScalarEvent: self._scalar,
            yaml.AliasEvent: self._alias,
            yaml.SequenceStartEvent: self._list,
            yaml.MappingStartEvent: self._mapping,
            yaml.SequenceEndEvent: self._end,
            yaml.MappingEndEvent: self._end,
        }

    def take(self, event: Any) -> None:
        """Take the next event."""
        taker = self._takers.get(type(event))
        if taker is not None:
            taker(event)

    def _document(self, event: Any) -> None:
        self._documents += 1
        if self._documents > 1:
            raise YamlError(f"line {_line(event)}: a second document begins; give one at a time")

    def _scalar(self, event: Any) -> None:
        is_text = _kind_of_tag(event) == "text" or not event.implicit[0]
        is_key = bool(self._stack) and _wants_key(self._stack[-1])
        if is_key and event.value == "<<" and event.implicit[0] and not event.style:
            self._place(MERGE, event)
            return
        value = event.value if is_text or is_key or event.style else plain_scalar(event.value)
        self._anchor(event.anchor, value)
        self._place(value, event)

    def _alias(self, event: Any) -> None:
        if any(one.anchor == event.anchor for one in self._stack):
            raise YamlError(f"line {_line(event)}: the anchor &{event.anchor} contains itself")
        if event.anchor not in self._anchors:
            raise YamlError(f"line {_line(event)}: there is no anchor &{event.anchor}")
        self._place(self._anchors[event.anchor], event)

    def _list(self, event: Any) -> None:
        self._open([], event)

    def _mapping(self, event: Any) -> None:
        self._open({}, event)

    def _open(self, value: list[Any] | dict[Any, Any], event: Any) -> None:
        _kind_of_tag(event)
        if len(self._stack) >= MAX_DEPTH:
            raise YamlError(f"line {_line(event)}: it is nested more than {MAX_DEPTH} levels deep")
        self._stack.append(_Open(value, event.anchor, _line(event)))

    def _end(self, event: Any) -> None:
        ended = self._stack.pop()
        if isinstance(ended.value, dict):
            for source in ended.merged:
                for name, one in source.items():
                    ended.value.setdefault(name, one)
        self._anchor(ended.anchor, ended.value)
        self._place(ended.value, event)

    def _anchor(self, name: str | None, value: JsonValue) -> None:
        if name is not None:
            self._anchors[name] = value

    def _place(self, value: Any, event: Any) -> None:
        if not self._stack:
            self.result = value
            return
        top = self._stack[-1]
        if isinstance(top.value, list):
            top.value.append(value)
        elif not top.has_key:
            top.key, top.has_key = _key(value, top.value, event), True
        else:
            if top.key is MERGE:
                self._merge(top, value, event)
            else:
                top.value[top.key] = value
            top.has_key = False

    def _merge(self, top: _Open, value: object, event: Any) -> None:
        sources = value if is_list(value) else [value]
        for one in sources:
            if not is_dict(one):
                raise YamlError(f"line {_line(event)}: << merges mappings, and this is none")
            self._merged += len(one)
            if self._merged > MAX_MERGED:
                raise YamlError(f"line {_line(event)}: << merges more than is taken")
            top.merged.append(one)


def _wants_key(top: _Open) -> bool:
    return isinstance(top.value, dict) and not top.has_key


def _key(value: object, known: dict[Any, Any], event: Any) -> object:
    if value is MERGE:
        return value
    if not isinstance(value, str):
        raise YamlError(f"line {_line(event)}: a key must be a plain value")
    if value in known:
        raise YamlError(f"line {_line(event)}: the key {value!r} comes twice")
    return value


def _kind_of_tag(event: Any) -> str:
    if event.tag is None:
        return ""
    if event.tag not in PLAIN_TAGS:
        raise YamlError(f"line {_line(event)}: the tag {event.tag!r} is not taken")
    return PLAIN_TAGS[event.tag]


def _line(event: Any) -> int:
    return int(event.start_mark.line) + 1


def plain_scalar(text: str) -> JsonValue:  # noqa: PLR0911  of each kind
    """What an unquoted scalar is, by the core schema of YAML 1.2.

    What JSON has no number for stays text.

    Source: YAML 1.2.2, 10.3.2, tag resolution.
    """
    if text in NULLS:
        return None
    if text in BOOLEANS:
        return BOOLEANS[text]
    if len(text) > MAX_DIGITS or text[0] not in "-+.0123456789":
        return text
    if WHOLE.fullmatch(text):
        return int(text)
    if based := BASED.fullmatch(text):
        return int(based["octal"], 8) if based["octal"] else int(based["hex"], 16)
    if DECIMAL.fullmatch(text):
        number = float(text)
        return number if number not in (float("inf"), float("-inf")) else text
    return text
