"""A run as a file: lines of JSON, which are its events, between a first and a last line.

The first line says what the file is and which run; the last one how many lines there are and what
they come to, by which a file that was cut or edited is known. Behind a request that tells of its
chat what other runs have logged stands a line with that, so that the file stands alone.
"""

from __future__ import annotations

import hashlib
import json
import warnings
from dataclasses import dataclass, field
from importlib import import_module
from itertools import chain
from typing import TYPE_CHECKING, Any, Final

from pydantic import ValidationError

from nbagents.errors import RunError
from nbagents.event_cleaner import clean_event, clean_value
from nbagents.events import EVENTS, PromptRendered, line_of
from nbagents.narrowing import is_dict
from nbagents.runs.files.whole_file import write_whole

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
    from pathlib import Path
    from typing import BinaryIO

    from nbagents.events import AnyEvent

    Plain = dict[str, Any]
    Told = Callable[[PromptRendered], Sequence[Plain]]

FORMAT: Final = "nbagents.run"
VERSION: Final = 1
FIRST_BYTES: Final = 10_000
"""A first line is shorter: of a file of another kind no more is read."""
PART: Final = "Run.load(path, whole=False) reads what comes before."


@dataclass(frozen=True, slots=True, kw_only=True)
class SavedEvents:
    """What a file holds of a run."""

    run_id: str
    events: Sequence[AnyEvent]
    earlier: Mapping[tuple[str, str], Sequence[Plain]] = field(
        default_factory=dict[tuple[str, str], "Sequence[Plain]"]
    )
    """What requests tell of their chats that other runs have logged, by run and event key."""

    def told(self, event: PromptRendered) -> Sequence[Plain]:
        """What a request tells of its chat that other runs have logged."""
        return self.earlier.get((event.run_id, event.event_key), ())


def write_run_file(path: Path, run_id: str, events: Iterable[AnyEvent], told: Told) -> None:
    """Save a run; secrets that were not known yet when it ran are taken out, too.

    Args:
        path: Where; a file that is no saved run is not written over.
        run_id: The run.
        events: Its own and those of the runs inside it and before it, in order.
        told: What a request tells of its chat that other runs have logged.

    Raises:
        RunError: It cannot be written there; nothing has changed.
    """
    if path.is_dir():
        raise RunError(f"{path} is a folder: name a file in it, e.g. {path / 'run.jsonl'}.")
    if not path.parent.is_dir():
        raise RunError(f"There is no folder {path.parent}: make it first, or choose another.")
    if path.exists() and not is_run_file(path):
        raise RunError(
            f"{path} is there already and no saved run: it was left as it is. Choose another name."
        )
    write_whole(path, _sealed(_lines(run_id, events, told)))


def is_run_file(path: Path) -> bool:
    """Whether a file begins as saved runs do."""
    try:
        with path.open("rb") as file:
            return _first(file.readline(FIRST_BYTES)) is not None
    except OSError:
        return False


def read_run_file(path: Path, *, whole: bool = True) -> SavedEvents:
    """Read a saved run.

    Args:
        path: The file.
        whole: Whether it must be all there; else what can be read of it will do.

    Raises:
        RunError: It cannot be read, is no saved run, of a newer version, cut or edited.
    """
    try:
        with path.open("rb") as file:
            return _Reading(path, whole=whole).read(file)
    except OSError as error:
        raise RunError(f"{path} cannot be read ({error.strerror or error}).") from error


def _lines(run_id: str, events: Iterable[AnyEvent], told: Told) -> Iterator[str]:
    head = {"format": FORMAT, "version": VERSION, "run_id": run_id, "nbagents": _own_version()}
    yield json.dumps(head)
    for event in events:
        yield line_of(clean_event(event))
        if isinstance(event, PromptRendered) and event.earlier:
            place = {"run_id": event.run_id, "event_key": event.event_key}
            yield _json({"earlier_of": place, "messages": clean_value([*told(event)])})


def _json(value: object) -> str:
    text = json.dumps(value, ensure_ascii=False)
    return text.encode("utf-8", "replace").decode()


def _sealed(lines: Iterable[str]) -> Iterator[bytes]:
    """The lines, and one that says what they come to."""
    seen, count = hashlib.sha256(), 0
    for line in lines:
        written = f"{line}\n".encode()
        seen.update(written)
        count += 1
        yield written
    yield f"{json.dumps({'end': FORMAT, 'lines': count, 'sha256': seen.hexdigest()})}\n".encode()


class _Reading:
    """Reads one file, line by line."""

    def __init__(self, path: Path, *, whole: bool) -> None:
        self._path = path
        self._whole = whole
        self._seen = hashlib.sha256()
        self._written_by = ""
        self._events: list[AnyEvent] = []
        self._earlier: dict[tuple[str, str], Sequence[Plain]] = {}

    def read(self, file: BinaryIO) -> SavedEvents:
        """Read it all."""
        first = file.readline(FIRST_BYTES)
        head = _first(first)
        if head is None:
            raise RunError(
                f"{self._path} is no run that was saved: its first line is not that of one. "
                "run.save(path) writes one; Run.load reads these, notebooks (.ipynb), and runs of "
                "the log by their ids."
            )
        self._written_by = str(head.get("nbagents", ""))
        if head["version"] > VERSION:
            raise self._newer()
        self._body(chain([first], file))
        return SavedEvents(
            run_id=str(head["run_id"]), events=tuple(self._events), earlier=self._earlier
        )

    def _body(self, lines: Iterable[bytes]) -> None:
        number, line = 0, b""
        for number, line in enumerate(lines, 1):
            end = _end(line)
            if end is not None:
                return self._check(end, number - 1)
            self._seen.update(line)
            fault = "" if number == 1 else self._take(line)
            if fault and line.endswith(b"\n"):
                return self._stop(self._unreadable(number, fault))
        where = f"line {number}" if line.endswith(b"\n") else f"the middle of line {number}"
        return self._stop(
            RunError(
                f"{self._path} ends in {where}: it was cut, e.g. by a copy that broke off. Copy it"
                f" again; {PART}"
            )
        )

    def _take(self, line: bytes) -> str:
        """Take a line; what is wrong with it, if something is."""
        try:
            if line.startswith(b'{"earlier_of"'):
                told = json.loads(line)
                place = told["earlier_of"]
                self._earlier[place["run_id"], place["event_key"]] = tuple(told["messages"])
            else:
                self._events.append(EVENTS.validate_json(line))
        except ValidationError as error:
            first = error.errors(include_url=False)[0]
            return ": ".join(filter(None, (".".join(map(str, first["loc"])), first["msg"])))
        except (ValueError, LookupError, TypeError) as error:
            return str(error)
        return ""

    def _check(self, end: Mapping[str, object], count: int) -> None:
        if end.get("lines") == count and end.get("sha256") == self._seen.hexdigest():
            return
        warnings.warn(
            f"{self._path} was changed since it was saved: what it tells is not all as it was.",
            stacklevel=2,
        )

    def _stop(self, error: RunError) -> None:
        if self._whole:
            raise error
        warnings.warn(str(error), stacklevel=2)

    def _unreadable(self, number: int, fault: str) -> RunError:
        if _is_newer(self._written_by):
            return self._newer()
        return RunError(
            f"Line {number} of {self._path} is no event of a run ({fault}): was it edited? Undo "
            f"that, or save the run anew; {PART}"
        )

    def _newer(self) -> RunError:
        return RunError(
            f"{self._path} was written by nbagents {self._written_by}, this is {_own_version()}: "
            "update it (pip install --upgrade jupyter-nbagents) to read the file."
        )


def _first(line: bytes) -> Mapping[str, Any] | None:
    head = _object(line, b'"format"')
    if head is None or head.get("format") != FORMAT or "run_id" not in head:
        return None
    return head if isinstance(head.get("version"), int) else None


def _end(line: bytes) -> Mapping[str, object] | None:
    end = _object(line, b'"end"') if line.startswith(b'{"end"') else None
    return end if end is not None and end.get("end") == FORMAT else None


def _object(line: bytes, key: bytes) -> dict[str, Any] | None:
    if key not in line:
        return None
    try:
        found: object = json.loads(line)
    except ValueError:
        return None
    return found if is_dict(found) else None


def _own_version() -> str:
    return import_module("nbagents").__version__  # by its name: it stands above all rooms


def _is_newer(version: str) -> bool:
    return _parts(version) > _parts(_own_version())


def _parts(version: str) -> tuple[int, ...]:
    return tuple(int(one) for one in version.split(".") if one.isdecimal())
