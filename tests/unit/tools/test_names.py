"""The names that models call tools by."""

from __future__ import annotations

import pytest

from nbagents.errors import ToolDefinitionError
from nbagents.tools.tool.tool_name import joined_name, safe_name, split_name


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


@pytest.mark.parametrize(
    ("name", "safe"),
    [
        ("weather", "weather"),
        ("sky--forecast", "sky--forecast"),
        ("_", "_"),
        ("math.plus", "math_plus"),
        ("a b/c", "a_b_c"),
        ("größe", "gr__e"),
    ],
)
def test_a_foreign_name_is_written_as_models_take_it(name: str, safe: str) -> None:
    assert safe_name(name) == safe
    assert joined_name(safe) == safe


def test_foreign_names_that_would_be_the_same_stay_distinct() -> None:
    assert safe_name("a.b") == "a_b" != safe_name("a.b", {"a_b"})
    assert safe_name("天気") != safe_name("温度")
    long = [safe_name("x." * 40 + end) for end in "ab"]
    assert len({*long}) == 2
    assert {len(one) for one in long} == {64}


def test_an_empty_name_is_refused() -> None:
    with pytest.raises(ToolDefinitionError, match="another name"):
        safe_name("")
