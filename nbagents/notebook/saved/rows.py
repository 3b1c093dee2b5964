"""What happened in a run, as one list through all levels: calls, groups of them, agents, words."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal, TypeAlias

from nbagents.events import UNDER_WAY
from nbagents.notebook.kinds import shown_payloads, stage_values
from nbagents.notebook.markup import Html, fold, join, markdown, muted, pre, tag
from nbagents.notebook.saved.call import (
    call_pictures,
    call_sections,
    error_box,
    explanation_box,
    is_loud,
)
from nbagents.notebook.saved.decisions import asked_lines, edit_lines
from nbagents.notebook.saved.head import about_agent, who_line
from nbagents.notebook.saved.line import Said, Scale, axis, code, in_one_line, row
from nbagents.notebook.saved.look import INNER_ROWS, ROWS
from nbagents.notebook.saved.sources import sources_list
from nbagents.runs.wording import (
    CALL_STATUS,
    GAVE_NOTHING,
    KEPT,
    REFUSED,
    Group,
    answer_of,
    asked_of_run,
    call_preview,
    call_status,
    call_time,
    calls_in,
    came_to_nothing,
    child_runs,
    clipped,
    counted,
    group_preview,
    group_status,
    group_time,
    group_words,
    handoff_in_words,
    is_by_hand,
    is_namesake,
    is_refused,
    is_urgent,
    kept_words,
    lines_of,
    more_words,
    outcome_of,
    phases_of,
    phases_of_group,
    phases_of_run,
    row_arguments,
    run_time,
    sentence,
    short_name,
    subjects,
    telling_arguments,
    troubles_inside,
)

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from nbagents.runs.tree import CallNode, Item, RunNode, Tree
    from nbagents.runs.wording import Line

Opening: TypeAlias = Literal["errors", "data", "all", "none"]
"""Which calls are open at first: those that failed, also those with data, all, or none."""

MANY, FIRST, LAST = 12, 4, 7
"""Of a run with more lines the first and the last are in sight, and what must be seen."""
MANY_IN_GROUP, ENDS = 5, 2
"""The same of the calls of a group."""
SHORT = 12
"""With no more calls than this, in all its runs, the agents of a run are open."""
CROWD = 12
"""Of more calls of a run that failed each has its row, and none is open."""
HINT_WIDTH = 60
PROMPT_WIDTH = 160
ANSWER_WIDTH = 160
THOUGHT_WIDTH = 120


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """What is drawn, and how much of it."""

    tree: Tree
    opened: Opening
    scale: Scale
    is_brief: bool = False
    """Whether calls that are folded away do not open."""
    telling: dict[str, Mapping[str, Sequence[str]]] = field(
        default_factory=dict[str, "Mapping[str, Sequence[str]]"]
    )
    """By run, the arguments that tell the calls of each tool apart."""

    @property
    def is_short(self) -> bool:
        """Whether nothing of it needs folding."""
        return sum(len(run["calls"]) for run in self.tree["runs"].values()) <= SHORT

    def telling_in(self, run: RunNode) -> Mapping[str, Sequence[str]]:
        """The arguments that tell the calls of a run apart."""
        if run["id"] not in self.telling:
            self.telling[run["id"]] = telling_arguments(run["calls"].values())
        return self.telling[run["id"]]

    def stays(self, run: RunNode, call: CallNode) -> bool:
        """Whether a call is in sight in any case."""
        is_waiting = call_status(self.tree, call) == "waiting"
        return _has_leave(call) or is_waiting or came_to_nothing(self.tree, run, call)

    def children(self, call: CallNode, above: frozenset[str]) -> list[RunNode]:
        """The runs that a call has started, but for those in which it stands itself."""
        return [one for one in child_runs(self.tree, call) if one["id"] not in above]


def what_happened(page: Page, run: RunNode) -> Html:
    """The list of a run, which folds; a single line needs no head."""
    lines = lines_of(run, _stands_alone)
    said = [tag("li", line, **{"class": "nf-said"}) for line in _told(run)]
    if not lines and not said:
        return Html()
    rows = _rows(page, run, lines, frozenset({run["id"]}))
    listed = tag("ul", *rows, *said, style=ROWS, **{"class": "nf-rows"})
    calls = sum(len(one["calls"]) for one in page.tree["runs"].values())
    head = join("What happened ", counted(calls, "call") if calls else "", axis(page.scale))
    if len(lines) == 1:
        return tag("div", listed, **{"class": "nf-happened"})
    return fold(head, listed, opened=True, **{"class": "nf-happened"})


def _rows(page: Page, run: RunNode, lines: Sequence[Line], above: frozenset[str]) -> list[Html]:
    """The lines of a run; of many the middle is folded away, but for what must be seen."""
    is_inner = page.is_brief and len(above) > 1
    first, last = (0, 0) if is_inner else (FIRST, LAST)
    is_whole = len(lines) <= MANY and not is_inner
    middle = lines[:0] if is_whole else lines[first : len(lines) - last]
    hidden = [one for one in middle if not _is_seen(page, run, one)]
    folded_ids = {id(one) for one in hidden}
    drawn: list[Html] = []
    for place, line in enumerate(lines):
        if place == first and hidden:
            drawn.append(_more(page, run, hidden, above))
        if id(line) not in folded_ids:
            drawn.append(_line(page, run, line, above))
    return drawn


def _is_seen(page: Page, run: RunNode, line: Line) -> bool:
    return any(page.stays(run, call) for call in calls_in(line))


def _more(page: Page, run: RunNode, lines: Sequence[Line], above: frozenset[str]) -> Html:
    """Lines folded away; of very many, one line each."""
    calls = [call for line in lines for call in calls_in(line)]
    words = more_words(page.tree, calls)
    if not page.is_brief:
        rows = [_line(page, run, line, above) for line in lines]
        listed = tag("ul", *rows, style=ROWS, **{"class": "nf-rows"})
    else:
        listed = tag("ul", *(tag("li", _brief(page, run, call, above)) for call in calls))
        is_all = len(calls) == len(run["calls"])
        said = counted(len(calls), "call") if is_all else words
        words = f"{said}, in one line each"
    return tag("li", fold(words, listed), **{"class": "nf-more"})


def _brief(page: Page, run: RunNode, call: CallNode, above: frozenset[str]) -> Html:
    """A call in one line, with what it shows and the runs that it started."""
    line = in_one_line(_said(page, run, call, None), short_name(call["name"]))
    inner = [
        tag("ul", tag("li", who_line(page.tree, one)), *_inside(page, one, above), style=INNER_ROWS)
        for one in page.children(call, above)
    ]
    return join(fold(line, *inner) if inner else line, *call_pictures(call))


def _line(page: Page, run: RunNode, line: Line, above: frozenset[str]) -> Html:
    if isinstance(line, Group):
        return _group(page, run, line, above)
    if "type" in line:
        return tag("li", _spoken(line), **{"class": "nf-said"})
    return _call(page, run, line, above)


def _spoken(item: Item) -> Html:
    """What stands between calls: what was said or thought, and who took over."""
    if item["type"] == "handoff":
        return muted(sentence(handoff_in_words(item)))
    if item["type"] == "call":  # its call is not in the run
        return Html()
    if item["type"] == "text":
        return tag("div", markdown(item["text"]), style="margin-bottom:-6px")
    head = join("Thought: ", tag("em", clipped(item["text"], THOUGHT_WIDTH)))
    return fold(head, pre(item["text"]), head="opacity:0.75")


def _group(page: Page, run: RunNode, group: Group, above: frozenset[str]) -> Html:
    """Neighbouring calls of one tool: a row that says how many and about what, and theirs in it."""
    calls = group.calls
    stay = [page.stays(run, one) for one in calls]
    is_open = page.opened != "none" and (page.opened == "all" or is_urgent(calls) or any(stay))
    not_asked = sum(map(_has_leave, calls))
    said = Said(
        sign=_group_sign(page.tree, calls),
        title=join(code(short_name(group.name)), " ", muted(f"×{len(calls)}")),
        about=subjects(calls),
        gave="" if is_open else group_preview(calls),
        notes=[
            *([f"{not_asked:,} not asked"] if not_asked else []),
            *filter(None, [kept_words(calls)]),
        ],
        words=group_words(page.tree, calls),
        time=group_time(page.tree, run, calls),
        phases=phases_of_group(page.tree, run, calls),
    )
    middle = calls[:0] if len(calls) <= MANY_IN_GROUP else calls[ENDS:-ENDS]
    hidden = [one for one in middle if not page.stays(run, one)]
    folded_ids = {one["id"] for one in hidden}
    rows: list[Html] = []
    for place, call in enumerate(calls):
        if place == ENDS and hidden:
            rows.append(_more(page, run, hidden, above))
        if call["id"] not in folded_ids:
            rows.append(_call(page, run, call, above))
    listed = tag("ul", *rows, style=INNER_ROWS, **{"class": "nf-rows"})
    folded = fold(row(said, page.scale), listed, opened=is_open, name="nf-line")
    return tag("li", folded, **{"class": _classes(said.sign, is_leave=False)})


def _call(page: Page, run: RunNode, call: CallNode, above: frozenset[str]) -> Html:
    children = page.children(call, above)
    child = children[0] if len(children) == 1 else None
    is_open = _is_opened(page, run, call, children)
    said = _said(page, run, call, child, is_open=is_open)
    line = row(said, page.scale)
    if child is not None:
        failure = [error_box(one) for one in [call["failure"]] if one]
        about = tag("li", about_agent(page.tree, child, call_sections(page.tree, call, run)))
        inside = [about, *_inside(page, child, above)]
        body = join(*failure, tag("ul", *inside, style=INNER_ROWS, **{"class": "nf-rows"}))
    else:
        runs = [_one_of(page, one, above) for one in children]
        listed = tag("ul", *runs, style=INNER_ROWS, **{"class": "nf-rows"}) if runs else ""
        body = call_sections(page.tree, call, run, [listed] if listed else [])
    folded = fold(line, body, opened=is_open, name="nf-line")
    classes = _classes(call["status"], is_leave=_has_leave(call))
    return tag("li", folded, *call_pictures(call), **{"class": classes})


def _has_leave(call: CallNode) -> bool:
    """Whether nobody was asked about a call, for its tool had leave."""
    return bool((call["authorization"] or {}).get("under_grant"))


def _classes(status: str, *, is_leave: bool) -> str:
    more = " nf-bad" if status in GAVE_NOTHING else ""
    return f"nf-row{more}{' nf-leave' if is_leave else ''}"


def _one_of(page: Page, run: RunNode, above: frozenset[str]) -> Html:
    """One of several runs that a call has started: a row of its own."""
    came = outcome_of(page.tree, run)
    is_bad = run["status"] == "failed" or any(page.stays(run, one) for one in run["calls"].values())
    is_open = page.opened == "all" or (page.opened != "none" and (page.is_short or is_bad))
    said = Said(
        sign=came.sign,
        title=tag("strong", short_name(run["agent_name"])),
        about=clipped(run["prompt"], PROMPT_WIDTH),
        gave="" if is_open else clipped(answer_of(run), ANSWER_WIDTH),
        words=came.words,
        time=run_time(page.tree, run),
        phases=phases_of_run(page.tree, run),
    )
    about = tag("li", about_agent(page.tree, run))
    listed = tag("ul", about, *_inside(page, run, above), style=INNER_ROWS, **{"class": "nf-rows"})
    folded = fold(row(said, page.scale), listed, opened=is_open, name="nf-line")
    return tag("li", folded, **{"class": _classes(run["status"], is_leave=False)})


def _inside(page: Page, run: RunNode, above: frozenset[str]) -> list[Html]:
    """The rows of a run inside, and what it came to."""
    rows = _rows(page, run, lines_of(run, _stands_alone), above | {run["id"]})
    told = [tag("li", line) for line in _told(run)]
    ending = came_to(run)
    return [*rows, *told, *([tag("li", ending, **{"class": "nf-said"})] if ending else [])]


def _told(run: RunNode) -> list[Html]:
    """What was edited of a run, and what a person was asked in it beside its calls."""
    return [*edit_lines(run), *(line for one in asked_of_run(run) for line in asked_lines(one))]


def came_to(run: RunNode) -> Html:
    """What a run came to: its answer, or why there is none."""
    failure = run["failure"]
    answer = answer_of(run)
    return join(
        tag("div", markdown(answer), style="margin:6px 0 0") if answer else "",
        tag("p", muted(REFUSED), style="margin:4px 0 0") if run["refused"] else "",
        sources_list(run["citations"]) if answer else "",
        error_box(failure) if failure else "",
        *explanation_box(run),
    )


def _call_sign(tree: Tree, call: CallNode) -> str:
    """A tick only where all went well, in the runs inside it, too."""
    status = call_status(tree, call)
    is_mixed = status == "done" and (troubles_inside(tree, call) or is_refused(call))
    return "partly" if is_mixed else status


def _group_sign(tree: Tree, calls: Sequence[CallNode]) -> str:
    """The sign of a group: a tick where all went well, a cross where nothing did."""
    signs, status = {_call_sign(tree, one) for one in calls}, group_status(tree, calls)
    is_mixed = "partly" in signs or ("done" in signs and status != "done")
    return "partly" if is_mixed and status not in UNDER_WAY else status


def _said(
    page: Page, run: RunNode, call: CallNode, child: RunNode | None, *, is_open: bool = False
) -> Said:
    inside, status = troubles_inside(page.tree, call), call_status(page.tree, call)
    gave = call_preview(call) or (clipped(answer_of(child), ANSWER_WIDTH) if child else "")
    is_said_below = is_open and (is_loud(call) or (child is not None and bool(answer_of(child))))
    handle = call["handle"]
    title, about = _title(page, run, call, child)
    return Said(
        sign=_call_sign(page.tree, call),
        title=title,
        about=about,
        gave="" if is_said_below else gave,
        notes=[
            *([inside] if inside else []),
            *([join("kept as ", tag("code", short_name(handle, 40)))] if handle else []),
            *(["not asked"] if _has_leave(call) else []),
            *([KEPT] if call.get("kept") else []),
        ],
        words=CALL_STATUS.get(status, status),
        time=call_time(page.tree, run, call),
        phases=phases_of(page.tree, run, call),
    )


def _title(
    page: Page, run: RunNode, call: CallNode, child: RunNode | None
) -> tuple[Html, Html | str]:
    """Who or what was called, and what tells the call apart."""
    agent = tag("strong", short_name(child["agent_name"])) if child else Html()
    name, hint = short_name(call["name"]), clipped(call["hint"] or "", HINT_WIDTH)
    if hint:
        return join(agent, tag("strong", hint), between=" "), tag("code", name)
    is_named = child is None or not is_namesake(call["name"], child["agent_name"])
    about = clipped(child["prompt"], PROMPT_WIDTH) if child else ""
    told = about or row_arguments(call, page.telling_in(run).get(call["name"], ()))
    return join(agent, code(name) if is_named else "", between=" "), told


def _is_opened(page: Page, run: RunNode, call: CallNode, children: Sequence[RunNode]) -> bool:
    if page.opened in ("all", "none"):
        return page.opened == "all"
    if is_by_hand(run) or (page.opened == "data" and any(shown_payloads(call))):
        return True
    if children:
        has_failed = any(one["status"] == "failed" for one in children)
        return page.is_short or has_failed or is_loud(call) or page.stays(run, call)
    is_crowd = sum(is_loud(one) for one in run["calls"].values()) > CROWD
    return (is_loud(call) and not is_crowd) or _is_all(run)


def _is_all(run: RunNode) -> bool:
    """Whether one call is all that there is to see, as of a call made by hand."""
    return len(run["items"]) == 1 and not stage_values(run)


def _stands_alone(call: CallNode) -> bool:
    """Whether a call has something of its own to show."""
    return bool(call_pictures(call))
