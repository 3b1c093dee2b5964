"""English as the offline model reads it: words, mentions of values, moods, clauses."""

from nbagents.models.offline.language.clauses import Clause, refers
from nbagents.models.offline.language.lexicon import (
    COMMON_NOUNS,
    DETERMINERS,
    FRAMES,
    GENERIC_VERBS,
    HOW,
    NEGATIONS,
    PARTICLES,
    PRONOUNS,
    QUESTION_WORDS,
    READING_VERBS,
    STOP_WORDS,
    VERBS,
    WRITING_VERBS,
    word_set,
)
from nbagents.models.offline.language.mention import Mention
from nbagents.models.offline.language.moods import Mood
from nbagents.models.offline.language.numbers import numbers_of, plain_number
from nbagents.models.offline.language.prompt import Reading, read
from nbagents.models.offline.language.units import dimension_of, measures, rescaled, unit_names
from nbagents.models.offline.language.words import (
    NEXT,
    Word,
    abbreviates,
    humanise,
    related,
    split_name,
    stem,
    stems,
)

__all__ = [
    "COMMON_NOUNS",
    "DETERMINERS",
    "FRAMES",
    "GENERIC_VERBS",
    "HOW",
    "NEGATIONS",
    "NEXT",
    "PARTICLES",
    "PRONOUNS",
    "QUESTION_WORDS",
    "READING_VERBS",
    "STOP_WORDS",
    "VERBS",
    "WRITING_VERBS",
    "Clause",
    "Mention",
    "Mood",
    "Reading",
    "Word",
    "abbreviates",
    "dimension_of",
    "humanise",
    "measures",
    "numbers_of",
    "plain_number",
    "read",
    "refers",
    "related",
    "rescaled",
    "split_name",
    "stem",
    "stems",
    "unit_names",
    "word_set",
]
