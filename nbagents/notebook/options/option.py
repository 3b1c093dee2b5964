"""An option of a magic: how it is written, what its value may be, and what it sets.

Each stands once, in a table (`agent_table.py`, `tool_table.py`): the parser, help and completion,
the fields of agents and tools, `%config NbAgents` and `--show-python` read it there.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Final, Literal, TypeAlias

from IPython.core.error import UsageError
from traitlets import Bool, Enum, Float, Int, TraitError, Unicode

from nbagents.errors import brief

Takes: TypeAlias = Literal[
    "agent",
    "attachment",
    "chat",
    "model",
    "object",
    "recording",
    "run",
    "setting",
    "source",
    "suspended",
    "system",
    "tool",
    "tools",
    "toolset",
    "type",
    "variable",
    "variables",
]
"""What an option's value names, so that completion knows what there is."""


class OptionError(ValueError):
    """A magic is misused, e.g. by an option that there is not; magics make a `UsageError` of it."""


class MissingNameError(NameError):
    """A `{{name}}` in a prompt that is not defined."""


@contextlib.contextmanager
def misuse() -> Generator[None]:
    """Raise what is wrong with a line as IPython does: one line, and the cell fails."""
    try:
        yield
    except (OptionError, TraitError) as error:
        raise UsageError(str(error)) from None
    except MissingNameError as error:
        raise brief(error) from None


@dataclass(frozen=True, slots=True, kw_only=True)
class Kind:
    """What a value may be, whoever says it: an option, `%config` or the environment."""

    allowed: str
    fits: Callable[[object], bool]
    read: Callable[[str], object] = str
    """How a text becomes such a value; of one that does not fit it makes anything."""
    trait: Callable[..., Any] = Unicode
    """What holds it in `%config`."""
    choices: tuple[str, ...] = ()
    """All the values that there are, where they are few."""
    wanted: str = ""
    """How an option says what is allowed, where it says it otherwise."""

    def of_text(self, option: str, text: str) -> object:
        """The value that an option is given.

        Raises:
            OptionError: It does not fit.
        """
        value = self.read(text)
        if not self.fits(value):
            raise OptionError(f"{option} wants {self.wanted or self.allowed}, not {text!r}.")
        return value


def whole(least: int) -> Kind:
    """A whole number."""
    return Kind(
        allowed=f"a whole number, {least} or more",
        wanted=f"a whole number, at least {least}" if least else "",
        fits=lambda value: isinstance(value, int) and not _is_flag(value) and value >= least,
        read=lambda text: int(text) if text.isdecimal() else text,
        trait=Int,
    )


def one_of(*choices: str) -> Kind:
    """One of a few words."""
    return Kind(
        allowed=f"one of {', '.join(map(repr, choices))}",
        fits=lambda value: value in choices,
        trait=partial(Enum, choices),
        choices=choices,
    )


def _is_flag(value: object) -> bool:
    return isinstance(value, bool)  # which is an `int`, too


def _is_amount(value: object) -> bool:
    return isinstance(value, (int, float)) and not _is_flag(value) and 0 < value < float("inf")


def _number(text: str) -> object:
    try:
        return float(text)
    except ValueError:
        return text


TEXT: Final = Kind(allowed="text", fits=lambda value: isinstance(value, str))
FLAG: Final = Kind(
    allowed="True or False",
    fits=_is_flag,
    read=lambda text: {"true": True, "1": True, "false": False, "0": False}.get(text.lower(), text),
    trait=Bool,
)
SECONDS: Final = Kind(
    allowed="a number of seconds above 0", fits=_is_amount, read=_number, trait=Float
)
AMOUNT: Final = Kind(allowed="a number above 0", fits=_is_amount, read=_number, trait=Float)


@dataclass(frozen=True, slots=True)
class Default:
    """What holds where no option says otherwise, and `%config` can set; `None` is allowed then."""

    value: object
    help: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Option:
    """One option of a magic."""

    long: str
    short: str = ""
    value: str | None = None
    """What its value is called in help; `None` for a switch."""
    help: str
    takes: Takes | None = None
    kind: Kind = TEXT
    field: str = ""
    """What it sets of the agent, of the tool, or of which runs are listed."""
    argument: str = ""
    """What it gives to `Agent.run`."""
    around: str = ""
    """What it gives to `nbagents.recording`, which stands around the run."""
    goes_with: tuple[str, ...] = ()
    """The options, one of which it says something of: it does not stand without."""
    bare: str = ""
    """What holds where no value is written: one is taken after `=` only."""
    means: object = True
    """What a switch says."""
    reads: Callable[[Sequence[str], Mapping[str, Any]], Any] | None = None
    """Makes the value of all that was written and the person's variables; by default the last text
    is read as the kind says."""
    writes: Callable[[Sequence[str], Mapping[str, Any]], str] | None = None
    """The same as Python, where this is not the value as Python writes it."""
    default: Default | None = None
    """Of an option that is a setting, too."""

    @property
    def name(self) -> str:
        """The long name, bare."""
        return self.long.removeprefix("--")

    @property
    def setting(self) -> str:
        """Its name in `%config NbAgents`."""
        return self.name.replace("-", "_")

    def read(self, words: Sequence[str], names: Mapping[str, Any]) -> Any:
        """The value that is meant.

        Args:
            words: What was written, as often as it was.
            names: The person's variables.

        Raises:
            OptionError: It is none.
            MissingNameError: A name is not defined.
        """
        if self.reads is not None:
            return self.reads(words, names)
        return self.means if self.value is None else self.kind.of_text(self.long, words[-1])


def given(
    table: Sequence[Option], options: Mapping[str, list[str]]
) -> Iterator[tuple[Option, list[str]]]:
    """Those of a table that were given, each with what was written."""
    return ((one, options[one.name]) for one in table if one.name in options)


def said(
    table: Sequence[Option],
    options: Mapping[str, list[str]],
    where: Literal["field", "argument", "around"],
    names: Mapping[str, Any],
) -> dict[str, Any]:
    """The fields that options set, or the arguments that they give, with their values.

    Raises:
        OptionError: One is none.
        MissingNameError: A name is not defined.
    """
    found: dict[str, Any] = {}
    for one, words in given(table, options):
        if name := getattr(one, where):
            value = one.read(words, names)
            found[name] = {**found.get(name, {}), **value} if isinstance(value, dict) else value
    return found


def describe(options: Sequence[Option]) -> str:
    """The options, a line each, as `%agent?` and `-h` show them."""
    heads = [
        f"{f'{option.short},' if option.short else '':<3} {option.long}{_value_of(option)}"
        for option in options
    ]
    width = max(map(len, heads))
    return "\n".join(
        f"  {head:<{width}}  {option.help}" for head, option in zip(heads, options, strict=True)
    )


def _value_of(option: Option) -> str:
    if option.value is None:
        return ""
    return f"[={option.value}]" if option.bare else f" {option.value}"
