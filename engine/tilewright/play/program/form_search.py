"""Forms to search for: whether the tiles of a hand may be one, where no table tells it.

In: a compiled ruleset. Out: its forms as one list of numbers, which a kernel searches (`play.compiled.kernel.search`).
What may or may not be a form passes; what is turned away is none. Knows no table."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations_with_replacement, islice, product

from tilewright.hands.listed import Rows
from tilewright.hands.reading import Shape, Slot
from tilewright.play.program import hand_layout as at
from tilewright.play.program.group_index import Counted
from tilewright.scoring.plain.judge import PlainJudge

MOST_OPTIONS = 50_000  # of a form
Option = tuple[int, Counted]  # a slot, and tiles that fill a place of it


class FormSearch:
    """The forms of a ruleset as `numbers`. `places`: by form, where its records begin."""

    def __init__(self, judge: PlainJudge) -> None:
        self.judge, self.data, self.wild = judge, judge.data, judge.reader.wild
        self.groups = self.data.groups.groups
        self.box = [tile for tile in range(len(self.data.tiles.tiles)) if self.wild.copies[tile]]
        self.numbers = [0]
        self.places = {form.id: [self.added(one) for one in self.of_shape(form.shape)] for form in self.data.forms}
        records = [place for places in self.places.values() for place in places]
        self.numbers[0] = self.extended([len(records), *records])

    def added(self, lists: Sequence[int | list[int]]) -> int:
        """Where a record begins; each list of it is added first, and is where that begins."""
        record = [self.extended(one) if isinstance(one, list) else one for one in lists]
        return self.extended(record)

    def extended(self, numbers: Iterable[int]) -> int:
        start = len(self.numbers)
        self.numbers += numbers
        return start

    def of_shape(self, shape: Shape) -> Iterator[Sequence[int | list[int]]]:
        """The records of a form: one of a list of hands, else one for each case."""
        rows = self.judge.reader.rows(shape)
        if rows is not None:
            yield self.listed(rows, shape)
        elif shape.pick is not None or not shape.cases:
            yield at.ANYTHING, int(shape.concealed)
        else:
            yield from (self.covered(shape, case) for case in shape.cases)

    # --- groups and tiles

    def covered(self, shape: Shape, case: Sequence[Slot]) -> Sequence[int | list[int]]:
        """The record of a case."""
        fixed = Counter(tile for slot in case if slot.each for tile in slot.tiles)
        slots = [slot for slot in case if not slot.each]
        every = (option for number, slot in enumerate(slots) for option in self.options(number, slot))
        options = list(islice(every, MOST_OPTIONS + 1))
        if len(slots) > at.MOST_SLOTS or len(options) > MOST_OPTIONS:
            return at.ANYTHING, int(shape.concealed)
        order = self.in_order(options)
        place = {tile: number for number, tile in enumerate(order)}
        of_lead = dict[int, list[Option]]()
        for option in options:
            of_lead.setdefault(min(place[tile] for tile, _ in option[1]), []).append(option)
        written = [[self.extended(self.option(one)) for one in of_lead.get(lead, ())] for lead in range(len(order))]
        return (
            at.COVERED,
            int(shape.concealed),
            sum(slot.count << at.SLOT_BITS * number for number, slot in enumerate(slots)),
            [len(fixed), *(number for pair in sorted(fixed.items()) for number in pair)],
            [self.slot_of(group.index, slots, shape) for group in self.groups],
            int(bool(shape.melds)),
            [len(order), *order],
            [self.extended([len(one), *one]) for one in written],
            0 if fixed or shape.melds else self.sums(slots, options),
            as_bits(fixed.keys() | {tile for _, needs in options for tile, _ in needs}),
        )

    def sums(self, slots: Sequence[Slot], options: Sequence[Option]) -> int:
        """Where it stands how many tiles a hand may have of each part of the tile set; 0 where that is not known."""
        wild = {tile for _, needs in options for tile, _ in needs if tile in self.wild.stands_for}
        found = {0}
        for number, slot in enumerate(slots):
            sizes = {sum(count for _, count in needs) for own, needs in options if own == number}
            for _ in range(slot.count):
                found |= {before + size for before in found for size in sizes}
        if max(found) > at.MOST_SUM or any(self.wild.copies[tile] > at.MOST_ALIKE for tile in self.box):
            return 0
        plain = [option for option in options if wild.isdisjoint(tile for tile, _ in option[1])]
        parts = (self.extended(parts_of(some)) for some in (plain, options))
        return self.extended([as_bits(wild), as_bits(found), *parts])

    def option(self, option: Option) -> list[int]:
        slot, needs = option
        return [slot, len(needs), *(number for pair in needs for number in pair)]

    def options(self, number: int, slot: Slot) -> Iterator[Option]:
        """What may fill a place of a slot."""
        yield from ((number, ((tile, 1),)) for tile in sorted(slot.tiles))
        for index in sorted(slot.groups):
            yield from ((number, taken) for taken in dict.fromkeys(islice(self.fillings(index), MOST_OPTIONS + 1)))

    def fillings(self, index: int) -> Iterator[Counted]:
        """The tiles, wild ones among them, that make a group."""
        group = self.groups[index]
        served = self.wild.served(group.kinds | group.meld_kinds)
        counted = Counter(group.tiles)
        if not served and not any(self.wild.virtual(tile) for tile in counted):
            yield tuple(sorted(counted.items()))
            return
        ways = list[list[Counter[int]]]()
        for tile, number in counted.items():
            least = number if self.wild.virtual(tile) else 0
            helpers = served.get(tile, ())
            ways.append(
                [
                    Counter({tile: number - wild}) + Counter(chosen)
                    for wild in range(least, number + 1)
                    for chosen in combinations_with_replacement(helpers, wild)
                ]
            )
        for choice in product(*ways):
            taken = Counter[int]()
            for one in choice:
                taken += one
            yield tuple(sorted(taken.items()))

    def in_order(self, options: Sequence[Option]) -> list[int]:
        """The tiles of the box, those that few options have first, and wild ones last."""
        often = Counter(tile for _, needs in options for tile, _ in needs)
        return sorted(self.box, key=lambda tile: (tile in self.wild.stands_for, often[tile], tile))

    def slot_of(self, group: int, slots: Sequence[Slot], shape: Shape) -> int:
        """The slot that a meld fills; NOWHERE, or UNCLEAR where several could be or it stands for another group."""
        fitting = [number for number, slot in enumerate(slots) if group in slot.groups | slot.meld_groups]
        if shape.melds:
            own = self.groups[group]
            inside = bool((own.kinds | own.meld_kinds).intersection(shape.melds))
            unclear = any(group in slots[number].meld_groups for number in fitting)
            return at.UNCLEAR if unclear else 0 if fitting or inside else at.NOWHERE
        return at.NOWHERE if not fitting else at.UNCLEAR if len(fitting) > 1 else fitting[0]

    # --- hands that are listed

    def listed(self, rows: Rows, shape: Shape) -> Sequence[int | list[int]]:
        """The record of a list of hands."""
        listing, places = rows.listing, list[int]()
        bits, most = list[int](), 0
        for sets, entry in zip(listing.rows, listing.entries, strict=True):
            counts = Counter[int]()
            for tile, number in sets:
                counts[tile] += number
            most = max(most, len(counts))
            bits.append(as_bits(tile for kind in counts for tile in rows.members(kind)))
            row = [int(entry in listing.concealed), counts.total(), len(counts)]
            row += [number for pair in counts.items() for number in pair]
            places.append(self.extended([*row, len(sets), *(n for one in sets for n in (*one, int(one in rows.free)))]))
        alike = [(g.tiles[0], len(g.tiles)) if len(set(g.tiles)) == 1 else (-1, 0) for g in self.groups]
        return (
            at.LISTED,
            int(shape.concealed),
            len(bits),
            most,
            sum(1 << tile for tile in rows.helpers),
            bits,
            places,
            [number for pair in alike for number in pair],
            len(self.data.tiles.tiles),
            self.extended([len(listing.choices), *(as_bits(own) for own in listing.choices)]) + 1,
        )


def parts_of(options: Iterable[Option]) -> list[int]:
    """The parts of the tile set that no option joins: those of one tile together, how many others, and these."""
    parts = list[int]()
    for _, needs in options:
        joined = as_bits(tile for tile, _ in needs)
        apart = [part for part in parts if not part & joined]
        for part in parts:
            joined |= part if part & joined else 0
        parts = [*apart, joined]
    several = [part for part in parts if part.bit_count() > 1]
    return [sum(part for part in parts if part.bit_count() == 1), len(several), *several]


def as_bits(numbers: Iterable[int]) -> int:
    """Numbers as bits."""
    return sum(1 << number for number in set(numbers))
