"""Names of cases that are the same in every process: pytest-xdist compares what workers find."""

from __future__ import annotations

import re
from typing import cast

ADDRESS = re.compile(r" at 0x[0-9a-f]+")


def label(value: object) -> str:
    """The repr of a value, without its address, and without an order that it does not have."""
    if isinstance(value, (set, frozenset)):
        return repr(sorted(cast("set[object]", value), key=repr))
    return ADDRESS.sub("", repr(value))
