"""JSON Schema, whoever wrote it: references, faults, the strict form, arguments held against it."""

from nbagents.tools.json_schema.arguments_text import read_arguments, read_json
from nbagents.tools.json_schema.flat_schema import is_same
from nbagents.tools.json_schema.null_meaning import null_dropper
from nbagents.tools.json_schema.parameter_lists import (
    PARAMETER_LISTS,
    listed_parameters,
    schema_of_lists,
)
from nbagents.tools.json_schema.reference import Schema, resolved_ref, target_of
from nbagents.tools.json_schema.schema_faults import fault_of
from nbagents.tools.json_schema.strict_form import strict_schema
from nbagents.tools.json_schema.type_names import json_schema_of
from nbagents.tools.json_schema.validation import fitted

__all__ = [
    "PARAMETER_LISTS",
    "Schema",
    "fault_of",
    "fitted",
    "is_same",
    "json_schema_of",
    "listed_parameters",
    "null_dropper",
    "read_arguments",
    "read_json",
    "resolved_ref",
    "schema_of_lists",
    "strict_schema",
    "target_of",
]
