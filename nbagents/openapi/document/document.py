"""A document as it was read: its version, its paths, and what its references lead to."""

from __future__ import annotations

import codecs
import json
import os
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, NoReturn, TypeAlias

from nbagents.narrowing import dict_of, is_dict
from nbagents.openapi.document.fault import DocumentError
from nbagents.tools.json_schema import target_of

Node: TypeAlias = "dict[str, Any]"  # Any: JSON as it lies there, of which nothing is known yet

METHODS: Final = ("get", "put", "post", "delete", "options", "head", "patch", "trace")
"""In the order of the specification. Source: OpenAPI 3.1.1, Path Item Object."""
LARGEST: Final = 100_000_000
"""Bytes of a document."""
BOMS: Final = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
PATH_KEY: Final = re.compile(r'"(/[^"\\]*)"\s*:\s*\{')
"""What may be the key of a path in a JSON text."""
VERSION: Final = re.compile(r"3\.(?P<minor>\d+)(?:\.\d+.*)?")


class NoNumberError(ValueError):
    """A word that stands for a number, and is none in JSON: `NaN`, `Infinity`."""


def _refuse(word: str) -> NoReturn:
    raise NoNumberError(word)


STRICT: Final = json.JSONDecoder(parse_constant=_refuse)


@dataclass(slots=True)
class Document:
    """An OpenAPI document; its parts are looked at when they are asked for."""

    root: Node
    name: str
    """What it is called in errors: the file, the address, or its title."""
    is_old: bool
    """Whether it is of 3.0, whose schemas are no JSON Schema yet."""
    warnings: tuple[str, ...] = ()
    """What was wrong on the whole, and could be done without."""
    _found: dict[str, tuple[Any, str]] = field(default_factory=dict[str, "tuple[Any, str]"])

    @property
    def title(self) -> str:
        """What the document calls itself."""
        title = dict_of(self.root.get("info")).get("title")
        return title if isinstance(title, str) and title.strip() else "API"

    @property
    def description(self) -> str:
        """What the document says of the whole."""
        said = dict_of(self.root.get("info")).get("description")
        return said if isinstance(said, str) else ""

    @property
    def paths(self) -> Node:
        """The path items by path; none where there are none."""
        return dict_of(self.root.get("paths"))

    def operations(self) -> Iterator[tuple[str, str, Any, Any]]:
        """Method, path, path item and operation, in the order of the document."""
        paths: dict[Any, Any] = self.paths  # a dictionary may be given with any keys
        for path, given in paths.items():
            if not isinstance(path, str) or not path.startswith("/"):  # an extension
                continue
            item: object = self._item(given, path) if "$ref" in dict_of(given) else given
            if not is_dict(item):
                yield "", path, item, None
                continue
            for word in item:
                if word in METHODS:
                    yield word, path, item, item[word]

    def _item(self, item: Node, path: str) -> object:
        try:
            found, _ = self.resolved(item, f"paths.{path}")
        except DocumentError as error:
            return error  # no object, so that it is named as a fault
        own = {word: one for word, one in item.items() if word != "$ref"}
        return {**found, **own} if is_dict(found) else found

    def resolved(self, node: object, where: str) -> tuple[Any, str]:
        """What a node is, and where that stands: it may be a reference to another.

        Raises:
            DocumentError: A reference leads nowhere, out of the document, or to itself.
        """
        seen: set[str] = set()
        found = node
        while is_dict(found) and "$ref" in found:
            ref = found["$ref"]
            if not isinstance(ref, str):
                raise DocumentError(where, f"$ref is {ref!r}, and no text")
            if ref in seen:
                raise DocumentError(where, f"$ref leads in a circle, by way of {ref!r}")
            seen.add(ref)
            found, where = self.target(ref, where), ref
        return found, where

    def target(self, ref: str, where: str) -> Any:
        """What a reference leads to.

        Raises:
            DocumentError: Nothing is there, or it leads out of the document.
        """
        known = self._found.get(ref)
        if known is not None:
            return known[0]
        if not ref.startswith("#"):
            raise DocumentError(
                where, f"$ref leads out of the document, to {ref!r}, which is not read: bundle it"
            )
        found = target_of(ref, self.root)
        if found is None:
            raise DocumentError(where, f"$ref leads to {ref!r}, which is not there")
        self._found[ref] = found, ref
        return found


def document_of(given: Mapping[str, Any] | str | bytes | Path, name: str = "") -> Document:
    """Read a document: a dictionary, the path of a file, or the text or bytes of one.

    No reference in it is followed to a file or an address.

    Args:
        given: The document.
        name: What it is called in errors, where it is no file.

    Raises:
        DocumentError: It cannot be read, or is no OpenAPI 3 document.
    """
    if isinstance(given, Mapping):
        return _checked(dict(given), name or "the document", ())
    if isinstance(given, str) and not _is_text(given):
        given = Path(given)
    if isinstance(given, Path):
        name, given = name or given.name, _bytes_of(given)
    where = name or "the document"
    text = given if isinstance(given, str) else _decoded(given, where)
    root, warnings = _parsed(text, where)
    return _checked(root, where, warnings)


def _is_text(given: str) -> bool:
    return "\n" in given or given.lstrip("\ufeff \t\r").startswith(("{", "["))


def _bytes_of(path: Path) -> bytes:
    if path.parts[:1] == ("~",):
        path = path.expanduser()
    try:
        with path.open("rb", buffering=0) as file:
            if os.fstat(file.fileno()).st_size > LARGEST:
                raise DocumentError(path.name, f"it is larger than {LARGEST:,} bytes")
            return file.readall()
    except OSError as error:
        raise DocumentError(str(path), f"it cannot be read: {error.strerror or error}") from error


def _decoded(data: bytes, where: str) -> str:
    coding = next((name for mark, name in BOMS if data.startswith(mark)), "utf-8")
    try:
        return data.decode(coding)
    except UnicodeDecodeError as error:
        said = f"byte {error.start:,} is not {coding}: save the file as UTF-8"
        raise DocumentError(where, said) from error


def _parsed(text: str, where: str) -> tuple[object, tuple[str, ...]]:
    start = text.lstrip("\ufeff \t\r\n")[:1]
    if not start:
        raise DocumentError(where, "it is empty")
    if start == "<":
        raise DocumentError(where, "it is a web page or XML, and no OpenAPI document")
    if start not in "{[":
        return _of_yaml(text, where), ()
    try:
        return _of_json(text, where)
    except json.JSONDecodeError as error:
        # YAML in flow style begins like JSON; what is neither is told of as JSON.
        if start == "{":
            try:
                return _of_yaml(text, where), ()
            except DocumentError:
                pass
        said = f"line {error.lineno}, column {error.colno}: it is no JSON: {error.msg}"
        raise DocumentError(where, said) from error


def _of_json(text: str, where: str) -> tuple[object, tuple[str, ...]]:
    text, odd = text.lstrip("\ufeff"), list[str]()
    try:
        try:
            root = STRICT.decode(text)
        except NoNumberError:
            root = json.loads(text, parse_constant=odd.append)
        names = [name for name, count in Counter(PATH_KEY.findall(text)).items() if count > 1]
        if names:
            root = json.loads(text, object_pairs_hook=_without_repeats(where))
    except RecursionError as error:
        raise DocumentError(where, "it is nested too deeply") from error
    if odd:
        said = ", ".join(dict.fromkeys(odd))
        return root, (f"{where}: {said} is no JSON, and taken for null.",)
    return root, ()


def _without_repeats(where: str) -> Any:  # Any: a hook of json
    def pairs(found: list[tuple[str, Any]]) -> Node:
        made = dict(found)
        if len(made) < len(found):
            twice = next(name for name, count in Counter(n for n, _ in found).items() if count > 1)
            if twice.startswith("/"):  # an operation would be lost; elsewhere the last one holds
                raise DocumentError(where, f"the key {twice!r} comes twice")
        return made

    return pairs


def _of_yaml(text: str, where: str) -> object:
    from nbagents.openapi.document.yaml_text import (  # most documents are JSON
        YamlError,
        read_yaml,
    )

    try:
        return read_yaml(text.lstrip("\ufeff"))
    except YamlError as error:
        raise DocumentError(where, f"it is no YAML that can be read: {error}") from error


def _checked(root: object, where: str, warnings: tuple[str, ...]) -> Document:
    if not is_dict(root):
        what = "a list" if isinstance(root, list) else f"{str(root)[:40]!r}"
        raise DocumentError(where, f"it is {what}, and no OpenAPI document, which is an object")
    if "swagger" in root:
        raise DocumentError(
            where,
            f"it is Swagger {root['swagger']}, which is not read: convert it to OpenAPI 3, e.g. "
            "with converter.swagger.io",
        )
    if "openapi" not in root:
        raise DocumentError(where, "it has no field `openapi`, so it is no OpenAPI document")
    version = VERSION.fullmatch(str(root["openapi"]).strip())
    if version is None:
        raise DocumentError(where, f"its version is {root['openapi']!r}: 3.0, 3.1 and 3.2 are read")
    said = _warnings(root, where, int(version["minor"]))
    return Document(root, where, version["minor"] == "0", (*warnings, *said))


def _warnings(root: Node, where: str, minor: int) -> Iterator[str]:
    if minor > 1:
        yield f"{where}: it is of version {root['openapi']}, and read as 3.1."
    paths = root.get("paths")
    if paths is not None and not isinstance(paths, dict):
        yield f"{where}: paths is no object, so there are no operations."
