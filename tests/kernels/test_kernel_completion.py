"""Tab in a real kernel: what a front end is offered in the lines of our magics."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

import pytest

from tests.kernels.kernel_process import KernelProcess

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

START_S = 240.0
ANSWER_S = 120.0

# Any in this file: the protocol's messages are JSON of many shapes.


@pytest.fixture
def kernel(ipykernel: Path | None, tmp_path: Path) -> Iterator[KernelProcess]:
    with KernelProcess(ipykernel, tmp_path) as process:
        deadline = time.monotonic() + START_S
        while answer(process, "kernel_info_request", {}, 0.5) is None:
            assert time.monotonic() < deadline, "the kernel did not start"
        yield process


def answer(
    kernel: KernelProcess, message_type: str, content: object, timeout_s: float = ANSWER_S
) -> Any:
    """The reply to a request; none if none comes in time."""
    request = kernel.send("shell", message_type, content)
    while (reply := kernel.receive("shell", timeout_s)) is not None:
        if reply["parent_header"]["msg_id"] == request:
            return reply["content"]
    return None


def offered(kernel: KernelProcess, code: str, at: int | None = None) -> tuple[list[str], str]:
    """What the kernel offers, and what of the code it would take the place of."""
    place = len(code) if at is None else at
    reply = answer(kernel, "complete_request", {"code": code, "cursor_pos": place})
    return reply["matches"], code[reply["cursor_start"] : reply["cursor_end"]]


def test_lines_and_first_lines_of_cells_are_completed(kernel: KernelProcess) -> None:
    source = "%load_ext nbagents\nsales = [1]\ndef helper(): 'Help.'\n%tool --add helper"
    done = answer(kernel, "execute_request", {"code": source, "silent": False})
    assert done["status"] == "ok"
    assert offered(kernel, "%agent --max-t") == (["--max-tokens"], "--max-t")
    assert offered(kernel, "x = 1\nrun = %agent -t hel") == (["helper"], "hel")
    assert offered(kernel, "run = %agent -m off") == (["offline"], "off")
    assert offered(kernel, "%%agent -v sa\nAsk.\n", len("%%agent -v sa")) == (["sales"], "sa")
    assert offered(kernel, "%%tool al\ndef alpha(): ...\n", len("%%tool al")) == (["alpha"], "al")
    assert offered(kernel, "%nbagents us") == (["usage"], "us")
    found, _ = offered(kernel, "%%agent -v sales\nWhat of sal")
    assert "--model" not in found
