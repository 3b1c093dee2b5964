"""What a catalogue is made from: files, records, documents, functions, toolsets, modules."""

from __future__ import annotations

import json
import re
import warnings
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any, Final, TypeAlias, TypeGuard, cast

from nbagents.catalogue.index import IndexCache
from nbagents.catalogue.records import (
    Api,
    Record,
    entry_of_operation,
    entry_of_record,
    entry_of_tool,
    is_record,
    records_of,
)
from nbagents.catalogue.sources.record_file import Batch, read_lines, unique
from nbagents.errors import ToolDefinitionError
from nbagents.narrowing import is_dict, is_list, is_mapping, is_sequence
from nbagents.tools.tool import Tool, resolve_tools, split_name, toolbox

if TYPE_CHECKING:
    from nbagents.openapi import OpenAPI

Source: TypeAlias = Any
"""A path, an address, a record or several, an OpenAPI document, or whatever an agent takes as a
tool: functions, tools, toolsets, modules, objects."""

PYTHON: Final = "Python"
"""The category of what is written in this process, unless another is given."""
RECORDS: Final = "Other"
"""The category of records that name none."""
LINES: Final = (".jsonl", ".ndjson")
FILES: Final = (*LINES, ".json", ".yaml", ".yml")
ADDRESS: Final = re.compile(r"\s*https?://", re.IGNORECASE)
DOCUMENT_WORDS: Final = ("openapi", "swagger")


def read_source(source: Source, place: Mapping[str, str], cache: IndexCache | None) -> Batch:
    """The entries of a source.

    Args:
        source: See `Source`.
        place: The `category` and `tool` to which what names none belongs; may be empty.
        cache: Where the indexes of files are kept.

    Raises:
        ToolDefinitionError: Nothing of it can be used; says why.
    """
    batch = _read(source, place, cache)
    batch.entries = unique(batch.entries)
    if not batch.entries and batch.faults:
        raise ToolDefinitionError(f"Nothing of {_shown(source)} can be used: {batch.faults[0]}")
    return batch


def _read(source: Source, place: Mapping[str, str], cache: IndexCache | None) -> Batch:
    if isinstance(source, str) and ADDRESS.match(source):
        return _operations(_document(source), place)
    if isinstance(source, Path) or (isinstance(source, str) and _is_path(source)):
        return _file(Path(source).expanduser(), place, cache)
    if is_mapping(source):
        return _mapping(source, place)
    if isinstance(source, Api) or _is_records(source):
        given = [source] if isinstance(source, Api) else source
        return _records(given, "records", place)
    if _is_document(source):
        return _operations(source, place)
    return _tools(source, place)


def _is_path(text: str) -> bool:
    if text in toolbox:
        return False
    return "/" in text or text.lower().endswith(FILES) or Path(text).is_file()


def _is_records(source: Source) -> bool:
    if not is_sequence(source) or not source:
        return False
    return all(isinstance(one, Api) or (is_mapping(one) and not _is_told(one)) for one in source)


def _is_told(given: Record) -> bool:
    """Whether a mapping is an OpenAPI document."""
    return any(word in given for word in DOCUMENT_WORDS)


def _is_document(source: object) -> TypeGuard[OpenAPI]:
    from nbagents.openapi import OpenAPI  # it brings an HTTP client

    return isinstance(source, OpenAPI)


def _document(given: Mapping[str, Any] | str | Path) -> OpenAPI:
    from nbagents.openapi import OpenAPI  # it brings an HTTP client

    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # they stand in its faults
        return OpenAPI(given)


def _mapping(given: Record, place: Mapping[str, str]) -> Batch:
    if _is_told(given):
        return _operations(_document(given), place)
    return _records(records_of(given), "record", place)


def _file(path: Path, place: Mapping[str, str], cache: IndexCache | None) -> Batch:
    try:
        content = path.read_bytes()
    except OSError as error:
        raise ToolDefinitionError(
            f"{str(path)!r} cannot be read: {error.strerror or error}. Give the path of a file "
            "of records (a JSON object a line) or of an OpenAPI document."
        ) from error
    if path.suffix.lower() in LINES or _begins_with_record(content):
        return read_lines(content, path, _defaults(place, path.stem), cache)
    records = _json_records(content)
    if records is None:
        return _operations(_document(path), place)
    return _records(records, path.name, _defaults(place, path.stem))


def _begins_with_record(content: bytes) -> bool:
    """Whether each line is an object of its own; a file of one record is that, too."""
    first, _, rest = content.lstrip().partition(b"\n")
    try:
        given = json.loads(first)
    except (ValueError, RecursionError):
        return False
    return is_record(given) and rest.lstrip()[:1] in (b"", b"{")


def _json_records(content: bytes) -> list[Record] | None:
    """The records of a JSON file; `None` where it is no file of records."""
    try:
        given = json.loads(content)
    except (ValueError, RecursionError):
        return None
    listed = given if is_list(given) else [given]
    mappings = [one for one in listed if is_dict(one)]
    records = [record for one in mappings for record in records_of(one)]
    is_all = len(mappings) == len(listed) and not any(map(_is_told, mappings))
    return records if is_all and records and any(map(is_record, records)) else None


def _defaults(place: Mapping[str, str], tool: str) -> dict[str, str]:
    return {"category": RECORDS, "tool": tool, **place}


def _records(given: Iterable[object], source: str, place: Mapping[str, str]) -> Batch:
    batch = Batch()
    defaults = _defaults(place, "records")
    for number, one in enumerate(given, start=1):
        try:
            for record in records_of(_as_record(one)):
                batch.entries.append(entry_of_record(record, source=source, place=defaults))
        except ToolDefinitionError as error:
            batch.faults.append(f"Record {number} cannot be used: {error}.")
    return batch


def _as_record(given: object) -> Record:
    if is_mapping(given):
        return given
    if not isinstance(given, Api):
        raise ToolDefinitionError("it is no JSON object")
    return {
        "category": given.category,
        "tool": given.tool,
        "api": given.api,
        "source": given.source,
        "method": given.method,
        **given.definition(),
    }


def _operations(document: OpenAPI, place: Mapping[str, str]) -> Batch:
    batch = Batch(faults=list(document.faults))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # what they say are the faults
        tools = document.tools()
    operations = {f"{document.name}--{one.name}": one for one in document.operations}
    for tool in tools:
        found = operations.get(tool.name)
        batch.entries.append(entry_of_operation(tool, found, document, place))
    return batch


def _tools(source: Source, place: Mapping[str, str]) -> Batch:
    several = isinstance(source, (list, tuple, set, frozenset, Iterator))
    listed = list(cast("Iterable[object]", source)) if several else [source]
    if any(map(_is_source, listed)):
        raise ToolDefinitionError(
            "A list that a catalogue takes is one of records or one of tools: give several "
            "sources one by one, as Catalogue(first, second)."
        )
    category = place.get("category", PYTHON)
    return Batch(
        [
            entry_of_tool(one, category=category, group=place.get("tool") or _group(one))
            for one in resolve_tools(listed)
        ]
    )


def _is_source(one: object) -> bool:
    return isinstance(one, (Mapping, Path, Api)) or _is_document(one)


def _group(tool: Tool) -> str:
    group = tool.options.toolset or tool.original_toolset or split_name(tool.name)[0]
    if group:
        return group
    module = getattr(tool.function, "__module__", None) or "functions"
    return "notebook" if module == "__main__" else module.rpartition(".")[2]


def _shown(source: Source) -> str:
    if isinstance(source, (str, Path)):
        return repr(str(source))
    return source.__name__ if isinstance(source, ModuleType) else f"this {type(source).__name__}"
