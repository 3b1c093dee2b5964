"""A document as a toolset: one tool for each operation."""

from __future__ import annotations

import json
import re
import warnings
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property, partial
from pathlib import Path
from typing import Any, Final

from nbagents import bounds
from nbagents.errors import ToolDefinitionError, did_you_mean
from nbagents.narrowing import is_dict
from nbagents.openapi.caller import Caller, Sender, hosts_of
from nbagents.openapi.document import Document, DocumentError, document_of
from nbagents.openapi.exchange import Patience, Reach, named_by
from nbagents.openapi.fetching import fetched
from nbagents.openapi.operation_options import options_of
from nbagents.openapi.operation_schema import OperationSchema
from nbagents.openapi.request import (
    Operation,
    Secret,
    Security,
    Servers,
    checked_base,
    operation_names,
)
from nbagents.tools.tool import SEPARATOR, Tool

LONGEST: Final = 64
LONGEST_PREFIX: Final = 24
MAX_NAMED: Final = 20
ADDRESSES: Final = ("http://", "https://")


class OpenAPI:
    """The operations of an OpenAPI document (3.0, 3.1) as tools that make real requests.

    The document is read at once, each operation when it is first used; one that cannot be used is
    left out of `tools()` with a warning, and stands in `faults`. References are followed within the
    document only: nothing in it makes a file be read or an address be asked.

    An argument of a tool is called as the parameter; where two places have one of that name, by the
    place, too (`path_id`, `query_id`). The body is the argument `body`, and where there are several
    media types `content_type` chooses one. Bytes are `{"base64": …}`, `{"text": …}` or
    `{"handle": …}`, the name of a live object.

    Requests go to public addresses only, and to private ones that were named here: an address in
    `base_url`, or `private_hosts`. GET and HEAD only read, DELETE destroys, and the others need
    approval, as the run's policy says.

    Args:
        document: A dictionary, the path of a JSON or YAML file, its text, or its address.
        base_url: Where the server is; `None`: as the document says.
        auth: Credentials by the name of the security scheme: a key or token, a pair of user and
            password or of client id and secret, a mapping with `client_id`, `client_secret`,
            `token_url` and `scopes`, or a function that gives one of these.
        auth_env: Instead, the variables of the environment that hold them, by scheme: one name, or
            two of a pair. They are read at each call.
        servers: Which of the document's servers: its position, its URL, or values of its variables.
        name: The name of the toolset, which begins the name of each tool; `None`: of the title.
        private_hosts: Hosts that may be reached though they are private: names or addresses,
            perhaps with a port.
        timeout_s: How long a call may take, with all its tries.
        retries: How often a request that only reads is made again, when the server asks for it.
        max_bytes: How much of an answer is taken.

    Raises:
        ToolDefinitionError: The document cannot be read, or is no OpenAPI 3; the message says where
            and what. Or one of the other arguments is not usable.

    Example:
        >>> pets = {"openapi": "3.1.0", "info": {"title": "Pets"}, "paths": {"/pets": {"get": {}}}}
        >>> [tool.name for tool in OpenAPI(pets).tools()]
        ['Pets--get_pets']
    """

    def __init__(  # noqa: PLR0913  each is said by its name
        self,
        document: Mapping[str, Any] | str | bytes | Path,
        base_url: str | None = None,
        auth: Mapping[str, Secret] | None = None,
        *,
        auth_env: Mapping[str, str | Sequence[str]] | None = None,
        servers: Servers = None,
        name: str | None = None,
        private_hosts: Iterable[str] = (),
        timeout_s: float = 60.0,
        retries: int = 2,
        max_bytes: int | None = None,
    ) -> None:
        limit = bounds.MAX_RESPONSE_BYTES if max_bytes is None else max_bytes
        patience = Patience(timeout_s=timeout_s, retries=retries, max_bytes=limit)
        base = None if base_url is None else checked_base(base_url)
        named = hosts_of(private_hosts)
        if base is not None:
            named += [one for one in [named_by(base)] if one]
        address = None
        if isinstance(document, str) and document.lstrip().startswith(ADDRESSES):
            address = document.strip()
            named += [one for one in [named_by(address)] if one]
            answer = fetched(address, Reach(tuple(named)), timeout_s)
            address, document = answer.address, answer.data
        read = document_of(document, address or "")
        self.document: Final[Document] = read
        for said in self.document.warnings:
            warnings.warn(said, stacklevel=2)
        given, variables = dict(auth or {}), dict(auth_env or {})
        # A function, so that nothing that shows this object shows them.
        self._secured: Final = lambda: Security(read, given, variables)
        self._place_of: Final = (base, servers, address)
        self._reach: Final = (tuple(named), patience)
        if auth or auth_env:
            _ = self._caller  # what is wrong with them is said here
        self._given_name: Final = name
        self._made: dict[int, Tool] = {}
        self._warned = False

    def __repr__(self) -> str:
        return f"<OpenAPI {self.document.title}>"

    def __len__(self) -> int:
        return len(self.operations)

    def __iter__(self) -> Iterator[Operation]:
        return iter(self.operations)

    @cached_property
    def _caller(self) -> Caller:
        """What makes the calls; made late, because a document may be read for its list alone."""
        base, servers, address = self._place_of
        return Caller(
            sender=Sender(*self._reach),
            security=self._secured(),
            base=base,
            servers=servers,
            address=address,
        )

    @cached_property
    def name(self) -> str:
        """The group, which begins the name of each tool."""
        if self._given_name is not None:
            return self._given_name
        words = re.sub(r"[^A-Za-z0-9]+", "_", self.document.title).strip("_")
        if len(words) > LONGEST_PREFIX:
            whole = words[: LONGEST_PREFIX + 1].rpartition("_")[0]
            words = whole or words[:LONGEST_PREFIX]
        return words or "API"

    @property
    def home(self) -> str:
        """Where its requests go, as far as it is known: what tells documents of one title apart."""
        base, servers, address = self._place_of
        said = [address, servers, self.document.root.get("servers")]
        return base or (json.dumps(said, default=str) if any(said) else "")

    @cached_property
    def operations(self) -> tuple[Operation, ...]:
        """All operations, in the order of the document; nothing in them has been looked at yet."""
        found = [
            (method, path, item, raw)
            for method, path, item, raw in self.document.operations()
            if is_dict(raw)
        ]
        ids = [raw.get("operationId") for _, _, _, raw in found]
        named = operation_names(
            [
                (method, path, given if isinstance(given, str) and given else None)
                for (method, path, _, _), given in zip(found, ids, strict=True)
            ],
            LONGEST - len(self.name) - len(SEPARATOR),
        )
        return tuple(
            Operation(
                document=self.document,
                method=method.upper(),
                path=path,
                name=name,
                item=item,
                raw=raw,
                owned=self._caller.security.owned(raw),
            )
            for (method, path, item, raw), name in zip(found, named, strict=True)
        )

    @cached_property
    def faults(self) -> tuple[str, ...]:
        """What of the document cannot be used, each a sentence with its place."""
        found = list(self.document.warnings)
        for method, path, item, raw in self.document.operations():
            if isinstance(item, DocumentError):
                found.append(f"paths.{path}: left out. {item}")
            elif not isinstance(item, dict):
                found.append(f"paths.{path}: this is {_shown(item)}, and no object.")
            elif not isinstance(raw, dict):
                found.append(f"{method.upper()} {path}: this is {_shown(raw)}, and no object.")
        for one in self.operations:
            try:
                found.extend(one.parts.notes)
            except DocumentError as error:
                found.append(f"{one.where}: left out. {error}")
        return tuple(found)

    def tools(self) -> Sequence[Tool]:
        """A tool for each operation that can be used; what cannot is named in a warning, once."""
        faults = self.faults
        if faults and not self._warned:
            self._warned = True
            warnings.warn(_several(self.document.name, faults), stacklevel=2)
        return [self._tool(at) for at, one in enumerate(self.operations) if _is_usable(one)]

    def operation(self, method: str, path: str | None = None) -> Tool:
        """The tool of one operation.

        Args:
            method: Its method; or, without a path, its `operationId` or the name of its tool.
            path: Its path, as the document has it.

        Raises:
            ToolDefinitionError: There is none, several have that id, or it cannot be used.
        """
        return self._tool(self._place(method, path))

    def operation_of(self, method: str, path: str | None = None) -> Operation:
        """One operation as the document has it: how its arguments are called, and where they go.

        Raises:
            ToolDefinitionError: There is none, or several have that id.
        """
        return self.operations[self._place(method, path)]

    def close(self) -> None:
        """Close the connections; a later call opens them anew."""
        self._caller.sender.connections.close()

    def _place(self, method: str, path: str | None) -> int:
        listed = self.operations
        if path is not None:
            found = [
                at
                for at, one in enumerate(listed)
                if one.path == path and one.method == method.upper()
            ]
            if found:
                return found[0]
            known = [f"{one.method} {one.path}" for one in listed]
            hint = did_you_mean(f"{method.upper()} {path}", known)
            raise ToolDefinitionError(
                f"{self.document.title} has no operation {method.upper()} {path}.{hint}"
            )
        prefix, separator, rest = method.partition(SEPARATOR)
        names = {method, rest} if separator and prefix == self.name else {method}
        found = [at for at, one in enumerate(listed) if one.operation_id == method]
        found = found or [at for at, one in enumerate(listed) if one.name in names]
        if len(found) == 1:
            return found[0]
        if found:
            places = ", ".join(f"{listed[at].method} {listed[at].path}" for at in found)
            raise ToolDefinitionError(
                f"{len(found)} operations have the id {method!r} ({places}): name one by method "
                "and path."
            )
        known = [one.operation_id or one.name for one in listed]
        raise ToolDefinitionError(
            f"{self.document.title} has no operation {method!r}.{did_you_mean(method, known)}"
        )

    def _tool(self, at: int) -> Tool:
        made = self._made.get(at)
        if made is None:
            operation = self.operations[at]
            _ = operation.parts  # what is wrong in it is said here, and not in a run
            made = self._made[at] = self._new_tool(operation)
        return made

    def _new_tool(self, operation: Operation) -> Tool:
        options = options_of(
            operation.method,
            operation.name,
            toolset=self.name,
            title=operation.title or None,
            tags=operation.tags,
        )
        handler = partial(self._caller.call, operation)
        made = Tool.of_schema(OperationSchema(operation), handler, options)
        made.original_name = operation.operation_id or operation.name
        return made


def _is_usable(operation: Operation) -> bool:
    try:
        _ = operation.parts
    except DocumentError:
        return False
    return True


def _several(name: str, faults: Sequence[str]) -> str:
    shown = "\n".join(f"- {one}" for one in faults[:MAX_NAMED])
    rest = f"\n- … and {len(faults) - MAX_NAMED} more" if len(faults) > MAX_NAMED else ""
    return f"Not all of {name} can be used (see .faults):\n{shown}{rest}"


def _shown(value: object) -> str:
    text = "null" if value is None else repr(value)
    return text if len(text) <= 60 else text[:59] + "…"  # a line
