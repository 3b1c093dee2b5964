"""One call, from what a model wrote to exactly one classified result."""

from nbagents.tools.call.failure import failure_of, invalid_arguments, lead_with, misfit
from nbagents.tools.call.invocation import (
    CallRefused,
    CallStopped,
    Lanes,
    Offered,
    Suspended,
    Unusable,
    perform,
    prepare,
)
from nbagents.tools.call.plain_form import is_json
from nbagents.tools.call.prepared_call import (
    Effective,
    PreparedCall,
    as_written,
    seen_arguments,
)
from nbagents.tools.call.return_value import failed_result, for_people, one_line, result_of
from nbagents.tools.call.target import Target, lasting_target_of, target_of

__all__ = [
    "CallRefused",
    "CallStopped",
    "Effective",
    "Lanes",
    "Offered",
    "PreparedCall",
    "Suspended",
    "Target",
    "Unusable",
    "as_written",
    "failed_result",
    "failure_of",
    "for_people",
    "invalid_arguments",
    "is_json",
    "lasting_target_of",
    "lead_with",
    "misfit",
    "one_line",
    "perform",
    "prepare",
    "result_of",
    "seen_arguments",
    "target_of",
]
