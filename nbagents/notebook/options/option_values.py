"""What the options of `%agent` mean: variables, attachments, types and settings of the person's."""

from __future__ import annotations

import contextlib
import json
import keyword
from itertools import chain
from pathlib import Path
from types import FunctionType
from typing import TYPE_CHECKING, Any

from nbagents.errors import OutputError, ToolNotFoundError
from nbagents.notebook.options.expression import close_to, evaluated
from nbagents.notebook.options.option import MissingNameError, OptionError
from nbagents.notebook.options.python_source import text_source

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from pydantic import JsonValue

    from nbagents.tools.tool import Tool, ToolLike

NO_TYPES = (str, int, float, list, dict, FunctionType)
"""Of what pydantic would take for a type, what nobody can mean."""


def words(given: Sequence[str]) -> list[str]:
    """The names in options that take several: by commas, by spaces, or by writing them again."""
    return [word for group in given for word in group.replace(",", " ").split()]


def variable(option: str, name: str, names: Mapping[str, object]) -> object:
    """A variable of the person's.

    Raises:
        MissingNameError: There is none of this name; says which come close.
    """
    if name in names:
        return names[name]
    raise MissingNameError(
        f"{option} {name}: there is no variable {name!r}.{close_to(name, names)} Nothing was sent.",
        name=name,
    )


def system(given: Sequence[str], names: Mapping[str, object]) -> str:
    """What `--system` says: the text, or the text of the variable behind an `@`.

    Raises:
        MissingNameError: There is no such variable.
        OptionError: It holds no text.
    """
    text = given[-1]
    if not text.startswith("@"):
        return text
    value = variable("--system", text[1:], names)
    if not isinstance(value, str):
        raise OptionError(f"--system {text}: {text[1:]!r} is no text, but {type(value).__name__}.")
    return value


def system_written(given: Sequence[str], _names: Mapping[str, object]) -> str:
    """The same in Python."""
    text = given[-1]
    return text[1:] if text.startswith("@") else text_source(text)


def tools_of(given: Sequence[str], names: Mapping[str, Any]) -> tuple[ToolLike, ...]:
    """The tools that `-t` means: of the toolbox, else variables.

    Raises:
        OptionError: A word means no tool; says which come close.
    """
    found: list[ToolLike] = []
    for spec in words(given):
        if is_variable(spec, names):
            found.append(names[spec])
        else:
            found += select(spec)
    return tuple({id(tool): tool for tool in found}.values())


def tools_written(given: Sequence[str], names: Mapping[str, Any]) -> str:
    """The same in Python."""
    said = [word for word in words(given) if word != "none"]
    return f"[{', '.join(one if is_variable(one, names) else text_source(one) for one in said)}]"


def is_variable(spec: str, names: Mapping[str, Any]) -> bool:
    """Whether a word of `-t` means a variable and not something of the toolbox."""
    from nbagents.tools.tool import toolbox  # not before a prompt

    return spec not in toolbox and names.get(spec) is not None


def select(spec: str) -> tuple[Tool, ...]:
    """Tools of the toolbox.

    Raises:
        OptionError: There are none; says which come close.
    """
    from nbagents.tools.tool import toolbox  # not before a prompt

    try:
        return toolbox.select([spec])
    except ToolNotFoundError as error:
        raise OptionError(str(error)) from None


def shared(given: Sequence[str], names: Mapping[str, object]) -> dict[str, object]:
    """What `--vars` shares.

    Raises:
        MissingNameError: A name is not defined.
        OptionError: A word is no name.
    """
    found: dict[str, object] = {}
    for name in words(given):
        _require_name("--vars", name)
        found[name] = variable("--vars", name, names)
    return found


def shared_written(given: Sequence[str], _names: Mapping[str, object]) -> str:
    """The same in Python."""
    pairs = (f"{text_source(name)}: {name}" for name in dict.fromkeys(words(given)))
    return f"{{{', '.join(pairs)}}}"


def attached(given: Sequence[str], names: Mapping[str, object]) -> dict[str, object]:
    """What `--attach` puts into the prompt: variables by name, and files by their whole paths.

    Raises:
        MissingNameError: There is neither a variable nor a file of this name.
        OptionError: There is no file of this path.
    """
    found: dict[str, object] = {}
    for word in given:
        value = names.get(word, word)
        file = _file(value) if isinstance(value, str) else None
        if file is not None:
            found[str(file)] = file  # two may have the same name, or that of a variable
        elif word in names or word.isidentifier():
            found[word] = variable("--attach", word, names)
        else:
            raise OptionError(f"--attach: there is no file {word!r}. Nothing was sent.")
    return found


def attached_written(given: Sequence[str], names: Mapping[str, object]) -> str:
    """The same in Python."""
    return f"{{{', '.join(_attachment(word, names) for word in given)}}}"


def chat_name(given: Sequence[str], _names: Mapping[str, object]) -> str:
    """What `--chat` calls the conversation.

    Raises:
        OptionError: It is no name.
    """
    if not given[-1].strip():
        raise OptionError("--chat wants a name, e.g. -c trip.")
    return given[-1]


def taken(
    handles: Iterable[str], arguments: Mapping[str, JsonValue], names: Mapping[str, object]
) -> dict[str, object]:
    """The variables that a call by hand names where its tool takes objects.

    Args:
        handles: The parameters that take objects.
        arguments: What the person has written.
        names: The variables.
    """
    given = (arguments.get(parameter) for parameter in handles)
    said = chain.from_iterable(one if isinstance(one, list) else [one] for one in given)
    return {name: names[name] for name in said if isinstance(name, str) and name in names}


def answer_type(text: str, names: Mapping[str, object]) -> Any:  # Python has no type of types
    """The type that `--as` names.

    Raises:
        MissingNameError: A name in it is not defined.
        OptionError: It cannot be evaluated, or its value is no type of an answer.
    """
    try:
        found = evaluated(text, names, f"--as {text}", " Nothing was sent.")
    except MissingNameError:
        raise
    except Exception as error:  # noqa: BLE001  the person's own expression may raise anything
        reason = str(error).partition("\n")[0]
        raise _no_type(text, f" ({type(error).__name__}: {reason})") from None
    if found is None or isinstance(found, NO_TYPES):
        raise _no_type(text)
    _require_form(found)
    return found


def settings(given: Sequence[str]) -> dict[str, JsonValue]:
    """What `-k` sends: each value as JSON, or as text where it is none.

    Raises:
        OptionError: A word is no `K=V`.
    """
    return {name: _json_or_text(text) for name, text in _pairs("-k", "temperature=0", given)}


def labels(given: Sequence[str]) -> dict[str, str]:
    """What `--label` puts on the events of a run.

    Raises:
        OptionError: A word is no `K=V`.
    """
    return dict(_pairs("--label", "topic=weather", given))


def out_names(given: Sequence[str]) -> Sequence[str]:
    """The variables of `--out`.

    Raises:
        OptionError: One is no name.
    """
    for name in given:
        _require_name("--out", name)
    return given


def _pairs(option: str, example: str, given: Sequence[str]) -> Iterator[tuple[str, str]]:
    for word in given:
        name, equals, text = word.partition("=")
        if not name.strip() or not equals:
            raise OptionError(f"{option} wants K=V, e.g. {option} {example}, not {word!r}.")
        yield name.strip(), text


def _attachment(word: str, names: Mapping[str, object]) -> str:
    ((name, value),) = attached([word], names).items()
    if isinstance(value, Path) and value is not names.get(word):
        return f"{text_source(name)}: Path({text_source(str(value))})"
    return f"{text_source(name)}: {word}"


def _require_name(option: str, name: str) -> None:
    if not name.isidentifier() or keyword.iskeyword(name):
        raise OptionError(f"{option} wants the name of a variable, not {name!r}.")


def _file(text: str) -> Path | None:
    """The file that a text names; `None` where it names none, or could be no path at all."""
    with contextlib.suppress(OSError, ValueError, RuntimeError):  # the last: nobody's home folder
        path = Path(text)
        if text.startswith("~") and not path.is_file():
            path = path.expanduser()
        return path.absolute() if path.is_file() else None
    return None


def _no_type(text: str, why: str = "") -> OptionError:
    return OptionError(
        "--as wants a type, e.g. a pydantic model or list[str],"
        f" not {text!r}{why}. Nothing was sent."
    )


def _require_form(wanted: object) -> None:
    from nbagents.runs.policy import answer_form  # few prompts need it

    try:
        answer_form(wanted)
    except OutputError as error:
        raise OptionError(f"--as: {error} Nothing was sent.") from None


def _json_or_text(text: str) -> JsonValue:
    try:
        return json.loads(text, parse_constant=_refuse)
    except ValueError:
        return text


def _refuse(constant: str) -> None:
    """NaN and Infinity are not JSON, though Python reads them."""
    raise ValueError(constant)
