"""An exit in a task that a tool has begun ends that task, and not the loop of everybody.

asyncio lets `SystemExit` and `KeyboardInterrupt` out of a task and out of its loop, and a
`GeneratorExit` that a task raised closes whoever awaits it. So tasks of calls are begun in a
wrapper, which makes an error of what they raise.
"""

from __future__ import annotations

import asyncio
import contextlib
import contextvars
import inspect
from typing import TYPE_CHECKING, Any, Final

from nbagents.errors import ToolFailedError
from nbagents.tools.context import current_sink, is_persons

if TYPE_CHECKING:
    from collections.abc import Coroutine, Generator

EXITED: Final = "A task of this call raised {name}{said}; that ended the task alone."

_is_persons_code: contextvars.ContextVar[bool] = contextvars.ContextVar(
    "nbagents_persons_code", default=False
)


@contextlib.contextmanager
def persons_code() -> Generator[None]:
    """Say that a function of the person's runs here that belongs to no call, e.g. a guardrail."""
    token = _is_persons_code.set(True)
    try:
        yield
    finally:
        _is_persons_code.reset(token)


def run_on(loop: asyncio.AbstractEventLoop) -> None:
    """Run our own loop until it is stopped, whatever its tasks and callbacks raise.

    What was to come still comes.
    """
    factory: Any = _Factory(None)  # Any: typeshed's protocol is generic in what a task gives
    factory.enter()
    loop.set_task_factory(factory)
    while True:
        try:
            loop.run_forever()
        except (SystemExit, KeyboardInterrupt):
            continue
        return


class _Factory:
    """Begins tasks as the loop did before; those of calls, and of all they begin, in a wrapper."""

    def __init__(self, before: Any) -> None:  # Any: a task factory, or None
        self._before = before
        self._users = 0

    def __call__(
        self, loop: asyncio.AbstractEventLoop, coroutine: Coroutine[Any, Any, Any], **options: Any
    ) -> asyncio.Future[Any]:
        """A task of a coroutine."""
        is_ours = current_sink() is not None or _is_persons_code.get()
        if not is_ours or not inspect.iscoroutine(coroutine):
            return self._begun(loop, coroutine, options)
        self.enter()
        task = self._begun(loop, _contained(coroutine), options)

        def leave(_: object) -> None:
            coroutine.close()  # one that was cancelled before it began
            self.leave(loop)

        task.add_done_callback(leave)
        return task

    def _begun(
        self,
        loop: asyncio.AbstractEventLoop,
        coroutine: Coroutine[Any, Any, Any],
        options: dict[str, Any],
    ) -> asyncio.Future[Any]:
        if self._before is not None:
            return self._before(loop, coroutine, **options)
        return asyncio.Task(coroutine, loop=loop, **options)

    def enter(self) -> None:
        """One more run, or one more task of a call."""
        self._users += 1

    def leave(self, loop: asyncio.AbstractEventLoop) -> None:
        """One of them is over; with the last, the loop is as it was."""
        self._users -= 1
        there: Any = loop.get_task_factory()
        if not self._users and there is self:
            loop.set_task_factory(self._before)


async def _contained(coroutine: Coroutine[Any, Any, Any]) -> object:
    try:
        return await coroutine
    except (SystemExit, KeyboardInterrupt, GeneratorExit) as error:
        if is_persons(error):
            raise asyncio.CancelledError("interrupted") from None
        said = f"({error})" if str(error) else ""
        raise ToolFailedError(EXITED.format(name=type(error).__name__, said=said)) from error


@contextlib.contextmanager
def contained() -> Generator[None]:
    """Contain exits of the tasks that calls begin, on the loop that runs here."""
    loop = asyncio.get_running_loop()
    factory: Any = loop.get_task_factory()
    if not isinstance(factory, _Factory):
        factory = _Factory(factory)
        loop.set_task_factory(factory)
    factory.enter()
    try:
        yield
    finally:
        factory.leave(loop)
