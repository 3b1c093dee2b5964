"""An errand: a run in which code, and no model, says what is called.

It stands in the tree where the code runs: inside of the call that runs it, or by itself where a
person calls by hand. Its calls are those of any run: checked, asked about, limited and logged.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import TYPE_CHECKING, Any, Final

from pydantic_core import to_json

from nbagents.agents import Agent
from nbagents.errors import RunError, ToolError
from nbagents.identity import new_id
from nbagents.messages import CallRequest
from nbagents.models.model import ModelPart, ModelRequest, ModelTurn
from nbagents.tools.call import Suspended

if TYPE_CHECKING:
    from collections.abc import Mapping

    from nbagents.catalogue import Catalogue
    from nbagents.results import CallResult
    from nbagents.runs.plan import Plan
    from nbagents.runs.state import Run
    from nbagents.tools.tool import Tool

BY_HAND: Final = "by hand"
BY_CODE: Final = "by code"
STEPS: Final = 100_000
"""More than any code asks for: the limits of the run above hold."""
NOT_MADE: Final = "{name} was not called: {why}."
OVER: Final = "the run that it belongs to is over"
ANEW: Final = (
    "What code had called in a run that broke off is not called again by itself. Ask anew; the "
    "log has what was done."
)

Start = Callable[[Any], Awaitable[Any]]
"""Begins the run of an agent, and waits for its end."""


class Code:
    """What stands for the model of an errand: it asks for what code calls, until that is over.

    Args:
        name: As what it stands there.
        on_news: Told when what was asked for before has been made.
    """

    is_program = True

    def __init__(self, name: str, on_news: Callable[[], None]) -> None:
        self.name = name
        self._on_news = on_news
        self._waiting: list[CallRequest] = []
        self._is_over = False
        self._count = 0
        self._bell = asyncio.Event()

    def ask(self, call: CallRequest) -> None:
        """Have a call made, together with all that are asked for at the same time."""
        self._waiting.append(call)
        self._bell.set()

    def end(self) -> None:
        """Nothing more is called."""
        self._is_over = True
        self._bell.set()

    async def stream(self, request: ModelRequest) -> AsyncIterator[ModelPart]:
        """Ask for what code calls next; at the end, say how much that was."""
        del request
        self._on_news()
        while not self._waiting and not self._is_over:
            self._bell.clear()
            await self._bell.wait()
        await asyncio.sleep(0)  # what is called beside it is asked for together
        calls, self._waiting = tuple(self._waiting), []
        self._count += len(calls)
        yield ModelTurn(calls=calls) if calls else ModelTurn(text=self._last_word())

    def _last_word(self) -> str:
        """How much was called; one call that a person makes by hand speaks for itself."""
        if self._count == 1:
            return "" if self.name == BY_HAND else "1 call was asked for."
        return f"{self._count:,} calls were asked for."


class CodeAgent:
    """An agent whose runs are an errand's; it knows the run that it has begun.

    Args:
        agent: The agent.
    """

    def __init__(self, agent: Agent) -> None:
        self._agent = agent
        self.name = agent.name
        self.run: Run | None = None

    def begin(self, prompt: str, **options: Any) -> tuple[Run, Plan]:
        """See `Agent.begin`."""
        self.run, plan = self._agent.begin(prompt, **options)
        return self.run, plan

    def begin_resumed(self, run: Run | str, **_options: Any) -> tuple[Run, Plan]:
        """Code cannot be gone on with in its middle.

        Raises:
            RunError: Always.
        """
        del run
        raise RunError(ANEW)

    def read_again(self, run: Run, parent: object) -> None:
        """Code gives no answer that would have to be read."""
        del run, parent


class Errand:
    """One run in which code calls APIs; all of it is on the loop that makes it.

    Args:
        catalogue: What may be called.
        start: Begins the run, and waits for its end.
        name: Who calls, as the run says.
        model: What says what is called, as the run says.
        is_held: Whether it goes on until it is closed; else it ends when nothing is being called.
    """

    def __init__(
        self,
        catalogue: Catalogue,
        start: Start,
        *,
        name: str,
        model: str,
        is_held: bool = False,
    ) -> None:
        self.is_over = False
        """Whether it takes no more calls."""
        self._code = Code(model, self._deliver)
        agent = Agent(
            name=name,
            tools=[_Reach(catalogue)],
            model=self._code,
            max_steps=STEPS,
            max_failed_batches=None,
        )
        self._agent = CodeAgent(agent)
        self._start = start
        self._is_held = is_held
        self._task: asyncio.Future[Any] | None = None
        self._open: dict[str, asyncio.Future[CallResult]] = {}

    async def call(self, name: str, arguments: Mapping[str, Any]) -> Any:  # Any: what it gives
        """Make a call.

        Raises:
            ToolError: It failed, was not allowed, or could not be made; says why.
            BaseException: What ended the run.
        """
        if self.is_over:
            raise ToolError(NOT_MADE.format(name=name, why=OVER), kind="unavailable")
        request = CallRequest(id=new_id("call"), name=name, arguments=written(arguments))
        self._open[request.id] = waiting = asyncio.get_running_loop().create_future()
        self._code.ask(request)
        if self._task is None:
            self._task = asyncio.ensure_future(self._drive())
        try:
            result = await waiting
        except asyncio.CancelledError:
            if not self._is_held:
                self._task.cancel()
            raise
        finally:
            self._open.pop(request.id, None)
            if not self._open and not self._is_held:
                await self.close()
        return value_of(name, result)

    async def close(self) -> None:
        """Take no more calls, and wait for the end.

        Raises:
            BaseException: What ended the run.
        """
        self.is_over = True
        self._code.end()
        if self._task is not None:
            await self._task

    async def end(self) -> None:
        """Take no more calls, stop what is still being called, and wait for the end.

        Raises:
            Suspended: It ended so.
        """
        self.is_over = True
        self._code.end()
        if self._task is None:
            return
        if self._open:
            self._task.cancel()
        await asyncio.wait([self._task])
        if not self._task.cancelled() and isinstance(error := self._task.exception(), Suspended):
            raise error

    async def _drive(self) -> None:
        try:
            await self._start(self._agent)
        except BaseException as error:
            self._end(error)
            raise
        self._end(None)

    def _end(self, error: BaseException | None) -> None:
        self.is_over = True
        self._deliver()
        for waiting in self._open.values():
            if not waiting.done():
                waiting.set_exception(_told_of_end(error))

    def _deliver(self) -> None:
        """Hand on the results that there are."""
        run = self._agent.run
        for call_id, waiting in self._open.items():
            if run is not None and call_id in run.results and not waiting.done():
                waiting.set_result(run.results[call_id])


def _told_of_end(error: BaseException | None) -> BaseException:
    """What a call is told whose run ended before it was made."""
    if isinstance(error, Suspended):
        return error  # nobody goes on until somebody has answered
    why = OVER if error is None else (str(error) or type(error).__name__).rstrip(".")
    said = NOT_MADE.format(name="It", why=why)
    return ToolError(said, kind="unavailable", recovery="finish")


def written(arguments: Mapping[str, Any]) -> str:
    """Arguments as a call has them.

    Raises:
        ToolError: One cannot be written as JSON.
    """
    try:
        return to_json(dict(arguments)).decode()
    except ValueError as error:
        raise ToolError(f"The arguments cannot be written as JSON: {error}.") from error


def value_of(name: str, result: CallResult) -> Any:  # Any: whatever a call gives
    """What a call gave, as the object that it is.

    Raises:
        ToolError: It gave nothing.
    """
    if result.status == "done":
        return result.value
    failure = result.failure
    if failure is None:
        raise ToolError(result.content or NOT_MADE.format(name=name, why=result.status))
    raise ToolError(result.content, kind=failure.kind, recovery=failure.recovery)


class _Reach:
    """A catalogue all of whose tools may be called by their names, and found by code alone.

    Args:
        catalogue: The catalogue.
    """

    def __init__(self, catalogue: Catalogue) -> None:
        self._catalogue = catalogue
        self.defer: Final = "always"
        self.found: Final = "code"

    def tool_of(self, name: str) -> Tool:
        return self._catalogue.tool_of(name)

    def search(self, query: str, **options: Any) -> Any:  # Any: as the catalogue has it
        return self._catalogue.search(query, **options)

    def __len__(self) -> int:
        return len(self._catalogue)

    def __contains__(self, name: object) -> bool:
        return name in self._catalogue

    def __getattr__(self, name: str) -> Any:
        return getattr(self._catalogue, name)
