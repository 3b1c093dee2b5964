"""`ApiFlow`: a request, by fixed steps, to one call of one API."""

from __future__ import annotations

import inspect
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final, Literal, cast

from typing_extensions import Unpack

from nbagents.agents import Agent, Verbs
from nbagents.agents.specification import ResumeOptions
from nbagents.anytool.agent_tool import tool_asking
from nbagents.anytool.flow.fit import fit
from nbagents.anytool.flow.nodes import GIVES, NODES, Nodes, arguments_of, given_by
from nbagents.anytool.flow.own_nodes import ONE_CALL, OwnNodes
from nbagents.anytool.flow.state import state_of
from nbagents.anytool.program import FREE, OFFLINE, Program, Said, step
from nbagents.catalogue import Api, Catalogue
from nbagents.errors import ToolError, did_you_mean
from nbagents.narrowing import is_dict
from nbagents.recordings import held, model_of
from nbagents.runs.state import Run
from nbagents.tools.context import Context, wrong
from nbagents.tools.tool import Tool, ToolOptions

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from nbagents.anytool.flow.state import State
    from nbagents.events import Approval
    from nbagents.models.model import Model, ModelRequest
    from nbagents.runs.people import Host
    from nbagents.runs.plan import Parent, Plan
    from nbagents.runs.policy import Prices
    from nbagents.runs.state import OnAwait, Session

MODEL: Final = "flow"
NO_API: Final = "No API of the catalogue serves this."
FAILED: Final = "{node} did not end well: {said}"
ORDER: Final = {
    "": "extract_category",
    "extract_category": "get_apis",
    "get_apis": "select_api",
    "select_api": "extract_parameters",
    "ask_missing": "execute_request",
}
DOES: Final = {
    "extract_category": "Say to which categories the request belongs.",
    "get_apis": "Find the APIs that may serve it.",
    "select_api": "Choose one of them.",
    "extract_parameters": "Read its parameters from the request.",
    "ask_missing": "Have the person give the required ones that are missing.",
    "execute_request": "Make the request.",
}
NAMES: Final = {"type": "array", "items": {"type": "string"}}
TAKES: Final[dict[str, Any]] = {
    "type": "object",
    "properties": {
        "query": {"type": "string"},
        "categories": NAMES,
        "apis": NAMES,
        "api": {"type": "string"},
        "parameters": {"type": "object"},
        "missing": NAMES,
    },
    "required": ["query"],
}
"""What is known of the request, as each node is given it."""


class ApiFlow(Verbs[Run]):
    """Takes a request to one call of one API, by six functions in a fixed order.

    `extract_category` → `get_apis` → `select_api` → `extract_parameters` → `ask_missing`, where
    required parameters are missing → `execute_request`. Each is a call of the run, and a plain
    function in `nodes`, where another may take its place. What asks the model is a run inside.

    Args:
        catalogue: A catalogue, or one source of one.
        model: Whom the nodes ask that ask a model; as an agent's.
        name: How it is called in the card and in the log.
        max_calls: How many calls a run may make, with the runs inside it.
        max_tokens: How many tokens it may use.
        timeout_s: How many seconds it may take.
        max_cost: How much money it may cost, by `prices`.
        prices: As an agent's.
        approval: As an agent's: whether the request needs consent.
        on_await: As an agent's: what is done where a person must answer.

    Attributes:
        nodes: The six functions. One that you put there takes, by name, any of `query`,
            `categories`, `apis`, `api`, `parameters`, `missing`, `state` (all of these),
            `catalogue` and `ctx`, and gives what its place gives; it may be async.

    Example:
        >>> def forecast(city: str) -> str:
        ...     "Tell tomorrow's weather in a city."
        ...     return f"Sun in {city}"
        >>> flow = ApiFlow(Catalogue(forecast), model="offline")
        >>> flow.nodes["extract_parameters"] = lambda query: {"city": query.split()[-1]}
        >>> flow.run("weather in Oslo", log="memory").calls[-1].content
        'Sun in Oslo'
    """

    def __init__(  # noqa: PLR0913  what can be said of it, each by its name
        self,
        catalogue: object,
        model: Model | str | None = None,
        *,
        name: str = "ApiFlow",
        max_calls: int | None = 100,
        max_tokens: int | None = None,
        timeout_s: float | None = None,
        max_cost: float | None = None,
        prices: Prices | None = None,
        approval: Approval | None = None,
        on_await: OnAwait | None = None,
    ) -> None:
        self.catalogue = catalogue if isinstance(catalogue, Catalogue) else Catalogue(catalogue)
        self.model = model
        self.name = name
        own = OwnNodes(self.catalogue, self._chosen_model)
        self.nodes: Final = Nodes({one: getattr(own, one) for one in NODES})
        self._agent = Agent(
            name,
            tools=self._tools(),
            model=Program(MODEL, self._decide),
            max_steps=len(NODES) + 2,
            max_calls=max_calls,
            max_tokens=max_tokens,
            timeout_s=timeout_s,
            max_cost=max_cost,
            prices={MODEL: FREE, ONE_CALL: FREE, **(prices or {})},
            max_failed_batches=None,
            approval=approval,
            on_await=on_await,
        )

    def __repr__(self) -> str:
        return f"<ApiFlow over {self.catalogue!r}>"

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
    ) -> tuple[Run, Plan]:
        """A run that has not started yet, and what it is to do; see `run`.

        Raises:
            ValueError: The request is empty.
        """
        if not isinstance(cast("object", prompt), str) or not prompt.strip():
            raise wrong("The request", prompt, "say what you want, in words.")
        return self._agent.begin(prompt, log, parent=parent, **options)

    def begin_resumed(
        self, run: Run | str, *, parent: Parent | None = None, **options: Unpack[ResumeOptions]
    ) -> tuple[Run, Plan]:
        """A run that goes on with another, which has not started yet; see `resume`."""
        return self._agent.begin_resumed(run, parent=parent, **options)

    def resume(
        self, run: Run | str, *, host: Host | None = None, **options: Unpack[ResumeOptions]
    ) -> Run:
        """Go on with a run that was suspended, e.g. to wait for a missing parameter.

        Args:
            run: The run, or its id; also after the kernel was restarted.
            host: Who shows it.
            options: As `Agent.resume`: above all `answer`, what the person says.
        """
        return self._agent.resume(run, host=host, **options)

    async def aresume(
        self, run: Run | str, *, host: Host | None = None, **options: Unpack[ResumeOptions]
    ) -> Run:
        """Go on with a run on the running loop; see `resume`."""
        return await self._agent.aresume(run, host=host, **options)

    # What comes next

    def _decide(self, request: ModelRequest) -> Said:
        state = state_of(request.messages)
        is_over = request.tool_choice == "none" or state.is_broken
        following = "" if is_over else _following(state)
        return Said(calls=(step(following, **state.values),)) if following else self._ended(state)

    def _ended(self, state: State) -> Said:
        offline = OFFLINE if self._chosen_model().name == "offline" else ""
        last = state.done[-1] if state.done else ""
        if last == "execute_request" and not state.is_broken:
            return Said(text=f"{state.said}{offline}")
        text = FAILED.format(node=last, said=state.said) if state.is_broken else NO_API
        return Said(text=text + offline, unmet=(state.values["query"],))

    def _chosen_model(self) -> Model:
        return model_of(self.model, held())

    # The nodes as calls

    def _tools(self) -> list[Tool]:
        return [self._tool(name, said) for name, said in DOES.items()]

    def _tool(self, name: str, said: str) -> Tool:
        read: Callable[[Mapping[str, Any], Any], object] = getattr(self, f"_after_{name}")

        async def call(known: dict[str, Any], ctx: Context) -> object:
            node = self.nodes[name]
            args, named = arguments_of(node, known, self.catalogue, ctx)
            value: Any = node(*args, **named)
            value = await value if inspect.isawaitable(value) else value
            return read(known, given_by(name, node, value))

        options = ToolOptions(strict=False, resumable=True)
        return Tool.from_schema(name, said, TAKES, call, options)

    def _after_extract_category(self, _: Mapping[str, Any], given: object) -> object:
        return {"categories": _names(given, "extract_category")}

    def _after_get_apis(self, _: Mapping[str, Any], given: object) -> object:
        return {"apis": [self._known(one) for one in _names(given, "get_apis")]}

    def _after_select_api(self, known: Mapping[str, Any], given: object) -> object:
        names = _names(given, "select_api")
        return {"api": self._known(names[0], known.get("apis", ())) if names else None}

    def _after_extract_parameters(self, known: Mapping[str, Any], given: object) -> object:
        return self._fitted(known["api"], _mapping(given, "extract_parameters"))

    def _after_ask_missing(self, known: Mapping[str, Any], given: object) -> object:
        whole = {**known["parameters"], **_mapping(given, "ask_missing")}
        fitting = self._fitted(known["api"], whole)
        if fitting["missing"]:
            lacks = ", ".join(fitting["missing"])
            raise ToolError(f"Still missing: {lacks}.", kind="unavailable", recovery="finish")
        return fitting

    def _after_execute_request(self, _: Mapping[str, Any], given: object) -> object:
        return given

    def _fitted(self, api: str, given: Mapping[str, Any]) -> dict[str, Any]:
        found = fit(given, self.catalogue[api].parameters)
        told: dict[str, Any] = {"parameters": found.arguments, "missing": list(found.missing)}
        return told | ({"left_out": dict(found.left_out)} if found.left_out else {})

    def _known(self, name: str, among: Sequence[str] = ()) -> str:
        if name not in self.catalogue:
            hint = did_you_mean(name, among or self.catalogue.close_names(name))
            raise ToolError(f"There is no API {name!r}.{hint}", recovery="finish")
        return name


def _following(state: State) -> str:
    """The next node; nothing where there is none."""
    known, last = state.values, state.done[-1] if state.done else ""
    if last == "extract_parameters":
        return "ask_missing" if known["missing"] else "execute_request"
    if last in ("get_apis", "select_api") and not known[GIVES[last]]:
        return ""
    return ORDER.get(last, "")


def _names(given: object, node: str) -> list[str]:
    """What a node names: nothing, a name, an API, or several.

    Raises:
        ToolError: It names nothing that can be read.
    """
    if given is None:
        return []
    if isinstance(given, str):
        return [given]
    if isinstance(given, Api):
        return [given.name]
    if isinstance(given, Sequence):
        several = cast("Sequence[object]", given)
        return [_name(one, node) for one in several]
    return [_name(given, node)]


def _name(given: object, node: str) -> str:
    name = given if isinstance(given, str) else getattr(given, "name", None)
    if not isinstance(name, str):
        raise ToolError(f"{node} gave {given!r}: it must give names.", recovery="finish")
    return name


def _mapping(given: object, node: str) -> dict[str, Any]:
    if given is None:
        return {}
    if not is_dict(given):
        said = f"{node} gave {given!r}: it must give arguments by name, as a dictionary."
        raise ToolError(said, recovery="finish")
    return given
