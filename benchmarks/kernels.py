"""What loading the extension costs in a kernel, beside `import openai` in one like it."""

from __future__ import annotations

import json
import os
import subprocess
import tempfile
from typing import TYPE_CHECKING, Any

from jupyter_client.manager import start_new_kernel

if TYPE_CHECKING:
    from jupyter_client.blocking.client import BlockingKernelClient

__all__ = ["EXTENSION_NAME", "HEAVY", "OPENAI_NAME", "Load", "load_times"]

HEAVY = ("openai", "mcp", "griffe", "jsonschema", "nbformat", "pandas")
"""What loading the extension must not load."""

PROBE = """
import json as _json, sys as _sys, time as _time
_before, _wall_s, _cpu_s = set(_sys.modules), _time.perf_counter(), _time.process_time()
{code}
_wall_s, _cpu_s = _time.perf_counter() - _wall_s, _time.process_time() - _cpu_s
_new = sorted({{name.partition(".")[0] for name in set(_sys.modules) - _before}})
print(_json.dumps([_wall_s * 1000, _cpu_s * 1000, _new, len(set(_sys.modules) - _before)]))
"""
EXTENSION_NAME = "%load_ext nbagents"
FIRST_TOOL_NAME = "%load_ext nbagents, and a first %%tool"
OPENAI_NAME = "import openai"
EXTENSION = "get_ipython().run_line_magic('load_ext', 'nbagents')"
CELL = '%%tool\\ndef f(a: int) -> int:\\n    "Double."\\n    return 2 * a'
FIRST_TOOL = f"{EXTENSION}; get_ipython().run_cell('{CELL}')"
START_TIMEOUT_S = 60


class Load:
    """One load in one fresh kernel: how long it took, and what it brought."""

    def __init__(self, code: str, compiled: str) -> None:
        # Its warnings about sockets are not ours; errors come as messages.
        environment = {**os.environ, "PYTHONPYCACHEPREFIX": compiled}
        environment.pop("PYTHONDONTWRITEBYTECODE", None)
        manager, client = start_new_kernel(
            startup_timeout=START_TIMEOUT_S, env=environment, stderr=subprocess.DEVNULL
        )
        try:
            printed = _printed(client, PROBE.format(code=code))
        finally:
            client.stop_channels()
            manager.shutdown_kernel(now=True)
        self.wall_ms: float
        self.cpu_ms: float
        self.packages: list[str]
        self.modules: int
        self.wall_ms, self.cpu_ms, self.packages, self.modules = json.loads(printed)


def load_times(rounds: int) -> dict[str, list[Load]]:
    """The extension, the extension and a first tool, and openai, in turns, in fresh kernels.

    The first round is left out. It compiles: what pip installs is compiled too, so all the others
    find bytecode.
    """
    ways = {EXTENSION_NAME: EXTENSION, FIRST_TOOL_NAME: FIRST_TOOL, OPENAI_NAME: OPENAI_NAME}
    loads: dict[str, list[Load]] = {name: [] for name in ways}
    with tempfile.TemporaryDirectory() as compiled:
        for number in range(rounds + 1):
            for name, code in ways.items():
                load = Load(code, compiled)
                if number:
                    loads[name].append(load)
    return loads


def _printed(client: BlockingKernelClient, code: str) -> str:
    printed: list[str] = []

    def hear(message: dict[str, Any]) -> None:
        if message["msg_type"] == "stream" and message["content"]["name"] == "stdout":
            printed.append(message["content"]["text"])
        elif message["msg_type"] == "error":
            raise RuntimeError("\n".join(message["content"]["traceback"]))

    client.execute_interactive(code, output_hook=hear, timeout=START_TIMEOUT_S)
    return "".join(printed)
