"""A scene of a table in play, asked by words from one seat's place. In: a game, a seat, what is being chosen.

Answers `tilewright.language.vocabulary`, as `tilewright.scoring.scene` does for one scored hand. A seat may also be an
imagined one: as it would be with other tiles, or after it had made a group.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from tilewright.hands.reading import Part
from tilewright.language.compiled.ruleset import RulesetData
from tilewright.play.model.melds import TableMeld
from tilewright.play.scene import regroup, visibility
from tilewright.play.state.frames import Frame
from tilewright.play.state.state import TableState
from tilewright.scoring.scene import Counting, HandScene, counting, loose_pieces
from tilewright.scoring.walker import alike, is_special

Number = int | Fraction
NOTHING: tuple[Any, ...] = ()
HERE: Mapping[str, Any] = {}


@dataclass(frozen=True, slots=True)
class ImaginedSeat:
    """A seat as it would be: with these tiles more and those less in its hand, and these groups more."""

    seat: int
    more: tuple[int, ...] = ()
    less: tuple[int, ...] = ()
    made: tuple[TableMeld, ...] = ()


class TableScene:
    """The table of `game` from the place of `seat`. `letters`: choices, arguments and loop letters that this place has;
    `facts`: what is in question just now, over what the game remembers; `values`: measures of the seat's won hand."""

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

    # --- what words ask

    @property
    def data(self) -> RulesetData:
        return self.game.program.data

    @property
    def values(self) -> Mapping[str, Any]:
        return self.game.values_of(self.seat)

    @property
    def parts(self) -> Sequence[Any]:
        """The groups of a won hand's reading; of a hand in play its melds."""
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

    def playing(self) -> Sequence[int]:
        return self.game.playing

    def of_seat(self, seat: Any) -> "TableScene":
        if isinstance(seat, ImaginedSeat):
            return TableScene(self.game, seat.seat, self.letters, self.facts, seat)
        if seat == self.seat and self.imagined is None:
            return self
        return TableScene(self.game, seat, self.letters, self.facts)

    def knowing(self, **facts: Any) -> "TableScene":
        """The same, with more facts."""
        return TableScene(self.game, self.seat, self.letters, {**self.facts, **facts}, self.imagined)

    def plain(self, tile: int) -> int:
        return self.game.program.plain[tile]

    def face(self, tile: int) -> int:
        return self.game.program.face[tile]

    def among(self, tile: int, tiles: Sequence[int]) -> int | None:
        """The one of some tiles of the table that is meant: that very tile or one alike; what is only told by its face,
        if special, no other."""
        only_named = tile < self.game.program.first
        return alike(tile, tiles, self, by_face=only_named and is_special(tile, self))

    def fact(self, name: str) -> Any:
        known = self.facts.get(name)
        return FACTS[name](self) if known is None else known

    def about(self, name: str, of: Any) -> Any:
        """Something of a seat, of tiles (a tuple), of a group or of a form."""
        if isinstance(of, int | ImaginedSeat):
            return ABOUT_SEAT[name](self if of == self.seat else self.of_seat(of))
        if isinstance(of, tuple):
            return ABOUT_TILES[name](self, of)
        if isinstance(of, str):
            return self.won.about(name, of) if self.won is not None else NOTHING
        return ABOUT_GROUP[name](self, of)

    def zone(self, name: str, seat: Any) -> tuple[Any, ...]:
        if self.imagined is not None and name in ("hand", "melds"):
            return tuple(self.hand()) if name == "hand" else tuple(self.melds())
        return self.game.lying(name, self.seat)

    def towards(self, way: str, seat: int) -> tuple[int, ...]:
        return self.game.towards(way, seat)

    def remembered(self, name: str) -> Any:
        if name in self.letters:
            return self.letters[name]
        return self.game.remembered(name, self.seat)

    def marked(self, name: str) -> Any:
        """A mark, or what it would be; None where it is not set."""
        if name in self.letters:
            return self.letters[name]
        return self.game.marked(name, self.seat)

    def fixed(self, term: str) -> bool:
        return False

    def knows(self, zone: str) -> bool:
        return True

    # --- the hand

    def hand(self) -> Sequence[int]:
        """The tiles in the hand, as they would be."""
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


def scene_at(game: TableState, frame: Frame) -> TableScene:
    """The table as the acting seat of a frame asks it."""
    return TableScene(game, frame.seat, frame.letters, frame.facts)


# --- facts of the table


def one(value: Any) -> tuple[Any, ...]:
    return NOTHING if value is None else (value,)


FACTS: dict[str, Callable[[TableScene], Any]] = {
    "turn": lambda s: (s.game.turn,),
    "winner": lambda s: (s.seat,),
    "winners": lambda s: tuple(s.game.winners),
    "takers": lambda s: s.game.takers,
    "discarder": lambda s: one(s.game.discarder),
    "tile": lambda s: one(s.game.tile),
    "group": lambda s: one(s.game.group),
    "round_wind": lambda s: one(s.game.round_wind),
    "result": lambda s: s.game.result_phase,
    "deals": lambda s: s.game.round * s.game.program.count + s.game.dealership,
    "pot": lambda s: (s.game.program.count,),
    "payer": lambda s: NOTHING,
    "payee": lambda s: NOTHING,
    "payers": lambda s: NOTHING,
    "payees": lambda s: NOTHING,
    "was": lambda s: NOTHING,
}


# --- seats


def reading_of(name: str, otherwise: Callable[[TableScene], Any]) -> Callable[[TableScene], Any]:
    """What the reading of a won hand says; of a hand in play something else."""

    def ask(scene: TableScene) -> Any:
        won = scene.won
        return otherwise(scene) if won is None else won.about(name, won.seat)

    return ask


def suits_of(scene: TableScene, tiles: Sequence[int]) -> tuple[str, ...]:
    every = scene.data.tiles.tiles
    found = (every[scene.plain(tile)].suit for tile in tiles)
    return tuple(dict.fromkeys(suit for suit in found if suit is not None))


def kinds_of(scene: TableScene, tiles: Sequence[int]) -> tuple[int, ...]:
    return tuple(dict.fromkeys(scene.plain(tile) for tile in tiles))


def copies_of(scene: TableScene) -> Counting:
    return counting(scene, scene.held())


def seen_of(scene: TableScene) -> Counting:
    """Counts what lies open on the table, the tile in question and what a win on it has opened left out."""
    return counting(scene, visibility.seen_tiles(scene.game, scene.fact("tile")))


def completing(scene: TableScene) -> Callable[[tuple[TableMeld, ...]], tuple[int, ...]]:
    return lambda groups: tuple(tile for group in groups for tile in regroup.completing(scene.game.program, group))


def stands_for(scene: TableScene) -> Callable[[tuple[int, ...]], tuple[int, ...]]:
    """What a wild tile in an exposed group stands for; another tile is itself."""

    def ask(tiles: tuple[int, ...]) -> tuple[int, ...]:
        lying = [(tile, scene.game.group_of(tile)) for tile in tiles]
        return tuple(dict(g.wild).get(t, scene.plain(t)) for t, g in lying if g is not None and g.exposed)

    return ask


def with_(scene: TableScene) -> Callable[[Any], tuple[ImaginedSeat, ...]]:
    """The seat with a tile or a group more."""
    before = scene.imagined or ImaginedSeat(scene.seat)

    def ask(more: tuple[Any, ...]) -> tuple[ImaginedSeat, ...]:
        made = tuple(member for member in more if isinstance(member, TableMeld))
        tiles = tuple(member for member in more if isinstance(member, int))
        return (ImaginedSeat(before.seat, (*before.more, *tiles), before.less, (*before.made, *made)),)

    return ask


def without(scene: TableScene) -> Callable[[Any], tuple[ImaginedSeat, ...]]:
    """The seat with tiles less: those very ones, or some that are alike."""
    before = scene.imagined or ImaginedSeat(scene.seat)

    def ask(less: tuple[int, ...]) -> tuple[ImaginedSeat, ...]:
        gone = list(before.less)
        for tile in less:
            found = scene.among(tile, [held for held in scene.hand() if held not in gone])
            if found is not None:
                gone.append(found)
        return (ImaginedSeat(before.seat, before.more, tuple(gone), before.made),)

    return ask


def score_of(scene: TableScene) -> Number:
    return scene.game.score_of(scene.seat)


def seat_wind(scene: TableScene) -> tuple[int, ...]:
    winds = scene.data.seats.winds
    return (winds[scene.seat],) if scene.seat < len(winds) else NOTHING


def own(scene: TableScene) -> tuple[int, ...]:
    return tuple(tile.index for tile in scene.data.tiles.tiles if tile.seat == scene.seat)


ABOUT_SEAT: dict[str, Callable[[TableScene], Any]] = {
    "seat_wind": seat_wind,
    "own": own,
    "drawn": lambda s: one(s.game.drawn[s.seat]),
    "tiles": lambda s: tuple(s.held()),
    "groups": reading_of("groups", lambda s: tuple(s.melds())),
    "suits": reading_of("suits", lambda s: suits_of(s, s.held())),
    "kinds": reading_of("kinds", lambda s: kinds_of(s, s.held())),
    "copies": copies_of,
    "seen": seen_of,
    "stands_for": stands_for,
    "completing": completing,
    "with": with_,
    "without": without,
    "concealed": lambda s: not any(group.exposed for group in s.melds()),
    "self_draw": lambda s: s.game.self_draw(s.seat, s.fact("tile"), s.fact("discarder")),
    "waits": lambda s: s.game.judging.waits(s),
    "distance": lambda s: s.game.judging.distance(s),
    "possible": lambda s: s.game.judging.possible(s),
    "wins": lambda s: s.game.judging.wins(s),
    "potential": lambda s: s.game.judging.potential(s),
    "form": reading_of("form", lambda s: s.game.judging.form(s)),
    "wait": reading_of("wait", lambda s: ""),
    "score": score_of,
    "place": lambda s: s.game.place_of(s.seat),
    "next": lambda s: (s.game.next_playing(s.seat),),
    "previous": lambda s: (s.game.previous_playing(s.seat),),
}


# --- tiles and groups


def shifted(scene: TableScene, tiles: Sequence[int], by: int) -> tuple[int, ...]:
    """Each tile's neighbour in its suit or family, round the end."""
    every, families = scene.data.tiles.tiles, scene.data.tiles.families
    result = []
    for tile in tiles:
        plain = scene.plain(tile)
        row = [t for t in families[every[plain].family] if every[t].plain == t and every[t].copies > 0]
        result.append(row[(row.index(plain) + by) % len(row)])
    return tuple(result)


def kinds_of_group(scene: TableScene, group: Any) -> tuple[str, ...]:
    declared = scene.data.groups.groups[group.group] if group.group >= 0 else None
    if declared is None:
        return NOTHING
    melded = isinstance(group, TableMeld) or group.melded
    return tuple(declared.kinds | declared.meld_kinds if melded else declared.kinds)


ABOUT_TILES: dict[str, Callable[[TableScene, tuple[int, ...]], Any]] = {
    "suits": suits_of,
    "kinds": kinds_of,
    "next": lambda scene, tiles: shifted(scene, tiles, 1),
    "previous": lambda scene, tiles: shifted(scene, tiles, -1),
    "group": lambda scene, tiles: tuple(g for t in tiles if (g := scene.game.group_of(t)) is not None),
}
ABOUT_GROUP: dict[str, Callable[[TableScene, Any], Any]] = {
    "kind": kinds_of_group,
    "suits": lambda scene, group: suits_of(scene, group.tiles),
    "discarder": lambda scene, group: one(group.discarder),
}
