"""Listed hands: how near a hand is to each row, against a matcher that tries every way; and the words around it."""

from collections import Counter
from collections.abc import Iterator, Mapping
from functools import cache
from itertools import permutations
from random import Random

import pytest
from budget import budget
from small_worlds import World, world

from tilewright.hands.listed import NEVER, Bar, ListedFacts, ListedPlace, MixedWildTiles, Rows
from tilewright.hands.reading import Hand, Listing, Meld, Part
from tilewright.tiles.notation import parse_tiles

SMALL = """
tiles:
  copies: 3
  suits: {a: {code: m, ranks: 1..3}}
  unranked:
    {winds: {codes: [E]}, flowers: {codes: [1f, 2f, 3f], copies: 1, alike: true}, jokers: {codes: [J], copies: 2}}
  wild: {jokers: {tiles: [jokers], stands_for: [a, winds, flowers], in: [triplet, quad]}}
groups: {single: {alike: 1}, pair: {alike: 2}, triplet: {alike: 3}, quad: {alike: 4}}
"""
WHOLE = """
tiles:
  copies: 4
  suits: {a: {code: m, ranks: 1..9}, b: {code: p, ranks: 1..9}, c: {code: s, ranks: 1..9}}
  unranked:
    winds: {codes: [E, S, W, N]}
    dragons: {codes: [C, F, P]}
    flowers: {codes: [1f, 2f, 3f, 4f, 1g, 2g, 3g, 4g], copies: 1, alike: true}
    jokers: {codes: [J], copies: 8}
  wild: {jokers: {tiles: [jokers], stands_for: [a, b, c, winds, dragons, flowers], in: [triplet, quad, quint, sextet]}}
groups:
  {single: {alike: 1}, pair: {alike: 2}, triplet: {alike: 3}, quad: {alike: 4}, quint: {alike: 5}, sextet: {alike: 6},
  step: {run: 3}}
"""
TWO_SORTS = """
tiles:
  copies: 4
  suits: {a: {code: m, ranks: 1..3}}
  unranked: {jokers: {codes: [J], copies: 2}, blanks: {codes: [B], copies: 2}}
  wild:
    jokers: {tiles: [jokers], stands_for: [a], in: [triplet]}
    blanks: {tiles: [blanks], stands_for: [a], in: [quad]}
groups: {pair: {alike: 2}, triplet: {alike: 3}, quad: {alike: 4}}
"""
HELPERS = """
tiles:
  copies: 4
  suits: {a: {code: m, ranks: 1..3}}
  unranked: {jokers: {codes: [J], copies: 2}, blanks: {codes: [B], copies: 2}}
  wild: {both: {tiles: [jokers, blanks], stands_for: [a], in: [triplet]}}
groups: {pair: {alike: 2}, triplet: {alike: 3}}
"""
Slots = tuple[tuple[int, bool], ...]  # a place: its tile, and whether a wild tile may stand there


def listing(game: World, *lines: str, closed: frozenset[int] = frozenset()) -> Listing:
    """Each line an entry with hands between slashes, their sets as words."""
    rows = [(entry, hand) for entry, line in enumerate(lines) for hand in line.split("/")]
    return Listing(tuple(row_of(game, hand) for _, hand in rows), tuple(entry for entry, _ in rows), closed)


def row_of(game: World, text: str) -> tuple[tuple[int, int], ...]:
    faces = [parse_tiles(word, game.tiles) for word in text.split()]
    return tuple((game.tiles.tiles[tiles[0]].plain, len(tiles)) for tiles in faces)


def rows_of(game: World, *lines: str, closed: frozenset[int] = frozenset()) -> Rows:
    return Rows(game.tiles, game.groups, listing(game, *lines, closed=closed))


def counted(game: World, text: str) -> Counter[int]:
    return Counter(game.tiles.tiles[face].plain for face in parse_tiles(text, game.tiles))


def meld_of(game: World, text: str, exposed: bool = True) -> Meld:
    """Tiles that are alike, but for wild ones among them."""
    faces = parse_tiles(text, game.tiles)
    plain = [game.tiles.tiles[face].plain for face in faces]
    wild = game.tiles.by_code("J")
    assert wild is not None
    tile = next(face for face in plain if face != wild.index)
    pairs = tuple((wild.index, tile) for face in plain if face == wild.index)
    return Meld(game.groups.by_tiles[(tile,) * len(faces)], faces, exposed, pairs)


# --- against a matcher that tries every way


class Matcher:
    """The slow way: places of a row, one by one, and every tile for each."""

    def __init__(self, game: World, listed: Listing) -> None:
        self.game = game
        self.listed = listed
        self.box = game.reader.wild.copies

    def helpers(self, tile: int, count: int) -> set[int]:
        index = self.game.groups.by_tiles.get((tile,) * count)
        kinds = self.game.groups.groups[index].kinds if index is not None else set()
        return {
            helper
            for wild in self.game.tiles.wild
            if wild.groups & kinds and tile in wild.stands_for.tiles
            for helper in wild.tiles.tiles
        }

    @property
    def wild(self) -> set[int]:
        return {tile for wild in self.game.tiles.wild for tile in wild.tiles.tiles}

    def rest(self, row: int, melds: tuple[Meld, ...]) -> list[tuple[int, int]] | None:
        """The sets of the row that are not melded; None where the row has no such sets or may not be exposed."""
        sets = list(self.listed.rows[row])
        if self.listed.entries[row] in self.listed.concealed and any(meld.exposed for meld in melds):
            return None
        for meld in melds:
            tiles = self.game.groups.groups[meld.group].tiles
            if set(tiles) != {tiles[0]} or (tiles[0], len(tiles)) not in sets:
                return None
            sets.remove((tiles[0], len(tiles)))
        return sets

    def slots(self, sets: list[tuple[int, int]]) -> Slots:
        return tuple((tile, bool(self.helpers(tile, count))) for tile, count in sets for _ in range(count))

    def missing(self, row: int, hand: Hand, gone: Mapping[int, int]) -> int:
        sets = self.rest(row, hand.melds)
        if sets is None or not self.possible(row, hand.melds, gone):
            return NEVER
        return self.least(self.slots(sets), self.held(hand))

    def least(self, slots: Slots, held: Counter[int]) -> int:
        return least(slots, tuple(sorted(held.items())), frozenset(self.wild))

    def held(self, hand: Hand) -> Counter[int]:
        faces = hand.tiles if hand.win is None else (*hand.tiles, hand.win)
        return Counter(self.game.tiles.tiles[face].plain for face in faces)

    def possible(self, row: int, melds: tuple[Meld, ...], gone: Mapping[int, int]) -> bool:
        """All that is not gone fills the row; naturals of melds stay in their meld."""
        sets = self.rest(row, melds)
        if sets is None:
            return False
        there = self.box - Counter(gone)
        slots = list(self.slots(sets))
        for meld in melds:
            plain = [self.game.tiles.tiles[face].plain for face in meld.tiles]
            natural = [tile for tile in plain if tile not in self.wild]
            there -= Counter(natural)
            tiles = self.game.groups.groups[meld.group].tiles
            slots += self.slots([(tiles[0], len(tiles))])[len(natural) :]
        return self.least(tuple(sorted(slots)), there) == 0

    def left(self, hand: Hand, gone: Mapping[int, int]) -> Counter[int]:
        melded = Counter(self.game.tiles.tiles[face].plain for meld in hand.melds for face in meld.tiles)
        return self.box - self.held(hand) - melded - Counter(gone)

    def lowering(self, row: int, hand: Hand, gone: Mapping[int, int]) -> dict[int, int]:
        """The tiles left that make the row miss one less."""
        slots = self.slots(self.rest(row, hand.melds) or [])
        now = self.least(slots, self.held(hand))
        left = self.left(hand, gone)
        return {tile: n for tile, n in left.items() if self.least(slots, self.held(hand) + Counter([tile])) < now}

    def readings(self, row: int, hand: Hand) -> set[object]:
        """What every order of the tiles makes of the sets: bags of (set, wild tiles in it, holds the winning tile)."""
        sets = self.rest(row, hand.melds)
        tiles = [*self.held(Hand(hand.tiles)).elements(), *self.held(Hand(() if hand.win is None else (hand.win,)))]
        if sets is None or len(tiles) != sum(count for _, count in sets):
            return set()
        return set(self.laid_out(sets, tiles, hand.win is not None))

    def laid_out(self, sets: list[tuple[int, int]], tiles: list[int], won: bool) -> Iterator[object]:
        last = len(tiles) - 1
        for order in permutations(range(len(tiles))):
            parts, at = [], 0
            for tile, count in sets:
                inside = order[at : at + count]
                wild = sorted(tiles[n] for n in inside if tiles[n] != tile)
                if not set(wild) <= self.helpers(tile, count):
                    break
                parts.append((tile, count, tuple(wild), won and last in inside))
                at += count
            else:
                yield tuple(sorted(parts))


@cache
def least(slots: Slots, held: tuple[tuple[int, int], ...], wild: frozenset[int]) -> int:
    """The fewest places that stay empty."""
    if not slots:
        return 0
    (tile, free), rest = slots[0], slots[1:]
    have = dict(held)
    choices = [tile, *wild] if free else [tile]
    best = 1 + least(rest, held, wild)
    for choice in choices:
        if have.get(choice):
            after = Counter(have)
            after[choice] -= 1
            best = min(best, least(rest, tuple(sorted((+after).items())), wild))
    return best


def random_listing(game: World, chance: Random, sizes: tuple[int, ...], tiles: int) -> Listing:
    """A few entries of a few rows with so many tiles."""
    wild = {tile for wild in game.tiles.wild for tile in wild.tiles.tiles}
    natural = [tile.index for tile in game.tiles.tiles if tile.plain == tile.index and tile.index not in wild]
    rows: list[tuple[tuple[int, int], ...]] = []
    entries: list[int] = []
    for entry in range(chance.randint(1, 4)):
        for _ in range(chance.randint(1, 4)):
            row: list[tuple[int, int]] = []
            while (room := tiles - sum(count for _, count in row)) > 0:
                row.append((chance.choice(natural), min(room, chance.choice(sizes))))
            if (entry, sorted(row)) not in zip(entries, map(sorted, rows), strict=True):
                rows.append(tuple(row))
                entries.append(entry)
    return Listing(tuple(rows), tuple(entries), frozenset({0} if chance.random() < 0.3 else ()))


def random_case(game: World, listed: Listing, chance: Random) -> tuple[Hand, Counter[int]]:
    """A hand near some row, melds of its sets or of others, and tiles that are gone."""
    row = chance.choice(listed.rows)
    matcher = Matcher(game, listed)
    box = Counter(matcher.box)
    melds: list[Meld] = []
    rest = list(row)
    for one in row if chance.random() < 0.6 else ():
        tile, count = one if chance.random() < 0.9 else chance.choice(chance.choice(listed.rows))
        index = game.groups.by_tiles.get((tile,) * count)
        if index is None or chance.random() < 0.5:
            continue
        helpers = sorted(matcher.helpers(tile, count))
        wild = [chance.choice(helpers) for _ in range(chance.randint(0, count - 1))] if helpers else []
        lies = [tile] * (count - len(wild)) + wild
        if Counter(lies) <= box:
            box -= Counter(lies)
            pairs = tuple((helper, tile) for helper in wild)
            melds.append(Meld(index, tuple(lies), chance.random() < 0.8, pairs))
            rest = rest[:-1]
    wanted = [tile for tile, count in rest for _ in range(count)]
    tiles: list[int] = []
    for tile in wanted:
        near = tile if chance.random() < 0.7 and box[tile] else chance.choice(list((+box).elements()))
        tiles.append(near)
        box -= Counter([near])
    gone = Counter(chance.sample(list(box.elements()), chance.randint(0, box.total() * 3 // 4)))
    win = tiles.pop() if tiles and chance.random() < 0.5 else None
    return Hand(tuple(sorted(tiles)), tuple(melds), win), gone


def agree(game: World, listed: Listing, hand: Hand, gone: Counter[int]) -> None:
    rows, matcher = Rows(game.tiles, game.groups, listed), Matcher(game, listed)
    every = range(len(listed.rows))
    missing = [matcher.missing(row, hand, gone) for row in every]
    assert rows.missing(hand, gone).tolist() == missing
    assert rows.possible(hand.melds, gone).tolist() == [matcher.possible(row, hand.melds, gone) for row in every]
    live = rows.live(hand, gone)
    near: set[int] = set()
    for row in every:
        if missing[row] == NEVER:
            continue
        lowering = matcher.lowering(row, hand, gone)
        assert live[row] == sum(lowering.values())
        (told,) = rows.told([row], hand, gone)
        assert {tile: left for tile, left in told.live if left} == lowering
        agree_on_row(rows, matcher, told, hand, missing[row])
        near |= set(lowering) if missing[row] == min(missing) else set()
    assert rows.wanted(hand, gone) == (min(missing), near)
    for entry in set(listed.entries):
        possible = [missing[row] < NEVER for row in every if listed.entries[row] == entry]
        assert (rows.why(hand.melds, gone, entry) is None) == any(possible)
    assert (rows.why(hand.melds, gone) is None) == (min(missing) < NEVER)


def agree_on_row(rows: Rows, matcher: Matcher, told: ListedFacts, hand: Hand, missing: int) -> None:
    """What is kept, and what is wanted in addition, is the row."""
    slots = matcher.slots(matcher.rest(told.row, hand.melds) or [])
    needs, kept, others = told.needs, told.kept, told.others
    held = hand.tiles if hand.win is None else (*hand.tiles, hand.win)
    assert Counter((*kept, *others)) == Counter(held)
    assert (len(needs), len(kept)) == (missing, len(slots) - missing)
    full = matcher.held(Hand(kept)) + Counter(need.tile for need in needs)
    assert matcher.least(slots, full) == 0
    for need in needs:
        assert not need.wild or matcher.least(slots, full - Counter([need.tile]) + Counter(rows.helpers[:1])) == 0


@pytest.mark.parametrize("seed", range(budget(20)))
def test_small_listings_agree_with_trying_everything(seed: int) -> None:
    chance = Random(seed)
    game = world(SMALL)
    listed = random_listing(game, chance, (1, 2, 3, 3, 4, 5), chance.randint(4, 8))
    for _ in range(4):
        agree(game, listed, *random_case(game, listed, chance))


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(budget(2)))
def test_whole_hands_agree_with_trying_everything(seed: int) -> None:
    chance = Random(seed)
    game = world(WHOLE)
    listed = random_listing(game, chance, (1, 2, 2, 3, 3, 4, 5, 6), 14)
    for _ in range(2):
        agree(game, listed, *random_case(game, listed, chance))


@pytest.mark.parametrize("seed", range(budget(15)))
def test_readings_agree_with_every_order_of_the_tiles(seed: int) -> None:
    chance = Random(seed)
    game = world(HELPERS if seed % 2 else SMALL)
    listed = random_listing(game, chance, (2, 3, 3), 6)
    rows, matcher = Rows(game.tiles, game.groups, listed), Matcher(game, listed)
    hand = complete(matcher, listed, chance)
    found = list(rows.readings(hand, completed_exposed=True))
    assert len(set(found)) == len(found)
    for entry in set(listed.entries):
        own = [row for row in range(len(listed.rows)) if listed.entries[row] == entry]
        wanted = Counter(bag for row in own for bag in matcher.readings(row, hand))
        assert Counter(bag(parts) for one, parts in found if one == entry) == wanted
    for _, parts in found:
        assert all(part.exposed == part.completed for part in parts)


def complete(matcher: Matcher, listed: Listing, chance: Random) -> Hand:
    """A row of the listing, wild tiles in some of its places."""
    wild = list((Counter({t: matcher.box[t] for t in matcher.wild})).elements())
    chance.shuffle(wild)
    tiles = [
        wild.pop() if wild and matcher.helpers(tile, count) and chance.random() < 0.4 else tile
        for tile, count in chance.choice(listed.rows)
        for _ in range(count)
    ]
    chance.shuffle(tiles)
    return Hand(tuple(sorted(tiles[1:])), win=tiles[0]) if chance.random() < 0.8 else Hand(tuple(sorted(tiles)))


def bag(parts: tuple[Part, ...]) -> object:
    assert all(standing == part.tiles[0] for part in parts for _, standing in part.wild)
    return tuple(
        sorted((p.tiles[0], len(p.tiles), tuple(sorted(wild for wild, _ in p.wild)), p.completed) for p in parts)
    )


# --- what is told

LINES = ("1f2f 222m 444m 666m 888m", "11m 222m 333m 444m 555m", "NNNN EEE WWW SSSS/NNN EEEE WWWW SSS")


def test_what_a_hand_needs() -> None:
    game = world(WHOLE)
    rows = rows_of(game, *LINES)
    hand = game.hand("1f 22m 444m 66m J EES W")
    assert rows.missing(hand).tolist() == [5, 8, 9, 9]
    two, six, eight, flower, wild = [game.hand(text).tiles[0] for text in ("2m", "6m", "8m", "1f", "J")]
    few_twos, few_sixes = (next(rows.told([0], hand, counted(game, text))) for text in ("22m", "66m"))
    assert few_twos.needs == (ListedPlace(flower, False), ListedPlace(six, True), *[ListedPlace(eight, True)] * 3)
    assert few_sixes.needs == (ListedPlace(flower, False), ListedPlace(two, True), *[ListedPlace(eight, True)] * 3)
    assert dict(few_twos.live) == {flower: 7, two: 0, six: 2, eight: 4, wild: 7}
    assert rows.live(hand, counted(game, "22m"))[0] == 7 + 0 + 2 + 4 + 7
    assert (few_twos.kept, few_twos.others) == (game.hand("1f22m444m66mJ").tiles, game.hand("EESW").tiles)
    assert rows.missing(hand, counted(game, "222666m JJJJJJ")).tolist()[0] == NEVER


def test_wild_tiles_that_no_set_can_take_are_not_kept() -> None:
    game = world(WHOLE)
    rows = rows_of(game, "1f2f 22m 44m 66m 88m 11p 99p", "1f2f 222m 444m 666m 888m")

    def used(row: int, text: str) -> tuple[str, str]:
        (told,) = rows.told([row], game.hand(text))
        return game.write(told.kept), game.write(told.others)

    assert used(0, "1f2f 22m JJ") == ("22m 12f", "JJ")
    assert used(1, "1f2f 22m JJ") == ("22m 12f JJ", "")
    assert used(1, "1f2f 222m 444m 666m 88mJ J") == ("22244466688m 12f J", "J")


def test_any_of_several_faces_is_the_same_tile() -> None:
    game = world(WHOLE)
    rows = rows_of(game, "1f1f 222m 444m 666m 888m")
    hand = game.hand("3f4g 222m 444m 666m 88m", "8m")
    assert rows.exact(hand) == (0,)
    ((entry, parts),) = rows.readings(hand)
    assert (entry, [game.write(part.tiles) for part in parts]) == (0, ["11f", "222m", "444m", "666m", "888m"])


def test_readings_put_melds_first_and_the_winning_tile_in_each_set() -> None:
    game = world(WHOLE)
    rows = rows_of(game, "22m 222m 444m 666m 888m")
    hand = game.hand("2222m 444m 666m", "2m", (meld_of(game, "88mJ"),))
    found = [
        [(game.write(part.tiles), part.melded, part.completed, part.exposed) for part in parts]
        for _, parts in rows.readings(hand, completed_exposed=True)
    ]
    rest = [("444m", False, False, False), ("666m", False, False, False)]
    meld, pair, three = ("888m", True, False, True), ("22m", False), ("222m", False)
    assert found == [
        [meld, (*pair, True, True), (*three, False, False), *rest],
        [meld, (*pair, False, False), (*three, True, True), *rest],
    ]


WHY = [
    ("444m", "", 0, None),
    ("444m", "", 1, None),
    ("111p", "", 0, Bar("melds", melds=("111p",))),
    ("222m 555m", "", 0, Bar("melds", melds=("555m",))),
    ("NNNN EEEE", "", 2, Bar("melds", melds=("NNNN", "EEEE"))),
    ("444m", "", 3, Bar("closed")),
    ("!444m", "", 3, None),
    ("", "1f2f3f4f1g2g3g", 0, Bar("tile", "1f", 2, 1)),
    ("", "2222m JJJJJJ", 0, Bar("wild", None, 3, 2)),
    ("", "2222m JJJJJ", 0, None),
    ("", "111m 1111p", 1, Bar("tile", "1m", 2, 1)),
    ("444m", "JJJJJ 2222m", None, None),
    ("444m", "JJJJJJ 2222m", 1, Bar("wild", None, 3, 2)),
    ("444m 999s", "", None, Bar("melds", melds=("999s",))),
    ("444m NNN", "", None, Bar("melds", melds=("444m", "NNN"))),
    ("", "", 4, Bar("empty")),
    ("44mJ", "44m JJJJJJJ", 0, None),
    ("44mJ", "44m 2222m JJJJJJ", 0, Bar("wild", None, 3, 1)),
]


@pytest.mark.parametrize(("melds", "gone", "entry", "expected"), WHY)
def test_why_nothing_is_possible(melds: str, gone: str, entry: int | None, expected: Bar | None) -> None:
    game = world(WHOLE)
    rows = rows_of(game, *LINES, "11s 222m 333m 444m 777m", closed=frozenset({3}))
    laid = {text: meld_of(game, text.strip("!"), not text.startswith("!")) for text in melds.split()}
    bar = rows.why(tuple(laid.values()), counted(game, gone), entry)
    if bar is not None:
        bar = Bar(
            bar.kind,
            None if bar.tile is None else game.tiles.tiles[bar.tile].code,
            bar.wanted,
            bar.left,
            tuple(text for meld in bar.melds for text, one in laid.items() if one == meld),
        )
    assert bar == expected


def test_wild_tiles_of_several_sorts_are_refused() -> None:
    game = world(TWO_SORTS)
    one_sort = listing(game, "111m 222m", "33m 222m 11m")
    Rows.supported(game.tiles, game.groups, one_sort)
    with pytest.raises(MixedWildTiles, match="B and J differ"):
        Rows.supported(game.tiles, game.groups, listing(game, "111m 2222m"))
    with pytest.raises(MixedWildTiles, match="set of J, which is itself"):
        Rows.supported(game.tiles, game.groups, listing(game, "111m JJ"))


def test_an_empty_listing_is_never_near() -> None:
    game = world(SMALL)
    rows = Rows(game.tiles, game.groups, Listing((), ()))
    hand = game.hand("11m")
    assert (rows.missing(hand).tolist(), rows.wanted(hand), rows.exact(hand)) == ([], (NEVER, frozenset()), ())
    assert list(rows.readings(hand)) == [] and rows.why() == Bar("empty")
