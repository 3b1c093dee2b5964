"""What a running tool may ask and tell: the hidden parameter `Context`."""

from __future__ import annotations

import itertools
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final, Protocol

from nbagents.results import Payload
from nbagents.tools.handles import Handles
from nbagents.tools.payloads import payload_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from nbagents.messages import CallRequest

__all__ = ["Context", "Output"]

NOTHING: Final[Mapping[str, Any]] = MappingProxyType({})


class Output(Protocol):
    """Where a call's context tells what it is told."""

    def progress(self, message: str, fraction: float | None = None) -> None:
        """Take how far the call is."""
        ...

    def log(self, text: str) -> None:
        """Take a line that is for people."""
        ...

    def show(self, payload: Payload, name: str) -> None:
        """Take a payload; the same name again replaces it."""
        ...


class Context:
    """Who calls, and a way to show progress before the call ends.

    A parameter annotated with it, in any position, is filled by the runtime and hidden from the
    model. Made without arguments it does nothing, so that a tool can be tried by hand.

    Args:
        call: The call, as the model wrote it: its id, the name it asked for, the arguments.
        run_id: The run that the call belongs to.
        agent_name: The agent that runs.
        labels: What the run was labelled with.
        passthrough: What the caller of the run handed to this toolset, past the model.
        handles: The live objects that calls of this run may take by name.
        output: Takes what is shown, told and logged.

    Example:
        >>> def count(words: list[str], ctx: Context) -> int:
        ...     ctx.progress("counting", 0.5)
        ...     return len(words)
        >>> count(["a", "b"], Context())
        2
    """

    __slots__ = (
        "_numbers",
        "_output",
        "agent_name",
        "call",
        "handles",
        "labels",
        "passthrough",
        "run_id",
    )

    def __init__(
        self,
        call: CallRequest | None = None,
        *,
        run_id: str = "",
        agent_name: str = "",
        labels: Mapping[str, str] = NOTHING,
        passthrough: Mapping[str, Any] = NOTHING,
        handles: Handles | None = None,
        output: Output | None = None,
    ) -> None:
        self.call = call
        self.run_id = run_id
        self.agent_name = agent_name
        self.labels = labels
        self.passthrough = passthrough
        self.handles = Handles() if handles is None else handles
        self._output = output
        self._numbers = itertools.count(1)

    @property
    def call_id(self) -> str:
        """The call, as the model named it."""
        return self.call.id if self.call else ""

    @property
    def tool_name(self) -> str:
        """The name that the model called."""
        return self.call.name if self.call else ""

    def __repr__(self) -> str:
        return f"Context(tool_name={self.tool_name!r}, call_id={self.call_id!r})"

    def progress(self, message: str, fraction: float | None = None) -> None:
        """Say how far the call is.

        Args:
            message: One line for people; the model does not see it.
            fraction: How much is done; what lies outside of 0 to 1 is taken as the nearer end.
        """
        if self._output is not None:
            done = None if fraction is None else min(1.0, max(0.0, float(fraction)))
            self._output.progress(str(message), done)

    def log(self, text: str) -> None:
        """Write a line to the call's own output; the model does not see it."""
        if self._output is not None:
            self._output.log(str(text))

    def show(self, payload: Payload | Mapping[str, Any], payload_id: str | None = None) -> str:
        """Show something now, before the call ends; the model does not see it.

        Args:
            payload: What to show; a mapping says by its `kind` who draws it.
            payload_id: Showing again under the same id replaces what was shown.

        Returns:
            The id, to replace it later.
        """
        shown = payload_of(payload, self.tool_name or "data")
        shown_id = payload_id or f"{shown.kind}-{next(self._numbers)}"
        if self._output is not None:
            self._output.show(shown, shown_id)
        return shown_id

    def update_data(self, payload_id: str, payload: Payload | Mapping[str, Any]) -> None:
        """Replace what was shown under an id, as often as there is something newer."""
        self.show(payload, payload_id)

    def display(self, value: object, payload_id: str | None = None) -> str:
        """Show any object as a notebook would; the model does not see it.

        Returns:
            The id, to replace it later with `update_data`.
        """
        from nbagents.tools.rich import rich_payload  # noqa: PLC0415  few tools need it

        return self.show(rich_payload(value), payload_id)
