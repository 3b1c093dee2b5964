"""The offline model: plans over tools that it has never seen, without a language model."""

from __future__ import annotations

from nbagents.models.offline.model import OfflineModel

__all__ = ["OfflineModel"]
