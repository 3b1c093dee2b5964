"""The solver: answers the request with the APIs of the pool, or gives up and says why."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final, Literal

from nbagents.agents import Agent
from nbagents.anytool.finding import prompts
from nbagents.anytool.finding.hunt import GoingOn
from nbagents.errors import ToolError
from nbagents.runs.policy import Replace, StopAt, is_no_answer
from nbagents.tools.tool import Tool, ToolOptions

if TYPE_CHECKING:
    from collections.abc import Sequence

    from nbagents.anytool.finding.hunt import Hunt
    from nbagents.messages import Message
    from nbagents.runs.state import Run
    from nbagents.tools.context import Context
    from nbagents.tools.tool import Check

FINISH: Final = "Finish"
DESCRIPTION: Final = 256
"""Characters of an API's description that the solver reads."""
CUT: Final = "… [Cut: these are the first {shown:,} of {whole:,} characters.]"
NO_REASON: Final = "The solver gave up without a reason."
NO_ANSWER: Final = "Finish with give_answer needs the answer, as final_answer."
AT_LIMIT: Final = "The solver came to its limit of {steps} steps. By then: {text}"
SORRY: Final = re.compile(
    r"\b(sorry|unfortunately|cannot|can't|can’t|unable|not able|give up|gave up)\b", re.IGNORECASE
)
"""What says in plain words that there is no answer, where no call was made. Source: AnyTool's own
check of answers."""
NONE_DONE: Final = "None of the calls did what it was for. {text}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """How an attempt ended."""

    is_solved: bool
    text: str
    """The answer, or the reason."""
    is_own_word: bool = False
    """Whether the solver itself said so: what it names is then pruned."""
    unmet: tuple[str, ...] = ()
    """What of the request the answer leaves out."""


class Solver:
    """Attempts to answer the request; each attempt goes on with the conversation of the last.

    Args:
        hunt: What finds the APIs.
    """

    def __init__(self, hunt: Hunt) -> None:
        self.hunt = hunt
        self.attempts = 0
        self.unusable: list[str] = []
        """APIs of which no tool can be made, and why."""
        self._messages: Sequence[Message] = ()
        self._known: set[str] = set()
        self._said: Verdict | None = None

    async def attempt(self, ctx: Context) -> Verdict:
        """Try to answer with the pool as it stands.

        Raises:
            Exception: What ended the solver's run, if it did not end well.
        """
        self.attempts += 1
        self._said = None
        agent = self._agent()
        run: Run = await ctx.run(GoingOn(agent, self._messages), self._prompt())
        self._messages = run.messages
        if self._is_idle(run):
            again = GoingOn(agent, self._messages)
            run = await ctx.run(again, prompts.NUDGE_SOLVER)
            self._messages = run.messages
        return self._said or self._verdict(run)

    def _prompt(self) -> str:
        names = set(self.hunt.pool.names)
        news = [f"new are {', '.join(sorted(more))}"] if (more := names - self._known) else []
        gone = self._known - names
        news += [f"taken away were {', '.join(sorted(gone))}"] if gone else []
        is_first, self._known = not self._messages, names
        if is_first:
            return self.hunt.query
        told = "; ".join(news) or "no, they are the same"
        return prompts.MORE_APIS.format(query=self.hunt.query, news=told)

    def _is_idle(self, run: Run) -> bool:
        """Whether it said something before it did anything, and can be told to."""
        is_open = self._said is None and run.status == "completed"
        return is_open and not run.calls and not self.hunt.is_offline

    def _verdict(self, run: Run) -> Verdict:
        """How a run ended that did not call `Finish`: its words are the answer, if it had any."""
        text = run.text.strip()
        if self.hunt.is_offline:
            return self._offline_verdict(run, text)
        if run.status == "limit":
            steps = self.hunt.limits.steps
            return Verdict(is_solved=False, text=AT_LIMIT.format(steps=steps, text=text))
        if run.status != "completed" or not text or is_no_answer(text):
            return Verdict(is_solved=False, text=text or NO_REASON)
        has_done = any(one.status == "done" for one in run.calls)
        is_sorry = not has_done and SORRY.search(text) is not None
        return Verdict(is_solved=not is_sorry, text=text, is_own_word=is_sorry)

    def _offline_verdict(self, run: Run, text: str) -> Verdict:
        """It reads the newest prompt alone, so an attempt begins anew: nothing is done twice."""
        if any(one.status == "done" for one in run.calls) and run.status == "completed":
            return Verdict(is_solved=True, text=text, unmet=tuple(run.node["unmet"]))
        self._messages = ()
        return Verdict(is_solved=False, text=NONE_DONE.format(text=text), is_own_word=True)

    def _agent(self) -> Agent:
        hunt, is_offline = self.hunt, self.hunt.is_offline
        tools = self._tools()
        finish = Tool(self._finish, ToolOptions(name=FINISH, strict=False))
        return Agent(
            "solver",
            prompts.OFFLINE_SOLVER if is_offline else prompts.SOLVER,
            tools=tools if is_offline else [*tools, finish],
            model=hunt.model,
            max_steps=hunt.limits.steps,
            max_failed_batches=None,  # an API that fails says nothing of the others
            settings=hunt.settings,
            tool_use="run_again" if is_offline else StopAt(FINISH),
        )

    async def _finish(
        self,
        return_type: Literal["give_answer", "give_up_and_restart", "give_up"],
        final_answer: str = "",
        reason: str = "",
    ) -> str:
        """End your attempt with the answer, or give up, so that more functions are searched for.

        Args:
            return_type: Whether you have the answer.
            final_answer: The whole answer, with give_answer.
            reason: Why it cannot be answered, with give_up_and_restart: what is missing, and by
                their names the functions that are of no use.
        """
        if return_type != "give_answer":
            said = reason or final_answer or NO_REASON
            self._said = Verdict(is_solved=False, text=said, is_own_word=True)
            return said
        if not final_answer.strip():
            raise ToolError(NO_ANSWER, kind="invalid_call")
        self._said = Verdict(is_solved=True, text=final_answer)
        return final_answer

    def _tools(self) -> list[Tool]:
        made: list[Tool] = []
        self.unusable = []
        for name in self.hunt.pool.names:
            try:
                made.append(self._tool(name))
            except Exception as error:  # noqa: BLE001  one bad record; the others are good
                self.unusable.append(f"{name}: {error}")
        return made

    def _tool(self, name: str) -> Tool:
        tool = self.hunt.directory.catalogue.tool_of(name)
        api = self.hunt.directory.catalogue[name]
        said = f"{api.tool}: {tool.description}" if tool.description else f"{api.tool}: {api.api}"
        options = replace(
            tool.options,
            name=f"{name}_api" if name == FINISH else name,
            toolset=None,
            description=said[:DESCRIPTION],
            output_guardrails=(*tool.options.output_guardrails, self._cut()),
        )
        made = tool.with_options(options)
        _ = made.parameters  # a schema that cannot be told fails here, and not the run
        return made

    def _cut(self) -> Check:
        most = self.hunt.limits.observation

        async def shortened(ctx: Context, said: Any) -> Replace | None:
            del ctx
            text = said if isinstance(said, str) else str(said)
            if len(text) <= most:
                return None
            return Replace(text[:most] + CUT.format(shown=most, whole=len(text)))

        return shortened
