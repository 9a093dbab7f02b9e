"""What scoring many hands needs of a ruleset, as arrays; and which rulesets the kernel may score. Knows no hands."""

from collections.abc import Sequence
from functools import cached_property

import numpy as np

from tilewright.base.compute.arrays import Array
from tilewright.language.compiled.ir import Const
from tilewright.language.compiled.ruleset import Pattern
from tilewright.language.vocabulary import words
from tilewright.scoring.image.context import Context
from tilewright.scoring.image.engine import Engine
from tilewright.scoring.many.tally import QuestionArrays
from tilewright.scoring.plain.walker import nodes

WORD = (1 << 64) - 1


class ArrayImage:
    """A ruleset for many hands."""

    def __init__(self, engine: Engine) -> None:
        self.engine, self.data, self.program = engine, engine.data, engine.program
        self.counters = Counters(engine)

    @cached_property
    def is_tabled(self) -> bool:
        """Whether whole tables are made of all forms."""
        engine = self.engine
        tables = [table for row in engine.lookups for lookup in row for table in lookup.tables]
        return engine.fits and not engine.searched and all(table.arrays for table in tables)

    @cached_property
    def is_judged(self) -> bool:
        """Whether numbers say what decides about a reading."""
        known = self.engine.fits and self.engine.values.static and not self.program.looked_at
        return known and not any(map(self.is_odd, self.data.patterns))

    def is_odd(self, pattern: Pattern) -> bool:
        """Whether what a pattern is worth decides what counts, in a way that numbers do not say."""
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
    def group_rows(self) -> Array:
        """How many of each plain tile each group has, (groups, tiles); the last, -1, has none."""
        counts = np.zeros((len(self.data.groups.groups) + 1, len(self.engine.plain_tiles)), np.uint16)
        for number, group in enumerate(self.data.groups.groups):
            for tile in group.tiles:
                counts[number, tile] += 1
        return counts

    @cached_property
    def most_copies(self) -> Array:
        """How many of each face a hand may hold; any number of those that only wild tiles stand for."""
        copies = [self.engine.plain.reader.wild.copies[tile] for tile in range(len(self.engine.plain_tiles))]
        return np.array([count or np.iinfo(np.uint16).max for count in copies], np.uint16)


class Counters:
    """The counters of parts as 64-bit words: `still` words, and `moves` words of those that the table decides."""

    def __init__(self, engine: Engine) -> None:
        self.engine, program = engine, engine.program
        self.still, self.moves = program.moving_at // 64, (program.counters - program.moving_at) // 64

    def still_of(self, parts: Sequence[int]) -> Array:
        """A row of words for each part."""
        return words_of([self.engine.layout.row(part) for part in parts], self.still)

    def moving_of(self, parts: Sequence[int], context: Context) -> Array:
        """The same of those that move, at a table like that of the context."""
        at, moved = self.engine.program.moving_at, self.engine.contexts.moved
        return words_of([moved(context, part) >> at for part in parts], self.moves)


def words_of(numbers: Sequence[int], words: int) -> Array:
    """Large numbers as rows of 64-bit words."""
    rows = [[number >> 64 * word & WORD for word in range(words)] for number in numbers]
    return np.array(rows, np.uint64).reshape(len(rows), words)
