"""Large sets of APIs: read from many sources, named, searched, described and called."""

from nbagents.catalogue.catalogue import SAMPLE, Catalogue, Defer, Found
from nbagents.catalogue.hit import Hit, Hits
from nbagents.catalogue.listing import Branch, Listing
from nbagents.catalogue.meaning import Embedder
from nbagents.catalogue.records import Api

__all__ = [
    "SAMPLE",
    "Api",
    "Branch",
    "Catalogue",
    "Defer",
    "Embedder",
    "Found",
    "Hit",
    "Hits",
    "Listing",
]
