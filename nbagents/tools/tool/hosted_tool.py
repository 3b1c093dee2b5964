"""Tools that run at the provider: an agent is given them like any other.

They need a model of the Responses API. What they do is shown as calls, with what they found.

Source: OpenAI, API reference, responses, tools, as of November 2026.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal, get_args

from nbagents.errors import ToolDefinitionError, ToolError
from nbagents.narrowing import is_mapping
from nbagents.tools.tool.definition import Tool, ToolOptions
from nbagents.tools.values import is_sequence

if TYPE_CHECKING:
    from pydantic import JsonValue

ContextSize = Literal["low", "medium", "high"]

LOCATION_KEYS = ("city", "country", "region", "timezone")
MEMORY_LIMITS = ("1g", "4g", "16g", "64g")
MOST_RESULTS = 50
NO_ARGUMENTS: Mapping[str, object] = {"type": "object", "properties": {}}


@dataclass(frozen=True, slots=True, kw_only=True)
class WebSearch:
    """The provider searches the web.

    Args:
        allowed_domains: Only these, with their subdomains, e.g. `["python.org"]`.
        user_location: Where the person is, roughly: `city`, `country` (two letters), `region`,
            `timezone`; an empty mapping says that nothing is known.
        search_context_size: How much of what it finds the model reads.
        external_web_access: Whether it may fetch pages now; else it uses what is kept of them.
        filters: The API's own filters, instead of `allowed_domains`.

    Raises:
        ToolDefinitionError: An argument is none that the API takes.

    Example:
        >>> [tool.name for tool in WebSearch(allowed_domains=["python.org"]).tools()]
        ['web_search']
    """

    allowed_domains: Sequence[str] = ()
    user_location: Mapping[str, str] | None = None
    search_context_size: ContextSize = "medium"
    external_web_access: bool = True
    filters: Mapping[str, JsonValue] | None = None

    def __post_init__(self) -> None:
        _check_texts("allowed_domains", self.allowed_domains)
        for domain in self.allowed_domains:
            if "/" in domain or "." not in domain:
                raise ToolDefinitionError(
                    f"{domain!r} is no domain: leave out what stands before and behind the name, "
                    "e.g. 'python.org'."
                )
        if self.filters and self.allowed_domains:
            raise ToolDefinitionError("Give allowed_domains or filters, not both.")
        _check_one_of("search_context_size", self.search_context_size, get_args(ContextSize))
        self._check_location(self.user_location or {})

    def _check_location(self, location: Mapping[str, str]) -> None:
        _check_keys("user_location", location, (*LOCATION_KEYS, "type"))
        country = location.get("country")
        if country is not None and not (len(country) == 2 and country.isalpha()):
            raise ToolDefinitionError(f"A country has two letters, e.g. 'CH', not {country!r}.")

    @property
    def name(self) -> str:
        """What its calls are called."""
        return "web_search"

    def tools(self) -> Sequence[Tool]:
        """The one tool."""
        sent: dict[str, JsonValue] = {
            "type": self.name,
            "search_context_size": self.search_context_size,
            "external_web_access": self.external_web_access,
            "include": ["web_search_call.action.sources"],
        }
        if self.allowed_domains:
            sent["filters"] = {"allowed_domains": list(self.allowed_domains)}
        elif self.filters:
            sent["filters"] = dict(self.filters)
        if self.user_location is not None:
            sent["user_location"] = {**self.user_location, "type": "approximate"}
        return (_hosted("Searches the web.", sent),)


@dataclass(frozen=True, slots=True)
class FileSearch:
    """The provider searches files that were uploaded to its vector stores.

    Args:
        vector_store_ids: Which stores.
        max_num_results: How many passages at most, 1 to 50.
        include_search_results: Whether the passages are shown with the call.
        ranking_options: E.g. `{"score_threshold": 0.5}`.
        filters: By attributes of the files, e.g. `{"type": "eq", "key": "year", "value": 2026}`.

    Raises:
        ToolDefinitionError: An argument is none that the API takes.
    """

    vector_store_ids: Sequence[str]
    max_num_results: int | None = field(default=None, kw_only=True)
    include_search_results: bool = field(default=False, kw_only=True)
    ranking_options: Mapping[str, JsonValue] | None = field(default=None, kw_only=True)
    filters: Mapping[str, JsonValue] | None = field(default=None, kw_only=True)

    def __post_init__(self) -> None:
        _check_texts("vector_store_ids", self.vector_store_ids)
        if not self.vector_store_ids:
            raise ToolDefinitionError("FileSearch needs the id of a vector store at least.")
        most = self.max_num_results
        if most is not None and not 1 <= most <= MOST_RESULTS:
            raise ToolDefinitionError(f"max_num_results is 1 to {MOST_RESULTS}, not {most}.")
        self._check_ranking(self.ranking_options or {})
        if self.filters is not None and "type" not in self.filters:
            raise ToolDefinitionError(
                "A filter has a type: 'eq', 'ne', 'gt', 'gte', 'lt', 'lte', 'in' or 'nin' with a "
                "key and a value, or 'and' or 'or' with filters."
            )

    def _check_ranking(self, ranking: Mapping[str, JsonValue]) -> None:
        keys = ("ranker", "score_threshold", "hybrid_search")
        _check_keys("ranking_options", ranking, keys)
        score = ranking.get("score_threshold", 0)
        if not isinstance(score, (int, float)) or not 0 <= score <= 1 or math.isnan(score):
            raise ToolDefinitionError(f"score_threshold is 0 to 1, not {score!r}.")

    @property
    def name(self) -> str:
        """What its calls are called."""
        return "file_search"

    def tools(self) -> Sequence[Tool]:
        """The one tool."""
        sent: dict[str, JsonValue] = {
            "type": self.name,
            "vector_store_ids": list(self.vector_store_ids),
        }
        if self.include_search_results:
            sent["include"] = ["file_search_call.results"]
        if self.max_num_results is not None:
            sent["max_num_results"] = self.max_num_results
        if self.ranking_options:
            sent["ranking_options"] = dict(self.ranking_options)
        if self.filters:
            sent["filters"] = dict(self.filters)
        return (_hosted("Searches uploaded files.", sent),)


@dataclass(frozen=True, slots=True)
class CodeInterpreter:
    """The provider runs Python in a container of its own.

    Args:
        container: The id of a container, or what a new one shall be like: `file_ids`,
            `memory_limit` ('1g', '4g', '16g' or '64g'), `network_policy`.

    Raises:
        ToolDefinitionError: The container is neither.
    """

    container: str | Mapping[str, JsonValue] = field(default_factory=lambda: {"type": "auto"})

    def __post_init__(self) -> None:
        if isinstance(self.container, str):
            if not self.container.strip():
                raise ToolDefinitionError("A container's id is not empty; leave it out for a new.")
            return
        keys = ("type", "file_ids", "memory_limit", "network_policy")
        _check_keys("container", self.container, keys)
        _check_one_of("container type", self.container.get("type", "auto"), ("auto",))
        limit = self.container.get("memory_limit")
        _check_one_of("memory_limit", limit, (*MEMORY_LIMITS, None))
        _check_texts("file_ids", self.container.get("file_ids") or ())

    @property
    def name(self) -> str:
        """What its calls are called."""
        return "code_interpreter"

    def tools(self) -> Sequence[Tool]:
        """The one tool."""
        container = self.container
        sent: dict[str, JsonValue] = {
            "type": self.name,
            "container": container if isinstance(container, str) else {**container, "type": "auto"},
            "include": ["code_interpreter_call.outputs"],
        }
        return (_hosted("Runs Python.", sent),)


@dataclass(frozen=True, slots=True)
class ToolSearch:
    """The provider searches the tools that are deferred, and loads those that it finds.

    Tools with `defer=True` are then left out until they are found; put them into toolsets of fewer
    than ten, which is what models search best.
    """

    @property
    def name(self) -> str:
        """What its calls are called."""
        return "tool_search"

    def tools(self) -> Sequence[Tool]:
        """The one tool."""
        return (_hosted("Searches the tools that are not loaded yet.", {"type": self.name}),)


def _hosted(description: str, sent: Mapping[str, JsonValue]) -> Tool:
    """A tool that is sent to the provider as it stands; `include` goes beside it."""
    name = str(sent["type"])

    def elsewhere(arguments: Mapping[str, object]) -> None:  # noqa: ARG001  never made here
        raise ToolError(
            f"{name} runs at the provider and cannot be called from here: "
            "it needs a model of the Responses API (-m responses:MODEL)."
        )

    options = ToolOptions(hosted=sent, strict=False, read_only=True, open_world=True)
    return Tool.from_schema(name, description, NO_ARGUMENTS, elsewhere, options)


def _check_texts(argument: str, given: object) -> None:
    if not is_sequence(given) or not all(isinstance(one, str) and one.strip() for one in given):
        raise ToolDefinitionError(f"{argument} is a list of texts, not {given!r}.")


def _check_one_of(argument: str, given: object, known: Sequence[object]) -> None:
    if given not in known:
        shown = ", ".join(repr(one) for one in known if one is not None)
        raise ToolDefinitionError(f"{argument} is one of {shown}, not {given!r}.")


def _check_keys(argument: str, given: object, known: Sequence[str]) -> None:
    if not is_mapping(given):
        raise ToolDefinitionError(f"{argument} is a mapping with {', '.join(known)}.")
    unknown = [repr(key) for key in given if key not in known]
    if unknown:
        raise ToolDefinitionError(
            f"{argument} has no {', '.join(unknown)}: there are {', '.join(known)}."
        )
