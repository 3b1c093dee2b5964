"""Trip planning: trains, hotels, distances."""

from enum import Enum
from typing import Literal

_KM = {
    ("Berlin", "Hamburg"): 289.0,
    ("Graz", "Vienna"): 200.0,
    ("Prague", "Vienna"): 334.0,
    ("Berlin", "Vienna"): 681.0,
    ("Berlin", "Prague"): 350.0,
}
_TRAINS = {
    ("Vienna", "Graz"): [("07:58", "RJ 531"), ("13:58", "RJ 559")],
    ("Prague", "Vienna"): [("08:44", "EC 273"), ("10:44", "EC 275")],
    ("Berlin", "Hamburg"): [("06:38", "ICE 802"), ("12:05", "ICE 806")],
}
_EUR = {"EUR": 1.0, "USD": 1.08, "GBP": 0.85, "CHF": 0.95, "CZK": 25.2}
_BOOKINGS = {"BK-77": {"train": "RJ 559", "seat": "aisle"}}


class RoomType(str, Enum):
    single = "single"
    double = "double"
    family = "family"


def distance_km(origin: str, destination: str) -> float:
    """Distance between two cities in kilometres.

    Args:
        origin: City to start from.
        destination: City to go to.
    """
    return _KM[tuple(sorted((origin, destination)))]


def travel_time(km: float, speed_kmh: float) -> float:
    """Hours needed for a distance at a given average speed.

    Args:
        km: Distance in kilometres.
        speed_kmh: Average speed in km/h.
    """
    return round(km / speed_kmh, 2)


def next_train(origin: str, destination: str, after: str = "00:00") -> str:
    """Find the next direct train between two cities.

    Args:
        origin: City of departure.
        destination: City of arrival.
        after: Earliest departure in 24-hour time, e.g. 08:30.

    Returns:
        The train number.
    """
    for leaves, train in _TRAINS[(origin, destination)]:
        if leaves >= after.zfill(5):
            return train
    return "no train"


def exchange(amount: float, from_currency: str, to_currency: str) -> float:
    """Exchange an amount of money at today's rate.

    Args:
        amount: Amount in the first currency.
        from_currency: Three-letter code, e.g. EUR.
        to_currency: Three-letter code, e.g. CHF.
    """
    return round(amount / _EUR[from_currency] * _EUR[to_currency], 2)


def book_train(
    train: str, date: str, passengers: int = 1, travel_class: Literal["first", "second"] = "second"
) -> str:
    """Book seats on a train.

    Args:
        train: Train number, e.g. ICE 802.
        date: Day of travel as YYYY-MM-DD.
        passengers: Number of people.
        travel_class: First or second class.
    """
    number = f"BK-{77 + len(_BOOKINGS)}"
    _BOOKINGS[number] = {"train": train, "date": date, "n": passengers, "class": travel_class}
    return number


def cancel_booking(booking_id: str) -> str:
    """Cancel a train booking, e.g. BK-77."""
    _BOOKINGS.pop(booking_id)
    return f"{booking_id} cancelled"


def reserve_hotel(city: str, check_in: str, nights: int, room: RoomType = RoomType.double) -> str:
    """Reserve a hotel room.

    Args:
        city: City of the hotel.
        check_in: Date of arrival as YYYY-MM-DD.
        nights: How many nights.
        room: Kind of room.
    """
    return f"{RoomType(room).value} room in {city} from {check_in}, {nights} nights"


def seat(booking_id: str, position: Literal["window", "aisle"]) -> str:
    """Change the seat of a booking to the window or the aisle.

    Args:
        booking_id: Number of the booking, e.g. BK-12.
        position: Where to sit.
    """
    _BOOKINGS[booking_id]["seat"] = position
    return f"{booking_id}: {position}"


EFFECTS = {"book_train", "cancel_booking", "reserve_hotel", "seat"}
