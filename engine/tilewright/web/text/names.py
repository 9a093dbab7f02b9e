"""Names of people, tables and documents. In: any text. Out: one line in which nothing is hidden.

The database is cleaned by the same function when names were written before it (`storage/migrations`).
"""

import re
import unicodedata
from collections.abc import Iterator

INVISIBLE = frozenset(("Cc", "Cf", "Cs", "Co", "Cn"))  # categories of characters
BLANK = frozenset(  # letters, marks and symbols that nobody sees: fillers, joiners, variation selectors
    map(
        chr,
        (
            *(0x034F, 0x115F, 0x1160, 0x17B4, 0x17B5, 0x2800, 0x3164, 0xFFA0),
            *range(0x180B, 0x1810),
            *range(0xFE00, 0xFE10),
            *range(0xE0100, 0xE01F0),
        ),
    )
)
MOST_MARKS = 3  # on one letter
ID = re.compile(r"^id: [\"']?([a-z][a-z0-9_]{0,59})\b", re.MULTILINE)
LOOKED_AT = 10  # times as many characters as a name may have: putting marks in order takes the square of their number


def clean_name(text: str, most: int) -> str:
    """A text as a name of at most so many characters: one line in NFC, without characters that are invisible, look like
    a space or turn the line around, and with a few marks on a letter. Empty if nothing is left."""
    signs = text[: LOOKED_AT * most]
    seen = "".join(" " if sign.isspace() else sign for sign in signs if sign.isspace() or is_seen(sign))
    line = " ".join("".join(with_few_marks(unicodedata.normalize("NFC", seen))).split())
    return line[:most].strip()


def id_in(text: str) -> str:
    """The id that the text of a document gives itself; empty if none is seen."""
    found = ID.search(text)
    return found[1] if found is not None else ""


def is_seen(sign: str) -> bool:
    return sign not in BLANK and unicodedata.category(sign) not in INVISIBLE


def with_few_marks(text: str) -> Iterator[str]:
    """The characters without marks on nothing, and with so many on each letter."""
    room = 0
    for sign in text:
        if unicodedata.category(sign) not in ("Mn", "Me"):
            room = 0 if sign == " " else MOST_MARKS
            yield sign
        elif room:
            room -= 1
            yield sign
