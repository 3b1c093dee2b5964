"""`Catalogue`: thousands of APIs by category, tool and name; searched, described and called."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Literal, Never, TypeAlias, get_args

from nbagents.catalogue.display import Displayed
from nbagents.catalogue.index import CATEGORY_SHARE, TOOL_SHARE, IndexCache
from nbagents.catalogue.listing import Listing, listing_of
from nbagents.catalogue.search import Search
from nbagents.catalogue.shelves import Shelves
from nbagents.catalogue.sources import read_source
from nbagents.errors import ToolError, ToolNotFoundError
from nbagents.tools.tool import Tool, ToolOptions, is_tool

if TYPE_CHECKING:
    from nbagents.catalogue.hit import Hits
    from nbagents.catalogue.meaning import Embedder
    from nbagents.catalogue.records import Api, Entry
    from nbagents.openapi import RequestTools

Defer: TypeAlias = Literal["auto", "always", "never"]
Found: TypeAlias = Literal["append", "bridge", "native"]
DEFERS: Final[tuple[Defer, ...]] = get_args(Defer)
FOUNDS: Final[tuple[Found, ...]] = get_args(Found)

SAMPLE: Final = Path(__file__).with_name("sample.jsonl")
"""A small catalogue to try things with: 97 invented APIs of 26 tools in 15 categories, which are
only described."""


class Catalogue(Displayed):
    """APIs by category, tool and name, found by words.

    Args:
        sources: JSON-lines files, records, OpenAPI documents (file, dictionary, address), or
            whatever an agent takes as tools: functions, toolsets, modules, objects.
        defer: Whether an agent is offered a search in place of the tools: `"auto"` where they are
            many, `"always"`, or `"never"`.
        found: How its model is given what a search found: `"append"` offers the found tools with
            the next request, after all others; `"bridge"` has them called through one tool, so that
            what is offered never changes; `"native"` leaves the search to an endpoint that has one
            of its own.
        context_tokens: How much the agent's model can read at once: then `"auto"` also defers tools
            that would take more than a tenth of it.
        embedder: Makes vectors of texts; what is near in meaning is then found as well. It helps
            where descriptions are short and in other words than the queries.
        requests: How records that say where their request goes are executed: with which
            credentials, for example.
        cache: Whether the index of a file is kept on disk; a path says where.
        tool_share: How much of the best score in a tool its other APIs get; 0 suits catalogues
            where a wish needs APIs of several tools.
        category_share: The same for a category.

    Example:
        >>> def forecast(city: str) -> str:
        ...     "Tell tomorrow's weather in a city."
        >>> catalogue = Catalogue(forecast)
        >>> [hit.name for hit in catalogue.search("weather tomorrow")]
        ['forecast']
    """

    def __init__(
        self,
        *sources: object,
        defer: Defer = "auto",
        found: Found = "append",
        context_tokens: int | None = None,
        embedder: Embedder | None = None,
        requests: RequestTools | None = None,
        cache: bool | str | Path = True,
        tool_share: float = TOOL_SHARE,
        category_share: float = CATEGORY_SHARE,
    ) -> None:
        self.defer: Final[Defer] = _one_of("defer", defer, DEFERS)
        self.found: Final[Found] = _one_of("found", found, FOUNDS)
        self.context_tokens: Final = _tokens(context_tokens)
        self._requests = requests
        self.faults: tuple[str, ...] = ()
        """What of the sources could not be used, a sentence each."""
        self._cache = None if cache is False else IndexCache(None if cache is True else Path(cache))
        self._shelves = Shelves(tool_share=tool_share, category_share=category_share)
        self._search = Search(self._shelves, embedder)
        for one in sources:
            self.add(one)

    def add(
        self, *sources: object, category: str | None = None, tool: str | None = None
    ) -> tuple[str, ...]:
        """Take in more; the same record again takes the place of the one before.

        Args:
            sources: As the catalogue's own.
            category: To which category belongs what names none.
            tool: To which tool belongs what names none.

        Returns:
            The names of what was added, each as it is now.

        Raises:
            ToolDefinitionError: Nothing of a source can be used; the catalogue stays as it was.
        """
        given = {"category": category, "tool": tool}
        place = {part: name for part, name in given.items() if name}
        batches = [read_source(one, place, self._cache) for one in sources]
        for one in batches:
            self._say([*one.faults, *_lost(self._shelves.moved(one))])
            self._shelves.take(one)
        added = dict.fromkeys(each.identity for one in batches for each in one.entries)
        return tuple(map(self._shelves.name_of, added))

    def remove(
        self, *names: str, category: str | None = None, tool: str | None = None
    ) -> tuple[str, ...]:
        """Take out APIs by name, or all of a category or tool; the names that went.

        Raises:
            ToolNotFoundError: There is no API of a name, or none there; nothing is taken out.
        """
        numbers = [self._number(name) for name in names]
        if category is not None or tool is not None:
            numbers += [number for number, _ in self._here(category, tool)]
        gone = tuple(dict.fromkeys(numbers))
        told = tuple(map(self._shelves.name, gone))
        self._shelves.drop(gone)
        return told

    def __len__(self) -> int:
        return len(self._shelves)

    def __iter__(self) -> Iterator[Api]:
        for number, entry in self._shelves:
            yield entry.api_called(self._shelves.name(number))

    def __contains__(self, name: object) -> bool:
        return self._shelves.number(name) is not None

    def __getitem__(self, name: str) -> Api:
        return self._shelves.entry(self._number(name)).api_called(name)

    def __repr__(self) -> str:
        tools = {entry.key[:2] for _, entry in self._shelves}
        categories = {category for category, _ in tools}
        counts = f"{len(self):,} APIs, {len(tools):,} tools, {len(categories):,} categories"
        return f"<Catalogue: {counts}>"

    @property
    def name(self) -> str:
        """What it is called as a group of tools; its tools have names of their own."""
        return "catalogue"

    @property
    def version(self) -> int:
        """Another one after each change."""
        return self._shelves.changes

    def tools(self) -> tuple[Tool, ...]:
        """All of them as tools, for an agent that is offered each."""
        return tuple(map(self.tool_of, self.names))

    @property
    def names(self) -> tuple[str, ...]:
        """The names of all APIs, in the order in which they were added."""
        return tuple(self._shelves.name(number) for number, _ in self._shelves)

    @property
    def places(self) -> tuple[tuple[str, str], ...]:
        """The tools, each by its category and its name, in the order in which they were added."""
        found = dict.fromkeys((entry.category, entry.tool) for _, entry in self._shelves)
        return tuple(found)

    def name_of(self, category: str, tool: str, api: str) -> str:
        """The name by which models call an API.

        Raises:
            ToolNotFoundError: There is none there.
        """
        here = self._here(category, tool)
        for number, entry in here:
            if entry.api == api:
                return self._shelves.name(number)
        raise ToolNotFoundError(api, [entry.api for _, entry in here])

    def search(
        self,
        query: str,
        k: int = 10,
        category: str | None = None,
        tool: str | None = None,
        *,
        nearest: bool = False,
    ) -> Hits:
        """The APIs that fit a query best; for a service that is not there none, and a hint.

        Args:
            query: Words, a wish in full sentences, names, or `select:name,name`.
            k: How many at most.
            category: Only of this category.
            tool: Only of this tool.
            nearest: Whether what is nearest will do, also where a service is asked for that is not
                there.
        """
        found = self._search.hits(query, k, category, tool, nearest=nearest)
        return replace(found, catalogue=self)

    def describe(self, *names: str) -> list[dict[str, Any]]:
        """What a model is told of APIs: name, description and parameters of each.

        Raises:
            ToolNotFoundError: There is no API of a name.
        """
        return [self[name].definition() for name in names]

    def browse(
        self,
        category: str | None = None,
        tool: str | None = None,
        *,
        start: int = 0,
        limit: int | None = None,
    ) -> Listing:
        """What stands there: the categories, a category's tools, or a tool's APIs.

        Args:
            category: Whose tools are listed.
            tool: Whose APIs are listed; the category may be left out.
            start: From where.
            limit: How many at most.

        Raises:
            ToolNotFoundError: There is no such category or tool.
        """
        here = self._here(category, tool)
        named = [(self._shelves.name(number), entry) for number, entry in here]
        return listing_of(named, category, tool, start, limit)

    def tool_of(self, name: str) -> Tool:
        """The tool that makes the calls of an API.

        One that is only described gets a tool whose calls say so.

        Raises:
            ToolNotFoundError: There is no API of this name.
        """
        entry = self._shelves.entry(self._number(name))
        if not is_tool(entry.body):
            return self._tool_of_record(entry, name)
        if entry.body.name == name:
            return entry.body
        return entry.body.with_options(replace(entry.body.options, name=name, toolset=None))

    def close_names(self, name: str, k: int = 3) -> tuple[str, ...]:
        """The names that are nearest to one that there is not."""
        return self._search.close_names(name, k)

    def _tool_of_record(self, entry: Entry, name: str) -> Tool:
        record = entry.record
        if not record.get("api_url"):
            return _unavailable_tool(entry.api_called(name))
        if self._requests is None:
            from nbagents.openapi import RequestTools  # it brings an HTTP client

            self._requests = RequestTools()
        return self._requests.tool(record, name, entry.api_called(name).parameters)

    def _say(self, faults: list[str]) -> None:
        if not faults:
            return
        self.faults += tuple(faults)
        more = f" and {len(faults) - 1} more" if len(faults) > 1 else ""
        warnings.warn(f"{faults[0]}{more} (see catalogue.faults)", stacklevel=3)

    def _number(self, name: str) -> int:
        number = self._shelves.number(name)
        if number is None:
            raise ToolNotFoundError(name, self.close_names(name))
        return number

    def _here(self, category: str | None, tool: str | None) -> list[tuple[int, Entry]]:
        """What stands in a category or tool; there must be something, where one is named."""
        found = self._shelves.in_place(category, tool)
        if not found and (asked := tool or category):
            places = {one.tool if tool else one.category for _, one in self._shelves}
            raise ToolNotFoundError(asked, sorted(places))
        return found


def _lost(names: list[str]) -> list[str]:
    """What is said of operations whose place those of another server take."""
    if not names:
        return []
    more = f" and {len(names) - 1} more" if len(names) > 1 else ""
    said = f"{names[0]}{more} went to another server before: now the last that was added counts."
    return [f"{said} To have both, name one of the documents: nba.OpenAPI(…, name=…)."]


def _one_of(what: str, given: Any, known: tuple[Any, ...]) -> Any:  # Any: of a `Literal`
    if given not in known:
        words = ", ".join(map(repr, known))
        raise ValueError(f"{what} is {given!r}: take one of {words}.")
    return given


def _tokens(given: object) -> int | None:
    if given is None or (isinstance(given, int) and not isinstance(given, bool) and given > 0):
        return given
    raise ValueError(f"context_tokens is {given!r}: give a positive whole number, or leave it out.")


def _unavailable_tool(api: Api) -> Tool:
    """A tool that takes what the API takes, and whose every call says that it cannot be made."""

    def call(arguments: dict[str, Any]) -> Never:
        del arguments
        raise ToolError(
            f"{api.name} ({api.tool}) is only described here: its record says neither where a "
            "request goes nor which function is called, so it cannot be executed.",
            kind="unavailable",
        )

    options = ToolOptions(strict=False)
    return Tool.from_schema(api.name, api.description, api.parameters, call, options)
