"""What a tool asks a person, as a question with a form, and what the answer means to it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from pydantic import ValidationError

from nbagents.results import Option, Question

if TYPE_CHECKING:
    from pydantic import JsonValue, TypeAdapter

    from nbagents.runs.people.person import People
    from nbagents.runs.state import Answer, Await


class ToolQuestion:
    """A question of a tool's, and how its answer is read.

    Args:
        text: What is asked.
        options: What there is to choose; none: the answer is text.
        form: The type of the answer, instead.
        multiple: Whether several may be chosen.
    """

    def __init__(
        self,
        text: str,
        options: Iterable[object],
        form: TypeAdapter[Any] | None,
        *,
        multiple: bool,
    ) -> None:
        self._text = text
        self._options = tuple(map(_option, options))
        self._form = form
        self._multiple = multiple
        self._schema = None if form is None else form.json_schema()
        self._is_object = self._schema is not None and self._schema.get("type") == "object"

    def question(self, people: People, call_id: str, tool_name: str) -> Await:
        """As it is put to a person."""
        said: dict[str, Any] = {"call_id": call_id, "tool_name": tool_name}
        if self._schema is not None:
            schema = self._schema if self._is_object else _boxed(self._schema)
            fields = tuple(schema.get("required", ()))
            return people.question(
                "clarification",
                title=tool_name,
                text=self._text,
                form=schema,
                missing_fields=fields,
                **said,
            )
        if not self._options:
            return people.question("clarification", title=tool_name, text=self._text, **said)
        question = Question(
            id="answer", text=self._text, options=self._options, multiple=self._multiple
        )
        return people.question("questions", title=self._text, questions=(question,), **said)

    def read(self, answer: Answer) -> Any:  # Any: a value of the form's type
        """What an answer means.

        Raises:
            ValueError: It is none.
        """
        if answer.action != "answer":
            raise ValueError("Answer the question, or deny it.")
        value = answer.value
        if self._form is not None:
            if not self._is_object and isinstance(value, dict):
                value = value.get("value")
            try:
                return self._form.validate_python(value)
            except ValidationError as error:
                raise ValueError(_faults(error)) from None
        if isinstance(value, dict):
            value = value.get("answer")
        if not self._options:
            if not isinstance(value, str) or not value.strip():
                raise ValueError("The answer is empty.")
            return value
        return self._chosen(value)

    def _chosen(self, value: JsonValue) -> JsonValue:
        labels = [one.label for one in self._options]
        chosen: list[JsonValue] = value if isinstance(value, list) else [value]
        for one in chosen:
            if one not in labels:
                raise ValueError(f"{one!r} is none of the options: {', '.join(labels)}.")
        return chosen if self._multiple else chosen[0]


def _boxed(schema: Mapping[str, Any]) -> dict[str, Any]:
    """A form of one field, where what is asked for is no object."""
    inner = {key: value for key, value in schema.items() if key != "$defs"}
    boxed = {"type": "object", "properties": {"value": inner}, "required": ["value"]}
    return boxed | ({"$defs": schema["$defs"]} if "$defs" in schema else {})


def _option(given: object) -> Option:
    return given if isinstance(given, Option) else Option(label=str(given))


def _faults(error: ValidationError) -> str:
    """What does not fit, a line each."""
    said = error.errors(include_url=False, include_input=False)
    return "\n".join(
        ": ".join(filter(None, (".".join(map(str, one["loc"])), one["msg"]))) for one in said
    )
