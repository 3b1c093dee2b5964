"""What a running tool may ask and tell: the hidden parameter `Context`."""

from __future__ import annotations

import itertools
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from nbagents.results import Payload
from nbagents.tools.handles import Handles
from nbagents.tools.plain import is_mapping, json_of

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from nbagents.messages import CallRequest

__all__ = ["Context", "payload_of"]


class Context:
    """Who calls, and a way to show progress before the call ends.

    A parameter annotated with it, in any position, is filled by the runtime and hidden from the
    model. Made without arguments it does nothing, so that a tool can be tried by hand.

    Args:
        run_id: The run that the call belongs to.
        call_id: The call, as the model named it.
        tool_name: The name that the model called.
        agent_name: The agent that runs.
        labels: What the run was labelled with.
        call: The whole call, as the model wrote it.
        config: What the tool's toolset was configured with, e.g. a live widget.
        passthrough: What the caller of the run handed to this toolset, past the model.
        handles: The live objects that calls of this run may take by name.
        on_progress: Takes a message and how much is done, between 0 and 1, or `None`.
        on_log: Takes a line of text.
        on_show: Takes a payload and its id.

    Example:
        >>> def count(words: list[str], ctx: Context) -> int:
        ...     ctx.progress("counting", 0.5)
        ...     return len(words)
        >>> count(["a", "b"], Context())
        2
    """

    __slots__ = (
        "_numbers",
        "_on_log",
        "_on_progress",
        "_on_show",
        "agent_name",
        "call",
        "call_id",
        "config",
        "handles",
        "labels",
        "passthrough",
        "run_id",
        "tool_name",
    )

    def __init__(
        self,
        *,
        run_id: str = "",
        call_id: str = "",
        tool_name: str = "",
        agent_name: str = "",
        labels: Mapping[str, str] = MappingProxyType({}),
        call: CallRequest | None = None,
        config: Mapping[str, Any] = MappingProxyType({}),
        passthrough: Mapping[str, Any] = MappingProxyType({}),
        handles: Handles | None = None,
        on_progress: Callable[[str, float | None], None] | None = None,
        on_log: Callable[[str], None] | None = None,
        on_show: Callable[[Payload, str], None] | None = None,
    ) -> None:
        self.run_id = run_id
        self.call_id = call_id
        self.tool_name = tool_name
        self.agent_name = agent_name
        self.labels = labels
        self.call = call
        self.config = config
        self.passthrough = passthrough
        self.handles = Handles() if handles is None else handles
        self._on_progress = on_progress
        self._on_log = on_log
        self._on_show = on_show
        self._numbers = itertools.count(1)

    def __repr__(self) -> str:
        return f"Context(tool_name={self.tool_name!r}, call_id={self.call_id!r})"

    def progress(self, message: str, fraction: float | None = None) -> None:
        """Say how far the call is.

        Args:
            message: One line for people; the model does not see it.
            fraction: How much is done; what lies outside of 0 to 1 is taken as the nearer end.
        """
        if self._on_progress is not None:
            done = None if fraction is None else min(1.0, max(0.0, float(fraction)))
            self._on_progress(str(message), done)

    def log(self, text: str) -> None:
        """Write a line to the call's own output; the model does not see it."""
        if self._on_log is not None:
            self._on_log(str(text))

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
        if self._on_show is not None:
            self._on_show(shown, shown_id)
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


def payload_of(value: object, kind: str) -> Payload:
    """Any value as one payload.

    Args:
        value: A payload as it stands; a mapping with a `kind` is a payload of that kind.
        kind: The kind of everything else.
    """
    if isinstance(value, Payload):
        return value
    if is_mapping(value):
        rest = dict(value)
        named = rest.get("kind")
        if isinstance(named, str):
            del rest["kind"]
            return Payload(kind=named, value=json_of(rest))
    return Payload(kind=kind, value=json_of(value))
