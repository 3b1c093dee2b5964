"""An agent's ways to begin: a run that has not started yet, and what it would send first."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

from nbagents.agents.given import check_asked

if TYPE_CHECKING:
    from collections.abc import Mapping

    from nbagents.agents.known import AgentLike
    from nbagents.runs.briefing import Attachments
    from nbagents.runs.earlier import Conversation
    from nbagents.runs.plan import Parent, Plan
    from nbagents.runs.preview import Preview
    from nbagents.runs.record import Run
    from nbagents.runs.session import Session

__all__ = ["Beginning"]


class Beginning:
    """An agent's ways to begin."""

    __slots__ = ()

    def begin(  # noqa: PLR0913  as `Agent.run`
        self: AgentLike,
        prompt: str,
        log: Literal["memory"] | Session | None = None,
        *,
        vars: Mapping[str, object] | None = None,  # noqa: A002  the magic's word
        attach: Attachments = (),
        passthrough: Mapping[str, Mapping[str, Any]] | None = None,
        context: Any = None,  # of the caller's own type
        messages: Conversation = (),
        chat: str | None = None,
        labels: Mapping[str, str] | None = None,
        parent: Parent | None = None,
    ) -> tuple[Run, Plan]:
        """A run that has not started yet, and what it is to do; see `run`.

        Args:
            prompt: What is asked.
            log: Where it is logged; of a run inside of another one, where that is.
            vars: See `run`, as for the next six.
            attach: Images and files.
            passthrough: By toolset.
            context: The caller's own object; of a run inside of another one, by default that one's.
            messages: What came before.
            chat: The conversation.
            labels: Its own, beside those of the run above.
            parent: The call that starts it.

        Raises:
            ValueError: Something that was given cannot be used; says what to give.
            RunError: Another run is going on with this chat.
        """
        from nbagents.agents.planning import Asked, plan_of, session_of
        from nbagents.runs.earlier import earlier
        from nbagents.runs.record import Run

        check_asked(
            prompt, shared=vars, attached=attach, passthrough=passthrough, chat=chat, labels=labels
        )
        above = parent and parent.run
        session = above.session if above else session_of(log)
        talk = None if chat is None else session.chats.get(chat)
        plan, handles = plan_of(
            self,
            Asked(
                prompt=prompt,
                shared=vars,
                attached=attach,
                passthrough=passthrough,
                before=earlier(messages, chat=chat),
                chat=talk,
                parent=parent,
            ),
        )
        made = Run(
            session,
            agent_name=self.name,
            prompt=prompt,
            parent=above,
            parent_call_id=parent and parent.call_id,
            labels={**(above.labels if above else {}), **(labels or {})},
            handles=handles,
        )
        made.context = above.context if above and context is None else context
        if talk is not None:
            session.chats.begin(talk, made)
        if above is None:
            session.remember(made)
        return made, plan

    def preview(
        self: AgentLike,
        prompt: str,
        *,
        vars: Mapping[str, object] | None = None,  # noqa: A002  the magic's word
        attach: Attachments = (),
        chat: str | None = None,
    ) -> Preview:
        """What a run would send to the model first; nothing is sent, and no key is needed."""
        from nbagents.agents.planning import Asked, plan_of, session_of
        from nbagents.runs.plan import first_request
        from nbagents.runs.preview import preview_of

        check_asked(prompt, shared=vars, attached=attach, chat=chat)
        talk = None if chat is None else session_of(None).chats.get(chat)
        asked = Asked(prompt=prompt, shared=vars, attached=attach, chat=talk, is_sent=False)
        plan, handles = plan_of(self, asked)
        return preview_of(plan, first_request(plan, handles))
