"""An agent: a model with instructions and tools, and the ways to run it."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from pydantic import JsonValue

from nbagents.models.choose import choose_model
from nbagents.models.model import Model
from nbagents.runs.door import run_async, run_blocking, stream_events
from nbagents.runs.record import Run
from nbagents.runs.run import Plan
from nbagents.runs.session import Session, current_session, open_log
from nbagents.tools.tool import Tool
from nbagents.tools.toolset import Toolset, resolve_tools

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from nbagents.events import AnyEvent
    from nbagents.runs.host import Host

__all__ = ["Agent", "ToolLike"]

ToolLike: TypeAlias = Tool | Toolset | Callable[..., Any] | str


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
        settings: Sent to the model as they stand, e.g. `{"temperature": 0}`.

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
    settings: Mapping[str, JsonValue] = field(default_factory=dict[str, JsonValue])

    def __post_init__(self) -> None:
        """Keep the tools: what may be iterated only once would be gone after the first run."""
        given: Any = self.tools  # Any: one tool instead of several is a slip that we understand
        one = isinstance(given, str | Tool | Toolset)
        object.__setattr__(self, "tools", (given,) if one else tuple(given))

    def run(
        self,
        prompt: str,
        *,
        log: Literal["memory"] | Session | None = None,
        host: Host | None = None,
    ) -> Run:
        """Run to the end and return the run; works anywhere, also under a running loop.

        Plain `def` tools run on the calling thread, `async def` tools on a private loop.

        Args:
            prompt: What the person asks.
            log: `None`: the process's session, on disk; `"memory"`: a session that is not kept.
            host: Who shows the run; by default the notebook, if its extension is loaded.

        Raises:
            ModelError: The model failed.
            KeyboardInterrupt: The run was stopped.
        """
        __tracebackhide__ = True
        run, plan = self.begin(prompt, log)
        run_blocking(run, plan, host=host)
        return run

    async def arun(
        self,
        prompt: str,
        *,
        log: Literal["memory"] | Session | None = None,
        host: Host | None = None,
    ) -> Run:
        """Run on the running loop; see `run`."""
        run, plan = self.begin(prompt, log)
        await run_async(run, plan, host=host)
        return run

    def stream(
        self, prompt: str, *, log: Literal["memory"] | Session | None = None
    ) -> AsyncIterator[AnyEvent]:
        """Run on the running loop and yield what happens, as it happens."""
        run, plan = self.begin(prompt, log)
        return stream_events(run, plan)

    def begin(
        self, prompt: str, log: Literal["memory"] | Session | None = None
    ) -> tuple[Run, Plan]:
        """A run that has not started yet, and what it is to do.

        Raises:
            ValueError: The prompt is empty, or `max_steps` is less than 1.
        """
        if not prompt.strip():
            raise ValueError("The prompt is empty: say what the agent should do.")
        if self.max_steps < 1:
            raise ValueError(f"max_steps is {self.max_steps}: it must be at least 1.")
        plan = Plan(
            agent_name=self.name,
            model=choose_model(self.model, environ=os.environ),
            tools=resolve_tools(self.tools),
            instructions=self.instructions,
            settings=self.settings,
            max_steps=self.max_steps,
        )
        return Run(_session(log), agent_name=self.name, prompt=prompt), plan


def _session(log: Literal["memory"] | Session | None) -> Session:
    if isinstance(log, Session):
        return log
    return current_session() if log is None else Session(open_log(log))
