"""Docstrings in three styles, detected and read."""

from __future__ import annotations

import pytest

from nbagents.tools.schema.docstring import detected_style, read_docstring

GOOGLE = """Forecast the weather.

It knows seven days.

Args:
    city (str): Where,
        over two lines.
    *days: How far ahead.

Returns:
    Text.

Raises:
    ValueError: Never.
"""

NUMPY = """Forecast the weather.

It knows seven days.

Parameters
----------
city : str
    Where,
    over two lines.
*days : int, optional
    How far ahead.

Returns
-------
str
    Text.
"""

SPHINX = """Forecast the weather.

It knows seven days.

:param str city: Where,
    over two lines.
:param days: How far ahead.
:type days: int
:returns: Text.
"""


@pytest.mark.parametrize(
    ("text", "style"), [(GOOGLE, "google"), (NUMPY, "numpy"), (SPHINX, "sphinx")]
)
def test_each_style_is_detected_and_says_the_same(text: str, style: str) -> None:
    assert detected_style(text) == style
    found = read_docstring(text)
    assert found.description == "Forecast the weather.\n\nIt knows seven days."
    assert found.parameters == {"city": "Where, over two lines.", "days": "How far ahead."}


def test_a_style_that_is_given_is_not_detected() -> None:
    assert read_docstring(NUMPY, "numpy").parameters
    assert not read_docstring(NUMPY, "google").parameters


@pytest.mark.parametrize("text", [None, "", "  \n "])
def test_no_docstring_says_nothing(text: str | None) -> None:
    found = read_docstring(text)
    assert (found.description, found.parameters) == ("", {})


def test_plain_text_is_a_description() -> None:
    assert detected_style("Just do it.") == "google"
    assert read_docstring("Just do it.\n\nNow.").description == "Just do it.\n\nNow."


def test_a_google_header_without_blank_line_before_it_does_not_leak_into_the_description() -> None:
    found = read_docstring("Forecast.\nArgs:\n    city: Where.\nReturns:\n    Text.")
    assert found.description == "Forecast."
    assert found.parameters == {"city": "Where."}


def test_numpy_may_describe_two_parameters_at_once() -> None:
    found = read_docstring("Go.\n\nParameters\n----------\nlon, lat : float\n    In degrees.\n")
    assert found.parameters == {"lon": "In degrees.", "lat": "In degrees."}


def test_a_docstring_of_sections_only_has_no_description() -> None:
    found = read_docstring("Args:\n    city: Where.\n")
    assert (found.description, found.parameters) == ("", {"city": "Where."})


def test_an_unknown_layout_is_kept_as_text() -> None:
    text = "Do it.\n\n- first: this\n- second: that"
    assert read_docstring(text).description == text


SPHINX_LINE, NUMPY_LINES, GOOGLE_LINES = ":param a: x", "Returns\n-------\nint", "Args:\n    a: x"


@pytest.mark.parametrize(
    ("parts", "style"),
    [
        ((GOOGLE_LINES, NUMPY_LINES, SPHINX_LINE), "sphinx"),
        ((GOOGLE_LINES, NUMPY_LINES), "numpy"),
        ((GOOGLE_LINES, SPHINX_LINE), "sphinx"),
        ((SPHINX_LINE, GOOGLE_LINES, "Returns:\n    int"), "google"),
        ((SPHINX_LINE, ":rtype: int", GOOGLE_LINES, "Returns:\n    int"), "sphinx"),
        ((SPHINX_LINE, NUMPY_LINES, "Parameters\n----\na : int"), "numpy"),
        (("  Args:", "  :param a: x", "nothing"), "google"),
    ],
)
def test_most_patterns_decide_and_then_sphinx_before_numpy_before_google(
    parts: tuple[str, ...], style: str
) -> None:
    assert detected_style("\n\n".join(("Do it.", *parts))) == style
