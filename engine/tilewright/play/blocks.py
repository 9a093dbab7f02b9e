"""Blocks: a quick no for hands that are no form. In: the tiles of a hand counted in one number. Out: may it be a form.

The tile set is cut into blocks of tiles that share no group; for each block it is remembered, by how many of each tile
there are, which forms could use them up. A hand that some form could use up in every block may be that form; others are
none. Melds count for nothing: what is left of the hand has to be used up anyhow.
"""

from collections.abc import Callable, Iterable

from tilewright.play.scene import Lying
from tilewright.scoring.lists import ListCase
from tilewright.scoring.rules import Rules
from tilewright.scoring.tables import COUNT, Block, Table


class Blocks:
    """Which forms the blocks of a hand allow. `weights`: what each tile of the table adds to the number."""

    def __init__(self, rules: Rules, faces: list[int]) -> None:
        engine = rules.engine
        self.tables, self.cases = engine.tables, [case for cases in engine.lists.values() for case in cases]
        self.useful = engine.fits and not engine.searched_forms and not rules.data.tiles.wild
        others = [form for form in rules.data.forms if form.id not in engine.simple]
        self.closed = {group for form in others for group in engine.may_lie[form.id]}
        self.open = {group for form in others if not form.shape.concealed for group in engine.may_lie[form.id]}
        self.weights = [self.tables.weights[face] for face in faces]
        self.all = self.tables.all
        self.blocks = tuple((b.at, b.mask, Table(self.forms_of(b))) for b in self.tables.blocks)

    def allow(self, key: int) -> bool:
        """Some form may use up a hand of these tiles."""
        if key > self.all:
            return True
        forms = -1
        for at, mask, known in self.blocks:
            forms &= known[key >> at & mask]
            if not forms:
                return False
        return True

    def elsewhere(self, melds: Iterable[Lying]) -> bool:
        """A meld may lie in a form that does not use up the rest block by block."""
        return any(meld.group in (self.open if meld.exposed else self.closed) for meld in melds)

    def forms_of(self, block: Block) -> Callable[[int], int]:
        """Counts of the tiles of a block -> the forms that could use them up, as bits."""

        def find(key: int) -> int:
            counts = {tile: key >> COUNT * index & (1 << COUNT) - 1 for index, tile in enumerate(block.tiles)}
            simple = sum(self.splits(form, block, counts) << form for form in range(len(self.tables.forms)))
            listed = sum(lies_in(case, key, block) << number for number, case in enumerate(self.cases))
            return simple | listed << len(self.tables.forms)

        return find

    def splits(self, form: int, block: Block, counts: dict[int, int]) -> bool:
        tables = self.tables.splits[form]
        return all(
            tables.split(number, tuple(counts[tile] for tile in tables.components[number]))
            for number in block.components[form]
        )


def lies_in(case: ListCase, key: int, block: Block) -> bool:
    """The tiles of a block are as the case has them, but for the number of further ones."""
    own, lowest, allowed = (number >> block.at & block.mask for number in (case.key, case.lowest, case.allowed))
    rest = key - own
    return not (rest < 0 or (rest ^ key ^ own) & lowest or rest & ~allowed)
