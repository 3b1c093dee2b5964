"""Where APIs come from: files of records, documents, functions and toolsets."""

from nbagents.catalogue.sources.record_file import Batch, numbered
from nbagents.catalogue.sources.source import read_source

__all__ = ["Batch", "numbered", "read_source"]
