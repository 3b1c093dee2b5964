"""Helpers for the wet lab: solutions, samples, incubator."""

import re
from typing import Optional

_MASS = {
    "H": 1.008,
    "C": 12.011,
    "N": 14.007,
    "O": 15.999,
    "Na": 22.99,
    "Cl": 35.45,
    "K": 39.098,
    "S": 32.06,
}
_WHERE = {"S-3": "F2", "S-9": "F1", "S-14": "F4", "S-22": "F1"}
_BOOK = []
_INCUBATOR = {"temperature": 30.0, "co2": 5.0}


def dilution_volume(stock_molar: float, target_molar: float, final_volume_ml: float) -> float:
    """Volume of stock solution (in ml) needed for a dilution.

    Args:
        stock_molar: Concentration of the stock in mol/l.
        target_molar: Wanted concentration in mol/l.
        final_volume_ml: Final volume in millilitres.
    """
    return round(target_molar * final_volume_ml / stock_molar, 3)


def molar_mass(formula: str) -> float:
    """Molar mass of a compound in g/mol.

    Args:
        formula: Chemical formula without brackets, e.g. H2SO4.
    """
    parts = re.findall(r"([A-Z][a-z]?)(\d*)", formula)
    return round(sum(_MASS[e] * int(n or 1) for e, n in parts), 3)


def grams_needed(molar_mass_g: float, molarity: float, volume_ml: float) -> float:
    """How many grams of a substance to weigh in for a solution.

    Args:
        molar_mass_g: Molar mass of the substance in g/mol.
        molarity: Concentration of the solution in mol/l.
        volume_ml: Volume of the solution in ml.
    """
    return round(molar_mass_g * molarity * volume_ml / 1000, 3)


def sample_location(sample_id: str) -> str:
    """Tell in which freezer a sample is kept.

    Args:
        sample_id: Label of the sample, e.g. S-3.
    """
    return _WHERE[sample_id]


def move_sample(sample_id: str, freezer: str) -> str:
    """Move a sample to another freezer.

    Args:
        sample_id: Label of the sample, e.g. S-3.
        freezer: Name of the new freezer, e.g. F1.
    """
    _WHERE[sample_id] = freezer
    return f"{sample_id} -> {freezer}"


def discard_sample(sample_id: str, reason: Optional[str] = None) -> str:
    """Discard a sample for good."""
    del _WHERE[sample_id]
    return f"{sample_id} discarded ({reason or 'no reason given'})"


def set_incubator(temperature_c: float, co2_percent: float = 5.0) -> dict:
    """Set the incubator's temperature and CO2 content.

    Args:
        temperature_c: Temperature in degrees Celsius.
        co2_percent: CO2 in percent.
    """
    _INCUBATOR.update(temperature=temperature_c, co2=co2_percent)
    return dict(_INCUBATOR)


def lab_book_entry(sample_id: str, ph: float) -> int:
    """Write a measured pH value of a sample into the lab book."""
    _BOOK.append((sample_id, ph))
    return len(_BOOK)


EFFECTS = {"move_sample", "discard_sample", "set_incubator", "lab_book_entry"}
