"""Garden beds, plants and the watering system."""

_MOISTURE = {"1": 48, "3a": 35, "3b": 41, "7a": 52, "7b": 22}
_DAYS = {"radish": 28, "carrot": 75, "pumpkin": 110, "lettuce": 50, "tomato": 80, "onion": 100}
_SOWN = []
_HARVEST = []
_ALARM = {"on": False, "below": 2.0}


def _singular(name: str) -> str:
    name = name.lower()
    for ending in ("es", "s"):
        if name.endswith(ending) and name[: -len(ending)] in _DAYS:
            return name[: -len(ending)]
    return name


def days_to_harvest(plant: str) -> int:
    """Days from sowing a plant until it can be harvested.

    Args:
        plant: Name of the plant, singular or plural.
    """
    return _DAYS[_singular(plant)]


def plants_per_row(row_cm: float, spacing_cm: float) -> int:
    """How many plants fit into a row.

    Args:
        row_cm: Length of the row in centimetres.
        spacing_cm: Distance from plant to plant in centimetres.
    """
    return int(row_cm // spacing_cm)


def soil_moisture(bed: str) -> int:
    """Soil moisture of a bed in percent, as measured by its sensor.

    Args:
        bed: Label of the bed, e.g. 3a.
    """
    return _MOISTURE[bed]


def driest_bed() -> str:
    """Label of the bed with the lowest soil moisture."""
    return min(_MOISTURE, key=_MOISTURE.get)


def water_bed(bed: str, litres: float) -> str:
    """Water a bed with an amount of water.

    Args:
        bed: Label of the bed, e.g. 3a.
        litres: Amount of water in litres.
    """
    _MOISTURE[bed] = min(100, _MOISTURE[bed] + int(litres))
    return f"bed {bed}: {litres} l"


def sow(plant: str, bed: str, rows: int = 1) -> str:
    """Enter into the garden plan that a plant is sown in a bed.

    Args:
        plant: Name of the plant, singular or plural.
        bed: Label of the bed, e.g. 3a.
        rows: How many rows.
    """
    _SOWN.append((_singular(plant), bed, rows))
    return f"{rows} row(s) of {plant} in {bed}"


def note_harvest(plant: str, kilos: float) -> float:
    """Write a harvest into the garden book and return the total so far."""
    _HARVEST.append((_singular(plant), kilos))
    return round(sum(k for p, k in _HARVEST if p == _singular(plant)), 2)


def frost_alarm(active: bool, below_c: float = 2.0) -> dict:
    """Switch the frost alarm on or off.

    Args:
        active: True for on, False for off.
        below_c: Temperature in degrees Celsius under which it rings.
    """
    _ALARM.update(on=active, below=below_c)
    return dict(_ALARM)


EFFECTS = {"water_bed", "sow", "note_harvest", "frost_alarm"}
