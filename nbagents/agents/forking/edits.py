"""What is different in a branch: what its person gave for it, seen to before anything begins."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, cast

from nbagents.narrowing import is_mapping
from nbagents.tools.call import is_json
from nbagents.tools.context import shown, wrong

if TYPE_CHECKING:
    from nbagents.events import EditedField

UNSAID: Final[Any] = object()
ONE_OF: Final = ("arguments", "result", "message")
OF_CALL: Final = ("arguments", "result")
OF_AGENT: Final = ("tools", "model", "instructions")


@dataclass(frozen=True, slots=True, kw_only=True)
class Edits:
    """What is changed where a branch leaves another run."""

    arguments: str | None = None
    """Those of the call, as JSON."""
    result: Any = UNSAID
    message: str | None = None
    agent: Mapping[str, Any]
    """What its agent is to be from there: tools, model, instructions."""

    @property
    def is_of_call(self) -> bool:
        """Whether it is a call that is changed."""
        return self.arguments is not None or self.result is not UNSAID

    @property
    def names(self) -> tuple[EditedField, ...]:
        """What is changed."""
        own = {
            "arguments": self.arguments is not None,
            "result": self.result is not UNSAID,
            "message": self.message is not None,
        }
        said = (*(name for name, is_changed in own.items() if is_changed), *self.agent)
        return cast("tuple[EditedField, ...]", said)


NOTHING: Final = Edits(agent={})


def edits_of(options: Mapping[str, Any]) -> Edits:
    """What is changed.

    Raises:
        ValueError: Things are given that exclude one another, or that cannot be used.
    """
    said = [name for name in ONE_OF if name in options and not _is_left_out(name, options)]
    if len(said) > 1:
        raise ValueError(
            f"{' and '.join(f'{name}=' for name in said)} exclude one another: fork with one of "
            "them, and fork the branch again for the next."
        )
    if options.get("at") is None and (of_call := [one for one in said if one in OF_CALL]):
        raise ValueError(
            f"{of_call[0]}= is of a call: say which, e.g. at=run.calls[-1], or at=3 for the third."
        )
    agent = {name: options[name] for name in OF_AGENT if options.get(name) is not None}
    if "instructions" in agent and not isinstance(agent["instructions"], str):
        raise wrong("instructions", agent["instructions"], "give text.")
    return Edits(
        arguments=_arguments(options["arguments"]) if "arguments" in said else None,
        result=options["result"] if "result" in said else UNSAID,
        message=_message(options["message"]) if "message" in said else None,
        agent=agent,
    )


def _is_left_out(name: str, options: Mapping[str, Any]) -> bool:
    """Whether a key says nothing; `None` is a result like any other."""
    return options[name] is UNSAID or (name != "result" and options[name] is None)


def _arguments(given: object) -> str:
    how = 'give them by name, e.g. arguments={"name": "Oslo"}.'
    if not is_mapping(given):
        raise wrong("arguments", given, how)
    named = dict(given)
    if not is_json(named):
        raise wrong("arguments", named, f"they are no JSON; an object goes by its name. {how}")
    return json.dumps(named, ensure_ascii=False)


def _message(given: object) -> str:
    if not isinstance(given, str) or not given.strip():
        raise ValueError(f"message is {shown(given)}: give what the person says, as text.")
    return given
