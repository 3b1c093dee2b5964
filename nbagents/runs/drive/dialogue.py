"""What the model of a run is told and says, as the objects that they are.

It stands beside the tree, which has the same in words that may be written down: a model is told
secrets, images and files, too, and what is its provider's own. What of it the log has already, the
tree says; `tests/unit/runs/test_any_prefix.py` holds the two together.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from nbagents.messages import AssistantMessage, SystemMessage, ToolMessage, UserMessage, told
from nbagents.runs.tree import newest_turn, parted

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from nbagents.messages import CallRequest, Message
    from nbagents.results import CallResult, Earlier
    from nbagents.runs.plan import Plan
    from nbagents.runs.stepping import EditedMessages
    from nbagents.runs.tree import RunNode


class Dialogue:
    """What the model of one run is told and says.

    Args:
        plan: What the run is to do; its messages are where this goes on from.
    """

    def __init__(self, plan: Plan) -> None:
        self.messages: list[Message] = list(plan.messages)
        """The conversation; it grows in place."""
        self.began = len(self.messages)
        """How many of them were there before."""
        self._earlier = plan.earlier
        self._is_told_anew = plan.kept is not None and plan.kept.is_told_anew
        self._turn = list(plan.turn or newest_turn(self.messages))
        self._turn_until = self.began

    @property
    def turn(self) -> tuple[Message, ...]:
        """What was said in the run: the prompt, and all that answers it.

        Also what the newest agent was not told; nothing where the prompt was refused.
        """
        return (*self._turn, *self.messages[self._turn_until :]) if self._turn else ()

    @property
    def answers(self) -> tuple[AssistantMessage, ...]:
        """What models said, from the beginning of the conversation."""
        return tuple(one for one in self.messages if isinstance(one, AssistantMessage))

    def say(self, text: str) -> None:
        """Say something in the place of the model."""
        self.messages.append(AssistantMessage(text=text))

    def tell(self, words: str) -> None:
        """Tell the model what happened."""
        self.messages.append(UserMessage(text=words, is_notice=True))

    def was_told(self, words: str) -> bool:
        """Whether this is what the model was told last."""
        return self.messages[-1:] == [UserMessage(text=words, is_notice=True)]

    def put_prompt(self, asked: UserMessage) -> None:
        """Have something else asked than the person did."""
        self._turn[-1] = self.messages[-1] = asked

    def put_result(self, call: CallRequest, result: CallResult) -> None:
        """Have a call told with another result than it was."""
        for at, one in enumerate(self.messages):
            if isinstance(one, ToolMessage) and one.call_id == call.id:
                self.messages[at] = told(call, result)

    def refuse_prompt(self) -> None:
        """What is said now is of no conversation."""
        self._turn.clear()

    def hand_over(self, messages: Sequence[Message], *, is_told_anew: bool) -> None:
        """Go on with what another agent is told.

        Args:
            messages: The conversation.
            is_told_anew: Whether it is another one than was told so far.
        """
        said, self.messages[:] = self.turn, messages
        if is_told_anew:
            self._turn, self._turn_until = list(said), len(self.messages)
            self._earlier, self._is_told_anew = None, True

    def edit(self, edited: EditedMessages) -> None:
        """Tell the model something else than was said; it is told anew, from the beginning."""

        def now(place: int) -> int:
            """Where what began or ended at a place does now."""
            later = (
                at
                for at, origin in enumerate(edited.origins)
                if origin is not None and origin >= place
            )
            return next(later, len(edited.messages))

        begins, ends = self._turn_until - len(self._turn), self._turn_until
        is_here = bool(self._turn) and self._turn == self.messages[max(begins, 0) : ends]
        self.began, self._turn_until = now(self.began), now(ends)
        if is_here:  # and not what another agent was not told
            kept = edited.messages[now(begins) : self._turn_until]
            self._turn = list(kept or newest_turn(edited.messages))
        self.messages[:] = edited.messages
        self._earlier, self._is_told_anew = None, True

    def told_before(self, run: RunNode) -> int:
        """How many of the messages a request has told already."""
        last = run["requests"][-1] if run["requests"] else None
        return 0 if last is None or self._is_told_anew else last["message_count"]

    def unlogged(self, run: RunNode) -> tuple[Earlier | None, Sequence[Message], Sequence[Message]]:
        """What the next request tells that no event of the run says.

        Returns:
            Which of it other runs have logged; these; the rest.
        """
        known = self.told_before(run)
        self._is_told_anew = False
        if not known:
            return self._earlier, *parted(self.messages, self._earlier)
        news = self.messages[known:]
        return None, (), [one for one in news if isinstance(one, (UserMessage, SystemMessage))]

    def answer_open(self, told_of: Callable[[str], CallResult]) -> None:
        """Give each call of an unfinished batch its message: a provider refuses calls without."""
        last = self.messages[-1] if self.messages else None
        if isinstance(last, AssistantMessage):
            self.messages += [told(call, told_of(call.id)) for call in last.calls]
