"""pydantic's writer of JSON Schema: without titles and what says nothing, and quicker.

The result is pydantic's own. What is left out is what most schemas do not need: a handler around a
type that brings no code of its own, and the search for names of definitions where all short ones
differ.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, cast

from pydantic import BaseModel
from pydantic.json_schema import GenerateJsonSchema, JsonSchemaWarningKind

__all__ = ["SchemaWriter", "written_schema"]


class SchemaWriter(GenerateJsonSchema):
    """pydantic's writer without titles made from names, which cost tokens and say nothing."""

    def field_title_should_be_set(self, schema: Any) -> bool:  # noqa: ARG002  pydantic's name and type
        """Never: the name says it already."""
        return False

    def default_schema(self, schema: Any) -> Any:
        """Without `default: null`, which only says once more that null fits."""
        if schema.get("default", ...) is None:
            return self.generate_inner(schema["schema"])
        return super().default_schema(schema)

    def is_subclass_schema(self, schema: Any) -> Any:
        """Refused: pydantic would say that anything fits, and then take nothing."""
        return self.handle_invalid_for_json_schema(schema, "a class has no form in JSON")

    def emit_warning(self, kind: JsonSchemaWarningKind, detail: str) -> None:
        """Say nothing: a default without JSON form is simply not told."""


def written_schema(model: type[BaseModel]) -> dict[str, Any]:
    """The JSON Schema of a model's input."""
    try:
        return model.model_json_schema(schema_generator=_QuickWriter)
    except _SameNameError:
        return model.model_json_schema(schema_generator=SchemaWriter)


class _SameNameError(Exception):
    """Two types have the same short name."""


class _Methods(dict[str, Callable[[Any], Any]]):
    """A writer's method for each kind of core schema, looked up when one is met."""

    def __init__(self, writer: GenerateJsonSchema) -> None:
        super().__init__()
        self._writer = writer

    def __missing__(self, kind: str) -> Callable[[Any], Any]:
        found = self[kind] = getattr(self._writer, f"{kind.replace('-', '_')}_schema")
        return found


class _QuickWriter(SchemaWriter):
    """Writes a schema in which no two definitions have the same short name."""

    def __init__(self, *args: Any, **options: Any) -> None:
        self._short: dict[str, str] = {}
        super().__init__(*args, **options)

    def build_schema_type_to_method(self) -> Any:
        """As pydantic has it; it would look all of them up for each schema."""
        return _Methods(self)

    def generate_inner(self, schema: Any) -> Any:
        """Straight to the method of its kind, where a type brings no code of its own."""
        if "ref" in schema or schema.get("metadata"):
            return super().generate_inner(schema)
        return cast("Any", self._schema_type_to_method)[schema["type"]](schema)

    def get_defs_ref(self, core_mode_ref: Any) -> Any:
        """The short name at once."""
        unique = super().get_defs_ref(core_mode_ref)
        short = self._prioritized_defsref_choices[unique][0]
        if self._short.setdefault(short, unique) != unique:
            raise _SameNameError
        return short

    def generate(self, schema: Any, mode: Any = "validation") -> Any:
        """The schema of a model, none of whose definitions is named as another."""
        self._mode = mode
        root = self._root(schema)
        self.get_json_ref_counts(root)  # raises for a definition that could not be written
        self._garbage_collect_definitions(root)
        if self.definitions:
            root["$defs"] = self.definitions
        return self.sort(root)

    def _root(self, schema: Any) -> dict[str, Any]:
        """The model itself, of which nothing says its name."""
        if schema["type"] == "model":
            root: dict[str, Any] = self.model_fields_schema(schema["schema"])
            return {**root, "additionalProperties": False}
        found = self.get_schema_from_definitions(self.generate_inner(schema)["$ref"])
        return dict(found or {})
