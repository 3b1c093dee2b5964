"""Hobby astronomy: a few numbers and the club observatory."""

from enum import Enum
from typing import Literal

_AU = {
    "Mercury": 0.387,
    "Venus": 0.723,
    "Earth": 1.0,
    "Moon": 1.0,
    "Mars": 1.524,
    "Jupiter": 5.203,
    "Saturn": 9.537,
    "Uranus": 19.19,
    "Neptune": 30.07,
}
_G = {
    "Mercury": 0.38,
    "Venus": 0.9,
    "Earth": 1.0,
    "Moon": 0.165,
    "Mars": 0.38,
    "Jupiter": 2.53,
    "Saturn": 1.07,
    "Uranus": 0.89,
    "Neptune": 1.14,
}
_PASSES = {("ISS", "Oslo"): "21:14", ("ISS", "Lisbon"): "20:47", ("Hubble", "Lisbon"): "22:05"}
_SCOPE = {"ra": 0.0, "dec": 0.0, "dome": "open"}
_LOG = []


class Body(Enum):
    MERCURY = "Mercury"
    VENUS = "Venus"
    EARTH = "Earth"
    MOON = "Moon"
    MARS = "Mars"
    JUPITER = "Jupiter"
    SATURN = "Saturn"
    URANUS = "Uranus"
    NEPTUNE = "Neptune"


def sun_distance(body: Body) -> float:
    """Mean distance of a planet from the Sun in astronomical units (AU)."""
    return _AU[body.value]


def light_travel_time(distance_au: float) -> float:
    """Minutes that light needs for a distance.

    Args:
        distance_au: Distance in astronomical units.
    """
    return round(distance_au * 8.3167, 2)


def weight_on(body: Body, mass_kg: float) -> float:
    """Weight in newtons of a mass on the surface of a planet or the Moon.

    Args:
        body: Where the scales stand.
        mass_kg: Mass in kilograms.
    """
    return round(mass_kg * 9.81 * _G[body.value], 1)


def next_pass(satellite: str, city: str) -> str:
    """Time at which a satellite can next be seen over a city.

    Args:
        satellite: Name of the satellite, e.g. Hubble.
        city: City of the observer.
    """
    return _PASSES.get((satellite, city), "not tonight")


def point_telescope(ra_hours: float, dec_degrees: float) -> dict:
    """Point the telescope at a position in the sky.

    Args:
        ra_hours: Right ascension in hours.
        dec_degrees: Declination in degrees.
    """
    _SCOPE.update(ra=ra_hours, dec=dec_degrees)
    return dict(_SCOPE)


def take_exposure(
    seconds: float, filter_name: Literal["clear", "red", "green", "blue"] = "clear", count: int = 1
) -> str:
    """Take one or more pictures with the camera.

    Args:
        seconds: Exposure time of each picture in seconds.
        filter_name: Colour filter in front of the camera.
        count: How many pictures.
    """
    _LOG.append(("exposure", seconds, filter_name, count))
    return f"{count} x {seconds} s ({filter_name})"


def dome(state: Literal["open", "closed"]) -> str:
    """Bring the observatory's dome into a state.

    Args:
        state: Whether it shall be open or closed.
    """
    _SCOPE["dome"] = state
    return state


def log_observation(target: str, notes: str = "") -> int:
    """Write an observation into the club's log.

    Args:
        target: What was observed, e.g. M31.
        notes: Remarks.
    """
    _LOG.append(("seen", target, notes))
    return len(_LOG)


EFFECTS = {"point_telescope", "take_exposure", "dome", "log_observation"}
