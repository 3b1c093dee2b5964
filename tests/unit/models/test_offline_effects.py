"""The offline model does what was asked, and says what it did not: over all everyday tools."""

from __future__ import annotations

import re
from itertools import product

import pytest

from benchmarks.bfcl_rows import Row
from benchmarks.everyday.rows import HALVES, Prompt, domain, half, play, prompts_of
from benchmarks.offline import offline_calls
from nbagents import Agent, tool
from nbagents.messages import UserMessage
from nbagents.models.model import ToolSpec
from nbagents.models.offline.matching.effects import effect_of
from nbagents.runs.plan.plan import spec_of
from tests.thinning import thinned

pytestmark = pytest.mark.medium

DOMAINS = sorted({one.domain for name in HALVES for one in prompts_of(half(name))})
NEVER = (
    "Should I {wish}?",
    "How would I {wish}?",
    "Did somebody {wish}?",
    "Don't {wish}.",
    "What happens if I {wish}?",
    "I already decided not to {wish}.",
    "Before I {wish}: what do I have to know?",
    "Maybe I'll {wish} tomorrow.",
    "Why does one {wish}?",
    "Please do not {wish} yet.",
    "I don't want to {wish}.",
    "If we {wish}, is that good?",
    "Can one {wish} at all?",
    "They told me never to {wish}.",
)
NUMBER = re.compile(r"(?<![\w.,:/-])\d+(?:\.\d+)?(?![\w:/-]|[.,]\d)")


def _wish(name: str) -> str:
    return name.replace("_", " ")


def _asked(text: str, place: str) -> list[str]:
    """The tools with effects that are called in a whole run, each of them answering `done`."""
    known = domain(place)
    row = Row(
        category="",
        messages=(UserMessage(text=text),),
        tools=tuple(spec_of(tool(one)) for one in known.functions.values()),
        gold=(),
        exact=False,
    )
    return [name for name, _ in offline_calls(row) if name in known.effects]


@pytest.mark.parametrize("asked", thinned([*product(NEVER, DOMAINS)], one_in=5), ids=", ".join)
def test_a_deed_that_is_only_spoken_of_is_not_done(asked: tuple[str, str]) -> None:
    form, place = asked
    effects = sorted(domain(place).effects)
    called = {name: _asked(form.format(wish=_wish(name)), place) for name in effects}
    assert {name: found for name, found in called.items() if found} == {}


@pytest.mark.parametrize("place", thinned(DOMAINS, one_in=3))
def test_a_question_with_a_tools_own_words_changes_nothing(place: str) -> None:
    known = domain(place)
    texts = [
        f"{opening} {(one.__doc__ or '').splitlines()[0].rstrip('.').lower()}?"
        for one in known.functions.values()
        for opening in ("Who can", "When did you", "Is it wise to", "Does it help to")
    ]
    assert [text for text in texts if _asked(text, place)] == []


@pytest.mark.parametrize("name", thinned(HALVES, one_in=3))
def test_no_everyday_prompt_has_an_effect_that_it_does_not_ask_for(name: str) -> None:
    played = [play(one) for one in prompts_of(half(name))]
    assert {one.prompt.text: one.uncalled_for for one in played if one.uncalled_for} == {}


@pytest.mark.parametrize("name", thinned(HALVES, one_in=3))
def test_every_number_of_a_prompt_is_used_or_named(name: str) -> None:
    silent: list[str] = []
    for one in prompts_of(half(name)):
        played = play(one)
        given = " ".join(str(arguments) for _, arguments in played.calls) + played.answer
        told = set(re.findall(r"\d+(?:\.\d+)?", given))
        scaled = {str(float(number)) for number in told}
        missing = [
            number
            for number in NUMBER.findall(one.text)
            if number not in told and str(float(number)) not in scaled
        ]
        if missing and played.calls and not _is_rescaled(one, missing):
            silent.append(f"{one.text} {missing}")
    assert silent == []


def _is_rescaled(prompt: Prompt, numbers: list[str]) -> bool:
    """Whether each number is written otherwise in gold: `3 m` as 300, `1 pm` as 13:00."""
    return all(
        re.search(rf"{re.escape(one)} (?:m|metres|g|pm|minutes)\b", prompt.text) for one in numbers
    )


def test_a_wish_that_is_half_served_says_which_half() -> None:
    @tool
    def delete_files(folder: str) -> int:
        """Delete the files of a folder."""
        return len(folder)

    run = Agent("a", tools=[delete_files], model="offline", approval="auto").run(
        "Delete 25 files in the folder /old", log="memory"
    )
    assert [one.arguments for one in run.calls] == [{"folder": "/old"}]
    assert "I did not use “25” of what you wrote." in run.text
    assert "25" in run.summary
    assert any("“25”" in one.text for one in run.events if one.type == "thought")


def test_where_no_tool_fits_the_nearest_two_are_told_with_their_scores() -> None:
    def tide(harbour: str) -> str:
        """When the tide is high in a harbour."""
        return harbour

    def anchor(harbour: str) -> str:
        """Drop the anchor in a harbour."""
        return harbour

    run = Agent("a", tools=[tide, anchor], model="offline", approval="auto").run(
        "Why is a harbour called a harbour at all?", log="memory"
    )
    thoughts = "".join(one.text for one in run.events if one.type == "thought")
    assert not run.calls or run.calls[0].name == "tide"
    assert run.calls or re.search(r"nearest \w+ \d\.\d, \w+ \d\.\d", thoughts)


@pytest.mark.parametrize(
    ("name", "description", "effect"),
    [
        ("price", "Price of an article.", "none"),
        ("anything", "Look up a phone number.", "none"),
        ("expel", "Expel a student from the school.", "some"),
        ("lights", "Dim the lights of a room.", "some"),
        ("order_list", "List the orders.", "none"),
        ("add", "Add two numbers.", "none"),
        ("expel", "", "unclear"),
        ("delete_all", "", "some"),
        ("get_weather", "", "none"),
    ],
)
def test_an_effect_is_judged_by_the_verb_where_nothing_is_declared(
    name: str, description: str, effect: str
) -> None:
    spec = ToolSpec(name=name, description=description, parameters={"type": "object"})
    assert effect_of(spec, numeric=name == "add") == effect


def test_what_a_tool_declares_goes_before_its_verb() -> None:
    @tool(read_only=True)
    def book(title: str) -> str:
        """Book a title."""
        return title

    @tool(destructive=True)
    def price(title: str) -> str:
        """Price of a title."""
        return title

    assert effect_of(spec_of(book), numeric=False) == "none"
    assert effect_of(spec_of(price), numeric=False) == "some"


def test_a_missing_value_is_never_obtained_by_a_deed() -> None:
    def expel(student: str) -> str:
        """Expel a student."""
        return student

    def loan(book: str, student: str) -> str:
        """Which loan a student has of a book."""
        return book + student

    run = Agent("a", tools=[expel, loan], model="offline", approval="auto").run(
        "Do we have this book?", log="memory"
    )
    assert [one.name for one in run.calls if one.name == "expel"] == []


def test_what_happens_is_written_down_where_a_tool_does_that() -> None:
    def report_absence(person: str, reason: str = "ill") -> str:
        """Report that a colleague is absent, e.g. ill.

        Args:
            person: First name of the colleague.
            reason: Why the colleague is away, e.g. ill.
        """
        return f"{person}: {reason}"

    run = Agent("a", tools=[report_absence], model="offline", approval="auto").run(
        "Lena is ill today", log="memory"
    )
    assert [one.name for one in run.calls] == ["report_absence"]


def double(number: int) -> int:
    """Double a number."""
    return 2 * number


def describe(name: str) -> str:
    """Describe a data set by its name."""
    return name


def book_room(room: str, day: str) -> str:
    """Book a room."""
    return f"{room} {day}"


def timetable(label: str, subject: str) -> str:
    """When a class has a subject.

    Args:
        label: Label of the class, e.g. 7b.
        subject: Name of the subject, e.g. sport.
    """
    return f"{label} {subject}"


@pytest.mark.parametrize(
    ("text", "calls"),
    [
        (
            "Double 3, then double the result",
            [("double", {"number": 3}), ("double", {"number": 6})],
        ),
        ("Describe sales", [("describe", {"name": "sales"})]),
        ("When does 8c have sport?", [("timetable", {"label": "8c", "subject": "sport"})]),
    ],
)
def test_results_tool_names_and_codes_are_understood(
    text: str, calls: list[tuple[str, dict[str, object]]]
) -> None:
    tools = [double, describe, book_room, timetable]
    run = Agent("a", tools=tools, model="offline", approval="auto").run(text, log="memory")
    assert [(one.name, one.arguments) for one in run.calls] == calls
