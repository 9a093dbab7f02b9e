"""What the oracles share: reading tiles, splitting a hand of the usual tiles, and the shape of a result.

A tile is its code ("3p", "E"). In: a case as the contract has it. Out: readings as lists of groups.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

WINDS, DRAGONS = ("E", "S", "W", "N"), ("C", "F", "P")
HONOURS = WINDS + DRAGONS
SUITS = "mps"
TERMINALS = tuple(f"{rank}{suit}" for suit in SUITS for rank in (1, 9))
ORPHANS = TERMINALS + HONOURS
CONCEALED_KINDS = ("concealed_kong",)


@dataclass(frozen=True)
class Group:
    """kind: chow, pung, kong, pair or one (a single tile of a special hand). `exposed`: on the table for all to see, or
    completed by somebody else's tile. `completed`: holds the winning tile."""

    kind: str
    tiles: tuple[str, ...]
    exposed: bool = False
    completed: bool = False

    @property
    def tile(self) -> str:
        """The lowest tile."""
        return self.tiles[0]


@dataclass(frozen=True)
class Reading:
    """One way to read a hand: form is regular, seven_pairs, thirteen_orphans or nine_gates."""

    form: str
    groups: tuple[Group, ...]

    def of(self, *kinds: str) -> list[Group]:
        """The groups of these kinds."""
        return [group for group in self.groups if group.kind in kinds]


@dataclass(frozen=True)
class Case:
    """A case, read."""

    hand: tuple[str, ...]
    melds: tuple[Group, ...]
    win: str | None
    self_draw: bool
    bonus: tuple[str, ...]
    seat: str | None
    round: str | None
    flags: frozenset[str]
    discarder: str | None

    @property
    def concealed(self) -> bool:
        """No exposed meld."""
        return not any(meld.exposed for meld in self.melds)

    @property
    def tiles(self) -> tuple[str, ...]:
        """Every tile of the hand, kongs with all four, without bonus tiles."""
        win = () if self.win is None else (self.win,)
        return self.hand + win + tuple(tile for meld in self.melds for tile in meld.tiles)


@dataclass(frozen=True)
class Result:
    """What a case is worth. `alternatives`: the patterns of every best reading, one of which has to come out."""

    win: bool
    total: Any = 0
    values: Mapping[str, Any] = field(default_factory=dict)
    patterns: frozenset[str] = frozenset()
    alternatives: tuple[frozenset[str], ...] = ()
    payments: Mapping[str, Any] | None = None


# --- reading a case


def tiles_of(text: str | Iterable[str]) -> tuple[str, ...]:
    """Tiles of "123m45p EE" or of a list of such."""
    found: list[str] = []
    for word in [text] if isinstance(text, str) else text:
        for ranks, suit, honour in re.findall(r"(\d+)([mpsfg])|([ESWNCFPJ])", word):
            found += [honour] if honour else [rank + suit for rank in ranks]
    return tuple(found)


def meld_of(meld: str | Mapping[str, Any]) -> Group:
    """A declared group."""
    said: Mapping[str, Any] = {"tiles": meld} if isinstance(meld, str) else meld
    tiles = tuple(sorted(tiles_of(said["tiles"])))
    concealed = said.get("concealed", said.get("kind") in CONCEALED_KINDS)
    kind = "kong" if len(tiles) == 4 else "pung" if tiles[0] == tiles[-1] else "chow"
    return Group(kind, tiles, exposed=not concealed)


def read(case: Mapping[str, Any]) -> Case:
    """The case with its tiles read."""
    win = case.get("win_tile", case.get("win"))
    return Case(
        tiles_of(case["hand"]),
        tuple(meld_of(meld) for meld in case.get("melds", ())),
        win,
        bool(case.get("self_draw")),
        tiles_of(case.get("bonus", ())),
        case.get("seat_wind"),
        case.get("round_wind"),
        frozenset(case.get("flags", ())),
        case.get("discarder"),
    )


# --- splitting


def splits(tiles: Counter[str], sets: int) -> Iterator[tuple[tuple[str, tuple[str, ...]], ...]]:
    """Every way to make so many chows and pungs and one pair of the tiles."""
    for pair in sorted(tile for tile, count in tiles.items() if count >= 2):
        rest = tiles - Counter([pair, pair])
        for groups in sets_of(rest, sets):
            yield (*groups, ("pair", (pair, pair)))


def sets_of(tiles: Counter[str], sets: int) -> Iterator[tuple[tuple[str, tuple[str, ...]], ...]]:
    """Every way to make exactly so many chows and pungs of the tiles."""
    if sum(tiles.values()) != 3 * sets:
        return
    if sets == 0:
        yield ()
        return
    first = min(tiles.elements())
    if tiles[first] >= 3:
        for rest in sets_of(tiles - Counter([first] * 3), sets - 1):
            yield (("pung", (first,) * 3), *rest)
    if first[-1] in SUITS and int(first[0]) <= 7:
        chow = tuple(f"{int(first[0]) + step}{first[1]}" for step in range(3))
        if all(tiles[tile] for tile in chow):
            for rest in sets_of(tiles - Counter(chow), sets - 1):
                yield (("chow", chow), *rest)


def placed(groups: Iterable[tuple[str, tuple[str, ...]]], case: Case) -> Iterator[tuple[Group, ...]]:
    """The concealed groups with the winning tile in each group where it can be."""
    groups = tuple(groups)
    for index in sorted({groups.index(group) for group in groups if case.win in group[1]}):
        yield tuple(
            Group(kind, tiles, exposed=place == index and not case.self_draw, completed=place == index)
            for place, (kind, tiles) in enumerate(groups)
        )


def readings(case: Case, seven_pairs: bool) -> Iterator[Reading]:
    """Every reading of a won hand."""
    tiles = Counter((*case.hand, case.win or ""))
    for groups in dict.fromkeys(tuple(sorted(split)) for split in splits(tiles, 4 - len(case.melds))):
        for concealed in placed(groups, case):
            yield Reading("regular", (*case.melds, *concealed))
    if case.melds or sum(tiles.values()) != 14:
        return
    if seven_pairs and all(count % 2 == 0 for count in tiles.values()):
        pairs = [("pair", (tile, tile)) for tile in sorted(tiles) for _ in range(tiles[tile] // 2)]
        yield from (Reading("seven_pairs", groups) for groups in placed(pairs, case))
    if set(tiles) == set(ORPHANS):
        yield Reading("thirteen_orphans", tuple(Group("one", (tile,)) for tile in tiles.elements()))
    if is_nine_gates(tiles):
        yield Reading("nine_gates", tuple(Group("one", (tile,)) for tile in tiles.elements()))


def is_nine_gates(tiles: Counter[str]) -> bool:
    """1112345678999 and one more of a suit."""
    return any(
        set(tiles) == {f"{rank}{suit}" for rank in range(1, 10)} and tiles["1" + suit] >= 3 <= tiles["9" + suit]
        for suit in SUITS
    )


# --- tiles


def suits_of(tiles: Iterable[str]) -> set[str]:
    """The suits that occur."""
    return {tile[1] for tile in tiles if len(tile) == 2 and tile[1] in SUITS}


def has_honours(tiles: Iterable[str]) -> bool:
    """Whether a wind or dragon occurs."""
    return any(tile in HONOURS for tile in tiles)


def all_of(tiles: Iterable[str], allowed: Iterable[str]) -> bool:
    """Whether every tile is one of these."""
    return set(tiles) <= set(allowed)
