"""The settings of a request, seen to before anything is sent: JSON, and nothing that is ours."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from pydantic_core import from_json

from nbagents.errors import ModelError
from nbagents.models.openai.json_body import body_json

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pydantic import JsonValue

TIMEOUT = "timeout_s"
"""The one setting that is not sent: the time limit of the request."""

OURS: Final[Mapping[str, str]] = {
    "model": "name the model where it is chosen",
    "messages": "give the prompt and the instructions to the agent",
    "input": "give the prompt and the instructions to the agent",
    "tools": "give the tools to the agent",
    "stream": "every answer is streamed",
}
"""What the body holds besides, and where else it can be said."""


def joined_settings(
    own: Mapping[str, JsonValue], asked: Mapping[str, JsonValue]
) -> dict[str, JsonValue]:
    """A model's own settings with those of a request, which go first.

    Raises:
        ModelError: One of them is no setting, or is no JSON; says which.
    """
    settings = {**own, **asked}
    for name, value in settings.items():
        if name in OURS:
            raise ModelError(f"{name!r} is set by nbagents: {OURS[name]}.")
        if name != TIMEOUT:
            _refuse_no_json(name, value)
    return settings


def _refuse_no_json(name: str, value: JsonValue) -> None:
    try:
        from_json(body_json(value), allow_inf_nan=False)
    except (TypeError, ValueError) as error:
        raise ModelError(
            f"The setting {name!r} cannot be sent, because it is no JSON: {value!r}."
        ) from error
