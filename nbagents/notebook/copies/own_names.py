"""What a test of a run calls its own things."""

from __future__ import annotations

import re
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Collection

NAME_WIDTH: Final = 40


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnNames:
    """What the test calls its own things: as no tool of it is called."""

    model: str
    answers: str
    agent: str
    run: str
    call: str
    test: str

    @classmethod
    def beside(cls, taken: Collection[str], prompt: str) -> OwnNames:
        """Names beside others."""
        said = re.sub(r"[^a-z0-9]+", "_", prompt.lower())[:NAME_WIDTH].strip("_") or "run"
        usual = {one.name: one.name for one in fields(cls)} | {"test": f"test_{said}"}
        return cls(**{name: _free(one, taken) for name, one in usual.items()})

    def imports(self, body: str) -> list[str]:
        """What has to be imported for the body."""
        if f"{self.call}(" not in body:
            return []
        renamed = "" if self.call == "call" else f" as {self.call}"
        return [f"from nbagents.models.scripted import call{renamed}"]


def _free(name: str, taken: Collection[str]) -> str:
    while name in taken:
        name += "_"
    return name
