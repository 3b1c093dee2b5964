"""`OfflineModel`: a planner behind the `Model` protocol, loaded with the first question."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from nbagents.models.model import ModelPart, ModelRequest

__all__ = ["OfflineModel"]


class OfflineModel:
    """Plans calls without a language model: by the tools' words, types and results.

    It is deterministic, needs no key and no network, and says what it is when nothing fits.

    Example:
        >>> OfflineModel().name
        'offline'
    """

    name = "offline"

    async def stream(self, request: ModelRequest) -> AsyncIterator[ModelPart]:
        """Answer a request: thoughts, then calls or text, then the turn."""
        from nbagents.models.offline.turns import parts_of  # noqa: PLC0415  only if it answers

        for part in parts_of(request):
            yield part
