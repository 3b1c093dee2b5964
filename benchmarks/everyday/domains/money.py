"""Household money: accounts, bills, budget."""

from typing import Literal, Optional

Account = Literal["checking", "savings", "joint"]

_BALANCE = {"checking": 1840.55, "savings": 9200.0, "joint": 318.4}
_PER_EUR = {"EUR": 1.0, "USD": 1.08, "GBP": 0.85, "JPY": 162.0, "CHF": 0.95}
_SPENT = {
    ("groceries", "2025-01"): 412.3,
    ("groceries", "2025-02"): 388.15,
    ("transport", "2025-01"): 96.0,
    ("transport", "2025-02"): 101.5,
}
_BUDGET = {"groceries": 400.0}
_ORDERS = []


def balance(account: Account) -> float:
    """Current balance of an account in euros.

    Args:
        account: Which account.
    """
    return _BALANCE[account]


def convert(amount: float, from_currency: str, to_currency: str) -> float:
    """Convert money from one currency to another.

    Args:
        amount: The amount to convert.
        from_currency: Three-letter code, e.g. EUR.
        to_currency: Three-letter code, e.g. USD.
    """
    return round(amount / _PER_EUR[from_currency] * _PER_EUR[to_currency], 2)


def loan_payment(principal: float, annual_rate_percent: float, years: int) -> float:
    """Monthly payment of a loan with fixed interest.

    Args:
        principal: Amount borrowed.
        annual_rate_percent: Interest per year in percent.
        years: Running time in years.
    """
    r, n = annual_rate_percent / 1200, years * 12
    return round(principal / n if r == 0 else principal * r / (1 - (1 + r) ** -n), 2)


def spending(category: str, month: Optional[str] = None) -> float:
    """How much was spent in a category.

    Args:
        category: For example groceries or transport.
        month: Month as YYYY-MM; all months if left out.
    """
    return round(sum(v for (c, m), v in _SPENT.items() if c == category and month in (None, m)), 2)


def transfer(from_account: Account, to_account: Account, amount: float) -> float:
    """Transfer money between two of my accounts.

    Args:
        from_account: Account the money comes from.
        to_account: Account the money goes to.
        amount: Amount in euros.
    """
    _BALANCE[from_account] = round(_BALANCE[from_account] - amount, 2)
    _BALANCE[to_account] = round(_BALANCE[to_account] + amount, 2)
    return _BALANCE[to_account]


def pay_bill(payee: str, amount: float, reference: Optional[str] = None) -> str:
    """Pay a bill from the checking account.

    Args:
        payee: Who gets the money.
        amount: Amount in euros.
        reference: Invoice or customer number, if there is one.
    """
    _BALANCE["checking"] = round(_BALANCE["checking"] - amount, 2)
    return f"paid {amount} to {payee} ({reference or '-'})"


def set_budget(category: str, amount: float) -> dict:
    """Set the monthly budget of a category."""
    _BUDGET[category] = amount
    return dict(_BUDGET)


def standing_order(payee: str, amount: float, day_of_month: int = 1) -> int:
    """Set up a payment that is made every month.

    Args:
        payee: Who gets the money.
        amount: Amount in euros.
        day_of_month: Day on which it is paid, 1 to 28.
    """
    _ORDERS.append((payee, amount, day_of_month))
    return len(_ORDERS)


EFFECTS = {"transfer", "pay_bill", "set_budget", "standing_order"}
