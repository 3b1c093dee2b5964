"""`%config NbAgents.…`: what a notebook sets once, and what holds where it sets nothing.

An option of the magic goes first, then `%config` or a config file, then the environment, then the
default. A name or a value that there is not raises: traitlets alone would warn, and go on.
"""

from __future__ import annotations

import functools
import os
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

from IPython.core.error import UsageError
from traitlets import Any as Any_
from traitlets import Dict, List, TraitError, observe
from traitlets.config import Config, Configurable

from nbagents.errors import did_you_mean
from nbagents.notebook.options.agent_table import AGENT_OPTIONS
from nbagents.notebook.options.option import Default, Kind, one_of
from nbagents.redaction import VARIABLE, are_patterns, use_patterns
from nbagents.runs.policy import are_prices

if TYPE_CHECKING:
    from nbagents.notebook.kernel import Shell


OURS = re.compile(r"NbAgents\.(?P<name>\w+)\s*(?:=(?!=)\s*(?P<value>.*))?", re.DOTALL)
ConfigMagic = Callable[[str], Any]  # Any: what a line magic returns


@dataclass(frozen=True, slots=True, kw_only=True)
class Setting:
    """One setting, as it holds now."""

    name: str
    value: Any  # of any trait's type
    source: str
    """What said so: `%config`, a variable of the environment, or `default`."""


@dataclass(frozen=True, slots=True)
class Rule:
    """What a setting may be, and is where nobody says it."""

    name: str
    kind: Kind
    default: Default
    variable: str | None = None
    """What says it in the environment."""

    @property
    def allowed(self) -> str:
        """What it may be, in words."""
        return f"{self.kind.allowed}{', or None' if self.default.value is None else ''}"

    def fits(self, value: object) -> bool:
        """Whether it may be this."""
        return (value is None and self.default.value is None) or self.kind.fits(value)

    def trait(self) -> Any:  # Any: traitlets' own, of any type
        """What holds it, written by the person and read by the magics."""
        value = self.default.value
        made = self.kind.trait(
            default_value=value, allow_none=value is None, help=self.default.help
        )
        return made.tag(config=True)


PRICES = Kind(
    allowed=(
        "a dict such as {'gpt-x': {'input': 1.25, 'output': 10, 'cached': 0.125}}, in your"
        " currency per million tokens"
    ),
    fits=are_prices,
    trait=Dict,
)
PATTERNS = Kind(
    allowed="a list of regular expressions, e.g. [r'EMP-\\d{6}']",
    fits=are_patterns,
    read=lambda text: [text],
    trait=partial(List, Any_()),
)
RULES: Mapping[str, Rule] = {
    **{
        one.setting: Rule(one.setting, one.kind, one.default, f"NBAGENTS_{one.setting.upper()}")
        for one in AGENT_OPTIONS
        if one.default
    },
    "hints": Rule(
        "hints",
        one_of("on", "off"),
        Default(
            "on", "Whether %%tool says in one line what a tool lacks; `%tool --lint` says all."
        ),
        "NBAGENTS_HINTS",
    ),
    "prices": Rule(
        "prices", PRICES, Default({}, "What models cost, for `max_cost` and %nbagents usage.")
    ),
    "redact": Rule(
        "redact",
        PATTERNS,
        Default([], "What must not be written or shown beside keys, as regular expressions."),
        VARIABLE,
    ),
}
"""What there is to set: the options that have a default, and what no line says."""


class NbAgents(Configurable):
    """Defaults of `%agent`."""

    vars().update({name: rule.trait() for name, rule in RULES.items()})

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
        if name in self._said() and not (name == "model" and not getattr(self, name)):
            return Setting(name=name, value=getattr(self, name), source="%config")
        said = (os.environ.get(rule.variable) or "").strip() if rule.variable else ""
        if rule.variable and said:
            value = rule.kind.read(said)
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


def checked_config(before: ConfigMagic, config: NbAgents, shell: Shell) -> ConfigMagic:
    """`%config`, which sees to the lines that are ours and leaves the others to IPython.

    Args:
        before: IPython's own.
        config: Our settings.
        shell: Whose variables a value may name.
    """

    @functools.wraps(before)
    def config_magic(line: str) -> Any:  # Any: as above
        __tracebackhide__ = True
        match = OURS.fullmatch(line.strip())
        if match is None:
            return before(line)
        name, text = match["name"], match["value"]
        try:
            if text is None:
                config.check_name(name)
                return config.value(name)
            value: object = eval(text, shell.user_ns)  # noqa: S307  the person's own expression
            config.say(name, value)
        except TraitError as error:
            raise UsageError(str(error)) from None
        return None

    return config_magic
