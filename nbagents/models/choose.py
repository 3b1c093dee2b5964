"""Which model answers: the option, else `%config`, else the environment, else the offline one."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from nbagents.models.model import Model

__all__ = ["choose_model"]


def choose_model(
    spec: str | Model | None,
    *,
    configured: str | None = None,
    environ: Mapping[str, str],
) -> Model:
    """The model to ask.

    Args:
        spec: A model, or its name: what the person asks for now.
        configured: The name that was set for the session.
        environ: The environment, with `NBAGENTS_MODEL`, `OPENAI_API_KEY` and `OPENAI_BASE_URL`.

    Raises:
        ModelError: The model needs a key, and there is none.
    """
    chosen = spec or configured or environ.get("NBAGENTS_MODEL")
    if chosen is not None and not isinstance(chosen, str):
        return chosen
    name = (chosen or "").strip()
    if name == "offline" or (not name and not environ.get("OPENAI_API_KEY")):
        from nbagents.models.offline import OfflineModel  # noqa: PLC0415  only if it answers

        return OfflineModel()
    return _openai(name, environ)


def _openai(name: str, environ: Mapping[str, str]) -> Model:
    from nbagents.models.openai_chat import DEFAULT_MODEL, OpenAIChat  # noqa: PLC0415
    from nbagents.models.openai_client import DEFAULT_BASE_URL  # noqa: PLC0415

    model = OpenAIChat(
        name or DEFAULT_MODEL,
        base_url=environ.get("OPENAI_BASE_URL") or DEFAULT_BASE_URL,
        api_key=environ.get("OPENAI_API_KEY", ""),
    )
    model.check()
    return model
