"""A shelf: the tools that a run may call although its model is not shown them all.

A tool is *loaded* when a search found it, or when it was called by its name. Where found tools are
appended, those loaded are offered with the next request, after all that was offered before. A call
of one through `call_tool` is made into a call of the tool itself before anybody sees it: it is
asked about, shown, logged and counted as what it is, with the arguments that run.
"""

from __future__ import annotations

import json
import re
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from nbagents.errors import did_you_mean
from nbagents.runs.shelf.found_before import found_before
from nbagents.runs.shelf.near_names import ending_in, written_like
from nbagents.tools.call import Offered
from nbagents.tools.json_schema import read_arguments
from nbagents.tools.tool import CALL_TOOL as CALL
from nbagents.tools.tool import SEARCH_TOOLS as SEARCH
from nbagents.tools.tool import resolve_tools

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from nbagents.catalogue import Catalogue, Hit
    from nbagents.messages import CallRequest
    from nbagents.runs.tree import RunNode
    from nbagents.tools.tool import Tool

MOST_LOADED: Final = 64
"""Of more tools those go that were found first and never called; providers take 128 at most."""
CLOSE: Final = 3
PARTS: Final = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])|\d+")


class Shelf:
    """The tools of catalogues, for one run.

    Args:
        catalogues: Where they are found.
        found: How the model is given what was found; see `Catalogue`. `"code"`: it finds nothing.
        may: Whether a tool may be used here at all.
        offer_of: What says of a tool, at each step, whether it is offered; `None`: it always is.
    """

    def __init__(
        self,
        catalogues: Sequence[Catalogue],
        *,
        found: str,
        may: Callable[[Tool], bool] = lambda _: True,
        offer_of: Callable[[Tool], Callable[..., object] | None] = lambda _: None,
    ) -> None:
        self.catalogues = tuple(catalogues)
        self.is_appended = found == "append"
        """Whether found tools are offered with the next request."""
        self.offer_of = offer_of
        self._may = may
        self._plain: Mapping[str, Tool] = {}
        self._tools: dict[str, Tool | None] = {}
        self._loaded: dict[str, Tool] = {}
        self._let_in: dict[str, Tool] = {}
        self._called: set[str] = set()
        self.finders: tuple[Tool, ...] = ()
        """The tools by which a model finds others; see `Finders`."""

    def stand_beside(self, plain: Iterable[Tool]) -> None:
        """Know the tools that the model is offered from the beginning: they come first."""
        self._plain = {tool.name: tool for tool in plain}

    # What there is.

    def __len__(self) -> int:
        return sum(map(len, self.catalogues))

    def tool(self, name: str) -> Tool | None:
        """The tool of a name, if there is one that may be used here; always the same one."""
        if name not in self._tools:
            self._tools[name] = self._made(name)
        return self._tools[name]

    def _made(self, name: str) -> Tool | None:
        home = next((one for one in self.catalogues if name in one), None)
        enabled = () if home is None else resolve_tools([home.tool_of(name)])
        return next(filter(self._may, enabled), None)

    def plain(self, name: str) -> Tool | None:
        """The tool of a name among those that are offered anyway, but for the finders."""
        tool = self._plain.get(name)
        return None if tool is None or tool in self.finders else tool

    def is_finder(self, name: str) -> bool:
        """Whether this only finds tools."""
        return any(one.name == name for one in self.finders)

    def is_there(self, name: str) -> bool:
        """Whether the model can call it by its name without any search."""
        return name in self._loaded or self.plain(name) is not None

    def named_in(self, query: str) -> list[str]:
        """The tools offered anyway that a query names, also in other letters."""
        words = frozenset(_parts(query))
        names = (name for name in self._plain if self.plain(name) is not None)
        return [name for name in names if (parts := _parts(name)) and words.issuperset(parts)]

    def resolved(self, name: str) -> str | None:
        """The name that is meant: itself, or the one that it is the last part of.

        A model may leave out what stands before the last border of a name, or put something with a
        dot before it. Where two would fit, none is meant.
        """
        for asked in dict.fromkeys((name, name.rpartition(".")[2])):
            if self.plain(asked) is not None or self.tool(asked) is not None:
                return asked
            fitting = self._ending_in(asked)
            if len(fitting) == 1 and (self.plain(fitting[0]) or self.tool(fitting[0])):
                return fitting[0]
        return None

    def _ending_in(self, asked: str) -> list[str]:
        return ending_in(asked, self._names())

    def _names(self) -> Iterator[str]:
        return (name for one in self.catalogues for name in one.names)

    def unknown(self, name: str) -> str:
        """What is said of a name that is none."""
        near = [*self._ending_in(name), *written_like(name, self._names(), CLOSE)]
        near += (one for each in self.catalogues for one in each.close_names(name))
        close = [one for one in dict.fromkeys(near) if self.tool(one) is not None][:CLOSE]
        offered = [one for one in self._plain if not self.is_finder(one)]
        said = f" Close: {', '.join(close)}." if close else did_you_mean(name, offered)
        return f"There is no tool {name!r}.{said} {SEARCH}(query) finds others."

    def has_toolset(self, name: str) -> bool:
        """Whether something on it belongs to a toolset of this name, or is called so."""
        if self.resolved(name) is not None:
            return True
        tools = (self.tool(one) for each in self.catalogues for one in each.names)
        return any(one and name in (one.options.toolset, one.original_toolset) for one in tools)

    def search(self, query: str, category: str | None, k: int) -> tuple[list[Hit], str]:
        """The best hits of all catalogues, and a hint where there are none."""
        found = [one.search(query, k=k, category=category) for one in self.catalogues]
        hits = [hit for each in found for hit in each if self.tool(hit.name) is not None]
        if len(found) > 1:
            hits.sort(key=lambda hit: (-hit.score, hit.name))
        return hits[:k], next((each.hint for each in found if each.hint), "")

    # What the model may call.

    @property
    def loaded(self) -> tuple[Tool, ...]:
        """Those that were found or called, in the order in which they were."""
        return tuple(self._loaded.values())

    @property
    def shown(self) -> tuple[Tool, ...]:
        """Those that are offered after all others."""
        return self.loaded if self.is_appended else ()

    @property
    def known(self) -> tuple[Tool, ...]:
        """Those that calls may be of."""
        return tuple({**self._loaded, **self._let_in}.values())

    def load(self, names: Iterable[str]) -> None:
        """Have tools offered from the next request on; those that are none are passed over."""
        for name in names:
            if self.plain(name) is None and (tool := self.tool(name)) is not None:
                self._loaded.setdefault(name, tool)
        spare = [name for name in self._loaded if name not in self._called]
        for name in spare[: max(0, len(self._loaded) - MOST_LOADED)]:
            del self._loaded[name]

    def recall(self, nodes: Iterable[RunNode], calls: Iterable[str] = ()) -> None:
        """Load what was found before, as the tree tells it.

        Args:
            nodes: The run that goes on, and those that it goes on with, the oldest first.
            calls: The names of tools whose calls are still to be made.
        """
        self.load(found_before(nodes))
        self.let_in(filter(None, map(self.tool, calls)))

    def meant(self, call: CallRequest) -> CallRequest:
        """The call that a model means: of the tool itself, where it named it in another way."""
        if call.name == CALL:
            return self._inner(call) or call
        if call.name in self._plain:
            return call
        name = self.resolved(call.name)
        return call if name in (None, call.name) else replace(call, name=name)

    def _inner(self, call: CallRequest) -> CallRequest | None:
        """What `call_tool` is to call, also where there is none; `None`: it does not say."""
        given, problem = read_arguments(call.arguments)
        if problem is not None or not isinstance(given, dict):
            return None
        wanted = given.get("name")
        if not isinstance(wanted, str) or wanted in ("", CALL):
            return None
        name = self.resolved(wanted) or wanted
        rest = {key: one for key, one in given.items() if key != "name"}
        inner = rest.get("arguments", rest)
        if inner is None:
            inner = {}
        text = inner if isinstance(inner, str) else json.dumps(inner, ensure_ascii=False)
        return replace(call, name=name, arguments=text)

    def wanted_by(self, calls: Iterable[CallRequest]) -> tuple[Tool, ...]:
        """The tools of calls that are to be let in."""
        found = (self.tool(one.name) for one in calls if one.name not in self._plain)
        return tuple(dict.fromkeys(one for one in found if one is not None))

    def let_in(self, tools: Iterable[Tool]) -> None:
        """Have the calls of one answer be of these, too; they are loaded."""
        self._let_in = {tool.name: tool for tool in tools}
        self._called.update(self._let_in)
        self.load(self._let_in)

    def over(self, offered: Mapping[str, Tool]) -> Offered:
        """The tools that calls may be of now."""
        return Offered({**offered, **self._let_in}, self.unknown)


def _parts(text: str) -> list[str]:
    return [part.lower() for part in PARTS.findall(text)]
