"""Catalogues in a notebook: a table to search in, live by a widget, still in what is saved."""

from nbagents.notebook.catalogues.example_call import example_arguments
from nbagents.notebook.catalogues.view import WIDGET_MIME, CatalogueView, show, show_view, still

__all__ = ["WIDGET_MIME", "CatalogueView", "example_arguments", "show", "show_view", "still"]
