"""Moods: whether a clause wishes for something, asks, refuses, supposes, or tells what happened."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, TypeAlias

from nbagents.models.offline.language.lexicon import (
    AUXILIARIES,
    DETERMINERS,
    PARTICLES,
    PRONOUNS,
    QUESTION_WORDS,
    READING_VERBS,
    SEQUENCE_WORDS,
    VERBS,
    word_set,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

Mood: TypeAlias = Literal[
    "wished", "leaning", "asked", "refused", "supposed", "told", "stated", "fragment"
]
"""`wished`: do it; `leaning`: I want, it should; `asked`: tell me; `refused`: don't; `supposed`:
if, before, perhaps; `told`: it happened; `stated`: it is so; `fragment`: no verb at all."""

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
    r"quickly|be so (?:kind|good|nice) (?:as to|and)|be able to|mind|(?:help|assist) (?:me|"
    r"us)(?: to| with| in)?|go ahead and))*"
)
_MAY_HAVE = re.compile(r"(?:can|could|may|might) (?:i|we) (?:please )?(?:have|get)\b")
_REFUSED = re.compile(
    r"(?:please )?(?:do not|don'?t|never|no need|not|without|instead of|rather than|stop short)\b"
)
_BUT_DO = re.compile(r"(?:please )?(?:do not|don'?t|never) (?:forget|hesitate|fail|omit)\b")
_UNWILLING = re.compile(
    r"(?:i|we|you|they|he|she)\b(?: \w+){0,2} (?:not|don'?t|won'?t|needn'?t|mustn'?t|shouldn'?t|"
    r"can'?t|cannot|wouldn'?t|haven'?t|didn'?t)\b|(?:i|we)'d rather not\b|"
    r"(?:\w+ ){1,4}(?:should|must|may)(?: not|n't)\b"
)
_HELP = re.compile(r"(?:help|assist) (?:me|us)(?: to| with| in| by)? ")
_SEE_TO_IT = re.compile(r"(?:see to it|make sure|ensure|make certain)\b")
_SHOWN_ON = re.compile(r"\b(?:on|in) (?:the|a|my|that|this)\b")
_PLEASE = re.compile(r"\bplease\b", re.IGNORECASE)
_SUBORDINATE = word_set(
    "if when whenever before after once unless until while suppose supposing assuming although "
    "though because since whether wherever as"
)
_SELF = word_set("i we i'm we're i'll we'll i've we've i'd we'd")
_CURIOUS = re.compile(
    r"\b(?:to|just)?\s?(?:know|find out|learn|hear|understand|figure out|see (?:how|what|which|"
    r"whether|if|the)|check|look up|calculate|compute|compare|estimate|determine|work out|"
    r"wonder\w*|"
    r"curious|interested|looking|information|info)\b"
)
_WANTS = re.compile(
    r"\b(?:i|we) (?:really |also |just |now |still |only )*(?:want|need|have to|must|would like|"
    r"would love|should|wish)\b|\b(?:i|we)(?:'d| would) (?:like|love|prefer|rather(?! not))\b"
)
_WISHING = re.compile(
    r"(?:i|we)(?:'d| would)? (?:really |also |just |now )*(?:want|need|have|like|love|wish)"
    r"(?: you)?(?: to)? |help (?:me|us) (?:to )?|let's |let us |see to it that "
)
_WISHED_TO = re.compile(
    r"\b(?:looking|trying|hoping) to |(?<!don't )(?<!not )(?<!i )(?<!we )\b(?:need|want|would "
    r"like) to "
)
_POLITELY = re.compile(r"\b(?:i|we)(?:'d| would) (?:like|love|prefer)\b|\b(?:i|we) need\b")
_THAN = re.compile(r"\brather\b.*\bthan\b")
_FROM_NOW = re.compile(r"(?:from now|from today|as of (?:now|today)|starting (?:now|today))\b")
"""A statement about what is to be from now on asks for it."""
_THAT_I_COULD = re.compile(r"(?:that|which) (?:i|we) (?:could|can|might|may|would)\b")
"""What somebody could do with what they ask for."""
_OPENINGS: tuple[tuple[re.Pattern[str], Mood], ...] = (
    (_BUT_DO, "wished"),
    (_REFUSED, "refused"),
    (_SEE_TO_IT, "wished"),
    (_THAT_I_COULD, "supposed"),
)
_PLANS = re.compile(
    r"\b(?:i'll|we'll|i'm going|we're going|(?:i|we) (?:will|shall|may|might|could|would|can|"
    r"am|are|"
    r"plan|hope|intend|think|guess|usually|always|often|never|sometimes|was|were)|i'm (?!\d)\w+ing|"
    r"we're (?!\d)\w+ing)\b"
)
_HOPED = re.compile(r"\b(?:probably|perhaps|maybe|possibly|might|may|could|would have|later)\b")
_LOOKING = re.compile(r"(?:i'm |we're |i am |we are )?(?:looking|searching|interested|curious)\b")
_WAS = re.compile(
    r"\b(?:already|yesterday|ago|was|were|did|had|has been|have been|(?:i|we)'ve|(?:i|we|they|"
    r"he|she|"
    r"\w+) (?:have|has) (?:just |already |recently )?(?:\w+ed|done|sent|put|set|taken|made|bought|"
    r"paid|sold|got|gone|given|written|seen|run|found|lost|left)|last (?:week|month|year|"
    r"night|time))\b"
)
_PAST = re.compile(
    r"\b(?:i|we|he|she|they|you)(?: (?:just|already|recently|then|also))? (?:\w{2,}ed|went|"
    r"did|sent|"
    r"put|took|made|bought|paid|sold|got|gave|wrote|saw|ran|found|lost|left|had|slept|ate|drank|"
    r"swam|rode|read|brought|set|met|won|felt|told|said|cut|threw|began|spent)\b"
)
_SETTLED = re.compile(
    r"\b(?:already|yesterday|ago|last (?:week|month|year|time)|tomorrow|later|always|usually|often|"
    r"used to|sometimes|never)\b"
)
_DEONTIC = re.compile(
    r"\b(?:should|must|has to|have to|needs?|shall|ought to|is to|are to|wants?|would like|'d "
    r"like)\b"
)
_SPOKEN_OF = re.compile(r"\b(?:they|he|she|you|never|not|said|told|says)\b")
_NOBODY = re.compile(r"\b(?:nobody|no one|never|not|\w+n't)\b")
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
    heard = _Heard(said=said, words=words, text=" ".join(words), is_verb=is_verb)
    for rule in (_opened, *_ASKING, *_DECLARING):
        mood = rule(heard)
        if mood is not None:
            return mood
    return "fragment"


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


def _is_informing(rest: str) -> bool:
    return rest.partition(" ")[0] in _INFORM


@dataclass(frozen=True, slots=True, kw_only=True)
class _Heard:
    """A clause without the words that only lead into it."""

    said: str
    words: Sequence[str]
    text: str
    is_verb: Callable[[str], bool]

    @property
    def first(self) -> str:
        return self.words[0]

    @property
    def asks(self) -> bool:
        return self.said.rstrip(" \"'”’)").endswith("?")


Rule: TypeAlias = "Callable[[_Heard], Mood | None]"


def _opened(heard: _Heard) -> Mood | None:
    """By the words with which it begins: `don't`, `make sure`, `could you`, `help me`."""
    for pattern, mood in _OPENINGS:
        if pattern.match(heard.text):
            return mood
    if helped := _HELP.match(heard.text):
        rest = heard.text[helped.end() :].split()
        return mood_of(heard.said, rest, heard.is_verb)
    if heard.first in {"show", "display"} and _SHOWN_ON.search(heard.text):
        return "wished"
    if request := _REQUESTS.match(heard.text):
        return "asked" if _is_informing(heard.text[request.end() :].strip()) else "wished"
    return None


def _questioned(heard: _Heard) -> Mood | None:
    words = heard.words
    if heard.asks and heard.first in _SELF and _WANTS.search(heard.text):
        return None
    wh = heard.first.removesuffix("'s") in QUESTION_WORDS - {"when"}
    if not (heard.asks or wh or _is_inverted(words)):
        return None
    if _MAY_HAVE.match(heard.text) and not _CURIOUS.search(heard.text):
        return "wished"
    return _commanded(heard) or "asked"


def _subordinated(heard: _Heard) -> Mood | None:
    if heard.first not in _SUBORDINATE or is_command(heard.words, 0, heard.is_verb):
        return None
    asks = heard.first == "when" and heard.words[1:] and heard.words[1] in AUXILIARIES
    return "asked" if asks else "supposed"


def _commanded(heard: _Heard) -> Mood | None:
    if not is_command(heard.words, 0, heard.is_verb):
        return None
    return "asked" if heard.first in _INFORM else "wished"


def _longed(heard: _Heard) -> Mood | None:
    """`I want …`, `I'm looking for …`, `… and need to …`."""
    text = heard.text
    wish = _WISHED_TO.search(text)
    if wish is not None:
        return "asked" if _is_informing(text[wish.end() :]) else "leaning"
    if _LOOKING.match(text):
        return "asked"
    if heard.first not in _SELF or not _WANTS.search(text) or _UNWILLING.match(text):
        return None
    if _CURIOUS.search(text):
        return "asked"
    if _THAN.search(text):
        return "supposed"
    return "wished" if _POLITELY.search(text) else "leaning"


def _unwilling(heard: _Heard) -> Mood | None:
    return "refused" if _UNWILLING.match(heard.text) else None


def _pleading(heard: _Heard) -> Mood | None:
    verb = next((one for one in heard.words if heard.is_verb(one)), "")
    if not verb or not _PLEASE.search(heard.said):
        return None
    return "asked" if verb in _INFORM else "wished"


def _reported(heard: _Heard) -> Mood | None:
    told = _WAS.search(heard.text) or _PAST.search(heard.text)
    return "told" if told else None


def _planned(heard: _Heard) -> Mood | None:
    if heard.first in _SELF and _PLANS.search(heard.text):
        return "asked" if _CURIOUS.search(heard.text) else "supposed"
    return "supposed" if _HOPED.search(heard.text) else None


def _stated(heard: _Heard) -> Mood | None:
    if _FROM_NOW.match(heard.text) and not _NOBODY.search(heard.text):
        return "leaning"
    if _DEONTIC.search(heard.text) and not _NOBODY.search(heard.text):
        return "leaning"
    finite = any(one in _FINITE or one in _SELF or "'" in one for one in heard.words)
    return "stated" if finite or _SPOKEN_OF.search(heard.text) else "fragment"


_ASKING: tuple[Rule, ...] = (_questioned, _subordinated, _commanded)
_DECLARING: tuple[Rule, ...] = (_longed, _unwilling, _pleading, _reported, _planned, _stated)


def _is_inverted(words: Sequence[str]) -> bool:
    """Whether an auxiliary stands before its subject: `is the dome open`."""
    return words[0] in AUXILIARIES - {"be", "have", "do"} or (
        words[0] in {"do", "have"} and words[1:2] != [] and words[1] in PRONOUNS | _SELF | {"you"}
    )


def is_command(words: Sequence[str], at: int, is_verb: Callable[[str], bool]) -> bool:
    """Whether a command begins with a word: a verb, or what stands before an object as one does."""
    word, following = words[at], words[at + 1] if at + 1 < len(words) else ""
    if following in {"of", "is", "are", "was"}:
        return False
    finite = any(one in _FINITE for one in words[at + 1 : at + _IN_HEAD])
    if word in VERBS or (is_verb(word) and not finite):
        return True
    if word in AUXILIARIES or word in PRONOUNS or word in DETERMINERS or word in _SUBORDINATE:
        return False
    if word in _SELF or word in QUESTION_WORDS or not word.isalpha() or len(word) < len("log"):
        return False
    object_follows = following in PRONOUNS | DETERMINERS | {"me", "us"} or following in PARTICLES
    return object_follows and not finite
