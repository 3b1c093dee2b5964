"""What the values of options can be: what completion offers."""

from __future__ import annotations

import importlib.util
import inspect
import pkgutil
import sys
from pathlib import Path
from types import FunctionType, ModuleType
from typing import TYPE_CHECKING, Any

from nbagents.models.openai import DEFAULT_MODEL
from nbagents.notebook.reports import suspended
from nbagents.recordings import SUFFIX
from nbagents.runs.logs import newest_runs
from nbagents.runs.state import current_session
from nbagents.tools.tool import SEPARATOR, Tool, toolbox

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from nbagents.notebook.live import Workplace
    from nbagents.notebook.options import Takes

TYPES = ("str", "int", "float", "bool", "list[str]", "list[int]", "dict[str, str]")
SETTINGS = ("temperature=", "top_p=", "seed=", "reasoning_effort=")
SOURCES = (".py", ".yaml", ".yml", ".json")
NEWEST = 50
MOST_FILES = 200


def candidates(takes: Takes, place: Workplace, text: str) -> Sequence[str]:
    """What a value can be.

    Args:
        takes: What it names.
        place: Where it is looked for.
        text: What of it is there already.
    """
    return tuple(dict.fromkeys(OFFERS[takes](place, text)))


def files_like(text: str, *endings: str) -> list[str]:
    """Files and folders whose paths begin like this.

    Args:
        text: The beginning.
        endings: How files may end; none: in any way.
    """
    head, slash, name = text.rpartition("/")
    folder = Path(head + slash).expanduser() if slash else Path()
    try:
        inside = sorted(one for one in folder.iterdir() if one.name.startswith(name))
    except OSError:
        return []
    return [
        f"{head}{slash}{one.name}{'/' if one.is_dir() else ''}"
        for one in inside[:MOST_FILES]
        if (name or not one.name.startswith("."))
        and (one.is_dir() or not endings or one.name.endswith(endings))
    ]


def modules_like(text: str) -> list[str]:
    """Modules whose names begin like this; none is imported to find out."""
    package, dot, name = text.rpartition(".")
    return [
        f"{package}{dot}{one.name}"
        for one in pkgutil.iter_modules(_folders(package) if dot else None)
        if one.name.startswith(name) and not one.name.startswith("_")
    ]


def _folders(package: str) -> list[str]:
    """Where the modules of a package are."""
    top, *inside = package.split(".")
    try:
        spec = importlib.util.find_spec(top)
    except ValueError:  # a module that somebody made by hand
        spec = None
    found = list((spec and spec.submodule_search_locations) or ())
    return [str(Path(folder, *inside)) for folder in found]


def _models(place: Workplace, _text: str) -> Iterable[str]:
    agents = (value for _, value in _variables(place) if _is_agent(value))
    asked = [run.model for run in current_session().runs if run.events]
    named = [place.config.setting("model").value, *(agent.model for agent in agents), *asked]
    own = [one for one in named if isinstance(one, str) and one and one != "by hand"]
    return ["offline", *own, DEFAULT_MODEL, f"responses:{DEFAULT_MODEL}"]


def _tools(place: Workplace, _text: str) -> Iterable[str]:
    groups = (name.partition(SEPARATOR)[0] for name in toolbox if SEPARATOR in name)
    own = (name for name, value in _variables(place) if isinstance(value, (Tool, FunctionType)))
    return ["all", "none", *toolbox, *groups, *own]


def _variable_names(place: Workplace, _text: str) -> Iterable[str]:
    return [name for name, value in _variables(place) if not _is_code(value)]


def _attachments(place: Workplace, text: str) -> Iterable[str]:
    return [*_variable_names(place, text), *files_like(text)]


def _systems(place: Workplace, _text: str) -> Iterable[str]:
    return [f"@{name}" for name, value in _variables(place) if isinstance(value, str)]


def _objects(place: Workplace, _text: str) -> Iterable[str]:
    plain = (str, int, float, bool, dict, list, tuple, set)
    return [
        name
        for name, value in _variables(place)
        if not inspect.isclass(value) and not isinstance(value, plain)
    ]


def _sources(_place: Workplace, text: str) -> Iterable[str]:
    return [*files_like(text, *SOURCES), *(modules_like(text) if text and "/" not in text else ())]


def _recordings(_place: Workplace, text: str) -> Iterable[str]:
    return files_like(text, SUFFIX)


def _suspended(_place: Workplace, _text: str) -> Iterable[str]:
    """Also those of earlier kernels: the log has them."""
    session = current_session()
    newest = newest_runs(session.log, limit=NEWEST, current=session.session_id)
    return [one.run_id for one in suspended(newest)]


def _types(place: Workplace, _text: str) -> Iterable[str]:
    return [*(name for name, value in _variables(place) if inspect.isclass(value)), *TYPES]


def _variables(place: Workplace) -> Iterable[tuple[str, Any]]:
    """The person's variables: not IPython's own."""
    hidden: Mapping[str, object] = getattr(place.shell, "user_ns_hidden", {})
    for name, value in tuple(place.names.items()):
        if not name.startswith("_") and not (name in hidden and hidden[name] is value):
            yield name, value


def _is_code(value: object) -> bool:
    """Whether a value is code rather than data."""
    return isinstance(value, (ModuleType, FunctionType, Tool)) or inspect.isclass(value)


def _is_agent(value: object) -> bool:
    module = sys.modules.get("nbagents.agents")
    return module is not None and isinstance(value, module.Agent)


OFFERS: Mapping[Takes, Callable[[Workplace, str], Iterable[str]]] = {
    "agent": lambda place, _: [name for name, value in _variables(place) if _is_agent(value)],
    "attachment": _attachments,
    "chat": lambda _place, _text: current_session().chats.names(),
    "model": _models,
    "object": _objects,
    "recording": _recordings,
    "run": lambda _place, _text: [run.id for run in current_session().runs[-NEWEST:]][::-1],
    "setting": lambda _place, _text: SETTINGS,
    "source": _sources,
    "suspended": _suspended,
    "system": _systems,
    "tool": lambda _place, _text: tuple(toolbox),
    "tools": _tools,
    "toolset": lambda _place, _text: [
        name.partition(SEPARATOR)[0] for name in toolbox if SEPARATOR in name
    ],
    "type": _types,
    "variable": _variable_names,
    "variables": _variable_names,
}
