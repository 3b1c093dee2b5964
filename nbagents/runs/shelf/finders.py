"""The tools by which a model finds others: `search_tools`, `describe_tools` and `call_tool`."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Final

from nbagents.errors import ToolError
from nbagents.results import Result
from nbagents.runs.shelf.hits import lines_of, table_of, takes_of
from nbagents.runs.shelf.manifest import manifest_of
from nbagents.tools.tool import CALL_TOOL as CALL
from nbagents.tools.tool import DESCRIBE_TOOLS as DESCRIBE
from nbagents.tools.tool import SEARCH_TOOLS as SEARCH
from nbagents.tools.tool import Tool, ToolOptions

if TYPE_CHECKING:
    from collections.abc import Sequence

    from nbagents.catalogue import Hit
    from nbagents.runs.shelf.shelf import Shelf

HITS: Final = 10
LOADED_AT_ONCE: Final = 5
"""So many of the hits are offered with the next request: more are seldom called."""
LISTED: Final = 40
"""Names of one page of a list."""
DESCRIBED: Final = 10

APPENDED: Final = "The tools that it finds can be called by their names after it."
BRIDGED: Final = f"Call what it finds with {CALL}."
TRY: Final = (
    "Try other words, the name of a service, or a category; if there is no tool for it, say so."
)
LOADED: Final = "Loaded: {names}. Call by name now."
ALREADY: Final = "{names} is already there: call it by its name."


class Finders:
    """The tools that find tools on a shelf.

    Args:
        shelf: What they look into.
    """

    def __init__(self, shelf: Shelf) -> None:
        self._shelf = shelf
        made = [
            _tool(SEARCH, self._search_words(), SEARCH_TAKES, self._search),
            _tool(DESCRIBE, self._describe_words(), DESCRIBE_TAKES, self._describe),
        ]
        if not shelf.is_appended:
            words = "Call a tool that was found."
            made.append(_tool(CALL, words, CALL_TAKES, self._call, is_open=True))
        self.tools: tuple[Tool, ...] = tuple(made)

    def _search_words(self) -> str:
        how = APPENDED if self._shelf.is_appended else BRIDGED
        return (
            f"Search {len(self._shelf):,} tools by words for what they do, the name of a service, "
            f"or names as `select:a,b`. {how} An empty query lists a category. "
            f"{manifest_of(self._shelf.catalogues)}"
        )

    def _describe_words(self) -> str:
        if self._shelf.is_appended:
            return "Load tools by name, so that they can be called."
        return "Say what tools take, by name, as JSON Schema."

    async def _search(self, given: dict[str, Any]) -> Result:
        query, category = given["query"], given.get("category") or None
        if not query.strip():
            return self._listed(category)
        already = self._shelf.named_in(query)
        hits, hint = self._shelf.search(query, category, HITS)
        if not hits:
            said = ALREADY.format(names=", ".join(already)) if already else f"{hint} {TRY}".strip()
            return Result(said, preview=f"{query}: nothing")
        told = self._after(hits, already)
        loaded = [hit.name for hit in hits if self._shelf.is_there(hit.name)]
        names = ", ".join(hit.name for hit in hits[:3])
        return Result(told, data=table_of(hits, loaded), preview=f"{query}: {names}")

    def _after(self, hits: Sequence[Hit], already: Sequence[str]) -> str:
        """What the model is told of hits, which are loaded as far as they are to be."""
        shelf = self._shelf
        there = [*already, *(hit.name for hit in hits if shelf.is_there(hit.name))]
        end = [ALREADY.format(names=", ".join(dict.fromkeys(there)))] if there else []
        if not shelf.is_appended:
            return lines_of(hits, self._takes(hits), [*end, HOW_BRIDGED])
        new = [hit.name for hit in hits if hit.name not in there]
        shelf.load(new[:LOADED_AT_ONCE])
        if new:
            end.append(HOW_LOADED if len(new) <= LOADED_AT_ONCE else HOW_SOME_LOADED)
        return lines_of(
            hits, self._takes([hit for hit in hits if not shelf.is_there(hit.name)]), end
        )

    def _takes(self, hits: Sequence[Hit]) -> dict[str, str]:
        tools = ((hit.name, self._shelf.tool(hit.name)) for hit in hits)
        return {name: takes_of(tool.schema.parameters) for name, tool in tools if tool is not None}

    def _listed(self, category: str | None) -> Result:
        """What stands in a category, or which there are."""
        pages = [
            one.browse(category, limit=LISTED)
            for one in self._shelf.catalogues
            if category is None or category in one.browse().names
        ]
        if not pages:
            names = dict.fromkeys(
                name for one in self._shelf.catalogues for name in one.browse().names
            )
            raise ToolError(
                f"There is no category {category!r}. There are: {', '.join(names)}.",
                kind="invalid_call",
            )
        return Result("\n".join(page.text for page in pages), preview=category or "categories")

    async def _describe(self, given: dict[str, Any]) -> Result:
        asked: list[str] = given["names"]
        told, found = list[str](), list[str]()
        for name in asked[:DESCRIBED]:
            meant = self._shelf.resolved(name)
            if meant is None:
                told.append(self._shelf.unknown(name))
            else:
                found.append(meant)
        if len(asked) > DESCRIBED:
            told.append(f"At most {DESCRIBED} at a time: ask again for the others.")
        if not self._shelf.is_appended:
            told = [*map(self._definition, found), *told]
        else:
            there = [name for name in found if self._shelf.is_there(name)]
            new = [name for name in found if name not in there]
            self._shelf.load(new)
            told += [LOADED.format(names=", ".join(new))] if new else []
            told += [ALREADY.format(names=", ".join(there))] if there else []
        return Result("\n".join(told), preview=", ".join(found) or "none")

    def _definition(self, name: str) -> str:
        tool = self._shelf.plain(name) or self._shelf.tool(name)
        if tool is None:  # it went meanwhile
            return self._shelf.unknown(name)
        said = {
            "name": tool.name,
            "description": tool.description,
            "parameters": tool.schema.parameters,
        }
        return json.dumps(said, ensure_ascii=False, separators=(",", ":"))

    async def _call(self, given: dict[str, Any]) -> None:
        """What it is called with was made into the tool's own call, where it names one."""
        del given
        raise ToolError(NAMELESS, kind="invalid_call")


NAMELESS: Final = f"Say which tool: {CALL}(name, arguments). {SEARCH}(query) finds some."
HOW_BRIDGED: Final = (
    f"{DESCRIBE}(names) says what they take in full; {CALL}(name, arguments) calls one."
)
HOW_LOADED: Final = "Call them by name now."
HOW_SOME_LOADED: Final = (
    f"Call them by name now. {DESCRIBE}(names) says more of those with brackets."
)

TEXT: Final = {"type": "string"}
SEARCH_TAKES: Final[dict[str, Any]] = {
    "type": "object",
    "properties": {
        "query": {"type": "string", "description": "A few words of what it is to do, or a name."},
        "category": {"type": "string", "description": "Only in this category."},
    },
    "required": ["query"],
    "additionalProperties": False,
}
DESCRIBE_TAKES: Final[dict[str, Any]] = {
    "type": "object",
    "properties": {"names": {"type": "array", "items": dict(TEXT)}},
    "required": ["names"],
    "additionalProperties": False,
}
CALL_TAKES: Final[dict[str, Any]] = {
    "type": "object",
    "properties": {
        "name": dict(TEXT),
        "arguments": {"type": "object", "description": "By name, as the tool takes them."},
    },
    "required": ["name"],
}


def _tool(
    name: str, description: str, takes: dict[str, Any], handler: Any, *, is_open: bool = False
) -> Tool:
    options = ToolOptions(
        ask="auto",  # to look is no deed, also where a run asks before each
        read_only=True,
        idempotent=True,
        strict=not is_open,
    )
    return Tool.from_schema(name, description, takes, handler, options)
