"""A long call in a terminal: all of it is shown before a yes is taken, whatever it is made of."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from nbagents.messages import CallRequest
from nbagents.runs.people.consent import question_of
from nbagents.runs.people.typed_values import written
from nbagents.runs.people.typing import (
    PAGE_CHARACTERS,
    PAGE_LINES,
    call_in_question,
    pages_of,
    typed_answer,
)
from nbagents.runs.state.desk import Answer, Await
from nbagents.tools.call.invocation import PreparedCall
from tests.thinning import examples

EVIL: dict[str, Any] = {"note": "a " * 1000, "to": "EVIL", "euros": 999_999}


class Person:
    """Types these lines, and then no more."""

    def __init__(self, *lines: str) -> None:
        self.lines = list(lines)
        self.shown: list[str] = []

    def __call__(self, prompt: str) -> str:
        self.shown.append(prompt)
        if not self.lines:
            raise EOFError
        return self.lines.pop(0)


def ask(arguments: dict[str, Any], *lines: str, reason: str = "") -> tuple[Answer | None, Person]:
    person = Person(*lines)
    text = f"Run {call_in_question('pay', arguments)}?"
    question = Await(
        id="a",
        kind="confirmation",
        run_id="r",
        agent_name="bank",
        tool_name="pay",
        text=text,
        reason=reason,
        arguments=arguments,
    )
    return typed_answer(question, person), person


def test_what_stands_behind_two_thousand_characters_is_shown_before_the_yes() -> None:
    answer, person = ask(EVIL, "y", "always", "e {}", "", "y")
    assert answer == Answer(action="approve")
    assert all("read to the end before you allow it" in one for one in person.shown[1:4])
    assert 'to="EVIL", euros=999999' in person.shown[4]
    assert "[y]es" in person.shown[4]
    assert all("[y]es" not in one for one in person.shown[:4])


@pytest.mark.parametrize("line", ["n", "no", "/no", "N mine"])
def test_it_can_be_denied_on_the_first_page(line: str) -> None:
    answer, _ = ask(EVIL, line)
    assert answer == Answer(action="deny", note="mine" if line == "N mine" else None)


def test_all_of_it_can_be_had_at_once() -> None:
    answer, person = ask({"note": "a " * 5000, "to": "EVIL"}, "all", "y")
    assert answer == Answer(action="approve")
    assert 'to="EVIL"' in person.shown[1]


def test_where_nobody_types_on_a_page_there_is_no_answer() -> None:
    assert ask(EVIL)[0] is None


def test_a_short_call_is_one_page() -> None:
    answer, person = ask({"to": "Ada"}, "y")
    assert answer == Answer(action="approve")
    assert person.shown[0].startswith('bank asks: Run pay(to="Ada")?\n[y]es')


VALUES = st.recursive(
    st.text(max_size=900) | st.integers() | st.just("x" * 4000) | st.just("\n" * 700),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=30), inner),
    max_leaves=6,
)


@pytest.mark.medium
@settings(max_examples=examples(60))
@given(st.dictionaries(st.text(max_size=3000), VALUES, max_size=5), st.text(max_size=3000))
def test_nothing_of_any_call_is_left_out_before_a_yes_is_taken(
    arguments: dict[str, Any], reason: str
) -> None:
    answer, person = ask(arguments, *[""] * 300, reason=reason)
    assert answer is None, "an empty line is no yes"
    last = next(at for at, one in enumerate(person.shown) if "[y]es" in one)
    shown = "".join(
        one.partition("[page ")[0].partition("[y]es")[0] for one in person.shown[: last + 1]
    ).replace("\n", "")
    for value in arguments.values():
        assert written(value, None).replace("\n", "") in shown
    assert all(len(one) < PAGE_CHARACTERS + 400 for one in person.shown[:last])


@settings(max_examples=examples(100))
@given(st.text(alphabet=st.sampled_from("ab\n"), max_size=9000))
def test_pages_have_all_of_a_text_in_order_and_fit_a_screen(text: str) -> None:
    pages = pages_of(text)
    assert "".join(pages).replace("\n", "") == text.replace("\n", "")
    assert all(len(one) <= PAGE_CHARACTERS for one in pages)
    assert all(one.count("\n") < PAGE_LINES for one in pages)


def test_the_question_in_the_log_says_what_of_it_is_cut() -> None:
    request = CallRequest(id="c", name="pay", arguments="{}")
    text = question_of(PreparedCall(request=request, tool=None, arguments=EVIL))
    assert "… (2,002 characters)" in text
    assert 'to="EVIL", euros=999999' in text
