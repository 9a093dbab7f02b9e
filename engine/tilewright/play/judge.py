"""The judge of a table: what a hand is worth, what it waits for, and whether it may win, according to the scoring
layer.

In: a scene of the table. Knows how a hand, its melds and the facts of the table become a situation of scoring.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import TYPE_CHECKING, Any

from tilewright.hands.listed import NEVER
from tilewright.hands.reading import Hand, Meld, sizes_of
from tilewright.hands.waits import distance
from tilewright.play.model import LeftHand, Refusal, TableMeld, Won, won_by
from tilewright.play.scene import TableScene
from tilewright.play.state import TableState
from tilewright.play.visibility import open_tiles, seen_tiles
from tilewright.scoring.explain import shortfall_texts
from tilewright.scoring.plain.judge import BestReading, Values
from tilewright.scoring.plain.scene import Situation
from tilewright.scoring.score import Number

if TYPE_CHECKING:
    from tilewright.hands.distance.approach import Look

MOST_KNOWN = 50_000  # cached results about hands


@dataclass(frozen=True, slots=True)
class NearMiss:
    """A hand that was examined: its groups, how many of each plain tile it had, and how many are missing at least."""

    melds: tuple[TableMeld, ...]
    counts: tuple[int, ...]
    missing: int


class TableJudge:
    """Scoring for one game."""

    __slots__ = ("game", "near", "program", "stuck", "waited")

    def __init__(self, game: TableState) -> None:
        self.game, self.program = game, game.program
        self.stuck = [0] * game.program.count  # the block that last kept each seat's hand from being a form
        self.near: dict[int, NearMiss] = {}
        self.waited: dict[int, tuple[Any, tuple[int, ...]]] = {}  # the last waits of seats, and with which tiles

    # --- situations

    def hand(self, scene: TableScene, tiles: Sequence[int], win: int | None) -> Hand:
        """These tiles of the table and the melds of the seat as a hand of faces."""
        face, place = self.program.face, self.program.place
        faces = tuple(sorted([face[tile] for tile in tiles], key=place.__getitem__))
        bonus = self.game.zones["bonus"][scene.seat] if "bonus" in self.game.zones else ()
        melds = scene.melds()
        return Hand(
            faces,
            tuple(self.meld(group) for group in melds) if melds else (),
            None if win is None else face[win],
            tuple(face[tile] for tile in bonus) if bonus else (),
        )

    def meld(self, group: TableMeld) -> Meld:
        face = self.program.face
        wild = tuple((face[tile], stands) for tile, stands in group.wild)
        return Meld(group.group, tuple(face[tile] for tile in group.tiles), group.exposed, wild, group.discarder)

    def situation(self, scene: TableScene, hand: Hand, won: bool = True) -> Situation:
        """A hand with the facts of the table about it."""
        game, asked = self.game, self.program.asked
        discarder = scene.discarder
        self_draw = game.self_draw(scene.seat, scene.tile, discarder)
        found = Situation(
            hand,
            won,
            scene.seat,
            True,
            self_draw,
            None if self_draw or not discarder else discarder[0],
            game.round_wind,
            self.flags(scene),
        )
        if asked.marks or asked.zones or asked.others or asked.seen:
            found = self.with_table(scene, found)
        return found

    def flags(self, scene: TableScene) -> frozenset[str]:
        """The truth marks and terms that hold for the seat, of those that scoring needs."""
        asked = self.program.asked
        if not asked.flags and not asked.terms:
            return NO_FLAGS
        held = [name for name in asked.flags if scene.remembered(name)]
        held += [name for name, holds in self.program.table_terms if holds(scene, {})]
        return frozenset(held) if held else NO_FLAGS

    def with_table(self, scene: TableScene, found: Situation) -> Situation:
        """The situation with number marks, zones and other seats added."""
        asked, data = self.program.asked, self.program.rules.data
        face = self.program.face
        marks = {name: value for name in asked.marks if (value := scene.remembered(name)) is not None}
        zones = {name: tuple(face[tile] for tile in self.game.lying(name, scene.seat)) for name in asked.zones}
        others: dict[int, Hand] = {}
        flags_of: dict[int, frozenset[str]] = {}
        if asked.others:
            for seat in range(data.seats.count):
                if seat != scene.seat:
                    there = TableScene(self.game, seat)
                    others[seat] = self.hand(there, there.hand(), None)
                    flags_of[seat] = self.flags(there)
        seen = tuple(face[tile] for tile in seen_tiles(self.game, scene.tile)) if asked.seen else None
        return replace(
            found,
            marks=marks,
            zones=zones,
            others=others,
            flags_of=flags_of,
            open_tiles=seen,
        )

    # --- winning

    def candidates(self, scene: TableScene) -> Iterator[tuple[Hand, int | None]]:
        """The full hands that the seat may have: with the tile in question; without one, with any of its tiles as the
        winning one."""
        hand, tile = scene.hand(), scene.tile
        if scene.imagined is None and self.is_far(scene.seat, not tile or tile[0] in hand):
            return
        if tile and tile[0] not in hand and not self.in_melds(scene, tile[0]):
            yield self.hand(scene, hand, tile[0]), tile[0]
        elif tile and tile[0] in hand:
            yield self.hand(scene, [one for one in hand if one != tile[0]], tile[0]), tile[0]
        else:
            for win in {self.program.face[one]: one for one in hand}.values():
                if scene.imagined is None and self.is_far(scene.seat, True):
                    return  # what was found for one winning tile holds for the others
                yield self.hand(scene, [one for one in hand if one != win], win), win

    def in_melds(self, scene: TableScene, tile: int) -> bool:
        return any(tile in group.tiles for group in scene.melds())

    def read(self, scene: TableScene) -> Won | None:
        """The best reading of the seat's hand with the tile in question; None if it is not a form."""
        best: Won | None = None
        for hand, win in self.candidates(scene):
            if not self.may_be_full(hand, None if scene.imagined is not None else scene.seat):
                continue
            situation = self.situation(scene, hand)
            won = self.scored(scene.seat, situation, win)
            if won is not None and (best is None or better(won, best)):
                best = won
        return best

    def form(self, scene: TableScene) -> str:
        """The form of the best reading with the tile in question; empty if it is not a form."""
        won = self.read(scene)
        return "" if won is None or won.scene.reading is None else won.scene.reading.form

    def is_far(self, seat: int, complete: bool) -> bool:
        """Whether an earlier hand of the seat was missing more tiles than it has got since; it is `complete`, or gets
        one more. A quick rejection, as one tile brings a hand nearer by at most one."""
        near = self.near.get(seat)
        if near is None or near.melds != tuple(self.game.zones["melds"][seat] if "melds" in self.game.zones else ()):
            return False
        came = 0 if complete else 1
        for now, before in zip(self.game.counts[seat], near.counts, strict=True):
            if now > before:
                came += now - before
        return came < near.missing

    def may_be_full(self, hand: Hand, seat: int | None = None) -> bool:
        """Whether the hand is worth reading: if readings are slow to find, its tiles must be near enough. `seat`: its
        owner."""
        program = self.program
        if not program.slow_to_read and not any(tile in program.sizes.wild for tile in hand.tiles):
            return True
        waiting = replace(hand, win=None)
        missing, tiles = self.missing(waiting)
        if seat is not None and missing > 1:
            counts = [0] * program.first
            for face in hand.tiles:
                counts[program.plain[face]] += 1
            self.near[seat] = NearMiss(
                tuple(self.game.zones["melds"][seat]) if hand.melds else (), tuple(counts), missing
            )
        return (program.plain[hand.win] if hand.win is not None else None) in tiles

    def completing(self, hand: Hand) -> frozenset[int | None]:
        """The plain tiles that may complete the hand."""
        return self.missing(hand)[1]

    def missing(self, hand: Hand) -> tuple[int, frozenset[int | None]]:
        """How many tiles the hand needs at least, and the plain tiles that may complete it."""
        known = self.program.completed
        key = (hand.tiles, hand.melds)
        if key not in known:
            if len(known) > MOST_KNOWN:
                known.clear()
            if not all(form.shape.has_groups for form in self.program.rules.data.forms):
                known[key] = 0, frozenset(self.program.plain[: self.program.first])
            else:
                look = self.look(replace(hand, bonus=()))
                least = look.at_least()
                known[key] = least, frozenset(look.useful if least <= 1 and look.distance == 1 else ())
        return known[key]

    def scored(self, seat: int, situation: Situation, win: int | None) -> Won | None:
        rules = self.program.rules
        quick = rules.quick.score(situation)
        if quick is not None and quick.win:
            return won_by(rules, seat, situation, quick, win)
        best = self.best(situation)
        if best is None:
            return None
        verdict, scene = best
        score = self.program.rules.scores.told(situation, verdict, scene)
        return Won(seat, situation, score, cache(scene), win, verdict.short)

    def best(self, situation: Situation) -> BestReading | None:
        """The best reading of a hand."""
        return self.program.rules.judge.best_with_scene(situation)

    def reaches(self, situation: Situation) -> bool:
        """Whether a hand is a form and reaches the minimum."""
        return self.program.rules.wins(situation)

    def wins(self, scene: TableScene) -> bool:
        """Whether the hand is a form and reaches the minimum."""
        if scene.imagined is not None:
            won = self.read(scene)
            return won is not None and won.score.win
        tile = scene.tile
        if not self.may_fit(scene.seat, tile[0] if tile else None):
            return False
        for hand, _ in self.candidates(scene):
            if not self.may_be_full(hand, None if scene.imagined is not None else scene.seat):
                continue
            if self.reaches(self.situation(scene, hand)):
                return True
        return False

    def may_fit(self, seat: int, tile: int | None) -> bool:
        """Whether the tiles, with the one in question, may be a form: a quick rejection."""
        game, blocks, sizes = self.game, self.program.blocks, self.program.sizes
        if tile is not None:
            zone, owner = game.where[tile]
            if owner == seat and zone in ("hand", "melds"):
                tile = None
        if blocks.known:
            key = game.keys[seat] + (0 if tile is None else blocks.weights[tile])
            if wild := key >> blocks.beyond:
                if blocks.allow_wild(key, wild):
                    return True
            else:
                at = blocks.stuck_at(key, self.stuck[seat])
                if at < 0:
                    return True
                self.stuck[seat] = at
                if blocks.hosts and "melds" in game.zones and blocks.hosts_one(game.zones["melds"][seat]):
                    return True
        if sizes.allowed is None:
            return True
        if not sizes.allowed:
            return False
        spread = game.spreads[seat]
        if sizes.wild and self.has_wild(seat, tile):
            return self.wild_fit(seat, tile)
        if tile is None:
            return tuple(spread) in sizes.allowed
        family = self.program.family[tile]
        spread[family] += 1
        fits = tuple(spread) in sizes.allowed
        spread[family] -= 1
        return fits

    def has_wild(self, seat: int, tile: int | None) -> bool:
        """Whether some tile of the hand, or the one in question, is wild."""
        wild, counts = self.program.sizes.wild, self.game.counts[seat]
        return (tile is not None and self.program.plain[tile] in wild) or any(counts[one] for one in wild)

    def wild_fit(self, seat: int, tile: int | None) -> bool:
        """The sizes of a hand that has wild tiles, with the one in question."""
        sizes, counts, plain = self.program.sizes, self.game.counts[seat], self.program.plain
        spread = list(self.game.spreads[seat])
        if tile is not None:
            spread[self.program.family[tile]] += 1
        wild: list[tuple[int, ...]] = []
        for one, families in sizes.wild.items():
            held = counts[one] + (tile is not None and plain[tile] == one)
            spread[sizes.family[one]] -= held
            wild += [families] * held
        return sizes.fits(spread, wild)

    def why_not(self, seat: int, offer: str) -> Iterator[Refusal]:
        """Why a hand that is a form may not win."""
        won = self.read(TableScene(self.game, seat))
        if won is not None and not won.score.win and won.score.reason:
            data = self.program.data
            yield Refusal(offer, (), shortfall_texts(won.short, data) if won.short else won.score.reasons)

    # --- waits

    def size(self, scene: TableScene) -> int:
        return self.program.rules.judge.size(self.hand(scene, scene.hand(), None))

    def waiting(self, scene: TableScene) -> Hand | None:
        """The hand with one tile less than a full one; a full hand without the tile in question, if it holds that."""
        tiles, judge = list(scene.hand()), self.program.rules.judge
        hand = self.hand(scene, tiles, None)
        if judge.full_sizes and judge.size(hand) in judge.full_sizes:
            tile = scene.tile
            if not tile or tile[0] not in tiles:
                return None
            return self.hand(scene, [one for one in tiles if one != tile[0]], None)
        return hand

    def waits(self, scene: TableScene) -> tuple[int, ...]:
        """The tiles that complete the hand."""
        if scene.imagined is not None or self.program.asks_when:
            return self.found_waits(scene)
        hand, tile = tuple(scene.hand()), scene.tile
        held = hand, tuple(scene.melds()), tile[0] if tile and tile[0] in hand else None
        before = self.waited.get(scene.seat)
        if before is None or before[0] != held:
            before = self.waited[scene.seat] = held, self.found_waits(scene)
        return before[1]

    def found_waits(self, scene: TableScene) -> tuple[int, ...]:
        hand = self.waiting(scene)
        if hand is None:
            return ()
        key = (hand.tiles, hand.melds, self.flags(scene) if self.program.asks_when else None)
        known = self.program.waits
        if key not in known:
            if len(known) > MOST_KNOWN:
                known.clear()
            situation = replace(self.situation(scene, hand, won=False), seat_known=True)
            known[key] = self.program.rules.engine.waits(situation)
        return known[key]

    def distance(self, scene: TableScene) -> int:
        hand = replace(self.hand(scene, scene.hand(), None), bonus=())
        return self.look(hand).distance

    def look(self, hand: Hand) -> "Look":
        """How far the hand is from any form. numpy is imported only where this is asked."""
        from tilewright.hands.distance.approach import approach

        return approach(self.program.rules.judge.reader).look(hand)

    def possible(self, scene: TableScene) -> bool:
        """The hand as the others see it: only the melds and the visible tiles elsewhere are known."""
        return self.is_possible(scene, scene.melds())

    def can_win(self, scene: TableScene, hand: int) -> bool:
        """The same of one hand of the seat."""
        return self.is_possible(scene, scene.melds_of(hand))

    def is_possible(self, scene: TableScene, melds: Sequence[TableMeld]) -> bool:
        """Whether some form is possible with these melds of the seat."""
        own = {tile for group in melds for tile in group.tiles}
        question = scene.imagined.made if scene.imagined is not None else ()
        own.update(tile for group in question for tile in group.tiles)
        face = self.program.face
        seen = [face[tile] for tile in open_tiles(self.game) if tile not in own]
        bare = Hand((), tuple(self.meld(group) for group in melds))
        return distance(self.program.rules.judge.reader, bare, seen) < NEVER

    def potential(self, scene: TableScene) -> Number:
        """The most the hand is worth over its waits, counting only tiles of which some are unseen."""
        hand = self.waiting(scene)
        waits = self.waits(scene)
        if hand is None or not waits:
            return 0
        left = self.program.wild.copies - self.program.wild.in_the_box(
            [*hand.tiles, *(t for meld in hand.melds for t in meld.tiles)]
        )
        here = self.situation(scene, hand)
        totals = [0] + [
            self.program.rules.score_situation(replace(here, hand=replace(hand, win=tile), self_draw=False)).total
            for tile in waits
            if left[tile] > 0
        ]
        return max(totals)

    # --- seats that did not win

    def values(self, seat: int) -> Values:
        """The measures of a hand that did not win."""
        return self.program.rules.judge.lost(self.lost(seat))

    def lost(self, seat: int) -> Situation:
        """A hand that did not win."""
        scene = TableScene(self.game, seat)
        situation = self.situation(scene, self.hand(scene, scene.hand(), None), won=False)
        return replace(situation, others={}, discarder=None, self_draw=False)

    def left(self, seat: int) -> LeftHand:
        """The hand of a seat as it is left, whether everyone has seen it, and what it counts."""
        judge, situation = self.program.rules.judge, self.lost(seat)
        seen, zones = set(open_tiles(self.game)), self.game.zones
        melds = zones.get("melds", [()] * self.program.count)[seat]
        hidden = frozenset(at for at, group in enumerate(melds) if not seen.issuperset(group.tiles))
        shown = seen.issuperset(zones["hand"][seat])
        return LeftHand(seat, situation.hand, shown, hidden, judge.best(situation) if judge.for_everyone else None)

    # --- forms out of more tiles

    def sizes_in_hand(self, scene: TableScene, form: str) -> tuple[int, int] | None:
        """How many tiles of the hand the form takes, at least and at most; None if the melds rule the form out."""
        rules = self.program.rules
        melded = self.size(scene) - len(scene.hand())
        left = [size - melded for size in sizes_of(rules.judge.forms[form].shape, rules.data.groups) if size > melded]
        return (min(left), max(left)) if left else None

    def is_form(self, scene: TableScene, form: str, tiles: Sequence[int]) -> bool:
        """Whether the tiles, with the melds, are this form."""
        judge = self.program.rules.judge
        shape = judge.forms[form].shape
        hand = self.hand(scene, tiles[:-1], tiles[-1])
        return next(iter(judge.reader.readings_in(shape, hand, False)), None) is not None


NO_FLAGS: frozenset[str] = frozenset()


def better(one: Won, other: Won) -> bool:
    """The higher total, preferring one that wins."""
    return (one.score.win, one.score.total) > (other.score.win, other.score.total)


def reason_of(won: Won | None) -> str:
    """Why a declared hand does not win."""
    return "not a winning hand" if won is None else won.score.reason or ""
