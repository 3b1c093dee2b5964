"""What a run asks a person, and how the answer comes: from a page, from typing, from Python.

All runs of a tree share one `Desk`. Whoever asks waits there; whoever answers may be in any thread.
What an answer must be like is checked by who asked, on his own thread, and told to who answered.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Mapping
from concurrent.futures import Future, InvalidStateError
from dataclasses import dataclass, field
from types import NoneType
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from pydantic import JsonValue

from nbagents.errors import RunError, did_you_mean
from nbagents.events import AwaitKind
from nbagents.narrowing import dict_of, is_mapping
from nbagents.redaction import in_clean_words
from nbagents.results import Question
from nbagents.runs.stepping import Edit, Pause, changed_arguments, edit_json, page_edit
from nbagents.runs.tree import PERSON
from nbagents.tools.call import is_json
from nbagents.tools.context import FLAG, TEXT, require, shown, wrong
from nbagents.tools.values import from_page

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Sequence

    from nbagents.events import RequestedCall
    from nbagents.tools.call import PreparedCall

ACTIONS = ("approve", "deny", "answer")
ARGUMENTS = "give a dictionary of all that the call is made with."


@in_clean_words
@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """What was said to an `Await`."""

    action: Literal["approve", "deny", "answer"] = field(kw_only=False)
    arguments: Mapping[str, JsonValue] | None = None
    """With `approve`: what the call is made with instead; all of it."""
    value: JsonValue = None
    """With `answer`: of a clarification the values by name, or text; of questions the answers by
    the questions' ids; of external tools the results by call id; of a step `"continue"`, `"skip"`,
    `"to_end"`, `"stop"`, or the fields of an `nbagents.Edit`."""
    note: str | None = None
    """What is said to it; the model is told."""
    remember: bool = False
    """With `approve`: whether calls of this tool are not asked about any more in this session."""
    by: str = PERSON

    def __post_init__(self) -> None:
        """See that it says something, before anybody waits for it.

        Raises:
            ValueError: It does not; says what to give.
        """
        if self.action not in ACTIONS:
            hint = did_you_mean(str(self.action), ACTIONS)
            raise ValueError(f"action of Answer is {shown(self.action)}.{hint}")
        require("arguments of Answer", self.arguments, (Mapping, NoneType), ARGUMENTS)
        require("note of Answer", self.note, (str, NoneType), TEXT)
        require("by of Answer", self.by, str, "it must be text: who says it.")
        require("remember of Answer", self.remember, bool, FLAG)
        if not is_json(self.value):
            advice = "give text, numbers, lists and dictionaries, as JSON has them."
            raise wrong("value of Answer", self.value, advice)

    @classmethod
    def of_json(cls, said: object, question: Await | None = None) -> Answer:
        """An answer as a page sends it, which says only what is to be other than it was.

        Args:
            said: The JSON.
            question: What is answered.

        Raises:
            ValueError: It is none.
        """
        given = dict_of(from_page(dict(said) if is_mapping(said) else {}))
        action, note = given.get("action"), given.get("note")
        value = given.get("value")
        if question is not None and question.pause is not None:
            value = page_edit(value, question.pause)
        if action not in ACTIONS:
            raise ValueError(f"An answer says what to do: {', '.join(ACTIONS)}.")
        return cls(
            action=action,
            arguments=changed_arguments(given, None if question is None else question.arguments),
            value=value,
            note=str(note) if note else None,
            remember=given.get("remember") is True,
        )


@in_clean_words
@dataclass(frozen=True, slots=True, kw_only=True)
class Await:
    """Something that a run waits for a person with; its methods answer it, in any thread."""

    id: str
    kind: AwaitKind
    run_id: str
    agent_name: str
    call_id: str | None = None
    tool_name: str | None = None
    title: str = ""
    text: str = ""
    """The question, in words."""
    reason: str = ""
    """Why it is asked."""
    arguments: JsonValue = None
    """Of a confirmation what the tool would get, defaults and all: a live object as its name and
    what it is, `{"handle": "sales", "summary": …}`. Of a clarification what is there already."""
    defaults: tuple[str, ...] = ()
    """The arguments that the model did not give, so that the tool would take its own."""
    form: Mapping[str, JsonValue] | None = None
    """A JSON Schema of type object: of the arguments, or of what is missing."""
    missing_fields: tuple[str, ...] = ()
    questions: tuple[Question, ...] = ()
    calls: tuple[RequestedCall, ...] = ()
    prepared: PreparedCall | None = field(default=None, repr=False, compare=False)
    """Of a confirmation, the call."""
    pause: Pause | None = field(default=None, repr=False, compare=False)
    """Of a step, what would be done next."""
    context: Any = field(default=None, repr=False, compare=False)
    """The caller's own object; see `Agent.run`."""
    _desk: Desk | None = field(default=None, repr=False, compare=False)

    def approve(
        self,
        arguments: Mapping[str, JsonValue] | None = None,
        *,
        note: str | None = None,
        remember: bool = False,
    ) -> None:
        """Allow the call, with other arguments where they are given.

        Raises:
            ValueError: The arguments do not fit; it is still to be answered.
            RunError: It was answered already.
        """
        self._say(Answer(action="approve", arguments=arguments, note=note, remember=remember))

    def deny(self, note: str | None = None) -> None:
        """Do not allow the call, or do not answer the question.

        Raises:
            RunError: It was answered already.
        """
        self._say(Answer(action="deny", note=note and str(note)))

    def answer(self, value: JsonValue | Edit, *, note: str | None = None) -> None:
        """Answer the question; see `Answer.value`.

        Raises:
            ValueError: The value does not fit; it is still to be answered.
            RunError: It was answered already.
        """
        if isinstance(value, Edit):
            value = edit_json(value, self.pause)
        self._say(Answer(action="answer", value=value, note=note))

    def _say(self, answer: Answer) -> None:
        if self._desk is None:
            raise RunError("Nobody waits for this any more: the run has ended.")
        is_here = self._desk.is_asked_here(self.id, answer)
        told = self._desk.answer(self.id, answer)
        if not is_here:
            told.result()


Handler: TypeAlias = "Callable[[Await], Answer | JsonValue | Awaitable[Answer | JsonValue]]"
OnAwait: TypeAlias = "Literal['ask', 'wait', 'deny', 'suspend'] | Handler"
"""What is done where a person must answer: `ask` by a click or by typing, and where nobody can,
the answer is no; `wait` until Python or a page answers; `deny` without asking; `suspend` the run;
or a function that answers: by an `Answer`, by `True` or `False` where consent is asked for, by the
value where one thing is asked for, by `None` for no."""


@dataclass(slots=True)
class Posed:
    """A question that waits for its answer."""

    question: Await
    check: Callable[[Answer], object]
    """What the answer means; a `ValueError` where it does not fit."""
    loop: asyncio.AbstractEventLoop
    """Where it is waited for."""
    said: Future[tuple[Answer, Future[None]]] = field(default_factory=Future[Any])


class Desk:
    """Where the runs of a tree put their questions."""

    def __init__(self) -> None:
        self._open: dict[str, Posed] = {}
        self._lock = threading.Lock()

    @property
    def open(self) -> Sequence[Await]:
        """What is to be answered, in the order in which it was asked."""
        with self._lock:
            return tuple(one.question for one in self._open.values())

    def question(self, await_id: str) -> Await | None:
        """What is open under an id."""
        with self._lock:
            posed = self._open.get(await_id)
        return None if posed is None else posed.question

    def put(self, posed: Posed) -> None:
        """Ask."""
        with self._lock:
            self._open[posed.question.id] = posed

    def again(self, posed: Posed) -> None:
        """Ask once more, for the answer did not fit."""
        posed.said = Future()

    def posed_by(self, run_id: str) -> Sequence[Posed]:
        """What a run asks."""
        with self._lock:
            return tuple(one for one in self._open.values() if one.question.run_id == run_id)

    def take(self, posed: Posed) -> bool:
        """It is answered, or nobody waits for it any more.

        Returns:
            Whether it was open until now.
        """
        with self._lock:
            was_open = self._open.pop(posed.question.id, None) is not None
        if not posed.said.done():
            posed.said.cancel()
        elif not posed.said.cancelled():
            _, told = posed.said.result()
            if not told.done():  # it came too late, or something else was to answer
                told.set_exception(RunError("This answer was not taken: nobody waits for it."))
        return was_open

    def is_asked_here(self, await_id: str, answer: Answer) -> bool:
        """Whether the loop of this very thread waits for an answer; then it is checked at once.

        Raises:
            ValueError: It does not fit.
        """
        with self._lock:
            posed = self._open.get(await_id)
        if posed is None or posed.loop is not asyncio._get_running_loop():  # noqa: SLF001  or None
            return False
        if answer.action != "deny":
            posed.check(answer)
        return True

    def answer(self, await_id: str, answer: Answer) -> Future[None]:
        """Answer a question, from any thread.

        Returns:
            When it was taken; what does not fit about it, as a `ValueError`.

        Raises:
            RunError: It was answered already, or there is no such question.
        """
        told: Future[None] = Future()
        with self._lock:
            posed = self._open.get(await_id)
            if posed is None:
                hint = did_you_mean(await_id, tuple(self._open)) if self._open else ""
                raise RunError(f"Nobody waits for an answer to {await_id!r} any more.{hint}")
            if posed.said.done():
                raise RunError("This was answered already.")
            try:
                posed.said.set_result((answer, told))
            except InvalidStateError:  # stopped in this very moment
                raise RunError(f"Nobody waits for an answer to {await_id!r} any more.") from None
        return told
