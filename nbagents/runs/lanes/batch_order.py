"""Tasks that belong together: they end together."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Coroutine, Sequence


async def ended(tasks: Sequence[asyncio.Future[bool]]) -> None:
    """Cancel those that still go on, and wait for all; what they raise is raised by who waited."""
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)


async def together(making: Sequence[Coroutine[None, None, None]]) -> None:
    """Run all; when one raises, or is cancelled, so are the others."""
    tasks = [asyncio.ensure_future(one) for one in making]
    try:
        done, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_EXCEPTION)
        for task in tasks:  # in call order: `done` is a set
            if task in done:
                task.result()  # raises what a call raised
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)  # so that asyncio complains of none
