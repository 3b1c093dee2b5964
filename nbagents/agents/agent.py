"""An agent: a model with instructions and tools, and the ways to run it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final, Literal

from typing_extensions import Unpack

from nbagents.agents.specification import (
    BeginOptions,
    ForkOptions,
    ResumeOptions,
    Specification,
    check_given,
    check_host,
    kept,
    shows,
)
from nbagents.agents.verbs import Verbs
from nbagents.redaction import in_clean_words
from nbagents.runs.state import Run

if TYPE_CHECKING:
    from nbagents.agents.specification import AsTool
    from nbagents.runs.people import Host
    from nbagents.runs.plan import BranchPreview, Parent, Plan, Preview
    from nbagents.runs.state import Session
    from nbagents.tools.tool import Tool

CHANGES: Final = ("output", "max_steps", "max_calls", "max_tokens", "timeout_s")
"""What an agent may have another value of where it is a tool."""


@in_clean_words
@dataclass(frozen=True, slots=True)
class Agent(Verbs[Run], Specification):
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
        from nbagents.agents.specification import exports_of

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
            options: See `nbagents.agents.specification.agent_tool.AsTool`.

        Raises:
            ToolDefinitionError: The parameters have no JSON Schema of type object.

        Example:
            >>> Agent("Weather Agent", "You know the weather.").as_tool().name
            'weather_agent'
        """
        from nbagents.agents.specification import tool_of_agent

        said = {key: one for key, one in options.items() if key in CHANGES and one is not None}
        changed: Any = said  # Any: of the types that the options have
        return tool_of_agent(replace(self, **changed), name, description, options)

    @shows(ResumeOptions, answer=...)
    def resume(
        self, run: Run | str, *, host: Host | None = None, **options: Unpack[ResumeOptions]
    ) -> Run:
        """Go on with a run that was suspended, or stopped, or whose kernel ended.

        It is a new run, which begins with the conversation of the old one. Calls that had ended are
        not made again; what was open is asked again, unless it is answered here. A tool that asked
        in its middle begins anew, and is given the answers and the runs that it had been given.

        Args:
            run: The run, or its id, or the beginning of that; also after the kernel was restarted.
            answer: What the person says to what is open: an `Answer`, a value, or `True` or `False`
                to a call that needs consent and to a question of yes or no; of several things a
                dictionary by their ids.
            vars: Objects by the names by which its tools take them. Those that it was given are
                needed again where their kernel has ended.
            context: The caller's own object, which is in no log; by default the one that the run
                had, where its kernel still lives.
            tools: What it goes on with instead of the agent's own tools.
            step: As of `run`; by default it waits at each step if the old run waited at one.
            log: Where it is logged; by default where the old run is.
            host: Who shows it.

        Raises:
            RunError: There is no such run, or nothing to go on with, or an object or a tool is
                missing that it needs: then it is as it was, and can be resumed with it.
            ValueError: The answer is for no single thing that is open, or does not fit: then that
                is still open.
            Exception: See `run`.
        """
        __tracebackhide__ = True
        from nbagents.runs.drive import run_blocking

        check_host(host)
        made, plan = self.begin_resumed(run, **options)
        run_blocking(made, plan, host=host)
        plan.said.refuse_misfits(made.id)
        return made

    @shows(ResumeOptions, answer=...)
    async def aresume(
        self, run: Run | str, *, host: Host | None = None, **options: Unpack[ResumeOptions]
    ) -> Run:
        """Go on with a run on the running loop; see `resume`."""
        from nbagents.runs.drive import run_async

        check_host(host)
        made, plan = self.begin_resumed(run, **options)
        await run_async(made, plan, host=host)
        plan.said.refuse_misfits(made.id)
        return made

    @shows(ForkOptions, result=...)
    def fork(
        self, run: Run | str, *, host: Host | None = None, **options: Unpack[ForkOptions]
    ) -> Run:
        """Go back to a place of a run, change something there, and go on from it in a new run.

        The new run, a branch, keeps all that came before: what was said and what calls gave, also
        of the other calls of the same answer. None of it is done or paid again, and each kept call
        is marked. The run that is left stays as it is, and can be forked as often as you like.
        What was kept counts in the branch's steps, calls, tokens and money; time begins anew.

        Args:
            run: The run, or its id, or the beginning of that; also of another kernel.
            at: The call: one of `run.calls`, its id, or its number from 1; also of a run inside,
                which then is forked together with those around it. Where no call is changed, the
                model is asked anew that had wanted it.
            step: Instead, which request to the model is made anew, from 1.
            arguments: The call is made with these instead.
            result: The call is not made: this is what it gave; an exception: what it raised.
            message: What the person says at that request, before the model answers anew; at the
                first it takes the place of the prompt. At most one of these three.
            tools: What it goes on with instead of the agent's own tools.
            model: Who answers from there.
            instructions: What the model is told first instead.
            again: Which kept calls are made again, for what they do and give: `True` for all, or
                calls, ids, numbers or names of tools.
            vars: Objects by name, where those that it was given are gone with their kernel.
            context: The caller's own object; by default that of the run, if it is still here.
            labels: Words by which its events are found again, beside those of the run.
            stepping: Whether it waits at each step from there, as `step` of `run` says it.
            log: Where it is logged; by default where the run is.
            host: Who shows it.

        Raises:
            RunError: There is no such run or call, the run still goes on, or a tool or an object is
                missing; the run is as it was.
            ValueError: Something that was given cannot be used; says what to give.
            Exception: See `run`.
        """
        __tracebackhide__ = True
        from nbagents.runs.drive import run_blocking

        check_host(host)
        return run_blocking(*self.begin_forked(run, **options), host=host)

    @shows(ForkOptions, result=...)
    async def afork(
        self, run: Run | str, *, host: Host | None = None, **options: Unpack[ForkOptions]
    ) -> Run:
        """Fork a run on the running loop; see `fork`."""
        from nbagents.runs.drive import run_async

        check_host(host)
        return await run_async(*self.begin_forked(run, **options), host=host)

    @shows(ForkOptions, result=...)
    def start_fork(
        self, run: Run | str, *, host: Host | None = None, **options: Unpack[ForkOptions]
    ) -> Run:
        """Fork a run in the background and return the branch, which goes on; see `fork`."""
        from nbagents.runs.drive import start_run

        check_host(host)
        return start_run(*self.begin_forked(run, **options), host=host)

    @shows(ForkOptions, result=...)
    def preview_fork(self, run: Run | str, **options: Unpack[ForkOptions]) -> BranchPreview:
        """What a branch would keep, call and ask first; nothing is done, and no key is needed."""
        from nbagents.agents.forking import previewed_fork

        return previewed_fork(self, run, options)

    @shows(ForkOptions, result=...)
    def begin_forked(self, run: Run | str, **options: Unpack[ForkOptions]) -> tuple[Run, Plan]:
        """A branch of a run, which has not started yet; see `fork`."""
        from nbagents.agents.forking import begin_forked

        return begin_forked(self, run, options)

    @shows(BeginOptions, attach=(), messages=())
    def preview(self, prompt: str, **options: Unpack[BeginOptions]) -> Preview:
        """What a run would send to the model first; nothing is sent, and no key is needed."""
        from nbagents.agents.beginning import previewed

        return previewed(self, prompt, options)

    @shows(BeginOptions, attach=(), messages=())
    def begin(
        self,
        prompt: str,
        log: Literal["memory"] | Session | None = None,
        *,
        parent: Parent | None = None,
        **options: Unpack[BeginOptions],
    ) -> tuple[Run, Plan]:
        """A run that has not started yet, and what it is to do; see `run`.

        Args:
            prompt: What is asked.
            log: Where it is logged; of a run inside of another one, where that is.
            parent: The call that starts it.
            options: See `run`; the context is by default that of the run above, and labels stand
                beside those of that run.

        Raises:
            ValueError: Something that was given cannot be used; says what to give.
            RunError: Another run is going on with this chat.
        """
        from nbagents.agents.beginning import begun

        return begun(self, prompt, options, log=log, parent=parent)

    @shows(ResumeOptions, answer=...)
    def begin_resumed(
        self, run: Run | str, *, parent: Parent | None = None, **options: Unpack[ResumeOptions]
    ) -> tuple[Run, Plan]:
        """A run that goes on with another, which has not started yet; see `resume`."""
        from nbagents.agents.resumption import begin_resumed

        tools = options.get("tools")
        goes_on = self if tools is None else replace(self, tools=tools)
        return begin_resumed(goes_on, run, options, parent=parent)

    def read_again(self, run: Run, parent: Parent) -> None:
        """Read the answer of a past run of this agent as a value of the type that it must have."""
        from nbagents.agents.resumption import read_again

        read_again(self, run, parent)
