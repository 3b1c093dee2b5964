"""My health diary: weight, sleep, headaches, medicine."""

from typing import Literal, Optional

_WEIGHTS = [75.8, 75.1, 74.5]
_SLEEP = [7.0, 6.5, 8.0, 7.5, 6.0, 7.0, 8.5, 7.0, 6.5, 7.5, 7.0, 6.0, 8.0, 7.5]
_HEADACHES = []
_REMINDERS = []


def bmi(weight_kg: float, height_cm: float) -> float:
    """Body mass index.

    Args:
        weight_kg: Weight in kilograms.
        height_cm: Height in centimetres.
    """
    return round(weight_kg / (height_cm / 100) ** 2, 1)


def average_sleep(days: int = 7) -> float:
    """Average hours of sleep per night in the diary.

    Args:
        days: How many of the latest nights to include.
    """
    nights = _SLEEP[-days:]
    return round(sum(nights) / len(nights), 2)


def last_weight() -> float:
    """The latest weight in the diary, in kilograms."""
    return _WEIGHTS[-1]


def water_goal(weight_kg: float, sport_minutes: int = 0) -> float:
    """How many litres of water one should drink in a day.

    Args:
        weight_kg: Body weight in kg.
        sport_minutes: Minutes of sport that day.
    """
    return round(0.033 * weight_kg + 0.012 * sport_minutes, 2)


def log_weight(weight_kg: float) -> int:
    """Enter today's weight into the diary.

    Args:
        weight_kg: Weight in kilograms.
    """
    _WEIGHTS.append(weight_kg)
    return len(_WEIGHTS)


def log_sleep(hours: float, quality: Literal["good", "fair", "poor"] = "fair") -> int:
    """Enter last night's sleep into the diary.

    Args:
        hours: Hours slept.
        quality: How well you slept.
    """
    _SLEEP.append(hours)
    return len(_SLEEP)


def headache(severity: int, medicine: Optional[str] = None) -> int:
    """Note a headache in the diary.

    Args:
        severity: From 1 (light) to 10 (unbearable).
        medicine: What was taken against it, e.g. aspirin.
    """
    _HEADACHES.append((severity, medicine))
    return len(_HEADACHES)


def set_reminder(medicine: str, time: str) -> str:
    """Set a daily reminder to take a medicine.

    Args:
        medicine: Name of the medicine.
        time: Time of day, HH:MM, e.g. 08:00.
    """
    _REMINDERS.append((medicine, time))
    return f"{medicine} at {time}"


EFFECTS = {"log_weight", "log_sleep", "headache", "set_reminder"}
