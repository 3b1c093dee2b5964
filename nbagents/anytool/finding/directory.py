"""What agents see of a catalogue: categories, tools and APIs, the likeliest for a request first."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, TypeAlias, TypeVar

from nbagents.errors import ToolError, ToolNotFoundError, did_you_mean
from nbagents.narrowing import dict_of, is_list

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from nbagents.catalogue import Api, Catalogue, Hits

T = TypeVar("T")

DEPTH: Final = 200
"""So many hits say which categories and tools come first."""
SUMMARY: Final = 160
"""Characters of a description in a list."""
NAMED: Final = 3
"""APIs that are named of a tool, so that its name is understood."""
NO_PAGE: Final = "There are {pages} pages, from 1: there is no page {page}."
NONE: Final = "There is no {what} {name!r}{where}.{hint}"

Sheet: TypeAlias = dict[str, Any]  # Any: JSON


@dataclass(frozen=True, slots=True, kw_only=True)
class Paging:
    """How much is listed at once."""

    categories: int = 200
    tools: int = 60
    apis: int = 40
    names: int = 200
    """APIs of which, beyond those, the names are listed."""


class Directory:
    """A catalogue, in the order that a request's words suggest.

    Args:
        catalogue: The catalogue.
        query: The request.
        paging: How much is listed at once.
    """

    def __init__(self, catalogue: Catalogue, query: str, paging: Paging) -> None:
        self.catalogue = catalogue
        self.query = query
        self.paging = paging
        self._tools: dict[str, tuple[str, ...]] = {}
        self._categories: tuple[str, ...] | None = None

    def seeds(self, count: int) -> list[Api]:
        """The APIs that a plain search finds."""
        hits = self._hits(count) if count else ()
        return [self.catalogue[one.name] for one in hits]

    def _hits(self, k: int, category: str | None = None, tool: str | None = None) -> Hits:
        return self.catalogue.search(self.query, k, category, tool, nearest=True)

    @property
    def categories(self) -> tuple[str, ...]:
        """All categories."""
        if self._categories is None:
            hits = self._hits(DEPTH)
            there = self.catalogue.browse().names if len(self.catalogue) else ()
            self._categories = _first((one.category for one in hits), there)
        return self._categories

    def category(self, name: str) -> str:
        """A category as it is called here, also of a name in other letters.

        Raises:
            ToolError: There is none.
        """
        return _called(name, self.categories, "category", "")

    def tools(self, category: str) -> tuple[str, ...]:
        """All tools of a category."""
        if category not in self._tools:
            hits = self._hits(DEPTH, category)
            there = self.catalogue.browse(category=category).names
            self._tools[category] = _first((one.tool for one in hits), there)
        return self._tools[category]

    def tool(self, category: str, name: str) -> str:
        """A tool as it is called here.

        Raises:
            ToolError: There is none in that category.
        """
        return _called(name, self.tools(category), "tool", f" in the category {category!r}")

    def apis(self, category: str, tools: Iterable[str]) -> list[Api]:
        """All APIs of some tools of a category, the likeliest first."""
        there: list[str] = []
        ranked: dict[str, float] = {}
        for tool in tools:
            names = self.catalogue.browse(category=category, tool=tool).names
            there += names
            hits = self._hits(len(names), category, tool)
            ranked |= {one.name: one.score for one in hits}
        best = sorted(there, key=lambda name: -ranked.get(name, 0.0))
        return [self.catalogue[name] for name in best]

    def api(self, category: str, tool: str, api: str) -> Api:
        """An API, by its own name or by the one that models call it by.

        Raises:
            ToolError: There is none.
        """
        category = self.category(category)
        tool = self.tool(category, tool)
        there = {one.api: one for one in self.apis(category, [tool])}
        by_name = {one.name: one for one in there.values()}
        if api in by_name and api not in there:
            return by_name[api]
        return there[_called(api, tuple(there), "API", f" in the tool {tool!r}")]

    # As a model reads it: JSON with plain names.

    def category_sheet(self, page: int = 1) -> Sheet:
        """The names of categories."""
        names, more = paged(self.categories, page, self.paging.categories)
        return {"categories": names, **more}

    def tool_sheet(self, category: str, page: int = 1) -> Sheet:
        """The names of a category's tools."""
        names, more = paged(self.tools(category), page, self.paging.tools)
        return {"category": category, "tools": names, **more}

    def description_sheet(self, category: str, tools: Iterable[str]) -> Sheet:
        """What tools are for: how many APIs each has, and the likeliest of them."""
        return {
            "category": category,
            "descriptions": [self._described(category, one) for one in tools],
        }

    def _described(self, category: str, tool: str) -> Sheet:
        apis = self.apis(category, [tool])
        shown = [f"{one.api}: {_short(one.description)}".rstrip(": ") for one in apis[:NAMED]]
        return {"tool": tool, "apis": len(apis), "for_example": shown}

    def api_sheet(self, category: str, tools: Sequence[str], page: int = 1) -> Sheet:
        """The APIs of tools with their parameters, and the names of those on later pages."""
        whole = self.apis(category, tools)
        apis, more = paged(whole, page, self.paging.apis)
        rest = whole[page * self.paging.apis :][: self.paging.names]
        sheet: Sheet = {"category": category, "apis": [api_line(one) for one in apis], **more}
        if rest:
            sheet["names_on_later_pages"] = [api_key(one) for one in rest]
        return sheet


def api_line(api: Api) -> Sheet:
    """An API as an agent reads it: its key, what it does, and its parameters with their types."""
    line = api_key(api)
    if said := _short(api.description):
        line["description"] = said
    if parameters := parameter_types(api.parameters):
        line["parameters"] = parameters
    return line


def api_key(api: Api) -> Sheet:
    """How an API is called: in its tool, and by the solver."""
    return {"tool": api.tool, "api": api.api, "name": api.name}


def parameter_types(schema: Mapping[str, Any]) -> dict[str, str]:
    """The parameters with their types; those that may be left out end in `?`."""
    required = schema.get("required") or ()
    return {
        name: _type_of(one) + ("" if name in required else "?")
        for name, one in dict_of(schema.get("properties")).items()
    }


def _type_of(schema: object) -> str:
    said = dict_of(schema)
    kind: object = said.get("type")
    if is_list(kind):
        return "|".join(map(str, kind))
    return kind if isinstance(kind, str) else "any"


def paged(names: Sequence[T], page: int, size: int) -> tuple[list[T], Sheet]:
    """One page, and where there are several, which it is.

    Raises:
        ToolError: There is no such page.
    """
    pages = max(1, -(-len(names) // size))
    if not 1 <= page <= pages:
        raise ToolError(NO_PAGE.format(pages=pages, page=page), kind="invalid_call")
    more: Sheet = {} if pages == 1 else {"page": page, "pages": pages, "total": len(names)}
    return list(names[(page - 1) * size : page * size]), more


def _first(likely: Iterable[str], there: Iterable[str]) -> tuple[str, ...]:
    """What there is, the likely ones first."""
    return tuple(dict.fromkeys((*likely, *there)))


def _called(name: str, there: Sequence[str], what: str, where: str) -> str:
    if name in there:
        return name
    alike = [one for one in there if _plain(one) == _plain(name)]
    if len(alike) == 1:
        return alike[0]
    hint = did_you_mean(name, there)
    raise ToolError(NONE.format(what=what, name=name, where=where, hint=hint), kind="invalid_call")


def _plain(name: str) -> str:
    return "".join(one for one in name.casefold() if one.isalnum())


def _short(text: str) -> str:
    said = " ".join(text.split())
    return said if len(said) <= SUMMARY else f"{said[: SUMMARY - 1].rstrip()}…"


def known_tools(directory: Directory, category: str, tools: Iterable[str]) -> list[str]:
    """Tools as they are called here, each once.

    Raises:
        ToolNotFoundError: There are none given.
        ToolError: One is not there.
    """
    found = list(dict.fromkeys(directory.tool(category, one) for one in tools))
    if not found:
        raise ToolNotFoundError("", directory.tools(category))
    return found
