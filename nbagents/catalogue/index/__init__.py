"""The words of many APIs: terms, postings, their ranking, and the cache on disk."""

from nbagents.catalogue.index.cache import IndexCache
from nbagents.catalogue.index.index import DESCRIPTION, FIELDS, Index, Segment
from nbagents.catalogue.index.ranking import CATEGORY_SHARE, TOOL_SHARE, Ranking
from nbagents.catalogue.index.terms import as_written, chunks_of, terms_of, word_set

__all__ = [
    "CATEGORY_SHARE",
    "DESCRIPTION",
    "FIELDS",
    "TOOL_SHARE",
    "Index",
    "IndexCache",
    "Ranking",
    "Segment",
    "as_written",
    "chunks_of",
    "terms_of",
    "word_set",
]
