"""What a tool may ask a person: seen to as it asks, on the tool's own line."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from nbagents.tools.misuse import is_several, wrong

if TYPE_CHECKING:
    from pydantic import TypeAdapter

__all__ = ["check_question", "form_of"]


def check_question(
    question: object, options: object = None, *, multiple: object = False, has_form: bool = False
) -> None:
    """See that a question can be put to a person.

    Raises:
        ValueError: It cannot; says what to give.
    """
    if not isinstance(question, str):
        raise wrong("The question", question, "it must be text; what to choose from is `options`.")
    if not question.strip():
        raise ValueError("The question is empty: say what the person should answer.")
    if options is not None and not is_several(options):
        raise wrong("options", options, 'give a list, e.g. options=["now", "later"].')
    if options is not None and has_form:
        raise ValueError("A question has options or a form: leave one of them out.")
    if multiple is not False and options is None:
        advice = "what several may be chosen of is missing: give options, or leave it out."
        raise wrong("multiple", multiple, advice)


def form_of(wanted: Any) -> TypeAdapter[Any]:  # Any: a type form, of which Python has no type
    """What reads an answer of a type.

    Raises:
        ValueError: No form can be made of it.
    """
    from pydantic import TypeAdapter  # noqa: PLC0415  few tools need it

    try:
        adapter: TypeAdapter[Any] = TypeAdapter(wanted)
        adapter.json_schema()
    except Exception as error:  # a type may bring its own code, which may raise anything
        advice = "give a type that JSON can carry, e.g. a pydantic model, list[int] or date."
        raise wrong("form", wanted, advice) from error
    return adapter
