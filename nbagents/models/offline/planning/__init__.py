"""What is to be done next: goals, what they lack, what was found, and what no call served."""

from nbagents.models.offline.planning.conversation import Conversation, Made, parsed
from nbagents.models.offline.planning.goals import Goal, goals_of
from nbagents.models.offline.planning.outputs import formed
from nbagents.models.offline.planning.planner import Gap, Step, plan
from nbagents.models.offline.planning.supply import Planned
from nbagents.models.offline.planning.unserved_words import unserved, unserved_note
from nbagents.models.offline.planning.wishes import nearest

__all__ = [
    "Conversation",
    "Gap",
    "Goal",
    "Made",
    "Planned",
    "Step",
    "formed",
    "goals_of",
    "nearest",
    "parsed",
    "plan",
    "unserved",
    "unserved_note",
]
