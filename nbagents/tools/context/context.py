"""What a running tool may ask and tell: the hidden parameter `Context`.

Long: all of it is one class, and what that asks of the run and of a question.
"""

from __future__ import annotations

import inspect
import itertools
from dataclasses import dataclass
from types import MappingProxyType, NoneType
from typing import TYPE_CHECKING, Any, Final, Protocol, cast

from nbagents.errors import RunError, ToolError
from nbagents.results import Limits, Payload
from nbagents.tools.context.misuse import is_several, require, wrong
from nbagents.tools.values import Handles, payload_of

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Mapping, Sequence

    from pydantic import TypeAdapter

    from nbagents.messages import CallRequest


@dataclass(frozen=True, slots=True, kw_only=True)
class Remaining:
    """What a run has left at this moment, by its own limits and by those above; `None`: no end."""

    steps: int | None = None
    """How often its model may still be asked with tools."""
    calls: int | None = None
    """Calls that are being made are counted already."""
    tokens: int | None = None
    cost: float | None = None
    """Money, in the currency of the prices."""
    time_s: float | None = None
    """Seconds, of which none pass while it waits for a person."""


class Caps(Protocol):
    """What knows how much a run may do, and what is left of it."""

    limits: Limits

    def remaining(self) -> Remaining:
        """What is left now."""
        ...


NOTHING: Final[Mapping[str, Any]] = MappingProxyType({})


class Unanswered(ToolError):  # noqa: N818  what happened, and no mistake
    """A tool's question was not answered: the person will not, or nobody can be asked."""


class Output(Protocol):
    """Where a call's context tells what it is told."""

    def progress(self, message: str, fraction: float | None = None) -> None:
        """Take how far the call is."""
        ...

    def log(self, text: str) -> None:
        """Take a line that is for people."""
        ...

    def show(self, payload: Payload, name: str) -> None:
        """Take a payload; the same name again replaces it."""
        ...

    def expect_children(self, count: int) -> None:
        """Take how many runs the call will start."""
        ...


class Inside(Protocol):
    """What a call may ask of the run that it belongs to; see `runs/drive/calls/child_run.py`."""

    def run(
        self,
        agent: Any,
        prompt: str,
        shared: Mapping[str, object] | None,
        attached: Any,
        labels: Mapping[str, str] | None,
        tool_input: object,
    ) -> Any:
        """A run of another agent, inside of the call."""
        ...

    def ask(self, text: str, options: Sequence[object] | None, form: Any, *, multiple: bool) -> Any:
        """A person's answer."""
        ...

    def external(self) -> Any:
        """A result from outside."""
        ...

    def on_main(self, function: Callable[[], Any], timeout_s: float | None) -> Any:
        """What a function gives on the main thread."""
        ...


class Context:
    """Who calls, and a way to show progress before the call ends.

    A parameter annotated with it, in any position, is filled by the runtime and hidden from the
    model. Made without arguments it does nothing, so that a tool can be tried by hand.

    Args:
        call: The call, as the model wrote it: its id, the name it asked for, the arguments.
        run_id: The run that the call belongs to.
        agent_name: The agent that runs.
        labels: What the run was labelled with.
        passthrough: What the caller of the run handed to this toolset, past the model.
        handles: The live objects that calls of this run may take by name.
        output: Takes what is shown, told and logged.
        inside: Runs other agents for the call, and asks the person.
        session_id: The session that the run belongs to.
        turn_id: What the person asked, with all that answers it.
        parent_run_id: The run whose call started this run.
        tool_input: Where this run is an agent's that was called as a tool with a structured input:
            that input, as the object it is.
        context: The caller's own object, as `Agent.run` was given it; no model is told of it.
        caps: Knows how much the run may do, and what is left of it.

    Example:
        >>> def count(words: list[str], ctx: Context) -> int:
        ...     ctx.progress("counting", 0.5)
        ...     return len(words)
        >>> count(["a", "b"], Context())
        2
    """

    __slots__ = (
        "_caps",
        "_inside",
        "_numbers",
        "_output",
        "agent_name",
        "call",
        "context",
        "handles",
        "labels",
        "parent_run_id",
        "passthrough",
        "run_id",
        "session_id",
        "tool_input",
        "turn_id",
    )

    def __init__(  # noqa: PLR0913  each is something that a tool may ask for
        self,
        call: CallRequest | None = None,
        *,
        run_id: str = "",
        agent_name: str = "",
        labels: Mapping[str, str] = NOTHING,
        passthrough: Mapping[str, Any] = NOTHING,
        handles: Handles | None = None,
        output: Output | None = None,
        inside: Inside | None = None,
        session_id: str = "",
        turn_id: str = "",
        parent_run_id: str | None = None,
        tool_input: object = None,
        context: object = None,
        caps: Caps | None = None,
    ) -> None:
        self.call = call
        self.run_id = run_id
        self.agent_name = agent_name
        self.labels = labels
        self.passthrough = passthrough
        self.handles = Handles() if handles is None else handles
        self._output = output
        self._inside = inside
        self.session_id = session_id
        self.turn_id = turn_id
        self.parent_run_id = parent_run_id
        self.tool_input: Any = tool_input
        self.context: Any = context
        self._caps = caps
        self._numbers = itertools.count(1)

    @property
    def call_id(self) -> str:
        """The call, as the model named it."""
        return self.call.id if self.call else ""

    @property
    def tool_name(self) -> str:
        """The name that the model called."""
        return self.call.name if self.call else ""

    @property
    def limits(self) -> Limits:
        """What the run that the call belongs to may do, with all runs below it."""
        return Limits() if self._caps is None else self._caps.limits

    @property
    def remaining(self) -> Remaining:
        """What is left of that now, also of the limits of the runs above; `None`: no end."""
        return Remaining() if self._caps is None else self._caps.remaining()

    def __repr__(self) -> str:
        return f"Context(tool_name={self.tool_name!r}, call_id={self.call_id!r})"

    def progress(self, message: str, fraction: float | None = None) -> None:
        """Say how far the call is.

        Args:
            message: One line for people; the model does not see it.
            fraction: How much is done; what lies outside of 0 to 1 is taken as the nearer end.

        Raises:
            ValueError: The fraction is no number.
        """
        try:
            done = None if fraction is None else min(1.0, max(0.0, float(fraction)))
        except (TypeError, ValueError):
            raise wrong("fraction", fraction, "give a number from 0 to 1.") from None
        if self._output is not None:
            self._output.progress(str(message), done)

    def log(self, text: str) -> None:
        """Write a line to the call's own output; the model does not see it."""
        if self._output is not None:
            self._output.log(str(text))

    def show(self, payload: Payload | Mapping[str, Any], payload_id: str | None = None) -> str:
        """Show something now, before the call ends; the model does not see it.

        Args:
            payload: What to show; a mapping says by its `kind` who draws it.
            payload_id: Showing again under the same id replaces what was shown.

        Returns:
            The id, to replace it later.

        Raises:
            ValueError: The id is no text.
        """
        how = 'give text, e.g. "progress"; it comes after what is shown.'
        require("payload_id", payload_id, (str, NoneType), how)
        shown = payload_of(payload, self.tool_name or "data")
        shown_id = payload_id or f"{shown.kind}-{next(self._numbers)}"
        if self._output is not None:
            self._output.show(shown, shown_id)
        return shown_id

    def update_data(self, payload_id: str, payload: Payload | Mapping[str, Any]) -> None:
        """Replace what was shown under an id, as often as there is something newer.

        Raises:
            ValueError: The id is no text.
        """
        require("payload_id", payload_id, str, "give the id first, then what to show.")
        self.show(payload, payload_id)

    def display(self, value: object, payload_id: str | None = None) -> str:
        """Show any object as a notebook would; the model does not see it.

        Returns:
            The id, to replace it later with `update_data`.
        """
        from nbagents.tools.values import rich_payload  # few tools need it

        return self.show(rich_payload(value), payload_id)

    def run(
        self,
        agent: Any,
        prompt: str,
        *,
        vars: Mapping[str, object] | None = None,  # noqa: A002  the magic's word
        attach: Any = (),
        labels: Mapping[str, str] | None = None,
        tool_input: object = None,
    ) -> Any:
        """Run another agent inside of this call: a real run, linked to the call and seen in it.

        A plain tool is given the `Run` when it has ended; an `async def` tool awaits it, and may
        run several at once with `asyncio.gather`. It draws on the limits of the run that the call
        belongs to, and ends with it.

        Args:
            agent: The agent; one without a model of its own uses that of this run.
            prompt: What it is asked.
            vars: Live objects that its tools take by these names; nothing else is shared.
            attach: Images, files (as paths) and bytes that go along with the prompt.
            labels: What its run is labelled with, besides the labels of this one.
            tool_input: What its tools find as `ctx.tool_input`.

        Raises:
            ValueError: This is no agent, or something that it is given cannot be used.
            ToolError: The person stopped it, or too many runs stand one inside the other.
            Exception: What ended it, if it did not end well.
        """
        if isinstance(agent, type) or not hasattr(agent, "begin"):
            how = 'give an agent first, e.g. ctx.run(planner, "Plan a trip.").'
            raise wrong("The agent of ctx.run()", agent, how)
        return self._required().run(agent, prompt, vars, attach, labels, tool_input)

    def ask(
        self,
        question: str,
        *,
        options: Sequence[object] | None = None,
        multiple: bool = False,
        form: Any = None,
    ) -> Any:
        """Ask the person, and wait for the answer; an `async def` tool awaits it.

        The time of the run stands still meanwhile. Where nobody can be asked, this raises.

        Args:
            question: What is asked.
            options: What there is to choose from; without, the answer is text.
            multiple: Whether several may be chosen: then a list is given.
            form: The type of the answer, e.g. a pydantic model or `list[int]`: a form is made of
                its schema, and such a value is given.

        Raises:
            ValueError: It cannot be asked so; says what to give.
            ToolError: The person will not answer, or cannot be asked.
        """
        check_question(question, options, multiple=multiple, has_form=form is not None)
        adapter = None if form is None else form_of(form)
        return self._required().ask(question, options, adapter, multiple=multiple)

    def confirm(self, question: str) -> Any:
        """Ask the person a question of yes or no; an `async def` tool awaits the `bool`.

        Where nobody answers, it is no.

        Raises:
            ValueError: The question is no text.
        """
        check_question(question)
        try:
            said = self._required().ask(question, ("Yes", "No"), None, multiple=False)
        except Unanswered:
            return False
        return _is_yes(said) if inspect.isawaitable(said) else said == "Yes"

    def external(self) -> Any:
        """What somebody outside says that this call gives: an awaitable of it.

        Raises:
            ToolError: They will not say, or cannot be asked.
        """
        return self._required().external()

    async def on_main(self, function: Callable[[], Any], timeout_s: float | None = None) -> Any:
        """Run a plain function where the notebook's objects live: on the main thread.

        It is for `async def` tools: a plain tool is there already. A stop interrupts it.

        Args:
            function: Takes nothing; what it raises is raised here.
            timeout_s: After how many seconds it is interrupted.

        Raises:
            ToolTimeoutError: It took longer.
        """
        if self._inside is None:
            return function()
        return await self._inside.on_main(function, timeout_s)

    def expect_children(self, count: int) -> None:
        """Say how many runs this call will start, so that the person sees how far it is.

        Raises:
            ValueError: It is no count.
        """
        given = cast("object", count)
        if not isinstance(given, int) or given < 0:
            raise wrong("count", given, "give a whole number that is not negative.")
        if self._output is not None:
            self._output.expect_children(count)

    def _required(self) -> Inside:
        if self._inside is None:
            raise RunError(
                "This context belongs to no call, so it can run no agent and ask nobody: let an "
                "agent call the tool."
            )
        return self._inside


async def _is_yes(said: Awaitable[object]) -> bool:
    try:
        return await said == "Yes"
    except Unanswered:
        return False


def check_question(
    question: object, options: object = None, *, multiple: object = False, has_form: bool = False
) -> None:
    """See that a question can be put to a person.

    Raises:
        ValueError: It cannot; says what to give.
    """
    require("The question", question, str, "it must be text; what to choose from is `options`.")
    if not str(question).strip():
        raise ValueError("The question is empty: say what the person should answer.")
    if options is not None and not is_several(options):
        raise wrong("options", options, 'give a list, e.g. options=["now", "later"].')
    if options is not None and has_form:
        raise ValueError("A question has options or a form: leave one of them out.")
    if multiple is not False and options is None:
        advice = "what several may be chosen of is missing: give options, or leave it out."
        raise wrong("multiple", multiple, advice)


def form_of(wanted: Any) -> TypeAdapter[Any]:  # Any: a type form, of which Python has no type
    """What reads an answer of a type.

    Raises:
        ValueError: No form can be made of it.
    """
    from pydantic import TypeAdapter  # few tools need it

    try:
        adapter: TypeAdapter[Any] = TypeAdapter(wanted)
        adapter.json_schema()
    except Exception as error:  # a type may bring its own code, which may raise anything
        advice = "give a type that JSON can carry, e.g. a pydantic model, list[int] or date."
        raise wrong("form", wanted, advice) from error
    return adapter
