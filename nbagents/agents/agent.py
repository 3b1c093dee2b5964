"""An agent: a model with instructions and tools, and the ways to run it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Final, Literal

from pydantic import JsonValue
from typing_extensions import Unpack

from nbagents.agents.beginning import Beginning
from nbagents.agents.given import check_given, check_host, kept
from nbagents.agents.resumable import Resumable
from nbagents.agents.talking import Talking
from nbagents.redaction import in_clean_words
from nbagents.tools.toolset import ToolLike

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from nbagents.agents.as_tool import AsTool
    from nbagents.events import AnyEvent, Approval
    from nbagents.models.model import Model
    from nbagents.runs.awaits import OnAwait
    from nbagents.runs.briefing import Attachments
    from nbagents.runs.earlier import Conversation
    from nbagents.runs.guardrails import Parallel
    from nbagents.runs.host import Host
    from nbagents.runs.policy import FinalCall, ToolFilter, ToolUse
    from nbagents.runs.prices import Prices
    from nbagents.runs.record import Run
    from nbagents.runs.session import Session
    from nbagents.tools.tool import Check, Tool

__all__ = ["Agent", "ToolLike"]

CHANGES: Final = ("output", "max_steps", "max_calls", "max_tokens", "timeout_s")
"""What an agent may have another value of where it is a tool."""


@in_clean_words
@dataclass(frozen=True, slots=True)
class Agent(Beginning, Resumable, Talking):
    """A model with instructions and tools.

    `agent.run(prompt)` runs to the end and returns the `Run`; `await agent.arun(prompt)` does so on
    the running loop, `agent.start(prompt)` in the background, `agent.stream(prompt)` gives what
    happens as it happens, and `agent.resume(run)` goes on with a run that was suspended.

    Example:
        >>> def double(number: int) -> int:
        ...     "Double a number."
        ...     return 2 * number
        >>> Agent("maths", tools=[double], model="offline").run("Double 21", log="memory").text
        'Double (number 21): 42.'

    Args:
        name: How it is called in the card and in the log.
        instructions: What the model is told first.
        tools: Tools, toolsets, plain functions, or names and globs of the toolbox.
        model: A model, the id of one, `"offline"`, or `None`: `NBAGENTS_MODEL`, else OpenAI if
            there is a key, else offline.
        max_steps: How often the model may be asked with tools; then it must answer.
        max_calls: How many calls a run may make; what is asked for beyond is not called, and the
            model must answer.
        max_tokens: How many tokens a run may use, in and out, as the provider counts them; when
            they are used up, the model must answer.
        timeout_s: How many seconds a run may take: calls that still go on then time out, and the
            model must answer. A run that met a limit has the status `limit`.
        settings: Sent to the model as they stand, e.g. `{"temperature": 0}`.
        output: The type that the answer must have, e.g. a pydantic model or `list[str]`: then
            `run.output` is such a value. `None`: text.
        parallel: Whether the calls of one step are made together; `False` asks the model for one at
            a time, and makes several one after the other.
        sequential: Whether the model is asked between calls: of an answer only the first call is
            made, and its result is told before another is; the others are told to come later.
        approval: Which calls need a person's consent: `"risky"` those whose tools say that they
            may do harm, `"ask"` all; `"auto"` allows, and `"never"` refuses, without asking, what
            would need it. `None`: as the run that it is inside of, else `"risky"`.
        on_await: What is done where a person must answer: `"ask"` on the page or by typing, and
            where nobody can answer it is no; `"wait"` for an answer from Python or a page;
            `"deny"`; `"suspend"` the run; or a function that answers. `None`: as the run above.
        max_cost: How much money a run may cost, by `prices`; then the model must answer.
        prices: By the model's name, what a million tokens cost, e.g. `{"m": {"input": 0.2,
            "output": 0.8, "cached": 0.05}}`. There are no others.
        max_failed_batches: How many steps may fail one after the other, in which no call gave a
            result; then the model must answer.
        max_depth: How many runs may stand one inside the other below a run of this agent.
        on_limit: What is called at a limit, where the model is not to say a last word:
            `nbagents.FinalCall`; what it gives is the answer.
        tool_use: What follows on calls: `"run_again"` lets the model read the results,
            `"stop_on_first"` makes the first result the answer, `nbagents.StopAt("a", "b")` that of
            certain tools; or a function of the context and the calls, `None` for none.
        tool_choice: Until the model has used a tool: `"required"`, `"none"`, or a tool's name.
        allow_tags: Only tools with one of these tags are offered; `None`: all.
        deny_tags: Tools with one of these tags are not offered.
        tool_filter: Says for each step, of a `StepContext` and a tool, whether it is offered then.
        input_guardrails: Check the prompt before the model sees it: functions of the context and
            the text, which give `None`, `nbagents.Replace(value)` or `nbagents.Refuse(message)`;
            `nbagents.Parallel(check)` is made while the model is asked already.
        output_guardrails: Check the answer before anybody sees it.
        handoffs: Agents that may take over a run, or what `nbagents.handoff` gives.
        exports: By name, toolsets for other agents: functions that declare what this one can be
            asked, and `nbagents.passthrough` of functions that are called past its model.
        on_missing: Who is told that a call lacks required values: the model, which may correct it
            (`"tell"`), or the person, who may give them (`"ask"`).
        can_ask: Whether it is offered a tool, `ask_person`, by which it asks the person.
        keep_turns: How many turns of a chat a run is told, the newest ones, each of them whole;
            `None`: all. The chat itself is kept.
        keep_tokens: The same, as many turns as have about so many tokens.
    """

    name: str = "agent"
    instructions: str = ""
    tools: Iterable[ToolLike] = ()
    model: Model | str | None = None
    max_steps: int = 10
    max_calls: int | None = None
    max_tokens: int | None = None
    timeout_s: float | None = None
    settings: Mapping[str, JsonValue] = field(default_factory=dict[str, JsonValue])
    output: Any = None  # a type form, of which Python has no type
    parallel: bool = True
    sequential: bool = False
    approval: Approval | None = None
    on_await: OnAwait | None = None
    on_missing: Literal["tell", "ask"] = "tell"
    can_ask: bool = False
    max_cost: float | None = None
    prices: Prices = field(default_factory=dict[str, Mapping[str, float]])
    max_failed_batches: int | None = 3
    max_depth: int | None = 5
    on_limit: FinalCall | None = None
    tool_use: ToolUse = "run_again"
    tool_choice: str = "auto"
    allow_tags: Iterable[str] | None = None
    deny_tags: Iterable[str] = ()
    tool_filter: ToolFilter | None = None
    input_guardrails: Iterable[Check | Parallel] = ()
    output_guardrails: Iterable[Check] = ()
    handoffs: Iterable[Any] = ()  # Any: agents, or what `handoff` gives
    exports: Mapping[str, Any] = field(default_factory=dict[str, Any])
    keep_turns: int | None = None
    keep_tokens: int | None = None

    def __post_init__(self) -> None:
        """See that it can be used, and keep what was given in the form that runs need.

        Raises:
            ValueError: A field cannot be used; says what to give.
            OutputError: No answer can have the type `output`.
            ToolDefinitionError: What it exports is no function.
        """
        for name, value in kept(self).items():
            object.__setattr__(self, name, value)
        check_given(self)
        if self.exports:
            object.__setattr__(self, "exports", self._own_exports())

    def _own_exports(self) -> Mapping[str, Any]:
        from nbagents.agents.exports import exports_of

        def with_output(output: Any) -> Agent:
            return self if output is None else replace(self, output=output)

        return exports_of(self.exports, with_output)

    def __nbagents_tool__(self) -> Tool:
        """What stands for the agent among the tools of another one."""
        return self.as_tool()

    def as_tool(
        self, name: str | None = None, description: str | None = None, **options: Unpack[AsTool]
    ) -> Tool:
        """A tool that asks this agent: each call is a run of its own, linked to the call.

        Args:
            name: By default the agent's, in lower case, other characters as `_`.
            description: What models are told of it; by default the instructions' first line.
            options: See `nbagents.agents.as_tool.AsTool`.

        Raises:
            ToolDefinitionError: The parameters have no JSON Schema of type object.

        Example:
            >>> Agent("Weather Agent", "You know the weather.").as_tool().name
            'weather_agent'
        """
        from nbagents.agents.as_tool import tool_of_agent

        said = {key: one for key, one in options.items() if key in CHANGES and one is not None}
        changed: Any = said  # Any: of the types that the options have
        return tool_of_agent(replace(self, **changed), name, description, options)

    def run(  # noqa: PLR0913  help() is to show them
        self,
        prompt: str,
        *,
        vars: Mapping[str, object] | None = None,  # noqa: A002  the magic's word
        attach: Attachments = (),
        passthrough: Mapping[str, Mapping[str, Any]] | None = None,
        context: Any = None,  # of the caller's own type
        messages: Conversation = (),
        chat: str | None = None,
        labels: Mapping[str, str] | None = None,
        log: Literal["memory"] | Session | None = None,
        host: Host | None = None,
    ) -> Run:
        """Run to the end and return the run; works anywhere, also under a running loop.

        Plain `def` tools run on the calling thread, `async def` tools on a private loop.

        Args:
            prompt: What the person asks.
            vars: Live objects, which tools take by these names; the model is told types and sizes.
            attach: Images, files (as paths) and bytes that go along with the prompt.
            passthrough: What a toolset is handed past the model, by the toolset's name.
            context: Any object of your own: tools, checks and functions of the run and of all runs
                inside of it find it as `ctx.context`. No model and no log is told of it.
            messages: A conversation that came before: `run.messages`, or dictionaries with `role`
                and `content`; instructions at its beginning give way to the agent's own.
            chat: The conversation to go on with, by any name; without one each run starts clean.
            labels: Words by which its events are found again; runs inside of it have them, too.
            log: `None`: the process's session, on disk; `"memory"`: a session that is not kept.
            host: Who shows the run; by default the notebook, if its extension is loaded.

        Raises:
            ValueError: Something that was given cannot be used; says what to give.
            ModelError: The model failed.
            OutputError: The answer has not the type `output`, also after a correction.
            RunError: Another run is going on with this chat.
            KeyboardInterrupt: The run was stopped.
            Exception: What a tool raised that says `on_error=None`.
        """
        __tracebackhide__ = True
        from nbagents.runs.door import run_blocking

        check_host(host)
        run, plan = self.begin(
            prompt,
            log,
            vars=vars,
            attach=attach,
            passthrough=passthrough,
            context=context,
            messages=messages,
            chat=chat,
            labels=labels,
        )
        run_blocking(run, plan, host=host)
        return run

    async def arun(  # noqa: PLR0913  help() is to show them
        self,
        prompt: str,
        *,
        vars: Mapping[str, object] | None = None,  # noqa: A002  the magic's word
        attach: Attachments = (),
        passthrough: Mapping[str, Mapping[str, Any]] | None = None,
        context: Any = None,  # of the caller's own type
        messages: Conversation = (),
        chat: str | None = None,
        labels: Mapping[str, str] | None = None,
        log: Literal["memory"] | Session | None = None,
        host: Host | None = None,
    ) -> Run:
        """Run on the running loop; see `run`."""
        from nbagents.runs.door import run_async

        check_host(host)
        run, plan = self.begin(
            prompt,
            log,
            vars=vars,
            attach=attach,
            passthrough=passthrough,
            context=context,
            messages=messages,
            chat=chat,
            labels=labels,
        )
        await run_async(run, plan, host=host)
        return run

    def stream(  # noqa: PLR0913  help() is to show them
        self,
        prompt: str,
        *,
        vars: Mapping[str, object] | None = None,  # noqa: A002  the magic's word
        attach: Attachments = (),
        passthrough: Mapping[str, Mapping[str, Any]] | None = None,
        context: Any = None,  # of the caller's own type
        messages: Conversation = (),
        chat: str | None = None,
        labels: Mapping[str, str] | None = None,
        log: Literal["memory"] | Session | None = None,
    ) -> AsyncIterator[AnyEvent]:
        """Run on the running loop and yield what happens, as it happens."""
        from nbagents.runs.door import stream_events

        run, plan = self.begin(
            prompt,
            log,
            vars=vars,
            attach=attach,
            passthrough=passthrough,
            context=context,
            messages=messages,
            chat=chat,
            labels=labels,
        )
        return stream_events(run, plan)

    def start(  # noqa: PLR0913  help() is to show them
        self,
        prompt: str,
        *,
        vars: Mapping[str, object] | None = None,  # noqa: A002  the magic's word
        attach: Attachments = (),
        passthrough: Mapping[str, Mapping[str, Any]] | None = None,
        context: Any = None,  # of the caller's own type
        messages: Conversation = (),
        chat: str | None = None,
        labels: Mapping[str, str] | None = None,
        log: Literal["memory"] | Session | None = None,
        host: Host | None = None,
    ) -> Run:
        """Begin in the background and return the run, which goes on; see `run`.

        `run.wait()` waits for it and raises what went wrong; `run.stop()` stops it. In a notebook,
        plain `def` tools run on the main thread between cells; elsewhere, while somebody waits.
        """
        from nbagents.runs.background import start_run

        check_host(host)
        run, plan = self.begin(
            prompt,
            log,
            vars=vars,
            attach=attach,
            passthrough=passthrough,
            context=context,
            messages=messages,
            chat=chat,
            labels=labels,
        )
        start_run(run, plan, host=host)
        return run
