"""The ten tasks in a user's words, the answer that counts, and what must have been in sight."""

from __future__ import annotations

from typing import NamedTuple

__all__ = ["TASKS", "Task"]


class Task(NamedTuple):
    """One thing that somebody wants of a run."""

    asked: str
    answer: str
    proof: tuple[str, ...]
    """What somebody has had in sight who knows the answer, as regular expressions: all of them."""
    is_saved: bool = False
    """Whether the notebook was saved, closed, and opened again without a kernel."""


TASKS = {
    "slowest": Task(
        "Which call was the slowest to come back, and what kept it?",
        "compute_index: it ran for 0.3 s only, and had waited 2.5 s for load_archive.",
        (r"compute_index", r"(?i)\bwait(s|ed|ing)?\b"),
    ),
    "saw": Task(
        "The model paid the wrong order back. What had it been told about the orders before that?",
        "That there are 3 rows, with names and types of columns; it never saw the rows.",
        (r"refund", r"not to you"),
    ),
    "approved": Task(
        "Yesterday files were deleted. Who allowed it, and was it what the model wanted?",
        "You did, with 365 days instead of the 30 that the model wanted.",
        (r"(?i)approved by (you|the person)|you approved", r"\b30\b", r"\b365\b"),
        is_saved=True,
    ),
    "failed": Task(
        "One of 200 calls failed. For which host, and why?",
        "node-067: its certificate expired on 3 May.",
        (r"node-067", r"certificate expired on 3 May"),
    ),
    "row": Task(
        "Which code stands in row 57000 of the table?",
        "08591",
        (r"\b08591\b",),
    ),
    "last": Task(
        "What is the last line that the training printed?",
        "best checkpoint: epoch-4182.pt",
        (r"best checkpoint: epoch-4182\.pt",),
    ),
    "differ": Task(
        "Two simulations ran side by side. What was set differently, and what came of it?",
        "solver: implicit was stable, explicit was not.",
        (r"solver", r"\bexplicit\b", r'stable"?\s*:?\s*true', r'stable"?\s*:?\s*false'),
    ),
    "python": Task(
        "Make the call that gave the yield once more yourself, in a cell.",
        "yield_of(…) in a cell below gives 'barley: 5280 kg'.",
        (r"'barley: 5280 kg'",),
    ),
    "day": Task(
        "Which of today's runs failed, and which one cost most?",
        "index failed; review cost most, with 92,400 tokens.",
        (r"\bindex\b", r"Failed", r"\breview\b", r"92k|92\.4k|92,400|0\.235|0\.24"),
    ),
    "deep": Task(
        "The price rests on an index. Which one was looked up, for where and which year?",
        "118.4, for Vestland and 2021, six agents deep.",
        (r"price_index", r"Vestland", r"\b2021\b", r"index 118\.4"),
    ),
}
