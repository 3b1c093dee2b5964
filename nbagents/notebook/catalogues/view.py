"""`CatalogueView`: a catalogue to search in, with each API to open; also how it shows itself."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import traitlets
from nbagents_widgets import displays
from nbagents_widgets.displays import WIDGET_MIME
from nbagents_widgets.library import loader_for
from nbagents_widgets.still_or_live import StillOrLive

from nbagents.catalogue import Catalogue, Hits
from nbagents.notebook.catalogues.contents import (
    HITS,
    Example,
    Wanted,
    detail_of,
    hits_alone,
    shown_of,
    with_details,
)
from nbagents.notebook.catalogues.example_call import example_call
from nbagents.notebook.catalogues.static_form import shown_html, shown_text

if TYPE_CHECKING:
    from pydantic import JsonValue

LONGEST_QUERY: Final = 2_000


class CatalogueView(StillOrLive):
    """A table of a catalogue to search in; the search runs in the kernel, also while a cell runs.

    A catalogue and its hits show themselves in this way at the end of a cell. Where no page is
    watching (nbconvert, nbclient) no comm is opened, and the rows stand there with the first of
    them to open.

    Args:
        catalogue: The catalogue.
        query: What is searched for first; else its categories are listed.
        title: A name for people and screen readers.
        hits: Hits in it that are shown first, instead of a query's.
        example: Writes the call that is shown of an API.

    Example:
        >>> from nbagents import Catalogue
        >>> def forecast(city: str) -> str:
        ...     "Tell tomorrow's weather in a city."
        >>> print(CatalogueView(Catalogue(forecast), query="weather"))
        Catalogue · 1 API, 1 tool, 1 category
        “weather”: 1 hit
          forecast  0.77  Tell tomorrow's weather in a city  (weather)
    """

    _esm = loader_for("catalogue")

    # What is shown first (Any: JSON). Python writes, the page reads.
    shown: traitlets.Dict[str, Any] = traitlets.Dict().tag(sync=True)

    def __init__(
        self,
        catalogue: Catalogue,
        *,
        query: str = "",
        title: str = "",
        hits: Hits | None = None,
        example: Example = example_call,
    ) -> None:
        self._catalogue = catalogue
        self._example = example
        self._title = title
        super().__init__(shown=self._first(query if hits is None else hits.query, hits))

    def look_for(self, query: str) -> None:
        """Show what a query finds, instead of what is shown."""
        self.shown = self._first(query, None)

    def answer(self, question: Any) -> JsonValue:  # Any: JSON of the page's
        """Give what a page asks for: rows, or all of one API; in any thread.

        Raises:
            ToolNotFoundError: There is no such API, category or tool.
            ValueError: The question is none.
        """
        match question:
            case {"describe": str(name)}:
                return detail_of(self._catalogue[name], self._example)
            case {"query": str(query), **asked}:
                wanted = Wanted(
                    query=query[:LONGEST_QUERY],
                    category=_text(asked.get("category")),
                    tool=_text(asked.get("tool")),
                    start=_number(asked.get("start"), 0),
                    limit=_number(asked.get("limit"), HITS),
                )
                return shown_of(self._catalogue, wanted, title=self._title)
            case _:
                raise ValueError("A catalogue is asked to `describe` a name, or for a `query`.")

    def still(self) -> dict[str, Any]:
        """The rows as HTML and as text, which no kernel is needed for."""
        return _bundle(self.shown)

    def __repr__(self) -> str:
        return shown_text(self.shown)

    def _first(self, query: str, hits: Hits | None) -> dict[str, JsonValue]:
        shown = shown_of(self._catalogue, Wanted(query=query), title=self._title, hits=hits)
        return with_details(self._catalogue, shown, self._example)


def show(given: Catalogue | Hits) -> None:
    """Show a catalogue or hits in the current cell: live where a page is watching."""
    view = _view_of(given)
    displays.show(still(given) if view is None else view, is_bundle=view is None)


def still(given: Catalogue | Hits) -> dict[str, Any]:
    """The static form of a catalogue or of hits, by MIME type."""
    if isinstance(given, Catalogue):
        return _bundle(with_details(given, shown_of(given, Wanted())))
    if not isinstance(given.catalogue, Catalogue):
        return _bundle(hits_alone(given))
    shown = shown_of(given.catalogue, Wanted(query=given.query), hits=given)
    return _bundle(with_details(given.catalogue, shown))


def _view_of(given: Catalogue | Hits) -> CatalogueView | None:
    """A view; none of hits of which nobody knows the catalogue."""
    if isinstance(given, Catalogue):
        return CatalogueView(given)
    if isinstance(given.catalogue, Catalogue):
        return CatalogueView(given.catalogue, hits=given)
    return None


def _bundle(shown: dict[str, Any]) -> dict[str, Any]:
    return {
        "text/plain": shown_text(shown),
        "text/html": str(shown_html(shown)),
        WIDGET_MIME: {"kind": "catalogue", "value": shown},
    }


def _text(value: object) -> str | None:
    return value if isinstance(value, str) and value else None


def _number(value: object, usual: int) -> int:
    return value if isinstance(value, int) and not isinstance(value, bool) else usual
