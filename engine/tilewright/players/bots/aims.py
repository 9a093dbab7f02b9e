"""Aims: hands that a careful player may aim for: the forms of a ruleset, and narrower ones of one suit, one class of
tiles or one kind of group, if such hands are worth more.

Which ones pay is found by scoring random hands. Knows no table.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from itertools import chain

from tilewright.hands.distance.approach import Approach
from tilewright.hands.reading import Hand, Shape, Slot
from tilewright.hands.readings import ReadingSearch, merged
from tilewright.language.compiled.ruleset import CompiledRuleset
from tilewright.play.rules import Rules
from tilewright.players.bots.odds import CAREFUL, TurnsLeft, appeal, prospect
from tilewright.players.bots.position import approach_without, limited, of_kind, of_tiles
from tilewright.players.bots.random_bot import SeededChoices
from tilewright.players.bots.worth import HandValues, KnownMarks, ScoringContext

SAMPLES = 10  # hands made for each aim
MOST_TRIES = 30  # to make one
MOST_AIMS = 10
HANDS = 8  # dealt, to find the most promising aims
DEALT = 13
START = TurnsLeft(0, 18)
WORTH_IT = 1.3  # times as much as the form itself
LEAST_TILES = 4  # different ones


@dataclass(frozen=True, eq=False)
class Aim:
    """Something to aim for. `worth`: the mean worth of such hands; `open_hand`: its groups may be exposed; `made`: some
    such hands, each as the other tiles and the winning tile."""

    approach: Approach
    worth: float
    open_hand: bool
    made: tuple[tuple[tuple[int, ...], int], ...]

    @cached_property
    def _without(self) -> dict[frozenset[int], Approach]:
        return {}

    def without(self, tiles: frozenset[int], data: CompiledRuleset) -> Approach:
        """The approach to it without some tiles."""
        if not tiles:
            return self.approach
        if tiles not in self._without:
            self._without[tiles] = approach_without(self.approach.reader, tiles, data)
        return self._without[tiles]


def aims_of(rules: Rules) -> tuple[Aim, ...]:
    """The aims of a ruleset except those of listed hands, forms first, then by worth."""
    reader, worth, lots = rules.judge.reader, HandValues(rules), SeededChoices(0, 0, 0)
    plain = {shape: aim_of(reader, shape, worth, lots) for shape in reader.shapes if shape.cases}
    better: list[Aim] = []
    for shape, aim in plain.items():
        made = dict.fromkeys(narrowed(shape, rules.data) if shape.pick is None else ())
        better += (one for narrow in made if is_worth_it(one := aim_of(reader, narrow, worth, lots), aim))
    hands = [drawn(reader, lots) for _ in range(HANDS)]
    return (*plain.values(), *sorted(better, key=lambda aim: -promise(aim, hands))[:MOST_AIMS])


def drawn(reader: ReadingSearch, lots: SeededChoices) -> Hand:
    """A random dealt hand."""
    tiles = [tile for _, tile in zip(range(DEALT), lots.shuffled(sorted(reader.wild.copies.elements())), strict=False)]
    return Hand(tuple(sorted(tiles, key=reader.place.__getitem__)))


def promise(aim: Aim, hands: Sequence[Hand]) -> float:
    """How promising an aim is for dealt hands."""
    found = 0.0
    for hand in hands:
        look, left = aim.approach.look(hand), aim.approach.left(hand)
        distance, useful = look.roughly
        tiles = sum(left[tile] for tile in useful)
        claims = CAREFUL.claims if aim.open_hand else CAREFUL.draws
        found += prospect(distance, tiles, left.total(), START, claims, CAREFUL) * appeal(aim.worth, CAREFUL)
    return found


def is_worth_it(narrow: Aim, wide: Aim) -> bool:
    """Whether the narrower aim is worth clearly more."""
    return narrow.worth > WORTH_IT * wide.worth


def aim_of(reader: ReadingSearch, shape: Shape, worth: HandValues, lots: SeededChoices) -> Aim:
    hands = [random_hand(reader, shape, lots) for _ in range(SAMPLES)]
    made = tuple(parted(hand, lots.one_of(hand), reader) for hand in hands if hand)
    place = ScoringContext(1, next(iter(rounds_of(worth.rules)), None), flags=promised(worth.rules))
    totals = [worth.of(rest, (), win, place) for rest, win in made]
    mean = sum(totals) / len(totals) if totals else 0.0
    return Aim(Approach(ReadingSearch(reader.tiles, reader.groups, (shape,))), mean, not shape.concealed, made)


def parted(hand: Sequence[int], win: int, reader: ReadingSearch) -> tuple[tuple[int, ...], int]:
    """The sorted hand without its winning tile, and that tile."""
    rest = list(hand)
    rest.remove(win)
    return tuple(sorted(rest, key=reader.place.__getitem__)), win


def promised(rules: Rules) -> frozenset[str]:
    """The marks that a hand without groups can have set."""
    return KnownMarks(rules).promised(()) if rules.data.play is not None else frozenset()


def rounds_of(rules: Rules) -> Sequence[int]:
    return rules.data.play.match.rounds if rules.data.play is not None else ()


# --- narrower forms


def narrowed(shape: Shape, data: CompiledRuleset) -> Iterator[Shape]:
    """The shape with fewer groups to choose from."""
    for tiles in tile_sets(data):
        yield from limited(shape, partial(of_tiles, tiles=tiles, data=data))
    used = {index for case in shape.cases for slot in case for index in slot.groups}
    for kind in sorted({kind for index in used for kind in data.groups.groups[index].kinds}):
        yield from limited(shape, partial(of_kind, kind=kind, data=data))


def tile_sets(data: CompiledRuleset) -> list[frozenset[int]]:
    """One suit, one suit with all tiles that have no rank, every class of tiles."""
    tiles = data.tiles.tiles
    suits = [
        frozenset(tile.index for tile in tiles if tile.suit == suit.id and tile.rank is not None)
        for suit in data.tiles.suits
    ]
    unranked = frozenset(tile.index for tile in tiles if tile.rank is None)
    classes = [one.tiles for one in data.tiles.classes.values() if not one.words]
    found = chain(suits, (suit | unranked for suit in suits), classes)
    return [one for one in dict.fromkeys(found) if len(one) >= LEAST_TILES]


# --- random hands


def random_hand(reader: ReadingSearch, shape: Shape, lots: SeededChoices) -> tuple[int, ...]:
    """The plain tiles of some whole hand; none if the search takes too long."""
    for _ in range(MOST_TRIES):
        case = merged(lots.one_of(shape.cases))
        parts = picked(reader, shape.pick, case, lots) if shape.pick is not None else filled(reader, case, lots)
        tiles = tuple(chain.from_iterable(parts))
        if tiles and Counter(tiles) <= reader.wild.copies:
            return tiles
    return ()


def picked(reader: ReadingSearch, number: int, case: Sequence[Slot], lots: SeededChoices) -> Iterator[tuple[int, ...]]:
    """Different tiles of the pool."""
    pool = sorted(reader.pool(case))
    if len(pool) >= number:
        yield from ((tile,) for tile, _ in zip(lots.shuffled(pool), range(number), strict=False))


def filled(reader: ReadingSearch, case: Sequence[Slot], lots: SeededChoices) -> Iterator[tuple[int, ...]]:
    """Groups and tiles for every slot."""
    for slot in case:
        groups, tiles = sorted(slot.groups), sorted(slot.tiles)
        for _ in range(slot.count):
            if slot.each:
                yield tuple(tiles)
            elif groups:
                group = lots.one_of(groups)
                groups = [one for one in groups if one != group] if slot.different else groups
                yield real(reader, group)
            elif tiles:
                yield (lots.one_of(tiles),)


def real(reader: ReadingSearch, index: int) -> tuple[int, ...]:
    """The tiles of a group, a wild one for a rank without a tile."""
    group = reader.groups.groups[index]
    served = reader.wild.served(group.kinds | group.meld_kinds)
    return tuple(served.get(tile, (tile,))[0] if reader.wild.virtual(tile) else tile for tile in group.tiles)
