"""The one escaper: nothing acts unseen or looks blank, and what is legitimate stays readable."""

from __future__ import annotations

import json
import random
import sys
import unicodedata
from pathlib import Path
from typing import Any

import pytest

from nbagents.runs.wording.visible_text import exact, plain, visible, visible_name

FIXTURE: dict[str, list[dict[str, str]]] = json.loads(
    (Path(__file__).parents[2] / "fixtures" / "visible.json").read_text("utf-8")
)
EVERY = [chr(code) for code in range(sys.maxunicode + 1)]
"""Every code point, also those that are no characters."""
IGNORABLE = [
    *range(0x180B, 0x1810),
    *range(0xFE00, 0xFE10),
    *range(0xE0000, 0xE1000),
    *(0xAD, 0x34F, 0x61C, 0x115F, 0x1160, 0x17B4, 0x17B5, 0x3164, 0xFEFF, 0xFFA0, 0x2065),
    *range(0xFFF0, 0xFFF9),
]
BLANK = [0x2800, 0x3164, 0xFFA0, 0x115F, 0x1160]


def hidden_in_prose() -> list[str]:
    """What Unicode says acts without being seen."""
    kinds = ("Cc", "Cf", "Cs", "Co", "Zl", "Zp")
    found = {one for one in EVERY if unicodedata.category(one) in kinds}
    return sorted((found | {*map(chr, IGNORABLE), *map(chr, BLANK)}) - {"\t", "\n"})


def is_shown(text: str) -> bool:
    """Whether nothing in a text is hidden."""
    return not any(one in HIDDEN for one in text)


HIDDEN = frozenset(hidden_in_prose())


@pytest.mark.parametrize("case", FIXTURE["texts"], ids=lambda case: case["what"])
def test_a_text_is_written_out_as_the_page_writes_it_out(case: dict[str, str]) -> None:
    text = case["text"]
    assert (visible(text), exact(text), plain(text)) == (
        case["visible"],
        case["exact"],
        case["plain"],
    )


@pytest.mark.parametrize("case", FIXTURE["names"], ids=lambda case: case["what"])
def test_a_name_is_written_out_as_the_page_writes_it_out(case: dict[str, str]) -> None:
    assert visible_name(case["name"]) == case["shown"]


@pytest.mark.medium
def test_all_that_acts_unseen_or_looks_blank_is_written_out_between_letters() -> None:
    left = [f"{ord(one):x}" for one in HIDDEN if one in visible(f"a{one}b")]
    assert left == []


def test_a_value_shows_each_space_that_is_none_and_a_line_shows_its_ends() -> None:
    spaces = [one for one in EVERY if unicodedata.category(one) == "Zs" and one != " "]
    assert [one for one in spaces if one in exact(f"a{one}b")] == []
    assert [one for one in spaces if one not in visible(f"a{one}b")] == []
    assert plain("a\nb\tc\rd") == r"a\nb\tc\rd"


def test_a_mark_with_nothing_to_stand_on_is_written_out_wherever_that_is() -> None:
    marks = [one for one in EVERY[:0x1FFFF] if unicodedata.category(one) in ("Mn", "Me")]
    for before in ("", " ", '"', "=", "\n", "(", "\u200b", "\u2003"):
        assert [one for one in marks if one in visible(f"{before}{one}")] == []


def texts(count: int) -> list[str]:
    """Texts that are made of what hides, what is legitimate, and plain letters, in any order."""
    rng = random.Random(11)
    parts: list[str] = [case["text"] for case in FIXTURE["texts"]]
    some = [*HIDDEN]
    made: list[str] = []
    for _ in range(count):
        pieces = [rng.choice((rng.choice(parts), rng.choice(some), rng.choice(EVERY), "ab", "😀"))]
        for _ in range(rng.randrange(8)):
            one = rng.choice(parts)
            cut = rng.randrange(len(one) + 1)
            pieces += [rng.choice((one[:cut], one[cut:], rng.choice(some), rng.choice(EVERY)))]
        made.append("".join(pieces))
    return made


@pytest.mark.parametrize("write", [visible, exact, plain, visible_name])
def test_what_was_written_out_stays_as_it_is(write: Any) -> None:
    for text in texts(600):
        once = write(text)
        assert write(once) == once, ascii(text)


def test_only_legitimate_joiners_and_selectors_are_left_of_what_hides() -> None:
    allowed = {"\u200c", "\u200d", "\ufe0e", "\ufe0f", *map(chr, range(0xE0061, 0xE0080))}
    for text in texts(600):
        left = {one for one in plain(text) if one in HIDDEN}
        assert left <= allowed, ascii(text)


def test_plain_letters_are_left_alone_whatever_stands_around_them() -> None:
    for text in texts(500):
        kept = [one for one in text if one.isascii() and one.isprintable()]
        rest = iter(visible(text))
        assert all(one in rest for one in kept), ascii(text)


def test_two_names_that_are_shown_alike_are_the_same() -> None:
    """Each letter that Unicode maps to one of ASCII, and each that only looks like one."""
    look = "\u0430\u0435\u043e\u0440\u0441\u0443\u0445\u0456\u0455\u0501\u03bf\u03b1\u0585\u0578"
    mapped = [
        one
        for one in EVERY[0x80:]
        if (plainer := unicodedata.normalize("NFKC", one)).isascii() and plainer.isalnum()
    ]
    for one in (*look, *mapped):
        name = f"delete{one}"
        assert visible_name(name).isascii(), ascii(name)
