"""The offline model keeps its promises: no subject's words in its code, nothing read twice."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

import pytest

import nbagents.models.offline as room
from nbagents.messages import UserMessage
from nbagents.models.model import ModelRequest, ToolSpec
from nbagents.models.offline.language.lexicon import word_set
from nbagents.models.offline.language.words import split_name
from nbagents.models.offline.matching.ranking import Index
from tests.unit.models.offline_desk import MAP, WEATHER, parts_of, spec, typed

SUBJECTS = word_set(
    "weather forecast map maps city cities place places country temperature celsius fahrenheit "
    "lon lat lng longitude latitude center centre zoom pin pins marker coordinate coordinates "
    "location locations flight hotel restaurant movie music song stock currency dollar euro paris "
    "oslo london tokyo geography rain snow humidity airport train bus recipe triangle"
)
FOLDER = Path(room.__file__).parent


def test_no_word_of_a_subject_stands_in_the_code() -> None:
    found = {
        (path.name, word)
        for path in FOLDER.glob("*.py")
        for name in re.findall(r"\w+", path.read_text(encoding="utf-8"))
        for word in split_name(name)
        if word in SUBJECTS
    }
    assert found == set()


def test_the_code_names_no_tool_of_the_tests() -> None:
    code = "\n".join(path.read_text(encoding="utf-8") for path in FOLDER.glob("*.py"))
    names = [one.name for one, _ in (*MAP, WEATHER)]
    assert [name for name in names if re.search(rf"\b{re.escape(name)}\b", code)] == []


def _twenty_tools() -> tuple[ToolSpec, ...]:
    return tuple(
        spec(
            f"{verb}_{noun}",
            f"{verb.title()} the {noun} with a given name, and say what came of it.",
            "count",
            "mode",
            name=typed("string", f"Name of the {noun}."),
            count=typed("integer", "How many.", minimum=0, maximum=100),
            mode=typed("string", "How.", enum=["fast", "slow"]),
        )
        for verb in ("find", "delete", "update", "print")
        for noun in ("invoice", "customer", "ticket", "report", "picture")
    )


def test_the_tools_are_read_once_however_often_the_model_is_asked(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    read: list[int] = []

    def counting(tools: Sequence[ToolSpec]) -> Index:
        read.append(len(tools))
        return Index(tools)

    monkeypatch.setattr("nbagents.models.offline.turns.Index", counting)
    tools = _twenty_tools()
    memo: dict[str, object] = {}
    for n in range(5):
        text = f'Find the customer "Ann {n}" and print {n} reports "Q{n}" fast'
        parts_of(ModelRequest(messages=[UserMessage(text=text)], tools=tools, memo=memo))
    assert read == [20]
