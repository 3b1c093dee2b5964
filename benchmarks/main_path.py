"""The way of one prompt through the rooms: run as a script, with the checkout on PYTHONPATH.

It prints JSON: for each model, the modules that were entered, and how often the way went from one
module into another. The first run is not traced, for it also loads what runs; code at the top of
modules never counts. Beyond the standard library it imports what it measures, and nothing else.
"""

from __future__ import annotations

import json
import sys
import threading
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from types import FrameType

__all__: list[str] = []

PROMPT = "Double 21."


class Trace:
    """Hears every call in every thread, once it is told to."""

    def __init__(self, package: Path) -> None:
        self.is_on = False
        self.ways: dict[int, list[str]] = {}
        """Per thread: the module of each call into the package, without repetitions."""
        self._package = f"{package}/"

    def __call__(self, frame: FrameType, event: str, _: Any) -> None:
        code = frame.f_code
        if not self.is_on or event != "call" or not code.co_filename.startswith(self._package):
            return
        if code.co_name == "<module>":
            return
        way = self.ways.setdefault(threading.get_ident(), [])
        module = code.co_filename.removeprefix(self._package)
        if not way or way[-1] != module:
            way.append(module)

    def figures(self) -> dict[str, Any]:
        """What was heard."""
        rooms = {module for way in self.ways.values() for module in way}
        return {"rooms": sorted(rooms), "returns": sum(map(len, self.ways.values())) - len(rooms)}


def double(number: int) -> int:
    """Double a number.

    Args:
        number: What to double.
    """
    return 2 * number


def traced(trace: Trace, model: Any) -> dict[str, Any]:
    """One run after one that warms up."""
    from nbagents import Agent  # only once the path is as it should be

    agent = Agent("maths", tools=[double], model=model)
    agent.run(PROMPT)
    trace.ways.clear()
    trace.is_on = True
    run = agent.run(PROMPT)
    trace.is_on = False
    if [call.name for call in run.calls] != ["double"]:
        raise SystemExit(f"The run did not call the tool: {run.status}")
    return trace.figures()


def main() -> None:
    """Trace a run of each model."""
    # An editable install is found before PYTHONPATH is looked at: it would show its own checkout.
    sys.meta_path[:] = [one for one in sys.meta_path if "editables" not in repr(one)]
    spec = find_spec("nbagents")
    if spec is None or spec.origin is None:
        raise SystemExit("There is no nbagents on PYTHONPATH.")
    trace = Trace(Path(spec.origin).parent)
    threading.setprofile(trace)
    sys.setprofile(trace)
    from nbagents import OfflineModel, ScriptedModel  # see above
    from nbagents.models.scripted import call  # see above

    calls = [[call("double", number=21)], "It is 42."]
    models = {"scripted": ScriptedModel(calls * 2), "offline": OfflineModel()}
    print(json.dumps({name: traced(trace, model) for name, model in models.items()}))


if __name__ == "__main__":
    main()
