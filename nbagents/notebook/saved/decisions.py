"""What was decided about one call, as HTML: by a person, by a policy, by guardrails."""

from __future__ import annotations

import datetime as dt
from typing import TYPE_CHECKING

from nbagents.notebook.markup import Html, join, muted, tag
from nbagents.runs.wording import (
    await_in_words,
    decision_in_words,
    edit_in_words,
    edits_of,
    effective_guardrails,
    exchanges,
    guardrail_in_words,
    is_open,
    links_in_words,
    sentence,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from nbagents.runs.tree import AwaitNode, CallNode, RunNode, Tree

LINE = "margin:6px 0 0"


def decided(tree: Tree, run: RunNode, call: CallNode) -> Iterator[Html]:
    """Who decided what about a call, when and why, and the runs it started that stand elsewhere.

    Args:
        tree: Runs by id.
        run: The run of the call.
        call: The call.
    """
    for asked in run["awaits"]:
        if asked["call_id"] == call["id"]:
            yield from _asked(run, asked)
    if verdict := call["authorization"]:
        yield _line(sentence(decision_in_words(verdict)), verdict["at"])
    yield from edit_lines(run, call["id"])
    for guardrail in effective_guardrails(call["guardrails"]):
        yield _line(sentence(guardrail_in_words(guardrail)))
    for link in links_in_words(tree, call):
        yield _line(f"Started a run of {link}")


def edit_lines(run: RunNode, call_id: str | None = None) -> Iterator[Html]:
    """What was edited in step mode, of a call or of the run itself."""
    for edit in edits_of(run, call_id):
        yield _line(sentence(edit_in_words(edit)), edit["at"])


def _asked(run: RunNode, asked: AwaitNode) -> Iterator[Html]:
    if is_open(run, asked):
        yield _line(f"Waiting for you: {await_in_words(asked)}")
    elif asked["kind"] != "confirmation":
        yield from asked_lines(asked)
    elif asked["reason"]:
        yield _line(f"Asked, because: {asked['reason']}", asked["asked_at"])


def asked_lines(asked: AwaitNode) -> Iterator[Html]:
    """Each question that a person was asked, and beside it the answer."""
    for question, answer in exchanges(asked):
        said = join(f"You were asked: {question} ", tag("strong", answer))
        yield _line(said, asked["resolved_at"])


def _line(words: str, at: float | None = None) -> Html:
    when = muted(f" · {_moment(at)}") if at is not None else ""
    return tag("p", join(words, when), style=LINE)


def _moment(at: float) -> str:
    """A time for whoever opens the notebook, wherever that is."""
    try:
        return f"{dt.datetime.fromtimestamp(at, tz=dt.UTC):%Y-%m-%d %H:%M:%S} UTC"
    except (ValueError, OverflowError, OSError):  # a log may be anyone's
        return ""
