"""What is taken out of a text, whole and in pieces."""

from __future__ import annotations

import html
import json
import re
from collections.abc import Callable, Iterator
from urllib.parse import quote, quote_plus

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from nbagents import redaction
from nbagents.event_cleaner import clean_value
from nbagents.redaction import MARK, Held, clean, cut, know, redact, use_patterns
from tests.thinning import examples

KEY = "kk-0123456789abcdef"


@pytest.fixture(autouse=True)
def _key() -> Iterator[None]:
    know(KEY)
    yield
    use_patterns(())


def pieces(text: str, sizes: list[int]) -> list[str]:
    found: list[str] = []
    for size in sizes:
        found.append(text[:size])
        text = text[size:]
    return [*found, text]


WORDS = st.text(st.sampled_from("k-012 .\nsé\ud800"), max_size=12)
SIZES = st.lists(st.integers(0, 7), max_size=20)


@given(st.lists(WORDS, min_size=1, max_size=4), SIZES)
@settings(max_examples=examples(300))
def test_pieces_give_what_the_whole_gives(words: list[str], sizes: list[int]) -> None:
    text = KEY.join(words)
    held = Held()
    told = "".join(held.take(piece) for piece in pieces(text, sizes)) + held.end()
    assert told == clean(text)
    assert KEY not in told


@given(st.lists(WORDS, min_size=1, max_size=3), st.integers(0, 60))
@settings(max_examples=examples(200))
def test_a_cut_text_never_ends_within_a_key(words: list[str], length: int) -> None:
    text = KEY.join(words)
    assert KEY[: len(KEY) - 1] not in clean(cut(text, length))
    assert len(cut(text, length)) <= length


@pytest.mark.medium
@given(
    st.recursive(
        WORDS | st.integers() | st.none(), lambda one: st.lists(one) | st.dictionaries(WORDS, one)
    )
)
@settings(max_examples=examples(100))
def test_any_json_can_be_written_when_it_is_clean(value: object) -> None:
    made = clean_value([value, KEY, {KEY: KEY}])
    written = json.dumps(made, ensure_ascii=False).encode()
    assert KEY.encode() not in written
    assert clean_value(made) is made


def test_names_that_become_the_same_stay_two() -> None:
    made = clean_value({KEY: 1, MARK: 2, f"{KEY}": 3, "\ud800": 4, "\\ud800": 5})
    assert isinstance(made, dict)
    assert list(made.values()) == [3, 2, 4, 5]  # pyright: ignore[reportUnknownArgumentType, reportUnknownMemberType]  a dict of anything


def test_half_characters_that_differ_stay_different() -> None:
    halves = [chr(one) for one in range(0xD800, 0xE000)]
    made = {clean(f"id-{one}") for one in halves}
    assert len(made) == len(halves)
    assert all(one.isascii() for one in made)


@pytest.mark.parametrize("pattern", ["(", "a*", "", 7, None])
def test_what_cannot_be_looked_for_is_refused(pattern: object) -> None:
    with pytest.raises(ValueError, match=r"pattern|finds nothing"):
        redact(pattern)  # pyright: ignore[reportArgumentType]  that is the point
    assert redact() == ()


def test_a_pattern_of_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(redaction.VARIABLE, r"EMP-\d+")
    redaction.refresh()
    held = Held()
    assert clean("EMP-12 left") == f"{MARK} left"
    assert [held.take("EM"), held.take("P-1"), held.take("2\nx"), held.end()] == [
        *("", "", f"{MARK}\n", "x"),
    ]
    monkeypatch.delenv(redaction.VARIABLE)
    redaction.refresh()
    assert clean("EMP-12 left") == "EMP-12 left"


@pytest.mark.parametrize("short", ["", "any", "1234567"])
def test_what_is_short_is_no_secret(short: str) -> None:
    know(short)
    assert clean(f"it is {short}!") == f"it is {short}!"


WRITTEN: dict[str, Callable[[str], str]] = {
    "itself": str,
    "json": json.dumps,
    "json-of-any-script": lambda key: json.dumps(key, ensure_ascii=False),
    "json-for-a-page": lambda key: json.dumps(key).replace("/", "\\/"),
    "json-in-json": lambda key: json.dumps(json.dumps({"key": key})),
    "python": repr,
    "python-in-python": lambda key: repr([repr(key)]),
    "python-of-ascii": ascii,
    "bytes": lambda key: repr(key.encode()),
    "a-page": html.escape,
    "words-of-a-page": lambda key: html.escape(key, quote=False),
    "an-address": lambda key: quote(key, safe=""),
    "a-form": quote_plus,
    "an-address-in-small-letters": lambda key: re.sub(
        "%..", lambda found: found[0].lower(), quote(key, safe="")
    ),
    "escapes-alone": lambda key: "".join(f"\\u{ord(one):04x}" for one in key),
    "escapes-in-capitals": lambda key: "".join(f"\\u{ord(one):04X}" for one in key),
}
ODD_KEYS = ("sk-test-5ecretlong", "abc/def+ghi==12", "ab\"cd'ef12", "ab\\cdef12", "ab&cd<ef>gh12")


@pytest.mark.parametrize("key", [*ODD_KEYS, "line1abc\nline2def"])
@pytest.mark.parametrize("how", WRITTEN)
def test_a_key_is_found_however_it_is_written(how: str, key: str) -> None:
    know(key)
    told = clean(f"see {WRITTEN[how](key)} end")
    assert MARK in told
    left = told.replace(MARK, "").removeprefix("see ").removesuffix(" end")
    assert not re.findall(r"[a-z0-9]{3}", left.replace("key", ""))


def test_escapes_that_spell_no_key_stay_as_they_are() -> None:
    assert clean(r"\u0041\u0042 stays") == r"\u0041\u0042 stays"
