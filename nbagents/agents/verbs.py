"""The verbs by which whatever begins runs is run: an agent, and what is made of several."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, Generic, Literal, TypeVar

from typing_extensions import Unpack

from nbagents.agents.specification import RunOptions, check_host, shows

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from nbagents.events import AnyEvent
    from nbagents.runs.people import Host
    from nbagents.runs.plan import Parent, Plan
    from nbagents.runs.state import Run, Session

R_co = TypeVar("R_co", bound="Run", covariant=True)

BETWEEN: Final = "\n\n"
"""What stands between the words of two steps."""


class Verbs(Generic[R_co]):
    """Runs what `begin` has made: to its end, awaited, in the background, or as a stream."""

    __slots__ = ()

    def begin(
        self,
        prompt: str,
        log: Literal["memory"] | Session | None = None,
        *,
        parent: Parent | None = None,
        **options: Any,  # Any: those of `BeginOptions` that it takes
    ) -> tuple[R_co, Plan]:
        """A run that has not started yet, and what it is to do; see `run`."""
        raise NotImplementedError

    @shows(RunOptions, attach=(), messages=())
    def run(self, prompt: str, *, host: Host | None = None, **options: Unpack[RunOptions]) -> R_co:
        """Run to the end and return the run; works anywhere, also under a running loop.

        Plain `def` tools run on the calling thread, `async def` tools on a private loop.

        Args:
            prompt: What the person asks.
            vars: Live objects, which tools take by these names; the model is told types and sizes.
            attach: Images, files (as paths) and bytes that go along with the prompt.
            passthrough: What a toolset is handed past the model, by the toolset's name.
            context: Any object of your own: tools, checks and functions of the run and of all runs
                inside of it find it as `ctx.context`. No model and no log is told of it.
            messages: A conversation that came before: `run.messages`, or dictionaries with `role`
                and `content`; instructions at its beginning give way to the agent's own.
            chat: The conversation to go on with, by any name; without one each run starts clean.
            labels: Words by which its events are found again; runs inside of it have them, too.
            step: `True` waits before each request to the model and before each batch of calls,
                here and in runs inside, for a person who sees what would be done and may change
                it; `"outer"` only here. A function says it instead: it gets an `nbagents.Pause`
                and gives `None` to go on, or an `nbagents.Edit`.
            log: `None`: the process's session, on disk; `"memory"`: a session that is not kept.
            host: Who shows the run; by default the notebook, if its extension is loaded.

        Raises:
            ValueError: Something that was given cannot be used; says what to give.
            ModelError: The model failed.
            OutputError: The answer has not the type `output`, also after a correction.
            RunError: Another run is going on with this chat.
            KeyboardInterrupt: The run was stopped.
            Exception: What a tool raised that says `on_error=None`.
        """
        __tracebackhide__ = True
        from nbagents.runs.drive import run_blocking

        check_host(host)
        return run_blocking(*self.begin(prompt, **options), host=host)

    @shows(RunOptions, attach=(), messages=())
    async def arun(
        self, prompt: str, *, host: Host | None = None, **options: Unpack[RunOptions]
    ) -> R_co:
        """Run on the running loop; see `run`."""
        from nbagents.runs.drive import run_async

        check_host(host)
        return await run_async(*self.begin(prompt, **options), host=host)

    @shows(RunOptions, attach=(), messages=())
    def stream(self, prompt: str, **options: Unpack[RunOptions]) -> AsyncIterator[AnyEvent]:
        """Run on the running loop and yield what happens, as it happens; see `run`."""
        from nbagents.runs.drive import stream_events

        return stream_events(*self.begin(prompt, **options))

    @shows(RunOptions, attach=(), messages=())
    def stream_text(self, prompt: str, **options: Unpack[RunOptions]) -> AsyncIterator[str]:
        """Run on the running loop and yield what the agent says, as it says it, and nothing else.

        Between the words of two steps stands a blank line. What agents inside of it say is not
        among them.

        Args:
            prompt: What the person asks.
            options: See `run`.

        Raises:
            Exception: See `run`.

        Example:
            >>> async def say(agent):
            ...     async for words in agent.stream_text("Tell me a story."):
            ...         print(words, end="")
        """
        return _words_of(self.stream(prompt, **options))

    @shows(RunOptions, attach=(), messages=())
    def start(
        self, prompt: str, *, host: Host | None = None, **options: Unpack[RunOptions]
    ) -> R_co:
        """Begin in the background and return the run, which goes on; see `run`.

        `run.wait()` waits for it and raises what went wrong; `run.stop()` stops it. In a notebook,
        plain `def` tools run on the main thread between cells; elsewhere, while somebody waits.
        """
        from nbagents.runs.drive import start_run

        check_host(host)
        return start_run(*self.begin(prompt, **options), host=host)


async def _words_of(events: AsyncIterator[AnyEvent]) -> AsyncIterator[str]:
    """What the agent of a run says, as it says it; see `Agent.stream_text`."""
    said = passed = ""
    step = 0
    between = ""
    async for event in events:
        if event.parent_run_id is not None:
            continue
        if event.type == "assistant_delta":
            yield event.text if passed else between + event.text
            passed, between = passed + event.text, BETWEEN
        elif event.type == "assistant_turn":
            is_again = event.step == step and event.text == said
            if event.text and event.text != passed and not is_again:
                yield between + event.text
                between = BETWEEN
            said, passed, step = event.text, "", event.step
