"""Chat Completions, as OpenAI and every server that speaks them has them."""

from nbagents.models.chat.model import OpenAIChat

__all__ = ["OpenAIChat"]
