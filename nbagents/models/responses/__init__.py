"""OpenAI's Responses API, with the tools that run at the provider."""

from nbagents.models.responses.model import OpenAIResponses

__all__ = ["OpenAIResponses"]
