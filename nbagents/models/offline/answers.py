"""Answers in plain sentences: from results, about failures, for what is missing."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from nbagents.models.offline.language import humanise
from nbagents.models.offline.planning import parsed

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pydantic import JsonValue

    from nbagents.models.offline.matching import Index
    from nbagents.models.offline.planning import Conversation, Gap, Made, Step

ASKED = "What should I use for "
"""How a question for a missing value begins; the next reply is then read as its answer."""

_ROWS_MAX = 10
_TEXT_MAX = 1500
_TOOLS_MAX = 12
_WHOLE_MAX = 280


def answer(step: Step, conversation: Conversation, mends: Mapping[str, str]) -> str:
    """The end of a turn: what the results say, what failed, what is missing.

    Args:
        step: The goals' last step.
        conversation: What was done for them.
        mends: Which call mends which, by id.
    """
    pieces: list[str] = []
    shown: set[str] = set()
    for _, made in step.results:
        pieces += [_told(one) for one in _last_tries(made, mends)]
        shown |= {one.id for one in made}
    failed = [one for one in conversation.made if one.failed and one.id not in shown]
    pieces += [_told(one) for one in failed]
    pieces += [
        _blocked(gap) if failed or _has_failure(step, mends) else _question(gap)
        for gap in step.gaps
    ]
    if not pieces:
        return summary(conversation, mends)
    return _joined(pieces)


def summary(conversation: Conversation, mends: Mapping[str, str]) -> str:
    """All results of the turn, for when no further call may be made."""
    pieces = [_told(one) for one in _last_tries(conversation.made, mends)]
    if not pieces:
        return (
            "I am the offline planner, and no tool was called. I can only answer from the results "
            "of tools; for a free answer choose a language model, which needs a key."
        )
    return _joined(pieces)


def no_match(index: Index, near: Sequence[str] = ()) -> str:
    """What the planner is, what comes nearest, and what it can do here."""
    names = [entry.name for entry in index.entries]
    shown = ", ".join(f"`{name}`" for name in names[:_TOOLS_MAX])
    more = f" and {len(names) - _TOOLS_MAX} more" if len(names) > _TOOLS_MAX else ""
    tools = f"The tools here are {shown}{more}" if names else "There are no tools here"
    nearest = " and ".join(f"`{name}`" for name in near)
    told = f" Nearest: {nearest}." if nearest else ""
    return (
        "I am the offline planner, not a language model: I match your words with the tools, and "
        f"none of them fits this.{told} {tools}. Say it in their words, or choose a language "
        "model, which needs a key (set OPENAI_API_KEY)."
    )


def _last_tries(made: Sequence[Made], mends: Mapping[str, str]) -> list[Made]:
    """Without the failed calls that another call made good."""
    mended = {mends.get(one.id) for one in made if not one.failed}
    return [one for one in made if not one.failed or one.id not in mended]


def _has_failure(step: Step, mends: Mapping[str, str]) -> bool:
    return any(one.failed for _, made in step.results for one in _last_tries(made, mends))


def _told(made: Made) -> str:
    name = humanise(made.name)
    if made.failed:
        return f"The tool `{made.name}` could not do it: {_ended(_failure_text(made))}"
    value = parsed(made.content)
    if isinstance(value, str):
        text = value.strip()
        return text[:_TEXT_MAX] + (" …" if len(text) > _TEXT_MAX else "") or f"{name}: done."
    given = ", ".join(
        f"{key} {_plain(one)}" for key, one in made.arguments.items() if one is not None
    )
    label = f"{name} ({given})" if given else name
    if isinstance(value, list) and value and isinstance(value[0], (Mapping, list)):
        return _rows(label, value)
    return f"{label[0].upper()}{label[1:]}: {_ended(_plain(value))}"


def _failure_text(made: Made) -> str:
    value = parsed(made.content)
    if isinstance(value, Mapping):
        value = value.get("error") or value.get("message") or value
    return _plain(value)


def _rows(label: str, rows: Sequence[JsonValue]) -> str:
    shown = "\n".join(f"- {_plain(row)}" for row in rows[:_ROWS_MAX])
    more = f"\n- … and {len(rows) - _ROWS_MAX} more" if len(rows) > _ROWS_MAX else ""
    return f"{label[0].upper()}{label[1:]}:\n{shown}{more}"


def _plain(value: JsonValue) -> str:
    """A JSON value as one would say it."""
    if isinstance(value, Mapping):
        return ", ".join(f"{humanise(str(key))} {_nested(one)}" for key, one in value.items())
    if isinstance(value, list):
        if not value:
            return "nothing"
        more = f" and {len(value) - _ROWS_MAX} more" if len(value) > _ROWS_MAX else ""
        return ", ".join(_nested(one) for one in value[:_ROWS_MAX]) + more
    if isinstance(value, bool):
        return "yes" if value else "no"
    return "nothing" if value is None else str(value)


def _nested(value: JsonValue) -> str:
    return f"({_plain(value)})" if isinstance(value, (Mapping, list)) else _plain(value)


def _question(gap: Gap) -> str:
    names = _and([f"`{one.name}`" for one in gap.lacking])
    described = "; ".join(
        f"{one.name}: {_described(one.description, one.choices)}"
        for one in gap.lacking
        if one.description or one.choices
    )
    about = f" ({described})" if described else ""
    which = "it" if len(gap.lacking) == 1 else "them"
    return (
        f"{ASKED}{names}{about}? `{gap.goal.entry.name}` needs {which}, and I cannot find {which} "
        "in what you wrote."
    )


def _described(description: str, choices: Sequence[JsonValue]) -> str:
    offered = " one of " + ", ".join(str(one) for one in choices) if choices else ""
    return (description.strip().rstrip(".") + offered).strip()


def _blocked(gap: Gap) -> str:
    names = _and([f"`{one.name}`" for one in gap.lacking])
    return f"So I did not call `{gap.goal.entry.name}`: it needs {names}."


def _and(names: list[str]) -> str:
    return " and ".join([", ".join(names[:-1]), names[-1]] if len(names) > 1 else names)


def _ended(text: str) -> str:
    text = text.strip()
    return text if text.endswith((".", "!", "?", "…")) else f"{text}."


def _joined(pieces: list[str]) -> str:
    if sum(len(piece) for piece in pieces) <= _WHOLE_MAX and not any(
        "\n" in piece for piece in pieces
    ):
        return (
            " ".join(_ended(piece) for piece in pieces[:-1]) + " " * (len(pieces) > 1) + pieces[-1]
        )
    return "\n\n".join(pieces)
