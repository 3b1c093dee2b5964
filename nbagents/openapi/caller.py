"""Makes the calls of operations: where they go, with which credentials, by which connections."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Final

from nbagents.errors import ToolArgumentsError, ToolError
from nbagents.openapi.document import DocumentError
from nbagents.openapi.exchange import Connections, Named, Patience, Reach, Tokens, named_host, send
from nbagents.openapi.exchange import result_of as result_of_answer
from nbagents.openapi.operation_schema import NO_OBJECTS
from nbagents.openapi.request import (
    Fitting,
    HttpRequest,
    Operation,
    Security,
    Sent,
    Servers,
    base_of,
    fitting,
    request_of,
)
from nbagents.results import Result

UNAUTHORIZED: Final = 401


class Sender:
    """Connections and what holds for all requests that go by them.

    Args:
        named: Private hosts that may be reached.
        patience: How long is waited, and how much is taken.
    """

    def __init__(self, named: Iterable[Named], patience: Patience) -> None:
        self.patience: Final = patience
        self.connections: Final = Connections(Reach(tuple(named)))
        self.tokens: Final = Tokens(self.connections, patience)


def hosts_of(given: Iterable[str] | str) -> list[Named]:
    """The private hosts that a person names.

    Raises:
        ToolDefinitionError: One is none.
    """
    return [named_host(one) for one in ([given] if isinstance(given, str) else given)]


@dataclass(frozen=True, slots=True, kw_only=True)
class Caller:
    """Calls operations of one document."""

    sender: Sender
    security: Security
    base: str | None = None
    """Where the person says that the server is."""
    servers: Servers = None
    """Else which of the document's."""
    address: str | None = None
    """Where the document came from."""
    headers: Mapping[str, str] = field(default_factory=dict[str, str])
    """Sent with each request."""

    async def call(
        self,
        operation: Operation,
        arguments: Fitting | Mapping[str, Any] | None = None,
        objects: Mapping[str, object] = NO_OBJECTS,
        /,
        **named: Any,
    ) -> Result:
        """Make the request of an operation; the result of its answer.

        Args:
            operation: Which.
            arguments: By the names that a model knows.
            objects: The live objects that bytes may be named by.
            named: More arguments, as a person writes them.

        Raises:
            ToolError: It was not made, or the server refused.
        """
        if not isinstance(arguments, Fitting):
            arguments = _fitting(operation, {**(arguments or {}), **named})
        request = request_of(operation, self._base_of(operation), arguments, objects)
        request = replace(request, headers=(*request.headers, *self.headers.items()))
        sent = self.security.sent(operation.raw, operation.where)
        await self._authorize(request, sent)
        asked = request.with_sent(sent)
        answer = await send(asked, self.sender.connections, self.sender.patience)
        if answer.status == UNAUTHORIZED and sent.grants:  # the token may have ended early
            for one in sent.grants:
                self.sender.tokens.forget(one)
            await self._authorize(request, sent)
            answer = await send(asked, self.sender.connections, self.sender.patience)
        return result_of_answer(operation, asked, answer)

    async def _authorize(self, request: HttpRequest, sent: Sent) -> None:
        for one in sent.grants:
            token = await self.sender.tokens.token(one, request.base)
            sent.headers["Authorization"] = f"Bearer {token}"

    def _base_of(self, operation: Operation) -> str:
        if self.base is not None:
            return self.base
        try:
            return base_of(operation, self.servers, self.address)
        except DocumentError as error:
            raise ToolError(str(error), kind="unavailable") from None


def _fitting(operation: Operation, arguments: dict[str, Any]) -> Fitting:
    """The arguments of a call that a person makes."""
    made = fitting(operation, arguments)
    if isinstance(made, Fitting):
        return made
    lines = "; ".join(f"{one.field or 'arguments'}: {one.message}" for one in made)
    raise ToolArgumentsError(f"The arguments do not fit {operation.where}: {lines}")
