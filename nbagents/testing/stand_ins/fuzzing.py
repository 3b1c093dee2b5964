"""`nba.fuzz`: calls tools with junk, many times, and says the simplest call that breaks each."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from nbagents.agents import Agent
from nbagents.errors import NbagentsError
from nbagents.identity import new_id
from nbagents.messages import CallRequest
from nbagents.models.model import ModelTurn
from nbagents.redaction import clean
from nbagents.runs.people import NoHost
from nbagents.runs.state import Answer
from nbagents.runs.wording import call_in_words, clipped, counted
from nbagents.testing.stand_ins.choices import Choices, simpler
from nbagents.testing.stand_ins.junk_model import junk_arguments
from nbagents.testing.stand_ins.schema_value import NoValueError
from nbagents.tools.context import wrong

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable

    from nbagents.agents import ToolLike
    from nbagents.events import Approval
    from nbagents.models.model import ModelPart, ModelRequest, ToolSpec
    from nbagents.results import Failure
    from nbagents.runs.state import Await, Run

BROKEN: Final = frozenset({"internal", "malformed_result", "invalid_call", "timeout"})
"""Failures that its author would not want: what a tool refuses in its own words is none."""
ATTEMPTS: Final = 200
"""So often a call that breaks is tried with less."""
CALL_WIDTH: Final = 100
SAID_WIDTH: Final = 200
NEEDS_CONSENT: Final = "it needs consent, and consent=True allows it"


@dataclass(frozen=True, slots=True, kw_only=True)
class Broken:
    """A tool, and the simplest call found that breaks it."""

    tool: str
    call: str
    """The call, in Python."""
    why: str
    example: int
    """Which of the calls broke it first, from 1 on; the seed says the rest."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Fuzzed:
    """What came of calling tools with junk."""

    calls: Mapping[str, int]
    """How often each tool was called."""
    broken: tuple[Broken, ...]
    left_out: Mapping[str, str]
    """The tools that were not called, with the reason."""
    seed: int

    def __str__(self) -> str:
        made = f"{counted(sum(self.calls.values()), 'call')} with junk (seed {self.seed})"
        whole = f"{counted(len(self.calls), 'tool')}, {made}: {len(self.broken) or 'none'} broke."
        found = [f"{one.call}\n    {one.why} (call {one.example})" for one in self.broken]
        rest = [f"not called: {name}: {why}." for name, why in self.left_out.items()]
        return clean("\n".join([whole, *(f"  {one}" for one in (*found, *rest))]))

    __repr__ = __str__


class FuzzError(NbagentsError, AssertionError):
    """Junk that fits its schema breaks a tool.

    Attributes:
        found: What came of all calls.
    """

    def __init__(self, found: Fuzzed) -> None:
        self.found = found
        super().__init__(str(found))

    def _render_traceback_(self) -> list[str]:
        return [f"{type(self).__name__}: {self}"]


def fuzz(
    *tools: ToolLike | Iterable[ToolLike],
    times: int = 50,
    seed: int = 0,
    vars: Mapping[str, object] | None = None,  # noqa: A002  as `Agent.run` has it
    consent: bool = False,
) -> Fuzzed:
    """Call tools with junk that fits their schemas, and see that none of them breaks.

    The tools really run. One that refuses a call in its own words (`ToolError`) does what it
    should; one that raises something else, that does not take what its schema allows, or gives what
    no model can be told, is broken. Of what breaks it the simplest call is said.

    Args:
        tools: Tools, functions, toolsets.
        times: How often each one is called.
        seed: What says which junk; the same seed calls alike.
        vars: Live objects, for tools that take one.
        consent: Whether to call tools that a person would have to allow, too.

    Returns:
        How often each was called, and which were not, and why.

    Example:
        >>> from nbagents import fuzz
        >>> def double(number: int) -> int:
        ...     "Double a number."
        ...     return 2 * number
        >>> fuzz(double, times=5)
        1 tool, 5 calls with junk (seed 0): none broke.

    Raises:
        FuzzError: Some break.
        ValueError: There is nothing to call.
    """
    __tracebackhide__ = True
    if isinstance(times, bool) or not isinstance(times, int) or times < 1:  # pyright: ignore[reportUnnecessaryIsInstance]  people give anything
        raise wrong("times", times, "give a whole number from 1 on.")
    trial = _Trial(_flat(tools), seed, dict(vars or {}), consent=consent)
    calls: dict[str, int] = {}
    broken: list[Broken] = []
    left_out: dict[str, str] = {}
    for tool in trial.tools():
        try:
            found = trial.first_break(tool, times)
        except NoValueError as error:
            left_out[tool.name] = str(error)
            continue
        calls[tool.name] = times if found is None else found.example
        broken += [] if found is None else [found]
    made = Fuzzed(calls=calls, broken=tuple(broken), left_out=left_out, seed=seed)
    if broken:
        raise FuzzError(made)
    return made


def _flat(tools: Iterable[ToolLike | Iterable[ToolLike]]) -> list[ToolLike]:
    found: list[ToolLike] = []
    for one in tools:
        found += one if isinstance(one, (list, tuple)) else [one]  # pyright: ignore[reportArgumentType]  a list is no tool
    if not found:
        raise ValueError("There is no tool to call: give some, e.g. nba.fuzz(my_function).")
    return found


class _Trial:
    """Calls tools in runs of their own, which nobody is shown."""

    def __init__(
        self, given: list[ToolLike], seed: int, objects: dict[str, object], *, consent: bool
    ) -> None:
        self._given = given
        self._seed = seed
        self._objects = objects
        self._approval: Approval = "auto" if consent else "risky"

    def tools(self) -> list[ToolSpec]:
        """What a model is told of the tools that run here."""
        seen: list[ToolSpec] = []
        self._run(_Asked(lambda request: seen.extend(request.tools)))
        return [one for one in seen if one.hosted is None]

    def first_break(self, tool: ToolSpec, times: int) -> Broken | None:
        """The first call that breaks a tool, made as simple as it may be.

        Raises:
            NoValueError: It cannot be called.
        """
        for example in range(1, times + 1):
            choices = Choices(f"{self._seed}/{tool.name}/{example - 1}")
            said, why, _ = self._try(tool, choices)
            if why is not None:
                said, why = self._simplest(tool, choices.made, said, why)
                return Broken(tool=tool.name, call=said, why=why, example=example)
        return None

    def _simplest(self, tool: ToolSpec, made: list[int], said: str, why: str) -> tuple[str, str]:
        left, kind = ATTEMPTS, _kind(why)
        is_less = True
        while is_less:
            is_less = False
            for fewer in simpler(made):
                if not left:
                    return said, why
                left -= 1
                less, its_why, taken = self._try(tool, Choices(given=fewer))
                if its_why is not None and _kind(its_why) == kind and _size(taken) < _size(made):
                    made, said, why, is_less = taken, less, its_why, True
                    break
        return said, why

    def _try(self, tool: ToolSpec, choices: Choices) -> tuple[str, str | None, list[int]]:
        """Call it once: the call in words, why it breaks, and the choices that it was made of."""
        model = _Asked(lambda request: junk_arguments(tool, choices, request.handles), tool.name)
        try:
            run = self._run(model)
        except Exception as error:
            if model.error is not None:
                raise model.error from error
            return (
                f"{tool.name}({model.arguments})",
                f"{type(error).__name__}: {error}",
                choices.made,
            )
        node = next(iter(run.node["calls"].values()))
        if node["status"] == "denied":
            raise NoValueError(NEEDS_CONSENT)
        failure = run.calls[0].failure
        return call_in_words(node, CALL_WIDTH), _why(failure), choices.made

    def _run(self, model: _Asked) -> Run:
        agent = Agent(
            "fuzz",
            tools=self._given,
            model=model,
            approval=self._approval,
            on_await=_denied,
        )
        return agent.run("Junk", log="memory", host=NoHost(), vars=self._objects)


class _Asked:
    """A model that makes one call, once it has seen what it is told."""

    name = "junk"

    def __init__(self, look: Callable[[ModelRequest], object], tool: str = "") -> None:
        self._look = look
        self._tool = tool
        self.error: NoValueError | None = None
        self.arguments = ""

    async def stream(self, request: ModelRequest) -> AsyncIterator[ModelPart]:
        """Make the call; then say nothing more of it."""
        if request.memo.setdefault("nbagents.testing.fuzz", 0) or request.tool_choice == "none":
            yield ModelTurn(text="Called.")
            return
        request.memo["nbagents.testing.fuzz"] = 1
        try:
            given = self._look(request)
        except NoValueError as error:
            self.error = error
            raise
        if not self._tool:
            yield ModelTurn(text="Seen.")
            return
        self.arguments = json.dumps(given)
        yield ModelTurn(
            calls=(CallRequest(id=new_id("call"), name=self._tool, arguments=self.arguments),)
        )


def _denied(_asked: Await) -> Answer:
    return Answer(action="deny")


def _why(failure: Failure | None) -> str | None:
    if failure is None or failure.kind not in BROKEN:
        return None
    return clipped(failure.message, SAID_WIDTH)


def _kind(why: str) -> str:
    """What kind of break it is: the name of the exception, as a rule."""
    return why.partition(":")[0]


def _size(made: list[int]) -> tuple[int, int]:
    return len(made), sum(made)
