"""`run_python`: a tool by which a model writes Python against APIs; its variables stay here."""

from __future__ import annotations

import asyncio
import contextlib
from collections import OrderedDict
from collections.abc import Callable, Coroutine, Mapping
from typing import TYPE_CHECKING, Any, Final, cast

from nbagents.code_mode.api_functions import Apis, apis, calling, errand_in
from nbagents.code_mode.printed import Printed
from nbagents.code_mode.python_code import PythonCode
from nbagents.code_mode.slices import SlicedLoop
from nbagents.errors import ToolError, ToolTimeoutError
from nbagents.results import Result
from nbagents.tools.call import Suspended
from nbagents.tools.context import Context, capturing, current_sink, is_persons
from nbagents.tools.tool import Ask, Tool, ToolOptions
from nbagents.tools.values import clean_text

if TYPE_CHECKING:
    from nbagents.catalogue import Catalogue
    from nbagents.code_mode.errand import Errand

NAME: Final = "run_python"
KEPT: Final = 8
"""Namespaces of turns, of which the oldest go."""
LONGEST: Final = 8_000
"""Characters of what is printed, and of the value, that the model reads."""
CUT: Final = "\n… {:,} characters more: print less, what you have is in your variables."
NOTHING: Final = "(It printed nothing, and ends in no value.)"
TAKES: Final = {
    "type": "object",
    "properties": {"code": {"type": "string", "description": "Python; `await` works everywhere."}},
    "required": ["code"],
    "additionalProperties": False,
}
TOLD: Final = (
    "Run Python. Variables stay for the next call. You read what it prints, and the value of its "
    "last expression; so keep data in variables and print only what you need. "
)
OF_APIS: Final = (
    "`apis` calls {count:,} APIs: `await apis.search('words')` finds some, each with .name and "
    ".summary; `apis.describe('NAME')` says what one takes; `await apis.NAME(argument=value)` "
    "gives its result and raises ToolError where it fails; `asyncio.gather` calls several at once."
)


def run_python(
    given: Catalogue | Apis | Any = None,  # Any: whatever a catalogue is made from
    *,
    namespace: dict[str, Any] | None = None,
    needs_approval: Ask = True,
    timeout_s: float | None = None,
    name: str = NAME,
) -> Tool:
    """A tool by which a model runs Python, with APIs at hand as `apis`.

    The code runs on the main thread. Each API that it calls is a call of its own in the tree, with
    the consent and the limits that it would have without code. It is no sandbox: the code can do
    what yours can, so each piece needs a person's consent unless you say otherwise.

    Args:
        given: A catalogue, `apis(catalogue)`, or what a catalogue is made from; `None`: no APIs.
        namespace: The variables that the code sees, e.g. `globals()`; by default its own, which
            last for one turn.
        needs_approval: As other tools' `ask`.
        timeout_s: How long a piece of code may take.
        name: What the tool is called.

    Example:
        >>> def price(item: str) -> float:
        ...     "What an item costs."
        ...     return 3.5 if item == "tea" else 5.0
        >>> run_python([price]).name
        'run_python'
    """
    reached = given if given is None or isinstance(given, Apis) else apis(given)
    runner = _Runner(reached, namespace, timeout_s)
    told = TOLD + ("" if reached is None else OF_APIS.format(count=len(reached)))
    options = ToolOptions(ask=needs_approval, timeout_s=timeout_s, title="Python")
    return Tool.from_schema(name, told, dict(TAKES), runner.run, options)


class _Runner:
    """Runs code, each turn in a namespace of its own unless one is given."""

    def __init__(
        self,
        apis: Apis | None,
        namespace: dict[str, Any] | None,
        timeout_s: float | None,
    ) -> None:
        self._apis = apis
        self._given = namespace
        self._timeout_s = timeout_s
        self._own: OrderedDict[tuple[str, str], dict[str, Any]] = OrderedDict()

    def consent_target(self) -> object:
        """What a person who allows a call allows; see `nbagents.tools.call.target`."""
        return self._apis, self._given

    async def run(self, given: dict[str, Any], ctx: Context) -> Result:
        """Run a piece of code.

        Raises:
            ToolError: It is no Python, or went wrong; says in which line, and what it had printed.
        """
        code = PythonCode(given["code"])
        printed = Printed(current_sink())
        piece = _Piece(ctx, self._timeout_s)
        try:
            with capturing(printed):
                value = await piece.value_of(code, self._namespace(ctx))
        except (asyncio.CancelledError, Suspended, ToolTimeoutError):
            raise
        except BaseException as error:
            if is_persons(error):
                raise
            raise _failure(code, error, printed.text_so_far) from None
        finally:
            code.forget()
        return Result(_told(printed.text_so_far, value), preview=_preview(printed, value))

    def _namespace(self, ctx: Context) -> dict[str, Any]:
        namespace = self._given
        if namespace is None:
            key = ctx.turn_id, ctx.agent_name
            namespace = self._own.setdefault(key, {"__name__": "__main__"})
            self._own.move_to_end(key)
            while len(self._own) > KEPT:
                self._own.popitem(last=False)
        namespace.setdefault("asyncio", asyncio)
        namespace.setdefault("ToolError", ToolError)
        if self._apis is not None:
            namespace.setdefault("apis", self._apis)
        return namespace


class _Piece:
    """One piece of code that is being run: in slices on the main thread, between which it waits."""

    def __init__(self, ctx: Context, timeout_s: float | None) -> None:
        self._ctx = ctx
        self._timeout_s = timeout_s
        self._loop = asyncio.get_running_loop()
        self._bell = asyncio.Event()
        self._errands: dict[Apis, Errand] = {}
        self._sliced = SlicedLoop(self._wake)
        self._task: asyncio.Task[Any] | None = None
        self._asked: list[Callable[[], Coroutine[Any, Any, None]]] = []
        self._making: set[asyncio.Future[None]] = set()

    async def value_of(self, code: PythonCode, namespace: dict[str, Any]) -> Any:
        """Run it to its end.

        Raises:
            BaseException: What the code raised, or what ended what it had called.
        """
        token = calling.set(self._call)
        try:
            value = await self._result(code, namespace)
            for errand in self._errands.values():
                await errand.close()
        except BaseException:
            for errand in self._errands.values():
                await errand.end()
            raise
        else:
            return value
        finally:
            calling.reset(token)
            await self._leave()

    async def _result(self, code: PythonCode, namespace: dict[str, Any]) -> Any:
        await self._main(lambda: self._begin(code, namespace))
        task = cast("asyncio.Task[Any]", self._task)
        while not task.done():
            self._start_asked()
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._bell.wait(), self._sliced.sleeps_s)
            self._bell.clear()
            await self._main(self._sliced.run_slice)
        return task.result()

    async def _leave(self) -> None:
        """End what the code has begun and not awaited."""
        if self._task is not None and self._task.done() and not self._task.cancelled():
            self._task.exception()  # so that asyncio does not complain of it
        if self._sliced.left:
            with contextlib.suppress(Exception, asyncio.CancelledError):
                await self._main(self._sliced.end)
        if self._sliced.left:  # nothing runs on the main thread any more: the run was stopped
            with contextlib.suppress(RuntimeError):
                self._sliced.end()
        with contextlib.suppress(RuntimeError):  # code that cannot be stopped still runs in it
            self._sliced.close()

    def _begin(self, code: PythonCode, namespace: dict[str, Any]) -> None:
        self._task = self._sliced.create_task(code.run(namespace))
        self._sliced.run_slice()

    async def _main(self, function: Callable[[], None]) -> None:
        limits = [one for one in (self._timeout_s, self._ctx.remaining.time_s) if one is not None]

        def slice_of_it() -> None:
            try:
                function()
            except (KeyboardInterrupt, SystemExit) as error:
                if is_persons(error):
                    raise  # else the code has raised it, and its task knows

        await self._ctx.on_main(slice_of_it, min(limits, default=None))

    def _wake(self) -> None:
        self._loop.call_soon_threadsafe(self._bell.set)

    # What the code calls.

    async def _call(self, home: Apis, name: str, arguments: Mapping[str, Any]) -> Any:
        """Have a call made as soon as the slice is over, and wait for it; on the code's loop."""
        waiting: asyncio.Future[Any] = self._sliced.create_future()
        self._asked.append(lambda: self._made(home, name, arguments, waiting))
        return await waiting

    def _start_asked(self) -> None:
        """Begin what the last slice has asked for, all of it together."""
        asked, self._asked = self._asked, []
        for make in asked:
            making = asyncio.ensure_future(make())
            self._making.add(making)
            making.add_done_callback(self._making.discard)

    async def _made(
        self, home: Apis, name: str, arguments: Mapping[str, Any], waiting: asyncio.Future[Any]
    ) -> None:
        """Make a call on the loop of the run, and hand on what it gives."""
        errand = self._errands.get(home)
        if errand is None:
            errand = self._errands[home] = errand_in(self._ctx, home.catalogue, is_held=True)
        try:
            value = await errand.call(name, arguments)
        except BaseException as error:  # noqa: BLE001  it is raised where it was called
            self._hand_on(waiting, error, is_error=True)
        else:
            self._hand_on(waiting, value, is_error=False)

    def _hand_on(self, waiting: asyncio.Future[Any], what: Any, *, is_error: bool) -> None:
        def put() -> None:
            if not waiting.done():
                (waiting.set_exception if is_error else waiting.set_result)(what)

        if not self._sliced.is_closed():
            self._sliced.call_soon_threadsafe(put)


def _failure(code: PythonCode, error: BaseException, printed: str) -> ToolError:
    said = code.told(error)
    if printed:
        said = f"{_cut(printed.rstrip())}\n{said}"
    kind = error.kind if isinstance(error, ToolError) else None
    recovery = error.recovery if isinstance(error, ToolError) else None
    return ToolError(said, kind=kind or "invalid_call", recovery=recovery)


def _told(printed: str, value: object) -> str:
    parts = [_cut(printed.rstrip("\n"))] if printed.strip() else []
    if value is not None:
        parts.append(_cut(clean_text(repr(value))))
    return "\n".join(parts) or NOTHING


def _cut(text: str) -> str:
    if len(text) <= LONGEST:
        return text
    return text[:LONGEST] + CUT.format(len(text) - LONGEST)


def _preview(printed: Printed, value: object) -> str | None:
    said = printed.text_so_far.strip() if value is None else repr(value)
    return said.partition("\n")[0] or None
