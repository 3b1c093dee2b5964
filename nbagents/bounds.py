"""How much is taken of what others send, before anything is made of it; said where it is met.

What one call may print, give back and say in an error is bounded where that is made: see
`call_output` in `nbagents.runs.drive`, `return_value` and `failure` in `nbagents.tools.call`.
"""

from __future__ import annotations

from typing import Final

__all__ = [
    "MAX_ANSWER_BYTES",
    "MAX_ARGUMENTS",
    "MAX_CALLS_A_TURN",
    "MAX_LINE_BYTES",
    "MAX_REFUSAL_BYTES",
    "MAX_RESPONSE_BYTES",
    "STEP_BYTES",
]

MAX_ANSWER_BYTES: Final = 64_000_000
"""Of one answer of a provider, unpacked."""
MAX_LINE_BYTES: Final = 32_000_000
"""Of one event in it, which must be whole before it can be read."""
MAX_REFUSAL_BYTES: Final = 1_000_000
"""Of what a provider says instead of an answer; the rest is not read."""
MAX_RESPONSE_BYTES: Final = 16_000_000
"""Of one answer of a server that a tool asks, unpacked."""
MAX_CALLS_A_TURN: Final = 10_000
"""Calls that one answer may ask for; the others are told so, and not made."""
MAX_ARGUMENTS: Final = 16_000_000
"""Characters of the arguments of one call."""
STEP_BYTES: Final = 65_536
"""So much is unpacked at once; between two steps a stop and a time limit are heard."""
