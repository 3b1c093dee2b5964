"""What a page says too late is no warning; what it says to an unknown widget is."""

from __future__ import annotations

import logging
from types import SimpleNamespace

import pytest
from nbagents_widgets.late import expect_late_messages


def test_only_messages_to_what_was_closed_here_pass_in_silence(
    caplog: pytest.LogCaptureFixture,
) -> None:
    expect_late_messages(SimpleNamespace(comm=SimpleNamespace(comm_id="ours")))
    expect_late_messages(SimpleNamespace(comm=None))
    with caplog.at_level(logging.WARNING, logger="Comm"):
        for comm_id in ("ours", "theirs"):
            logging.getLogger("Comm").warning("No such comm: %s", comm_id)
    assert [record.getMessage() for record in caplog.records] == ["No such comm: theirs"]
