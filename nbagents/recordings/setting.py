"""Which recording holds, and how it is used: named by a model, by `with`, or found by default."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable
from contextvars import ContextVar, Token
from dataclasses import dataclass, replace
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Final, Literal, TypeAlias, cast, get_args

from nbagents.errors import RecordingError, did_you_mean
from nbagents.narrowing import is_number
from nbagents.recordings.embedding import NOTEBOOK, SUFFIX, recording_in
from nbagents.recordings.index import Recording
from nbagents.recordings.named import is_elsewhere, recording_elsewhere
from nbagents.recordings.open_recordings import recording_at

if TYPE_CHECKING:
    from types import TracebackType

    from nbagents.models.model import Model

Mode: TypeAlias = Literal["replay", "extend", "refresh", "live", "off"]
"""`replay`: nothing is asked, and what is missing fails; `extend`: what is missing is asked and
written; `refresh`: all is asked and written anew; `live`: all is asked, nothing is written; `off`:
as if there were no recording."""
Place: TypeAlias = "str | PathLike[str] | Recording"
MODES: Final = get_args(Mode)
ABSENT: Final = (
    "There is no recording {path}. To make it, run with a model and "
    '%agent --record extend …, or nbagents.recording({name!r}, mode="extend") in Python.'
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Setting:
    """A recording, and how it is used."""

    recording: Recording | None
    mode: Mode = "replay"
    pace: float | None = None
    """How much faster than it was recorded; `None`: at once."""
    frozen_tools: bool = False
    """Whether tools do not run, and their recorded results are given."""
    spares: bool = False
    """Whether it was only found: then models that ask nobody are left alone, if they are named."""

    def leaves_alone(self, model: Model, *, is_named: bool) -> bool:
        """Whether a model has nothing to do with it: it asks nobody, so nothing is spared."""
        if not self.spares or not getattr(model, "asks_nobody", False):
            return False
        nothing = self.recording is None or not self.recording.exists
        return is_named or (nothing and self.mode == "replay")

    @property
    def asks_first(self) -> bool:
        """Whether a model is asked in any case, so that a key is needed from the beginning."""
        return self.mode in ("refresh", "live")

    @property
    def writes(self) -> bool:
        """Whether anything may be written."""
        return self.mode in ("extend", "refresh")

    def check(self) -> None:
        """See that there is something to replay.

        Raises:
            RecordingError: There is not; says how to make it.
        """
        if self.mode == "replay" and self.recording is not None and not self.recording.exists:
            path = self.recording.path
            name = path.name if path else self.recording.name
            raise RecordingError(ABSENT.format(path=path or name, name=name))


def path_of(given: str | PathLike[str]) -> Path:
    """The file of a recording: that beside a notebook, where a notebook is given.

    Example:
        >>> path_of("lesson.ipynb").name, path_of("lesson").name
        ('lesson.recording.jsonl', 'lesson.recording.jsonl')
    """
    path = Path(given).expanduser()
    if path.suffix in (".ipynb", ""):
        return path.with_name(path.stem + SUFFIX)
    return path


def setting_of(
    place: Place | None, mode: Mode, *, pace: float | None = None, frozen_tools: bool = False
) -> Setting:
    """A recording, and how it is used, of what a person gave.

    Raises:
        ValueError: Something that was given cannot be used; says what to give.
    """
    if mode not in MODES:
        hint = did_you_mean(str(mode), MODES) or f" Give one of {', '.join(MODES)}."
        raise ValueError(f"mode is {mode!r}.{hint}")
    if pace is not None and not (is_number(pace) and pace > 0):
        raise ValueError(
            f"pace is {pace!r}: give 1.0 for as it was recorded, 2.0 for twice as fast."
        )
    if frozen_tools not in (True, False):
        raise ValueError(f"frozen_tools is {frozen_tools!r}: give True or False.")
    return Setting(
        recording=None if place is None and mode in ("off", "live") else _recording(place),
        mode=mode,
        pace=pace,
        frozen_tools=frozen_tools,
    )


def _recording(place: Place | None) -> Recording:
    if isinstance(place, Recording):
        return place
    if not isinstance(place, (str, PathLike)) or not str(place):
        raise ValueError(f'path is {place!r}: name a file, e.g. "lesson{SUFFIX}".')
    if is_elsewhere(str(place)):
        return recording_elsewhere(str(place))
    given = Path(place).expanduser()
    if given.is_dir():
        raise ValueError(f'{given} is a folder: name a file in it, e.g. "{given}/lesson{SUFFIX}".')
    path = path_of(place)
    inside = recording_in(given) if given.suffix == NOTEBOOK and not path.is_file() else None
    return inside or recording_at(path)


_held: ContextVar[Setting | None] = ContextVar("recording", default=None)
_open: list[Setting] = []
"""What holds in the main thread: also for threads that a person has started in it."""
_look_up: Callable[[], Setting | None] | None = None


def use_default(look_up: Callable[[], Setting | None] | None) -> None:
    """Say where a recording is looked for that nobody has named; the notebook does.

    Args:
        look_up: Asked when a run begins; `None`: nowhere.
    """
    global _look_up  # noqa: PLW0603  one notebook a process
    _look_up = look_up


def held_by_person() -> Setting | None:
    """The recording of the `with` that stands around what runs here; `None`: of none."""
    found = _held.get()
    if found is None and _open and threading.current_thread() is not threading.main_thread():
        found = _open[-1]
    return found


def held() -> Setting | None:
    """The recording that holds here for models that name none: of `with`, else the default.

    Raises:
        RecordingError: The environment asks for something that cannot be done.
    """
    found = held_by_person()
    if found is None:
        found = _of_environment() if _look_up is None else _look_up()
    return None if found is None or found.mode == "off" else found


def _of_environment() -> Setting | None:
    """What `NBAGENTS_RECORD` asks for of the notebook that `NBAGENTS_NOTEBOOK` names.

    So a notebook that is run by a command holds to it also where it loads no extension.

    Raises:
        RecordingError: That cannot be done; says what to do.
    """
    mode, notebook = os.environ.get("NBAGENTS_RECORD"), os.environ.get("NBAGENTS_NOTEBOOK")
    if not mode or not notebook:
        return None
    try:
        found = setting_of(notebook, cast("Mode", mode))
    except ValueError as error:
        raise RecordingError(f"NBAGENTS_RECORD: {error}") from error
    if found.writes and found.recording is not None and found.recording.path is None:
        raise RecordingError(
            f"The recording is in the notebook, and {mode} writes a file beside it: take it out"
            f" first, with `nbagents recording extract {Path(notebook).name}`."
        )
    return replace(found, spares=True)


class recording:  # noqa: N801  it is used as `with nbagents.recording(…)`
    """Have the models that are asked inside of it be recorded, or their recorded answers be given.

    It holds for every run that begins inside, with the runs inside of those, in the background and
    on threads; a model that is a `Recorded` of its own goes its own way.

    Args:
        path: The file, e.g. "lesson.recording.jsonl"; of a notebook, the one beside it.
        mode: What is done: `replay`, `extend`, `refresh`, `live` or `off`; see `Mode`.
        pace: At which speed answers come: 1.0 as they were recorded, 2.0 twice as fast; `None`: at
            once.
        frozen_tools: Whether tools do not run, and their recorded results are given instead.

    Raises:
        RecordingError: It is to be replayed, and there is none.
        ValueError: Something that was given cannot be used.
    """

    def __init__(
        self,
        path: Place | None = None,
        mode: Mode = "replay",
        *,
        pace: float | None = None,
        frozen_tools: bool = False,
    ) -> None:
        self.setting = setting_of(path, mode, pace=pace, frozen_tools=frozen_tools)
        self._tokens: list[tuple[Token[Setting | None], bool]] = []

    def __enter__(self) -> Recording | None:
        self.setting.check()
        is_main = threading.current_thread() is threading.main_thread()
        if is_main:
            _open.append(self.setting)
        self._tokens.append((_held.set(self.setting), is_main))
        return self.setting.recording

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        token, is_main = self._tokens.pop()
        _held.reset(token)
        if is_main:
            _open.remove(self.setting)
