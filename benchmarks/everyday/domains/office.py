"""Everyday office chores."""

from datetime import date, timedelta
from typing import List, Literal

_ROOMS = {
    "Elbe": (4, {"Tuesday"}),
    "Rhine": (6, {"Thursday"}),
    "Danube": (10, {"Friday"}),
    "Volga": (20, set()),
}
_PHONE = {"Lena": "311", "Jonas": "324", "Priya": "308", "Omar": "340"}
_HOLIDAY = {"Lena": 12, "Jonas": 7, "Priya": 21, "Omar": 3}
_LOG = []

Weekday = Literal["Monday", "Tuesday", "Wednesday", "Thursday", "Friday"]


def free_room(day: Weekday, seats: int) -> str:
    """Name of the smallest meeting room that is free on a day.

    Args:
        day: Day of the week.
        seats: How many people need a seat.
    """
    fits = [(n, r) for r, (n, busy) in _ROOMS.items() if n >= seats and day not in busy]
    return min(fits)[1] if fits else "none"


def extension_of(person: str) -> str:
    """Look up a colleague's phone extension."""
    return _PHONE[person]


def working_days(start: str, end: str) -> int:
    """Count the working days (Monday to Friday) from start to end, both included.

    Args:
        start: First day, YYYY-MM-DD.
        end: Last day, YYYY-MM-DD.
    """
    a, b = date.fromisoformat(start), date.fromisoformat(end)
    return sum((a + timedelta(i)).weekday() < 5 for i in range((b - a).days + 1))


def holiday_left(person: str) -> int:
    """Number of holiday days a colleague has left this year.

    Args:
        person: First name of the colleague.
    """
    return _HOLIDAY[person]


def book_room(room: str, day: Weekday, start: str = "09:00", hours: float = 1.0) -> str:
    """Book a meeting room.

    Args:
        room: Name of the room, e.g. Elbe.
        day: Day of the week.
        start: Start time in 24-hour format, e.g. 14:00.
        hours: Duration in hours.
    """
    _ROOMS[room][1].add(day)
    return f"{room} booked on {day} at {start} for {hours} h"


def send_mail(to: List[str], subject: str, body: str = "") -> int:
    """Send an e-mail to one or more colleagues.

    Args:
        to: Names of the recipients.
        subject: Subject line.
        body: Text of the mail.
    """
    _LOG.append(("mail", list(to), subject, body))
    return len(to)


def report_absence(person: str, reason: Literal["ill", "holiday", "training"] = "ill") -> str:
    """Report that a colleague is absent today.

    Args:
        person: First name of the colleague.
        reason: Why the colleague is away.
    """
    _LOG.append(("absent", person, reason))
    return f"{person}: {reason}"


def order_supplies(item: str, quantity: int = 1) -> str:
    """Order office supplies from the usual supplier.

    Args:
        item: What to order, e.g. staples.
        quantity: Number of packs.
    """
    _LOG.append(("order", item, quantity))
    return f"{quantity} x {item}"


EFFECTS = {"book_room", "send_mail", "report_absence", "order_supplies"}
