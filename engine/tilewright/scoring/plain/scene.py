"""A scene: one scored hand, queried by words. In: a ruleset, a situation and perhaps a reading of the hand.

A situation is one hand, and what is known of the table when it is scored. A scene answers
`tilewright.language.vocabulary`. What the case could say and leaves out (the tiles of a zone, the melds of the others)
is the empty set where tiles are counted; what only a table in play knows (whose turn it is) is not answered.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from fractions import Fraction
from functools import cached_property
from operator import attrgetter
from typing import Any, NoReturn, Protocol

from tilewright.hands.listed import NEVER
from tilewright.hands.reading import Hand, Part, Reading
from tilewright.language.compiled.ir import Const
from tilewright.language.compiled.ruleset import CardLine, CompiledRuleset
from tilewright.language.vocabulary import words
from tilewright.language.vocabulary.declare import NOBODY, Counting, Scene, Sides
from tilewright.scoring.plain.walker import is_special

MarkValue = bool | int | Fraction | str | tuple[int, ...]
# What a field decides: words that follow from the seats, or from the table. Those of neither are the hand and what
# else lies there.
BY_SEATS, BY_TABLE = {"tells": "seats"}, {"tells": "table"}


@dataclass(frozen=True, slots=True)
class Situation:
    """`seat`, `discarder` count from the dealer; `round_wind` is a tile. `seat_known`: the case names the seat, so
    that its wind, its own tiles and the payments are known. `flags`: marks and terms that the case fixes as true.
    `others`: what the losers hold, where the case tells; `flags_of`: the flags of other seats, where they
    are not those of this one. `open_tiles`: every tile that lies open for all, the winning one not counted; None: what
    the melds and zones of the case show."""

    hand: Hand
    won: bool = True
    seat: int = field(default=0, metadata=BY_SEATS)
    seat_known: bool = field(default=False, metadata=BY_TABLE)
    self_draw: bool = field(default=False, metadata=BY_SEATS)
    discarder: int | None = field(default=None, metadata=BY_SEATS)
    round_wind: int | None = field(default=None, metadata=BY_TABLE)
    flags: frozenset[str] = field(default=frozenset(), metadata=BY_TABLE)
    marks: Mapping[str, MarkValue] = field(default_factory=dict, metadata=BY_TABLE)
    zones: Mapping[str, tuple[int, ...]] = field(default_factory=dict)
    others: Mapping[int, Hand] = field(default_factory=dict)
    flags_of: Mapping[int, frozenset[str]] = field(default_factory=dict)
    open_tiles: tuple[int, ...] | None = None

    @property
    def pays(self) -> bool:
        """Whether the case says who won from whom."""
        return self.won and self.seat_known and (self.self_draw or self.discarder is not None)

    @property
    def sides(self) -> tuple[Any, ...]:
        """Who won from whom: what decides words that follow from the seats."""
        return SIDES(self)

    @property
    def conditions(self) -> tuple[Any, ...]:
        """What else decides words that follow from the table, except flags and marks, and the hand's own."""
        return CONDITIONS(self)

    @property
    def key(self) -> tuple[Any, ...]:
        """What decides words that follow from the seats or the table, except the hand's bonus tiles and open melds."""
        return TABLE(self) if not self.marks else (*TABLE(self), *sorted(self.marks.items()))


def reader_of(*levels: Mapping[str, str], apart: str = "marks") -> Callable[["Situation"], tuple[Any, ...]]:
    """A function of the fields that decide such words; marks, a mapping, apart."""
    names = [one.name for one in fields(Situation) if one.metadata in levels]
    return attrgetter(*(name for name in names if name not in apart.split()))


SIDES, TABLE = reader_of(BY_SEATS), reader_of(BY_SEATS, BY_TABLE)
CONDITIONS = reader_of(BY_TABLE, apart="flags marks")


# --- scenes


Number = int | Fraction
NOTHING: tuple[int, ...] = ()
KNOWN_ZONES = ("hand", "melds", "bonus")  # what a hand alone shows


class Unanswered(Exception):
    """A scored hand does not say what a word asks: only a table in play knows it, or the case leaves it out."""

    def __init__(self, word: str, hint: str | None = None) -> None:
        self.word, self.hint = word, hint
        super().__init__(f"a scored hand does not say what {word!r} is")


class HandJudge(Protocol):
    """Answers words that take a search. `situation`: of the seat that is asked; its hand may be that of a loser."""

    def waits(self, situation: Situation) -> tuple[int, ...]: ...
    def distance(self, situation: Situation, seen: Sequence[int] = ()) -> int: ...
    def wins(self, situation: Situation) -> bool: ...
    def potential(self, situation: Situation) -> Number: ...


@dataclass(frozen=True)
class HandScene:
    """The hand of `situation.seat` as `reading` reads it. `values` are its measures so far; `values_of` those of
    other seats, for payments; `sides`: who pays whom in a payment line; `judge` answers words that take a search;
    `unflagged`: what a term is that the case does not flag, where zones decide it that the case leaves out."""

    data: CompiledRuleset
    situation: Situation
    reading: Reading | None = None
    values: Mapping[str, Number] = field(default_factory=dict)
    values_of: Mapping[int, Mapping[str, Number]] = field(default_factory=dict)
    sides: Sides = NOBODY
    home: "HandScene | None" = None  # the scene from which another seat is asked
    unflagged: bool | None = False
    judge: HandJudge | None = None

    @property
    def seat(self) -> int:
        return self.situation.seat

    def count_of_seats(self) -> int:
        return self.data.seats.count

    def playing(self) -> tuple[int, ...]:
        return tuple(range(self.data.seats.count))

    def of_seat(self, seat: int) -> "HandScene":
        """The same table from another seat."""
        if seat == self.seat:
            return self
        home = self.home or self
        if seat == home.seat:
            return home
        hand = self.situation.others.get(seat, Hand(()))
        there = told_of(self.data, replace(self.situation, hand=hand, seat=seat, won=False))
        return replace(self, situation=there, reading=None, values=self.values_of.get(seat, {}), home=home)

    # --- the table

    @property
    def others(self) -> tuple[int, ...]:
        count = self.count_of_seats()
        return tuple(seat % count for seat in range(self.seat + 1, self.seat + count))

    def next_playing(self, seat: int) -> int:
        return (seat + 1) % self.count_of_seats()

    def previous_playing(self, seat: int) -> int:
        return (seat - 1) % self.count_of_seats()

    def towards(self, way: str, seat: int) -> tuple[int, ...]:
        seats: tuple[int, ...] = words.WORDS[way].ask(self, seat)
        return seats

    @property
    def seat_known(self) -> bool:
        return self.situation.seat_known

    @property
    def turn(self) -> NoReturn:
        raise Unanswered(words.turn.name)

    @property
    def winner(self) -> tuple[int, ...]:
        return (self.situation.seat,) if self.situation.won else NOTHING

    @property
    def winners(self) -> tuple[int, ...]:
        return self.winner

    @property
    def takers(self) -> tuple[int, ...]:
        return self.winners

    @property
    def discarder(self) -> tuple[int, ...]:
        return one(self.situation.discarder)

    @property
    def tile(self) -> tuple[int, ...]:
        return one(self.situation.hand.win)

    @property
    def drawn(self) -> tuple[int, ...]:
        return self.tile if self.self_draw and self.home is None else NOTHING

    @property
    def group(self) -> NoReturn:
        raise Unanswered(words.group.name)

    def groups_of(self, tiles: tuple[int, ...]) -> NoReturn:
        raise Unanswered(words.group.name)

    @property
    def round_wind(self) -> tuple[int, ...]:
        return one(self.situation.round_wind)

    @property
    def score(self) -> Number:
        """The score of a seat when a match begins; a hand alone knows no other. The pot is empty."""
        start = self.data.play.match.score if self.data.play else None
        number = start.value if isinstance(start, Const) and self.seat < self.data.seats.count else 0
        return number if isinstance(number, int | Fraction) else 0

    @property
    def place(self) -> NoReturn:
        raise Unanswered(words.place.name)

    @property
    def result(self) -> NoReturn:
        raise Unanswered(words.result.name)

    @property
    def deals(self) -> NoReturn:
        raise Unanswered(words.deals.name)

    # --- several hands of a seat: a hand that is scored alone is its first

    @property
    def hand_number(self) -> int:
        return int(self.situation.won)

    @property
    def hands_won(self) -> int:
        return int(self.situation.won)

    @property
    def open_hands(self) -> NoReturn:
        raise Unanswered(words.open_hands.name)

    def is_open(self, hand: int) -> NoReturn:
        raise Unanswered(words.is_open.name)

    def takes_meld(self, hand: int) -> NoReturn:
        raise Unanswered(words.takes_meld.name)

    def can_win(self, hand: int) -> NoReturn:
        raise Unanswered(words.can_win.name)

    # --- the hand

    @cached_property
    def faces(self) -> tuple[int, ...]:
        """Every tile as a face: hand, winning tile, melds."""
        hand = self.situation.hand
        win = () if hand.win is None else (hand.win,)
        return (*hand.tiles, *win, *(tile for meld in hand.melds for tile in meld.tiles))

    @cached_property
    def copies(self) -> Counting:
        """The tiles as faces."""
        return counting(self, self.faces)

    @cached_property
    def standing(self) -> tuple[int, ...]:
        """Every tile as plain tile, a wild one as what it stands for in the reading."""
        if self.reading is not None:
            stands = tuple(tile for part in self.reading.parts for tile in part.tiles)
            if len(stands) == len(self.faces):
                return stands
        return tuple(self.plain(tile) for tile in self.faces)

    @cached_property
    def either(self) -> tuple[tuple[int, ...], ...]:
        """The identities of each tile: one, or for a wild tile itself and what it stands for."""
        if self.reading is None or not any(part.wild for part in self.reading.parts):
            return tuple((tile,) for tile in self.standing)
        return tuple(pair for part in self.reading.parts for pair in part.identities)

    @cached_property
    def pieces(self) -> tuple[tuple[int, tuple[tuple[int, ...], ...]], ...]:
        """The groups, by their numbers, with the identities of each tile; a tile that is in none has a piece, too, of
        number -1."""
        reading = self.reading
        if reading is not None and sum(len(part.tiles) for part in reading.parts) == len(self.faces):
            return tuple((part.group, tuple(part.identities)) for part in reading.parts)
        return loose_pieces(self.situation.hand.melds, self.faces, self.plain)

    def plain(self, tile: int) -> int:
        return self.data.tiles.tiles[tile].plain

    def face(self, tile: int) -> int:
        return tile

    def paying(self, sides: Sides) -> "HandScene":
        """The same in a payment line."""
        return replace(self, sides=sides)

    def flagged(self, flags: Iterable[str]) -> "HandScene":
        """The same, with more flags."""
        return replace(self, situation=replace(self.situation, flags=self.situation.flags.union(flags)))

    def remembered(self, name: str) -> Any:
        """The value that the case gives to a mark."""
        if name in self.situation.flags:
            return True
        value = self.situation.marks.get(name)
        if value is None and not self.starts(name):
            raise Unanswered(name, f"a case says it in `marks: {{{name}: ...}}`")
        return value

    def starts(self, name: str) -> bool:
        """Whether a mark that the case leaves out has a value."""
        mark = self.data.marks.get(name)
        return mark is not None and (mark.start is not None or mark.type not in ("number", "direction"))

    def fixed(self, term: str) -> bool:
        return term in self.situation.flags

    def knows(self, zone: str) -> bool:
        return zone in KNOWN_ZONES or zone in self.situation.zones

    @property
    def tiles(self) -> tuple[int, ...]:
        return self.faces

    @property
    def groups(self) -> tuple[Part, ...]:
        return self.parts

    @property
    def seen(self) -> Counting:
        """The tiles that are visible."""
        return counting(self, open_tiles(self.data, (self.home or self).situation))

    @property
    def self_draw(self) -> bool:
        return self.situation.self_draw

    @property
    def distance(self) -> int:
        return self.judged(words.distance.name).distance(self.situation)

    @property
    def possible(self) -> bool:
        melds = self.situation.hand.melds
        seen = Counter(open_tiles(self.data, (self.home or self).situation))
        seen.subtract(tile for meld in melds for tile in meld.tiles)
        judge = self.judged(words.possible.name)
        return judge.distance(replace(self.situation, hand=Hand((), melds)), tuple(seen.elements())) < NEVER

    @property
    def wins(self) -> bool:
        if self.home is None:
            return self.situation.won
        hand = replace(self.situation.hand, win=self.home.situation.hand.win)
        return self.judged(words.wins.name).wins(replace(self.situation, hand=hand, won=True, self_draw=False))

    @property
    def potential(self) -> Number:
        return self.judged(words.potential.name).potential(self.situation)

    def judged(self, word: str) -> HandJudge:
        """Who answers a word for this seat. Raises Unanswered where its hand is not known."""
        if self.judge is None:
            raise Unanswered(word)
        if self.home is not None and self.seat not in self.situation.others:
            raise Unanswered(word, "a case says what the others hold in `others: {S: {hand: ...}}`")
        return self.judge

    @property
    def form(self) -> str:
        return "" if self.reading is None else self.reading.form

    @property
    def wait(self) -> str:
        return "" if self.reading is None else self.reading.wait or ""

    def line(self, form: str) -> CardLine | None:
        """The line of a card that the hand is read as, if it is read as one in this form."""
        if self.reading is None or self.reading.entry is None or self.reading.form != form:
            return None
        card = next(one.card for one in self.data.forms if one.id == form)
        return card.lines[self.reading.entry] if card is not None else None

    def with_more(self, more: tuple[Any, ...]) -> NoReturn:
        raise Unanswered(words.with_.name)

    def with_less(self, less: tuple[int, ...]) -> NoReturn:
        raise Unanswered(words.without.name)

    def completing(self, groups: tuple[Any, ...]) -> NoReturn:
        raise Unanswered(words.completing.name)

    def stands_for(self, tiles: tuple[int, ...]) -> NoReturn:
        raise Unanswered(words.stands_for.name)

    @cached_property
    def parts(self) -> tuple[Part, ...]:
        """The groups of the reading; of a hand that is not read, its melds."""
        if self.reading is not None:
            return self.reading.parts
        return tuple(
            Part(m.group, self.data.groups.groups[m.group].tiles, m.exposed, True, False, m.wild, m.discarder)
            for m in self.situation.hand.melds
        )

    @cached_property
    def concealed(self) -> bool:
        return not any(meld.exposed for meld in self.situation.hand.melds)

    @cached_property
    def waits(self) -> tuple[int, ...]:
        return self.judged(words.waits.name).waits(self.situation)

    def zone(self, name: str, seat: int) -> tuple[Any, ...]:
        """The tiles of a zone, or its groups: a single hand knows its own hand, melds and bonus tiles."""
        if seat != self.seat:
            return self.of_seat(seat).zone(name, seat)
        hand = self.situation.hand
        if name == "hand":
            return hand.tiles if hand.win is None or not self.situation.self_draw else (*hand.tiles, hand.win)
        if name == "melds":
            return tuple(part for part in self.parts if part.melded)
        if name == "bonus":
            return hand.bonus
        return self.situation.zones.get(name, NOTHING)


def one(value: int | None) -> tuple[int, ...]:
    return NOTHING if value is None else (value,)


def loose_pieces(
    melds: Sequence[Any], faces: Sequence[int], plain: Callable[[int], int]
) -> tuple[tuple[int, tuple[tuple[int, ...], ...]], ...]:
    """The pieces of a hand that is not read: its melds, and each of the other tiles. `faces` has all of them, those of
    melds last."""
    free = len(faces) - sum(len(meld.tiles) for meld in melds)
    singles = tuple((-1, ((plain(tile),),)) for tile in faces[:free])
    return (*((meld.group, tuple((plain(tile),) for tile in meld.tiles)) for meld in melds), *singles)


def told_of(data: CompiledRuleset, situation: Situation) -> Situation:
    """The situation of another seat without the flags and marks of the scored one."""
    marks = {name: value for name, value in situation.marks.items() if data.marks[name].of != "seat"}
    return replace(situation, flags=situation.flags_of.get(situation.seat, situation.flags), marks=marks)


def counting(scene: Scene, tiles: Sequence[int]) -> Counting:
    """How many of the tiles are of a kind; of a special tile that is named, how many are that one."""
    kinds = Counter(map(scene.plain, tiles))

    def count(tile: int, named: bool = False) -> int:
        if named and is_special(tile, scene):
            return sum(scene.face(one) == tile for one in tiles)
        return kinds[scene.plain(tile)]

    return count


def open_tiles(data: CompiledRuleset, situation: Situation) -> tuple[int, ...]:
    """The visible tiles, as far as the situation says: exposed melds and bonus tiles of every known hand,
    and the zones that everyone sees."""
    if situation.open_tiles is not None:
        return situation.open_tiles
    found: list[int] = []
    for hand in (situation.hand, *situation.others.values()) if situation.others else (situation.hand,):
        for meld in hand.melds:
            if meld.exposed:
                found += meld.tiles
        found += hand.bonus
    if situation.zones:
        for name, tiles in situation.zones.items():
            if data.zones[name].seen_by == "everyone":
                found.extend(tiles)
    return tuple(found)
