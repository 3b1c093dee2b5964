"""Tools of records that say where a request goes: `api_url`, `method`, and what it takes.

Source: the `apiList` of AnyTool and ToolBench, which describe RapidAPI so.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from types import MappingProxyType
from typing import Any, Final
from urllib.parse import urlsplit

from pydantic import JsonValue

from nbagents.errors import ToolDefinitionError
from nbagents.narrowing import dict_of, is_mapping
from nbagents.openapi.caller import Caller, Sender, hosts_of
from nbagents.openapi.document import METHODS, DocumentError, document_of
from nbagents.openapi.exchange import Patience, named_by
from nbagents.openapi.operation_options import options_of
from nbagents.openapi.request import (
    Fitting,
    Operation,
    Secret,
    Security,
    checked_base,
    fitting,
    path_names,
    written_name,
)
from nbagents.tools.context import Context
from nbagents.tools.json_schema import PARAMETER_LISTS, fitted, schema_of_lists
from nbagents.tools.schema import Bound, Issues
from nbagents.tools.tool import Tool, safe_name

ADDRESSES: Final = ("api_url", "url")
NAMES: Final = ("name", "api_name", "api")
WORDS: Final = ("description", "api_description")
IN_QUERY: Final = ("GET", "HEAD", "DELETE", "OPTIONS", "TRACE")
"""Methods whose requests say all in the address."""
RAPID: Final = ".p.rapidapi.com"


@dataclass(frozen=True, slots=True)
class RecordSchema:
    """Takes what a record says, flat and by its names, wherever that goes."""

    operation: Operation
    description: str
    parameters: dict[str, JsonValue]

    @property
    def handles(self) -> Mapping[str, str]:
        """None: a record knows only JSON."""
        return MappingProxyType({})

    def bind(self, arguments: JsonValue, context: Context) -> Bound | Issues:
        """The call that the arguments ask for, or what does not fit."""
        given, issues = fitted(arguments, self.parameters)
        if issues or not isinstance(given, dict):
            return issues
        made = fitting(self.operation, placed(self.operation, given))
        if not isinstance(made, Fitting):
            return made
        return Bound([made, context.handles], {}, given)


def placed(operation: Operation, given: Mapping[str, JsonValue]) -> dict[str, JsonValue]:
    """Flat arguments in the places of a request."""
    parts = operation.parts
    places: dict[str, dict[str, JsonValue]] = {"path": {}, "query": {}, "body": {}}
    for name, value in given.items():
        is_query = parts.named(name, "query") is not None
        place = "path" if parts.named(name, "path") else "query" if is_query else "body"
        places[place][name] = value
    body = places["body"] or ...
    return operation.arguments(path=places["path"], query=places["query"], body=body)


class RequestTools:
    """Tools of records that share credentials and connections.

    Args:
        auth: Secret headers, e.g. `{"X-RapidAPI-Key": key}`.
        auth_env: Secret headers whose values variables of the environment hold.
        base_url: Where requests go instead of the host that a record names.
        private_hosts: Private hosts that may be reached.
        timeout_s: How long a call may take.
    """

    def __init__(
        self,
        *,
        auth: Mapping[str, Secret] | None = None,
        auth_env: Mapping[str, str | Sequence[str]] | None = None,
        base_url: str | None = None,
        private_hosts: Iterable[str] = (),
        timeout_s: float = 60.0,
    ) -> None:
        named = hosts_of(private_hosts)
        self._base: Final = None if base_url is None else checked_base(base_url)
        if self._base is not None and (one := named_by(self._base)):
            named.append(one)
        self._auth: Final = dict(auth or {})
        self._auth_env: Final = dict(auth_env or {})
        self._sender: Final = Sender(named, Patience(timeout_s=timeout_s))

    def tool(
        self,
        record: Mapping[str, Any],
        name: str | None = None,
        parameters: Mapping[str, Any] | None = None,
    ) -> Tool:
        """The tool of a record.

        Args:
            record: With `api_url`, and what else it says: `method`, `required_parameters`,
                `optional_parameters` or `parameters`, name and description.
            name: What the tool is called, instead.
            parameters: What it takes, as a JSON Schema, instead.

        Raises:
            ToolDefinitionError: The record does not say where its request goes.
        """
        base, path = _address(record)
        method = str(record.get("method") or "GET").upper()
        if method.lower() not in METHODS:
            raise ToolDefinitionError(f"A record asks for the method {method!r}, which is none.")
        schema = dict(parameters) if parameters is not None else _schema(record)
        document = document_of(self._document(record, method, path, schema), _name(record))
        security = Security(document, self._auth, self._auth_env)
        raw = document.root["paths"][path][method.lower()]
        operation = Operation(
            document=document,
            method=method,
            path=path,
            name=name or safe_name(_name(record) or written_name(method.lower(), path)),
            item=document.root["paths"][path],
            raw=raw,
            owned=security.owned(raw),
        )
        host = urlsplit(base).hostname or ""
        headers = {"X-RapidAPI-Host": host} if host.endswith(RAPID) else {}
        caller = Caller(
            sender=self._sender, security=security, base=self._base or base, headers=headers
        )
        described = RecordSchema(operation, operation.description, _closed(schema))
        made = Tool.of_schema(
            described, partial(_called, caller, operation), options_of(method, operation.name)
        )
        made.original_name = _name(record) or operation.name
        return made

    def _document(
        self, record: Mapping[str, Any], method: str, path: str, schema: Mapping[str, Any]
    ) -> dict[str, Any]:
        """The record as a document of one operation."""
        properties = dict_of(schema.get("properties"))
        in_path, body = set(path_names(path)), dict[str, Any]()
        listed: list[dict[str, Any]] = []
        for name, one in properties.items():
            if name in in_path or method in IN_QUERY:
                place = "path" if name in in_path else "query"
                listed.append({"name": name, "in": place, "schema": one})
            else:
                body[name] = one
        secret = list(dict.fromkeys([*self._auth, *self._auth_env]))
        operation: dict[str, Any] = {
            "description": next((str(record[one]) for one in WORDS if record.get(one)), ""),
            "parameters": listed,
            "security": [{one: list[str]() for one in secret}] if secret else [],
        }
        if body:
            content = {"application/json": {"schema": {"type": "object", "properties": body}}}
            operation["requestBody"] = {"content": content}
        schemes = {one: {"type": "apiKey", "in": "header", "name": one} for one in secret}
        return {
            "openapi": "3.1.0",
            "info": {"title": str(record.get("tool_name") or record.get("tool") or "API")},
            "paths": {path: {method.lower(): operation}},
            "components": {"securitySchemes": schemes},
            **{word: schema[word] for word in ("$defs", "definitions") if word in schema},
        }


def request_tool(
    record: Mapping[str, Any],
    name: str | None = None,
    parameters: Mapping[str, Any] | None = None,
    **options: Any,
) -> Tool:
    """The tool of one record that says where its request goes.

    Args:
        record: See `RequestTools.tool`.
        name: What the tool is called, instead.
        parameters: What it takes, as a JSON Schema, instead.
        options: See `RequestTools`.

    Example:
        >>> record = {"api_name": "cat fact", "api_url": "https://cats.example/fact"}
        >>> request_tool(record).name
        'cat_fact'
    """
    return RequestTools(**options).tool(record, name, parameters)


async def _called(
    caller: Caller,
    operation: Operation,
    arguments: Fitting | Mapping[str, Any] | None = None,
    objects: Mapping[str, object] = MappingProxyType({}),
    /,
    **named: Any,
) -> object:
    """A call by a model, or by a person who gives the arguments flat."""
    if not isinstance(arguments, Fitting):
        arguments = placed(operation, {**(arguments or {}), **named})
    return await caller.call(operation, arguments, objects)


def _address(record: Mapping[str, Any]) -> tuple[str, str]:
    """The server and the path of a record's request."""
    given = next((record[one] for one in ADDRESSES if isinstance(record.get(one), str)), "")
    parts = urlsplit(given.strip())
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise ToolDefinitionError(
            f"The record {_name(record)!r} does not say where its request goes: its `api_url` is "
            f"{given!r}."
        )
    if "@" in parts.netloc:  # not quoted: it holds a password
        raise ToolDefinitionError(f"The `api_url` of {_name(record)!r} holds a user or password.")
    path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    return checked_base(f"{parts.scheme}://{parts.netloc}"), path


def _name(record: Mapping[str, Any]) -> str:
    return next((str(record[one]) for one in NAMES if record.get(one)), "")


def _schema(record: Mapping[str, Any]) -> dict[str, Any]:
    given = record.get("parameters")
    if is_mapping(given) and not any(map(record.get, PARAMETER_LISTS)):
        return dict(given)
    for word in PARAMETER_LISTS:
        for one in record.get(word) or ():
            if not is_mapping(one) or not one.get("name"):
                raise DocumentError(_name(record), f"{word} holds {one!r}, which has no name")
    return schema_of_lists(record)


def _closed(schema: Mapping[str, Any]) -> dict[str, Any]:
    """The schema, which takes nothing else than it says."""
    return {"additionalProperties": False, **schema, "type": "object"}
