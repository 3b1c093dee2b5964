"""One search for the APIs of one request: its agents, its rounds, and what they have found."""

from __future__ import annotations

import asyncio
import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

from nbagents.agents import Agent
from nbagents.anytool.finding import prompts
from nbagents.anytool.finding.pool import SHOWN_AS

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from nbagents.anytool.finding.directory import Directory
    from nbagents.anytool.finding.pool import Pool
    from nbagents.messages import Message
    from nbagents.models.model import Model
    from nbagents.runs.plan import Parent, Plan
    from nbagents.runs.state import Run
    from nbagents.tools.context import Context

META: Final = 1
CATEGORY: Final = 2
TOOL: Final = 3
SOLVABLE: Final = re.compile(
    r"""\W*(?:solvable|yes|true)\b(?!["'*\s]*(?:[:=?]["'*\s]*(?:not?|false)\b|(?:no|false)\W*$))""",
    re.IGNORECASE,
)
"""What begins so is a yes; `Solvable: no` and `{"solvable": false}` are none."""
IS_SOLVABLE: Final = "The request is solvable with the APIs of the pool"
IS_FULL: Final = "The pool is full"
NO_VERDICT: Final = "It was not said."


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """How far one search goes."""

    steps: int = 20
    """Model requests of one activation of an agent."""
    tools_per_agent: int = 5
    described_at_once: int = 10
    concurrency: int = 16
    """Agents of one level that go on at once."""
    rounds: int = 5
    """Times that agents search, the first time included."""
    observation: int = 2_048
    """Characters of a result that the solver reads."""


@dataclass(slots=True, kw_only=True)
class Finder:
    """One agent that looks for APIs, and what it has said so far."""

    level: int
    place: tuple[str, ...]
    """Where it searches: nowhere, a category, or a category and its tools."""
    agent: Agent
    prompt: str
    """What it was asked first."""
    below: list[Finder] = field(default_factory=list["Finder"])
    """The agents that it created."""
    messages: Sequence[Message] = ()
    is_finished: bool = False
    """Whether it said that nothing is left: then it is not resumed."""
    is_spent: bool = False
    """Whether it found nothing more when it was resumed, or failed again: then neither."""
    failures: int = 0
    added: list[str] = field(default_factory=list[str])

    @property
    def name(self) -> str:
        """How it is called."""
        return self.agent.name

    @property
    def found(self) -> list[str]:
        """What it, and the agents that it created, have put into the pool."""
        return [*self.added, *(name for one in self.below for name in one.found)]


@dataclass(frozen=True, slots=True)
class GoingOn:
    """An agent with the conversation that it goes on with."""

    agent: Agent
    messages: Sequence[Message]

    @property
    def name(self) -> str:
        """How it is called."""
        return self.agent.name

    def begin(
        self,
        prompt: str,
        *,
        parent: Parent,
        vars: Mapping[str, object] | None,  # noqa: A002  the magic's word
        attach: Any,
        labels: Mapping[str, str] | None,
    ) -> tuple[Run, Plan]:
        """A run that begins with what was said before."""
        given: Any = {"vars": vars, "attach": attach, "labels": labels, "messages": self.messages}
        return self.agent.begin(prompt, parent=parent, **given)


class Hunt:
    """The search for the APIs of one request.

    Args:
        query: The request.
        directory: The catalogue, as agents see it.
        pool: What was found.
        model: Whom the agents ask.
        limits: How far it goes.
        settings: Sent to the model as they stand.
    """

    def __init__(
        self,
        query: str,
        directory: Directory,
        pool: Pool,
        model: Model,
        limits: Limits,
        settings: Mapping[str, Any],
    ) -> None:
        self.query = query
        self.directory = directory
        self.pool = pool
        self.model = model
        self.limits = limits
        self.settings = settings
        self.reason = ""
        """Why the request is not answered yet."""
        self.finders: list[Finder] = []
        """All agents that were created, in that order."""
        self.is_offline = model.name == "offline"
        self._show: Callable[[], object] = lambda: None
        self._slots = {level: asyncio.Semaphore(limits.concurrency) for level in (CATEGORY, TOOL)}
        self._checking = asyncio.Lock()
        self._verdict: tuple[int, str] | None = None
        """For which version of the pool it was judged in this round, and how."""
        self._is_solvable = False

    # Rounds

    @property
    def halted(self) -> str:
        """Why the agents need not go on in this round; empty where they should."""
        if self._is_solvable:
            return IS_SOLVABLE
        return IS_FULL if self.pool.is_full else ""

    def begin_round(self, ctx: Context) -> None:
        """Begin a round: it has a check of its own."""
        self.pool.round += 1
        self._verdict, self._is_solvable = None, False
        self.shown_by(ctx)

    def shown_by(self, ctx: Context) -> None:
        """Show the pool on a call, as long as that goes on."""
        self._show = lambda: ctx.show(self.pool.payload(), SHOWN_AS)
        self._show()

    def changed(self) -> None:
        """Show how the pool stands now."""
        self._show()

    def unfinished(self) -> list[Finder]:
        """Whom to resume: of the deepest level that has somebody left, the last created first."""
        left = [one for one in self.finders if not (one.is_finished or one.is_spent)]
        deepest = max((one.level for one in left), default=0)
        return [one for one in reversed(left) if one.level == deepest]

    # Agents

    def known(self, finder: Finder) -> Finder | None:
        """The agent that was created for the same place."""
        place = finder.level, finder.place
        return next((one for one in self.finders if (one.level, one.place) == place), None)

    async def activate(self, finder: Finder, prompt: str, ctx: Context) -> Run:
        """Let an agent look for APIs until it stops; one that says only words is told once.

        Raises:
            Exception: What ended its run, if it did not end well.
        """
        slot = self._slots.get(finder.level)
        if slot is None:
            return await self._activated(finder, prompt, ctx)
        async with slot:
            return await self._activated(finder, prompt, ctx)

    async def _activated(self, finder: Finder, prompt: str, ctx: Context) -> Run:
        try:
            run = await self.go_on(finder, prompt, ctx)
            if not (run.calls or finder.is_finished or run.status != "completed"):
                run = await self.go_on(finder, prompts.NUDGE, ctx)
        except Exception:
            finder.failures += 1
            raise
        return run

    async def go_on(self, finder: Finder, prompt: str, ctx: Context) -> Run:
        """One run of an agent, which knows what it said before."""
        run: Run = await ctx.run(GoingOn(finder.agent, finder.messages), prompt)
        finder.messages = run.messages
        return run

    # The check

    async def check(self, ctx: Context) -> str:
        """Whether the pool will do, as a model judges it: it is asked once a round."""
        async with self._checking:
            if self._verdict is None:
                if not len(self.pool):
                    return "Unsolvable: the pool is empty."
                version = self.pool.version
                self._verdict = version, await self._judged(ctx)
                return self._verdict[1]
            version, said = self._verdict
            if version == self.pool.version:
                return said
            return (
                "Not judged again: this is done once a round, and was, before the newest APIs "
                f"came in. Then it was: {said} Go on, or call Finish."
            )

    async def _judged(self, ctx: Context) -> str:
        checker = Agent(
            "solvability check", prompts.CHECKER, model=self.model, settings=self.settings
        )
        asked = f"Request: {self.query}\n\nAPIs:\n{self._listed()}"
        run: Run = await ctx.run(checker, asked)
        said = run.text.strip()
        self._is_solvable = run.status == "completed" and SOLVABLE.match(said) is not None
        if self._is_solvable:
            return f"Solvable. {said}"
        return f"Unsolvable. {said or NO_VERDICT}"

    def _listed(self) -> str:
        described = self.directory.catalogue.describe(*self.pool.names)
        return "\n".join(f"{one['name']}: {one['description'][:120]}" for one in described)
