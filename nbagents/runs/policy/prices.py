"""What tokens cost, by the prices that a person has set: there are no others."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import TYPE_CHECKING, TypeAlias, TypeGuard

from nbagents.tools.context import require, require_named, wrong

if TYPE_CHECKING:
    from collections.abc import Iterable

    from nbagents.results import Usage

Prices: TypeAlias = Mapping[str, Mapping[str, float]]
"""By a model's name, what a million tokens cost: `input`, `output`, perhaps `cached` input."""

KINDS = ("input", "output", "cached")
MILLION = 1_000_000
HOW = (
    "give by the model's name what a million tokens cost, e.g. "
    'prices={"m": {"input": 0.2, "output": 0.8}}.'
)


def cost_of(usage: Usage, price: Mapping[str, float]) -> float:
    """What a request has cost.

    Args:
        usage: Its tokens; those that the provider had cached are among those that went in.
        price: By kind, for a million; cached ones cost as much as others where it does not say.

    Example:
        >>> from nbagents.results import Usage
        >>> used = Usage(input_tokens=3_000_000, cached_tokens=1_000_000, output_tokens=500_000)
        >>> cost_of(used, {"input": 2.0, "cached": 0.5, "output": 8.0})
        8.5
    """
    into = price["input"]
    fresh = usage.input_tokens - usage.cached_tokens
    cached = usage.cached_tokens * price.get("cached", into)
    return (fresh * into + cached + usage.output_tokens * price["output"]) / MILLION


def check_prices(given: object) -> None:
    """See that prices are prices.

    Raises:
        ValueError: One is none; says how they are written.
    """
    for model, price in require_named("prices", given, HOW, key="A model among the prices").items():
        require(f"The price of {model!r}", price, Mapping, HOW)
        _check_price(model, price)


def are_prices(given: object) -> TypeGuard[Prices]:
    """Whether something says what models cost."""
    try:
        check_prices(given)
    except ValueError:
        return False
    return True


def _check_price(model: str, price: Mapping[object, object]) -> None:
    kinds = {str(kind) for kind in price}
    if not {"input", "output"} <= kinds <= set(KINDS):
        raise ValueError(
            f"The price of {model!r} has {', '.join(sorted(kinds)) or 'nothing'}: give what a "
            'million tokens cost, e.g. {"input": 0.2, "output": 0.8}, and perhaps "cached".'
        )
    for one in price.values():
        if not isinstance(one, (int, float)) or isinstance(one, bool):
            raise wrong(f"The price of {model!r}", one, "it must be a number.")
        if not (math.isfinite(one) and one >= 0):
            raise wrong(f"The price of {model!r}", one, "it must be 0 or more.")


def unpriced(models: Iterable[str], prices: Prices) -> str | None:
    """What to say of models whose cost nobody can count; `None`: all have a price."""
    missing = [name for name in dict.fromkeys(models) if name not in prices]
    if not missing:
        return None
    name = missing[0]
    return (
        f"max_cost needs the price of {name!r}, and nbagents knows none: give what a million "
        f'tokens cost, e.g. prices={{"{name}": {{"input": 0.2, "output": 0.8}}}}.'
    )
