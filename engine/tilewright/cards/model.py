"""The data of a card: groups of lines, each line one or two patterns of sets with codes that multiply it. Frozen data.

Letters are as typed: 1 to 9 in a suit, D the dragon of a suit, G R 0 the dragons themselves, F a flower,
N E W S the winds. Knows no tile set and no document.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from tilewright.base.problem import Place, Severity

SUITS = "mcd"
DRAGON = "D"
DRAGON_OF = {"m": "G", "c": "R", "d": "0"}
NUMBERS = "123456789"
SUITED = frozenset(NUMBERS + DRAGON)  # in the suit of their colour; every other letter is a tile of its own
LETTERS = NUMBERS + "DGR0FNEWS"
COLOURS = "grb"  # sets of one colour have one suit, sets of two colours two
ANY = "a"  # the colour of sets in a free suit
TILES = 14

# Concrete hands: plain tuples, as a card has thousands of them.
ConcreteSet = tuple[str, int]  # a tile ("m2", "F", "G", never "D") and its count
ConcreteHand = tuple[ConcreteSet, ...]  # sorted; hands with equal sets are equal

SIGNS = "+=/÷±·×⁄∕–—−-"  # printed signs that are not tiles, besides x
ALIKE = {"×": "x", "⁄": "/", "∕": "/", "–": "-", "—": "-", "−": "-"}  # other ways to type a sign


@dataclass(frozen=True, slots=True)
class CardSet:
    """A run of equal letters. `colour`: one of g r b, a for any suit, or one of the suits m c d; it matters for
    suited letters only. `offset`: where the run begins in the text of the line, from 0."""

    letter: str
    count: int
    colour: str
    offset: int = field(default=0, compare=False)


@dataclass(frozen=True, slots=True)
class Sign:
    """A printed sign (x + - = / ÷ ± ·) that is not a tile. `before`: the number of the set that it precedes."""

    text: str
    before: int


@dataclass(frozen=True, slots=True)
class CardPattern:
    """Sets in the order of the line, numbered from 0."""

    sets: tuple[CardSet, ...]
    signs: tuple[Sign, ...] = ()
    offset: int = field(default=0, compare=False)

    @property
    def tiles(self) -> int:
        """How many tiles it has; a line's patterns have 14."""
        return sum(one.count for one in self.sets)


@dataclass(frozen=True, slots=True)
class CardCode:
    """A code as written: its letter in upper case (or sign), and its characters in canonical case."""

    letter: str
    chars: str = ""
    offset: int = field(default=0, compare=False)


@dataclass(frozen=True, slots=True)
class CardLineText:
    """A line as read. `codes` in the written order, T included."""

    text: str
    patterns: tuple[CardPattern, ...]
    codes: tuple[CardCode, ...] = ()
    exposed: bool = True
    value: int = 25


@dataclass(frozen=True, slots=True)
class Fault:
    """A mistake in the text of one line: as a Problem, with the place as an offset from 0 in the line."""

    code: str
    message: str
    offset: int = 0
    length: int = 1
    hint: str | None = None
    severity: Severity = "error"


@dataclass(frozen=True, slots=True)
class CardEntry:
    """A line of a card as typed, with its note. `at` gives the place of (offset, length) in the document."""

    text: str
    note: str = ""
    at: Callable[[int, int], Place] | None = field(default=None, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class CardGroup:
    """Lines under one title. `place`: of the title."""

    title: str
    entries: tuple[CardEntry, ...]
    note: str = ""
    place: Place | None = field(default=None, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Card:
    """A card of hands. `name`: language -> text, a plain text under "en"; `id` is the name of the document; `abouts`:
    what `about` says, in other languages."""

    id: str
    name: Mapping[str, str]
    groups: tuple[CardGroup, ...]
    about: str = ""
    source: str = ""
    abouts: Mapping[str, str] = field(default_factory=dict)
