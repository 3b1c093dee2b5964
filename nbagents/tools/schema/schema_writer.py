"""pydantic's writer of JSON Schema: without titles and what says nothing, and quicker.

The result is pydantic's own but for one thing: an object that does not say itself what becomes of
unknown keys takes none, be it a model, a dataclass or a TypedDict. What is left out on the way is
what most schemas do not need: a handler around a type that brings no code of its own, and the
search for names of definitions where all short ones differ.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, cast

from pydantic import BaseModel
from pydantic.json_schema import GenerateJsonSchema, JsonSchemaWarningKind


class SchemaWriter(GenerateJsonSchema):
    """pydantic's writer without titles made from names, which cost tokens and say nothing."""

    has_own_rule = False
    """Whether a type says itself that it takes unknown keys, or passes them over."""

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

    def model_schema(self, schema: Any) -> Any:
        """Closed, unless the model says otherwise."""
        written = super().model_schema(schema)
        return written if schema.get("root_model") else self._closed(written, schema)

    def dataclass_schema(self, schema: Any) -> Any:
        """Closed, unless the dataclass says otherwise."""
        return self._closed(super().dataclass_schema(schema), schema)

    def typed_dict_schema(self, schema: Any) -> Any:
        """Closed, unless the TypedDict says otherwise."""
        return self._closed(super().typed_dict_schema(schema), schema)

    def _closed(self, written: dict[str, Any], schema: Any) -> dict[str, Any]:
        if _own_rule(schema) in ("allow", "ignore"):
            self.has_own_rule = True
        elif "properties" in written:
            written.setdefault("additionalProperties", False)
        return written

    def emit_warning(self, kind: JsonSchemaWarningKind, detail: str) -> None:
        """Say nothing: a default without JSON form is simply not told."""


def _own_rule(schema: Any) -> object:
    """What a type says itself of unknown keys; for a TypedDict that is silent pydantic speaks."""
    said = schema.get("config", {}).get("extra_fields_behavior")
    added = schema.get("extra_behavior")
    return added if said is None and added != "ignore" else said


def written_schema(model: type[BaseModel]) -> tuple[dict[str, Any], bool]:
    """The JSON Schema of a model's input, and whether a type in it has its own rule of keys."""
    writer: SchemaWriter = _QuickWriter()
    try:
        written = writer.generate(model.__pydantic_core_schema__)
    except _NotQuickError:
        writer = SchemaWriter()
        written = writer.generate(model.__pydantic_core_schema__)
    return written, writer.has_own_rule


class _NotQuickError(Exception):
    """Two types have the same short name, or one wants to be written as what it gives."""


MODE = "json_schema_mode_override"
PLAIN = {"str": "string", "int": "integer", "float": "number", "bool": "boolean", "none": "null"}


def _config_of(cls: Any) -> Any:
    return getattr(cls, "model_config", None) or getattr(cls, "__pydantic_config__", None) or ()


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

    mode: Any = "validation"
    """Not looked up each time: a type that says another one is written by the other writer."""

    def __init__(self, *args: Any, **options: Any) -> None:
        self._short: dict[str, str] = {}
        super().__init__(*args, **options)

    def build_schema_type_to_method(self) -> Any:
        """As pydantic has it; it would look all of them up for each schema."""
        return _Methods(self)

    def generate_inner(self, schema: Any) -> Any:
        """Straight to the method of its kind, where a type brings no code of its own."""
        if "ref" in schema or schema.get("metadata"):
            if "cls" in schema and MODE in _config_of(schema["cls"]):
                raise _NotQuickError
            return super().generate_inner(schema)
        kind: str = schema["type"]
        if kind in PLAIN and len(schema) == 1:
            return {"type": PLAIN[kind]}
        return cast("Any", self._schema_type_to_method)[kind](schema)

    def get_defs_ref(self, core_mode_ref: Any) -> Any:
        """The short name at once."""
        ref: str = core_mode_ref[0]
        if "[" in ref:  # generic: its arguments are part of the name
            short = self._prioritized_defsref_choices[super().get_defs_ref(core_mode_ref)][0]
        else:  # module, path and name, then the id of the type
            short = self.normalize_name(ref.rpartition(":")[0].rpartition(".")[2])
        if self._short.setdefault(short, ref) != ref:
            raise _NotQuickError
        return short

    def generate(self, schema: Any, mode: Any = "validation") -> Any:
        """The schema of a model, none of whose definitions is named as another."""
        del mode  # there is one
        root = self._root(schema)
        if self._core_defs_invalid_for_json_schema:
            self.get_json_ref_counts(root)  # raises for one that could not be written
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
