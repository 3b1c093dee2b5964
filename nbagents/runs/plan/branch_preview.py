"""What a branch would keep of a run and do first, without doing it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from nbagents.redaction import clean, in_clean_words
from nbagents.runs.wording import branch_in_words, counted, visible

if TYPE_CHECKING:
    from nbagents.events import ForkedFrom
    from nbagents.runs.plan.preview import Preview

NOTHING_KEPT = "No call is kept."
UNKNOWN = "What the model is asked then depends on what that gives."


@in_clean_words
@dataclass(frozen=True, slots=True, kw_only=True)
class BranchPreview:
    """A branch that was not begun."""

    forked_from: ForkedFrom
    """Where it would leave which run, and what would be changed."""
    model: str
    kept: tuple[str, ...]
    """The calls that would be kept, with what they gave; those of runs inside, indented."""
    calls: tuple[str, ...]
    """The calls that would be made before a model is asked; those of runs inside, indented."""
    request: Preview | None
    """What the model would be asked first; `None` where that depends on what the calls give."""

    @property
    def summary(self) -> str:
        """Where it would leave which run, in a sentence."""
        words = branch_in_words(self.forked_from.model_dump())
        return f"Not done. A branch of {self.forked_from.run_id}, {visible(words)}."

    @property
    def sections(self) -> tuple[tuple[str, tuple[str, ...]], ...]:
        """What would be kept, and what would be called, each with a title."""
        kept = f"Kept: {counted(len(self.kept), 'call')}." if self.kept else NOTHING_KEPT
        if self.calls:
            called = f"Called first: {counted(len(self.calls), 'call')}. {UNKNOWN}"
        else:
            called = f"Nothing is called before {visible(self.model)} is asked."
        return (kept, self.kept), (called, self.calls)

    def __str__(self) -> str:
        lines = [self.summary]
        for title, rows in self.sections:
            lines += [title, *(f"  {row}" for row in rows)]
        asked = [] if self.request is None else [str(self.request)]
        return clean("\n".join([*lines, *asked]))
