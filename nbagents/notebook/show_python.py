"""`%agent --show-python`: the Python that does what the line would do."""

from __future__ import annotations

import ast
import json
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

from nbagents.notebook import agent_options
from nbagents.notebook.agent_choice import (
    configured,
    is_variable,
    limits,
    own_agent,
    people,
    prices_for,
)
from nbagents.notebook.prompt import Pasted, pieces

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from nbagents.notebook.config import NbAgents

__all__ = ["python_twin"]

WIDTH = 88
NO_F_STRING = re.compile(r"""[\\{}"#\n]""")
"""What an f-string of Python 3.11 cannot hold in its braces."""
FAILED = """
except Exception as error:
    if ({name} := getattr(error, "run", None)) is None:
        raise"""


def python_twin(
    options: Mapping[str, list[str]], prompt: str, names: Mapping[str, Any], config: NbAgents
) -> str:
    """The Python twin of a line that was found right.

    Args:
        options: The options, by long name.
        prompt: The prompt, before anything was pasted.
        names: The person's variables.
        config: What holds where no option says otherwise.
    """
    agent = _agent(options, names, config)
    call = _call(_verb(options), _asked(options, prompt, names))
    out = [] if "dry-run" in options else options.get("out", [])
    code = "".join(f"{name} = " for name in out) + agent + call
    if "no-raise" in options and not {"dry-run", "background"} & set(options):
        name = out[-1] if out else "run"
        code = _tried(code if out else f"{name} = {code}", name)
    imports = [
        *(["from dataclasses import replace"] if agent.startswith("replace(") else []),
        *(["from pathlib import Path"] if re.search(r"\bPath\(", code) else []),
        *(["import nbagents"] if "nbagents.Agent(" in agent else []),
    ]
    return "\n".join([*imports, *([""] if imports else []), *_remarks(options), code])


def _agent(options: Mapping[str, list[str]], names: Mapping[str, Any], config: NbAgents) -> str:
    described = own_agent(options, names)
    if described is None:
        set_once = {key: _value(one) for key, one in configured(config).items()}
        fields = {"tools": '["all"]', **set_once, **_changed(options, names, {})}
        return _call("nbagents.Agent", [f"{key}={value}" for key, value in fields.items()])
    own = options["agent"][-1]
    changes = _changed(options, names, prices_for(options, described, config))
    given = [f"{key}={value}" for key, value in changes.items()]
    return _call("replace", [own, *given]) if given else own


def _changed(
    options: Mapping[str, list[str]], names: Mapping[str, Any], more: Mapping[str, Any]
) -> dict[str, str]:
    """The fields of an agent that options set, as Python writes their values."""
    said = {**limits(options), **people(options), **more}
    fields = {key: _value(one) for key, one in said.items()}
    if "system" in options:
        text = options["system"][-1]
        fields["instructions"] = text[1:] if text.startswith("@") else _text(text)
    if "model" in options:
        fields["model"] = _text(options["model"][-1])
    if "tools" in options:
        fields["tools"] = _tools(options["tools"], names)
    if "as" in options:
        fields["output"] = options["as"][-1]
    if "param" in options:
        written = [f"{_text(key)}: {_value(one)}" for key, one in _settings(options).items()]
        kept = [f"**{own}.settings" for own in options.get("agent", [])[-1:]]
        fields["settings"] = f"{{{', '.join([*kept, *written])}}}"
    return fields


def _asked(options: Mapping[str, list[str]], prompt: str, names: Mapping[str, Any]) -> list[str]:
    """What the agent is asked, and with what."""
    given = [_text(options["resume"][-1]) if "resume" in options else _prompt(prompt)]
    if shared := agent_options.words(options.get("vars", [])):
        given.append(
            f"vars={{{', '.join(f'{_text(name)}: {name}' for name in dict.fromkeys(shared))}}}"
        )
    if attached := [_attachment(word, names) for word in options.get("attach", [])]:
        given.append(f"attach={{{', '.join(attached)}}}")
    if "chat" in options:
        given.append(f"chat={_text(options['chat'][-1])}")
    if labels := agent_options.labels(options.get("label", [])):
        words = [f"{_text(key)}: {_text(one)}" for key, one in labels.items()]
        given.append(f"labels={{{', '.join(words)}}}")
    return given


def _attachment(word: str, names: Mapping[str, Any]) -> str:
    ((name, value),) = agent_options.attached([word], names).items()
    if isinstance(value, Path) and value is not names.get(word):
        return f"{_text(name)}: Path({_text(str(value))})"
    return f"{_text(name)}: {word}"


def _tools(specs: Sequence[str], names: Mapping[str, Any]) -> str:
    words = [word for word in agent_options.words(specs) if word != "none"]
    return f"[{', '.join(word if is_variable(word, names) else _text(word) for word in words)}]"


def _settings(options: Mapping[str, list[str]]) -> dict[str, Any]:
    return agent_options.settings(options["param"])


def _value(value: object) -> str:
    return _text(value) if isinstance(value, str) else repr(value)


def _verb(options: Mapping[str, list[str]]) -> str:
    if "dry-run" in options:
        return ".preview"
    if "resume" in options:
        return ".resume"
    return ".start" if "background" in options else ".run"


def _remarks(options: Mapping[str, list[str]]) -> list[str]:
    """What the line says of the display alone, which in Python is a setting."""
    return [
        f"# {option} {value}: without the magic, %config NbAgents.{name} = {value!r}"
        for name, option in (("display", "-d"), ("open", "--open"))
        for value in options.get(name, [])[-1:]
    ]


def _call(function: str, given: Sequence[str]) -> str:
    """A call on one line, or with a line for each argument."""
    line = f"{function}({', '.join(given)})"
    if len(line) <= WIDTH // 2 or (len(given) == 1 and len(line) <= WIDTH):
        return line
    return f"{function}(\n{''.join(f'    {one},{chr(10)}' for one in given)})"


def _tried(code: str, name: str) -> str:
    """A statement that keeps a run that fails."""
    # Only lines outside of literals may be indented: a prompt's own lines stay as they are.
    starts = _line_starts(code)
    lines = [f"    {one}" if at in starts else one for at, one in enumerate(code.split("\n"))]
    return "try:\n" + "\n".join(lines) + FAILED.format(name=name)


def _line_starts(code: str) -> set[int]:
    """The numbers of the lines that do not begin within a string, from 0."""
    inside: set[int] = set()
    for node in ast.walk(ast.parse(code)):
        if isinstance(node, (ast.Constant, ast.JoinedStr)) and node.end_lineno is not None:
            inside |= set(range(node.lineno, node.end_lineno))
    return set(range(code.count("\n") + 1)) - inside


def _prompt(text: str) -> str:
    """The prompt as an expression: an f-string, where it pastes values and one can be written."""
    parts = [one for one in pieces(text) if one != ""]
    if not any(isinstance(one, Pasted) for one in parts):
        return _text("".join(str(one) for one in parts))
    return _f_string(parts) or " + ".join(
        _formatted(one) if isinstance(one, Pasted) else _text(one) for one in parts
    )


def _formatted(pasted: Pasted) -> str:
    function = {"r": "repr", "s": "str", "a": "ascii"}.get(pasted.conversion or "")
    value = f"{function}({pasted.expression})" if function else f"({pasted.expression})"
    return f"format({value}, {_text(pasted.spec)})" if pasted.spec else f"format({value})"


def _f_string(parts: Sequence[str | Pasted]) -> str | None:
    """The parts as an f-string, if they can be one that every Python reads alike."""
    pasted = [one for one in parts if isinstance(one, Pasted)]
    if any(NO_F_STRING.search(one.expression + one.spec) for one in pasted):
        return None
    said = "".join(
        f"{{{one.expression}{f'!{one.conversion}' if one.conversion else ''}"
        f"{f':{one.spec}' if one.spec else ''}}}"
        if isinstance(one, Pasted)
        else json.dumps(one, ensure_ascii=False)[1:-1].replace("{", "{{").replace("}", "}}")
        for one in parts
    )
    return f'f"{said}"' if _pastes(f'f"{said}"', pasted) else None


def _pastes(written: str, pasted: Sequence[Pasted]) -> bool:
    """Whether an f-string is read as it was meant."""
    try:
        read = ast.parse(written, mode="eval").body
        meant = [ast.dump(ast.parse(one.expression, mode="eval").body) for one in pasted]
    except SyntaxError:
        return False
    values = read.values if isinstance(read, ast.JoinedStr) else []
    return [ast.dump(one.value) for one in values if isinstance(one, ast.FormattedValue)] == meant


def _text(text: str) -> str:
    """A text as Python writes it, its lines below each other where that can be read."""
    if "\n" in text and _reads_as(f'"""{text}"""', text):
        return f'"""{text}"""'
    written = json.dumps(text, ensure_ascii=False)
    return written if _reads_as(written, text) else repr(text)


def _reads_as(written: str, text: str) -> bool:
    try:
        return ast.literal_eval(written) == text
    except (SyntaxError, ValueError):
        return False
