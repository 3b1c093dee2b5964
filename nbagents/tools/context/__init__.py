"""What a running tool has around it: its `Context`, its output, its clock, its interrupts."""

from nbagents.tools.context.callable_object import (
    as_called,
    bound_keywords,
    called_by,
    docstring_of,
    is_async,
    is_unbound_method,
    name_of,
    runner_of,
    written_function,
)
from nbagents.tools.context.capture import Sink, Stream, capturing, current_sink, streams_captured
from nbagents.tools.context.clock import GLANCE_S, ActiveClock, ends_in_time, run_clock
from nbagents.tools.context.context import Caps, Context, Remaining, Unanswered
from nbagents.tools.context.interrupts import interruption, is_persons
from nbagents.tools.context.misuse import (
    FLAG,
    TEXT,
    check_function,
    explained,
    is_function,
    is_several,
    require,
    require_named,
    shown,
    takes,
    wrong,
)
from nbagents.tools.context.origin import Origin, defining, set_defining

__all__ = [
    "FLAG",
    "GLANCE_S",
    "TEXT",
    "ActiveClock",
    "Caps",
    "Context",
    "Origin",
    "Remaining",
    "Sink",
    "Stream",
    "Unanswered",
    "as_called",
    "bound_keywords",
    "called_by",
    "capturing",
    "check_function",
    "current_sink",
    "defining",
    "docstring_of",
    "ends_in_time",
    "explained",
    "interruption",
    "is_async",
    "is_function",
    "is_persons",
    "is_several",
    "is_unbound_method",
    "name_of",
    "require",
    "require_named",
    "run_clock",
    "runner_of",
    "set_defining",
    "shown",
    "streams_captured",
    "takes",
    "written_function",
    "wrong",
]
