"""From a function to the JSON Schema that a model sees, and from its arguments back to the call."""

from nbagents.tools.schema.binding import Bound, Issues, Schema
from nbagents.tools.schema.docstring import DocstringStyle, read_docstring
from nbagents.tools.schema.function_parameters import FunctionSchema, function_schema
from nbagents.tools.schema.live_hints import ANY_OR_NAME, UNHINTED
from nbagents.tools.schema.raw_parameters import RawSchema, raw_schema
from nbagents.tools.schema.schema_writer import SchemaWriter
from nbagents.tools.schema.signature import Parameter, enclosing_names, read_signature

__all__ = [
    "ANY_OR_NAME",
    "UNHINTED",
    "Bound",
    "DocstringStyle",
    "FunctionSchema",
    "Issues",
    "Parameter",
    "RawSchema",
    "Schema",
    "SchemaWriter",
    "enclosing_names",
    "function_schema",
    "raw_schema",
    "read_docstring",
    "read_signature",
]
