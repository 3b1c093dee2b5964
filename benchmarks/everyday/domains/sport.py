"""Club tools: league table, races, training."""

from enum import Enum
from typing import Literal, Optional

_TABLE = ["Albion", "Rovers", "United", "Wanderers"]
_NEXT = {"Rovers": "Wanderers", "Wanderers": "Rovers", "Albion": "United", "United": "Albion"}
_STARTERS = {"5k": [], "10k": ["Amira", "Tomas"], "half marathon": ["Dana"], "marathon": []}
_WORKOUTS = []
_RESULTS = []

Race = Literal["5k", "10k", "half marathon", "marathon"]


class Activity(Enum):
    RUNNING = "running"
    CYCLING = "cycling"
    SWIMMING = "swimming"
    WALKING = "walking"


_MET = {"running": 9.8, "cycling": 7.5, "swimming": 6.0, "walking": 3.5}


def pace(distance_km: float, minutes: float) -> float:
    """Pace of a run in minutes per kilometre.

    Args:
        distance_km: Distance in kilometres.
        minutes: Time taken in minutes.
    """
    return round(minutes / distance_km, 2)


def calories_burned(activity: Activity, minutes: int, weight_kg: float = 70.0) -> float:
    """Estimate the calories burned by an activity.

    Args:
        activity: Kind of sport.
        minutes: Duration in minutes.
        weight_kg: Body weight in kilograms.
    """
    return round(_MET[activity.value] * weight_kg * minutes / 60, 1)


def team_standing(team: str) -> int:
    """Place of a team in the league table."""
    return _TABLE.index(team) + 1


def next_opponent(team: str) -> str:
    """Which team a team plays next.

    Args:
        team: Name of the team, e.g. United.
    """
    return _NEXT[team]


def log_workout(activity: Activity, minutes: int, date: Optional[str] = None) -> int:
    """Add a workout to the training log.

    Args:
        activity: Kind of sport.
        minutes: Duration in minutes.
        date: Day as YYYY-MM-DD; today if left out.
    """
    _WORKOUTS.append((activity.value, minutes, date))
    return len(_WORKOUTS)


def sign_up(runner: str, race: Race) -> int:
    """Sign a runner up for a race and return the start number.

    Args:
        runner: Name of the runner.
        race: Which race.
    """
    _STARTERS[race].append(runner)
    return len(_STARTERS[race])


def record_result(home: str, away: str, home_goals: int, away_goals: int) -> str:
    """Record the final score of a match.

    Args:
        home: Home team.
        away: Visiting team.
        home_goals: Goals of the home team.
        away_goals: Goals of the visiting team.
    """
    _RESULTS.append((home, away, home_goals, away_goals))
    return f"{home} {home_goals}:{away_goals} {away}"


def scratch(runner: str, race: Race) -> list[str]:
    """Take a runner off the start list of a race.

    Args:
        runner: Name of the runner.
        race: Which race.
    """
    _STARTERS[race].remove(runner)
    return list(_STARTERS[race])


EFFECTS = {"log_workout", "sign_up", "record_result", "scratch"}
