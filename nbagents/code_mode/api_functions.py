"""`apis(catalogue)`: the APIs of a catalogue as async functions, by name and by group."""

from __future__ import annotations

import asyncio
from contextvars import ContextVar
from typing import TYPE_CHECKING, Any, Final, Self

from nbagents.catalogue import Catalogue
from nbagents.code_mode.errand import BY_CODE, BY_HAND, CodeAgent, Errand
from nbagents.code_mode.stub import python_name, stub_of
from nbagents.errors import did_you_mean
from nbagents.runs.drive import run_async
from nbagents.runs.shelf import written_like
from nbagents.tools.context import Context, current_sink

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Iterable, Mapping

    from nbagents.catalogue import Hits, Listing

YOU: Final = "you"
APIS: Final = "apis"
BY_CODE_WORDS: Final = "Called by code."
BY_HAND_WORDS: Final = "Called by hand."
CLOSE: Final = 3
SHOWN: Final = 4000
"""Names that Tab offers at once; of more, the groups."""

calling: ContextVar[Callable[[Apis, str, Mapping[str, Any]], Awaitable[Any]] | None] = ContextVar(
    "nbagents_calling", default=None
)
"""Makes the calls of the code that runs here, where that has a way of its own."""


def apis(catalogue: Catalogue | Any) -> Apis:  # Any: whatever a catalogue is made from
    """The APIs of a catalogue as async functions.

    Args:
        catalogue: A catalogue, or what one is made from: functions, toolsets, documents, files.

    Example:
        >>> import asyncio
        >>> async def double(number: int) -> int:
        ...     "Double a number."
        ...     return 2 * number
        >>> api = apis(double)
        >>> asyncio.run(api.double(21))
        42
    """
    return Apis(catalogue if isinstance(catalogue, Catalogue) else Catalogue(catalogue))


class Apis:
    """The APIs of a catalogue: `await apis.search("words")`, `await apis.NAME(...)`.

    A call is a call of a run: inside of a tool it stands in the tree of that tool's call; by hand,
    in a run of its own. All that are made at the same time, e.g. with `asyncio.gather`, stand
    together; `async with apis:` holds one run open for all that is called in it.

    Args:
        catalogue: The catalogue.
    """

    def __init__(self, catalogue: Catalogue) -> None:
        self._catalogue = catalogue
        self._errands: dict[object, Errand] = {}
        self._stubs: tuple[int, dict[str, Callable[..., Awaitable[Any]]]] = (-1, {})
        self._names: tuple[int, dict[str, str]] = (-1, {})
        self._grouped: tuple[int, dict[str, Group]] = (-1, {})

    @property
    def catalogue(self) -> Catalogue:
        """Where they are."""
        return self._catalogue

    async def search(
        self, query: str, k: int = 10, category: str | None = None, tool: str | None = None
    ) -> Hits:
        """The APIs that fit a query best; see `Catalogue.search`."""
        return self._catalogue.search(query, k=k, category=category, tool=tool)

    def describe(self, *names: str) -> list[dict[str, Any]]:
        """What APIs take; see `Catalogue.describe`."""
        return self._catalogue.describe(*names)

    def browse(self, category: str | None = None, tool: str | None = None) -> Listing:
        """What stands there; see `Catalogue.browse`."""
        return self._catalogue.browse(category, tool)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        found = self._found(name)
        if found is None:
            raise AttributeError(self._unknown(name), name=name, obj=self)
        return found

    def __getitem__(self, name: str) -> Callable[..., Awaitable[Any]]:
        return self._stub(name)

    def __contains__(self, name: object) -> bool:
        return name in self._catalogue

    def __len__(self) -> int:
        return len(self._catalogue)

    def __dir__(self) -> list[str]:
        names = self._by_python_name()
        own = [name for name in super().__dir__() if not name.startswith("_")]
        return [*own, *(names if len(names) <= SHOWN else ()), *self._groups()]

    def _ipython_key_completions_(self) -> list[str]:
        return list(self._catalogue.names)

    def __repr__(self) -> str:
        return f"<apis of {len(self._catalogue):,}: await apis.search('…'), await apis.NAME(…)>"

    async def __aenter__(self) -> Self:
        key = _here()
        self._errands[key] = self._errand(key, is_held=True)
        return self

    async def __aexit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        errand = self._errands.pop(_here(), None)
        if errand is None:
            return
        if isinstance(error, asyncio.CancelledError):
            await errand.end()
        else:
            await errand.close()

    # How names are found.

    def _found(self, name: str) -> Any:
        whole = self._by_python_name().get(name)
        if whole is not None:
            return self._stub(whole)
        return self._groups().get(name)

    def _by_python_name(self) -> dict[str, str]:
        version = self._catalogue.version
        if self._names[0] != version:
            names = {python_name(name): name for name in reversed(self._catalogue.names)}
            self._names = version, names | {name: name for name in names.values()}
        return self._names[1]

    def _groups(self) -> dict[str, Group]:
        """The tools by what they are called in Python."""
        version = self._catalogue.version
        if self._grouped[0] != version:
            places: dict[str, list[tuple[str, str]]] = {}
            for category, tool in self._catalogue.places:
                places.setdefault(python_name(tool.lower()), []).append((category, tool))
            groups = {name: Group(self, name, found) for name, found in sorted(places.items())}
            self._grouped = version, groups
        return self._grouped[1]

    def _stub(self, name: str) -> Callable[..., Awaitable[Any]]:
        """The function of an API: always the same one, until the catalogue changes.

        Raises:
            ToolNotFoundError: There is none of this name.
        """
        version = self._catalogue.version
        if self._stubs[0] != version:
            self._stubs = version, {}
        known = self._stubs[1]
        if name not in known:
            known[name] = stub_of(self._catalogue[name], self._call)
        return known[name]

    def _unknown(self, name: str) -> str:
        close = written_like(name, self._by_python_name(), CLOSE)
        near = f" Close: {', '.join(close)}." if close else did_you_mean(name, [*self._groups()])
        return f"There is no API {name!r}.{near} await apis.search('words') finds others."

    # How they are called.

    async def _call(self, name: str, arguments: Mapping[str, Any]) -> Any:
        """Make a call where the code runs that asks for it."""
        if (own := calling.get()) is not None:
            return await own(self, name, arguments)
        key = _here()
        errand = self._errands.get(key)
        if errand is None or errand.is_over:
            errand = self._errands[key] = self._errand(key)
        try:
            return await errand.call(name, arguments)
        finally:
            if errand.is_over and self._errands.get(key) is errand:
                del self._errands[key]

    def _errand(self, key: object, *, is_held: bool = False) -> Errand:
        if isinstance(key, Context):
            return errand_in(key, self._catalogue, is_held=is_held)
        return Errand(self._catalogue, _by_hand, name=YOU, model=BY_HAND, is_held=is_held)


def errand_in(context: Context, catalogue: Catalogue, *, is_held: bool = False) -> Errand:
    """A run inside of the call that a context is of, in which code calls APIs."""

    async def inside(agent: CodeAgent) -> None:
        await context.run(agent, BY_CODE_WORDS)

    return Errand(catalogue, inside, name=APIS, model=BY_CODE, is_held=is_held)


async def _by_hand(agent: CodeAgent) -> None:
    await run_async(*agent.begin(BY_HAND_WORDS))


def _here() -> object:
    """What the code runs in: the context of a call, else the loop, where a person calls."""
    context: object = getattr(current_sink(), "context", None)
    return context if isinstance(context, Context) else asyncio.get_running_loop()


class Group:
    """The APIs of one tool, by their own names.

    Args:
        home: Where they are.
        name: What the group is called in Python.
        places: The category and the tool, of each that is called so.
    """

    def __init__(self, home: Apis, name: str, places: Iterable[tuple[str, str]]) -> None:
        self._home = home
        self._name = name
        self._places = tuple(places)

    def __getattr__(self, name: str) -> Callable[..., Awaitable[Any]]:
        if name.startswith("__"):
            raise AttributeError(name)
        found = self._members()
        if name not in found:
            hint = did_you_mean(name, list(found))
            raise AttributeError(f"{self._name} has no API {name!r}.{hint}", name=name, obj=self)
        return self._home[found[name]]

    def __dir__(self) -> list[str]:
        return list(self._members())

    def __repr__(self) -> str:
        return f"<apis.{self._name}: {', '.join(self._members())}>"

    def _members(self) -> dict[str, str]:
        """The names of the APIs by what they are called in Python."""
        catalogue = self._home.catalogue
        listed = [one.name for place in self._places for one in catalogue.browse(*place)]
        own = {python_name(catalogue[name].api): name for name in reversed(listed)}
        return dict(sorted(own.items()))
