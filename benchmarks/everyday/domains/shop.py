"""A small household shop: articles, prices and orders."""

from enum import Enum
from typing import Literal, Optional

_ARTICLES = {
    "A-12": {"name": "mug", "category": "kitchen", "price": 9.5, "stock": 14},
    "B-07": {"name": "teapot", "category": "kitchen", "price": 34.0, "stock": 3},
    "C-30": {"name": "tea towel", "category": "textiles", "price": 6.25, "stock": 0},
    "D-01": {"name": "picnic blanket", "category": "textiles", "price": 42.0, "stock": 5},
    "E-44": {"name": "desk lamp", "category": "lighting", "price": 58.0, "stock": 8},
    "E-45": {"name": "candle", "category": "lighting", "price": 4.8, "stock": 60},
}
_RATES = {"EUR": 1.0, "USD": 1.08, "GBP": 0.85, "JPY": 162.0}
_ORDERS = {"O-1042": ("E-44", 1), "O-1043": ("B-07", 1)}


class Category(Enum):
    KITCHEN = "kitchen"
    TEXTILES = "textiles"
    LIGHTING = "lighting"


def stock_level(sku: str) -> int:
    """How many pieces of an article are in stock.

    Args:
        sku: Article number, e.g. A-12.
    """
    return _ARTICLES[sku]["stock"]


def price_of(sku: str, currency: Literal["EUR", "USD", "GBP", "JPY"] = "EUR") -> float:
    """Price of one piece of an article.

    Args:
        sku: Article number, e.g. A-12.
        currency: Currency of the price.
    """
    return round(_ARTICLES[sku]["price"] * _RATES[currency], 2)


def cheapest(category: Category) -> str:
    """Article number of the cheapest article in a category."""
    fits = [s for s, a in _ARTICLES.items() if a["category"] == category.value]
    return min(fits, key=lambda s: _ARTICLES[s]["price"])


def shipping_cost(weight_kg: float, country: str, express: bool = False) -> float:
    """Calculate the shipping cost of a parcel in euros.

    Args:
        weight_kg: Weight of the parcel in kilograms.
        country: Destination country, e.g. Germany.
        express: Whether the parcel goes by express.
    """
    base = 4.9 if country.lower() == "germany" else 11.5
    return round(base + 1.2 * weight_kg + (8.0 if express else 0.0), 2)


def place_order(sku: str, quantity: int = 1, customer: Optional[str] = None) -> str:
    """Order an article for a customer and return the order number.

    Args:
        sku: Article number, e.g. A-12.
        quantity: How many pieces.
        customer: Name of the customer, if known.
    """
    number = f"O-{1042 + len(_ORDERS)}"
    _ORDERS[number] = (sku, quantity)
    _ARTICLES[sku]["stock"] -= quantity
    return number


def cancel_order(order_id: str) -> str:
    """Cancel an order.

    Args:
        order_id: Order number, e.g. O-1043.
    """
    sku, quantity = _ORDERS.pop(order_id)
    _ARTICLES[sku]["stock"] += quantity
    return f"{order_id} cancelled"


def restock(sku: str, quantity: int) -> int:
    """Add newly delivered pieces of an article to the stock."""
    _ARTICLES[sku]["stock"] += quantity
    return _ARTICLES[sku]["stock"]


def markdown(sku: str, percent: float) -> float:
    """Lower the price of an article by a percentage and return the new price.

    Args:
        sku: Article number, e.g. A-12.
        percent: Discount in percent, e.g. 20.
    """
    article = _ARTICLES[sku]
    article["price"] = round(article["price"] * (1 - percent / 100), 2)
    return article["price"]


EFFECTS = {"place_order", "cancel_order", "restock", "markdown"}
