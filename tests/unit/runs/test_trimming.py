"""Conversations are shortened by whole turns."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import pytest

from nbagents.messages import (
    AssistantMessage,
    CallRequest,
    Message,
    SystemMessage,
    ToolMessage,
    UserMessage,
)
from nbagents.results import ImagePart
from nbagents.runs.state.chats import Chats, Talk
from nbagents.runs.tree.trimming import estimated_tokens, trimmed, turns_of
from nbagents.tools.values.handles import Handles

if TYPE_CHECKING:
    from collections.abc import Sequence


def spoken(number: int, words: str = "") -> list[Message]:
    """A turn with a call, and with a notice in the middle."""
    call = CallRequest(id=f"c{number}", name="look", arguments="{}")
    return [
        UserMessage(text=f"Question {number}{words}"),
        AssistantMessage(text="", calls=(call,)),
        ToolMessage(call_id=call.id, name="look", content="seen"),
        UserMessage(text="They moved the map.", is_notice=True),
        AssistantMessage(text=f"Answer {number}"),
    ]


TALK: list[Message] = [*spoken(1), *spoken(2), *spoken(3)]
EACH = sum(map(estimated_tokens, spoken(1)))


def questions(messages: Sequence[Message]) -> list[str]:
    return [one.text for one in messages if isinstance(one, UserMessage) and not one.is_notice]


def test_without_a_limit_all_is_kept() -> None:
    assert trimmed(TALK) == tuple(TALK)


@pytest.mark.parametrize("count", [0, 1, 2, 3, 9])
def test_so_many_turns_are_kept_and_each_of_them_whole(count: int) -> None:
    assert list(trimmed(TALK, keep_turns=count)) == TALK[len(TALK) - 5 * min(count, 3) :]


@pytest.mark.parametrize(
    ("tokens", "turns"),
    [(EACH - 1, 0), (EACH, 1), (3 * EACH - 1, 1), (3 * EACH, 3)],
)
def test_as_many_turns_as_fit_are_kept_and_of_too_many_the_newer_half(
    tokens: int, turns: int
) -> None:
    assert list(trimmed(TALK, keep_tokens=tokens)) == TALK[len(TALK) - 5 * turns :]


@pytest.mark.parametrize("limits", [{"keep_turns": 7}, {"keep_tokens": 7 * EACH}])
def test_where_a_turn_was_cut_no_turn_is_cut_for_a_while(limits: dict[str, int]) -> None:
    talk: list[Message] = []
    firsts: list[str] = []
    for number in range(100, 150):
        talk += spoken(number)
        kept = trimmed(talk, **limits)
        assert 3 <= len(turns_of(kept)) <= 7 or number < 107
        firsts += [one for one in questions(kept)[:1] if one not in firsts]
    assert len(firsts) <= 1 + 50 / 3


def test_nothing_older_is_kept_than_a_turn_that_does_not_fit() -> None:
    talk = [*spoken(1), *spoken(2, " and more" * 100), *spoken(3)]
    assert questions(trimmed(talk, keep_tokens=3 * EACH)) == ["Question 3"]


def test_of_two_limits_both_hold() -> None:
    assert questions(trimmed(TALK, keep_turns=1, keep_tokens=9 * EACH)) == ["Question 3"]
    assert trimmed(TALK, keep_turns=2, keep_tokens=EACH) == tuple(spoken(3))


def test_no_result_stays_without_its_call() -> None:
    for tokens in range(0, 4 * EACH, 3):
        kept = trimmed(TALK, keep_tokens=tokens)
        asked = {c.id for one in kept if isinstance(one, AssistantMessage) for c in one.calls}
        assert {one.call_id for one in kept if isinstance(one, ToolMessage)} == asked


def test_instructions_stay() -> None:
    said = SystemMessage(text="Be brief.")
    assert trimmed([said, *TALK], keep_turns=0) == (said,)


def test_what_stands_before_the_first_question_belongs_to_it() -> None:
    talk: list[Message] = [UserMessage(text="They drew.", is_notice=True), *spoken(1)]
    assert [len(turn) for turn in turns_of(talk)] == [1, 5]


def test_an_estimate_counts_words_arguments_and_images() -> None:
    assert estimated_tokens(UserMessage(text="x" * 400)) == 104
    assert estimated_tokens(UserMessage(text="", parts=(ImagePart(data=b"1"),))) == 1004
    call = CallRequest(id="c", name="draw", arguments="x" * 396)
    assert estimated_tokens(AssistantMessage(text="", calls=(call,))) == 104
    assert estimated_tokens(SystemMessage(text="xxxxx")) == 6


@pytest.mark.parametrize("kept", [{"keep_turns": -1}, {"keep_tokens": -1}])
def test_a_negative_number_is_refused(kept: dict[str, int]) -> None:
    with pytest.raises(ValueError, match=f"{next(iter(kept))} is -1"):
        trimmed(TALK, **kept)


@dataclass
class Told:
    """Of a run, what a conversation needs to know."""

    id: str
    is_closed: bool = False
    handles: Handles = field(default_factory=Handles)
    took_over: list[str] = field(default_factory=list[str])

    def take_over(self, earlier: Talk) -> None:
        self.took_over.append(earlier.id)


@pytest.mark.parametrize("count", [0, 1, None])
def test_a_conversation_is_told_in_part_and_kept_whole(count: int | None) -> None:
    chats = Chats()
    whole: list[Message] = []
    for number in (1, 2, 3):
        chat = chats.get("trip")
        kept = chat.tail(keep_turns=count)
        assert len(kept) == (len(whole) if count is None else 5 * min(count, number - 1))
        run = Told(f"run-{number}")
        chats.begin(chat, run)
        chats.end("trip", run, spoken(number))
        whole += spoken(number)
        assert list(chats.get("trip").messages) == whole


def test_a_run_that_was_told_a_part_and_did_not_answer_changes_nothing() -> None:
    chats = Chats()
    first, failed = Told("run-1"), Told("run-2")
    chats.begin(chats.get("trip"), first)
    chats.end("trip", first, TALK)
    chats.get("trip").tail(keep_turns=1)
    chats.begin(chats.get("trip"), failed)
    chats.end("trip", failed, [UserMessage(text="Lost")])
    assert list(chats.get("trip").messages) == TALK
