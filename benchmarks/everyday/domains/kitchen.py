"""Kitchen helpers: units, recipes, pantry and the smart oven."""

from typing import List, Literal, Optional

Unit = Literal["cup", "tbsp", "tsp", "ml"]

_ML = {"cup": 240.0, "tbsp": 15.0, "tsp": 5.0, "ml": 1.0}
_RECIPES = {
    "pancakes": {"flour": 60, "milk": 100, "egg": 0.5},
    "risotto": {"rice": 90, "stock": 300, "parmesan": 20},
}
_PANTRY = {"flour": 1200, "sugar": 800, "rice": 450, "oats": 300}
_LIST = []
_OVEN = {"celsius": 0.0, "mode": "fan"}
_TIMERS = []


def convert_units(amount: float, from_unit: Unit, to_unit: Unit) -> float:
    """Convert a kitchen measure.

    Args:
        amount: How much.
        from_unit: Unit of the amount.
        to_unit: Wanted unit.
    """
    return round(amount * _ML[from_unit] / _ML[to_unit], 2)


def scale_recipe(recipe: str, servings: int) -> dict:
    """Ingredients of a recipe for a number of servings.

    Args:
        recipe: Name of the recipe, e.g. risotto.
        servings: How many people eat.
    """
    return {k: v * servings for k, v in _RECIPES[recipe].items()}


def oven_celsius(fahrenheit: float) -> float:
    """Convert an oven temperature from Fahrenheit to Celsius."""
    return round((fahrenheit - 32) * 5 / 9, 1)


def in_pantry(item: str) -> int:
    """How many grams of an item are left in the pantry.

    Args:
        item: Name of the food, e.g. rice.
    """
    return _PANTRY.get(item, 0)


def preheat_oven(celsius: float, mode: Literal["fan", "top-bottom", "grill"] = "fan") -> str:
    """Preheat the oven.

    Args:
        celsius: Temperature in degrees Celsius.
        mode: Heating mode.
    """
    _OVEN.update(celsius=celsius, mode=mode)
    return f"heating to {celsius} ({mode})"


def start_timer(minutes: float, label: Optional[str] = None) -> int:
    """Start a kitchen timer.

    Args:
        minutes: How long, in minutes.
        label: What the timer is for.
    """
    _TIMERS.append((minutes, label))
    return len(_TIMERS)


def shopping_list(items: List[str]) -> list:
    """Put items on the shopping list and return the whole list.

    Args:
        items: What to buy, e.g. milk.
    """
    _LIST.extend(items)
    return list(_LIST)


def use_up(item: str, grams: int) -> int:
    """Take what was used out of the pantry's stock.

    Args:
        item: Name of the food.
        grams: Amount used in grams.
    """
    _PANTRY[item] = max(0, _PANTRY.get(item, 0) - grams)
    return _PANTRY[item]


EFFECTS = {"preheat_oven", "start_timer", "shopping_list", "use_up"}
