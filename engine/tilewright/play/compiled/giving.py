"""The table of a match, given to the machine: tiles, marks, scores and what hands measure.

In: the match of a follower. Out: the state of the machine, in line with it. What that cannot hold raises Odd."""

from collections.abc import Collection, Sequence
from fractions import Fraction
from typing import Any

from tilewright.base.compute.arrays import Array
from tilewright.play.compiled.following import Follower
from tilewright.play.compiled.kernel import layout as at
from tilewright.play.model.melds import TableMeld
from tilewright.play.model.results import Won


class Odd(Exception):
    """A value or a position that the machine cannot hold: the game is played by `Match` alone."""


class Giver:
    """What gives the machine the table of a match."""

    def __init__(self, follower: Follower) -> None:
        self.follower, self.knowledge, self.state = follower, follower.knowledge, follower.state
        self.program, self.writer = follower.program, follower.writer

    def give_table(self) -> None:
        """The whole table, to the machine."""
        state, match = self.state, self.follower.match
        state[at.TURN] = match.turn
        state[at.TILE] = at.NONE if match.tile is None else match.tile
        state[at.DISCARDER] = at.NONE if match.discarder is None else match.discarder
        state[at.PLAYING] = sum(1 << seat for seat in match.playing)
        state[at.WINNERS] = sum(1 << seat for seat in match.winners)
        state[at.FIRST_WINNER] = next(iter(match.winners), at.NONE)
        self.give_measures()
        self.give_hands()
        state[at.DRAWS], state[at.COUNTER] = match.draws, match.counter
        state[at.DRAWN : at.DRAWN + self.program.count] = [at.NONE if t is None else t for t in match.drawn]
        self.give_scores()
        self.give_tiles_of_table()
        self.give_discards()
        self.give_marks()
        self.give_answers()
        self.give_shown()
        self.give_paid()

    def give_hands(self) -> None:
        """Which hands of seats are closed, and what was won, where seats make several."""
        if self.program.hands == 1:
            return
        state, match = self.state, self.follower.match
        for seat, closed in enumerate(match.closed):
            won = match.won.get(seat)
            state[at.CLOSED + seat] = closed
            state[at.HANDS_WON + seat] = (won is not None) + len(match.won_before.get(seat, ()))
            state[at.HAND_WON + seat] = 0 if won is None else won.hand

    def give_tiles_of_table(self) -> None:
        """Where every tile is."""
        state, match, program = self.state, self.follower.match, self.program
        at.MOVED.of(state)[:] += 1
        for zone, (first, _) in self.writer.rows.items():
            for seat, row in enumerate(match.zones[zone]):
                if zone == "melds":
                    self.give_melds(seat, row)
                    continue
                start = at.ROW + (first + seat) * at.MOST_TILES
                state[start : start + len(row)] = row
                state[at.ROW_START + first + seat], state[at.ROW_END + first + seat] = 0, len(row)
                for tile in row:
                    state[at.WHERE + tile] = first + seat
        numbers = self.follower.image.numbers
        block = int(numbers[at.BLOCK])
        for seat, hand in enumerate(match.zones["hand"]):
            at.COUNT.of(state)[seat, : program.first] = match.counts[seat]
            at.NUMBER.of(state)[seat] = 0
            state[at.ODD + seat] = 0
            for number in range(at.MOST_ALIKE):
                held = (1 << tile for tile, count in enumerate(match.counts[seat]) if count > number)
                state[at.ALIKE + seat * at.MOST_ALIKE + number] = sum(held)
            state[at.FACES + seat] = sum({1 << program.place[tile] for tile in hand})
            state[at.CHANGES + seat] += 1
            state[at.CAME + seat] = at.NONE
            for tile in hand:
                at_block, radix = (int(numbers[block + 2 * program.plain[tile] + one]) for one in (0, 1))
                if at_block < 0:
                    state[at.ODD + seat] += 1
                else:
                    state[at.NUMBER + seat * at.MOST_BLOCKS + at_block] += radix

    def give_discards(self) -> None:
        """How tiles were discarded, which were turned, and whose hands are as they were when they drew."""
        state, match, rows = self.state, self.follower.match, self.writer.rows
        discards, sideways = match.discards, match.sideways
        state[at.FRESH : at.FRESH + self.program.count] = match.fresh
        at.DISCARDED.of(state)[:] = 0
        state[at.DISCARDS] = len(discards)
        state[at.RELISTED] += 1
        state[at.DISCARD : at.DISCARD + len(discards)] = list(discards)
        for tile, one in discards.items():
            how = at.IS_DISCARD | (at.IS_JUST_DRAWN if one.just_drawn else 0) | one.seat << at.DISCARD_SEAT
            zone, seat = one.spot
            state[at.DISCARDED + tile] = how | rows[zone][0] + seat << at.DISCARD_ROW
        for tile in sideways:
            state[at.DISCARDED + tile] |= at.IS_TURNED

    def give_melds(self, seat: int, melds: list[TableMeld]) -> None:
        if len(melds) >= at.MOST_MELDS:
            raise Odd("many melds")
        self.state[at.LAID_SIZE + seat] = len(melds)
        for number, meld in enumerate(melds):
            known = self.follower.image.wild_in(meld.group, meld.tiles)
            if meld.wild != known or len(meld.tiles) > at.MELD - at.LAID_TILES:
                raise Odd("a meld with strange wild tiles, or of many tiles")
            start = at.LAID + (seat * at.MOST_MELDS + number) * at.MELD
            none = at.NONE
            self.state[start : start + at.LAID_TILES + len(meld.tiles)] = [
                meld.group,
                meld.exposed,
                none if meld.discarder is None else meld.discarder,
                none if meld.seen_by is None else sum(1 << one for one in meld.seen_by),
                len(meld.tiles),
                none if meld.claimed is None else meld.claimed,
                meld.hand,
                *meld.tiles,
            ]
            for tile in meld.tiles:
                self.state[at.WHERE + tile] = at.IN_MELDS - seat

    def give_marks(self) -> None:
        for name in self.writer.marks:
            self.give_mark(name)

    def give_mark(self, name: str) -> None:
        mark, match = self.program.data.marks[name], self.follower.match
        row = [match.match_marks.get(name)] if mark.of == "match" else match.marks[name]
        self.give_values(self.writer.marks[name], mark.type, row)

    def give_values(self, mark: int, type: str, row: Sequence[Any]) -> None:
        for seat, value in enumerate(row):
            spot = mark * at.MOST_SEATS + seat
            if type == "tiles":
                self.give_tiles(spot, value)
            else:
                self.state[at.MARK + spot] = at.UNSET if value is None else self.number(type, value)

    def give_answers(self) -> None:
        """What seats have answered to steps, and dice."""
        match = self.follower.match
        for name, one in self.writer.answers.items():
            row = match.answered.get(name) if one.of_seat else [match.dice[name]] if name in match.dice else None
            if row is not None:
                self.state[at.SET] |= 1 << one.bit
                self.give_values(one.mark, one.type, row)

    def give_paid(self) -> None:
        """The payments that may be taken back."""
        if not self.writer.lines:
            return
        paid = [one for one in self.follower.match.paid if (one.payments, one.line) in self.writer.lines]
        if len(paid) > at.MOST_PAID:
            raise Odd("many payments that may be taken back")
        for number, one in enumerate(paid):
            row = (
                self.writer.line(one.payments, one.line),
                one.payer,
                one.payee,
                self.small(one.amount),
                one.settlement,
            )
            at.PAYMENT.of(self.state)[number] = row
        self.state[at.PAID] = len(paid)
        self.state[at.SETTLED] = 1 + max((one.settlement for one in paid), default=-1)

    def give_tiles(self, spot: int, value: Any) -> None:
        self.state[at.MARK + spot] = at.UNSET if value is None else 0
        start, tiles = at.MARK_TILES + spot * at.MARK_LIST, list(value or ())
        if len(tiles) >= at.MARK_LIST:
            raise Odd("a mark of many tiles")
        self.state[start] = len(tiles)
        self.state[start + 1 : start + 1 + len(tiles)] = tiles

    def give_shown(self) -> None:
        everyone = (1 << self.program.count) - 1
        for tile, seen in self.follower.match.shown.items():
            seats = everyone if seen is None else sum(1 << seat for seat in seen)
            self.state[at.SHOWN + tile] = seats
            self.state[at.SHOWN_ANY] |= seats

    def give_scores(self) -> None:
        if self.knowledge.asks_scores:
            scores = [self.follower.match.score_of(seat) for seat in range(self.program.count + 1)]
            self.state[at.SCORE : at.SCORE + len(scores)] = [self.small(score) for score in scores]
        else:
            at.SCORE.of(self.state)[:] = 0

    def give_measures(self) -> None:
        """What hands that won measure, where all of that is whole."""
        self.state[at.MEASURED] = 0
        for seat, won in self.follower.match.won.items():
            give_measures(self.state, self.writer.measures, seat, won)

    def packed(self, group: TableMeld | None) -> int:
        """A meld as a group that was chosen."""
        if group is None:
            return at.NONE
        lies = any(group in row for row in self.follower.match.zones["melds"])
        if len(group.tiles) > at.HAND_TILES and not lies:  # one that lies is known by its first tile
            raise Odd("a group of many tiles")
        tiles = [tile - self.program.first for tile in group.tiles[: at.HAND_TILES]]
        tiles += [at.NO_TILE] * (at.HAND_TILES - len(tiles))
        own = sum(tile << at.HAND_AT + 8 * one for one, tile in enumerate(tiles))
        claimed = at.NO_TILE if group.claimed is None else group.claimed - self.program.first
        discarder = 0 if group.discarder is None else group.discarder + 1
        return group.group | at.OWN_GROUP << at.SOURCE_AT | claimed << at.CLAIMED_AT | discarder << at.FROM_AT | own

    def number(self, type: str, value: Any) -> int:
        """A value of an expression, for a register."""
        if type in ("seat", "tile"):
            if isinstance(value, tuple):
                return value[0] if value else at.NONE
            return at.NONE if value is None else int(value)
        if type == "seats":
            return sum(1 << seat for seat in set(value))
        if type in ("suit", "name", "direction"):
            number = self.writer.name(value)
            self.knowledge.names[number] = value
            return number
        if isinstance(value, Fraction) and value.denominator != 1:
            raise Odd(f"the number {value}")
        return int(value)

    def small(self, value: Any) -> int:
        """A number that payments are made of. Raises Odd."""
        number = self.number("number", value)
        if abs(number) > at.MUCH:
            raise Odd("a very large number")
        return number


def give_measures(state: Array, measures: Collection[str], seat: int, won: Won) -> None:
    """What the hand of a seat measures, where all of that is whole."""
    found = [won.score.values.get(name, 0) for name in measures]
    if all(isinstance(value, int) and abs(value) <= at.MUCH for value in found):
        at.MEASURE.of(state)[seat, : len(found)] = found
        state[at.MEASURED] |= 1 << seat
