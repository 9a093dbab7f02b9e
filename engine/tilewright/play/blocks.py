"""Blocks: a quick no for hands that are no form. In: the tiles of a hand counted in one number. Out: may it be a form.

The tile set is cut into blocks of tiles that share no group; of each block it is remembered, by how many of each tile
there are, which forms could use it up. A hand that no form can use up in every block is none. Melds do not matter to
that, but for those that may lie in a listed form in place of its tiles.
"""

from collections.abc import Iterable, Sequence
from functools import partial

from tilewright.play.melds import Lying
from tilewright.scoring.lists import ListCase
from tilewright.scoring.rules import Rules
from tilewright.scoring.tables import COUNT, Block, Table


class Blocks:
    """Which hands the blocks allow. `weights`: what each tile of the table adds to the number; `useful`: there is
    something to refuse, as there is not where wild tiles, cards or conditions decide."""

    def __init__(self, rules: Rules, faces: Sequence[int]) -> None:
        engine = rules.engine
        self.tables = engine.tables
        self.cases = [case for cases in engine.lists.values() for case in cases]
        self.useful = engine.fits and engine.searched is None and not rules.data.tiles.wild
        self.weights = [self.tables.weights[face] for face in faces]
        listed = [form for form in rules.data.forms if form.id in engine.lists]
        self.hosted = {
            exposed: frozenset[int]().union(
                *(engine.may_lie[form.id] for form in listed if not (exposed and form.shape.concealed))
            )
            for exposed in (False, True)
        }
        self.blocks = [(b.at, b.mask, Table(partial(self.forms, b))) for b in self.tables.blocks]

    def allow(self, key: int, melds: Iterable[Lying]) -> bool:
        """Some form may use up a hand of these tiles."""
        if key > self.tables.all:
            return True
        forms = -1
        for at, mask, known in self.blocks:
            forms &= known[key >> at & mask]
            if not forms:
                return any(meld.group in self.hosted[meld.exposed] for meld in melds)
        return True

    def forms(self, block: Block, key: int) -> int:
        """The forms, as bits, that could use up these counts of the block's tiles."""
        counts = {tile: key >> COUNT * index & (1 << COUNT) - 1 for index, tile in enumerate(block.tiles)}
        bits = [self.splits(form, block, counts) for form in range(len(self.tables.forms))]
        bits += [lies_in(case, key, block) for case in self.cases]
        return sum(bit << number for number, bit in enumerate(bits))

    def splits(self, form: int, block: Block, counts: dict[int, int]) -> bool:
        """The tiles can be split into groups of a simple form."""
        tables = self.tables.splits[form]
        return all(
            tables.split(number, tuple(counts[tile] for tile in tables.components[number]))
            for number in block.components[form]
        )


def lies_in(case: ListCase, key: int, block: Block) -> bool:
    """The tiles of a block are as a listed form has them, but for the number of further ones."""
    own, lowest, allowed = (bits >> block.at & block.mask for bits in (case.key, case.lowest, case.allowed))
    rest = key - own
    return rest >= 0 and not (rest ^ key ^ own) & lowest and not rest & ~allowed
