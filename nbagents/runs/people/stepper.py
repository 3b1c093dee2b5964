"""Step mode of one run: shows what would be done next, and writes down what is made of it."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any, Final, Protocol, TypeVar

from nbagents.events import StepEdited
from nbagents.narrowing import known
from nbagents.results import CallResult
from nbagents.runs.lanes import BY_PERSON, BY_STEP
from nbagents.runs.people.consent import MADE_OF_IT, told_edit
from nbagents.runs.people.edits import edited, mended
from nbagents.runs.people.person import NOBODY
from nbagents.runs.policy import call_plainly
from nbagents.runs.stepping import (
    Edit,
    NextCall,
    Pause,
    call_moves,
    edit_of,
    message_words,
    request_move,
)
from nbagents.runs.tree import PERSON
from nbagents.tools.call import misfit, result_of

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from pydantic import JsonValue

    from nbagents.runs.people.edits import Edited
    from nbagents.runs.people.person import People
    from nbagents.runs.policy import Spending
    from nbagents.runs.state import Answer, Run
    from nbagents.runs.stepping import CallMove, RequestMove, StepMode
    from nbagents.tools.call import Lanes, PreparedCall
    from nbagents.tools.context import Context

T = TypeVar("T")
C = TypeVar("C", bound="Opened")

SKIPPED: Final = "Not called: the person skipped this call."
NO_TOOL: Final = "There is no tool {name!r}, so it cannot be called: skip it, or give its result."


class Opened(Protocol):
    """A call that has no result yet."""

    prepared: PreparedCall

    @property
    def id(self) -> str:
        """Its id."""
        ...


class Stepper:
    """Waits before each request of a run, and before each batch of its calls.

    Args:
        run: What is written into.
        people: Who is asked.
        lanes: Where a function is called that says what is done.
        spending: The run's, whose clock stands still meanwhile.
        mode: Whether it waits at all, and who says what is done.
    """

    def __init__(
        self, run: Run, people: People, lanes: Lanes, spending: Spending, mode: StepMode | None
    ) -> None:
        self._run = run
        self._people = people
        self._lanes = lanes
        self._spending = spending
        self._mode = mode

    @property
    def waits(self) -> bool:
        """Whether the next thing that is done waits for somebody."""
        return self._mode is not None and not self._mode.is_over

    async def before_request(self, pause: Pause) -> tuple[RequestMove, str]:
        """What is done instead of a request, and who says so; it is written down.

        Raises:
            Suspended: The run is to end here.
            asyncio.CancelledError: It was stopped.
            Exception: What the person's own function raised.
        """
        move, by = await self._said(pause, partial(request_move, pause=pause))
        for one in move.messages.changes if move.messages else ():
            which = one.after or one.before
            self._tell(
                pause,
                by,
                what="message",
                place=one.place,
                role=which and which.role,
                before=one.before and message_words(one.before),
                after=one.after and message_words(one.after),
            )
        if move.turn is not None:
            what = "skip" if move.is_skipped else "answer"
            self._tell(pause, by, what=what, after=move.turn.text)
        return move, by

    async def before_calls(
        self,
        calls: Sequence[C],
        pause: Callable[[Sequence[NextCall], str], Pause],
        context: Callable[[C], Context],
        end: Callable[[C, CallResult], None],
    ) -> Sequence[C]:
        """The calls that are to be made, as they are to be made; the others have ended.

        Args:
            calls: Those that would be made.
            pause: What is shown of calls, with a note.
            context: What a call is bound with.
            end: Ends a call that is not made.

        Raises:
            Suspended: The run is to end here.
            asyncio.CancelledError: It was stopped.
            Exception: What the person's own function raised.
        """
        left, note = list(calls), ""
        while left and self.waits:
            for one in left:
                one.prepared = one.prepared.seen(context(one))
            shown = pause([_next_call(one.prepared, context(one)) for one in left], note)
            (moves, edits), by = await self._said(
                shown, partial(_checked, pause=shown, calls=left, context=context)
            )
            ended = [one for one in left if self._ends(one, moves.get(one.id), shown, by, end)]
            left = [one for one in left if one not in ended]
            for one in left:
                self._change(one, edits.get(one.id), shown, by)
            if all(edit is None or edit.is_as_given for edit in edits.values()):
                break
            note = MADE_OF_IT
        return left

    async def _said(self, pause: Pause, check: Callable[[Edit], T]) -> tuple[T, str]:
        """What is to be done, and who says so; a stop does not come back."""
        mode = known(self._mode)
        if mode.function is None:
            edit, meant, by = await self._by_person(pause, check)
        else:
            edit, meant = await self._by_function(mode.function, pause, check)
            by = f"step ({getattr(mode.function, '__name__', 'a function')})"
        if edit.action == "to_end":
            mode.is_over = True
        if edit.action == "stop":
            await self._stopped(BY_PERSON if by == PERSON else BY_STEP)
        return meant, by

    async def _by_person(self, pause: Pause, check: Callable[[Edit], T]) -> tuple[Edit, T, str]:
        """What the person does; where nobody can be asked, the run goes on by itself."""
        found: list[tuple[Edit, T]] = []

        def read(answer: Answer) -> Answer:
            edit = Edit() if answer.action == "approve" else edit_of(answer.value)
            found.append((edit, check(edit)))
            return replace(answer, action="answer", arguments=None, value=edit.action)

        question = self._people.question(
            "step", title=pause.title, text=f"{pause.title}?", pause=pause
        )
        answered = await self._people.ask(question, read)
        if answered is None:
            return Edit("to_end"), check(Edit()), NOBODY
        if answered[0].action == "deny":
            return Edit("stop"), check(Edit()), answered[0].by
        return *found[-1], answered[0].by

    async def _by_function(
        self, function: Callable[[Pause], Any], pause: Pause, check: Callable[[Edit], T]
    ) -> tuple[Edit, T]:
        try:
            with self._spending.clock.standing_still():
                edit = edit_of(await call_plainly(partial(function, pause), self._lanes))
            return edit, check(edit)
        except Exception as error:
            self._run.common.fault = error  # no tool's: it ends all runs of the tree
            raise

    async def _stopped(self, cause: str) -> None:
        """Stop the whole tree, and wait for that."""
        top = self._run.root
        top.stop_part(top.id, cause=cause)
        await asyncio.get_running_loop().create_future()

    def _ends(
        self,
        call: C,
        move: CallMove | None,
        pause: Pause,
        by: str,
        end: Callable[[C, CallResult], None],
    ) -> bool:
        """Whether a call is not made: then it has its result."""
        if move is None or not (move.is_skipped or move.has_result):
            return False
        if move.is_skipped:
            self._tell(pause, by, what="skip", call=call.prepared)
            end(call, CallResult(content=SKIPPED, status="skipped"))
            return True
        result = self._given(call.prepared, move.result)
        self._tell(pause, by, what="result", call=call.prepared, after=result.content)
        end(call, result)
        return True

    def _given(self, call: PreparedCall, value: object) -> CallResult:
        """What a call gives that is not made, as if its tool had returned it."""
        if call.tool is None:
            return CallResult(content=value if isinstance(value, str) else repr(value))
        return result_of(call.tool, value, handles=self._run.handles)

    def _change(self, call: Opened, edit: Edited | None, pause: Pause, by: str) -> None:
        if edit is None:
            return
        before, now = call.prepared, edit.call
        self._tell(
            pause,
            by,
            what="arguments",
            call=now,
            before=_named(before),
            after=_named(now),
            written=now.written,
        )
        call.prepared = now.with_said(told_edit(now))

    def _tell(
        self, pause: Pause, by: str, *, call: PreparedCall | None = None, **said: Any
    ) -> None:
        request = call and call.request
        self._run.emit(
            lambda stamp: StepEdited(
                **stamp,
                step=pause.step,
                by=by,
                tool_call_id=request and request.id,
                tool_name=request and request.name,
                **said,
            )
        )


def _checked(
    edit: Edit,
    *,
    pause: Pause,
    calls: Sequence[C],
    context: Callable[[C], Context],
) -> tuple[Mapping[str, CallMove], Mapping[str, Edited | None]]:
    """What is said of each call, and what those become whose arguments are others.

    Raises:
        ValueError: It cannot be done.
    """
    moves = call_moves(edit, pause)
    edits: dict[str, Edited | None] = {}
    for one in calls:
        move = moves.get(one.id)
        if move is not None and move.arguments is not None:
            edits[one.id] = _edited(one.prepared, move.arguments, context(one))
    return moves, edits


def _edited(call: PreparedCall, given: Mapping[str, JsonValue], context: Context) -> Edited | None:
    if call.tool is None:
        raise ValueError(NO_TOOL.format(name=call.request.name))
    if call.effective is None:
        return mended(call, given, context)
    return edited(call, given, context)


def _named(call: PreparedCall) -> JsonValue:
    shown = call.effective
    return call.arguments if shown is None else dict(shown.named)


def _next_call(call: PreparedCall, context: Context) -> NextCall:
    shown, tool = call.effective, call.tool
    return NextCall(
        id=call.request.id,
        name=call.request.name,
        arguments=_named(call),
        defaults=shown.defaults if shown else (),
        objects=shown.objects if shown else {},
        form=tool and tool.schema.parameters,
        problem=_problem(call, context),
        prepared=call,
    )


def _problem(call: PreparedCall, context: Context) -> str:
    """Why a call cannot be made as it stands."""
    if call.failure is not None:
        return call.failure.message
    if call.effective is not None or call.tool is None:
        return ""
    try:
        return misfit(call.tool, call.arguments, context)
    except Exception as error:  # noqa: BLE001  a tool's own types may raise; the call tells of it
        return f"Its arguments cannot be read ({type(error).__name__})."
