"""`AnyTool`: agents that find the APIs for a request in a catalogue of thousands, and use them."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final, Literal, cast

from nbagents.agents import Agent, Verbs, begun
from nbagents.anytool.agent_tool import tool_asking
from nbagents.anytool.finding.anytool_run import AnyToolRun
from nbagents.anytool.finding.directory import Directory, Paging
from nbagents.anytool.finding.hunt import Hunt, Limits
from nbagents.anytool.finding.pool import Pool
from nbagents.anytool.finding.stages import Stages
from nbagents.anytool.program import FREE, Program
from nbagents.catalogue import Catalogue
from nbagents.recordings import held, model_of
from nbagents.tools.context import wrong

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pydantic import JsonValue

    from nbagents.events import Approval
    from nbagents.models.model import Model
    from nbagents.recordings import Setting
    from nbagents.runs.plan import Parent, Plan
    from nbagents.runs.policy import Prices
    from nbagents.runs.state import OnAwait, Session
    from nbagents.tools.tool import Tool

MODEL: Final = "anytool"
DEPTH: Final = 8
SPARE_STEPS: Final = 4
TAKEN: Final = ("context", "labels")
NOT_TAKEN: Final = (
    "AnyTool takes no {name}: its agents share nothing but the request. Put what they should know "
    "into the request."
)
NO_SUSPENSION: Final = (
    "AnyTool cannot be suspended: its agents are not in the log. Let a person be asked "
    '(on_await="ask" or "wait"), give a function that answers, or say "deny".'
)


class AnyTool(Verbs[AnyToolRun]):
    """Finds the APIs for a request in a catalogue, and answers with them.

    A plain search puts the likeliest APIs into a pool, and a solver tries to answer with them.
    Where it gives up, agents search: one chooses categories, one in each of these chooses tools,
    and one for a few tools each chooses APIs, all of them at once. Then the solver tries again, and
    what it says of its failure prunes the pool and sends those agents on that have not finished.
    All of them are runs inside of one run, with one budget.

    Source: AnyTool, Y. Du, F. Wei, H. Zhang (ICML 2024).

    Args:
        catalogue: A catalogue, or one source of one.
        model: Whom all agents ask; as an agent's.
        pool_size: How many APIs the pool may hold.
        seed: How many of them the search puts in; 0: AnyTool as it was published.
        name: How it is called in the card and in the log.
        tools_per_agent: How many tools one agent looks at.
        max_steps: How often one agent may ask the model each time that it is sent on.
        max_rounds: How often agents are sent on.
        concurrency: How many agents of one level go on at once.
        max_calls: How many calls all of them together may make.
        max_tokens: How many tokens all of them together may use.
        timeout_s: How many seconds all of it may take.
        max_cost: How much money all of it may cost, by `prices`.
        prices: As an agent's.
        settings: Sent to the model as they stand.
        observation: How many characters of a result the solver reads.
        page: How many names of tools are listed at once.
        approval: As an agent's: which calls of the solver need consent.
        on_await: As an agent's.

    Raises:
        ValueError: One of these cannot be used; says what to give.
    """

    def __init__(  # noqa: PLR0913  what can be said of it, each by its name
        self,
        catalogue: object,
        model: Model | str | None = None,
        pool_size: int = 64,
        seed: int = 32,
        *,
        name: str = "AnyTool",
        tools_per_agent: int = 5,
        max_steps: int = 20,
        max_rounds: int = 5,
        concurrency: int = 16,
        max_calls: int | None = 1_000,
        max_tokens: int | None = 200_000,
        timeout_s: float | None = None,
        max_cost: float | None = None,
        prices: Prices | None = None,
        settings: Mapping[str, JsonValue] | None = None,
        observation: int = 2_048,
        page: int = 60,
        approval: Approval | None = None,
        on_await: OnAwait | None = None,
    ) -> None:
        counts = {
            "pool_size": pool_size,
            "tools_per_agent": tools_per_agent,
            "max_steps": max_steps,
            "max_rounds": max_rounds,
            "concurrency": concurrency,
            "observation": observation,
            "page": page,
        }
        for key, value in counts.items():
            _check_count(key, value, least=1)
        _check_count("seed", seed, least=0)
        if seed > pool_size:
            raise wrong("seed", seed, f"the pool holds pool_size={pool_size}: give no more.")
        if on_await == "suspend":
            raise ValueError(NO_SUSPENSION)
        self.catalogue = catalogue if isinstance(catalogue, Catalogue) else Catalogue(catalogue)
        self.model = model
        self.pool_size = pool_size
        self.seed = seed
        self.name = name
        self.settings = dict(settings or {})
        self.limits = Limits(
            steps=max_steps,
            tools_per_agent=tools_per_agent,
            concurrency=concurrency,
            rounds=max_rounds,
            observation=observation,
        )
        self.paging = Paging(tools=page)
        self._agent = Agent(
            name,
            max_steps=2 * max_rounds + SPARE_STEPS,
            max_calls=max_calls,
            max_tokens=max_tokens,
            timeout_s=timeout_s,
            max_cost=max_cost,
            prices={MODEL: FREE, **(prices or {})},
            max_failed_batches=None,
            max_depth=DEPTH,
            approval=approval,
            on_await=on_await,
        )

    def __repr__(self) -> str:
        return f"<AnyTool over {self.catalogue!r}>"

    def __nbagents_tool__(self) -> Tool:
        """What stands for it among the tools of an agent."""
        return tool_asking(self, self.name)

    def begin(
        self,
        prompt: str,
        log: Literal["memory"] | Session | None = None,
        *,
        parent: Parent | None = None,
        **options: Any,
    ) -> tuple[AnyToolRun, Plan]:
        """A run that has not started yet, and what it is to do; see `run`.

        Raises:
            ValueError: The request is empty, or something goes along with it that nobody would get.
        """
        if not isinstance(cast("object", prompt), str) or not prompt.strip():
            raise wrong("The request", prompt, "say what you want, in words.")
        for key in [one for one, value in options.items() if one not in TAKEN and value]:
            raise ValueError(NOT_TAKEN.format(name=key))
        if (
            parent is not None
            and self._agent.on_await is None
            and parent.plan.on_await == "suspend"
        ):
            raise ValueError(NO_SUSPENSION)
        recording = parent.plan.recording if parent else held()
        stages = Stages(self._hunt(prompt, recording))
        agent = replace(self._agent, tools=stages.tools(), model=Program(MODEL, stages.decide))
        taken: Any = {key: value for key, value in options.items() if key in TAKEN}
        return begun(agent, prompt, taken, log=log, parent=parent, kind=AnyToolRun)

    def _hunt(self, query: str, recording: Setting | None) -> Hunt:
        model = model_of(self.model, recording)
        directory = Directory(self.catalogue, query, self.paging)
        pool = Pool(self.pool_size, self.seed)
        return Hunt(query, directory, pool, model, self.limits, self.settings)


def _check_count(name: str, given: object, *, least: int) -> None:
    if not isinstance(given, int) or isinstance(given, bool) or given < least:
        raise wrong(name, given, f"give a whole number of at least {least}.")
