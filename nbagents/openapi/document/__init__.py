"""OpenAPI documents: read without harm, looked up lazily, their faults said by place."""

from nbagents.openapi.document.document import METHODS, Document, document_of
from nbagents.openapi.document.fault import DocumentError
from nbagents.openapi.document.schema_form import SchemaForm, WrittenSchema

__all__ = [
    "METHODS",
    "Document",
    "DocumentError",
    "SchemaForm",
    "WrittenSchema",
    "document_of",
]
