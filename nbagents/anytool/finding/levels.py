"""The agents of the three levels, and the functions that each of them has."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Final

from pydantic import AliasChoices, BaseModel, Field

from nbagents.agents import Agent
from nbagents.anytool.finding import prompts
from nbagents.anytool.finding.directory import Sheet, known_tools
from nbagents.anytool.finding.hunt import CATEGORY, META, TOOL, Finder, Hunt
from nbagents.anytool.finding.scores import scorer
from nbagents.anytool.program import step
from nbagents.errors import ToolError
from nbagents.tools.context import Context
from nbagents.tools.tool import Tool, ToolOptions

if TYPE_CHECKING:
    from nbagents.anytool.finding.pool import Addition
    from nbagents.catalogue import Api
    from nbagents.messages import CallRequest
    from nbagents.models.model import Model
    from nbagents.runs.wording import Call

ALREADY: Final = "There is an agent for it already: {name}. {how}"
IS_DONE: Final = "It has finished."
WENT_ON: Final = "It is not finished; it is resumed where that is needed."
FAILED: Final = "{name} failed: {error}"
TOO_MANY: Final = (
    "An agent looks at {most} tools at most, and these are {given}: create several agents."
)
TOO_MANY_ASKED: Final = "At most {most} tools are described at once, and these are {given}."
NOTHING: Final = "No APIs are given: give at least one, as {category, tool, api}."
STOPPED: Final = "{why}: nothing more is searched for in this round."
FINISHED: Final = "Finished."
MORE_TOOLS: Final = (
    "Nothing was found so far, and there are more tools. Choose of these, or call Finish again."
)
FINISH: Final = "Say that nothing that is relevant is left. You are not asked again after that."
ANYTHING: Final[dict[str, Any]] = {"type": "object", "properties": {}, "additionalProperties": True}
FINISHES: Final = "Finish"
LIKELIEST_CATEGORIES: Final = 3
LIKELIEST_APIS: Final = 8


class ApiKey(BaseModel):
    """Where an API stands in the catalogue."""

    category: str = Field(validation_alias=AliasChoices("category", "category_name"))
    tool: str = Field(validation_alias=AliasChoices("tool", "tool_name"))
    api: str = Field(validation_alias=AliasChoices("api", "api_name"))


class Functions:
    """What every one of the agents can do.

    Args:
        hunt: The search that it is part of.
        finder: The agent, once it is there.
    """

    level: int

    def __init__(self, hunt: Hunt) -> None:
        self.hunt = hunt
        self.finder: Finder | None = None

    def tools(self) -> list[Tool]:
        """Its functions, the last of which ends it."""
        named = [
            Tool(one, ToolOptions(name=one.__name__, strict=False, idempotent=True))
            for one in self.functions()
        ]
        finish = Tool.from_schema(FINISHES, FINISH, ANYTHING, self._finish, NOT_STRICT)
        return [*named, finish]

    def functions(self) -> Sequence[Callable[..., Any]]:
        """Its functions."""
        raise NotImplementedError

    def likeliest(self) -> tuple[CallRequest, ...]:
        """What it would call first by the search's scores alone."""
        raise NotImplementedError

    def ends(self, _: Context, calls: Sequence[Call]) -> str | None:
        """What ends its activation: that it finished, or that nothing more is needed now."""
        del calls
        if self.finder is not None and self.finder.is_finished:
            return FINISHED
        return STOPPED.format(why=self.hunt.halted) if self.hunt.halted else None

    async def _finish(self, given: dict[str, Any]) -> Any:
        del given
        if self.finder is not None:
            self.finder.is_finished = True
        return FINISHED

    async def get_tools_in_category(self, category: str, page: int = 1) -> Sheet:
        """List the names of a category's tools, the likeliest first.

        Args:
            category: The name of the category.
            page: Which page of the list, where it has several.
        """
        directory = self.hunt.directory
        return directory.tool_sheet(directory.category(category), page)

    async def get_tools_descriptions(self, category: str, tools: list[str]) -> Sheet:
        """Say what tools of a category are for, with some of their APIs.

        Args:
            category: The name of the category.
            tools: The names of a few tools.
        """
        directory, most = self.hunt.directory, self.hunt.limits.described_at_once
        if len(tools) > most:
            raise _wrong(TOO_MANY_ASKED.format(most=most, given=len(tools)))
        name = directory.category(category)
        return directory.description_sheet(name, known_tools(directory, name, tools))


class MetaFunctions(Functions):
    """What the agent at the top can do."""

    level = META

    def functions(self) -> Sequence[Callable[..., Any]]:
        """Its functions."""
        more = self.hunt.directory.category_sheet().get("pages", 1) > 1
        return (
            *((self.get_categories,) if more else ()),
            self.get_tools_in_category,
            self.get_tools_descriptions,
            self.create_agent_category_level,
        )

    def likeliest(self) -> tuple[CallRequest, ...]:
        """Agents for the likeliest categories."""
        name = "create_agent_category_level"
        best = self.hunt.directory.categories[:LIKELIEST_CATEGORIES]
        return tuple(step(name, category=one) for one in best)

    async def get_categories(self, page: int = 1) -> Sheet:
        """List the names of the categories, the likeliest first.

        Args:
            page: Which page of the list.
        """
        return self.hunt.directory.category_sheet(page)

    async def create_agent_category_level(self, category: str, ctx: Context) -> Sheet:  # noqa: D417  models give no context
        """Create an agent that searches one category, and wait for what it finds.

        Args:
            category: The name of the category.
        """
        hunt = self.hunt
        name = hunt.directory.category(category)
        tools = hunt.directory.tools(name)
        if len(tools) <= hunt.limits.tools_per_agent:  # nobody need choose among so few
            return await launched(self, tool_agent(hunt, name, tools), ctx)
        return await launched(self, category_agent(hunt, name), ctx)


class CategoryFunctions(Functions):
    """What the agent of a category can do."""

    level = CATEGORY

    def __init__(self, hunt: Hunt, category: str) -> None:
        super().__init__(hunt)
        self.category = category
        self._seen = 1
        """Pages of the list that it was shown unasked."""

    async def _finish(self, given: dict[str, Any]) -> Any:
        """Before it ends with nothing it is shown the rest of the list, page by page."""
        sheet = self.hunt.directory.tool_sheet(self.category)
        if self.finder is None or self.finder.found or self._seen >= sheet.get("pages", 1):
            return await super()._finish(given)
        self._seen += 1
        return {"told": MORE_TOOLS, **self.hunt.directory.tool_sheet(self.category, self._seen)}

    def likeliest(self) -> tuple[CallRequest, ...]:
        """An agent for the likeliest tools."""
        tools = self.hunt.directory.tools(self.category)[: self.hunt.limits.tools_per_agent]
        return (step("create_agent_tool_level", category=self.category, tools=list(tools)),)

    def functions(self) -> Sequence[Callable[..., Any]]:
        """Its functions."""
        return (
            self.get_tools_in_category,
            self.get_tools_descriptions,
            self.create_agent_tool_level,
        )

    async def create_agent_tool_level(  # noqa: D417  as above
        self, category: str, tools: list[str], ctx: Context
    ) -> Sheet:
        """Create an agent that looks at the APIs of a few tools, and wait for what it finds.

        Args:
            category: The name of the category.
            tools: The names of a few of its tools.
        """
        hunt, most = self.hunt, self.hunt.limits.tools_per_agent
        name = hunt.directory.category(category)
        known = known_tools(hunt.directory, name, tools)
        if len(known) > most:
            raise _wrong(TOO_MANY.format(most=most, given=len(known)))
        return await launched(self, tool_agent(hunt, name, known), ctx)


class ToolFunctions(Functions):
    """What the agent of a few tools can do."""

    level = TOOL

    def __init__(self, hunt: Hunt, category: str, tools: Sequence[str]) -> None:
        super().__init__(hunt)
        self.category = category
        self.of_tools = tools

    def likeliest(self) -> tuple[CallRequest, ...]:
        """The likeliest APIs that are not in the pool yet."""
        found = self.hunt.directory.apis(self.category, self.of_tools)
        new = [one for one in found if one.name not in self.hunt.pool][:LIKELIEST_APIS]
        keys = [{"category": one.category, "tool": one.tool, "api": one.api} for one in new]
        return (step("add_apis_into_api_pool", apis=keys),) if keys else ()

    def functions(self) -> Sequence[Callable[..., Any]]:
        """Its functions."""
        sheet = self.hunt.directory.api_sheet(self.category, self.of_tools)
        return (
            *((self.get_apis_on_page,) if sheet.get("pages", 1) > 1 else ()),
            self.add_apis_into_api_pool,
            self.check_if_request_solvable,
        )

    async def get_apis_on_page(self, page: int) -> Sheet:
        """List more APIs of your tools with their parameters.

        Args:
            page: Which page of the list.
        """
        return self.hunt.directory.api_sheet(self.category, self.of_tools, page)

    async def add_apis_into_api_pool(self, apis: list[ApiKey]) -> Addition:
        """Put APIs into the pool from which the request is answered.

        Args:
            apis: The APIs, each by its category, its tool and its own name.
        """
        if not apis:
            raise _wrong(NOTHING)
        found, unknown = self._found(apis)
        if unknown and not found:
            raise _wrong(" ".join(unknown))
        told = self.hunt.pool.add(found, self.finder.name if self.finder else "agent")
        if self.finder is not None:
            self.finder.added += told.get("added", [])
        self.hunt.changed()
        if unknown:
            told["unknown"] = unknown
        return told

    def _found(self, apis: Sequence[ApiKey]) -> tuple[list[Api], list[str]]:
        """Those that there are, and what is said of the others."""
        found: list[Api] = []
        unknown: list[str] = []
        for one in apis:
            try:
                found.append(self.hunt.directory.api(one.category, one.tool, one.api))
            except ToolError as error:
                unknown.append(str(error))
        return found, unknown

    async def check_if_request_solvable(self, ctx: Context) -> str:
        """Ask whether the request can be answered with the APIs of the pool."""
        return await self.hunt.check(ctx)


NOT_STRICT: Final = ToolOptions(strict=False, idempotent=True)


async def launched(above: Functions, finder: Finder, ctx: Context) -> Sheet:
    """Let a new agent search; what came of it, for the one that created it.

    One that fails is told of, and the others go on.
    """
    hunt = above.hunt
    if (known := hunt.known(finder)) is not None:
        how = IS_DONE if known.is_finished else WENT_ON
        return {"agent": known.name, "told": ALREADY.format(name=known.name, how=how)}
    if hunt.halted:
        return {"told": STOPPED.format(why=hunt.halted)}
    hunt.finders.append(finder)
    if above.finder is not None:
        above.finder.below.append(finder)
    try:
        await hunt.activate(finder, finder.prompt, ctx)
    except Exception as error:  # noqa: BLE001  a model may raise anything; the others go on
        return {"agent": finder.name, "told": FAILED.format(name=finder.name, error=error)}
    return {
        "agent": finder.name,
        "added": finder.found,
        "finished": finder.is_finished,
        "pool": hunt.pool.state,
    }


def meta_agent(hunt: Hunt) -> Finder:
    """The agent that chooses categories."""
    sheet = hunt.directory.category_sheet()
    return _finder(MetaFunctions(hunt), "meta agent", prompts.META, sheet)


def category_agent(hunt: Hunt, category: str) -> Finder:
    """The agent that chooses tools of a category."""
    sheet = hunt.directory.tool_sheet(category)
    said = prompts.CATEGORY.format(tools=hunt.limits.tools_per_agent)
    name = f"category agent: {category}"
    return _finder(CategoryFunctions(hunt, category), name, said, sheet, (category,))


def tool_agent(hunt: Hunt, category: str, tools: Sequence[str]) -> Finder:
    """The agent that chooses APIs of a few tools."""
    sheet = hunt.directory.api_sheet(category, tools)
    name = f"tool agent: {', '.join(tools)}"
    place = category, *sorted(tools)
    functions = ToolFunctions(hunt, category, tools)
    return _finder(functions, name, prompts.TOOL, sheet, place)


def _finder(
    functions: Functions, name: str, said: str, sheet: Sheet, place: tuple[str, ...] = ()
) -> Finder:
    hunt = functions.hunt
    agent = Agent(
        name,
        said,
        tools=functions.tools(),
        model=_model_of(functions),
        max_steps=hunt.limits.steps,
        settings=hunt.settings,
        tool_use=functions.ends,
    )
    parts = [f"Request: {hunt.query}"]
    if hunt.reason:
        parts.append(prompts.why(hunt.reason, hunt.pool.pruned))
    parts.append(json.dumps(sheet, ensure_ascii=False))
    finder = Finder(level=functions.level, place=place, agent=agent, prompt="\n\n".join(parts))
    functions.finder = finder
    return finder


def _model_of(functions: Functions) -> Model:
    hunt = functions.hunt
    return scorer(functions.likeliest) if hunt.is_offline else hunt.model


def _wrong(said: str) -> ToolError:
    return ToolError(said, kind="invalid_call")
