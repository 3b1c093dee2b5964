"""The names that models call tools by."""

from __future__ import annotations

import pytest

from nbagents.errors import ToolDefinitionError
from nbagents.tools.names import joined_name, split_name


def test_a_toolset_is_the_prefix() -> None:
    assert joined_name("setCenter", "mapAgent") == "mapAgent--setCenter"
    assert joined_name("weather") == "weather"


@pytest.mark.parametrize(
    ("name", "parts"),
    [
        ("mapAgent--setCenter", ("mapAgent", "setCenter")),
        ("a--b--c", ("a", "b--c")),
        ("weather", (None, "weather")),
        ("--b", (None, "--b")),
        ("a--", (None, "a--")),
        ("a-b_c", (None, "a-b_c")),
    ],
)
def test_a_name_is_split_at_the_first_two_dashes(name: str, parts: tuple[str | None, str]) -> None:
    assert split_name(name) == parts


@pytest.mark.parametrize("name", ["", "größe", "a b", "a.b", "a/b", "<lambda>", "a\n"])
def test_other_characters_are_refused_with_what_to_do(name: str) -> None:
    with pytest.raises(ToolDefinitionError, match="another name"):
        joined_name(name)


@pytest.mark.parametrize("toolset", ["a--b", "a-", "--"])
def test_a_toolset_that_would_move_the_split_is_refused(toolset: str) -> None:
    with pytest.raises(ToolDefinitionError, match="split"):
        joined_name("b", toolset)


def test_a_long_name_is_cut_and_stays_distinct() -> None:
    first, second = joined_name("a" * 64 + "b", "set"), joined_name("a" * 64 + "c", "set")
    assert len(first) == len(second) == 64
    assert first != second
    assert split_name(first)[0] == "set"
    assert joined_name("a" * 64) == "a" * 64
