"""What people write on cards: phrases of printed ones with what to type for them, and how ambiguities are resolved.

Notes are for readers and change no hand; if one of these phrases is in a note or a line, a code was meant. The page of
the language prints them all, and a test counts their hands. Knows no line.
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


# --- readings, with lines that show them


CountedLine = tuple[str, int]  # a line, and how many hands it has


@dataclass(frozen=True, slots=True)
class CardReading:
    """One meaning, with lines that show it."""

    says: str
    lines: tuple[CountedLine, ...]


@dataclass(frozen=True, slots=True)
class Chapter:
    """Readings about one thing."""

    title: str
    readings: tuple[CardReading, ...]


SETS = Chapter(
    "Sets",
    (
        CardReading(
            "A run of equal characters is one set; a space, a sign or a colour ends it. `11 11` is two pairs, `1111` "
            "one set of four: two different hands of the same tiles.",
            (("FF 11 11 2222 3333 X25", 3), ("FF 1111 2222 3333 X25", 3)),
        ),
        CardReading(
            "Sets are numbered from 0, in each pattern by itself. `NEWS` is four sets of one tile.",
            (("FF 1111 NEWS a2222 *6 X25", 9),),
        ),
        CardReading(
            "No other space is needed, and none may separate a code from its characters. `f`, `n`, `e`, `w`, `s` and "
            "the letters of codes may be small; `X`, `D`, `G`, `R`, `A` may not, as small ones mean something else, "
            "and `c` is closed only behind a code. `Ye` is even, `YE` the wind.",
            (("FF222444666888X25", 3), ("ff 1111 news DDDD l c50", 27)),
        ),
        CardReading("`x`, `+`, `-` and `=` are printed but are not tiles.", (("FF 2222 + 4444 = 6666 X25", 3),)),
        CardReading(
            "A missing value is 25, a missing ending `X25`.",
            (("FF 222 444 666 888", 3), ("FF 222 444 666 888 C", 3)),
        ),
    ),
)

SUITS = Chapter(
    "Colours and suits",
    (
        CardReading(
            "A colour stays until the next one. A line begins in green, and so does its second pattern.",
            (("111 r222 333 44444 X25", 6), ("FF 222 r444 b666 888 | FF 222 444 666 888 X25", 9)),
        ),
        CardReading(
            "Sets of one colour have one suit, sets of two colours have two suits.",
            (("22 444 r44 666 8888 X25", 6), ("FF 1111 r1111 b1111 L X25", 9)),
        ),
        CardReading(
            "`D` is the dragon that goes with its suit: `G` with bams, `R` with craks, `0` with dots. `G`, `R`, `0` "
            "themselves have no suit, like winds and flowers.",
            (("FFFF NNN DDD EEEE X25", 3), ("FFFF NNN 000 EEEE X25", 1)),
        ),
        CardReading(
            "`m`, `c`, `d` are bams, craks, dots, whatever suits the colours are: a colour may be the same suit.",
            (("FF m222 444 666 888 X25", 1), ("FF m222 g222 444 666 X25", 3)),
        ),
        CardReading(
            "`a` is any suit, whatever the others are. The sets listed after one `*` share it; a second `*` "
            "has a suit of its own.",
            (("FF 222 444 a666 888 *34 X25", 9), ("FF 222 444 a666 888 *3 *4 X25", 27)),
        ),
    ),
)

PATTERNS = Chapter(
    "Two patterns, two codes",
    (
        CardReading(
            "The codes of a line hold for both of its patterns; a set number that only one of them has changes only "
            "that one, with a warning. A hand that both have is counted once.",
            (("FF 1111 NEWS DDDD | FF 1111 NEWS 0000 L X25", 45), ("FF 1111 NEWS DDDD o FF 1111 NEWS 0000 L X25", 45)),
        ),
        CardReading(
            "Of two codes, the second works on everything made by the first, so their order matters. `T` and "
            "`!` are not counted.",
            (("FF 111 222 333 DDD L Va X25", 108), ("FF 111 222 333 DDD Va L X25", 42)),
        ),
        CardReading(
            "Two hands are one if they have the same sets of the same tiles.",
            (("FF 1111 r1111 b1111 X25", 1), ("FFF 333 6666 9999 # X25", 9)),
        ),
    ),
)

CODES = Chapter(
    "What codes change",
    (
        CardReading(
            "`I A P K Q Z` change all sets that they mean together, and keep their colours; the typed hand remains.",
            (("FF 222 r222 DDD 888 P246 X25", 18), ("NN NNNN 222 DDD 44 ZNEWS X25", 12)),
        ),
        CardReading(
            "`L` and `Lo` replace the 1, `Le` the 2; a pattern without it stays as it is.",
            (
                ("FF 1111 NEWS DDDD L X25", 27),
                ("FF 1111 NEWS DDDD Lo X25", 15),
                ("FF 2222 NEWS DDDD Le X25", 12),
            ),
        ),
        CardReading(
            "`V` moves all numbers of a pattern together, by one, or by two for `o` and `e`; only up, never past 9.",
            (("111 222 333 44 DDD Va X25", 18), ("111 333 555 77 DDD Vo X25", 6), ("FFFF 22 444 66666 Ve X25", 6)),
        ),
        CardReading(
            "`U` makes every two different numbers, each in both places.",
            (("FF 1111 8888 NEWS UK18 X25", 108), ("FF 1111 r8888 NEWS UK18 X25", 216)),
        ),
        CardReading(
            "With `!` every number made by `L` or `U`, and every number of a run, must be listed, including "
            "those typed.",
            (
                ("FF 1111 NEWS DDDD !135 L X25", 9),
                ("111 222 333 44 DDD !2345678 Va X25", 12),
                ("FF 1111 8888 NEWS !159 UK18 X25", 9),
            ),
        ),
        CardReading(
            "`>` makes only what it lists: the typed hand remains only if it is listed.",
            (("FF 333 666 999 333 >469 X25", 6), ("FF 333 666 999 333 >4369 X25", 9)),
        ),
        CardReading(
            "`Y` leaves the first pair of a number as it is; every later pair of the same number becomes each "
            "value, all the same one.",
            (("FF DD 11 r11 b11 NEWS Yo X25", 15),),
        ),
        CardReading(
            "`H` moves the pair through the sets that it lists; sets of its number that it does not list take the "
            "number of the pair.",
            (("11 2 3 4 5 FFFF NNNN H01234 X25", 15), ("11 2 3 4 r1111 b11111 H0123 X25", 24)),
        ),
        CardReading(
            "`#` puts the different numbers of a pattern in every order; sizes and colours stay in their places.",
            (("FFF 333 6666 9999 # X25", 9),),
        ),
        CardReading(
            "`~` swaps N with E and S with W everywhere; the typed hand remains.",
            (("FF NNNN SSSS 22 44 ~ X25", 6),),
        ),
    ),
)

READINGS = (SETS, SUITS, PATTERNS, CODES)
