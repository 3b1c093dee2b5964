"""A gazetteer that needs no network: cities, countries and regions by their names."""

from nbagents_widgets.places.directory import PlacesMissingError, gazetteer
from nbagents_widgets.places.found import Place

__all__ = ["Place", "PlacesMissingError", "gazetteer"]
