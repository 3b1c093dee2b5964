"""Whether a query asks for a service by name, and whether there is one of that name.

A search that always finds something answers a question about a service that is not there with
five others. So what a query calls by name is held against the names that there are, before words
are counted.
"""

from __future__ import annotations

import functools
import itertools
import re
from bisect import bisect_left
from collections.abc import Callable, Iterable, Sequence
from typing import Final

from nbagents.catalogue.index import chunks_of, terms_of, word_set

__all__ = ["ServiceNames"]

GENERIC: Final = word_set("""
    api apis rest restful service services web client sdk mcp server the app tool tools platform
    documentation docs reference spec specification openapi swagger public v
""")
"""Words in the names of services that tell none from another."""
LINKS: Final = word_set("of for and by to in on with a an at from or vs")
WISHES: Final = word_set("""
    get find search list show create add make update edit delete remove send fetch retrieve read
    check convert generate calculate compute translate download upload look lookup give tell what
    how which who where when is are can could please i help book order buy play start stop run set
""")
"""With these a wish begins, also where it is written with capitals."""

WORD: Final = re.compile(r"[^\s,;()\[\]{}\"'`“”‘’]+")
SENTENCE_END: Final = re.compile(r"[.?!](?:\s|$)")
SCOPE: Final = re.compile(r"^\s*([^:\n]{2,80}?)\s*:\s+\S")
RUN: Final = r"(?:the\s+)?((?:[A-Z0-9][\w.&'’-]*(?:\s+(?=[A-Z0-9]))?){1,8})"
"""Words with capitals that follow each other."""
KIND: Final = r"\s+(?:API|APIs|MCP|api|tool|service|app)\b(?![-\w(]|\s+(?:[A-Z(]|v\d))"
MENTIONS: Final = (
    re.compile(r"\b(?:using|Using|use|Use|via|through|with|on|in|from|by)\s+" + RUN + KIND),
    re.compile(r"\b(?:using|via)\s+" + RUN + r"(?=[.?!,]?\s*$)"),
    re.compile(r"^\s*(?:Use|Using|With|Via)\s+" + RUN + r"(?=\s+to\b|,)"),
    re.compile(r"^\s*(?=\S+\s+(?!API|MCP)[A-Z0-9])" + RUN + KIND),
)
"""Where a wish says by what it is to be fulfilled."""
CAMEL: Final = re.compile(r"[a-z][A-Z]|\d|\w[_.-]\w")
"""What no word of a sentence has inside: GitHub, bet365, draw.io, my_api."""
MOST_WORDS: Final = 8
"""A longer query is a wish in sentences, whatever it is written like."""
SHORT: Final = 6
FEW: Final = 3
ALLOWED: Final = GENERIC | LINKS
KNOWN: Final = 100_000
"""Of so many names the words are remembered."""
LARGE: Final = 1_000
"""Of so many APIs, a word that none of them has is none that APIs are described with."""
DISTINCT: Final = 3
"""A word that stands in the names of so few tools stands for them."""


class ServiceNames:
    """The names of tools and of their APIs.

    Args:
        tools: Category and name of each tool, with the names of its APIs.
        knows: Whether any API has a term.
        only_names: Whether a word that no API has says nothing, unless it is written as a name.
    """

    def __init__(
        self,
        tools: Iterable[tuple[str, str, Sequence[str]]],
        knows: Callable[[str], bool],
        *,
        only_names: bool = False,
    ) -> None:
        self._knows = knows
        self._only_names = only_names
        self._categories: set[str] = set()
        tool_names: dict[str, None] = {}
        self._tools: list[frozenset[str]] = []
        self._apis: list[Sequence[str]] = []
        self._by_term: dict[str, set[int]] = {}
        for category, tool, apis in tools:
            self._categories.add(category)
            tool_names[tool] = None
            terms = _own_terms(tool)
            for term in terms:
                self._by_term.setdefault(term, set()).add(len(self._tools))
            self._tools.append(terms)
            self._apis.append(apis)
        self._named = list(tool_names)
        self._is_large = sum(map(len, self._apis)) >= LARGE

    @functools.cached_property
    def _names(self) -> frozenset[str]:
        """All names as they are compared: only few queries need them."""
        apis = itertools.chain.from_iterable(self._apis)
        return frozenset(map(_key, itertools.chain(self._categories, self._named, apis)))

    @functools.cached_property
    def _tool_names(self) -> list[str]:
        return sorted(map(_spaced, self._named))

    def missing(self, query: str) -> str | None:
        """The name of a service that a query asks for and that is not there."""
        for name in _mentions(query):
            if not self.has(name) and not self._is_part(name, query):
                return name
        if _is_name(query):
            there = self.has(query) or self._is_ordinary(query) or self._is_wish(query)
            return None if there else query.strip()
        return None if self._only_names else self._unknown_word(query)

    def _is_ordinary(self, name: str) -> bool:
        """Whether a name, in a small catalogue, is only of words that there are."""
        return not self._is_large and all(map(self._knows, terms_of(name)))

    def _is_wish(self, query: str) -> bool:
        """Whether a known word begins a sentence, and values follow: `Weather in Oslo`."""
        first, *rest = WORD.findall(query)
        is_joined = bool(rest) and (rest[0].lower() in LINKS or rest[0].isdecimal())
        return is_joined and all(map(self._knows, terms_of(first)))

    def has(self, name: str) -> bool:
        """Whether a name is that of a tool or an API, or of a tool and what it does."""
        if _key(name) in self._names or self._begins_one(name):
            return True
        terms = _own_terms(name)
        near = [self._by_term.get(term, set()) for term in terms]
        if not terms or not any(near):
            return not terms
        return self._stands_for(near) or any(
            self._is_told(tool, terms) for tool in set[int]().union(*near)
        )

    def _begins_one(self, name: str) -> bool:
        """Whether the names of some tools begin with these words."""
        words = _spaced(name)
        at = bisect_left(self._tool_names, words)
        return at < len(self._tool_names) and self._tool_names[at].startswith(words)

    def _is_part(self, name: str, query: str) -> bool:
        """Whether what was taken for a name is part of a tool's, which stands there in full."""
        said, own = frozenset(terms_of(query)), _own_terms(name)
        near = set[int]().union(*(self._by_term.get(one, set()) for one in own))
        return any(own <= self._tools[tool] <= said for tool in near)

    def near(self, name: str, k: int = 3) -> list[int]:
        """The tools whose names share most with a name."""
        terms = _own_terms(name)
        counts: dict[int, float] = {}
        for term in terms:
            listed = self._by_term.get(term, set())
            for tool in listed:
                counts[tool] = counts.get(tool, 0.0) + 1 / len(listed)
        return sorted(counts, key=lambda tool: (-counts[tool], tool))[:k]

    def _stands_for(self, near: Sequence[set[int]]) -> bool:
        """Whether all words are of one tool's name, and one of them is hardly any other's."""
        return min(map(len, near)) <= DISTINCT and bool(near[0].intersection(*near))

    def _is_told(self, tool: int, terms: frozenset[str]) -> bool:
        """Whether a tool is named in full, and what else is said are words of one of its APIs."""
        own = self._tools[tool]
        if not own <= terms:
            return False
        rest = terms - own
        return any(rest <= set(terms_of(api)) for api in self._apis[tool])

    def _unknown_word(self, query: str) -> str | None:
        """A word that no API has, where it seems to be a service's name and no value."""
        words = WORD.findall(query)
        if len(words) > SHORT or SENTENCE_END.search(query):
            return None
        linked = [False, *(one.lower() in LINKS for one in words)]
        for at, word in enumerate(words):
            following = words[at + 1].lower() if at + 1 < len(words) else ""
            is_told = (
                (self._is_large and (len(words) <= FEW or (at == 0 and word[0].isupper())))
                or CAMEL.search(word) is not None
                or following in GENERIC
            )
            if is_told and not linked[at] and word.isalpha() and self._is_unknown(word):
                return None if _key(query) in self._names else word
        return None

    def _is_unknown(self, word: str) -> bool:
        terms = terms_of(word)
        return bool(terms) and not any(map(self._knows, terms)) and _key(word) not in self._names


def _mentions(query: str) -> list[str]:
    """What stands in a query where a service would be named."""
    found = [one.strip() for form in MENTIONS for one in form.findall(query)]
    if (scope := SCOPE.match(query)) and _is_name(scope[1]):
        found.append(scope[1])
    return found


def _is_name(text: str) -> bool:
    """Whether a text is written as a name: with capitals, and as no wish."""
    words = WORD.findall(text)
    if not 0 < len(words) <= MOST_WORDS or SENTENCE_END.search(text.strip().rstrip(".")):
        return False
    capital = [one for one in words if _is_capital(one) and one.lower() not in GENERIC]
    generic = [one for one in words if one.lower() in GENERIC and not one.islower()]
    if words[0].lower() in WISHES and not generic:
        return False
    plain = [
        one
        for one in words
        if one not in capital and one.lower() not in ALLOWED and any(map(str.isalnum, one))
    ]
    return bool(capital) and (not plain or (bool(generic) and len(words) <= SHORT))


def _is_capital(word: str) -> bool:
    return word[0].isupper() or CAMEL.search(word) is not None


@functools.lru_cache(KNOWN)
def _key(name: str) -> str:
    """A name without what is not its own: borders, capitals, generic words."""
    return "".join(_own_words(name))


@functools.lru_cache(KNOWN)
def _spaced(name: str) -> str:
    """Its own words, each with its end."""
    return "".join(f"{one} " for one in _own_words(name))


def _own_words(name: str) -> list[str]:
    words = [one.lower() for one in chunks_of(name)]
    return [one for one in words if one not in GENERIC] or words


@functools.lru_cache(KNOWN)
def _own_terms(name: str) -> frozenset[str]:
    terms = frozenset(terms_of(name))
    return frozenset(one for one in terms if one not in GENERIC) or terms
