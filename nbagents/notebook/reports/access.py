"""Which model would be asked, and what it is asked with; of a key, only where it was found."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from nbagents.models.openai import DEFAULT_BASE_URL, DEFAULT_MODEL, LOOPBACK

if TYPE_CHECKING:
    from nbagents.notebook.options import NbAgents

KEY = "OPENAI_API_KEY"
URL = "OPENAI_BASE_URL"
OFFLINE = "offline"


@dataclass(frozen=True, slots=True, kw_only=True)
class Access:
    """How a model would be reached."""

    model: str
    why: str
    """What chose it, as a clause."""
    has_key: bool
    url_source: str
    """What said where requests go: a variable, or `default`."""
    host: str | None
    """Where they go; `None` where the base URL is none."""
    is_local: bool
    """Whether that is this machine, where no key is needed."""

    @property
    def is_offline(self) -> bool:
        """Whether the planner answers that needs no model."""
        return self.model == OFFLINE

    @property
    def key_in_words(self) -> str:
        """Where a key was found."""
        return f"found in the environment ({KEY})" if self.has_key else f"none ({KEY} is not set)"


def access_of(config: NbAgents) -> Access:
    """How a model would be reached now."""
    has_key = bool(os.environ.get(KEY, "").strip())
    setting = config.setting("model")
    if setting.value:
        model, why = str(setting.value), f"{setting.source} says so"
        why = "%config NbAgents.model says so" if setting.source == "%config" else why
    elif has_key:
        model, why = DEFAULT_MODEL, "there is a key, and nothing names another"
    else:
        model, why = OFFLINE, "there is no key"
    url = os.environ.get(URL, "").strip()
    host = _host(url or DEFAULT_BASE_URL)
    return Access(
        model=model,
        why=why,
        has_key=has_key,
        url_source=URL if url else "default",
        host=host,
        is_local=host is not None and host.startswith(LOOPBACK),
    )


def _host(url: str) -> str | None:
    """Host and port; never what may stand before an `@`."""
    try:
        parts = urlsplit(url)
        if parts.scheme not in {"http", "https"} or not parts.hostname or "@" in parts.netloc:
            return None
    except ValueError:  # an address in brackets that is none
        return None
    return parts.netloc
