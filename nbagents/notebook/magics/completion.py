"""Tab in a line of our magics: options, their values, tools, variables, chats, files."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, NamedTuple

from IPython.core import completer

from nbagents.notebook.options import (
    AGENT_OPTIONS,
    COMMANDS,
    LINE_OPTIONS,
    NBAGENTS_OPTIONS,
    TOOL_OPTIONS,
    Line,
    magic_line,
    spot_of,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from nbagents.notebook.live import Workplace
    from nbagents.notebook.options import Option, Takes

OPTIONS: Mapping[str, Sequence[Option]] = {
    "%agent": AGENT_OPTIONS,
    "%%agent": AGENT_OPTIONS,
    "%tool": LINE_OPTIONS,
    "%%tool": TOOL_OPTIONS,
    "%nbagents": NBAGENTS_OPTIONS,
}
SEVERAL = ("tool", "tools", "variables")
"""What takes several names, by commas."""
KINDS = {
    "tools": "tool",
    "variables": "variable",
    "attachment": "variable",
    "system": "variable",
    "suspended": "run",
}
"""What pages show beside a value, where it is not what the value names."""
FUNCTION = re.compile(r"^[ \t]*(?:async[ \t]+)?def[ \t]+(\w+)", re.MULTILINE)


def magic_matcher(place: Workplace) -> Callable[[Any], dict[str, Any]]:
    """A matcher for IPython's completer.

    It comes before all others, and keeps them from running: Jedi is slow to find nothing here.

    Args:
        place: Where names are looked up.
    """
    # Any in here: IPython's own types of context and result are not for others to import

    matcher: Any = getattr(completer, "context_matcher")  # noqa: B009  untyped

    @matcher(identifier="nbagents", priority=1000)
    def match(context: Any) -> Any:
        line = magic_line(context.full_text, context.cursor_line, context.cursor_position)
        if line is None:
            return {"completions": []}
        offer = offers(line, place)
        return {
            "completions": [
                completer.SimpleCompletion(
                    one, type="option" if one.startswith("-") else offer.kind
                )
                for one in offer.found
                if one.startswith(offer.begun)
            ],
            "matched_fragment": offer.begun,
            "ordered": True,
            "suppress": True,
        }

    return match


class Offer(NamedTuple):
    """What may stand where the cursor is."""

    begun: str
    """What of it is there already."""
    found: Iterable[str]
    kind: str = "option"
    """What pages show beside it."""


def offers(line: Line, place: Workplace) -> Offer:
    """What may stand where the cursor is.

    Args:
        line: The line, up to the cursor.
        place: Where names are looked up.
    """
    spot = spot_of(line.text, OPTIONS[line.magic])
    if spot.kind == "option":
        return Offer(spot.text, _names(OPTIONS[line.magic]))
    if spot.option is not None:
        return _value(spot.option, spot.text, place)
    return REST[line.magic](line, spot.text, place)


def _value(option: Option, text: str, place: Workplace) -> Offer:
    begun = text.lstrip("\"'")
    if option.takes in SEVERAL:
        begun = _last_word(begun)
    found = option.kind.choices or _candidates(option.takes, place, begun)
    is_quoted = text[:1] in ("'", '"')  # else a value ends at its first space
    found = [one for one in found if is_quoted or " " not in one]
    return Offer(begun, found, KINDS.get(option.takes or "", option.takes or "value"))


def _after_agent(line: Line, text: str, _place: Workplace) -> Offer:
    """A prompt is nobody's to complete; before it begins there may be options."""
    return Offer(text, () if text else _names(OPTIONS[line.magic]))


def _after_tool(_line: Line, text: str, place: Workplace) -> Offer:
    from nbagents.tools.tool import toolbox  # not before a Tab

    name, space, arguments = text.partition(" ")
    if not space:
        return Offer(name, [*toolbox, *_names(LINE_OPTIONS)], "tool")
    begun = arguments.rpartition(" ")[2]
    if name not in toolbox:
        return Offer(begun, ())
    before, equals, value = begun.partition("=")
    if equals:  # an object is given by the name of a variable
        takes = "variable" if before in toolbox[name].schema.handles else None
        return Offer(value, _candidates(takes, place, value), "variable")
    given = re.findall(r"(\w+)=", arguments)
    known = toolbox[name].schema.parameters.get("properties")
    listed = list(known) if isinstance(known, dict) else []
    return Offer(begun, [f"{one}=" for one in listed if one not in given], "param")


def _after_cell_tool(line: Line, text: str, _place: Workplace) -> Offer:
    options = () if text else _names(TOOL_OPTIONS)
    return Offer(_last_word(text), [*FUNCTION.findall(line.body), *options], "function")


def _after_nbagents(_line: Line, text: str, place: Workplace) -> Offer:
    name, space, rest = text.partition(" ")
    if not space:
        return Offer(name, [one.name for one in COMMANDS], "command")
    begun = rest.rpartition(" ")[2]
    command = next((one for one in COMMANDS if one.name == name), None)
    if command is None:
        return Offer(begun, ())
    if command.options:
        return _in_command(command.options, rest, place)
    return Offer(begun, _candidates(command.takes, place, begun), command.takes or "value")


def _in_command(options: Sequence[Option], text: str, place: Workplace) -> Offer:
    spot = spot_of(text, options)
    if spot.option is not None:
        return _value(spot.option, spot.text, place)
    return Offer(text.rpartition(" ")[2], _names(options))


REST: Mapping[str, Callable[[Line, str, Workplace], Offer]] = {
    "%agent": _after_agent,
    "%%agent": _after_agent,
    "%tool": _after_tool,
    "%%tool": _after_cell_tool,
    "%nbagents": _after_nbagents,
}


def _last_word(text: str) -> str:
    return re.split(r"[,\s]+", text)[-1]


def _candidates(takes: Takes | None, place: Workplace, text: str) -> Sequence[str]:
    if takes is None:
        return ()
    from nbagents.notebook.magics.candidates import candidates  # not before a Tab

    return candidates(takes, place, text)


def _names(options: Sequence[Option]) -> list[str]:
    """What options are called: the long names first, which say what they are."""
    return [*(one.long for one in options), *(one.short for one in options if one.short)]
