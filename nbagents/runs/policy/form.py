"""The form that an answer must have: a type of the person's, as a schema for the model."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, cast

from pydantic import JsonValue, TypeAdapter, ValidationError
from pydantic_core import to_json

from nbagents.errors import OutputError
from nbagents.models.model import OutputSpec
from nbagents.tools.call import failure_of
from nbagents.tools.json_schema import read_json, strict_schema
from nbagents.tools.tool import safe_name

WRAPPED = "value"
"""The one field of an answer whose type is no object: providers take objects only."""
AGAIN = "\nAnswer again, with nothing but the JSON of that form."
CUT = (
    "Your answer was cut off at the provider's limit of tokens. Answer again, shorter, with nothing"
    " but the JSON of the form that it must have."
)
CUT_LAST = (
    "The model's answer, of the form {form!r}, was cut off at the provider's limit of tokens, also "
    "after it was asked for a shorter one: raise the limit, e.g. "
    'settings={{"max_completion_tokens": 8000}}, or ask for less.'
)
MAX_ISSUES = 10
MAX_SAID = 300
"""Characters of an answer that are quoted in an error."""


@dataclass(frozen=True, slots=True)
class AnswerForm:
    """Reads answers of one type."""

    spec: OutputSpec
    adapter: TypeAdapter[Any]  # Any: the person's type
    is_wrapped: bool

    def read(self, text: str) -> Any:
        """The answer as a value.

        Raises:
            OutputError: It has not that form; the message is for the model.
        """
        try:
            found = read_json(text)
        except ValueError as error:
            if not self.is_wrapped:
                raise OutputError(f"Your answer is no JSON ({error}).{AGAIN}") from None
            found = text.strip()  # a word, where a word is wanted
        if self.is_wrapped and isinstance(found, dict) and set(found) == {WRAPPED}:
            found = found[WRAPPED]
        try:
            return self.adapter.validate_json(to_json(found))
        except ValidationError as error:
            issues = error.errors(include_url=False, include_context=False)[:MAX_ISSUES]
            lines = [f"- {'.'.join(map(str, one['loc'])) or 'it'}: {one['msg']}" for one in issues]
            told = "\n".join(("Your answer has not the form that it must have:", *lines))
            raise OutputError(told + AGAIN) from error
        except Exception as error:  # a check of the person's own, which may raise anything
            told = f"Your answer cannot be taken: {failure_of(error).message}."
            raise OutputError(told + AGAIN) from error

    def read_last(self, text: str, *, is_of_tool: bool, is_cut: bool = False) -> Any:
        """The same of an answer that nobody corrects any more.

        Args:
            text: The answer.
            is_of_tool: Whether a tool gave it.
            is_cut: Whether the provider's limit of tokens cut it off.

        Raises:
            OutputError: It has not that form; the message is for the person.
        """
        try:
            return self.read(text)
        except OutputError as error:
            if is_cut:
                raise OutputError(CUT_LAST.format(form=self.spec.name)) from error
            wrong = str(error).removesuffix(AGAIN)
            whose = (
                f"The answer, which a tool gave, has not the form {self.spec.name!r}."
                if is_of_tool
                else f"The model's answer has not the form {self.spec.name!r}, also after it was "
                "asked to correct it."
            )
            raise OutputError(f"{whose} {wrong} It said: {text[:MAX_SAID]}") from error

    def complaint(self, text: str, *, is_cut: bool = False) -> str | None:
        """What is wrong with an answer, in words for the model."""
        try:
            self.read(text)
        except OutputError as error:
            return CUT if is_cut else str(error)
        return None


def answer_form(wanted: Any) -> AnswerForm:  # Any: a type form, of which Python has no type
    """The form that a type asks for.

    Args:
        wanted: A pydantic model, a dataclass, a TypedDict, or any annotation, e.g. `list[str]`.

    Raises:
        OutputError: The type has no JSON form.
    """
    label = getattr(wanted, "__name__", str(wanted))
    try:
        adapter: TypeAdapter[Any] = TypeAdapter(wanted)
        schema = cast("dict[str, JsonValue]", adapter.json_schema())
    except Exception as error:  # a type may bring its own code, which may raise anything
        reason = str(error).partition("\n")[0].rstrip(".")
        raise OutputError(
            f"An answer cannot have the type {label}: {reason}. Take a type that JSON can carry, "
            "e.g. a pydantic model, a dataclass, list[str] or int."
        ) from error
    is_wrapped = schema.get("type") != "object"
    if is_wrapped:
        schema = _wrapped(schema)
    written, _ = strict_schema(schema)
    spec = OutputSpec(name=safe_name(label), schema=written or schema, strict=written is not None)
    return AnswerForm(spec, adapter, is_wrapped)


def _wrapped(schema: dict[str, JsonValue]) -> dict[str, JsonValue]:
    """An object with the value as its one field; definitions stay at the root."""
    inner = dict(schema)
    definitions = inner.pop("$defs", None)
    made: dict[str, JsonValue] = {
        "type": "object",
        "properties": {WRAPPED: inner},
        "required": [WRAPPED],
        "additionalProperties": False,
    }
    if definitions is not None:
        made["$defs"] = definitions
    return made
