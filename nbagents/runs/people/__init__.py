"""How people are asked before and in a call: consent, questions, missing values."""

from nbagents.runs.people.consent import Consent, is_policy, is_risky, told_arguments
from nbagents.runs.people.host import Attendance, Host, NoHost, current_host, use_host
from nbagents.runs.people.person import YES_OR_NO, People, answer_of
from nbagents.runs.people.questions import ToolQuestion
from nbagents.runs.people.settlement import Settling, past_of
from nbagents.runs.people.stepper import Stepper
from nbagents.runs.people.typing import typed_answer

__all__ = [
    "YES_OR_NO",
    "Attendance",
    "Consent",
    "Host",
    "NoHost",
    "People",
    "Settling",
    "Stepper",
    "ToolQuestion",
    "answer_of",
    "current_host",
    "is_policy",
    "is_risky",
    "past_of",
    "told_arguments",
    "typed_answer",
    "use_host",
]
