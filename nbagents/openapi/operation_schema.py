"""How a model sees an operation, and how its arguments become a call of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from pydantic import JsonValue

from nbagents.openapi.request import Fitting, Operation, fitting
from nbagents.tools.context import Context
from nbagents.tools.schema import Bound, Issues

NO_OBJECTS: Mapping[str, object] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class OperationSchema:
    """The schema of an operation, written when it is first asked for."""

    operation: Operation

    @property
    def description(self) -> str:
        """What the operation does."""
        return self.operation.description

    @property
    def parameters(self) -> dict[str, JsonValue]:
        """A JSON Schema of type object.

        Raises:
            DocumentError: Something in the operation cannot be used.
        """
        return self.operation.parameters

    @property
    def handles(self) -> Mapping[str, str]:
        """None: bytes take the name of a live object by a word of their own."""
        return MappingProxyType({})

    def bind(self, arguments: JsonValue, context: Context) -> Bound | Issues:
        """The call that the arguments ask for, or what does not fit."""
        made = fitting(self.operation, arguments)
        if not isinstance(made, Fitting):
            return made
        return Bound([made, context.handles], {}, made.arguments)
