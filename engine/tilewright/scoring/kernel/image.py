"""The image of a ruleset: all that scoring by the kernel needs of it, as numbers and as questions.

`scoring.image` makes it; it is kept beside the ruleset in the cache, so that the first hand of a process is scored at
once, without numpy. Knows no hands."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from tilewright.hands.reading import Meld
from tilewright.hands.wild import Pair
from tilewright.language.compiled.ruleset import CompiledRuleset
from tilewright.language.load import keep_made, recall_made
from tilewright.scoring.plain.situation import Situation
from tilewright.scoring.program.bonus import BonusQuestions
from tilewright.scoring.program.contexts import TableQuestions
from tilewright.scoring.program.counted import CountedItems
from tilewright.scoring.program.tallies import Cells


@dataclass(frozen=True, slots=True)
class ClassFeature:
    """A property of parts that the table decides: the numbers of the class that has all of their tiles, and of one that
    has none of them; what it adds to counters, and the want that is met so, as a bit; the parts that it may be of."""

    of: int | None
    unless: int | None
    counter: int
    want: int
    parts: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class ImageNumbers:
    """`image`, as `layout` says, and `programs` of questions: numbers of 64 bits."""

    image: bytes
    programs: bytes


@dataclass(frozen=True, slots=True)
class ScoringImage:
    """`parts`: the tiles of each part of readings, `met`: the wants that it meets, as bits; `features`: what the table
    decides about parts. `asked`: the questions about numbers, `times`: those of the table that say how often a pattern
    counts. `cells`: where those that questions look at begin. `unplaced`: melds that tables do not know, twice the
    group, one more where it is exposed; `wild`: by group, what stands for what in it, where tables know that; `faces`:
    those that tables know. `zones`: those that a case must not have; `others`: nor anything of other seats."""

    numbers: ImageNumbers
    parts: tuple[tuple[int, ...], ...]
    met: tuple[int, ...]
    features: tuple[ClassFeature, ...]
    items: CountedItems
    asked: tuple[int, ...]
    times: tuple[int, ...]
    table: TableQuestions
    bonus: BonusQuestions
    cells: Mapping[Cells, int]
    unplaced: frozenset[int]
    wild: tuple[tuple[Pair, ...], ...]
    faces: frozenset[int]
    zones: frozenset[str]
    others: bool

    def takes(self, situation: Situation) -> bool:
        """Whether it knows the situation; others are left to the plain judge."""
        known = situation.won and self.zones.isdisjoint(situation.zones)
        return known and not (self.others and (situation.others or situation.flags_of))

    def is_odd(self, meld: Meld) -> bool:
        """Whether tables do not know what stands for what in a meld."""
        return tuple(sorted(meld.wild)) != self.wild[meld.group]


@dataclass(frozen=True, slots=True)
class KeptImage:
    """What the cache keeps: the image, or that the kernel does not know the ruleset."""

    image: ScoringImage | None


def image_of(data: CompiledRuleset, make: Callable[[], ScoringImage | None]) -> ScoringImage | None:
    """The image of a ruleset, from the cache if it is there; None where the kernel does not know the ruleset."""
    kept = recall_made(data, KeptImage)
    if kept is None:
        kept = KeptImage(make())
        keep_made(data, kept)
    return kept.image
