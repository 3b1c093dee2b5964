"""Which model answers: the option, else `%config`, else the environment, else the offline one."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from nbagents.models.chat import OpenAIChat
    from nbagents.models.model import Model
    from nbagents.models.responses import OpenAIResponses

__all__ = ["choose_model"]

RESPONSES = "responses:"
OPENAI = re.compile(r"\s*https://([a-z]+\.)?api\.openai\.com(/|$)")
"""OpenAI's own base URLs, with those of its regions."""


def choose_model(
    spec: str | Model | None,
    *,
    configured: str | None = None,
    environ: Mapping[str, str],
    hosted: bool = False,
    is_sent: bool = True,
) -> Model:
    """The model to ask.

    `responses:MODEL` is a model over the Responses API, `responses:` alone the default one. Any
    other name is a model over Chat Completions, which every server has; only where tools run at
    the provider, and the provider is OpenAI itself, does a name without a prefix mean Responses
    too. Another server is not guessed to have them: its Chat model refuses such tools and says so.

    Args:
        spec: A model, or its name: what the person asks for now.
        configured: The name that was set for the session.
        environ: The environment, with `NBAGENTS_MODEL`, `OPENAI_API_KEY` and `OPENAI_BASE_URL`.
        hosted: Whether the agent has tools that run at the provider, e.g. `WebSearch`.
        is_sent: Whether anything will be sent, so that a key is needed.

    Raises:
        ModelError: The model needs a key, and there is none.
    """
    if spec is not None and not isinstance(spec, str):
        return spec
    name = (spec or configured or environ.get("NBAGENTS_MODEL") or "").strip()
    if name == "offline" or (not name and not environ.get("OPENAI_API_KEY")):
        from nbagents.models.offline import OfflineModel  # only if it answers

        return OfflineModel()
    model = _openai(name, environ, hosted=hosted)
    if is_sent:
        model.check()
    return model


def _openai(name: str, environ: Mapping[str, str], *, hosted: bool) -> OpenAIChat | OpenAIResponses:
    from nbagents.models.chat import OpenAIChat
    from nbagents.models.openai import DEFAULT_BASE_URL, DEFAULT_MODEL

    base_url = environ.get("OPENAI_BASE_URL") or DEFAULT_BASE_URL
    key = environ.get("OPENAI_API_KEY", "")
    if name.startswith(RESPONSES) or (hosted and OPENAI.match(base_url)):
        from nbagents.models.responses import OpenAIResponses

        name = name.removeprefix(RESPONSES).strip()
        return OpenAIResponses(name or DEFAULT_MODEL, base_url=base_url, api_key=key)
    return OpenAIChat(name or DEFAULT_MODEL, base_url=base_url, api_key=key)
