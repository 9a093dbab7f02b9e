"""Phrases of printed cards: the words next to their lines, and what to type for them.

Notes are for readers and change no hand; if one of these phrases is in a note or a line, a code was meant. The
page of the language prints the table. Knows no line.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class CardPhrase:
    """A phrase. `example`: as printed; `words`: as matched, in small letters; `code`: the code for it, as typed in
    `line`, which has this many `hands`; empty if the sets express it already. `says`: the code in words."""

    words: re.Pattern[str]
    code: str
    says: str
    line: str
    hands: int
    example: str


def card_phrase(words: str, code: str, says: str, line: str, hands: int, *, example: str) -> CardPhrase:
    return CardPhrase(re.compile(words), code, says, line, hands, example)


LIST = r"\b[1-9](?:\s*,\s*[1-9])*\s*,?\s*or\s+[1-9]\b"  # 3, 6 or 9
SIZED = r"\b[pkq]\w+[gt]s?\b"  # sets of three, four and five have names that begin like their codes
RUN = r"(?:\bconsec\w*|\bruns?\b|\bin a row\b|\bin sequence\b)"
LIKE = rf"(?:\bany like\b|\blike (?=odd|even|nos?\b|num|pair|set|{SIZED}))"

SAYINGS = (
    card_phrase(
        r"\b(?:any )?(?:[1-3]|one|two|three)? ?(?:same |different )?suits?\b",
        "",
        "nothing: sets of other colours are of other suits",
        "22 444 r44 666 8888 X25",
        6,
        example="any 1 suit, any 2 suits, any 3 suits",
    ),
    card_phrase(
        r"\b(?:these|those|this)\b[^,;]*\bonly\b",
        "",
        "nothing, or `T`",
        "FF 222 444 666 888 T X25",
        3,
        example="these numbers only",
    ),
    card_phrase(
        r"\b(?:matching|opp\w*\.?|same) dragons?\b",
        "",
        "`D` in the colour of its suit",
        "FF 1111 2222 rDDDD X25",
        6,
        example="matching dragons, opposite dragon",
    ),
    card_phrase(
        r"\bany flowers?\b", "", "nothing: `F` is any flower", "FF 1111 2222 3333 X25", 3, example="any flowers"
    ),
    card_phrase(
        rf"{RUN}.*\bodds?\b|\bodds?\b.*{RUN}",
        "Vo",
        "the first run, and `Vo`",
        "111 333 555 77 DDD Vo X25",
        6,
        example="any run of odd numbers",
    ),
    card_phrase(
        rf"{RUN}.*\bevens?\b|\bevens?\b.*{RUN}",
        "Ve",
        "the first run, and `Ve`",
        "FFF 22 444 66 DDDD Ve X25",
        6,
        example="any run of even numbers",
    ),
    card_phrase(
        RUN,
        "Va",
        "the first run, and `Va`",
        "111 222 333 44 DDD Va X25",
        18,
        example="any run, any 3 consecutive numbers",
    ),
    card_phrase(
        rf"{LIKE}\s*odds?\b",
        "Lo",
        "1s, and `Lo`",
        "FF 1111 r1111 b1111 Lo X25",
        5,
        example="any like odd numbers",
    ),
    card_phrase(
        rf"{LIKE}\s*evens?\b",
        "Le",
        "2s, and `Le`",
        "FF 2222 r2222 b2222 Le X25",
        4,
        example="any like even numbers",
    ),
    card_phrase(
        rf"\b(?:different|unlike|any (?:2|two)) (?:nos?\b|numbers?\b|{SIZED})",
        "UK18",
        "two of the numbers, and `U` with their size and both",
        "FFF 1111 8888 DDD UK18 X25",
        108,
        example="any 2 different numbers",
    ),
    card_phrase(r"\bin any order\b|\bany order\b", "#", "`#`", "FFF 333 6666 9999 # X25", 9, example="in any order"),
    card_phrase(
        r"\bopp\w*\.?\s+winds?\b|\bopposites?\b",
        "~",
        "N with S, or NN and SS, and `~`",
        "NNNN SSSS 11 22 33 ~ X25",
        6,
        example="any opposite winds",
    ),
    card_phrase(
        rf"\bpairs? (?:is |are |may be )?(?:any\b|{LIST})|\bany pairs?\b",
        "A369",
        "one of them, and `A` with all; `>` for one set of its own",
        "33 666 r666 9999 NN A369 X25",
        18,
        example="pair any 3, 6 or 9",
    ),
    card_phrase(
        rf"\bany (?:[1-4] )?winds?\b|{SIZED}(?: of)? any winds?\b",
        "KNEWS",
        "N, and `I A P K Q` (one to five tiles) with all four",
        "FF NNNN 1111 DDDD KNEWS X25",
        12,
        example="kong any wind",
    ),
    card_phrase(
        r"\bany dragons?\b",
        "KGR0",
        "G, and `I A P K Q` (one to five tiles) with all three",
        "FF 1111 r1111 GGGG KGR0 X25",
        9,
        example="kong any dragon",
    ),
    card_phrase(
        rf"{SIZED} (?:any\b|{LIST})|\bany (?:[1-4] )?{SIZED}|{LIST}",
        "K2468",
        "one of them, and `P K Q` (three to five tiles) with all",
        "FF 2222 r44 66 b2222 K2468 X25",
        12,
        example="kongs 2, 4, 6 or 8",
    ),
    card_phrase(
        rf"{LIKE}|\bany (?:nos?\b|numbers?\b)",
        "L",
        "1s, and `L`",
        "FF 1111 r1111 b1111 L X25",
        9,
        example="any like numbers, any number",
    ),
)


def codes_of(note: str) -> Iterable[tuple[str, str]]:
    """The phrases in a note that mean a code, each with the code; those that the sets express are skipped."""
    text = note.lower()
    for one in SAYINGS:
        if not one.code:
            text = one.words.sub(lambda found: " " * len(found[0]), text)
    if "only" in text and "any" not in text:
        return
    for one in SAYINGS:
        if one.code and (found := one.words.search(text)):
            yield note[found.start() : found.end()].strip(), one.code
