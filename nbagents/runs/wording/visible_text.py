r"""The one escaper: what would act unseen, look blank, or pass for something else is written out.

`js/src/visible-text.ts` does the same, and both pass `tests/fixtures/visible.json`. What is
legitimate stays as it is read: emoji made of several, joiners inside of Persian and Indic words,
flags, accents. Whatever comes out comes out again unchanged.

Sources: Unicode Standard Annex 44 (general categories, Default_Ignorable_Code_Point), Unicode
Technical Standard 39 (mixed scripts, look-alikes).
"""

from __future__ import annotations

import functools
import re
import unicodedata
from typing import Final

UNSEEN: Final = (
    r"\x00-\x08\x0b-\x1f\x7f-\x9f\xad\u034f\u0600-\u0605\u061c\u06dd\u070f\u0890\u0891\u08e2"
    r"\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u2028-\u202e\u2060-\u206f\u2800\u3164"
    r"\ud800-\uf8ff\ufdd0-\ufdef\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb\ufffe\uffff"
    r"\U000110bd\U000110cd\U00013430-\U0001343f\U0001bca0-\U0001bca3\U0001d173-\U0001d17a"
    + "".join(rf"\U{plane:04x}fffe\U{plane:04x}ffff" for plane in range(1, 14))
    + r"\U000e0000-\U000e0fff\U000efffe-\U0010ffff"
)
"""Controls, formats, separators, surrogates, private use, no characters, what looks blank."""
SPACES: Final = r"\xa0\u1680\u2000-\u200a\u202f\u205f\u3000"
"""They look like a space and are none."""
LINES: Final = r"\t\n"
CONTROLS: Final = re.compile(r"[\x00-\x08\x0b-\x1f\x7f]")
ON_ONE_LINE: Final = re.compile(r"[\x00-\x1f\x7f]")

EMOJI: Final = (
    r"[\xa9\xae\u203c\u2049\u2122\u2139\u2194-\u21aa\u231a-\u27bf\u2900-\u2bff\u3030\u303d\u3297\u3299"
    r"\U0001f000-\U0001faff]"
)
SKIN: Final = r"[\U0001f3fb-\U0001f3ff]"
ONE: Final = rf"{EMOJI}[\ufe0e\ufe0f]?{SKIN}?"
TAGGED: Final = (
    "\U0001f3f4(?:"
    + "|".join("".join(chr(0xE0000 + ord(one)) for one in of) for of in ("gbeng", "gbsct", "gbwls"))
    + ")\U000e007f"
)
"""The flags of England, Scotland and Wales."""
JOINED: Final = r"[\u0620-\u06d3\u06fa-\u06ff\u0750-\u077f\u08a0-\u08c7\u0900-\u0dff]"
"""Scripts in whose words a joiner belongs."""
LEGITIMATE: Final = (
    rf"{TAGGED}|{ONE}(?:\u200d{ONE})*|[0-9#*]\ufe0f\u20e3|{JOINED}[\u200c\u200d](?={JOINED})"
)
NO_BASE: Final = rf"[\x00-/:-@\[-`{{-\x7f{SPACES}]"
"""What a combining mark would stand on without being seen for what it is."""
MOST_MARKS: Final = 6
"""On one letter; more of them would cover the lines around it."""

LATIN: Final = (
    r"\xc0-\xd6\xd8-\xf6\xf8-\u0130\u0134-\u0137\u0139-\u013e\u0141-\u0148\u014a-\u017e"
    r"\u1e02-\u1e99\u1ea0-\u1ef9"
)
"""Letters with accents, which look like what they are."""
CJK: Final = r"\u3041-\u3096\u30a1-\u30fa\u30fc\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7a3"
BESIDE: Final = (
    r"\u2014\u201c\u201d\xab\xbb\u200d\ufe0e\ufe0f\u231a-\u23ff\u25a0-\u27bf\u2b00-\u2bff"
    r"\U0001f000-\U0001f0ff\U0001f1e6-\U0001faff"
)
"""What may stand beside letters in a name without being taken for one."""
SCRIPTS: Final = (
    r"\u0370-\u03ff\u1f00-\u1fff",  # Greek
    r"\u0400-\u052f",  # Cyrillic
    r"\u0530-\u058f",  # Armenian
    r"\u0590-\u05ff",  # Hebrew
    r"\u0600-\u06ff\u0750-\u077f\u08a0-\u08ff\u200c",  # Arabic
    *(rf"\u{at:04x}-\u{at + 0x7F:04x}\u200c" for at in range(0x900, 0xE00, 0x80)),  # of India
    r"\u0e00-\u0e7f",  # Thai
    r"\u0e80-\u0eff",  # Lao
    r"\u0f00-\u0fff",  # Tibetan
    r"\u1000-\u109f",  # Burmese
    r"\u10d0-\u10ff",  # Georgian
    r"\u1200-\u137f",  # Ethiopic
    r"\u1780-\u17ff",  # Khmer
)
LOOK_ALIKES: Final = (
    "\u0391\u0392\u0395\u0396\u0397\u0399\u039a\u039c\u039d\u039f\u03a1\u03a4\u03a5\u03a7\u03b1"
    "\u03b3\u03b9\u03ba\u03bd\u03bf\u03c1\u03c3\u03c5\u03f2\u03f3"
    "\u0405\u0406\u0408\u0410\u0412\u0415\u041a\u041c\u041d\u041e\u0420\u0421\u0422\u0423\u0425\u042c"
    "\u0430\u0435\u043e\u0440\u0441\u0443\u0445\u0455\u0456\u0458\u0475\u04ae\u04af\u04bb\u04cf\u0501"
    "\u050c\u051a\u051b\u051c\u051d"
    "\u0531\u053c\u054d\u054f\u0555\u0561\u0563\u0566\u0570\u0578\u057d\u0581\u0584\u0585"
    "\u05d5\u05d7\u05d8\u05df\u05e1\u0627\u0647\u0660\u0661\u0665\u06f0\u06f1\u06f5"
)
"""Letters and digits that look like those of ASCII: a name of nothing else is suspect."""
WRITTEN: Final = {"\n": r"\n", "\t": r"\t", "\r": r"\r"}


def visible(text: str) -> str:
    r"""Prose, with what would act unseen written out by its code point, e.g. `\x1b`, `\u202e`."""
    return _written_out(text.replace("\r\n", "\n"), "")


def exact(text: str) -> str:
    """A value: also the spaces that only look like one are written out."""
    return _written_out(text, SPACES)


def plain(text: str) -> str:
    """A value on one line: also the ends of lines, and tabs."""
    return _written_out(text, SPACES + LINES)


def visible_name(name: str) -> str:
    r"""A name on one line; one that could pass for another shows its code points: `p\u0430y`.

    That is: letters of several scripts, of an alphabet of look-alikes, or ornamental ones. Names
    in one script, and Latin beside Chinese, Japanese and Korean, stay as they are.
    """
    shown = plain(name)
    if shown.isascii() or _is_of_one_script(shown):
        return shown
    return "".join(one if one.isascii() else _code_point(one) for one in shown)


def _written_out(text: str, more: str) -> str:
    if text.isascii():
        controls = ON_ONE_LINE if LINES in more else CONTROLS
        return text if text.isprintable() else controls.sub(_code_points, text)
    return _pattern(more).sub(_replaced, text)


def _replaced(found: re.Match[str]) -> str:
    kept = found["kept"] or found["on"] or found["most"] or ""
    wrong = found["wrong"] or found["marks"] or found["rest"] or ""
    return kept + "".join(map(_code_point, wrong))


def _code_points(found: re.Match[str]) -> str:
    return "".join(map(_code_point, found[0]))


def _code_point(one: str) -> str:
    code = ord(one)
    if one in WRITTEN:
        return WRITTEN[one]
    return f"\\x{code:02x}" if code < 0x100 else ascii(one)[1:-1]  # one byte


@functools.cache
def _pattern(more: str) -> re.Pattern[str]:
    mark = f"[{_marks()}]"
    return re.compile(
        rf"(?P<kept>{LEGITIMATE})|(?P<wrong>[{UNSEEN}{more}]{mark}*)"
        rf"|(?P<on>^|{NO_BASE})(?P<marks>{mark}+)"
        rf"|(?P<most>{mark}{{{MOST_MARKS}}})(?P<rest>{mark}+)"
    )


@functools.cache
def _marks() -> str:
    """What stands on the letter before it, as ranges; Unicode has no shorter name for it here."""
    ranges: list[str] = []
    begin, unseen = None, re.compile(f"[{UNSEEN}]")
    for code in range(0x300, 0x1FFFF):
        is_mark = unicodedata.category(chr(code)) in ("Mn", "Me") and not unseen.match(chr(code))
        if is_mark and begin is None:
            begin = code
        elif not is_mark and begin is not None:
            ranges.append(f"{chr(begin)}-{chr(code - 1)}")
            begin = None
    return "".join(ranges)


def _is_of_one_script(name: str) -> bool:
    usual, *others = _scripts()
    if usual.fullmatch(name):
        return True
    if not any(one.fullmatch(name) for one in others):
        return False
    return any(one.isalpha() and not one.isascii() and one not in LOOK_ALIKES for one in name)


@functools.cache
def _scripts() -> tuple[re.Pattern[str], ...]:
    """The names that are Latin, perhaps beside Chinese; and those of one other script alone."""
    usual = re.compile(rf"[ -~{LATIN}{CJK}{BESIDE}]*")
    return usual, *(re.compile(rf"[ -@\[-`{{-~{BESIDE}{one}]*") for one in SCRIPTS)
