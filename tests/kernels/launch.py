"""Starts a kernel for the tests: `python -P tests/kernels/launch.py DUMP …`.

It is a kernel as any other but for two things:

- At SIGUSR1 it writes into the file DUMP where each of its threads stands, so that a test that
  waits in vain can say what it waited for.
- The releases 7.0 to 7.3 strand a request now and then (`tests/kernels/stranded.py` shows it
  without anything of ours, and what 7.4 does instead). Here they send their replies as 7.4 does,
  for a test must fail by what nbagents does, or not at all.
"""

from __future__ import annotations

import faulthandler
import signal
import sys
from pathlib import Path
from typing import Any

from ipykernel.kernelapp import IPKernelApp


class KernelApp(IPKernelApp):
    """The application of a kernel that strands no request."""

    def init_kernel(self) -> None:
        """Make the kernel."""
        super().init_kernel()
        traits: Any = self  # Any: ipykernel does not say what they hold
        manager = getattr(getattr(traits, "shell_channel_thread", None), "manager", None)
        if manager is not None and hasattr(manager, "_shell_socket"):
            manager._shell_socket = traits.kernel.shell_stream


if __name__ == "__main__":
    with Path(sys.argv.pop(1)).open("w") as dump:
        faulthandler.register(signal.SIGUSR1, file=dump)
        KernelApp.launch_instance()
