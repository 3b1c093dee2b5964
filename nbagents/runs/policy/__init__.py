"""What a run may do: limits, prices, guardrails, retries, the form of its answer."""

from nbagents.runs.policy.answer_gate import Gate, PromptRefused
from nbagents.runs.policy.budget import Budget
from nbagents.runs.policy.form import AnswerForm, answer_form
from nbagents.runs.policy.guardrails import (
    Parallel,
    Refuse,
    Replace,
    answer_value,
    as_text,
    call_plainly,
    check_tool_input,
    check_tool_output,
    checked,
)
from nbagents.runs.policy.last_word import (
    is_no_answer,
    is_silence,
    no_answer,
    notice_of,
    refused_call,
    why_last,
    with_words,
)
from nbagents.runs.policy.limits import Spending, Spent, spent_of
from nbagents.runs.policy.policy import (
    NO_POLICY,
    FinalCall,
    Policy,
    StepContext,
    StopAt,
    ToolFilter,
    ToolUse,
)
from nbagents.runs.policy.prices import Prices, are_prices, check_prices, cost_of, unpriced

__all__ = [
    "NO_POLICY",
    "AnswerForm",
    "Budget",
    "FinalCall",
    "Gate",
    "Parallel",
    "Policy",
    "Prices",
    "PromptRefused",
    "Refuse",
    "Replace",
    "Spending",
    "Spent",
    "StepContext",
    "StopAt",
    "ToolFilter",
    "ToolUse",
    "answer_form",
    "answer_value",
    "are_prices",
    "as_text",
    "call_plainly",
    "check_prices",
    "check_tool_input",
    "check_tool_output",
    "checked",
    "cost_of",
    "is_no_answer",
    "is_silence",
    "no_answer",
    "notice_of",
    "refused_call",
    "spent_of",
    "unpriced",
    "why_last",
    "with_words",
]
