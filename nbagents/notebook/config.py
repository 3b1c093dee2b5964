"""`%config NbAgents.…`: what a notebook sets once, and what holds where it sets nothing.

An option of the magic goes first, then `%config` or a config file, then the environment, then the
default. A name or a value that there is not raises: traitlets alone would warn, and go on.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, TypeGuard, cast

from traitlets import Any as Any_
from traitlets import Dict, Enum, Float, Int, List, TraitError, Unicode, observe
from traitlets.config import Config, Configurable

from nbagents.errors import did_you_mean
from nbagents.redaction import VARIABLE, are_patterns, use_patterns

__all__ = ["APPROVALS", "AWAITS", "MODES", "OPENS", "NbAgents", "Setting", "check_prices"]

MODES = ("auto", "live", "static", "text", "none")
"""How a run may be shown; `auto` chooses by who is watching."""
OPENS = ("errors", "all", "none", "data")
"""Which parts of a run's card are open from the start."""
APPROVALS = ("risky", "ask", "auto", "never")
"""Which calls need a person's consent."""
AWAITS = ("ask", "deny", "suspend")
"""What is done where a person must answer."""
PRICES = ("input", "output", "cached")

# The traits are read by the magics and written by the person, through %config or a config file.


@dataclass(frozen=True, slots=True, kw_only=True)
class Setting:
    """One setting, as it holds now."""

    name: str
    value: Any  # of any trait's type
    source: str
    """What said so: `%config`, a variable of the environment, or `default`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """What a setting may be."""

    allowed: str
    fits: Callable[[object], bool]
    read: Callable[[str], object] = str
    """How the environment's text becomes a value."""
    variable: str | None = None


def check_prices(value: object) -> bool:
    """Whether a value says what models cost."""
    if not isinstance(value, dict):
        return False
    return all(
        isinstance(model, str)
        and isinstance(price, Mapping)
        and {"input", "output"} <= set(cast("Mapping[object, object]", price)) <= set(PRICES)
        and all(
            _is_number(one) and one >= 0 for one in cast("Mapping[str, object]", price).values()
        )
        for model, price in cast("dict[object, object]", value).items()
    )


def _is_number(value: object) -> TypeGuard[float]:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def _is_count(value: object, least: int) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value >= least


def _counts(name: str, least: int, *, is_needed: bool = False) -> Rule:
    return Rule(
        allowed=f"a whole number, {least} or more{'' if is_needed else ', or None'}",
        fits=lambda value: _is_count(value, least) or (value is None and not is_needed),
        read=lambda text: int(text) if text.isdecimal() else text,
        variable=f"NBAGENTS_{name.upper()}",
    )


def _one_of(name: str, choices: tuple[str, ...]) -> Rule:
    return Rule(
        allowed=f"one of {', '.join(map(repr, choices))}",
        fits=lambda value: value in choices,
        variable=f"NBAGENTS_{name.upper()}",
    )


def _number(text: str) -> object:
    try:
        return float(text)
    except ValueError:
        return text


RULES: Mapping[str, Rule] = {
    "model": Rule(
        allowed="text: the id of a model, or 'offline'",
        fits=lambda value: isinstance(value, str),
        variable="NBAGENTS_MODEL",
    ),
    "max_steps": _counts("max_steps", 1, is_needed=True),
    "max_calls": _counts("max_calls", 0),
    "max_tokens": _counts("max_tokens", 1),
    "timeout": Rule(
        allowed="a number of seconds above 0, or None",
        fits=lambda value: value is None or (_is_number(value) and 0 < value < float("inf")),
        read=_number,
        variable="NBAGENTS_TIMEOUT",
    ),
    "max_cost": Rule(
        allowed="a number above 0, or None",
        fits=lambda value: value is None or (_is_number(value) and 0 < value < float("inf")),
        read=_number,
        variable="NBAGENTS_MAX_COST",
    ),
    "approval": _one_of("approval", APPROVALS),
    "on_await": _one_of("on_await", AWAITS),
    "display": _one_of("display", MODES),
    "open": _one_of("open", OPENS),
    "prices": Rule(
        allowed=(
            "a dict such as {'gpt-x': {'input': 1.25, 'output': 10, 'cached': 0.125}}, in your"
            " currency per million tokens"
        ),
        fits=check_prices,
    ),
    "redact": Rule(
        allowed="a list of regular expressions, e.g. [r'EMP-\\d{6}']",
        fits=are_patterns,
        read=lambda text: [text],
        variable=VARIABLE,
    ),
}


class NbAgents(Configurable):
    """Defaults of `%agent`."""

    model = Unicode(
        "", help="The model: an id, or 'offline'. Empty: NBAGENTS_MODEL, else by key."
    ).tag(config=True)
    max_steps = Int(10, help="How often a model may be asked with tools.").tag(config=True)
    max_calls = Int(None, allow_none=True, help="How many calls a run may make.").tag(config=True)
    max_tokens = Int(None, allow_none=True, help="How many tokens a run may use.").tag(config=True)
    timeout = Float(None, allow_none=True, help="How many seconds a run may take.").tag(config=True)
    max_cost = Float(None, allow_none=True, help="How much a run may cost, by `prices`.").tag(
        config=True
    )
    approval = Enum(APPROVALS, "risky", help="Which calls need your consent.").tag(config=True)
    on_await = Enum(AWAITS, "ask", help="What is done where you must answer.").tag(config=True)
    display = Enum(MODES, "auto", help="How runs are shown.").tag(config=True)
    open = Enum(OPENS, "errors", help="What is open in a run's card.").tag(config=True)
    prices = Dict(help="What models cost, for `max_cost` and %nbagents usage.").tag(config=True)

    redact = List(
        Any_(), help="What must not be written or shown beside keys, as regular expressions."
    ).tag(config=True)

    @observe("redact")
    def _redact(self, change: Any) -> None:
        if are_patterns(change["new"]):
            use_patterns(change["new"])

    def setting(self, name: str) -> Setting:
        """A setting as it holds now, and what said so.

        Raises:
            TraitError: The environment says what the setting cannot be.
        """
        rule = RULES[name]
        if name in self._said() and not (name == "model" and not self.model):
            return Setting(name=name, value=getattr(self, name), source="%config")
        said = (os.environ.get(rule.variable) or "").strip() if rule.variable else ""
        if rule.variable and said:
            value = rule.read(said)
            if not rule.fits(value):
                raise TraitError(f"{rule.variable} must be {rule.allowed}, not {said!r}.")
            return Setting(name=name, value=value, source=rule.variable)
        return Setting(name=name, value=getattr(self, name), source="default")

    def value(self, name: str) -> Any:  # Any: of any trait's type
        """The value of a setting as it holds now; see `setting`."""
        return self.setting(name).value

    def settings(self) -> tuple[Setting, ...]:
        """All of them, in the order in which they are declared."""
        return tuple(self.setting(name) for name in RULES)

    def say(self, name: str, value: object) -> None:
        """Set one, as `%config` does.

        Raises:
            TraitError: There is none of this name, or it cannot be this.
        """
        self.check(name, value)
        self.update_config(Config({"NbAgents": {name: value}}))

    def _said(self) -> set[str]:
        """The names that `%config` or a config file has set."""
        return {str(name) for name in self._find_my_config(self.config)}

    def _load_config(self, cfg: Any, section_names: Any = None, traits: Any = None) -> None:
        # Any: traitlets' own, untyped
        for name in self._find_my_config(cfg):
            self.check_name(str(name))
        super()._load_config(cfg, section_names=section_names, traits=traits)
        for name in self._said():
            self.check(name, getattr(self, name))

    @staticmethod
    def check_name(name: str) -> None:
        """See that there is a setting of this name.

        Raises:
            TraitError: There is none; says which come close.
        """
        if name not in RULES:
            raise TraitError(f"There is no NbAgents.{name}.{did_you_mean(name, list(RULES))}")

    @classmethod
    def check(cls, name: str, value: object) -> None:
        """See that a setting may be this.

        Raises:
            TraitError: There is no such setting, or it cannot be this.
        """
        cls.check_name(name)
        if not RULES[name].fits(value):
            raise TraitError(f"NbAgents.{name} must be {RULES[name].allowed}, not {value!r}.")
