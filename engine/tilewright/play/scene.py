"""A scene: a table in play as words see it from one seat. In: a game, a seat, what is being chosen.

Answers `tilewright.language.vocabulary`, as `tilewright.scoring.plain.scene` does for one scored hand. The seat may be
an imagined one: with other tiles, or after making a group.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from tilewright.hands.reading import Part
from tilewright.language.compiled.ruleset import CardLine, CompiledRuleset
from tilewright.language.vocabulary.declare import NOBODY, Counting, Seats, Sides, Tiles
from tilewright.language.vocabulary.words import WORDS
from tilewright.play import visibility
from tilewright.play.model import TableMeld
from tilewright.play.operations import Frame
from tilewright.play.program import completing
from tilewright.play.state import TableState
from tilewright.scoring.plain.scene import HandScene, counting, loose_pieces
from tilewright.scoring.plain.walker import alike, is_special

Number = int | Fraction
NOTHING: tuple[Any, ...] = ()
HERE: Mapping[str, Any] = {}


@dataclass(frozen=True, slots=True)
class ImaginedSeat:
    """An imagined seat: these tiles added to its hand and those removed, and these groups added."""

    seat: int
    more: tuple[int, ...] = ()
    less: tuple[int, ...] = ()
    made: tuple[TableMeld, ...] = ()


def fact(otherwise: "Callable[[TableScene], tuple[Any, ...]]") -> property:
    """The current fact of the property's name in `facts`, else what the game remembers."""
    name = otherwise.__name__

    def ask(scene: "TableScene") -> tuple[Any, ...]:
        known: tuple[Any, ...] | None = scene.facts.get(name)
        return otherwise(scene) if known is None else known

    return property(ask)


class TableScene:
    """The table of `game` as `seat` sees it. `letters`: the choices, arguments and loop letters in scope; `facts`: what
    is in question now, overriding what the game remembers."""

    __slots__ = ("facts", "game", "imagined", "letters", "seat")

    def __init__(
        self,
        game: TableState,
        seat: int,
        letters: Mapping[str, Any] = HERE,
        facts: Mapping[str, Any] = HERE,
        imagined: ImaginedSeat | None = None,
    ) -> None:
        self.game, self.seat, self.letters, self.facts, self.imagined = game, seat, letters, facts, imagined

    # --- what words need

    @property
    def data(self) -> CompiledRuleset:
        return self.game.program.data

    @property
    def values(self) -> Mapping[str, Any]:
        return self.game.values_of(self.seat)

    @property
    def parts(self) -> Sequence[Any]:
        """The groups of a won hand's reading; for a hand in play, its melds."""
        won = self.won
        if won is not None:
            return won.parts
        tiles = self.data.groups.groups
        return tuple(
            Part(g.group, tiles[g.group].tiles, g.exposed, True, False, g.wild, g.discarder) for g in self.melds()
        )

    @property
    def either(self) -> Sequence[tuple[int, ...]]:
        won = self.won
        if won is not None:
            return won.either
        return tuple((self.plain(tile),) for tile in self.held())

    @property
    def pieces(self) -> Sequence[tuple[int, Sequence[tuple[int, ...]]]]:
        won = self.won
        return loose_pieces(self.melds(), self.held(), self.plain) if won is None else won.pieces

    @property
    def won(self) -> HandScene | None:
        """The reading of this seat's won hand, if it won."""
        won = self.game.won.get(self.seat)
        return None if won is None or self.imagined is not None else won.scene

    def count_of_seats(self) -> int:
        return self.game.program.count

    def playing(self) -> tuple[int, ...]:
        return tuple(self.game.playing)

    def of_seat(self, seat: Any) -> "TableScene":
        if isinstance(seat, ImaginedSeat):
            return TableScene(self.game, seat.seat, self.letters, self.facts, seat)
        if seat == self.seat and self.imagined is None:
            return self
        return TableScene(self.game, seat, self.letters, self.facts)

    def knowing(self, **facts: Any) -> "TableScene":
        """The same, with more facts."""
        return TableScene(self.game, self.seat, self.letters, {**self.facts, **facts}, self.imagined)

    def paying(self, sides: Sides) -> "TableScene":
        """The same in a payment line."""
        return self.knowing(sides=sides)

    @property
    def sides(self) -> Sides:
        sides: Sides = self.facts.get("sides", NOBODY)
        return sides

    def plain(self, tile: int) -> int:
        return self.game.program.plain[tile]

    def face(self, tile: int) -> int:
        return self.game.program.face[tile]

    def among(self, tile: int, tiles: Sequence[int]) -> int | None:
        """The intended one of some tiles of the table: that very tile or an identical one; for a special tile known
        only by its face, no other."""
        only_named = tile < self.game.program.first
        return alike(tile, tiles, self, by_face=only_named and is_special(tile, self))

    def zone(self, name: str, seat: Any) -> tuple[Any, ...]:
        if self.imagined is not None and name in ("hand", "melds"):
            return tuple(self.hand()) if name == "hand" else tuple(self.melds())
        return self.game.lying(name, self.seat)

    def towards(self, way: str, seat: int) -> tuple[int, ...]:
        seats: tuple[int, ...] = WORDS[way].ask(self, seat) if way else NOTHING
        return seats

    def remembered(self, name: str) -> Any:
        if name in self.letters:
            return self.letters[name]
        return self.game.remembered(name, self.seat)

    def marked(self, name: str) -> Any:
        """The value of a mark, or an imagined one; None if it is not set."""
        if name in self.letters:
            return self.letters[name]
        return self.game.marked(name, self.seat)

    def fixed(self, term: str) -> bool:
        return False

    @property
    def unflagged(self) -> None:
        return None  # all zones are known

    def knows(self, zone: str) -> bool:
        return True

    # --- the hand

    def hand(self) -> Sequence[int]:
        """The tiles in the hand, imagined changes included."""
        hand = self.game.zones["hand"][self.seat] if "hand" in self.game.zones else NOTHING
        if self.imagined is None:
            return hand
        gone = set(self.imagined.less)
        gone.update(tile for group in self.imagined.made for tile in group.tiles)
        return [tile for tile in (*hand, *self.imagined.more) if tile not in gone]

    def melds(self) -> Sequence[TableMeld]:
        melds: Sequence[TableMeld] = self.game.zones["melds"][self.seat] if "melds" in self.game.zones else NOTHING
        if self.imagined is None:
            return melds
        grown = {tile for group in self.imagined.made for tile in group.tiles}
        return [*(group for group in melds if grown.isdisjoint(group.tiles)), *self.imagined.made]

    def held(self) -> list[int]:
        """Every tile of the hand, its groups included."""
        return [*self.hand(), *(tile for group in self.melds() for tile in group.tiles)]

    # --- facts of the table

    @property
    def turn(self) -> tuple[int, ...]:
        return (self.game.turn,)

    @fact
    def winner(self) -> tuple[int, ...]:
        return (self.seat,)

    @property
    def winners(self) -> tuple[int, ...]:
        return tuple(self.game.winners)

    @property
    def takers(self) -> tuple[int, ...]:
        return self.game.takers

    @fact
    def discarder(self) -> tuple[int, ...]:
        return one(self.game.discarder)

    @fact
    def tile(self) -> tuple[int, ...]:
        return one(self.game.tile)

    @fact
    def group(self) -> tuple[TableMeld, ...]:
        return one(self.game.group)

    @property
    def round_wind(self) -> tuple[int, ...]:
        return one(self.game.round_wind)

    @property
    def result(self) -> str:
        return self.game.result_phase

    @property
    def deals(self) -> int:
        return self.game.round * self.game.program.count + self.game.dealership

    # --- the seat

    @property
    def seat_known(self) -> bool:
        return True

    @property
    def others(self) -> tuple[int, ...]:
        return self.game.others(self.seat)

    def next_playing(self, seat: int) -> int:
        return self.game.next_playing(seat)

    def previous_playing(self, seat: int) -> int:
        return self.game.previous_playing(seat)

    @property
    def score(self) -> Number:
        return self.game.score_of(self.seat)

    @property
    def place(self) -> int:
        return self.game.place_of(self.seat)

    @property
    def drawn(self) -> tuple[int, ...]:
        return one(self.game.drawn[self.seat])

    @property
    def tiles(self) -> tuple[int, ...]:
        return tuple(self.held())

    @property
    def standing(self) -> Sequence[int]:
        won = self.won
        return [self.plain(tile) for tile in self.held()] if won is None else won.standing

    @property
    def groups(self) -> tuple[Any, ...]:
        """The groups of a won hand's reading; for a hand in play, its melds on the table."""
        won = self.won
        return tuple(self.melds()) if won is None else won.groups

    @property
    def copies(self) -> Counting:
        return counting(self, self.held())

    @property
    def seen(self) -> Counting:
        """Count the visible tiles on the table, without the tile in question and what a win on it has revealed."""
        return counting(self, visibility.seen_tiles(self.game, self.tile))

    @property
    def concealed(self) -> bool:
        return not any(group.exposed for group in self.melds())

    @property
    def self_draw(self) -> bool:
        return self.game.self_draw(self.seat, self.tile, self.discarder)

    @property
    def waits(self) -> tuple[int, ...]:
        return self.game.judging.waits(self)

    @property
    def distance(self) -> int:
        return self.game.judging.distance(self)

    @property
    def possible(self) -> bool:
        return self.game.judging.possible(self)

    @property
    def wins(self) -> bool:
        return self.game.judging.wins(self)

    @property
    def potential(self) -> Number:
        return self.game.judging.potential(self)

    # --- several hands of the seat

    @property
    def hand_number(self) -> int:
        won = self.game.won.get(self.seat)
        return 0 if won is None else won.hand

    @property
    def hands_won(self) -> int:
        return len(self.game.wins_of(self.seat))

    @property
    def open_hands(self) -> int:
        return sum(self.is_open(number) for number in range(1, self.game.program.hands + 1))

    def is_open(self, hand: int) -> bool:
        return 1 <= hand <= self.game.program.hands and not self.game.closed[self.seat] >> hand & 1

    def melds_of(self, hand: int) -> list[TableMeld]:
        """The melds of one hand; groups that are imagined are of any."""
        made = () if self.imagined is None else self.imagined.made
        return [group for group in self.melds() if group.hand == hand or group in made]

    def takes_meld(self, hand: int) -> bool:
        if not self.is_open(hand):
            return False
        before = (number for number in range(1, hand) if self.is_open(number))
        return bool(self.melds_of(hand)) or all(self.melds_of(number) for number in before)

    def can_win(self, hand: int) -> bool:
        return self.is_open(hand) and self.game.judging.can_win(self, hand)

    @property
    def form(self) -> str:
        won = self.won
        return self.game.judging.form(self) if won is None else won.form

    @property
    def wait(self) -> str:
        won = self.won
        return "" if won is None else won.wait

    def line(self, form: str) -> CardLine | None:
        won = self.won
        return None if won is None else won.line(form)

    # --- tiles and groups

    def groups_of(self, tiles: Tiles) -> tuple[TableMeld, ...]:
        return tuple(group for tile in tiles if (group := self.game.group_of(tile)) is not None)

    def completing(self, groups: tuple[Any, ...]) -> tuple[int, ...]:
        return tuple(tile for group in groups for tile in completing(self.game.program, group))

    def stands_for(self, tiles: Tiles) -> tuple[int, ...]:
        """What a wild tile in an exposed group stands for; another tile is itself."""
        lying = [(tile, self.game.group_of(tile)) for tile in tiles]
        return tuple(dict(g.wild).get(t, self.plain(t)) for t, g in lying if g is not None and g.exposed)

    def with_more(self, more: tuple[Any, ...]) -> Seats:
        before = self.imagined or ImaginedSeat(self.seat)
        made = tuple(member for member in more if isinstance(member, TableMeld))
        tiles = tuple(member for member in more if isinstance(member, int))
        return (ImaginedSeat(before.seat, (*before.more, *tiles), before.less, (*before.made, *made)),)

    def with_less(self, less: Tiles) -> Seats:
        """The seat without these tiles: those very ones, or identical ones."""
        before = self.imagined or ImaginedSeat(self.seat)
        gone = list(before.less)
        for tile in less:
            found = self.among(tile, [held for held in self.hand() if held not in gone])
            if found is not None:
                gone.append(found)
        return (ImaginedSeat(before.seat, before.more, tuple(gone), before.made),)


def one(value: Any) -> tuple[Any, ...]:
    return NOTHING if value is None else (value,)


def scene_at(game: TableState, frame: Frame) -> TableScene:
    """The table as the acting seat of a frame sees it."""
    return TableScene(game, frame.seat, frame.letters, frame.facts)
