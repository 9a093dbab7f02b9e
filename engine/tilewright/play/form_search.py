"""Forms to search for: whether the tiles of a hand may be one, where no table tells it.

In: a compiled ruleset. Out: its forms as one list of numbers, which a kernel searches (`play.compiled.kernel.search`).
What may or may not be a form passes; what is turned away is none. Knows no table.

Kernels read the numbers, and those of bounds of values (`value_bounds`), by the places that are declared here. Forms:
the first number is where their records are listed, after how many they are; every record begins with what it is and
whether its form is concealed. Bounds: places are counted from their first number.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations_with_replacement, islice, product

from tilewright.hands.listed import Rows
from tilewright.hands.reading import Shape, Slot
from tilewright.play.group_index import Counted
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
            yield ANYTHING, int(shape.concealed)
        else:
            yield from (self.covered(shape, case) for case in shape.cases)

    # --- groups and tiles

    def covered(self, shape: Shape, case: Sequence[Slot]) -> Sequence[int | list[int]]:
        """The record of a case."""
        fixed = Counter(tile for slot in case if slot.each for tile in slot.tiles)
        slots = [slot for slot in case if not slot.each]
        every = (option for number, slot in enumerate(slots) for option in self.options(number, slot))
        options = list(islice(every, MOST_OPTIONS + 1))
        if len(slots) > MOST_SLOTS or len(options) > MOST_OPTIONS:
            return ANYTHING, int(shape.concealed)
        order = self.in_order(options)
        place = {tile: number for number, tile in enumerate(order)}
        of_lead = dict[int, list[Option]]()
        for option in options:
            of_lead.setdefault(min(place[tile] for tile, _ in option[1]), []).append(option)
        written = [[self.extended(self.option(one)) for one in of_lead.get(lead, ())] for lead in range(len(order))]
        return (
            COVERED,
            int(shape.concealed),
            sum(slot.count << SLOT_BITS * number for number, slot in enumerate(slots)),
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
        if max(found) > MOST_SUM or any(self.wild.copies[tile] > MOST_ALIKE for tile in self.box):
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
            return UNCLEAR if unclear else 0 if fitting or inside else NOWHERE
        return NOWHERE if not fitting else UNCLEAR if len(fitting) > 1 else fitting[0]

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
            LISTED,
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


MOST_ALIKE = 4  # tiles of a hand that are told apart by how many there are

# --- forms

KIND, CONCEALED, OWN = range(3)
ANYTHING, COVERED, LISTED = range(3)

# Tiles that groups and single tiles of slots use up: what all slots hold together; fixed tiles with their counts, after
# how many they are; by group the slot that it fills as a meld; whether melds may lie inside other groups; the tiles
# that a search takes one after the other, after how many they are, and for each where its options are listed: those
# that take no tile before it; where it stands how many tiles a hand may have of each part of the tile set, 0 where it
# is not; the tiles of options and the fixed ones, as bits.
TARGET, FIXED, SLOT_OF, HOSTS, ORDER, OPTIONS, SUMS, USES = range(OWN, OWN + 8)
SLOT_BITS, MOST_SLOTS = 8, 7
NOWHERE, UNCLEAR = -1, -2
# An option: its slot, how many different tiles, then each with its count.
OPTION_SLOT, OPTION_TILES, OPTION = range(3)
# How many tiles a hand may have of each part of the tile set that no option joins to another part: the wild tiles and
# the numbers, as bits, where the parts are listed for hands without wild tiles, and for others. A list of parts: the
# tiles that are a part each, as bits; how many other parts there are, and each as bits.
SUMS_WILD, SUMS_FIT, SUMS_PARTS, SUMS_JOINED = range(4)
PARTS_SINGLE, PARTS_NUMBER, PARTS = range(3)
MOST_SUM = 60  # of tiles of a part

# Hands that are listed: how many; how many different tiles one has at most; the wild tiles and of each hand its tiles,
# as bits; where each hand is; by group its tile, if it has no other, and how many; the number of the first choice, and
# where the tiles of each are listed, as bits. Choices stand among the tiles of a hand, each for any one of its tiles.
ROWS, MOST_TILES, WILD, BITS, PLACES, ALIKE, FIRST_CHOICE, CHOICES = range(OWN, OWN + 8)
# A hand: whether it is concealed, how many tiles, how many different ones; each with its count; how many sets, and each
# as its tile, how many, and whether wild tiles may stand in it.
ROW_CONCEALED, ROW_SIZE, ROW_TILES, ROW = range(4)
SET = 3


# --- bounds

# What a hand has to be worth at least; where the patterns are listed, after how many they are; where the tiles of each
# group are; by plain tile its suit, or -1, and what it may stand for where it is wild, as bits.
LEAST, PATTERNS, GROUPS, SUITS, STANDS, HEADER = range(6)

# A pattern: what it adds, the facts of the table that it needs as bits, the groups for each of which it adds that (0:
# once), how many conditions, and these.
WORTH, FACTS, EACH, CONDITIONS, PATTERN = range(5)

# A condition: its kind, then what it takes. WITHIN: the tiles that a hand may have, as bits. HAS_GROUPS: cases, after
# how many they are. IS_FORM: records of forms that are searched for, after how many. OF_SUITS: a bit for each set of
# suits, and the same for hands with wild tiles. HAS_COPIES: tiles as bits, and how many of them there are at least.
WITHIN, HAS_GROUPS, IS_FORM, OF_SUITS, HAS_COPIES = range(5)

# A case: the plain tiles that every group needs which it wants, as bits; what it wants, after how many. What it wants:
# how many groups, whether none of them is exposed; a list of groups: the size of the smallest, how many, and these.
CASE_TILES, CASE = range(2)
COUNT, HIDDEN, WANTED = range(3)
SMALLEST, NUMBER, LIST = range(3)
