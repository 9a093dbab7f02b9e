"""Blocks: a quick rejection of hands that are no form. In: the tiles of a hand counted in one number. Out: whether it
may be a form.

The tile set is cut into blocks of tiles that share no group; for each block and its counts, the forms that could use it
up are cached. A hand without a form that can use up every block is not a form. Melds do not matter, except those that
may replace tiles of a listed form.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import partial

from tilewright.hands.group import Group
from tilewright.hands.shape import Slot
from tilewright.play.model.melds import TableMeld
from tilewright.scoring.lists import ListCase
from tilewright.scoring.rules import ScoringRules
from tilewright.scoring.tables import COUNT, LookupTable, TableBlock


class Blocks:
    """Which hands the blocks allow, for the forms they cover: simple ones and lists of tiles. `weights`: what each tile
    of the table adds to the number, a wild one beyond all blocks; `known`: the forms, none where cards decide."""

    def __init__(self, rules: ScoringRules, faces: Sequence[int]) -> None:
        engine = rules.engine
        self.groups, self.wild, self.tables = rules.data.groups.groups, rules.judge.reader.wild, engine.tables
        self.cases = [case for cases in engine.lists.values() for case in cases]
        self.weights = [self.tables.weights[face] for face in faces]
        listed = [form for form in rules.data.forms if form.id in engine.lists]
        self.hosted = {
            exposed: frozenset[int]().union(
                *(engine.may_lie[form.id] for form in listed if not (exposed and form.shape.concealed))
            )
            for exposed in (False, True)
        }
        self.hosts = any(self.hosted.values())
        self.beyond = self.tables.all.bit_length()
        self.totals = [
            [totals(slots, self.groups, part) for part in splits.components]
            for slots, splits in zip(self.tables.slots, self.tables.splits, strict=True)
        ]
        self.helped = [list(dict.fromkeys(self.helped_by_one(form))) for form in range(len(self.tables.forms))]
        self.blocks = [
            (b.at, b.mask, LookupTable(partial(self.forms, b)), LookupTable(partial(self.forms_with_one, b)))
            for b in sorted(self.tables.blocks, key=lambda block: len(block.tiles))  # small counts fill the cache soon
        ]
        looked_at = engine.fits and all(self.lies_in_one(rest) for rests in self.helped for rest in rests)
        self.known = frozenset((*engine.simple, *engine.lists) if looked_at else ())

    def stuck_at(self, key: int, first: int) -> int:
        """The number of a block after which no form is left that may use up a hand of these tiles, none of them wild;
        -1 where some form may. Fastest if `first` is that block."""
        at, mask, known, _ = self.blocks[first]
        if not known[key >> at & mask]:
            return first
        forms = -1
        for number, (at, mask, known, _) in enumerate(self.blocks):
            forms &= known[key >> at & mask]
            if not forms:
                return number
        return -1

    def hosts_one(self, melds: Iterable[TableMeld]) -> bool:
        """Whether some of the melds may replace tiles of a listed form."""
        for meld in melds:  # noqa: SIM110 - a generator takes longer, and every discard comes by here
            if meld.group in self.hosted[meld.exposed]:
                return True
        return False

    def allow_wild(self, key: int, wild: int) -> bool:
        """Whether some form may use up a hand with so many wild tiles. That two wild tiles suffice for a block is
        assumed."""
        if self.cases or not self.tables.forms:
            return True
        needs = [0] * len(self.tables.forms)
        for at, mask, known, with_one in self.blocks:
            counts = key >> at & mask
            alone = known[counts]
            for form, need in enumerate(needs):
                if need <= wild and not alone >> form & 1:
                    needs[form] += 2 if need == wild or not with_one[counts] >> form & 1 else 1
            if min(needs) > wild:
                return False
        return True

    def forms(self, block: TableBlock, key: int) -> int:
        """The forms, as bits, that could use up these counts of the block's tiles."""
        counts = counted(block, key)
        bits = [self.splits(form, block, counts) for form in range(len(self.tables.forms))]
        bits += [lies_in(case, key, block) for case in self.cases]
        return sum(bit << number for number, bit in enumerate(bits))

    def forms_with_one(self, block: TableBlock, key: int) -> int:
        """The simple forms that could use them up with one wild tile in one of their groups."""
        counts = counted(block, key)
        return sum(
            any(self.splits(form, block, left) for left in self.left(form, counts)) << form
            for form in range(len(self.tables.forms))
        )

    def left(self, form: int, counts: dict[int, int]) -> Iterator[dict[int, int]]:
        """The tiles that are left without the others of a group that one wild tile completes."""
        for rest in self.helped[form]:
            if all(counts.get(tile, 0) >= number for tile, number in rest):
                yield {**counts, **{tile: counts[tile] - number for tile, number in rest}}

    def helped_by_one(self, form: int) -> Iterator[tuple[tuple[int, int], ...]]:
        """The other tiles, counted, of every group of a form that a wild tile may stand in."""
        for number in frozenset[int]().union(*(slot.groups for slot in self.tables.slots[form])):
            group = self.groups[number]
            for stands in self.wild.served(group.kinds):
                if stands in group.tiles:
                    rest = Counter(group.tiles)
                    rest[stands] -= 1
                    yield tuple(sorted((+rest).items()))

    def lies_in_one(self, rest: tuple[tuple[int, int], ...]) -> bool:
        """Whether the tiles, if any, are all of one block."""
        return len({self.tables.place_of.get(tile, (-1, 0))[0] for tile, _ in rest}) < 2

    def splits(self, form: int, block: TableBlock, counts: dict[int, int]) -> bool:
        """Whether the tiles can be split into groups of a simple form."""
        tables, allowed = self.tables.splits[form], self.totals[form]
        parts = []
        for number in block.components[form]:
            held = tuple([counts[tile] for tile in tables.components[number]])
            if sum(held) not in allowed[number]:
                return False
            parts.append((number, held))
        return all(tables.split(number, held) for number, held in parts)


def totals(slots: Sequence[Slot], groups: Sequence[Group], tiles: Sequence[int]) -> frozenset[int]:
    """How many of these tiles the groups in the slots may use up together."""
    found, own = {0}, set(tiles)
    for slot in slots:
        sizes = {len(groups[group].tiles) for group in slot.groups if own.issuperset(groups[group].tiles)}
        for _ in range(slot.count):
            found |= {one + size for one in found for size in sizes}
    return frozenset(found)


def counted(block: TableBlock, key: int) -> dict[int, int]:
    """The tiles of a block with their counts."""
    return {tile: key >> COUNT * index & (1 << COUNT) - 1 for index, tile in enumerate(block.tiles)}


def lies_in(case: ListCase, key: int, block: TableBlock) -> bool:
    """Whether a block has the tiles of a listed form, but for the number of further ones."""
    own, lowest, allowed = (bits >> block.at & block.mask for bits in (case.key, case.lowest, case.allowed))
    rest = key - own
    return rest >= 0 and not (rest ^ key ^ own) & lowest and not rest & ~allowed
