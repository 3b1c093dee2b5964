"""An agent: a model with instructions and tools, and the ways to run it."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal, cast

from pydantic import JsonValue

from nbagents.models.choose import choose_model
from nbagents.tools.tool import Tool
from nbagents.tools.toolset import ToolLike, Toolset, resolve_tools

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from nbagents.events import AnyEvent
    from nbagents.models.model import Model
    from nbagents.runs.briefing import Attachments
    from nbagents.runs.chats import Chat
    from nbagents.runs.host import Host
    from nbagents.runs.plan import Plan
    from nbagents.runs.preview import Preview
    from nbagents.runs.record import Run
    from nbagents.runs.session import Session
    from nbagents.tools.handles import Handles

__all__ = ["Agent", "ToolLike"]


@dataclass(frozen=True, slots=True)
class Agent:
    """A model with instructions and tools.

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

    Example:
        >>> def double(number: int) -> int:
        ...     "Double a number."
        ...     return 2 * number
        >>> Agent("maths", tools=[double], model="offline").run("Double 21", log="memory").text
        '42'
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

    def __post_init__(self) -> None:
        """Keep the tools: what may be iterated only once would be gone after the first run."""
        given: Any = self.tools  # Any: one tool instead of several is a slip that we understand
        one = isinstance(given, str | Tool | Toolset) or not isinstance(given, Iterable)
        object.__setattr__(
            self, "tools", (given,) if one else tuple(cast("Iterable[ToolLike]", given))
        )

    def run(
        self,
        prompt: str,
        *,
        vars: Mapping[str, object] | None = None,  # noqa: A002  the magic's word
        attach: Attachments = (),
        passthrough: Mapping[str, Mapping[str, Any]] | None = None,
        chat: str | None = None,
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
            chat: The conversation to go on with, by any name; without one each run starts clean.
            log: `None`: the process's session, on disk; `"memory"`: a session that is not kept.
            host: Who shows the run; by default the notebook, if its extension is loaded.

        Raises:
            ModelError: The model failed.
            OutputError: The answer has not the type `output`, also after a correction.
            RunError: Another run is going on with this chat.
            KeyboardInterrupt: The run was stopped.
            Exception: What a tool raised that says `on_error=None`.
        """
        __tracebackhide__ = True
        from nbagents.runs.door import run_blocking

        run, plan = self.begin(
            prompt, log, vars=vars, attach=attach, passthrough=passthrough, chat=chat
        )
        run_blocking(run, plan, host=host)
        return run

    async def arun(
        self,
        prompt: str,
        *,
        vars: Mapping[str, object] | None = None,  # noqa: A002  the magic's word
        attach: Attachments = (),
        passthrough: Mapping[str, Mapping[str, Any]] | None = None,
        chat: str | None = None,
        log: Literal["memory"] | Session | None = None,
        host: Host | None = None,
    ) -> Run:
        """Run on the running loop; see `run`."""
        from nbagents.runs.door import run_async

        run, plan = self.begin(
            prompt, log, vars=vars, attach=attach, passthrough=passthrough, chat=chat
        )
        await run_async(run, plan, host=host)
        return run

    def stream(
        self,
        prompt: str,
        *,
        vars: Mapping[str, object] | None = None,  # noqa: A002  the magic's word
        attach: Attachments = (),
        passthrough: Mapping[str, Mapping[str, Any]] | None = None,
        chat: str | None = None,
        log: Literal["memory"] | Session | None = None,
    ) -> AsyncIterator[AnyEvent]:
        """Run on the running loop and yield what happens, as it happens."""
        from nbagents.runs.door import stream_events

        run, plan = self.begin(
            prompt, log, vars=vars, attach=attach, passthrough=passthrough, chat=chat
        )
        return stream_events(run, plan)

    def start(
        self,
        prompt: str,
        *,
        vars: Mapping[str, object] | None = None,  # noqa: A002  the magic's word
        attach: Attachments = (),
        passthrough: Mapping[str, Mapping[str, Any]] | None = None,
        chat: str | None = None,
        log: Literal["memory"] | Session | None = None,
        host: Host | None = None,
    ) -> Run:
        """Begin in the background and return the run, which goes on; see `run`.

        `run.wait()` waits for it and raises what went wrong; `run.stop()` stops it. In a notebook,
        plain `def` tools run on the main thread between cells; elsewhere, while somebody waits.
        """
        from nbagents.runs.background import start_run

        run, plan = self.begin(
            prompt, log, vars=vars, attach=attach, passthrough=passthrough, chat=chat
        )
        start_run(run, plan, host=host)
        return run

    def begin(
        self,
        prompt: str,
        log: Literal["memory"] | Session | None = None,
        *,
        vars: Mapping[str, object] | None = None,  # noqa: A002  the magic's word
        attach: Attachments = (),
        passthrough: Mapping[str, Mapping[str, Any]] | None = None,
        chat: str | None = None,
    ) -> tuple[Run, Plan]:
        """A run that has not started yet, and what it is to do; see `run`.

        Raises:
            ValueError: The prompt is empty, or a limit leaves nothing to be done.
            RunError: Another run is going on with this chat.
        """
        from nbagents.runs.record import Run

        session = _session(log)
        talk = None if chat is None else session.chats.get(chat)
        plan, handles = self._plan(prompt, vars, attach, passthrough, talk)
        made = Run(session, agent_name=self.name, prompt=prompt, handles=handles)
        if talk is not None:
            session.chats.begin(talk, made)
        session.remember(made)
        return made, plan

    def preview(
        self,
        prompt: str,
        *,
        vars: Mapping[str, object] | None = None,  # noqa: A002  the magic's word
        attach: Attachments = (),
        chat: str | None = None,
    ) -> Preview:
        """What a run would send to the model first; nothing is sent, and no key is needed."""
        from nbagents.runs.plan import first_request
        from nbagents.runs.preview import preview_of

        talk = None if chat is None else _session(None).chats.get(chat)
        plan, handles = self._plan(prompt, vars, attach, chat=talk, is_sent=False)
        return preview_of(plan, first_request(plan, handles))

    def _plan(
        self,
        prompt: str,
        shared: Mapping[str, object] | None,
        attached: Attachments,
        passthrough: Mapping[str, Mapping[str, Any]] | None = None,
        chat: Chat | None = None,
        *,
        is_sent: bool = True,
    ) -> tuple[Plan, Handles]:
        from nbagents.results import Limits
        from nbagents.runs.answer_form import answer_form
        from nbagents.runs.briefing import briefing
        from nbagents.runs.limits import check_limits
        from nbagents.runs.plan import Plan

        if not prompt.strip():
            raise ValueError("The prompt is empty: say what the agent should do.")
        limits = Limits(
            max_steps=self.max_steps,
            max_calls=self.max_calls,
            max_tokens=self.max_tokens,
            timeout_s=self.timeout_s,
        )
        check_limits(limits)
        tools = resolve_tools(self.tools)
        brief = briefing(
            prompt,
            instructions=self.instructions,
            shared=shared,
            attached=attached,
            before=chat.messages if chat else (),
            handles=chat and chat.handles,
        )
        plan = Plan(
            agent_name=self.name,
            model=choose_model(
                self.model,
                environ=os.environ,
                hosted=any(tool.options.hosted for tool in tools),
                is_sent=is_sent,
            ),
            tools=tools,
            messages=brief.messages,
            shared=brief.shared,
            passthrough=passthrough or {},
            form=None if self.output in (None, str) else answer_form(self.output),
            is_parallel=self.parallel,
            settings=self.settings,
            max_steps=self.max_steps,
            limits=limits,
            chat=chat and chat.name,
        )
        return plan, brief.handles


def _session(log: Literal["memory"] | Session | None) -> Session:
    from nbagents.runs.session import Session, current_session, open_log

    if isinstance(log, Session):
        return log
    return current_session() if log is None else Session(open_log(log))
