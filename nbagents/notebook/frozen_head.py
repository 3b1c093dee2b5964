"""A run's first line in HTML: who ran, how it went, what it took; and in its fold, the facts."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from nbagents.notebook.frozen_call import AMBER, GREEN, GREY, RED, mark
from nbagents.notebook.frozen_markup import Html, fold, join, muted, table, tag, unstyled
from nbagents.notebook.frozen_requests import limits_in_words, requests_fold
from nbagents.runs.tree.outcomes import outcome_of
from nbagents.runs.tree.people import (
    await_in_words,
    effective_guardrails,
    guardrail_in_words,
    leave_in_words,
    open_awaits,
    resume_line,
    unusual_approval,
)
from nbagents.runs.tree.times import run_time
from nbagents.runs.tree.visible import visible_name
from nbagents.runs.tree.words import (
    clipped,
    cost_of,
    counted,
    family,
    money,
    tokens,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from nbagents.notebook.frozen_parts import Cut
    from nbagents.runs.tree.folding import RunNode, Tree
    from nbagents.runs.tree.outcomes import Outcome

__all__ = ["Shortened", "header", "waiting_box"]

COLOURS = {"completed": GREEN, "partly": AMBER, "failed": RED, "denied": RED}
CUTS_NAMED = 100
CHAT_WIDTH = 40
PROMPT_WIDTH = 300
"""Of a longer prompt the facts have the whole."""
PROMPT = "margin:0 0 6px"
ASKED = "white-space:pre-wrap"
WAITING = f"margin:6px 0;padding:4px 10px;border-left:3px solid {GREY};background:{GREY}1a"
APPROVALS = {
    "risky": "risky calls are asked for",
    "ask": "each call is asked for",
    "auto": "calls are allowed without asking",
    "never": "calls that need consent are denied",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Shortened:
    """What was left out of a run."""

    cuts: Sequence[Cut] = ()
    """Of all that the notebook keeps."""
    only_here: Sequence[Cut] = ()
    """Of the HTML; the notebook's JSON has it."""

    @property
    def places(self) -> int:
        """In how many places something is missing."""
        return len(self.cuts) + len(self.only_here)


def header(tree: Tree, run: RunNode, shortened: Shortened) -> Html:
    """The first line of a run, which opens, and below it what the run was asked."""
    inside, cost = len(family(tree, run)) - 1, money(cost_of(tree, run))
    came = outcome_of(tree, run)
    figures = [
        run_time(tree, run),
        came.calls,
        f"{counted(inside, 'run')} inside" if inside else "",
        tokens(tree, run),
        f"cost {cost}" if cost else "",
        *_chips(tree, run, shortened),
    ]
    line = join(
        _strong_name(run["agent_name"]),
        " ",
        _pill(came),
        unstyled(" ·"),
        " ",
        muted(join(run["model"], *figures, between=" · ")),
    )
    asked = tag("p", "Asked: ", tag("em", clipped(run["prompt"], PROMPT_WIDTH)), style=PROMPT)
    inside = [table(_facts(tree, run)), requests_fold(run), _cut_list(run, shortened)]
    facts = fold(line, *inside, style="margin:0 0 6px")
    return join(facts, asked if run["prompt"] else "")


def _strong_name(name: str) -> Html:
    return tag("strong", visible_name(name))


def _chips(tree: Tree, run: RunNode, shortened: Shortened) -> list[str]:
    """What is special about a run, in words."""
    places, approval = counted(shortened.places, "place"), unusual_approval(tree, run)
    return [
        f"chat {clipped(run['chat'], CHAT_WIDTH)}" if run["chat"] else "",
        f"approval {approval}" if approval else "",
        clipped(leave_in_words(run), CHAT_WIDTH),
        "branch of another run" if run["forked_from"] else "",
        "goes on with another run" if run["resumed_from"] else "",
        f"went on as {run.get('resumed_by')}" if run.get("resumed_by") else "",
        f"shortened in {places}" if shortened.places else "",
    ]


def _pill(came: Outcome) -> Html:
    colour = COLOURS.get(came.sign, GREY)
    words = join(mark(came.sign), " ", came.words)
    style = f"padding:1px 8px;border:1px solid {colour};border-radius:10px;background:{colour}1a"
    return tag("span", words, style=f"{style};font-size:0.92em")


def _facts(tree: Tree, run: RunNode) -> list[list[str]]:
    usage = run["usage"]
    cached = f", {usage['cached_tokens']:,} cached" if usage["cached_tokens"] else ""
    spent = f"{usage['input_tokens']:,} in{cached}, {usage['output_tokens']:,} out"
    inside = len(family(tree, run)) - 1
    spent += f"; {tokens(tree, run)} with {counted(inside, 'run')} inside" if inside else ""
    rows: list[list[str]] = [
        ["Asked", tag("span", run["prompt"], style=ASKED) if run["prompt"] else ""],
        ["Model", join(run["model"], f", {counted(usage['requests'], 'request')}")],
        ["Tokens", spent if usage["input_tokens"] or usage["output_tokens"] else ""],
        ["Cost", money(cost_of(tree, run))],
        ["Limits", limits_in_words(run["limits"])],
        ["Approval", _approval(tree, run)],
        ["Tools", join(*(tag("code", visible_name(name)) for name in run["tools"]), between=", ")],
        ["Chat", run["chat"] or ""],
        ["Branch of", run["forked_from"] or ""],
        ["Goes on with", tag("code", run["resumed_from"]) if run["resumed_from"] else ""],
        ["Guardrails", _guardrails(run)],
        ["Run", tag("code", run["id"])],
    ]
    return [row for row in rows if row[1]]


def _approval(tree: Tree, run: RunNode) -> str:
    name = unusual_approval(tree, run)
    return f"{name}: {APPROVALS.get(name, 'unknown here')}" if name else ""


def _guardrails(run: RunNode) -> Html:
    return _lines([guardrail_in_words(one) for one in effective_guardrails(run["guardrails"])])


def _lines(said: Sequence[str]) -> Html:
    return join(*(tag("div", one) for one in said))


def waiting_box(tree: Tree, run: RunNode) -> Html:
    """What a run and those inside it wait for, and the line that goes on with it."""
    asked = [
        tag(
            "li",
            tag("strong", visible_name(one["agent_name"])),
            f" asks: {await_in_words(waiting)}",
        )
        for one, waiting in open_awaits(tree, run)
    ]
    line = resume_line(tree, run)
    if not asked and not line:
        return Html()
    listed = tag("ul", *asked, style="margin:0;padding-left:24px") if asked else ""
    resume = tag("div", "To answer and go on: ", tag("code", line)) if line else ""
    return tag("div", tag("strong", "Waiting for you"), listed, resume, style=WAITING)


def _cut_list(run: RunNode, shortened: Shortened) -> Html:
    if not shortened.places:
        return Html()
    cuts = shortened.cuts
    lines = [tag("li", cut["text"]) for cut in cuts[:CUTS_NAMED]]
    if len(cuts) > CUTS_NAMED:
        lines.append(tag("li", f"{len(cuts) - CUTS_NAMED:,} more, each named in the saved JSON"))
    said = "To keep the notebook small, the saved run was shortened:"
    whole = join(
        "The log of its session has more of it, which ",
        tag("code", f'session.events(run_id="{run["id"]}")'),
        " reads; ",
        tag("code", f"%nbagents show {run['id']}"),
        " shows the run again, shortened likewise.",
    )
    here = counted(len(shortened.only_here), "place")
    more = f"This page leaves out more, in {here}, which the notebook's JSON has."
    return join(
        tag("p", said, style="margin:0") if lines else "",
        tag("ul", *lines, style="margin:0;padding-left:24px") if lines else "",
        tag("p", more, style="margin:0") if shortened.only_here else "",
        tag("p", whole, style="margin:0 0 8px"),
    )
