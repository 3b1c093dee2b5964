"""Moods: whether a clause wishes for something, asks, refuses, supposes, or tells what happened."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Literal, TypeAlias

from nbagents.models.offline.lexicon import (
    AUXILIARIES,
    DETERMINERS,
    PARTICLES,
    PRONOUNS,
    QUESTION_WORDS,
    READING_VERBS,
    SEQUENCE_WORDS,
    word_set,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

__all__ = ["Mood", "deed_of", "is_command", "is_settled", "mood_of"]

Mood: TypeAlias = Literal[
    "wished", "leaning", "asked", "refused", "supposed", "told", "stated", "fragment"
]
"""`wished`: do it; `leaning`: I want, it should; `asked`: tell me; `refused`: don't; `supposed`: if,
before, perhaps; `told`: it happened; `stated`: it is so; `fragment`: no verb at all."""

_LEADS = word_set(
    "please kindly hi hello hey so well ok okay and then also but now just first finally next "
    "afterwards thanks great oh right yes sure therefore plus or alternatively maybe afterward"
)
_INFORM = READING_VERBS - word_set("get give") | word_set(
    "show display view see explain wonder remember recall say think look work figure name perform "
    "do help assist provide return"
)
"""Verbs that ask to be told."""
_REQUESTS = re.compile(
    r"(?:can|could|would|will|won't) you(?: (?:please|kindly|maybe|perhaps|possibly|just|also|then|"
    r"quickly|be so (?:kind|good|nice) (?:as to|and)|be able to|mind|help me(?: to)?|go ahead and))*"
)
_MAY_HAVE = re.compile(r"(?:can|could|may|might) (?:i|we) (?:please )?(?:have|get|order)\b")
_REFUSED = re.compile(
    r"(?:please )?(?:do not|don'?t|never|no need|not|without|instead of|rather than|stop short)\b"
)
_BUT_DO = re.compile(r"(?:please )?(?:do not|don'?t|never) (?:forget|hesitate|fail|omit)\b")
_UNWILLING = re.compile(
    r"\b(?:i|we|you|they|he|she)\b(?: \w+){0,2} (?:not|don'?t|won'?t|needn'?t|mustn'?t|shouldn'?t|"
    r"can'?t|cannot|wouldn'?t|haven'?t|didn'?t)\b|\b(?:i|we)'d rather not\b|"
    r"\b(?:should|must|may)(?: not|n't)\b"
)
_SEE_TO_IT = re.compile(r"(?:see to it|make sure|ensure|make certain)\b")
_SHOWN_ON = re.compile(r"\b(?:on|in) (?:the|a|my|that|this)\b")
_SUBORDINATE = word_set(
    "if when whenever before after once unless until while suppose supposing assuming although "
    "though because since whether wherever as"
)
_SELF = word_set("i we i'm we're i'll we'll i've we've i'd we'd")
_CURIOUS = re.compile(
    r"\b(?:to|just)?\s?(?:know|find out|learn|hear|understand|figure out|see (?:how|what|which|"
    r"whether|if|the)|check|look up|calculate|compute|compare|estimate|determine|work out|wonder\w*|"
    r"curious|interested|looking|information|info)\b"
)
_WANTS = re.compile(
    r"\b(?:i|we) (?:really |also |just |now |still |only )*(?:want|need|have to|must|would like|"
    r"would love|should|wish)\b|\b(?:i|we)'d (?:like|love)\b"
)
_WISHING = re.compile(
    r"(?:i|we)(?:'d| would)? (?:really |also |just |now )*(?:want|need|have|like|love|wish)"
    r"(?: you)?(?: to)? |help (?:me|us) (?:to )?|let's |let us |see to it that "
)
_WISHED_TO = re.compile(
    r"\b(?:looking|trying|hoping) to |(?<!don't )(?<!not )(?<!i )(?<!we )\b(?:need|want|would like) to "
)
_POLITELY = re.compile(r"\b(?:i|we)(?:'d| would) (?:like|love)\b|\b(?:i|we) need\b")
_PLANS = re.compile(
    r"\b(?:i'll|we'll|i'm going|we're going|(?:i|we) (?:will|shall|may|might|could|would|can|am|are|"
    r"plan|hope|intend|think|guess|usually|always|often|never|sometimes|was|were)|i'm (?!\d)\w+ing|"
    r"we're (?!\d)\w+ing)\b"
)
_HOPED = re.compile(r"\b(?:probably|perhaps|maybe|possibly|might|may|could|would have|later)\b")
_LOOKING = re.compile(r"(?:i'm |we're |i am |we are )?(?:looking|searching|interested|curious)\b")
_WAS = re.compile(
    r"\b(?:already|yesterday|ago|was|were|did|had|has been|have been|(?:i|we)'ve|(?:i|we|they|he|she|"
    r"\w+) (?:have|has) (?:just |already |recently )?(?:\w+ed|done|sent|put|set|taken|made|bought|"
    r"paid|sold|got|gone|given|written|seen|run|found|lost|left)|last (?:week|month|year|night|time))\b"
)
_PAST = re.compile(
    r"\b(?:i|we|he|she|they|you)(?: (?:just|already|recently|then|also))? (?:\w{2,}ed|went|did|sent|"
    r"put|took|made|bought|paid|sold|got|gave|wrote|saw|ran|found|lost|left|had|slept|ate|drank|"
    r"swam|rode|read|brought|set|met|won|felt|cut|threw|began|spent)\b"
)
_SETTLED = re.compile(
    r"\b(?:already|yesterday|ago|last (?:week|month|year|time)|tomorrow|later|always|usually|often|"
    r"used to|sometimes|never)\b"
)
_DEONTIC = re.compile(
    r"\b(?:should|must|has to|have to|needs?|shall|ought to|is to|are to|wants?|would like|'d like)\b"
)
_FINITE = AUXILIARIES | word_set("needs wants goes comes says means isn't aren't")
_IN_HEAD = 12


def mood_of(said: str, lowers: Sequence[str], is_verb: Callable[[str], bool]) -> Mood:
    """What a clause does.

    Args:
        said: The clause.
        lowers: Its words in lower case.
        is_verb: Whether a word may be a verb, of English or of a tool's name.
    """
    words = _core(lowers)
    if not words:
        return "fragment"
    text = " ".join(words)
    asks = said.rstrip(" \"'”’)").endswith("?")
    if _BUT_DO.match(text):
        return "wished"
    if _REFUSED.match(text):
        return "refused"
    if words[0] == "help" and words[1:2] in (["me"], ["us"]):
        return mood_of(said, words[3 if words[2:3] == ["to"] else 2 :], is_verb)
    if _SEE_TO_IT.match(text):
        return "wished"
    if words[0] in {"show", "display"} and _SHOWN_ON.search(text):
        return "wished"
    if request := _REQUESTS.match(text):
        return _requested(text[request.end() :].split())
    if asks and words[0] in _SELF and _WANTS.search(text):
        return _declared(lowers, words, text, is_verb)
    if asks or words[0].removesuffix("'s") in QUESTION_WORDS - {"when"} or _is_inverted(words):
        return _questioned(words, text, is_verb)
    if words[0] in _SUBORDINATE and is_command(words, 0, is_verb) is False:
        return (
            "asked" if words[0] == "when" and words[1:2] and words[1] in AUXILIARIES else "supposed"
        )
    if is_command(words, 0, is_verb):
        return "asked" if words[0] in _INFORM else "wished"
    return _declared(lowers, words, text, is_verb)


def deed_of(lowers: Sequence[str], is_verb: Callable[[str], bool]) -> str | None:
    """The verb of what a clause wishes for: `order` in `I'd like you to order two`."""
    words = _core(lowers)
    text = " ".join(words)
    for opening in (_REQUESTS, _WISHING):
        if match := opening.match(text):
            words = text[match.end() :].split()
            break
    if words and is_command(words, 0, is_verb):
        return words[0]
    return next((one for one in words if is_verb(one) and one not in AUXILIARIES), None)


def is_settled(lowers: Sequence[str]) -> bool:
    """Whether a statement is of what was done already, or of another time."""
    return _SETTLED.search(" ".join(lowers)) is not None


def _core(lowers: Sequence[str]) -> list[str]:
    at = 0
    while at < len(lowers) and (lowers[at] in _LEADS or lowers[at] in SEQUENCE_WORDS):
        at += 1
    return list(lowers[at:])


def _is_inverted(words: Sequence[str]) -> bool:
    """Whether an auxiliary stands before its subject: `is the dome open`."""
    return words[0] in AUXILIARIES - {"be", "have", "do"} or (
        words[0] in {"do", "have"} and words[1:2] != [] and words[1] in PRONOUNS | _SELF | {"you"}
    )


def _requested(rest: Sequence[str]) -> Mood:
    return "asked" if rest and rest[0] in _INFORM else "wished"


def _questioned(words: Sequence[str], text: str, is_verb: Callable[[str], bool]) -> Mood:
    if _MAY_HAVE.match(text) and not _CURIOUS.search(text):
        return "wished"
    if is_command(words, 0, is_verb):
        return "asked" if words[0] in _INFORM else "wished"
    return "asked"


def _declared(
    lowers: Sequence[str], words: Sequence[str], text: str, is_verb: Callable[[str], bool]
) -> Mood:
    """The mood of what is neither a question nor a command."""
    if _LOOKING.match(text) and not _WISHED_TO.search(text):
        return "asked"
    if wish := _WISHED_TO.search(text):
        return "asked" if _is_informing(text[wish.end() :]) else "leaning"
    if words[0] in _SELF and _WANTS.search(text) and not _UNWILLING.search(text):
        if _CURIOUS.search(text):
            return "asked"
        return "wished" if _POLITELY.search(text) else "leaning"
    if _UNWILLING.search(text) and not _WISHED_TO.search(text):
        return "refused"
    if "please" in lowers and (verb := _last_verb(words, is_verb)):
        return "wished" if verb not in _INFORM else "asked"
    if _WAS.search(text) or _PAST.search(text):
        return "told"
    if words[0] in _SELF and _PLANS.search(text):
        return "asked" if _CURIOUS.search(text) else "supposed"
    if _HOPED.search(text):
        return "supposed"
    if _DEONTIC.search(text):
        return "leaning"
    return "stated" if any(_is_finite(one) for one in words) else "fragment"


def _is_informing(rest: str) -> bool:
    return rest.partition(" ")[0] in _INFORM


def _is_finite(word: str) -> bool:
    return word in _FINITE or word in _SELF or "'" in word


def _last_verb(words: Sequence[str], is_verb: Callable[[str], bool]) -> str:
    return next((one for one in words if is_verb(one)), "")


def is_command(words: Sequence[str], at: int, is_verb: Callable[[str], bool]) -> bool:
    """Whether a command begins with a word: a verb, or what stands before an object as one does."""
    word, following = words[at], words[at + 1] if at + 1 < len(words) else ""
    if following in {"of", "is", "are", "was"}:
        return False
    if is_verb(word):
        return True
    if word in AUXILIARIES or word in PRONOUNS or word in DETERMINERS or word in _SUBORDINATE:
        return False
    if word in _SELF or word in QUESTION_WORDS or not word.isalpha() or len(word) < len("log"):
        return False
    object_follows = following in PRONOUNS | DETERMINERS | {"me", "us"} or following in PARTICLES
    return object_follows and not any(one in _FINITE for one in words[at + 1 : at + _IN_HEAD])
