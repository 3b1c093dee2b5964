"""A run's first line in HTML: who ran, how it went, what it took; and in its fold, the facts."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from nbagents.notebook.markup import Html, fold, join, muted, table, tag
from nbagents.notebook.saved.line import mark
from nbagents.notebook.saved.look import GREY
from nbagents.notebook.saved.requests import limits_in_words, requests_fold
from nbagents.runs.wording import (
    CALLED_BY_HAND,
    await_in_words,
    branch_in_words,
    clipped,
    cost_of,
    counted,
    effective_guardrails,
    family,
    guardrail_in_words,
    is_by_hand,
    leave_in_words,
    money,
    open_awaits,
    outcome_of,
    replayed_in_words,
    resume_line,
    run_time,
    sentence,
    short_name,
    tokens,
    unusual_approval,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from nbagents.notebook.saved.parts import Cut
    from nbagents.runs.tree import RunNode, Tree

CUTS_NAMED = 100
CHAT_WIDTH = 40
PROMPT_WIDTH, PROMPT_LINES = 400, 6
"""Of a longer prompt the facts have the whole."""
PROMPT = "margin:0 0 2px;white-space:pre-wrap;font-weight:500"
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


WHOLE = Shortened()


def header(tree: Tree, run: RunNode, shortened: Shortened) -> Html:
    """What was asked, as it was written, and in the same line who answered and how it ended."""
    sign, asked = (
        mark(outcome_of(tree, run).sign),
        _head_of("" if is_by_hand(run) else run["prompt"]),
    )
    prompt = tag("div", sign, " ", asked, style=PROMPT, **{"class": "nf-asked"})
    who = join("" if asked else join(sign, " "), who_line(tree, run, shortened))
    inside = [table(_facts(tree, run)), requests_fold(run), _cut_list(run, shortened)]
    facts = fold(who, *inside, opened=False, style="margin:0 0 6px", **{"class": "nf-who"})
    return tag("div", prompt if asked else "", facts, **{"class": "nf-head"})


def who_line(tree: Tree, run: RunNode, shortened: Shortened = WHOLE) -> Html:
    """Who ran, with which model, what is special about it, how it ended, and what it took."""
    inside, cost = len(family(tree, run)) - 1, money(cost_of(tree, run))
    came = outcome_of(tree, run)
    figures = [
        run_time(tree, run),
        came.calls,
        f"{counted(inside, 'run')} inside" if inside else "",
        tokens(tree, run),
        f"cost {cost}" if cost else "",
    ]
    by_hand = is_by_hand(run)
    about = join("" if by_hand else run["model"], *_chips(tree, run, shortened), between=" · ")
    return tag(
        "span",
        tag("strong", sentence(CALLED_BY_HAND) if by_hand else short_name(run["agent_name"])),
        " ",
        muted(about),
        " · " if about else "",
        tag("span", came.words, **{"class": "nf-state"}),
        muted(" · ", join(*figures, between=" · ")) if any(figures) else "",
    )


def about_agent(tree: Tree, run: RunNode, call: Html | str = "") -> Html:
    """Who an agent's run was, with which model, and what else is known of it and of its call."""
    return fold(
        who_line(tree, run),
        _shared_lines(run),
        table(_facts(tree, run)),
        requests_fold(run),
        call,
        head="font-size:0.92em",
        name="nf-line",
    )


def _shared_lines(run: RunNode) -> Html:
    return _lines([f"Shared: {clipped(one, PROMPT_WIDTH)}" for one in run["shared"]])


def _head_of(prompt: str) -> str:
    """A prompt as it was written; of a long one the beginning, the facts have the whole."""
    whole = prompt.strip()
    head = "\n".join(whole[:PROMPT_WIDTH].split("\n")[:PROMPT_LINES]).rstrip()
    return f"{head}…" if len(head) < len(whole) else head


def _chips(tree: Tree, run: RunNode, shortened: Shortened) -> list[str]:
    places, approval = counted(shortened.places, "place"), unusual_approval(tree, run)
    return [
        f"chat {clipped(run['chat'], CHAT_WIDTH)}" if run["chat"] else "",
        f"approval {approval}" if approval else "",
        clipped(leave_in_words(run), CHAT_WIDTH),
        _branch(run),
        replayed_in_words(tree, run),
        "goes on with another run" if run["resumed_from"] else "",
        "went on in another run" if run.get("resumed_by") else "",
        f"shortened in {places}" if shortened.places else "",
    ]


def _branch(run: RunNode) -> str:
    said = run["forked_from"]
    return "" if said is None else branch_in_words(said)


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
        ["Tools", join(*(tag("code", short_name(name)) for name in run["tools"]), between=", ")],
        ["Chat", run["chat"] or ""],
        ["Guardrails", _guardrails(run)],
        ["Ids", fold("Details", table(_ids(run)))],
    ]
    return [row for row in rows if row[1]]


def _ids(run: RunNode) -> list[list[str]]:
    """By which names Python and the log find the run, and those that it hangs together with."""
    ids: list[tuple[str, str | None]] = [
        ("Run", run["id"]),
        ("Branch of", (run["forked_from"] or {}).get("run_id")),
        ("Goes on with", run["resumed_from"]),
        ("Went on as", run.get("resumed_by")),
    ]
    return [[name, tag("code", one)] for name, one in ids if one]


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
            tag("strong", short_name(one["agent_name"])),
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
