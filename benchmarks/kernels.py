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

__all__ = ["HEAVY", "Load", "load_times"]

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
EXTENSION = "get_ipython().run_line_magic('load_ext', 'nbagents')"
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


def load_times(rounds: int) -> tuple[list[Load], list[Load]]:
    """The extension and openai, in turns, each in a fresh kernel; the first of each is left out.

    That one compiles: what pip installs is compiled too, so all the others find bytecode.
    """
    with tempfile.TemporaryDirectory() as compiled:
        loads = [
            (Load(EXTENSION, compiled), Load("import openai", compiled)) for _ in range(rounds + 1)
        ]
    return [ours for ours, _ in loads[1:]], [theirs for _, theirs in loads[1:]]


def _printed(client: BlockingKernelClient, code: str) -> str:
    printed: list[str] = []

    def hear(message: dict[str, Any]) -> None:
        if message["msg_type"] == "stream" and message["content"]["name"] == "stdout":
            printed.append(message["content"]["text"])
        elif message["msg_type"] == "error":
            raise RuntimeError("\n".join(message["content"]["traceback"]))

    client.execute_interactive(code, output_hook=hear, timeout=START_TIMEOUT_S)
    return "".join(printed)
