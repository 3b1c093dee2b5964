"""Reads what stands after `%agent`: leading options, then the prompt, raw."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from nbagents.errors import did_you_mean
from nbagents.notebook.options.expression import close_to, evaluated
from nbagents.notebook.options.option import OptionError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from nbagents.notebook.options.option import Option

VALUE = re.compile(r"""\s*("(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|\S+)""")
OPTION = re.compile(r"\s*(--?[A-Za-z][\w-]*)(=)?")


def split_options(
    line: str,
    options: Sequence[Option],
    *,
    others: Sequence[Option] = (),
    before_prompt: bool = True,
) -> tuple[dict[str, list[str]], str]:
    """Take the leading options off a line.

    Only what stands before the first word of the prompt is an option; `--` ends the options.

    Args:
        line: What stands after the magic.
        options: Those that it may have.
        others: Those that are read as well, and are nobody's to suggest.
        before_prompt: Whether natural language follows, which may begin with a dash.

    Returns:
        The values by long name, in the order given (`["yes"]` for a switch), and the rest as it
        stands.

    Raises:
        OptionError: There is no such option, or its value is missing.
    """
    own = _by_name(options)
    by_name = {**_by_name(others), **own}
    found: dict[str, list[str]] = {}
    rest = line
    while (match := OPTION.match(rest)) or re.match(r"\s*--(\s|\Z)", rest):
        if match is None:
            return found, rest.split("--", 1)[1].strip()
        option = by_name.get(match[1])
        if option is None:
            raise OptionError(
                f"There is no option {match[1]!r}.{did_you_mean(match[1], list(own))}"
                f"{' Write `--` before a prompt that begins with a dash.' * before_prompt}"
            )
        value, rest = _value(option, match, rest)
        found.setdefault(option.name, []).append(value)
    return found, rest.strip()


def _by_name(options: Sequence[Option]) -> dict[str, Option]:
    return {name: option for option in options for name in (option.short, option.long) if name}


def _value(option: Option, match: re.Match[str], rest: str) -> tuple[str, str]:
    rest = rest[match.end() :]
    if option.value is None or (option.bare and not match[2]):
        return option.bare or "yes", rest
    value = VALUE.match(rest)
    if value is None:
        raise OptionError(f"{option.long} wants a value: {option.long} {option.value}")
    text = value[1]
    if len(text) > 1 and text[0] in "\"'" and text[-1] == text[0]:
        text = re.sub(r"\\(.)", r"\1", text[1:-1])
    choices = option.kind.choices
    if choices and text not in choices:
        hint = close_to(text, choices)
        raise OptionError(f"{option.long} is one of {', '.join(choices)}, not {text!r}.{hint}")
    return text, rest[value.end() :]


@dataclass(frozen=True, slots=True, kw_only=True)
class Pasted:
    """A `{{expression}}` of a prompt, with conversion and format as in an f-string."""

    expression: str
    conversion: str | None = None
    spec: str = ""


def paste_values(text: str, names: Mapping[str, object]) -> str:
    r"""Replace each `{{expression}}` by its value, once; all else is literal, `\{{` too.

    Args:
        text: The prompt.
        names: The person's variables.

    Raises:
        MissingNameError: A name is not defined; says which come close.
        OptionError: What stands between the braces is no Python.
    """
    __tracebackhide__ = True
    return "".join(evaluate(one, names) if isinstance(one, Pasted) else one for one in pieces(text))


def pieces(text: str) -> list[str | Pasted]:
    """A prompt as literal text and what is to be pasted, in order.

    Raises:
        OptionError: What stands between the braces is no Python.
    """
    parts: list[str | Pasted] = []
    at = 0
    while (start := text.find("{{", at)) >= 0:
        if start and text[start - 1] == "\\":
            parts.append(text[at : start - 1] + "{{")
            at = start + 2
            continue
        pasted, at_next = _expression(text, start + 2)
        parts += [text[at:start], pasted]
        at = at_next
    return [*parts, text[at:]]


def evaluate(pasted: Pasted, names: Mapping[str, object]) -> str:
    """The text that is pasted.

    Raises:
        MissingNameError: A name is not defined; says which come close.
    """
    __tracebackhide__ = True
    said = f"{{{{{pasted.expression}}}}} in the prompt"
    value = evaluated(pasted.expression, names, said, " Nothing was sent.")
    convert = {"r": repr, "s": str, "a": ascii}.get(pasted.conversion or "")
    return format(convert(value) if convert else value, pasted.spec)


def _expression(text: str, start: int) -> tuple[Pasted, int]:
    """The expression that begins here, and where the text goes on."""
    end = text.find("}}", start)
    while end >= 0:
        while text.startswith("}}", end + 1):  # a dict may close right before the braces
            end += 1
        if (parsed := _parsed(text[start:end])) is not None:
            return parsed, end + 2
        end = text.find("}}", end + 1)
    raise OptionError(
        f"{text[start - 2 : start + 38]!r} in the prompt is no {{{{expression}}}} of Python."
        r" Write \{{ for braces that are meant as such. Nothing was sent."
    )


def _parsed(body: str) -> Pasted | None:
    """Expression, conversion and format, as in an f-string."""
    if _compiles(body):
        return Pasted(expression=body.strip())
    ends = [at for at, one in enumerate(body) if one == ":"]
    for end in [*ends, len(body)]:  # the leftmost colon that has Python before it
        head, conversion = body[:end], None
        if head.endswith(("!r", "!s", "!a")):
            head, conversion = head[:-2], head[-1]
        if _compiles(head):
            return Pasted(expression=head.strip(), conversion=conversion, spec=body[end + 1 :])
    return None


def _compiles(body: str) -> bool:
    try:
        compile(body.strip(), "<prompt>", "eval")
    except (SyntaxError, ValueError):
        return False
    return True
