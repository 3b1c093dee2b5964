"""The stages of AnyTool: calls of its run, and the program that makes them one after the other."""

from __future__ import annotations

import asyncio
import re
from typing import TYPE_CHECKING, Any, Final

from nbagents.anytool.finding import prompts
from nbagents.anytool.finding.levels import FAILED, meta_agent
from nbagents.anytool.finding.pool import BY_SEARCH
from nbagents.anytool.finding.solver import Solver, Verdict
from nbagents.anytool.program import OFFLINE, Said, step
from nbagents.errors import RunError, ToolError
from nbagents.tools.context import Context
from nbagents.tools.tool import Tool, ToolOptions

if TYPE_CHECKING:
    from collections.abc import Generator, Iterable

    from nbagents.anytool.finding.hunt import Finder, Hunt
    from nbagents.anytool.finding.pool import Candidate
    from nbagents.models.model import ModelRequest

EMPTY: Final = "No API of the catalogue was found for it."
NOT_TRIED: Final = "It came to a limit before that."
UNSOLVED: Final = "Not answered{rounds}. {reason}"
ROUNDS: Final = ", after {count}"
ALL_DONE: Final = "No agent is left that would find more."
FULL: Final = "The pool is full."
NO_MORE_ROUNDS: Final = "The limit of {count} rounds is reached."
FAILURES: Final = 2
"""So often an agent may fail before it is resumed no more."""
INSIDE: Final = r"[A-Za-z0-9_-]"
"""What a name is made of: beside it there is nothing of that."""
QUOTES: Final = ("`{}`", "'{}'", '"{}"', "“{}”", "‘{}’")


class Stages:
    """What is done for one request, stage by stage.

    Args:
        hunt: What finds the APIs.
    """

    def __init__(self, hunt: Hunt) -> None:
        self.hunt = hunt
        self.solver = Solver(hunt)
        self._verdict: Verdict | None = None
        self._why_over = ""
        self._fault: Exception | None = None
        self._steps = self._procedure()

    def tools(self) -> list[Tool]:
        """The stages, as tools of the run."""
        stages = (self.seed_pool, self.solve_request, self.find_apis, self.resume_agents)
        made: tuple[Any, ...] = stages  # Any: each takes other arguments
        return [Tool(one, ToolOptions(name=one.__name__, strict=False)) for one in made]

    def decide(self, request: ModelRequest) -> Said:
        """The next step.

        Raises:
            Exception: What kept the solver, or the agent above all others, from its work.
        """
        if self._fault is not None:
            raise self._fault
        if request.tool_choice == "none":
            return self._end()
        return next(self._steps, None) or self._end()

    def _procedure(self) -> Generator[Said]:
        hunt, pool = self.hunt, self.hunt.pool
        if pool.seed:
            yield _call("seed_pool", count=pool.seed)
        if len(pool):
            yield _call("solve_request")
        while not self._is_over():
            before = pool.version
            if not hunt.finders:
                yield _call("find_apis", reason=hunt.reason)
            else:
                level = hunt.unfinished()[0].level
                yield _call("resume_agents", level=level, reason=hunt.reason)
            if len(pool) and (pool.version != before or self._verdict is None):
                yield _call("solve_request")

    def _is_over(self) -> bool:
        hunt = self.hunt
        if self._verdict is not None and self._verdict.is_solved:
            return True
        if hunt.pool.is_full:
            self._why_over = FULL
        elif hunt.pool.round >= hunt.limits.rounds:
            self._why_over = NO_MORE_ROUNDS.format(count=hunt.limits.rounds)
        elif hunt.finders and not hunt.unfinished():
            self._why_over = ALL_DONE
        return bool(self._why_over)

    def _end(self) -> Said:
        verdict = self._verdict
        offline = OFFLINE if self.hunt.is_offline else ""
        if verdict is not None and verdict.is_solved:
            return Said(text=verdict.text + offline, unmet=verdict.unmet)
        count = self.hunt.pool.round
        rounds = ROUNDS.format(count=f"{count} rounds" if count > 1 else "1 round") if count else ""
        why = verdict.text if verdict else EMPTY if count else NOT_TRIED
        reason = " ".join(filter(None, (why, self._why_over)))
        text = UNSOLVED.format(rounds=rounds, reason=reason) + offline
        return Said(text=text, unmet=(self.hunt.query,))

    # The stages

    async def seed_pool(self, count: int, ctx: Context) -> dict[str, Any]:
        """Put what a plain search finds into the pool."""
        hunt = self.hunt
        hunt.shown_by(ctx)
        told = hunt.pool.add(hunt.directory.seeds(count), BY_SEARCH)
        hunt.changed()
        return {"added": len(told.get("added", ())), "pool": hunt.pool.state}

    async def solve_request(self, ctx: Context) -> dict[str, Any]:
        """Let the solver answer with the APIs of the pool; where it gives up, prune."""
        hunt = self.hunt
        try:
            self._verdict = verdict = await self.solver.attempt(ctx)
        except (RunError, ToolError) as error:  # there is nothing left for it, or it was stopped
            self._verdict = verdict = Verdict(is_solved=False, text=str(error))
        except Exception as error:  # noqa: BLE001  e.g. the provider is down: then the run fails
            self._fault = error
            return {"told": str(error)}
        told: dict[str, Any] = {"solved": verdict.is_solved}
        if self.solver.unusable:
            told["unusable"] = self.solver.unusable
        if not verdict.is_solved:
            hunt.reason = verdict.text
            candidates = hunt.pool.candidates if verdict.is_own_word else ()
            named = _named_in(verdict.text, candidates)
            told |= {"reason": verdict.text, "pruned": hunt.pool.prune(named, verdict.text)}
        hunt.shown_by(ctx)
        return told

    async def find_apis(self, reason: str, ctx: Context) -> dict[str, Any]:
        """Let the agents search the catalogue, from its categories down."""
        del reason  # the agents are told it
        hunt = self.hunt
        hunt.begin_round(ctx)
        finder = meta_agent(hunt)
        hunt.finders.append(finder)
        try:
            await hunt.activate(finder, finder.prompt, ctx)
        except (RunError, ToolError) as error:  # as above
            return {"told": FAILED.format(name=finder.name, error=error)}
        except Exception as error:  # noqa: BLE001  as above
            self._fault = error
            return {"told": str(error)}
        return {"added": finder.found, "pool": hunt.pool.state}

    async def resume_agents(self, level: int, reason: str, ctx: Context) -> dict[str, Any]:
        """Let agents that have not finished go on: those of the deepest level that has some."""
        del level
        hunt = self.hunt
        hunt.begin_round(ctx)
        resumed = hunt.unfinished()
        before = hunt.pool.names
        await asyncio.gather(*(self._resumed(one, reason, ctx) for one in resumed))
        return {
            "resumed": [one.name for one in resumed],
            "added": [name for name in hunt.pool.names if name not in before],
            "pool": hunt.pool.state,
        }

    async def _resumed(self, finder: Finder, reason: str, ctx: Context) -> None:
        how = prompts.LOOK_AGAIN[finder.level]
        why = prompts.why(reason, self.hunt.pool.pruned)
        again = prompts.AGAIN.format(why=why, how=how)
        prompt = again if finder.messages else finder.prompt
        before, is_known = len(finder.found), bool(finder.messages)
        try:
            await self.hunt.activate(finder, prompt, ctx)
            finder.is_spent = is_known and len(finder.found) == before
        except Exception:  # noqa: BLE001  a model may raise anything; the others go on
            finder.is_spent = finder.failures >= FAILURES


def _call(name: str, **arguments: object) -> Said:
    return Said(calls=(step(name, **arguments),))


def _named_in(reason: str, candidates: Iterable[Candidate]) -> tuple[str, ...]:
    """The candidates that a reason names: by the name of their function, or quoted by their own."""
    return tuple(one.name for one in candidates if _is_named(reason, one))


def _is_named(reason: str, one: Candidate) -> bool:
    if re.search(f"(?<!{INSIDE}){re.escape(one.name)}(?!{INSIDE})", reason):
        return True
    return bool(one.api) and any(quote.format(one.api) in reason for quote in QUOTES)
