"""Step mode by typing: what would be done next is shown, and a line says what is made of it."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from nbagents.narrowing import dict_of, known
from nbagents.redaction import clean
from nbagents.runs.people.typed_values import OBJECT, json_of, written
from nbagents.runs.state import Answer
from nbagents.runs.stepping import call_words, cut_words, message_words
from nbagents.runs.wording import plain, visible_name

if TYPE_CHECKING:
    from nbagents.runs.state import Await
    from nbagents.runs.stepping import NextCall, Pause

Read: TypeAlias = "Callable[[str], str]"
Fields: TypeAlias = dict[str, Any]  # of an edit, as JSON

LONGEST: Final = 2_000
"""Characters of one message."""
GO_ON: Final = "Enter: go on. r: run to the end. q: stop the run."
OF_REQUEST: Final = (
    "e N TEXT: other words for message N. d N: drop it. u TEXT: add a message of the user's."
    "\na TEXT: answer in the model's place. c TOOL {…}: call a tool in its place."
)
OF_CALLS: Final = (
    "e N {…}: other arguments for call N, all of them. g N TEXT: give its result instead of making "
    "it.\ns N: do not make it. s: make none."
)
SKIP: Final = "s: do not ask the model; the newest results are the answer."
WORDS: Final = {"": "continue", "r": "to_end", "q": "stop"}


def typed_step(question: Await, read: Read) -> Answer:
    """What is done at a step, as somebody types it; edits are gathered until they go on."""
    pause = known(question.pause)
    before = dict_of(question.arguments)  # what was typed, and did not fit
    fields = {key: one for key, one in before.items() if key != "action"}
    typed = _OfRequest(pause, fields) if pause.is_request else _OfCalls(pause, fields)
    wrong = question.text.removesuffix(f"{pause.title}?")
    head = f"{wrong}{visible_name(question.agent_name)} waits. {typed.shown()}"
    while True:
        word, _, rest = read(f"{head}\n{typed.how}\n> ").strip().partition(" ")
        word = word.lower()
        if word in WORDS and not rest:
            typed.fields["action"] = WORDS[word]
            return Answer(action="answer", value=typed.fields)
        try:
            if typed.take(word, rest.strip()):
                return Answer(action="answer", value=typed.fields)
            head = typed.shown()
        except ValueError as error:
            head = str(error)


class _OfRequest:
    """What is typed before a request."""

    def __init__(self, pause: Pause, fields: Fields) -> None:
        self.fields: Fields = fields
        self._pause = pause
        as_it_is: list[Fields] = [{"keep": at} for at in range(len(pause.messages))]
        self._messages: list[Fields] = fields.get("messages", as_it_is)

    @property
    def how(self) -> str:
        """What can be typed."""
        return f"{GO_ON}\n{OF_REQUEST}\n{SKIP}"

    def shown(self) -> str:
        """What the model would be told, as it is edited."""
        pause = self._pause
        lines = [pause.title, *filter(None, [pause.note])]
        lines += [self._line(at, one) for at, one in enumerate(self._messages)]
        if pause.tools:
            lines.append(f"  tools: {', '.join(visible_name(one.name) for one in pause.tools)}")
        if pause.settings:
            lines.append(f"  settings: {_cut(str(dict(pause.settings)))}")
        if calls := self.fields.get("calls"):
            lines += [f"  you call {written(one)}" for one in calls]
        return "\n".join(lines)

    def _line(self, at: int, one: Fields) -> str:
        place: int | None = one.get("keep")
        if place is None:
            return f"* {at}. {one['role']}: {_cut(one['text'])}"
        kept = self._pause.messages[place]
        if "text" in one:
            return f"* {at}. {kept.role}: {_cut(one['text'])}"
        sign = "+" if place >= self._pause.new_from else " "
        return f"{sign} {at}. {kept.role}: {_cut(message_words(kept))}"

    def take(self, word: str, rest: str) -> bool:
        """Take a line; whether it goes on with that.

        Raises:
            ValueError: It is none.
        """
        if word == "s" and not rest:
            self.fields["action"] = "skip"
        elif word == "a":
            self.fields["text"] = _needed(rest, "a TEXT")
        elif word == "c":
            name, _, given = rest.partition(" ")
            arguments = json_of(given, dict, OBJECT) if given else {}
            calls = self.fields.setdefault("calls", [])
            calls.append({"name": _needed(name, "c TOOL {…}"), "arguments": arguments})
            return False
        else:
            self._edit(word, rest)
            self.fields["messages"] = self._messages
            return False
        return True

    def _edit(self, word: str, rest: str) -> None:
        number, _, text = rest.partition(" ")
        if word == "u":
            self._messages.append({"role": "user", "text": _needed(rest, "u TEXT")})
        elif word == "e":
            at = _place(number, len(self._messages))
            self._messages[at] = {**self._messages[at], "text": _needed(text, "e N TEXT")}
        elif word == "d":
            del self._messages[_place(number, len(self._messages))]
        else:
            raise ValueError(f"{written(word)} is nothing that can be typed here.")


class _OfCalls:
    """What is typed before calls."""

    def __init__(self, pause: Pause, fields: Fields) -> None:
        self.fields: Fields = fields
        self._pause = pause

    @property
    def how(self) -> str:
        """What can be typed."""
        return f"{GO_ON}\n{OF_CALLS}"

    def shown(self) -> str:
        """The calls that would be made, as they are edited."""
        calls = [f"  {at}. {self._line(one)}" for at, one in enumerate(self._pause.calls)]
        return "\n".join([self._pause.title, *filter(None, [self._pause.note]), *calls])

    def _line(self, call: NextCall) -> str:
        name, fields = visible_name(call.name), self.fields
        if call.id in fields.get("skip", ()):
            return f"* {name}: not made"
        for key, words in (("arguments", "with"), ("result", "gives")):
            if call.id in fields.get(key, ()):
                return f"* {name}: {words} {written(fields[key][call.id])}"
        shown = call_words(call, LONGEST)
        return f"{shown}  ({_cut(call.problem)})" if call.problem else shown

    def take(self, word: str, rest: str) -> bool:
        """Take a line; whether it goes on with that.

        Raises:
            ValueError: It is none.
        """
        if word == "s" and not rest:
            self.fields = {"action": "skip"}
            return True
        number, _, text = rest.partition(" ")
        if word not in ("e", "g", "s"):
            raise ValueError(f"{written(word)} is nothing that can be typed here.")
        call = self._pause.calls[_place(number, len(self._pause.calls))]
        self._forget(call.id)
        if word == "e":
            given = json_of(text, dict, OBJECT)
            self.fields["arguments"] = {**self.fields.get("arguments", {}), call.id: given}
        elif word == "g":
            result = _needed(text, "g N TEXT")
            self.fields["result"] = {**self.fields.get("result", {}), call.id: result}
        else:
            self.fields["skip"] = [*self.fields.get("skip", ()), call.id]
        return False

    def _forget(self, call_id: str) -> None:
        """What was said of a call before counts no more."""
        self.fields["skip"] = [one for one in self.fields.get("skip", ()) if one != call_id]
        for name in ("arguments", "result"):
            given: Fields = self.fields.get(name, {})
            self.fields[name] = {key: one for key, one in given.items() if key != call_id}
        self.fields = {key: one for key, one in self.fields.items() if one}


def _cut(text: str) -> str:
    return cut_words(plain(clean(text)), LONGEST)


def _needed(text: str, how: str) -> str:
    if not text.strip():
        raise ValueError(f"Something is missing: {how}.")
    return text.strip()


def _place(number: str, count: int) -> int:
    if not (number.isascii() and number.isdecimal()) or int(number) >= count:
        raise ValueError(f"There is no {written(number)} here: give a number, 0 to {count - 1}.")
    return int(number)
