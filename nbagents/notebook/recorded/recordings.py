"""The recordings of a notebook: what holds for each run that begins in it."""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING, Any

from traitlets import TraitError

from nbagents.errors import RecordingError
from nbagents.notebook.recorded.choice import Choice, choose
from nbagents.recordings import held_by_person, recording, use_default

if TYPE_CHECKING:
    from collections.abc import Generator, Mapping

    from nbagents.notebook.options import NbAgents
    from nbagents.notebook.place import NotebookPlace
    from nbagents.recordings import Setting


class NotebookRecordings:
    """What holds for the runs of a notebook.

    Args:
        config: What `%config` and the environment say.
        notebook: Where it is.
    """

    def __init__(self, config: NbAgents, notebook: NotebookPlace) -> None:
        self._config = config
        self._notebook = notebook

    def begin(self) -> None:
        """Have runs of this kernel ask here."""
        use_default(self._setting)

    def end(self) -> None:
        """Have them ask nobody."""
        use_default(None)

    def choice(self, said: Mapping[str, Any] | None = None) -> Choice:
        """What holds for a run.

        Args:
            said: What options say, by the names of `nbagents.recording` (Any: of any type).

        Raises:
            RecordingError: What was asked for cannot be done; says what to do.
        """
        try:
            return choose(said or {}, self._config, self._notebook)
        except TraitError as error:  # a variable of the environment that means nothing
            raise RecordingError(str(error)) from None

    @contextlib.contextmanager
    def around(self, said: Mapping[str, Any]) -> Generator[None]:
        """Have what options say hold in this block, unless a `with` of the person's does.

        Raises:
            RecordingError: What was asked for cannot be done; says what to do.
        """
        if not said or held_by_person() is not None:
            yield
            return
        made = self.choice(said)
        found = made.found
        with recording(
            found and found.recording,
            made.mode if found or made.mode in ("off", "live") else "off",
            pace=made.pace,
            frozen_tools=made.frozen_tools,
        ):
            yield

    def written(self, said: Mapping[str, Any]) -> dict[str, Any]:
        """What `nbagents.recording` is given to do what options say (Any: of any type).

        Raises:
            RecordingError: What was asked for cannot be done.
        """
        made = self.choice(said) if said else None
        if made is None or not (made.found or made.mode in ("live", "off")):
            return {}
        return {
            **({"path": made.found.place} if made.found else {}),
            **({} if made.mode == "replay" else {"mode": made.mode}),
            **({"pace": made.pace} if made.pace is not None else {}),
            **({"frozen_tools": True} if made.frozen_tools else {}),
        }

    def _setting(self) -> Setting | None:
        return self.choice().setting

    @property
    def in_words(self) -> str:
        """What holds now, or what is wrong with it."""
        held = held_by_person()
        if held is not None:
            name = held.recording.name if held.recording else ""
            return f"{name}: {held.mode}, because `with` says so".removeprefix(": ")
        try:
            return self.choice().in_words
        except RecordingError as error:
            return str(error)
