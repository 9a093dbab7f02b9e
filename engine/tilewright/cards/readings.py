"""Readings: how the card language resolves ambiguities, with lines that show it.

The page of the language prints them, and a test counts their hands.
"""

from dataclasses import dataclass

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
