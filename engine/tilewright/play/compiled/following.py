"""A match kept in line with the state of the machine: whatever of it is looked at, is as the machine has it. Its judge
tells waits and scores by kernels, where these tell them.

In: the state. Out: a `HostMatch`, tiles, melds, marks and values of registers as a `Match` has them.
Changes nothing in the state, but takes the scores that it has gathered.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import cached_property
from typing import Any

import numpy as np

from tilewright.base.arrays import Array
from tilewright.hands.reading import Hand, Meld
from tilewright.language.compiled.ruleset import Mark
from tilewright.play.compiled.kernel import layout as at
from tilewright.play.compiled.kernel.forms import UNTOLD, waits_of
from tilewright.play.compiled.kernel.search import may_be_form
from tilewright.play.compiled.kernel.tiles import claimed_of, grows_from, hand_count, hand_tile
from tilewright.play.compiled.knowledge import HostKnowledge
from tilewright.play.compiled.writing.writer import forms_ask
from tilewright.play.judge import TableJudge
from tilewright.play.match import Match
from tilewright.play.model import NOWHERE, TableDiscard, TableMeld, Won, ZonePlace
from tilewright.play.scene import TableScene
from tilewright.play.state import Number
from tilewright.play.visibility import open_tiles
from tilewright.scoring.plain.judge import BestReading
from tilewright.scoring.plain.scene import Situation
from tilewright.scoring.plain.walker import empty, whole


class Followed:
    """A part of a match that is brought in line with the machine once it is looked at."""

    def __set_name__(self, owner: type, name: str) -> None:
        self.name = name

    def __get__(self, match: "HostMatch", owner: type) -> Any:
        if self.name in match.behind:
            match.behind.discard(self.name)
            match.__dict__[self.name] = match.bring[self.name]()
        found: Any = match.__dict__[self.name]
        return found

    def __set__(self, match: "HostMatch", value: Any) -> None:
        match.behind.discard(self.name)
        match.__dict__[self.name] = value


class HostMatch(Match):
    """A match that deals hands and ends them, and leaves it to the machine to play them. `behind`: the parts that are
    not in line with it, `bring`: what says how they are there."""

    zones, where, shown, counts, marks, group, discards, sideways, answered, dice = (Followed() for _ in range(10))

    def __init__(self, follower: "Follower") -> None:
        self.behind: set[str] = set()
        self.bring = follower.parts
        super().__init__(follower.program, follower.seed, follower.hands, None, False)

    def play_on(self) -> None:
        """Nothing: the machine plays."""


FOLLOWED = {name for name, part in vars(HostMatch).items() if isinstance(part, Followed)}


class Follower:
    """The match of a machine, and what brings it in line."""

    def __init__(self, knowledge: HostKnowledge, seed: int, hands: int | None, state: Array) -> None:
        self.knowledge, self.state = knowledge, state
        self.image, self.program = knowledge.image, knowledge.program
        self.writer = self.image.code.writer
        self.seed, self.hands = seed, hands
        self.made: HostMatch | None = None
        self.declared: list[Won] = []  # wins that the match does not have yet
        self.opened: dict[int, int] = {}  # the tiles that wins have revealed, by the tile won on
        self.read: dict[int, Won] = {}  # by seat, hands that win together, as they were read before

    @property
    def match(self) -> HostMatch:
        """The match, made when something is first asked of it: most random hands end without."""
        if self.made is None:
            self.made = HostMatch(self)
            image, asks = self.image, forms_ask(self.program)
            if self.program.hands == 1:
                self.made.judging = HostJudge(self.made, self.state, image.numbers, image.forms, asks)
        return self.made

    @property
    def known_scores(self) -> Sequence[Number]:
        """The scores of players that the match knows, that of the pot last; those of its first hand without one."""
        return (*self.knowledge.openings[0].scores, 0) if self.made is None else self.made.balances

    @property
    def round_wind(self) -> int | None:
        """The wind of the round; a match is not made to ask for the first."""
        if self.made is not None:
            return self.made.round_wind
        return next(iter(self.program.play.match.rounds), None)

    def follow(self) -> None:
        """Bring the match in line with the machine."""
        self.follow_numbers()
        self.follow_table()

    def wins(self) -> list[Won]:
        """The wins of this hand by seat, those of a seat in their order."""
        found = [*(() if self.made is None else self.made.wins()), *self.declared]
        seats = list(dict.fromkeys(won.seat for won in found))
        return sorted(found, key=lambda won: seats.index(won.seat))

    def follow_numbers(self) -> None:
        """Whose turn it is, what is in question, what was counted, who has won."""
        state, match = self.state, self.match
        for won in self.declared:
            if won.seat in match.won:
                match.won_before[won.seat] = match.wins_of(won.seat)
            match.won[won.seat] = won
        match.winners = tuple(dict.fromkeys((*match.winners, *(won.seat for won in self.declared))))
        match.opened = dict(self.opened)
        self.declared.clear()
        tile, discarder = int(state[at.TILE]), int(state[at.DISCARDER])
        match.turn, match.tile = int(state[at.TURN]), None if tile < 0 else tile
        match.discarder = None if discarder < 0 else discarder
        match.draws, match.answers, match.counter = (int(state[spot]) for spot in (at.DRAWS, at.ANSWERS, at.COUNTER))
        playing, takers = int(state[at.PLAYING]), int(state[at.TAKERS])
        everyone = self.program.everyone
        if self.knowledge.pays:
            match.balances = self.scores(match.balances)
            if not self.knowledge.asks_scores:
                self.state[at.SCORE : at.SCORE + self.program.count + 1] = 0
        if self.program.hands > 1:
            match.closed = state[at.CLOSED : at.CLOSED + len(everyone)].tolist()
        match.playing = (
            everyone if playing == (1 << len(everyone)) - 1 else tuple(q for q in everyone if playing >> q & 1)
        )
        match.takers = tuple(sorted((q for q in everyone if takers >> q & 1), key=match.after_turn)) if takers else ()
        match.drawn = [None if t < 0 else t for t in state[at.DRAWN : at.DRAWN + len(everyone)].tolist()]
        match.fresh = [bool(fresh) for fresh in state[at.FRESH : at.FRESH + len(everyone)].tolist()]
        match.decisions = state[at.DECISIONS : at.DECISIONS + len(everyone)].tolist()
        match.losses.clear()

    def scores(self, known: Sequence[Number]) -> list[Number]:
        """The scores of players, that of the pot last; `known`: those that the match knew of."""
        count = self.program.count
        of_seats: list[int] = self.state[at.SCORE : at.SCORE + count + 1].tolist()
        players: list[int] = self.state[at.PLAYER : at.PLAYER + count].tolist()
        found: list[Number] = [0] * (count + 1)
        for player, score in zip((*players, count), of_seats, strict=True):
            found[player] = (
                self.points(score) if self.knowledge.asks_scores else whole(known[player] + self.points(score))
            )
        return found

    def points(self, parts: int) -> Number:
        """Points, of the parts that the machine counts."""
        unit = self.writer.unit
        return parts if unit == 1 else whole(Fraction(parts, unit))

    def follow_table(self) -> None:
        """Tiles, marks, the group in question, each once it is looked at."""
        self.match.behind.update(self.parts)
        self.follow_match_marks()

    @cached_property
    def parts(self) -> dict[str, Callable[[], Any]]:
        """What says how parts of the match are in the machine."""
        return {name: getattr(self, name) for name in FOLLOWED}

    def zones(self) -> dict[str, list[list[Any]]]:
        """The tiles of each zone."""
        state, program = self.state, self.program
        zones = dict[str, list[list[Any]]]()
        starts, ends = at.ROW_START.of(state).tolist(), at.ROW_END.of(state).tolist()
        for zone, (first, of_seat) in self.writer.rows.items():
            if zone == "melds":
                zones[zone] = [list(self.melds(seat)) for seat in program.everyone]
                continue
            rows = range(first, first + (program.count if of_seat else 1))
            zones[zone] = [
                state[at.ROW + row * at.MOST_TILES + starts[row] : at.ROW + row * at.MOST_TILES + ends[row]].tolist()
                for row in rows
            ]
        return zones

    def where(self) -> dict[int, ZonePlace]:
        """Where every tile of the table lies."""
        first, last = self.program.first, len(self.program.face)
        where, places = self.state[at.WHERE + first : at.WHERE + last].tolist(), self.knowledge.places
        return {tile: places[row] for tile, row in enumerate(where, first)}

    def counts(self) -> list[list[int]]:
        """By seat, how many of each plain tile it holds."""
        found: list[list[int]] = at.COUNT.of(self.state)[: self.program.count, : self.program.first].tolist()
        return found

    def tiles(self, zone: str, seat: int) -> list[int]:
        """The tiles of a zone of a seat."""
        row = self.writer.rows[zone][0] + seat
        start, end = int(self.state[at.ROW_START + row]), int(self.state[at.ROW_END + row])
        found: list[int] = self.state[at.ROW + row * at.MOST_TILES :][start:end].tolist()
        return found

    def group(self) -> TableMeld | None:
        """The group in question."""
        state = self.state
        return self.group_of(int(state[at.GROUP]), int(state[at.FRAME + int(state[at.DEPTH]) * at.WINDOW]))

    def shown(self) -> dict[int, frozenset[int] | None]:
        everyone = (1 << self.program.count) - 1
        first, last = self.program.first, len(self.program.face)
        seen = self.state[at.SHOWN + first : at.SHOWN + last]
        return {
            first + tile: None if seen[tile] == everyone else self.seats(int(seen[tile]))
            for tile in np.flatnonzero(seen).tolist()
        }

    def discards(self) -> dict[int, TableDiscard]:
        """How tiles were discarded, in order."""
        found = dict[int, TableDiscard]()
        for tile in self.state[at.DISCARD : at.DISCARD + int(self.state[at.DISCARDS])].tolist():
            how = int(self.state[at.DISCARDED + tile])
            spot = self.knowledge.places[how >> at.DISCARD_ROW]
            seat = how >> at.DISCARD_SEAT & at.DISCARD_SEATS
            found[tile] = TableDiscard(seat, spot, bool(how & at.IS_JUST_DRAWN))
        return found

    def sideways(self) -> set[int]:
        """The tiles that were turned."""
        return set(np.flatnonzero(at.DISCARDED.of(self.state) & at.IS_TURNED).tolist())

    def seats(self, bits: int) -> frozenset[int]:
        return frozenset(seat for seat in self.program.everyone if bits >> seat & 1)

    def melds(self, seat: int) -> Iterator[TableMeld]:
        """The melds of a seat."""
        rows = at.LAID.of(self.state)[seat, : int(self.state[at.LAID_SIZE + seat])]
        for group, exposed, discarder, seen, size, claimed, hand, *tiles in rows.tolist():
            yield TableMeld(
                seat,
                group,
                tuple(tiles[:size]),
                bool(exposed),
                self.image.wild_in(group, tiles[:size]),
                None if discarder < 0 else discarder,
                None if claimed < 0 else claimed,
                None if seen < 0 else self.seats(seen),
                hand,
            )

    def group_of(self, number: int, seat: int) -> TableMeld | None:
        """A group that was chosen; as it lies, if it does."""
        if number < 0:
            return None
        own = self.of_hand(number)
        zone, owner = self.match.where.get(own[0], NOWHERE)
        if zone == "melds":
            lying: list[TableMeld] = self.match.zones["melds"][owner]
            return next(meld for meld in lying if own[0] in meld.tiles)
        seat = owner if zone == "hand" else seat
        return self.chosen(number, seat, self.match.zones.get("melds", [()] * (seat + 1))[seat])

    def of_hand(self, group: int) -> list[int]:
        """The tiles of the hand that a group takes which was chosen."""
        return [hand_tile(self.image.numbers, group, one) for one in range(hand_count(group))]

    def chosen(self, number: int, seat: int, melds: Sequence[TableMeld]) -> TableMeld | None:
        """A group that a seat with these melds has chosen, and that does not lie."""
        program, own, index, place = self.program, self.of_hand(number), number & at.GROUP_MASK, grows_from(number)
        claimed = claimed_of(self.image.numbers, number)
        given = None if claimed < 0 else claimed
        tiles, exposed, discarder, seen, hand = own, given is not None, None, None, 1
        if place >= 0:
            if place >= len(melds):
                return None  # it grew no more
            old = melds[place]
            tiles, exposed, discarder, seen = [*old.tiles, *own], old.exposed, old.discarder, old.seen_by
            hand = old.hand
        elif given is not None:
            tiles = [given, *own]
            discarder = int(self.state[at.CLAIMED_FROM + given])
            discarder = None if discarder < 0 else discarder
        wild = self.image.wild_in(index, tiles)
        stands = dict(wild)
        order = tuple(
            sorted(tiles, key=lambda tile: (program.place[stands.get(tile, program.plain[tile])], tile in stands))
        )
        return TableMeld(seat, index, order, exposed, wild, discarder, given, seen, hand)

    def situation(self) -> Situation:
        """The hand that the machine asks about, as scoring takes it, without zones and tiles in sight; the match is
        not asked."""
        state, program, asked = self.state, self.program, self.program.asked
        face, seat, tile, discarder = (
            program.face,
            *map(int, state[[at.REQUEST_SEAT, at.ASKED_TILE, at.ASKED_DISCARDER]]),
        )
        faces = [face[one] for one in self.tiles("hand", seat) if one != tile]
        hand = tuple(sorted(faces, key=program.place.__getitem__))
        melds = tuple(
            Meld(
                one.group,
                tuple(face[tile] for tile in one.tiles),
                one.exposed,
                tuple((face[tile], stood) for tile, stood in one.wild),
                one.discarder,
            )
            for one in (self.melds(seat) if "melds" in self.writer.rows else ())
        )
        bonus = tuple(face[one] for one in self.tiles("bonus", seat)) if "bonus" in self.writer.rows else ()
        self_draw = discarder < 0 and int(state[at.WHERE + tile]) == self.writer.rows["hand"][0] + seat
        terms = [name for number, name in enumerate(asked.terms) if int(state[at.ASKED_TERMS]) >> number & 1]
        return Situation(
            Hand(hand, melds, face[tile], bonus),
            True,
            seat,
            True,
            self_draw,
            None if self_draw or discarder < 0 else discarder,
            self.round_wind,
            frozenset([*(name for name in asked.flags if self.remembered(name, seat)), *terms]),
            {name: self.remembered(name, seat) for name in asked.marks},
        )

    def whole_situation(self, open_tiles: Sequence[int]) -> Situation:
        """The same with zones and tiles in sight; `open_tiles`: what everyone sees, of which the tile in question and
        what wins on it have revealed do not count."""
        found, asked, face = self.situation(), self.program.asked, self.program.face
        if not asked.zones and not asked.seen:
            return found
        zones = {name: tuple(face[tile] for tile in self.lying(name, found.seat)) for name in asked.zones}
        if not asked.seen:
            return replace(found, zones=zones)
        tile = int(self.state[at.ASKED_TILE])
        seen = [one for one in open_tiles if one != tile and self.opened.get(one) != tile]
        return replace(found, zones=zones, open_tiles=tuple(face[one] for one in seen))

    def lying(self, zone: str, seat: int) -> list[int]:
        """The tiles of a zone that count as there."""
        row, of_seat = self.writer.rows[zone]
        numbers, own = self.image.numbers, seat if of_seat else 0
        tiles = self.tiles(zone, own)
        return tiles[: max(0, len(tiles) - int(numbers[int(numbers[at.KEEPS]) + row + own]))]

    def open_tiles(self) -> list[int]:
        """The tiles that everyone can see, in the order of `play.visibility.open_tiles`."""
        if self.program.has_seen_tiles:
            self.follow()
            return open_tiles(self.match)
        count, first, found = self.program.count, self.program.first, list[int]()
        shown = self.state[at.SHOWN + first : at.SHOWN + len(self.program.face)] == (1 << count) - 1
        to_all = (np.flatnonzero(shown) + first).tolist()
        for zone in self.program.data.zones.values():
            is_open = zone.seen_by == "everyone"
            if zone.id == "melds":
                for meld in (meld for seat in self.program.everyone for meld in self.melds(seat)):
                    here = is_open if meld.seen_by is None else len(meld.seen_by) == count
                    found += [tile for tile in meld.tiles if here or tile in to_all]
            elif is_open:
                seats = self.program.everyone if self.writer.rows[zone.id][1] else (0,)
                found += [tile for seat in seats for tile in self.tiles(zone.id, seat)]
        known = set(found)
        return [*found, *(tile for tile in to_all if tile not in known)]

    def remembered(self, name: str, seat: int) -> Any:
        """The value of a mark for a seat."""
        mark = self.program.data.marks[name]
        spot = self.writer.marks[name] * at.MOST_SEATS + (seat if mark.of == "seat" else 0)
        value = self.mark_value(mark.type, spot, int(self.state[at.MARK + spot]))
        return empty(mark.type) if value is None else value

    def follow_match_marks(self) -> None:
        """The marks of the match."""
        kept = self.match.match_marks
        for mark in self.program.data.marks.values():
            if mark.of == "match":
                (value,) = self.values_of(mark)
                if value is not None or mark.id in kept:
                    kept[mark.id] = value

    def marks(self) -> dict[str, list[Any]]:
        """The other marks."""
        return {mark.id: self.values_of(mark) for mark in self.program.data.marks.values() if mark.of != "match"}

    def values_of(self, mark: Mark) -> list[Any]:
        """The values of a mark: of each seat, or one."""
        return self.kept_values(self.writer.marks[mark.id], mark.type, of_seat=mark.of == "seat")

    def kept_values(self, mark: int, type: str, *, of_seat: bool) -> list[Any]:
        first, number = mark * at.MOST_SEATS, self.program.count if of_seat else 1
        values = self.state[at.MARK + first : at.MARK + first + number].tolist()
        if values.count(at.UNSET) == number:
            return [None] * number
        return [self.mark_value(type, first + seat, value) for seat, value in enumerate(values)]

    def answered(self) -> dict[str, list[Any]]:
        """What seats have answered to steps, as far as it is told apart from what the match alone knows."""
        return {**self.match.__dict__.get("answered", {}), **self.kept_answers(of_seat=True)}

    def dice(self) -> dict[str, Any]:
        kept = self.kept_answers(of_seat=False)
        return {**self.match.__dict__.get("dice", {}), **{name: value for name, (value,) in kept.items()}}

    def kept_answers(self, *, of_seat: bool) -> dict[str, list[Any]]:
        """The answers that are kept, or the dice."""
        known = int(self.state[at.SET])
        return {
            name: self.kept_values(one.mark, one.type, of_seat=of_seat)
            for name, one in self.writer.answers.items()
            if one.of_seat == of_seat and known >> one.bit & 1
        }

    def mark_value(self, type: str, spot: int, value: int) -> Any:
        if value == at.UNSET:
            return None
        if type == "tiles":
            start = at.MARK_TILES + spot * at.MARK_LIST
            return tuple(self.state[start + 1 : start + 1 + int(self.state[start])].tolist())
        return self.plain(type, value)

    def plain(self, type: str, value: int) -> Any:
        """A value of a register, as expressions know it."""
        if type == "truth":
            return bool(value)
        if type in ("seat", "tile"):
            return () if value < 0 else (value,)
        if type == "seats":
            return tuple(seat for seat in self.program.everyone if value >> seat & 1)
        if type in ("suit", "name", "direction"):
            return self.knowledge.names.get(value, "")
        if type == "meld":
            return (self.match.zones["melds"][value // at.MOST_MELDS][value % at.MOST_MELDS],)
        if type == "group":
            group = self.group_of(value, int(self.state[at.SEAT_ASKED]))
            return () if group is None else (group,)
        return value


class HostJudge(TableJudge):
    """The judge of a match whose hands a machine holds, too: its tables tell the waits, or that there are none."""

    def __init__(self, game: Match, state: Array, numbers: Array, forms: Array, asks: bool) -> None:
        super().__init__(game)
        self.state, self.numbers, self.forms = state, numbers, forms
        engine = game.program.rules.engine
        self.asks = asks  # forms have conditions that the machine does not know
        self.by_tables = engine.fits and not engine.searched and not game.program.data.tiles.wild
        order = numbers[numbers[at.IN_ORDER] :][: game.program.first].tolist()
        self.order = [tile for tile in order if tile >= 0]
        self.judged: dict[int, tuple[Situation, BestReading | None]] = {}  # by seat, the last hand

    def best(self, situation: Situation) -> BestReading | None:
        """The same, not looked for again where it was the last hand of the seat: most that win are declared next."""
        last = self.judged.get(situation.seat)
        if last is None or last[0] != situation:
            last = self.judged[situation.seat] = situation, super().best(situation)
        return last[1]

    def reaches(self, situation: Situation) -> bool:
        quick = self.program.rules.quick.wins(situation)
        if quick is not None:
            return quick
        best = self.best(situation)
        return best is not None and best[0].short is None

    def may_fit(self, seat: int, tile: int | None) -> bool:
        """Yes: the machine asks for hands that do."""
        return True

    def may_be_full(self, hand: Hand, seat: int | None = None) -> bool:
        """Whether the hand is worth reading: the machine searches forms faster, where it holds that hand."""
        if seat is None or not self.numbers[at.SEARCHES]:
            return super().may_be_full(hand, seat)
        faces, kind = sorted(self.program.face[tile] for tile in self.held(seat)), at.NONE
        if faces != sorted((*hand.tiles, *(() if hand.win is None else (hand.win,)))):
            if hand.win is None or faces != sorted(hand.tiles):
                return super().may_be_full(hand, seat)
            kind = self.program.plain[hand.win]
        if int(self.state[at.LAID_SIZE + seat]) != len(hand.melds):
            return super().may_be_full(hand, seat)
        return bool(may_be_form.run(self.state, self.numbers, self.forms, seat, kind))

    def found_waits(self, scene: TableScene) -> tuple[int, ...]:
        if not self.by_tables or scene.imagined is not None or not self.in_line(scene):
            return super().found_waits(scene)
        tile = scene.tile[0] if scene.tile else at.NONE
        bits = waits_of.run(self.state, self.numbers, self.forms, scene.seat, tile, at.NONE)
        if bits == UNTOLD or (bits and self.asks):  # forms may have conditions
            return super().found_waits(scene)
        return tuple(tile for tile in self.order if bits >> tile & 1)

    def in_line(self, scene: TableScene) -> bool:
        """Whether the machine has the hand of the seat as the match does."""
        same = self.held(scene.seat) == list(scene.hand())
        return same and int(self.state[at.LAID_SIZE + scene.seat]) == len(scene.melds())

    def held(self, seat: int) -> list[int]:
        """The tiles of a hand in the machine."""
        row = int(self.numbers[at.HAND_ROW]) + seat
        first, end = int(self.state[at.ROW_START + row]), int(self.state[at.ROW_END + row])
        tiles: list[int] = self.state[at.ROW + row * at.MOST_TILES :][first:end].tolist()
        return tiles
