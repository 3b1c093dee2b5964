"""What a run that goes on with another one knows of it: what its calls were given, and answers."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TypeAlias

from pydantic import JsonValue

if TYPE_CHECKING:
    from nbagents.runs.state.desk import Answer
    from nbagents.runs.state.run import Run
    from nbagents.runs.state.verdict import Verdict

Place: TypeAlias = tuple[str, str, str, str]
"""Where something is asked: the run that was gone on with, the call, the kind, and the words."""


def words_of(kind: str, text: str, title: str) -> str:
    """The words by which one question of a call is told from another one of its kind.

    Consent is asked for by what would run: a word given for that is none for something else.
    """
    if kind in ("clarification", "confirmation"):
        return text
    return title if kind in ("questions", "step") else ""  # of the others a call has but one


@dataclass(frozen=True, slots=True)
class Branch:
    """A run inside of a call, of which a branch takes the place."""

    begin: Callable[[Any, Any, Any], tuple[Any, Any]]
    """Makes it, of an agent, the call's place, and what the call shares: a run and its plan."""


@dataclass(slots=True)
class Past:
    """What a call that is made again, after its run ended in its middle, was given before."""

    runs: list[Callable[[], Run] | str | Branch] = field(default_factory=list[Any])
    """Of each run inside: how to have it back, or the id of the one that is to be gone on with, or
    the branch that takes its place."""
    unheard: set[str] = field(default_factory=set[str])
    """Those of them that broke off before their model was told anything: they begin anew."""
    arguments: JsonValue = None
    """Those that a person was shown, or has completed; `None`: as the model wrote them."""
    shown: JsonValue = None
    """What the person was shown that the tool would get, where they were asked for consent."""
    said: str = ""
    """What the model is told of that."""
    verdict: Verdict | None = None
    """What a person has decided of it; `None`: that is still to be asked."""
    answers: list[tuple[str, Answer]] = field(default_factory=list[Any])
    """Of each question of its tool: its words, and the answer."""
    handle: str | None = None
    """The name that the live object had which it gave, where it gives it again."""

    @property
    def is_settled(self) -> bool:
        """Whether a person has said anything before it was made."""
        return self.verdict is not None or self.arguments is not None

    def answer_to(self, words: str) -> Answer | None:
        """What was answered to a question, if it was; the next time, what came after that."""
        for index, (asked, said) in enumerate(self.answers):
            if asked == words:
                del self.answers[index]
                return said
        return None


@dataclass(slots=True)
class Said:
    """What a person has said to what was open in a run, before it is gone on with."""

    answers: list[tuple[Place, Answer]] = field(default_factory=list[Any])
    misfits: list[str] = field(default_factory=list[str])
    """What was wrong with those that did not fit."""

    def take(self, place: Place) -> Answer | None:
        """What was said to this; each counts once."""
        for index, (asked, said) in enumerate(self.answers):
            if asked == place:
                del self.answers[index]
                return said
        return None

    def refuse_misfits(self, run_id: str) -> None:
        """See that all answers fitted.

        Args:
            run_id: The run that has gone on, and waits now.

        Raises:
            ValueError: One did not.
        """
        if self.misfits:
            said = "\n".join(self.misfits)
            raise ValueError(f"{said}\nIt is still open: resume {run_id!r} with what fits.")
