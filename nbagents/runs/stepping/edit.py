"""What a person does where a run waits in step mode: go on, and what is to be other than it was."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from types import NoneType
from typing import TYPE_CHECKING, Any, Final, Literal, TypeAlias

from nbagents.errors import did_you_mean
from nbagents.narrowing import is_mapping
from nbagents.redaction import in_clean_words
from nbagents.tools.context import is_several, require, shown, wrong

if TYPE_CHECKING:
    from nbagents.messages import Message

Action: TypeAlias = Literal["continue", "skip", "to_end", "stop"]
ACTIONS: Final = ("continue", "skip", "to_end", "stop")
GIVE: Final = (
    "give None to go on, one of 'continue', 'skip', 'to_end' and 'stop', or nbagents.Edit(…)."
)
UNSAID: Final[Any] = ...  # `None` is a result, too


@in_clean_words
@dataclass(frozen=True, slots=True)
class Edit:
    """What is done where a run waits in step mode, and what is to be other than it was.

    Args:
        action: `"continue"` goes on; `"skip"` makes none of the calls, and the model is told so, or
            does not ask the model: the newest results are then the answer; `"to_end"` goes on and
            waits no more; `"stop"` stops the run.
        messages: Before a request, all that the model is told, in place of `pause.messages`: those
            that stay, changed ones (`dataclasses.replace(one, text=…)`), and new ones, also as
            `{"role": "user", "text": …}`. As JSON, `{"keep": 0}` stands for one that stays, with a
            `text` for one that is changed.
        arguments: Before calls, what one is made with instead, all of it; of several calls by id,
            or by name.
        result: Before calls, what one gives instead of being made; of several by id, or by name.
        skip: Before calls, those that are not made, by id or name.
        text: Before a request, what is answered in the place of the model.
        calls: The calls that are asked for in its place, each as `("name", {"argument": …})`.

    Example:
        >>> Edit(arguments={"city": "Oslo"}).action
        'continue'
    """

    action: Action = "continue"
    messages: Sequence[Message | Mapping[str, Any]] | None = None
    arguments: Mapping[str, Any] | None = None
    result: Any = UNSAID
    skip: Sequence[str] = ()
    text: str | None = None
    calls: Sequence[Any] = ()

    def __post_init__(self) -> None:
        """See that it says something that can be done.

        Raises:
            ValueError: It does not; says what to give.
        """
        if self.action not in ACTIONS:
            hint = did_you_mean(str(self.action), ACTIONS)
            raise ValueError(f"action of Edit is {shown(self.action)}: {GIVE}{hint}")
        listed = "give a list: those that stay, those that are changed, and new ones."
        _require_several("messages of Edit", self.messages, listed, or_none=True)
        by_name = "give a dictionary of all that the call is made with."
        require("arguments of Edit", self.arguments, (Mapping, NoneType), by_name)
        require("text of Edit", self.text, (str, NoneType), "give text.")
        _require_several("skip of Edit", self.skip, "give the ids of calls, or their names.")
        how = 'give a list, e.g. [("get_weather", {"city": "Oslo"})].'
        _require_several("calls of Edit", self.calls, how)

    @property
    def is_answer(self) -> bool:
        """Whether it speaks in the place of the model."""
        return self.text is not None or bool(self.calls)


def _require_several(what: str, given: object, advice: str, *, or_none: bool = False) -> None:
    if not (is_several(given) or (or_none and given is None)):
        raise wrong(what, given, advice)


def edit_of(said: object) -> Edit:
    """What is said where a run waits, which may be less than an `Edit`, or the JSON of one.

    Raises:
        ValueError: It says nothing that can be done.
    """
    if isinstance(said, Edit):
        return said
    if said is None or said is True:
        return Edit()
    if said is False:
        return Edit("stop")
    if isinstance(said, str):
        return edit_of({"action": said})
    if not is_mapping(said):
        raise ValueError(f"This is {shown(said)}: {GIVE}")
    names = [one.name for one in fields(Edit)]
    for name in said:
        if name not in names:
            raise ValueError(f"An edit has no {name!r}.{did_you_mean(str(name), names)} {GIVE}")
    return Edit(**said)
