"""A question to a person, answered by typing: what is shown of it, and what an answer means.

What a model wrote is shown without control marks, so that it cannot steer a terminal. What is to be
allowed is shown whole, in pages where it is long; else long values are cut, and say so. What is
wrong is said, and asked again.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, TypeAlias, TypeVar

from nbagents.narrowing import dict_of, list_of
from nbagents.runs.people.step_typing import typed_step
from nbagents.runs.people.typed_values import (
    MAX_SHOWN,
    OBJECT,
    json_of,
    value_of,
    value_words,
    written,
)
from nbagents.runs.state import Answer
from nbagents.runs.stepping import cut_words
from nbagents.runs.wording import argument_words, plain, visible_name

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping, Sequence

    from pydantic import JsonValue

    from nbagents.results import Option, Question
    from nbagents.runs.state import Await

T = TypeVar("T")
Read: TypeAlias = "Callable[[str], str]"

NO: Final = "/no"
"""Typed where an answer is wanted, it says that there will be none; a note may follow."""
HOW_TO_CONFIRM: Final = (
    "[y]es, [n]o, [e]dit the arguments; after y or n: a note."
    "\nOr [a]lways: yes, and do not ask again for {tool} in this session. "
)
HOW_TO_DECLINE: Final = f"({NO} if you will not answer; a note may follow.)"
LEFT_OUT: Final = object()
LONGEST: Final = 2_000
"""Characters of a question, or of arguments that are edited."""


@dataclass(frozen=True, slots=True)
class Declined:
    """The person will not answer."""

    note: str | None


def typed_answer(question: Await, read: Callable[[str], str]) -> Answer | None:
    """Ask until what was typed can be an answer.

    Args:
        question: What is asked.
        read: Shows a text and gives the line that was typed after it, as `input` does.

    Returns:
        The answer; `None` where nobody types: `read` has raised `EOFError`.
    """
    try:
        return ASKED[question.kind](question, read)
    except EOFError:
        return None


def call_in_question(
    name: str,
    arguments: JsonValue,
    defaults: Collection[str] = (),
    objects: Mapping[str, str] | None = None,
    *,
    longest: int | None = MAX_SHOWN,
) -> str:
    """A call as it is shown in a question: `delete(path="a.txt", force=True (default))`.

    Args:
        name: The tool's name.
        arguments: What it would get.
        defaults: Those that were not given.
        objects: Those that are objects, by JSON pointer.
        longest: Characters of each value.
    """
    shown = argument_words(
        arguments, defaults, objects or {}, cut=lambda one: cut_words(one, longest)
    )
    return f"{visible_name(name)}({shown})"


def _confirmed(question: Await, read: Read) -> Answer:
    head = read_to_the_last(pages_of(_whole(question)), read)
    if isinstance(head, Answer):
        return head
    how = HOW_TO_CONFIRM.format(tool=_name(question.tool_name or question.title))
    wrong = ""
    while True:
        word, _, rest = read(f"{wrong}{head}\n{how}").strip().partition(" ")
        note = rest.strip() or None
        match word.lower():
            case "y" | "yes":
                return Answer(action="approve", note=note)
            case "a" | "always":
                return Answer(action="approve", note=note, remember=True)
            case "n" | "no" | "/no":
                return Answer(action="deny", note=note)
            case "e" | "edit":
                if (answer := _edited(question, rest.strip(), read)) is not None:
                    return answer
                wrong = ""
            case _:
                wrong = f"Type y, n, e or a, not {written(word)}.\n"


def _whole(question: Await) -> str:
    """What is to be allowed, with nothing of it cut."""
    name, text = question.tool_name or question.title, question.text
    told: dict[str, Any] = {"arguments": question.arguments, "defaults": question.defaults}
    if question.prepared is not None:
        told = question.prepared.told
    brief, whole = (call_in_question(name, **told, longest=one) for one in (MAX_SHOWN, None))
    if isinstance(question.arguments, dict) and whole not in text:
        text = text.replace(brief, whole) if brief in text else f"{text}\n{whole}"
    return _head(question, text, question.reason, longest=None)


def _edited(question: Await, text: str, read: Read) -> Answer | None:
    """The call with other arguments; `None` to be asked again whether it may be made."""
    now = cut_words(plain(json.dumps(question.arguments, ensure_ascii=False)), LONGEST)
    prompt = f"They are {now}\nAll arguments, as JSON (empty: as they were): "
    wrong = ""
    while True:
        text = text or read(f"{wrong}{prompt}").strip()
        if not text:
            return None
        try:
            return Answer(action="approve", arguments=dict_of(json_of(text, dict, OBJECT)))
        except ValueError as error:
            wrong, text = f"{error}\n", ""


def _clarified(question: Await, read: Read) -> Answer:
    form = question.form
    head = _head(question, question.text, question.reason, HOW_TO_DECLINE)
    if form is None:
        return _answer(_read(read, f"{head}\n> ", _some_text))
    given = question.arguments if isinstance(question.arguments, dict) else {}
    fields = dict_of(form.get("properties"))
    needed = {*list_of(form.get("required")), *question.missing_fields}
    values: dict[str, JsonValue] = {}
    for name, schema in fields.items():
        kept = given.get(name) if name not in question.missing_fields else None
        field = _Field(name, schema, form, kept, is_needed=name in needed and kept is None)
        said = _read(read, f"{head}{field.words}: ", field.understand)
        head = ""
        if isinstance(said, Declined):
            return _declined(said)
        if said is not LEFT_OUT:
            values[name] = said
        elif kept is not None:
            values[name] = kept
    return Answer(action="answer", value=values)


@dataclass(frozen=True, slots=True)
class _Field:
    """One value of a form."""

    name: str
    schema: Mapping[str, JsonValue]
    form: Mapping[str, JsonValue]
    kept: JsonValue
    """What it is where nothing is typed; `None`: the default, if there is one."""
    is_needed: bool

    @property
    def words(self) -> str:
        about = cut_words(plain(str(self.schema.get("description") or "")), MAX_SHOWN)
        wanted = value_words(self.schema, self.form)
        left = self.schema.get("default") if self.kept is None else self.kept
        optional = "may be empty" if left is None else f"empty: {written(left)}"
        optional = "" if self.is_needed else optional
        said = ", ".join(one for one in (about, wanted, optional) if one)
        return f"\n{_name(self.name)}{f' ({said})' if said else ''}"

    def understand(self, text: str) -> Any:  # Any: JSON, or no value at all
        """The value, or `LEFT_OUT`."""
        if text:
            return value_of(text, self.schema, self.form)
        if self.is_needed:
            raise ValueError(f"{_name(self.name)} is needed.")
        return LEFT_OUT


def _chosen(question: Await, read: Read) -> Answer:
    head = _head(question, question.title or question.text, question.reason, HOW_TO_DECLINE)
    values: dict[str, JsonValue] = {}
    for one in question.questions:
        said = _read(read, f"{head}{_choice_words(one)}\n> ", lambda text, of=one: _pick(of, text))
        head = ""
        if isinstance(said, Declined):
            return _declined(said)
        values[one.id] = said
    return Answer(action="answer", value=values)


def _choice_words(question: Question) -> str:
    lines = [f"\n{cut_words(plain(question.text), LONGEST)}"]
    lines += [f"  {at}. {_option(one)}" for at, one in enumerate(question.options, 1)]
    if question.options:
        many = "numbers or texts, by commas" if question.multiple else "a number or its text"
        lines.append(f"Type {many}{'; or words of your own' if question.free_text else ''}.")
    return "\n".join(lines)


def _option(option: Option) -> str:
    about = f": {option.description}" if option.description else ""
    return cut_words(plain(f"{option.label}{about}"), MAX_SHOWN)


def _pick(question: Question, text: str) -> JsonValue:
    """What was chosen: a label, or words; of several questions a list."""
    if not text:
        raise ValueError("An answer is needed.")
    if not question.options:
        return [text] if question.multiple else text
    if not question.multiple or _label(question, text) is not None:
        chosen: JsonValue = _one_of(question, text)
        return [chosen] if question.multiple else chosen
    words = [word.strip() for word in text.split(",")]
    return list(dict.fromkeys(_one_of(question, word) for word in words if word))


def _one_of(question: Question, text: str) -> str:
    label = _label(question, text)
    if label is not None:
        return label
    if question.free_text:
        return text
    labels = ", ".join(_option(one) for one in question.options)
    raise ValueError(f"{written(text)} is not among the answers: {labels}.")


def _label(question: Question, text: str) -> str | None:
    """The option that is meant: by its text, else by its number."""
    labels = [one.label for one in question.options]
    exact = [label for label in labels if label.casefold() == text.casefold()]
    if exact:
        return exact[0]
    if text.isascii() and text.isdecimal() and 1 <= int(text) <= len(labels):
        return labels[int(text) - 1]
    return None


def _from_outside(question: Await, read: Read) -> Answer:
    text = question.text or "These calls are answered by you."
    head = _head(question, text, question.reason, HOW_TO_DECLINE)
    results: dict[str, JsonValue] = {}
    for call in question.calls:
        shown = f"{visible_name(call.name)}({cut_words(plain(call.arguments), MAX_SHOWN)})"
        said = _read(read, f"{head}\nResult of {shown}: ", _some_text)
        head = ""
        if isinstance(said, Declined):
            return _declined(said)
        results[call.id] = said
    return Answer(action="answer", value=results)


def _read(read: Read, prompt: str, understand: Callable[[str], T]) -> T | Declined:
    """What was typed, once it is understood."""
    wrong = ""
    while True:
        text = read(f"{wrong}{prompt}".lstrip("\n")).strip()
        word, _, note = text.partition(" ")
        if word == NO:
            return Declined(note.strip() or None)
        try:
            return understand(text)
        except ValueError as error:
            wrong = f"{error}\n"


def _some_text(text: str) -> JsonValue:
    if not text:
        raise ValueError("An answer is needed.")
    return text


def _answer(said: JsonValue | Declined) -> Answer:
    return _declined(said) if isinstance(said, Declined) else Answer(action="answer", value=said)


def _declined(said: Declined) -> Answer:
    return Answer(action="deny", note=said.note)


def _head(question: Await, *said: str, longest: int | None = LONGEST) -> str:
    """Who asks what, a line each."""
    lines = [line for one in said for line in one.split("\n") if line.strip()]
    shown = [cut_words(plain(line), longest) for line in lines]
    return f"{visible_name(question.agent_name)} asks: " + "\n".join(shown)


def _name(name: str) -> str:
    """A name that a model wrote: quoted where it is none, so that it cannot end the question."""
    shown = visible_name(name)
    return shown if shown.isidentifier() else visible_name(written(name))


ASKED: Mapping[str, Callable[[Await, Read], Answer]] = {
    "confirmation": _confirmed,
    "clarification": _clarified,
    "questions": _chosen,
    "external_tools": _from_outside,
    "step": typed_step,
}


PAGE_CHARACTERS: Final = 1_500
PAGE_LINES: Final = 20
HOW_TO_READ: Final = (
    "[page {at} of {all}. Enter: the next; all: the rest at once; n: deny, after it a note] "
)
NOT_YET: Final = "There is more of it: read to the end before you allow it.\n"


def pages_of(text: str) -> Sequence[str]:
    """A text in pieces that a screen shows whole; in one, if it fits."""
    pages: list[list[str]] = [[]]
    room = PAGE_CHARACTERS
    for piece in _pieces(text):
        if pages[-1] and (len(piece) > room or len(pages[-1]) >= PAGE_LINES):
            pages.append([])
            room = PAGE_CHARACTERS
        pages[-1].append(piece)
        room -= len(piece) + 1
    return ["\n".join(page) for page in pages]


def read_to_the_last(pages: Sequence[str], read: Callable[[str], str]) -> str | Answer:
    """Show all pages but the last; the text that is to be answered, or the answer no."""
    for at, page in enumerate(pages[:-1]):
        said = _after_page(page, HOW_TO_READ.format(at=at + 1, all=len(pages)), read)
        if isinstance(said, Answer):
            return said
        if said == "all":
            return "\n".join(pages[at + 1 :])
    return pages[-1]


def _after_page(page: str, how: str, read: Callable[[str], str]) -> str | Answer:
    wrong = ""
    while True:
        text = read(f"{wrong}{page}\n{how}").strip()
        word, _, note = text.partition(" ")
        if word.lower() in ("n", "no", "/no"):
            return Answer(action="deny", note=note.strip() or None)
        if text.lower() in ("", "all"):
            return text.lower()
        wrong = NOT_YET


def _pieces(text: str) -> Sequence[str]:
    """Its lines, those that are longer than a page in several."""
    return [
        line[at : at + PAGE_CHARACTERS]
        for line in text.split("\n")
        for at in range(0, max(len(line), 1), PAGE_CHARACTERS)
    ]
