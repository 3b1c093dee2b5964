"""What a model says while its prompt is being checked: held back, and lost if that is refused."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from nbagents.models.model import ModelTurn
from nbagents.runs.policy.guardrails import Refuse

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Coroutine

    from nbagents.models.model import ModelPart


class PromptRefused(Exception):  # noqa: N818  a verdict, and no mistake
    """A check has refused the prompt while the model was asked.

    Args:
        message: What it says.
        turn: What the model had said in full by then; it was paid for.
    """

    def __init__(self, message: str, turn: ModelTurn | None) -> None:
        super().__init__(message)
        self.message = message
        self.turn = turn


class Gate:
    """Holds back what a model says until the prompt has been checked.

    Args:
        checking: Gives a `Refuse` where a check refuses it. It begins at once.
    """

    def __init__(self, checking: Coroutine[None, None, object]) -> None:
        self._checking = asyncio.ensure_future(checking)

    def close(self) -> None:
        """Check no longer."""
        self._checking.cancel()

    async def held(self, parts: AsyncIterator[ModelPart]) -> AsyncIterator[ModelPart]:
        """What the model says, from when the checks let it through.

        Raises:
            PromptRefused: A check refuses; then the model is heard no further.
            Exception: What broke in the model, or in a check.
        """
        heard: asyncio.Queue[ModelPart | None] = asyncio.Queue()

        async def hear() -> (
            None
        ):  # in one task from its beginning to its end, so that it can clean up
            try:
                async for part in parts:
                    heard.put_nowait(part)
            finally:
                heard.put_nowait(None)

        hearing = asyncio.ensure_future(hear())
        try:
            said = await self._checking
            if isinstance(said, Refuse):
                raise PromptRefused(said.message, _whole(heard))
            while (part := await heard.get()) is not None:
                yield part
            await hearing
        finally:
            hearing.cancel()
            await asyncio.gather(hearing, return_exceptions=True)


def _whole(heard: asyncio.Queue[ModelPart | None]) -> ModelTurn | None:
    """The whole turn, where the model has come to its end."""
    while not heard.empty():
        if isinstance(part := heard.get_nowait(), ModelTurn):
            return part
    return None
