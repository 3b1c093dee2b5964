"""`%agent --show-python`: the Python that does what the line would do, of a branch, too."""

from __future__ import annotations

import ast
import json
import re
from typing import TYPE_CHECKING, Any

from nbagents.notebook.magics.agent_choice import configured, own_agent, prices_for
from nbagents.notebook.magics.fork_options import without_changes
from nbagents.notebook.options import (
    AGENT_OPTIONS,
    Pasted,
    call_source,
    given,
    is_variable,
    pieces,
    said,
    source_of,
    text_source,
)

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Literal

    from nbagents.notebook.magics.fork_options import ForkLine
    from nbagents.notebook.options import NbAgents

NO_F_STRING = re.compile(r"""[\\{}"#\n]""")
"""What an f-string of Python 3.11 cannot hold in its braces."""
IMPORTS = {
    "from dataclasses import replace": re.compile(r"(?<![\w.])replace\("),
    "from pathlib import Path": re.compile(r"\bPath\("),
    "import nbagents": re.compile(r"\bnbagents\.(Agent|recording|Run\.load)\("),
}
"""What code may need, by what says that it does."""
FAILED = """
except Exception as error:
    if ({name} := getattr(error, "run", None)) is None:
        raise"""


def python_twin(
    options: Mapping[str, list[str]],
    prompt: str,
    names: Mapping[str, Any],
    config: NbAgents,
    recorded: Mapping[str, object],
) -> str:
    """The Python twin of a line that was found right.

    Args:
        options: The options, by long name.
        prompt: The prompt, before anything was pasted.
        names: The person's variables.
        config: What holds where no option says otherwise.
        recorded: What `nbagents.recording` is given around it; nothing: it is not there.
    """
    agent = _agent_source(options, names, config)
    asked = text_source(options["resume"][-1]) if "resume" in options else _prompt(prompt)
    call = call_source(_verb(options), _written_of(options, "argument", names), asked)
    code = _under_recording(_assigned(agent + call, options), recorded)
    return _with_imports(code, _remarks(options))


def fork_twin(
    line: ForkLine,
    options: Mapping[str, list[str]],
    names: Mapping[str, Any],
    config: NbAgents,
    recorded: Mapping[str, object],
) -> str:
    """The Python twin of a line that was found right; `recorded`: see `python_twin`."""
    word = options["fork"][-1]
    written = {**_written_of(options, "field", names), **_written_of(options, "argument", names)}
    written.pop("step", None)  # which is a request here, and no step mode
    if (said := options.get("result", [""])[-1]).startswith("@"):
        written["result"] = said[1:]
    named = {name: written.get(name) or source_of(one) for name, one in line.options.items()}
    is_named, others = is_variable(word, names), without_changes(options)
    run = word if is_named else f"nbagents.Run.load({text_source(word)})"
    if "agent" in options:
        named = {"agent": _agent_source(others, names, config), **named}
    elif line.is_here and (changed := _written_of(others, "field", names)):
        named = {"agent": call_source("replace", changed, f"{run}.root.agent"), **named}
    if is_named or line.is_here:
        call = call_source(f"{run}.{_fork_verb(options)}", named)
    else:
        agent = named.pop("agent", "") or _agent_source(others, names, config)
        call = call_source(f"{agent}.{_fork_verb(options)}", named, text_source(word))
    return _with_imports(_under_recording(_assigned(call, options), recorded))


def _fork_verb(options: Mapping[str, list[str]]) -> str:
    if "dry-run" in options:
        return "preview_fork"
    return "start_fork" if "background" in options else "fork"


def _assigned(call: str, options: Mapping[str, list[str]]) -> str:
    """A call whose run is put where the line says, also where it fails and is kept all the same."""
    out = [] if "dry-run" in options else options.get("out", [])
    code = "".join(f"{name} = " for name in out) + call
    if "no-raise" not in options or {"dry-run", "background"} & set(options):
        return code
    name = out[-1] if out else "run"
    return _tried(code if out else f"{name} = {code}", name)


def _with_imports(code: str, remarks: Sequence[str] = ()) -> str:
    """Code below the imports that it needs, and remarks."""
    imports = [line for line, used in IMPORTS.items() if used.search(code)]
    return "\n".join([*imports, *([""] if imports else []), *remarks, code])


def _agent_source(
    options: Mapping[str, list[str]], names: Mapping[str, Any], config: NbAgents
) -> str:
    """The agent that a line runs, as Python."""
    own = own_agent(options, names)
    changed = _written_of(options, "field", names)
    if own is None:
        set_once = {key: source_of(one) for key, one in configured(config).items()}
        return call_source("nbagents.Agent", {"tools": '["all"]', **set_once, **changed})
    name = options["agent"][-1]
    if "settings" in changed:  # what the agent's own say holds, too
        changed["settings"] = changed["settings"].replace("{", f"{{**{name}.settings, ", 1)
    changed |= {key: source_of(one) for key, one in prices_for(options, own, config).items()}
    return call_source("replace", changed, name) if changed else name


def _written_of(
    options: Mapping[str, list[str]],
    where: Literal["field", "argument"],
    names: Mapping[str, Any],
) -> dict[str, str]:
    """The fields that options set, or the arguments that they give, as Python writes them."""
    own = {
        getattr(one, where): one.writes(words, names)
        for one, words in given(AGENT_OPTIONS, options)
        if one.writes and getattr(one, where)
    }
    values = said(AGENT_OPTIONS, options, where, names)
    return {name: own[name] if name in own else source_of(one) for name, one in values.items()}


def _verb(options: Mapping[str, list[str]]) -> str:
    if "dry-run" in options:
        return ".preview"
    if "resume" in options:
        return ".resume"
    return ".start" if "background" in options else ".run"


def _remarks(options: Mapping[str, list[str]]) -> list[str]:
    """What the line says of the display alone, which in Python is a setting."""
    return [
        f"# {one.short or one.long} {words[-1]}: without the magic, "
        f"%config NbAgents.{one.setting} = {words[-1]!r}"
        for one, words in given(AGENT_OPTIONS, options)
        if one.default and not one.field and not one.around
    ]


def _under_recording(code: str, said: Mapping[str, object]) -> str:
    """The code below the recording that holds for it."""
    if not said:
        return code
    written = {name: source_of(one) for name, one in said.items()}
    first = [written.pop("path")] if "path" in written else []
    return f"with {call_source('nbagents.recording', written, *first)}:\n{_indented(code)}"


def _tried(code: str, name: str) -> str:
    """A statement that keeps a run that fails."""
    return "try:\n" + _indented(code) + FAILED.format(name=name)


def _indented(code: str) -> str:
    # Only lines outside of literals may be indented: a prompt's own lines stay as they are.
    starts = _line_starts(code)
    lines = [f"    {one}" if at in starts else one for at, one in enumerate(code.split("\n"))]
    return "\n".join(lines)


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
        return text_source("".join(str(one) for one in parts))
    return _f_string(parts) or " + ".join(
        _formatted(one) if isinstance(one, Pasted) else text_source(one) for one in parts
    )


def _formatted(pasted: Pasted) -> str:
    function = {"r": "repr", "s": "str", "a": "ascii"}.get(pasted.conversion or "")
    value = f"{function}({pasted.expression})" if function else f"({pasted.expression})"
    return f"format({value}, {text_source(pasted.spec)})" if pasted.spec else f"format({value})"


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
