"""How catalogues and hits show themselves at the end of a cell.

This room knows no notebook: what draws them there is found by its name when something is displayed.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any, Final

DRAWN_BY: Final = "nbagents.notebook.catalogues"


class Displayed:
    """What a notebook shows as a table to search in; elsewhere it is its text."""

    __slots__ = ()

    def _ipython_display_(self) -> None:
        _drawer().show(self)

    def _repr_mimebundle_(self, **_options: object) -> dict[str, object]:
        """The static form, as a saved notebook shows it."""
        return _drawer().still(self)


def _drawer() -> Any:  # Any: a module that stands above this room
    return import_module(DRAWN_BY)
