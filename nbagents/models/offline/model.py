"""`OfflineModel`: a planner behind the `Model` protocol, loaded with the first question."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from nbagents.models.model import ModelPart, ModelRequest


class OfflineModel:
    """Plans calls without a language model: by the tools' words, types and results.

    It is deterministic, needs no key and no network, and says what it is when nothing fits.

    Example:
        >>> OfflineModel().name
        'offline'
    """

    name = "offline"
    runs_hosted = False
    """Whether a provider runs tools of its own for it; that is said before a run begins."""
    asks_nobody = True
    """Whether it costs nothing and needs no network: a recording that was only found spares it."""

    async def stream(self, request: ModelRequest) -> AsyncIterator[ModelPart]:
        """Answer a request: thoughts, then calls or text, then the turn."""
        from nbagents.models.offline.turns import parts_of  # only if it answers

        for part in parts_of(_chosen(request)):
            yield part


def _chosen(request: ModelRequest) -> ModelRequest:
    """The request with the tools that it lets be used; it cannot be forced to what does not fit."""
    choice = request.tool_choice
    if not isinstance(choice, str) or choice in ("auto", "required"):
        return request
    return replace(request, tools=tuple(spec for spec in request.tools if spec.name == choice))
