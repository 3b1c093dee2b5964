"""The offline model understands what is asked in other words than a tool's own, and no more."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, cast

import pytest

from nbagents import Agent


def left_of(item: str) -> int:
    """How many grams of an item are left.

    Args:
        item: Name of the food.
    """
    return len(item)


def road(origin: str, destination: str) -> int:
    """Length of the road between two towns.

    Args:
        origin: Town to start from.
        destination: Town to go to.
    """
    return len(origin + destination)


def pace(km: float, minutes: float) -> float:
    """Pace of a run.

    Args:
        km: Length of the run in km.
        minutes: Time taken in minutes.
    """
    return minutes / km


def last_mass() -> float:
    """The last mass of the scales in kg."""
    return 70.5


def dose(mass_kg: float, days: int) -> float:
    """How many pills a patient takes.

    Args:
        mass_kg: Mass in kg.
        days: For how many days.
    """
    return mass_kg * days


def swap(booking: str, side: str) -> str:
    """Change the side on which a booking sits.

    Args:
        booking: Number of the booking, e.g. BK-12.
        side: Where to sit, e.g. window.
    """
    return booking + side


def shell(command: str) -> str:
    """Execute a command of the system.

    Args:
        command: The command.
    """
    return command


TOOLS = (left_of, road, pace, last_mass, dose, swap)


def _calls(text: str, *tools: Callable[..., object]) -> list[tuple[str, dict[str, object]]]:
    agent = Agent("a", tools=list(tools or TOOLS), model="offline", approval="auto")
    run = agent.run(text, log="memory")
    return [(one.name, dict(cast("Any", one.arguments or {}))) for one in run.calls]


CASES: list[tuple[str, list[tuple[str, dict[str, object]]]]] = [
    (
        "How much salt and how much rye do we have?",
        [("left_of", {"item": "salt"}), ("left_of", {"item": "rye"})],
    ),
    (
        "How long is the road from Ulm to Trier, to Bonn and to Jena?",
        [("road", {"origin": "Ulm", "destination": one}) for one in ("Trier", "Bonn", "Jena")],
    ),
    (
        "I ran 12 km in an hour and three minutes. What was my pace?",
        [("pace", {"km": 12.0, "minutes": 63.0})],
    ),
    (
        "Read the last mass and tell me how many pills a patient takes at that mass in 3 days.",
        [("last_mass", {}), ("dose", {"mass_kg": 70.5, "days": 3})],
    ),
]


@pytest.mark.parametrize(("text", "calls"), CASES)
def test_what_is_asked_again_or_points_back_is_called_for_each(
    text: str, calls: list[tuple[str, dict[str, object]]]
) -> None:
    assert _calls(text) == calls


@pytest.mark.parametrize(
    "text",
    [
        "How many grams of salt are left that I could swap?",
        "I'd rather walk than swap the side of booking BK-77.",
        "Which side is it that I could swap booking BK-77 to?",
    ],
)
def test_a_deed_that_one_could_do_or_would_rather_not_is_not_done(text: str) -> None:
    assert [name for name, _ in _calls(text) if name == "swap"] == []


def test_him_is_somebody_who_was_named_and_no_result() -> None:
    def drop(runner: str) -> str:
        """Remove a runner from the race.

        Args:
            runner: Name of the runner.
        """
        return "Amira"

    def enrol(runner: str, race: str) -> str:
        """Enrol a runner for a race.

        Args:
            runner: Name of the runner.
            race: Which race, e.g. marathon.
        """
        return runner + race

    calls = _calls("Remove Tomas from the race and enrol him for the marathon.", drop, enrol)
    assert calls[0] == ("drop", {"runner": "Tomas"})
    assert [one["runner"] for name, one in calls if name == "enrol"] == ["Tomas"]


def test_i_would_rather_asks_for_a_change() -> None:
    calls = _calls("I'd rather sit at the window on booking BK-77.")
    assert calls == [("swap", {"booking": "BK-77", "side": "window"})]


@pytest.mark.parametrize(
    ("text", "commands"),
    [
        ("list the files using dir Desktop", ["dir Desktop"]),
        ("Please use docker ps to find out what runs.", ["docker ps"]),
        ("remove the link, using the instruction del a.lnk", ["del a.lnk"]),
        ("Should I list the files using dir Desktop?", []),
        ("Don't list the files using dir Desktop.", []),
        ("I already listed the files using dir Desktop.", []),
    ],
)
def test_a_command_is_run_where_a_wish_says_which_one(text: str, commands: list[str]) -> None:
    assert [arguments["command"] for _, arguments in _calls(text, shell)] == commands
