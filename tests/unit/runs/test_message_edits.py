"""Whatever is edited of a conversation is what is sent, and each change is named."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nbagents import Agent, Edit, Pause
from nbagents.messages import AssistantMessage, Message, UserMessage
from nbagents.models.scripted import ScriptedModel
from nbagents.runs.stepping import edit_json, edited_messages, words_of

WORDS = st.text(alphabet="abc ", min_size=1, max_size=4).filter(str.strip)
ROLES = st.sampled_from([UserMessage, AssistantMessage])
DONE = st.sampled_from(["keep", "drop", "edit", "add"])


@st.composite
def edited(draw: st.DrawFn) -> tuple[list[Message], list[dict[str, Any]], list[str]]:
    """A conversation, an edit of it as JSON, and the words that the model is to be told."""
    before: list[Message] = [UserMessage(text="first")]
    before += [draw(ROLES)(text=draw(WORDS)) for _ in range(draw(st.integers(0, 5)))]
    given: list[dict[str, Any]] = [{"keep": 0}]
    words = ["first"]
    for at, one in enumerate(before[1:], 1):
        did = draw(DONE)
        if did == "add":
            words.append(draw(WORDS))
            given.append({"role": "user", "text": words[-1]})
        if did == "edit":
            words.append(draw(WORDS))
            given.append({"keep": at, "text": words[-1]})
        elif did != "drop":
            words.append(words_of(one))
            given.append({"keep": at})
    return before, given, words


@given(edited())
def test_what_is_asked_for_is_what_is_told(
    case: tuple[list[Message], list[dict[str, Any]], list[str]],
) -> None:
    before, given, words = case
    made = edited_messages(before, given)
    told = before if made is None else list(made.messages)
    assert [words_of(one) for one in told] == words
    assert (made is None) == (told == before)
    if made is not None:
        assert applied(before, made.origins, made.changes) == words
        again: Any = edit_json(Edit(messages=list(made.messages)), pause_of(before))
        assert edited_messages(before, again["messages"]) is not None


@given(edited())
def test_messages_as_objects_say_the_same(
    case: tuple[list[Message], list[dict[str, Any]], list[str]],
) -> None:
    before, given, words = case
    made = edited_messages(before, given)
    if made is not None:
        objects = edited_messages(before, made.messages)
        told = before if objects is None else list(objects.messages)
        assert [words_of(one) for one in told] == words


def applied(before: list[Message], origins: Any, changes: Any) -> list[str]:
    """The changes, made one after the other to what was."""
    new: dict[int, Message] = {one.place: one.after for one in changes if one.after is not None}
    gone = {one.place for one in changes if one.after is None}
    assert gone == {at for at in range(len(before)) if at not in origins}
    told: list[Message] = [new[at] if at in new else before[one] for at, one in enumerate(origins)]
    return [words_of(one) for one in told]


def pause_of(messages: list[Message]) -> Pause:
    about: dict[str, Any] = {"run_id": "r", "agent_name": "a", "model": "m"}
    return Pause(kind="request", step=1, messages=tuple(messages), **about)


def test_what_stands_where_a_secret_was_left_out_is_not_sent(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("SOME_API_KEY", "s3cr3t-of-the-test")
    seen: list[str] = []

    def look(pause: Pause) -> Edit:
        seen.append(str(pause))
        return Edit(messages=[{"keep": 0, "text": "[redacted], is it right?"}])

    agent = Agent(model=ScriptedModel(["x"]))
    with pytest.raises(ValueError, match="stands where a secret was left out"):
        agent.run("Is s3cr3t-of-the-test right?", step=look, log="memory")
    assert "s3cr3t" not in seen[0]
