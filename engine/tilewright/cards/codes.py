"""Codes, which follow the sets of a line and make many patterns of one; each declared once.

A code is a function from the sets of a pattern to the sets of every pattern that it becomes. Its docstring is the
documentation; `@code` declares its characters and example lines with their hands. The checks of a line, the reference
page and suggestions follow from it. The grammar lists their letters again, and the small print on a drawn card has
words for each; tests keep both in step.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations, permutations
from typing import NamedTuple

from tilewright.cards.model import NUMBERS

ODD, EVEN = NUMBERS[::2], NUMBERS[1::2]
NUMBERS_OF = {"": NUMBERS, "o": ODD, "e": EVEN}
STEP_OF = {"a": 1, "o": 2, "e": 2}
SIZES = {"I": 1, "A": 2, "P": 3, "K": 4, "Q": 5}
OPPOSITE = {"N": "E", "E": "N", "S": "W", "W": "S"}

TILE = "[1-9DGR0FNEWS]"
LETTERS = "two or more letters of tiles"
SET_NUMBERS = "the numbers of sets, counted from 0"


class SetPart(NamedTuple):
    """A set during expansion. `colour`: as in a CardSet, or the name of a free suit of its own."""

    letter: str
    size: int
    colour: str


Parts = tuple[SetPart, ...]
part = lru_cache(maxsize=4_096)(SetPart)  # equal parts are one, as patterns are many


@dataclass(frozen=True, slots=True)
class Stage:
    """The state of a stage. `only`: the numbers that may result. `free`: the name of a free suit that no other stage
    has. `ordered`: a later stage uses the numbers of sets, so that their order counts."""

    chars: str = ""
    only: str = NUMBERS
    free: str = ""
    ordered: bool = False


Expand = Callable[[Parts, Stage], Iterator[Parts]]


@dataclass(frozen=True, slots=True)
class Expander:
    """A code. `takes`: its characters in words, `chars` as a pattern. `examples`: lines and how many hands they have.
    `sets`: which of the characters are numbers of sets. `ordered`: the order of the sets counts. `stage`: whether it is
    one."""

    letter: str
    name: str
    takes: str
    chars: re.Pattern[str]
    doc: str
    examples: tuple[tuple[str, int], ...]
    expand: Expand
    sets: slice
    ordered: bool
    stage: bool

    def canonical(self, typed: str) -> str:
        """The characters in canonical case; as typed if the case matters (YE is a wind, Ye even)."""
        forms = (typed, typed.upper(), typed.lower())
        return next((form for form in forms if self.chars.fullmatch(form)), typed.upper())

    @property
    def says(self) -> str:
        """The first sentence of its documentation."""
        return self.doc.partition(". ")[0].rstrip(".")

    @property
    def sample(self) -> str:
        """The code with its characters, from an example."""
        found = re.search(re.escape(self.letter) + f"({self.chars.pattern})", self.examples[0][0])
        return found[0] if found else self.letter


CODES: dict[str, Expander] = {}


def code(
    letter: str,
    takes: str,
    chars: str,
    *examples: tuple[str, int],
    sets: int | None = 0,
    ordered: bool = False,
    stage: bool = True,
) -> Callable[[Expand], Expand]:
    """Declare the function as a code. `sets`: this many characters are numbers of sets; None: all are."""

    def declare(expand: Expand) -> Expand:
        name = getattr(expand, "__name__", letter).replace("_", " ")
        doc = " ".join((expand.__doc__ or "").split())
        CODES[letter] = Expander(
            letter, name, takes, re.compile(chars), doc, examples, expand, slice(sets), ordered or sets != 0, stage
        )
        return expand

    return declare


def turned(parts: Parts, into: Mapping[str, str], size: int = 0) -> Parts:
    """The sets with other letters, all together; with a size, only sets of that size change."""
    return tuple(
        part(into[one.letter], one.size, one.colour) if one.letter in into and size in (0, one.size) else one
        for one in parts
    )


def numbers_in(parts: Parts) -> list[str]:
    """The different numbers, ascending."""
    return sorted({one.letter for one in parts if one.letter in NUMBERS})


# --- nothing


@code(
    "T",
    "nothing",
    "",
    ("FF 222 444 666 888 T X25", 3),
    ("22 444 r44 666 8888 T X25", 6),
    ("NNNN EEEE WWWW SS T X25", 1),
    ("FFF 1111 r2222 b333 T X25", 6),
    ("11 333 5555 777 99 | 11 333 r5555 777 99 T", 9),
    ("FF 111 DDD rDDD bDDD T X25", 3),
    stage=False,
)
def these_only(parts: Parts, stage: Stage) -> Iterator[Parts]:
    """These numbers only: nothing else is made of the pattern. A line without codes means the same."""
    yield parts


# --- like sets


def like(parts: Parts, stage: Stage, size: int = 0) -> Iterator[Parts]:
    """The sets of the first letter as each letter of the list, the first included."""
    first = stage.chars[0]
    return (turned(parts, {first: letter}, size) for letter in stage.chars)


@code(
    "I",
    LETTERS,
    TILE + "{2,}",
    ("FFFF NNNN E WWWW D IEN X25", 6),
    ("FFFF NNN EEE SSS D IDN X25", 4),
    ("FFFF 1111 NNNN E r1 I19 X25", 12),
    ("FFF NNNN EEEE WW 2 I2468 X25", 12),
    ("FFFF 1111 DDDD NE INGR0 X25", 12),
    ("FFFF 111 r1111 g1 b1 E I135 X25", 18),
)
def like_singles(parts: Parts, stage: Stage) -> Iterator[Parts]:
    """Like singles: the singles of the first letter become, all together, each of the other letters as well."""
    return like(parts, stage, 1)


@code(
    "A",
    LETTERS,
    TILE + "{2,}",
    ("22 444 666 8888 NN ANEWS X25", 12),
    ("22 444 666 8888 NN A2468 X25", 12),
    ("FF 1111 r11 DDDD b11 A159 X25", 18),
    ("22 444 r44 666 8888 A246 X25", 18),
    ("DD NNNN rDD EEEE bDD ADF X25", 2),
    ("11 22 33 44 55 66 77 A19 C50", 6),
)
def like_pairs(parts: Parts, stage: Stage) -> Iterator[Parts]:
    """Like pairs: the pairs of the first letter become, all together, each of the other letters as well."""
    return like(parts, stage, 2)


@code(
    "P",
    LETTERS,
    TILE + "{2,}",
    ("FF 222 EEE r222 r777 P27 X25", 12),
    ("FFF 444 0000 r7777 P47 X25", 12),
    ("FF NNNN EEE WWWW S PEGR0 X25", 4),
    ("FF 3333 r666 99999 P69 X25", 12),
    ("FFFFF DDD rDDD bDDD PDNEWS X25", 5),
    ("FF 111 r111 b111 EEE P13579 X25", 5),
)
def like_threes(parts: Parts, stage: Stage) -> Iterator[Parts]:
    """Like sets of three: those of the first letter become, all together, each of the other letters as well."""
    return like(parts, stage, 3)


@code(
    "K",
    LETTERS,
    TILE + "{2,}",
    ("FF 2222 r44 66 b2222 K2468 X25", 12),
    ("FFF 3333 r333 EEEE K369 X25", 18),
    ("FF 333 666 r3333 99 K369 X25", 18),
    ("NNNN 11 22 33 SSSS KNEW X25", 9),
    ("FF DDDD rDDDD NEWS KDGR0 X25", 6),
    ("FF NNNN 1111 a2222 *3 KN1 X25", 18),
)
def like_fours(parts: Parts, stage: Stage) -> Iterator[Parts]:
    """Like sets of four: those of the first letter become, all together, each of the other letters as well."""
    return like(parts, stage, 4)


@code(
    "Q",
    LETTERS,
    TILE + "{2,}",
    ("FF 11111 44 r99999 Q15 X40", 12),
    ("FFFF NNNNN 11111 QNEWS X40", 12),
    ("FFFF NNNNN 11111 QNEWS L X40", 108),
    ("11111 r11111 b1111 Q159 X40", 9),
    ("NNNNN EEEE 11111 QN2468 X40", 15),
    ("DDDDD rDDDDD bDDDD QDF X40", 6),
)
def like_fives(parts: Parts, stage: Stage) -> Iterator[Parts]:
    """Like sets of five: those of the first letter become, all together, each of the other letters as well."""
    return like(parts, stage, 5)


@code(
    "Z",
    LETTERS,
    TILE + "{2,}",
    ("FF EEE 1111 EE DDD ZENWS X25", 12),
    ("1 22 333 4444 rDDDD Z19 X25", 12),
    ("11 222 r11 222 b1111 Z15 X25", 6),
    ("FFFF DDD 1111 rDDD ZDGR0 X25", 15),
    ("NNNN E WWWW S 1111 ZNEWSGR0 X25", 21),
    ("FF 1111 r1111 b1111 Z13579 X25", 5),
)
def like_sets(parts: Parts, stage: Stage) -> Iterator[Parts]:
    """Like sets of any size: those of the first letter become, all together, each of the other letters as well."""
    return like(parts, stage)


# --- numbers


@code(
    "L",
    "o (odd) or e (even), or nothing",
    "[oe]?",
    ("FF 1111 NEWS DDDD L X25", 27),
    ("FF 1111 NEWS r1111 L X25", 27),
    ("FF 1111 r1111 b1111 L X25", 9),
    ("FF 111 DDD rDDD 1 NE Lo X25", 30),
    ("FF 222 DDD rDDD 2 NE Le X25", 24),
    ("FF 1111 NEWS r1111 | FF 1111 DDDD r1111 L X25", 81),
)
def like_numbers(parts: Parts, stage: Stage) -> Iterator[Parts]:
    """Like numbers: the 1s become, all together, each number, or each odd one with o; with e the 2s become each even
    one. A pattern without a 1 (with e, without a 2) stays as it is."""
    typed = "2" if stage.chars == "e" else "1"
    if not any(one.letter == typed for one in parts):
        return iter((parts,))
    numbers = NUMBERS_OF[stage.chars]
    return (turned(parts, {typed: number}) for number in numbers if number in stage.only)


@code(
    "U",
    "the size (I A P K Q, as the codes for like sets) and two letters of tiles",
    f"[IAPKQ]{TILE}{TILE}",
    ("FFF 1111 8888 DDD UK18 X25", 108),
    ("FF 1111 r8888 DDDD UK18 X25", 432),
    ("11 88 NNNN EEEE SS UA18 X25", 108),
    ("FF 11 r111 8888 b888 UP18 X25", 432),
    ("FFFF 11111 r99999 UQ19 X45", 216),
    ("NNNN EEEE WWWW 1 r2 UI12 X25", 216),
)
def unlike_numbers(parts: Parts, stage: Stage) -> Iterator[Parts]:
    """Unlike numbers: the sets of one size and two letters become, all together, every two different numbers in both
    orders. UK18 makes them of the sets of four 1s and four 8s."""
    size, letters = SIZES[stage.chars[0]], stage.chars[1:]
    if not any(one.size == size and one.letter in letters for one in parts):
        return iter((parts,))
    return (turned(parts, dict(zip(letters, two, strict=True)), size) for two in permutations(stage.only, 2))


@code(
    "V",
    "a (all), o (odd) or e (even)",
    "[aoe]",
    ("111 222 333 44 DDD Va X25", 18),
    ("FF 111 DDD rDDD bDDD Va X25", 27),
    ("111 2222 r333 4444 Va X25", 36),
    ("FF 11 22 33 44 55 66 Va C50", 12),
    ("11 333 5555 777 DD Vo X25", 6),
    ("22 444 6666 r222 r66 Ve X25", 12),
)
def runs(parts: Parts, stage: Stage) -> Iterator[Parts]:
    """Runs: all numbers of the pattern move up together, by one with a, by two with o and e, as long as none passes 9.
    They never move down, and the numbers typed stay the first run."""
    numbers = numbers_in(parts)
    if not numbers:
        yield parts
        return
    for shift in range(0, 10 - int(numbers[-1]), STEP_OF[stage.chars]):
        moved = {number: str(int(number) + shift) for number in numbers}
        if set(moved.values()) <= set(stage.only):
            yield turned(parts, moved)


@code(
    "#",
    "nothing",
    "",
    ("333 6666 9999 DDD # X25", 9),
    ("FFF 333 r6666 b9999 # X25", 18),
    ("33 66 99 r333 r666 r99 # X25", 18),
    ("FF 11 222 3333 DDD # X25", 18),
    ("FF 1111 r2222 3333 # X25", 18),
    ("11 22 33 44 r55 66 77 # C50", 210),
)
def any_order(parts: Parts, stage: Stage) -> Iterator[Parts]:
    """In any order: the different numbers of the pattern trade places in every way; the sizes and colours of its sets
    stay. 333 6666 9999 # is also 666 3333 9999, and four others."""
    alike: dict[tuple[tuple[int, ...], ...], list[str]] = {}
    for number in numbers_in(parts):
        alike.setdefault(shape(parts, number, stage.ordered), []).append(number)
    typed = [number for numbers in alike.values() for number in numbers]
    for dealt in shares(tuple(typed), [len(numbers) for numbers in alike.values()]):
        yield turned(parts, dict(zip(typed, dealt, strict=True)))


def shape(parts: Parts, number: str, ordered: bool) -> tuple[tuple[int, ...], ...]:
    """The shape of the sets of a number; numbers of one shape may trade places without a difference."""
    colours = sorted({one.colour for one in parts})
    seen = ((one.size, colours.index(one.colour), ordered * at) for at, one in enumerate(parts) if one.letter == number)
    return tuple(sorted(seen))


def shares(things: tuple[str, ...], sizes: Sequence[int]) -> Iterator[tuple[str, ...]]:
    """Every way to divide the items into portions of these sizes, in order."""
    if max(sizes, default=1) == 1:
        yield from permutations(things)
        return
    for portion in combinations(things, sizes[0]):
        rest = tuple(thing for thing in things if thing not in portion)
        yield from (portion + others for others in shares(rest, sizes[1:]))


# --- sets by their numbers


@code(
    "*",
    SET_NUMBERS,
    "[0-9]+",
    ("FF 1111 NEWS a1111 *6 L X25", 54),
    ("FF 1111 r1111 a1111 *3 X25", 7),
    ("NNN 111 a222 333 SS *123 Va X25", 21),
    ("FF 1111 r2222 b3333 *123 X25", 3),
    ("aDDDD g11 r2222 a3333 *0*3 X25", 54),
    ("FFFF 11 22 1111 a22 | NNNN 11 33 1111 a33 *4 X25", 18),
    sets=None,
)
def free_suit(parts: Parts, stage: Stage) -> Iterator[Parts]:
    """Any suit: the sets listed share one suit, which is any of the three, whatever colour they are typed in and
    whatever suits the other colours are. A second * has a suit of its own."""
    listed = {int(number) for number in stage.chars}
    yield tuple(part(one.letter, one.size, stage.free) if at in listed else one for at, one in enumerate(parts))


@code(
    ">",
    "the number of a set, counted from 0, and letters of tiles",
    f"[0-9]{TILE}+",
    ("11 55 99 NN SS FF r11 >6159 C50", 18),
    ("FF 1111 r1111 DDDD >3GR0 X25", 9),
    ("FF 1111 r1111 DDDD >3NEWS X25", 12),
    ("NNNN EEEE 11 22 33 >01 X25", 3),
    ("FF 1111 2222 3333 >0DF Va X25", 42),
    ("FFFF 2222 22 r4444 | FFFF 2222 22 r6666 >0468 X25", 36),
    sets=1,
)
def one_set(parts: Parts, stage: Stage) -> Iterator[Parts]:
    """One set replaced: the set of that number as each letter of the list; as it was typed only if that is listed."""
    at = int(stage.chars[0])
    if at >= len(parts):
        return iter((parts,))
    before, one, after = parts[:at], parts[at], parts[at + 1 :]
    return ((*before, part(letter, one.size, one.colour), *after) for letter in stage.chars[1:])


@code(
    "Y",
    "o (odd) or e (even), or letters of tiles",
    f"o|e|{TILE}+",
    ("NN 11 r11 b11 EE WW SS Yo C50", 13),
    ("22 44 r22 44 66 b22 88 Ye C50", 24),
    ("11 NN EE WW SS r11 b11 Y159 C50", 7),
    ("FF 11 22 33 r11 b11 DD YE C50", 6),
    ("FFFF 11 r11 b11 NNNN Yo X25", 13),
    ("FF 11 1111 r1111 b11 Y2468 X25", 24),
    ordered=True,
)
def later_pairs(parts: Parts, stage: Stage) -> Iterator[Parts]:
    """Later pairs: the first pair of a number stays; the later pairs of the same number become, all together, each
    odd number, each even number or each letter of the list."""
    pairs = [at for at, one in enumerate(parts) if one.size == 2 and one.letter in NUMBERS]
    later = {at for at in pairs[1:] if parts[at].letter == parts[pairs[0]].letter}
    if not later:
        yield parts
        return
    for letter in NUMBERS_OF.get(stage.chars, stage.chars):
        yield tuple(part(letter, one.size, one.colour) if at in later else one for at, one in enumerate(parts))


@code(
    "H",
    SET_NUMBERS + ", first that of a pair, then those of singles",
    "[0-9]+",
    ("11 2 3 4 r1111 b111 FF H0123 Va X25", 144),
    ("11 2 3 r1111 b1111 FF H012 X25", 9),
    ("FF 11 3 5 7 9 r1111 NS H12345 X25", 30),
    ("NN E W S NNN 111 WWW H0123 X25", 12),
    ("11 2 3 r1111 b11 EEEE H012 Va X25", 126),
    ("FFFF 1 22 3 DDD r222 H213 X25", 18),
    sets=None,
)
def moving_pair(parts: Parts, stage: Stage) -> Iterator[Parts]:
    """The pair moves: of the sets listed each is the pair once, the others being singles, and sets that are not listed
    but have the number of the first one listed take the letter of the pair."""
    listed = [int(number) for number in stage.chars]
    if not is_pair_among_singles([one.size for one in parts], listed):
        yield parts
        return
    letter = parts[listed[0]].letter
    for pair in listed:
        followed = turned(parts, {letter: parts[pair].letter} if letter in NUMBERS else {})
        moved = {at: part(parts[at].letter, 1 + (at == pair), parts[at].colour) for at in listed}
        yield tuple(moved.get(at, one) for at, one in enumerate(followed))


def is_pair_among_singles(sizes: Sequence[int], listed: Sequence[int]) -> bool:
    """Of sets of these sizes, the first one listed is a pair and each other one a single."""
    return max(listed) < len(sizes) and [sizes[at] for at in listed] == [2] + [1] * (len(listed) - 1)


@code(
    "~",
    "nothing",
    "",
    ("FF 1111 NN SS DDDD ~ X25", 6),
    ("NNNN SSSS 11 22 33 ~ X25", 6),
    ("NN EEE WW SSS 1111 ~ X25", 6),
    ("NNNN WWWW FF DDDD ~ X25", 6),
    ("NNN SSS 1111 r1111 ~ L X25", 54),
    ("FF NNN SSS 111 r111 ~ X25", 6),
)
def opposite_winds(parts: Parts, stage: Stage) -> Iterator[Parts]:
    """Opposite winds: the pattern, and the pattern with N and E as well as S and W swapped everywhere."""
    yield parts
    yield turned(parts, OPPOSITE)


# --- filters


@code(
    "!",
    "numbers from 1 to 9",
    "[1-9]+",
    ("FF 1111 NEWS DDDD !135 L X25", 9),
    ("FF 1111 r1111 b1111 !135LX25", 3),
    ("FF 1111 r1111 b1111 !2468 L X25", 4),
    ("111 222 333 44 DDD !123456 Va X25", 9),
    ("FF 111 r333 b555 111 !34567 Vo X25", 6),
    ("FF 1111 r8888 DDDD !369 UK18 X25", 36),
    stage=False,
)
def only_these_numbers(parts: Parts, stage: Stage) -> Iterator[Parts]:
    """L, U and V make only numbers of this list, every number of a run included; the numbers typed are dropped too if
    they are not listed. It comes before all other codes and is not a stage."""
    yield parts
