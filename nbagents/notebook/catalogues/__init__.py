"""Catalogues in a notebook: a table to search in, live by a widget, still in what is saved."""

from nbagents.notebook.catalogues.example_call import example_arguments
from nbagents.notebook.catalogues.view import CatalogueView, show, still

__all__ = ["CatalogueView", "example_arguments", "show", "still"]
