"""The image of a ruleset as arrays: tables as columns, and the program as lists of bits. Knows no hands."""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from tilewright.base.compute.arrays import Array
from tilewright.language.compiled.ir import Const
from tilewright.language.compiled.ruleset import Pattern
from tilewright.language.vocabulary import words
from tilewright.scoring.image.engine import Engine
from tilewright.scoring.image.settling import bits_in
from tilewright.scoring.many.columns import CompletedParts, Counters, LookupColumns, PartWords, TableColumns
from tilewright.scoring.many.tally import QuestionArrays
from tilewright.scoring.plain.walker import nodes
from tilewright.scoring.program.conditions import TileBit
from tilewright.scoring.program.program import Step


@dataclass(frozen=True, slots=True)
class ArrayStep:
    """A step of the program: the bits that it looks at, each with what it has to be; its target, -1 for none."""

    bits: tuple[tuple[int, bool], ...]
    target: int
    asks: tuple[tuple[int, bool], ...]


def array_step(step: Step) -> ArrayStep:
    bits = tuple((bit, bool(step.value >> bit & 1)) for bit in bits_in(step.care))
    return ArrayStep(bits, step.target.bit_length() - 1, step.asks)


class ArrayImage:
    """What scoring many hands needs of a ruleset."""

    def __init__(self, engine: Engine) -> None:
        self.engine, self.data, self.program = engine, engine.data, engine.program
        self.counters = Counters(engine)
        self.words, self.completed = PartWords(self.counters), CompletedParts(engine)
        self.plain_of = np.array(engine.plain_tiles)

    @cached_property
    def is_known(self) -> bool:
        """Whether arrays know the forms, and measures ask no reading."""
        return self.is_judged and self.is_tabled

    @cached_property
    def is_tabled(self) -> bool:
        """Whether whole tables are made of all forms."""
        engine = self.engine
        tables = [table for row in engine.lookups for lookup in row for table in lookup.tables]
        return engine.fits and not engine.searched and all(table.arrays for table in tables)

    @cached_property
    def is_judged(self) -> bool:
        """Whether arrays know what decides about a reading."""
        known = self.engine.fits and self.engine.values.static and not self.program.looked_at
        return known and not any(map(self.is_odd, self.data.patterns))

    def is_odd(self, pattern: Pattern) -> bool:
        """Whether what a pattern is worth decides what counts, in a way that arrays do not know."""
        asked = self.engine.settling.numbers[pattern.id]
        moving = any(not isinstance(ir, Const) for ir in (pattern.exposed or {}).values())
        return bool(asked) and (pattern.id in self.program.decided or (moving and pattern.each is None))

    @cached_property
    def questions(self) -> QuestionArrays:
        """The questions of the program."""
        known = self.engine.tells_waits and self.is_tabled
        asked = (ir for ir in self.engine.questions if known or not any(map(words.waits.is_asked, nodes(ir))))
        return QuestionArrays(list(asked), self.data)

    @cached_property
    def tables(self) -> dict[int, TableColumns]:
        """The columns of each table."""
        tables = {id(table): table for row in self.engine.lookups for lookup in row for table in lookup.tables}
        return {number: TableColumns(table) for number, table in tables.items()}

    @cached_property
    def lookups(self) -> list[LookupColumns]:
        """The cases of all forms, in their order."""
        return [
            LookupColumns(self.engine, lookup, self.tables)
            for row in self.engine.lookups
            for lookup in row
            if lookup.possible
        ]

    @cached_property
    def tile_bits(self) -> list[tuple[int, Array]]:
        """For each fact of tiles, 64-bit words with a bit for every plain tile that makes it true."""
        plain = sorted(set(self.engine.plain_tiles))
        return [
            (bit, self.tile_words([tile for tile in plain if (tile in literal.tiles) == literal.inside]))
            for literal, bit in self.program.bits.items()
            if isinstance(literal, TileBit)
        ]

    @cached_property
    def group_words(self) -> Array:
        """The same for the tiles of each group; the last, -1, has none."""
        words = [self.tile_words(group.tiles) for group in self.data.groups.groups]
        return np.array([*words, self.tile_words([])], np.uint64).T

    @cached_property
    def group_counts(self) -> Array:
        """How many of each plain tile each group has, (tiles, groups); the last, -1, has none."""
        counts = np.zeros((len(self.plain_of), len(self.data.groups.groups) + 1), np.int32)
        for number, group in enumerate(self.data.groups.groups):
            for tile in group.tiles:
                counts[tile, number] += 1
        return counts

    @cached_property
    def group_rows(self) -> Array:
        """The same as (groups, tiles)."""
        return np.ascontiguousarray(self.group_counts.T, np.uint16)

    @cached_property
    def most_copies(self) -> Array:
        """How many of each face a hand may hold; any number of those that only wild tiles stand for."""
        copies = [self.engine.plain.reader.wild.copies[tile] for tile in range(len(self.plain_of))]
        return np.array([count or np.iinfo(np.uint16).max for count in copies], np.uint16)

    @cached_property
    def meld_parts(self) -> Array:
        """The number of the part of each group as a meld, concealed and exposed; the last, -1, has none."""
        groups = range(len(self.data.groups.groups))
        return np.array([*([self.engine.meld_number(n, shown) for shown in (False, True)] for n in groups), [-1, -1]])

    def tile_words(self, tiles: Iterable[int]) -> Array:
        """64-bit words with a bit for each of these tiles."""
        bits = sum(1 << tile for tile in set(tiles))
        words = -(-len(self.plain_of) // 64)
        return np.array([bits >> 64 * word & (1 << 64) - 1 for word in range(words)], np.uint64)

    @cached_property
    def steps(self) -> list[list[ArrayStep]]:
        """The steps of the program, level by level."""
        levels = (
            [*(s for steps in v.by_bit.values() for s in steps), *v.always, *v.asking] for v in self.program.levels
        )
        return [[array_step(step) for step in sorted(level, key=lambda step: step.target)] for level in levels]

    @cached_property
    def accepted(self) -> dict[int, list[ArrayStep]]:
        """For each form with a condition, where it holds."""
        return {form: [array_step(step) for step in steps] for form, steps in self.program.accepted.items()}
