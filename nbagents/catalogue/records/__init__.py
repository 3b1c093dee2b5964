"""What one API is: its record, its entry in a catalogue, and the name that a provider takes."""

from nbagents.catalogue.records.entry import (
    Entry,
    entry_of_operation,
    entry_of_record,
    entry_of_tool,
)
from nbagents.catalogue.records.provider_name import Identity, NameBook
from nbagents.catalogue.records.record import Api, Record, is_record, records_of

__all__ = [
    "Api",
    "Entry",
    "Identity",
    "NameBook",
    "Record",
    "entry_of_operation",
    "entry_of_record",
    "entry_of_tool",
    "is_record",
    "records_of",
]
