"""A catalogue as code reaches it: each API by its name, and none is offered to a model."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from nbagents.catalogue import Catalogue
    from nbagents.tools.tool import Tool


class Reach:
    """A catalogue all of whose tools may be called by their names, and found by code alone.

    Args:
        catalogue: The catalogue.
    """

    def __init__(self, catalogue: Catalogue) -> None:
        self._catalogue = catalogue
        self.defer: Final = "always"
        self.found: Final = "code"

    def tool_of(self, name: str) -> Tool:
        """See `Catalogue.tool_of`."""
        return self._catalogue.tool_of(name)

    def search(self, query: str, **options: Any) -> Any:  # Any: as the catalogue has it
        """See `Catalogue.search`."""
        return self._catalogue.search(query, **options)

    def __len__(self) -> int:
        return len(self._catalogue)

    def __contains__(self, name: object) -> bool:
        return name in self._catalogue

    def __getattr__(self, name: str) -> Any:
        return getattr(self._catalogue, name)
