"""What a run is to do, and what its model is told and offered."""

from nbagents.runs.plan.branch_preview import BranchPreview
from nbagents.runs.plan.brief import Attachments, briefing, instructed, own_instructions
from nbagents.runs.plan.contexts import context_of
from nbagents.runs.plan.defining_cell import cell_of
from nbagents.runs.plan.earlier_conversation import Conversation, earlier
from nbagents.runs.plan.handover import (
    Handover,
    conversation_of,
    handed_to,
    made_with_handover,
    plans_from,
    with_plan_of_run,
)
from nbagents.runs.plan.kept_run import Kept, KeptInside
from nbagents.runs.plan.offer import offered, step_context
from nbagents.runs.plan.plan import Parent, Plan, first_request, origin_of, request_of, spec_of
from nbagents.runs.plan.preview import Preview, preview_of

__all__ = [
    "Attachments",
    "BranchPreview",
    "Conversation",
    "Handover",
    "Kept",
    "KeptInside",
    "Parent",
    "Plan",
    "Preview",
    "briefing",
    "cell_of",
    "context_of",
    "conversation_of",
    "earlier",
    "first_request",
    "handed_to",
    "instructed",
    "made_with_handover",
    "offered",
    "origin_of",
    "own_instructions",
    "plans_from",
    "preview_of",
    "request_of",
    "spec_of",
    "step_context",
    "with_plan_of_run",
]
