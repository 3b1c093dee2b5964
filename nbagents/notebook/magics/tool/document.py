"""`%tool --from pets.yaml`: the operations of an OpenAPI document become tools."""

from __future__ import annotations

import json
import re
import warnings
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

from nbagents.narrowing import dict_of
from nbagents.notebook.magics.tool.line import keep_tools
from nbagents.notebook.markup import Report, report_bundle
from nbagents.notebook.options import OptionError
from nbagents.openapi import OpenAPI
from nbagents.redaction import clean

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from nbagents.tools.tool import Tool

YAML: Final = (".yaml", ".yml")
ADDRESS: Final = re.compile(r"https?://\S+\.(ya?ml|json)", re.IGNORECASE)
FAULTS: Final = 20


@dataclass(frozen=True, slots=True, kw_only=True)
class Added:
    """What a document gave."""

    name: str
    tools: Sequence[Tool]
    faults: Sequence[str]


def is_document(source: str) -> bool:
    """Whether a source is an OpenAPI document, by its ending and what it begins with."""
    if ADDRESS.fullmatch(source):
        return True
    path = Path(source).expanduser()
    return path.suffix.lower() in YAML or (path.suffix == ".json" and _is_openapi(path))


def document_tools(source: str, options: Mapping[str, list[str]], *, replace: bool) -> Added:
    """Make tools of a document, and put them into the toolbox.

    Args:
        source: Its file or its address.
        options: Of the line: `base-url` and `auth`.
        replace: Whether they may take the place of tools that other cells define.

    Raises:
        OptionError: There is no such file, no operation can be used, or `--auth` is none.
        ToolDefinitionError: It is no such document, or another cell defines tools of these names.
    """
    __tracebackhide__ = True
    is_file = not ADDRESS.fullmatch(source)
    if is_file and not Path(source).expanduser().is_file():
        raise OptionError(f"There is no file {source!r}.")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # what cannot be used is said here in full
        api = OpenAPI(
            Path(source).expanduser() if is_file else source,
            base_url=options.get("base-url", [None])[-1],
            auth_env=dict(_variables(one) for one in options.get("auth", ())),
        )
        tools = api.tools()
    if not tools:
        why = " ".join(api.faults[:1])
        raise OptionError(f"{source} has no operation that can be used.{' ' if why else ''}{why}")
    keep_tools(tools, "from", source, replace=replace)
    return Added(name=api.document.title, tools=tools, faults=api.faults)


def _variables(said: str) -> tuple[str, str | tuple[str, ...]]:
    """`key=PETS_KEY` or `login=USER,PASSWORD`: a scheme and the names of its variables."""
    scheme, equals, written = said.partition("=")
    names = tuple(one.strip() for one in written.split(","))
    if not scheme or not equals or not all(names):
        raise OptionError(
            "--auth wants SCHEME=VARIABLE, e.g. key=PETS_KEY (or login=USER,PASSWORD), not"
            f" {said!r}."
        )
    return scheme, names[0] if len(names) == 1 else names


def fault_report(added: Added) -> dict[str, object]:
    """What of a document cannot be used, a sentence each, as a display bundle."""
    more = len(added.faults) - FAULTS
    left = [f"… and {more:,} more, in OpenAPI(…).faults"] if more > 0 else []
    notes = [clean(one) for one in (*added.faults[:FAULTS], *left)]
    title = f"Not all of {added.name} can be used as it stands:"
    return report_bundle(Report(title=clean(title), rows=[], notes=notes))


def _is_openapi(path: Path) -> bool:
    try:
        said: object = json.loads(path.read_bytes())
    except (OSError, ValueError, RecursionError):
        return False
    return bool(dict_of(said).keys() & {"openapi", "swagger"})
