"""What stands after `%agent`: options first, then natural language as it stands."""

from __future__ import annotations

import datetime as dt

import pytest

from nbagents.notebook.magics.magics import AGENT_OPTIONS, TOOL_OPTIONS
from nbagents.notebook.options.option import MissingNameError, OptionError, describe
from nbagents.notebook.options.option_line import paste_values, split_options


def split(line: str) -> tuple[dict[str, list[str]], str]:
    return split_options(line, AGENT_OPTIONS)


@pytest.mark.parametrize(
    "prompt",
    [
        "What is the weather in Paris?",
        "it's Anna's map, isn't it",
        "say \"hello 'world'\" twice",
        "what does --model mean -m here",
        "a { brace } and $5 and {x} and $HOME",
        "100% sure; #1 answer # not a comment",
        "back\\slash and \\n",
        "5 - 3 is what",
        "– a dash that is none",
        "日本の天気は？",
    ],
)
def test_natural_language_survives(prompt: str) -> None:
    assert split(prompt) == ({}, prompt)
    assert split(f"-m offline {prompt}") == ({"model": ["offline"]}, prompt)
    assert paste_values(prompt, {}) == prompt


def test_only_leading_options_are_options() -> None:
    assert split("-n 3 explain -n 3") == ({"max-steps": ["3"]}, "explain -n 3")


def test_values_come_by_space_by_equals_and_in_quotes() -> None:
    options, prompt = split('--model=gpt-x -s \'You are "terse".\' -t "a, b" -t c go on')
    assert options == {"model": ["gpt-x"], "system": ['You are "terse".'], "tools": ["a, b", "c"]}
    assert prompt == "go on"


def test_an_apostrophe_in_an_unquoted_value_is_kept() -> None:
    assert split("-o it's fine") == ({"out": ["it's"]}, "fine")
    assert split(r"-s 'it\'s' fine") == ({"system": ["it's"]}, "fine")


def test_two_dashes_end_the_options() -> None:
    assert split("-n 3 -- -n is an option?") == ({"max-steps": ["3"]}, "-n is an option?")
    assert split("--") == ({}, "")


def test_a_switch_takes_no_value() -> None:
    assert split("-h me") == ({"help": ["yes"]}, "me")


def test_an_unknown_option_names_close_ones_and_the_way_out() -> None:
    with pytest.raises(OptionError, match=r"no option '--modle'.*'--model'.*`--`"):
        split("--modle x hello")


def test_an_option_without_its_value_says_so() -> None:
    with pytest.raises(OptionError, match="--max-steps wants a value: --max-steps N"):
        split("-n")


def test_every_option_is_described_on_a_line_of_its_own() -> None:
    for options in (AGENT_OPTIONS, TOOL_OPTIONS):
        heads = [line[:6].strip(" ,") for line in describe(options).splitlines()]
        assert heads == [option.short for option in options]


NAMES = {
    "city": "Oslo",
    "x": 3.14,
    "text": "{{city}}",
    "when": dt.time(9, 30),
}


@pytest.mark.parametrize(
    ("prompt", "pasted"),
    [
        ("weather in {{city}}?", "weather in Oslo?"),
        ("{{ city }} and {{city!r}}", "Oslo and 'Oslo'"),
        ("{{x:.2f}} {{x!s:>6}}", "3.14   3.14"),
        ("{{ {'a': {'b': 1}}['a']['b'] }}", "1"),
        ("{{ {'a': {'b': 1}} }}", "{'a': {'b': 1}}"),
        ("at {{when:%H:%M}}", "at 09:30"),
        ("{{city[0:2]}} {{city[0:2]:>4}}", "Os   Os"),
        ("{{[c for c in city if c != 's']}}", "['O', 'l', 'o']"),
        ('{"a": {"b": 1}} is {city}', '{"a": {"b": 1}} is {city}'),
        (r"\{{city}} is literal", "{{city}} is literal"),
        ("{{text}}", "{{city}}"),
        ("{{city}}{{city}}", "OsloOslo"),
    ],
)
def test_only_double_braces_paste_a_value_and_only_once(prompt: str, pasted: str) -> None:
    assert paste_values(prompt, NAMES) == pasted


def test_an_undefined_name_is_an_error_with_close_matches() -> None:
    with pytest.raises(MissingNameError, match=r"'ctiy'.*Did you mean 'city'\? Nothing was sent"):
        paste_values("in {{ctiy}}", {"city": "Oslo"})


def test_an_error_of_the_expression_is_the_persons_own() -> None:
    with pytest.raises(ZeroDivisionError):
        paste_values("{{1 / 0}}", {})


def test_braces_around_what_is_no_python_are_an_error_that_says_how_to_write_them() -> None:
    with pytest.raises(OptionError, match=r"no \{\{expression\}\} of Python.*Nothing was sent"):
        paste_values("{{two words}}", {})
    with pytest.raises(OptionError, match="Nothing was sent"):
        paste_values("an open {{ brace", {})
