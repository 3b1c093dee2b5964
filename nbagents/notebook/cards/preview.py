"""What `%agent --dry-run` shows: the first request of a run, which was not sent."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pydantic_core import to_jsonable_python

from nbagents.messages import ToolMessage, UserMessage
from nbagents.notebook.cards.notes import runs_at_provider
from nbagents.notebook.markup import PLAIN, Html, fold, muted, pre, tag
from nbagents.redaction import clean
from nbagents.results import ImagePart
from nbagents.runs.plan import BranchPreview, Preview
from nbagents.runs.wording import as_json, clipped, counted, size, visible

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pydantic import JsonValue

    from nbagents.messages import Message
    from nbagents.models.model import OutputSpec, ToolSpec
    from nbagents.results import ContentPart

LONGEST = 60_000
"""Characters of one text; the `Preview` itself keeps all."""
LONGEST_DATA = 80
STRICT = "Its schema is strict."
BLOCK = "max-width:960px;line-height:1.5"
ROW = "margin:0;white-space:pre-wrap"
INSIDE = "margin:2px 0 2px 14px"


def preview_card(preview: Preview | BranchPreview) -> dict[str, object]:
    """A display bundle of a request that was not sent, or of a branch that was not begun."""
    if isinstance(preview, BranchPreview):
        html, text = _branch_html(preview), _branch_text(preview)
    else:
        html, text = _html(preview), _text(preview)
    return {"text/html": clean(str(html)), "text/plain": clean(text)}


def _branch_html(preview: BranchPreview) -> Html:
    head, _, place = preview.summary.partition(". ")
    kept_and_called = [
        _section(title, [tag("pre", row, style=ROW) for row in rows])
        if rows
        else tag("p", title, style="margin:0")
        for title, rows in preview.sections
    ]
    return tag(
        "div",
        tag("p", tag("strong", f"{head}."), f" {place}", style="margin:0 0 4px"),
        *kept_and_called,
        _html(preview.request) if preview.request else "",
        **{"class": PLAIN, "style": BLOCK},
    )


def _branch_text(preview: BranchPreview) -> str:
    lines = [preview.summary]
    for title, rows in preview.sections:
        lines += ["", title, *(f"  {row}" for row in rows)]
    return "\n".join([*lines, *(["", _text(preview.request)] if preview.request else [])])


def _html(preview: Preview) -> Html:
    messages, tools = preview.messages, preview.tools
    sections = [
        _section(counted(len(messages), "message"), [_message(one) for one in messages]),
        _section(counted(len(tools), "tool"), [_tool(one) for one in tools]) if tools else "",
        _form(preview.form) if preview.form else "",
        fold("Settings", pre(_json(preview.settings))) if preview.settings else "",
        fold("The whole request, as it would be sent", pre(_json(preview.body))),
    ]
    return tag(
        "div",
        tag("p", tag("strong", "Not sent."), f" {_summary(preview)}", style="margin:0 0 4px"),
        *sections,
        **{"class": PLAIN, "style": BLOCK},
    )


def _section(title: str, body: Sequence[str]) -> Html:
    return fold(title, tag("div", *body, style=INSIDE), opened=True)


def _summary(preview: Preview) -> str:
    return f"{preview.model} would be asked; about {counted(preview.tokens, 'token')} in."


def _message(message: Message) -> Html:
    text = _text_of(message)
    head = Html(f"{tag('strong', message.role)} {muted(clipped(text, 90))}")
    parts = [tag("p", _part(one), style="margin:0") for one in _parts_of(message)]
    return fold(head, pre(_cut(text)), *parts)


def _tool(tool: ToolSpec) -> Html:
    head = Html(f"{tag('code', tool.name)} {muted(clipped(tool.description, 90))}")
    body: list[str] = [pre(tool.description)] if _is_long(tool.description) else []
    body += [tag("p", muted(note), style="margin:0") for note in _notes(tool)]
    return fold(head, *body, pre(_json(tool.hosted or tool.parameters)))


def _form(form: OutputSpec) -> Html:
    head = Html(f"Form of the answer: {tag('code', form.name)}")
    strict = [tag("p", muted(STRICT), style="margin:0")] if form.strict else []
    return fold(head, *strict, pre(_json(form.schema)))


def _notes(tool: ToolSpec) -> list[str]:
    return [
        *(["It runs at the provider."] if runs_at_provider(tool.hosted) else []),
        *([STRICT] if tool.strict else []),
        *([tool.strict_note] if tool.strict_note else []),
        *(f"{name} takes the name of an object: {kind}." for name, kind in tool.handles.items()),
        *(["The provider loads it when it finds it."] if tool.defer else []),
    ]


def _text(preview: Preview) -> str:
    lines = [f"Not sent. {_summary(preview)}"]
    for message in preview.messages:
        lines += ["", f"[{message.role}]", *_indented(_cut(_text_of(message)))]
        lines += [f"  + {visible(_part(one))}" for one in _parts_of(message)]
    for tool in preview.tools:
        lines += ["", f"[tool] {visible(tool.name)}: {visible(clipped(tool.description, 100))}"]
        lines += [f"  {note}" for note in _notes(tool)]
        lines += [f"  {clipped(_json(tool.hosted or tool.parameters), 400)}"]
    if preview.form is not None:
        lines += ["", f"[form of the answer] {visible(preview.form.name)}"]
        lines += [f"  {STRICT}"] * preview.form.strict
        lines += [f"  {clipped(_json(preview.form.schema), 400)}"]
    if preview.settings:
        lines += ["", f"[settings] {clipped(_json(preview.settings), 400)}"]
    return "\n".join(lines)


def _indented(text: str) -> list[str]:
    return [f"  {line}" for line in visible(text).split("\n")]


def _text_of(message: Message) -> str:
    if message.role == "tool":
        return message.content
    return message.told if message.role == "user" else message.text


def _parts_of(message: Message) -> tuple[ContentPart, ...]:
    return message.parts if isinstance(message, (UserMessage, ToolMessage)) else ()


def _part(part: ContentPart) -> str:
    name = part.name or "image"
    if part.data is not None:
        return f"{name}: {part.media_type}, {size(len(part.data))}"
    where = part.url if isinstance(part, ImagePart) else part.file_id
    return f"{name}: {part.media_type}, {where}"


def _is_long(description: str) -> bool:
    return clipped(description, 90) != description


def _json(value: object) -> str:
    plain: JsonValue = to_jsonable_python(value, fallback=str)
    return _cut(as_json(_without_bytes(plain), indent=2))


def _without_bytes(value: JsonValue) -> JsonValue:
    """A request without the letters of its images and files: nobody reads them."""
    if isinstance(value, str) and value.startswith("data:") and len(value) > LONGEST_DATA:
        return f"{value[:LONGEST_DATA]}… ({len(value):,} characters)"
    if isinstance(value, dict):
        return {key: _without_bytes(one) for key, one in value.items()}
    return [_without_bytes(one) for one in value] if isinstance(value, list) else value


def _cut(text: str) -> str:
    left = len(text) - LONGEST
    return text if left <= 0 else f"{text[:LONGEST]}\n[{left:,} more characters are not shown.]"
