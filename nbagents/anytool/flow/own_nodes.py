"""The nodes that a flow has by itself: what asks the model, and what the catalogue knows."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Final

from nbagents.agents import Agent
from nbagents.anytool.flow.fit import Arguments, unforced
from nbagents.anytool.program import Program, Said, step
from nbagents.catalogue import Catalogue
from nbagents.errors import ToolError, did_you_mean
from nbagents.messages import ToolMessage
from nbagents.results import Result
from nbagents.runs.policy import StopAt
from nbagents.tools.context import Context
from nbagents.tools.tool import Tool, ToolOptions

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from nbagents.catalogue import Api, Hits
    from nbagents.models.model import Model, ModelRequest
    from nbagents.runs.state import Run

CATEGORIES: Final = 3
CANDIDATES: Final = 20
SUMMARY: Final = 160
BY_SCORES: Final = "No language model decides this, the search's scores do: {scores}"
CHOOSE: Final = "choose"
ONE_CALL: Final = "program (one call)"
CHOOSE_CATEGORIES: Final = (
    "You say to which categories of a catalogue of APIs a person's request belongs. Call choose "
    "with their names: the one that fits best first, three at most, none that does not fit."
)
CHOOSE_API: Final = (
    "You choose the one API that serves a person's request. Call choose with its name, or with no "
    "name where none does."
)
EXTRACT: Final = (
    "You read the arguments of a call from a person's request. Call the function with what the "
    "request says, and leave out what it does not say: never invent a value."
)


class OwnNodes:
    """The six functions, over one catalogue and one model.

    Args:
        catalogue: Where the APIs are.
        model: Gives the model that is asked.
    """

    def __init__(self, catalogue: Catalogue, model: Callable[[], Model]) -> None:
        self._catalogue = catalogue
        self._model = model

    async def extract_category(self, query: str, ctx: Context) -> list[str]:
        """To which categories a request belongs, the likeliest first."""
        there = self._catalogue.browse().names if len(self._catalogue) else ()
        if len(there) < 2:  # there is nothing to choose
            return list(there)
        if self._is_offline:
            return self._likeliest_categories(query, ctx)
        asked = f"Request: {query}\n\nCategories: {_json(there)}"
        return await self._chosen("extract_category", CHOOSE_CATEGORIES, asked, there, ctx)

    async def get_apis(self, query: str, categories: list[str]) -> list[str]:
        """The APIs of some categories that fit a request, the likeliest first; of none: of all."""
        known = [one for one in categories if one in self._catalogue.browse().names]
        found: dict[str, float] = {}
        for category in known or [None]:
            for hit in self._hits(query, category):
                found[hit.name] = hit.score
        if not found and known:
            return await self.get_apis(query, [])
        return sorted(found, key=lambda name: -found[name])[:CANDIDATES]

    async def select_api(self, query: str, apis: list[str], ctx: Context) -> str | None:
        """The API that serves a request; `None`: none of them does."""
        if self._is_offline:
            ctx.log(BY_SCORES.format(scores=", ".join(apis[:CATEGORIES])))
            return apis[0]
        lines = {name: self._catalogue[name].description[:SUMMARY] for name in apis}
        asked = f"Request: {query}\n\nAPIs: {_json(lines)}"
        chosen = await self._chosen("select_api", CHOOSE_API, asked, apis, ctx)
        return chosen[0] if chosen else None

    async def extract_parameters(self, query: str, api: str, ctx: Context) -> Arguments:
        """What a request says of the parameters of an API."""
        record = self._catalogue[api]
        if not record.parameters.get("properties"):
            return {}
        found: list[Arguments] = []

        async def take(arguments: dict[str, Any]) -> str:
            found.append(arguments)
            return "Taken."

        schema = unforced(record.parameters)
        options = ToolOptions(strict=False, idempotent=True)
        function = Tool.from_schema(api, record.description or record.api, schema, take, options)
        reader = Agent(
            "extract_parameters",
            EXTRACT,
            tools=[function],
            model=self._model(),
            max_steps=2,
            tool_choice=function.name,
            tool_use=StopAt(function.name),
        )
        run: Run = await ctx.run(reader, query)
        if self._is_offline:
            ctx.log("No language model read this: words were matched with the parameters.")
        return found[-1] if found and run.status == "completed" else {}

    async def ask_missing(
        self, api: str, parameters: Arguments, missing: list[str], ctx: Context
    ) -> Arguments:
        """Ask the person for required parameters, by a form of the API's own schema.

        Raises:
            ToolError: The person does not give them.
        """
        record = self._catalogue[api]
        run = await _called_once(_echo_of(record), parameters, "ask_missing", ctx, "ask")
        (call,) = run.calls
        said = (call.content or "").rpartition("\n")[2]  # above it stands what the person gave
        given: Arguments = json.loads(said) if call.status == "done" else {}
        if left := [name for name in missing if name not in given]:
            said = f"{record.api} needs {', '.join(left)}, and nobody gave that."
            raise ToolError(said, kind="unavailable", recovery="finish")
        return given

    async def execute_request(self, api: str, parameters: Arguments, ctx: Context) -> object:
        """Call the API, by the rules that hold for calls of its tool.

        Raises:
            ToolError: The call failed, or was not allowed.
        """
        run = await _called_once(
            self._catalogue.tool_of(api), parameters, "execute_request", ctx, "tell"
        )
        (call,) = run.calls
        if call.status != "done":
            failure = call.failure
            raise ToolError(
                call.content or f"The call was {call.status}.",
                kind=failure.kind if failure else "domain_rejection",
                recovery="finish",
            )
        return Result(call.content)

    # Choosing

    @property
    def _is_offline(self) -> bool:
        return self._model().name == "offline"

    def _hits(self, query: str, category: str | None = None) -> Hits:
        return self._catalogue.search(query, CANDIDATES, category, nearest=True)

    def _likeliest_categories(self, query: str, ctx: Context) -> list[str]:
        scores: dict[str, float] = {}
        for hit in self._hits(query):
            scores[hit.category] = scores.get(hit.category, 0.0) + hit.score
        best = sorted(scores, key=lambda name: -scores[name])[:CATEGORIES]
        said = ", ".join(f"{name} {scores[name]:.1f}" for name in best)
        ctx.log(BY_SCORES.format(scores=said or "nothing fits"))
        return best

    async def _chosen(
        self, name: str, how: str, asked: str, there: Sequence[str], ctx: Context
    ) -> list[str]:
        """What the model chooses of what there is; one that says it in words is understood."""
        found: list[list[str]] = []

        async def choose(names: list[str]) -> str:
            """Choose.

            Args:
                names: What you choose, by name.
            """
            for one in names:
                if one not in there:
                    raise ToolError(
                        f"There is no {one!r}.{did_you_mean(one, there)}", kind="invalid_call"
                    )
            found.append(names)
            return _json(names)

        agent = Agent(
            name,
            how,
            tools=[Tool(choose, ToolOptions(name=CHOOSE, strict=False))],
            model=self._model(),
            max_steps=3,
            tool_choice=CHOOSE,
            tool_use=StopAt(CHOOSE),
        )
        run: Run = await ctx.run(agent, asked)
        if found:
            return list(dict.fromkeys(found[-1]))
        said = run.text
        return [one for one in there if one in said]


def _echo_of(record: Api) -> Tool:
    """A tool that takes what the API takes, and gives it back: nothing is called."""

    async def echo(arguments: dict[str, Any]) -> dict[str, Any]:
        return arguments

    options = ToolOptions(strict=False, ask=False, resumable=True)
    return Tool.from_schema(
        record.name, record.description or record.api, record.parameters, echo, options
    )


async def _called_once(
    tool: Tool, parameters: Mapping[str, Any], name: str, ctx: Context, on_missing: Any
) -> Run:
    """A run that makes one call, with all that holds for calls: checks, consent, forms."""

    def decide(request: ModelRequest) -> Said:
        called = [one for one in request.messages if isinstance(one, ToolMessage)]
        if called or request.tool_choice == "none":
            return Said(text=called[-1].content if called else "Not called.")
        return Said(calls=(step(tool.name, **parameters),))

    caller = Agent(
        name,
        tools=[tool],
        model=Program(ONE_CALL, decide),
        max_steps=2,
        tool_use="stop_on_first",
        on_missing=on_missing,
    )
    return await ctx.run(caller, f"Call {tool.name}.")


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)
