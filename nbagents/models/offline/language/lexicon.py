"""Closed word classes of English: function words, everyday verbs, negations, number words.

Nothing here belongs to a subject: the planner knows grammar, and the tools bring their own words.
"""

from __future__ import annotations


def word_set(text: str) -> frozenset[str]:
    """The words of a text as a set."""
    return frozenset(text.split())


QUESTION_WORDS = word_set("what which who whom whose when where why how")
AUXILIARIES = word_set(
    "is are was were am be been being do does did can could will would shall should may might "
    "must has have had"
)
PRONOUNS = word_set("it its them they their that this these those there him her his she he")
DETERMINERS = word_set(
    "the a an my our your his her their this that these those some all every each any"
)
PARTICLES = word_set("in out to up on into off down away back")
"""What may follow a verb at once: `scroll to`, `turn off`."""
NEGATIONS = word_set(
    "no not without never don't dont doesn't doesnt isn't exclude excluding excluded disable "
    "disabled skip omit off except non"
)
SEQUENCE_WORDS = word_set("then afterwards next finally lastly later")

STOP_WORDS = (
    QUESTION_WORDS
    | AUXILIARIES
    | PRONOUNS
    | SEQUENCE_WORDS
    | word_set(
        "a an the of to in on at for from by with and or but if as into onto over under about "
        "than so i me my mine we us our you your yours some any all both each every please "
        "also just now let's lets let i'd i'm i'll i've we've we'll you've they've we'd we're "
        "it's what's where's who's interested curious "
        "how's that's there's here such very too only more most other another own same up down "
        "out via per not no want need like would'd help kindly hey hi hello thanks thank able "
        "given using use based respectively first second secondly firstly third thirdly well "
        "additionally furthermore moreover besides however "
        "between within during while after before because since until one ones s t e g"
    )
)

READING_VERBS = word_set(
    "find search look lookup locate discover query seek get fetch retrieve obtain read check "
    "give tell list know determine identify compare describe explain count calculate compute "
    "evaluate estimate solve convert translate analyze analyse predict verify resolve measure "
    "inspect summarize detect recommend"
)
WRITING_VERBS = word_set(
    "set change update modify edit adjust alter move put add create make insert write delete "
    "remove erase drop clear cancel send deliver post submit notify buy purchase order book "
    "reserve rename close stop start open launch run execute begin turn switch enable disable "
    "save store upload download install restart schedule assign transfer pay register reset "
    "play pause draw plot share invite mark rotate flip mix apply"
)
VERBS = (
    READING_VERBS
    | WRITING_VERBS
    | word_set(
        "show view display see provide generate plan design build suggest recall log track "
        "return perform conduct choose select pick organize organise arrange prepare review "
        "test sort filter plot focus go point report remind email mail call print visit "
        "take throw bring lower raise reduce increase enter protect unlock rename paste "
        "empty feed heat "
        "brighten mute connect disconnect archive approve reject accept decline confirm "
        "withdraw deposit "
        "borrow lend skip discard preheat enroll cook bake wash swap exchange "
        "visualize simulate congratulate try join imagine include suppose consider assume remember"
    )
)
"""Verbs that open a clause: where `and` meets one, a new wish begins."""

GENERIC_VERBS = word_set(
    "find search look lookup locate get fetch retrieve obtain read check give tell know list "
    "show view display see determine identify calculate compute evaluate estimate set change "
    "update modify edit adjust alter move put add create make generate provide perform help "
    "choose select use want need return begin start run go know explain describe plan try "
    "conduct where when who"
)
"""Verbs (and question words) that fit almost any tool, and so tell little."""

COMMON_NOUNS = word_set(
    "number list name data information info value values detail details result results item "
    "items type kind function tool agent current new specific particular certain different "
    "various user good best available two three set way part following provided specified "
    "today next last"
)

SYNONYMS = tuple(
    word_set(group)
    for group in (
        "find search lookup look locate query seek discover where",
        "get fetch retrieve obtain read check tell give know list",
        "show display view see present draw plot visualize",
        "calculate compute determine evaluate estimate solve calculation",
        "create make add new insert generate build",
        "delete remove erase drop clear",
        "set change update modify edit adjust alter",
        "move shift go",
        "convert translate transform turn conversion",
        "send deliver notify mail email message",
        "buy purchase order book reserve booking reservation",
        "open start launch run execute begin",
        "close stop end quit",
        "price cost fee expensive",
        "when date time schedule",
        "picture image photo",
        "big large size",
        "job task work",
        "talk chat speak",
        "next upcoming",
        "recent latest newest last",
        "many count total quantity",
        "who name person",
        "multiply times product multiplication",
        "add plus sum addition total",
        "subtract minus difference subtraction",
        "divide division quotient",
    )
)

FRAMES = {
    "enter": word_set(
        "add create make insert enter write log record note put register track save store report "
        "mark file post append include jot document"
    ),
    "take out": word_set(
        "remove delete erase clear drop discard cancel withdraw scratch undo dispose throw "
        "expel exclude unsubscribe trash"
    ),
    "change": word_set(
        "change set update modify edit adjust alter turn switch lower raise increase "
        "reduce decrease rename protect reset move put lift correct replace"
    ),
    "move": word_set("move transfer shift put bring carry rename relocate send shelve"),
    "buy": word_set("buy order purchase book reserve"),
    "tell": word_set(
        "send mail email write notify message forward invite remind text report share post"
    ),
    "begin": word_set("start play launch begin open heat preheat turn switch enable resume"),
    "end": word_set("stop close end pause cancel turn switch disable finish shut quit"),
    "pay": word_set("pay transfer send settle remit"),
}
"""Verbs that may mean one deed; a verb may belong to several."""

HOW = {
    "long": "time duration hours days",
    "far": "distance",
    "heavy": "weight mass",
    "old": "age",
    "big": "size",
    "large": "size",
    "tall": "height",
    "high": "height",
    "fast": "speed",
    "quick": "speed time",
    "expensive": "price cost",
    "deep": "depth",
    "wide": "width",
    "loud": "volume",
    "busy": "free",
}
"""What a question with `how` asks for: `how far` is the distance."""
PHRASAL = {
    ("take", "off"): "remove",
    ("take", "out"): "remove",
    ("take", "away"): "remove",
    ("get", "rid"): "remove",
    ("throw", "away"): "discard",
    ("throw", "out"): "discard",
    ("put", "on"): "add",
    ("put", "in"): "add",
    ("put", "into"): "add",
    ("put", "onto"): "add",
    ("put", "down"): "note",
    ("put", "aside"): "shelve",
    ("set", "aside"): "shelve",
    ("write", "down"): "note",
    ("jot", "down"): "note",
    ("work", "out"): "calculate",
    ("figure", "out"): "calculate",
    ("look", "up"): "find",
    ("find", "out"): "find",
    ("call", "off"): "cancel",
    ("book", "in"): "register",
    ("check", "in"): "register",
}
"""What a verb means with a particle after it: `take … off`."""
IRREGULAR = {
    form: verb
    for verb, forms in {
        "sleep": "slept",
        "buy": "bought",
        "sell": "sold",
        "pay": "paid",
        "spend": "spent",
        "drink": "drank drunk",
        "eat": "ate eaten",
        "write": "wrote written",
        "take": "took taken",
        "give": "gave given",
        "leave": "left",
        "run": "ran",
        "swim": "swam swum",
        "ride": "rode ridden",
        "drive": "drove driven",
        "fly": "flew flown",
        "send": "sent",
        "win": "won",
        "lose": "lost",
        "keep": "kept",
        "sing": "sang sung",
        "speak": "spoke spoken",
        "meet": "met",
        "sit": "sat",
        "hear": "heard",
        "big": "biggest bigger",
        "large": "largest larger",
        "small": "smallest smaller",
        "cheap": "cheapest cheaper",
        "fast": "fastest faster",
        "long": "longest longer",
        "high": "highest higher",
        "sow": "sown",
        "grow": "grown",
    }.items()
    for form in forms.split()
}
"""Forms that no ending leads back from."""

NUMBER_WORDS = {
    word: value
    for value, word in enumerate(
        [
            "zero",
            "one",
            "two",
            "three",
            "four",
            "five",
            "six",
            "seven",
            "eight",
            "nine",
            "ten",
            "eleven",
            "twelve",
            "thirteen",
            "fourteen",
            "fifteen",
            "sixteen",
            "seventeen",
            "eighteen",
            "nineteen",
            "twenty",
        ]
    )
} | {
    "thirty": 30,
    "forty": 40,
    "fifty": 50,
    "sixty": 60,
    "seventy": 70,
    "eighty": 80,
    "ninety": 90,
    "dozen": 12,
}
SCALE_WORDS = {
    "hundred": 100,
    "thousand": 1_000,
    "million": 1_000_000,
    "billion": 1_000_000_000,
    "k": 1_000,
    "bn": 1_000_000_000,
}

MONTHS = {
    month[:length]: number
    for number, month in enumerate(
        [
            "january",
            "february",
            "march",
            "april",
            "may",
            "june",
            "july",
            "august",
            "september",
            "october",
            "november",
            "december",
        ],
        start=1,
    )
    for length in {3, len(month)}
} | {"sept": 9}
WEEKDAYS = word_set("monday tuesday wednesday thursday friday saturday sunday")
ABBREVIATIONS = word_set("mr mrs ms dr prof st vs inc ltd co corp no e.g i.e etc approx jr sr")
