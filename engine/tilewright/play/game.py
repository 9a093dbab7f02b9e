"""A game: the table as it changes. A program, a seed and the answers of the seats in, events out.

This is the one place where a table is changed; `tilewright.play.table` keeps it behind an immutable face. What runs is
data: frames of operations, so that a game can stop at a question and be copied there. Seats are numbers from the dealer
of the hand; players keep their number for the match.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any

from tilewright.language.play_data import Ask, Phase
from tilewright.language.ruleset import Mark
from tilewright.play import chance
from tilewright.play.buttons import answer_by
from tilewright.play.choices import (
    Choices,
    Option,
    answers_to,
    choices_in,
    listed,
    may_do_something,
    picked,
)
from tilewright.play.events import Detail, Event
from tilewright.play.judging import Judging, Won
from tilewright.play.moves import PASS, IllegalMove, Move, Question, Refusal
from tilewright.play.program import Choosing, Offering, Program
from tilewright.play.refusals import gathered, illegal, is_move, refusals
from tilewright.play.scene import Lying, TableScene
from tilewright.play.steps import Before, Code, Frame
from tilewright.play.wildness import Now, as_wild, wild_now
from tilewright.scoring.walker import empty, evaluate, whole

Number = int | Fraction
Spot = tuple[str, int]
Seers = frozenset[int] | None  # seats that see something; None: everyone, those who look on too
MOST_ANSWERS = 2_000  # of one hand
MOST_HANDS = 1_000  # of a match that does not end by itself
MOST_OPERATIONS = 10_000  # between two answers
MOST_LISTED = 5_000  # moves of one described choice
NOWHERE: Spot = ("", 0)


@dataclass(frozen=True, slots=True)
class Paid:
    """A payment that was made in this hand."""

    payments: str
    line: str
    payer: int
    payee: int
    amount: Number


@dataclass(frozen=True, slots=True)
class Result:
    """A hand that has ended. `ended`: the phase that led to the end; `won`: who won, in order; `gains`: of each player;
    `draws`: tiles drawn; `answers`: questions answered; `dealer`: a player."""

    hand: int
    ended: str
    won: tuple[Won, ...]
    gains: tuple[Number, ...]
    scores: tuple[Number, ...]
    dealer: int
    draws: int
    answers: int
    problems: tuple[str, ...] = ()

    def player(self, seat: int) -> int:
        """The player that sat there."""
        return (self.dealer + seat) % len(self.scores)


@dataclass(slots=True)
class Window:
    """Seats that have to answer. `phase`: whose offers are asked about, or the step that asks (`ask`); `choices`: what
    each may do, `answers`: what those who answered do."""

    phase: str
    name: Mapping[str, str]
    may_pass: bool
    choices: dict[int, Choices]
    ask: Ask | None = None
    answers: dict[int, Option] = field(default_factory=dict)


class Game:
    """One match, or `hands` hands of it. `wall`: faces that come first out of the first shuffle; `listen`: events are
    kept; without `deals` nothing has happened yet."""

    base: Program  # as it is written; `program`: with the tiles wild that are so now
    program: Program
    wild: Now | None
    judging: Judging
    turn: int
    result_phase: str

    def __init__(
        self,
        program: Program,
        seed: int,
        hands: int | None = None,
        wall: Sequence[int] = (),
        listen: bool = True,
        deals: bool = True,
    ) -> None:
        self.base, self.wild = program, None
        self.program, self.seed, self.hands, self.rigged, self.listening = program, seed, hands, tuple(wall), listen
        count = program.count
        self.judging = Judging(self)
        self.match_marks: dict[str, Any] = {}
        self.scores: list[Number] = [0] * (count + 1)  # of players, the pot last
        self.hand_number, self.dealer, self.round, self.dealership = 0, 0, 0, 0
        self.first_dealer = 0
        self.events: list[Event] = []
        self.results: list[Result] = []
        self.over = False
        self.stack: list[Frame] = []
        self.decisions = [0] * count  # answers that each player has given
        self.clear()
        start = program.play.match.score
        if start is not None:
            score = evaluate(start, TableScene(self, 0))
            self.scores[:count] = [score] * count
        if deals:
            self.deal()
            self.run()

    # --- a hand begins and ends

    def clear(self) -> None:
        """The table before a hand."""
        count, data = self.program.count, self.program.rules.data
        self.zones: dict[str, list[list[Any]]] = {
            zone.id: [[] for _ in range(count if zone.of == "seat" else 1)] for zone in data.zones.values()
        }
        self.where: dict[int, Spot] = {}
        self.counts: list[list[int]] = []  # of each seat's hand: how many of each plain tile,
        self.keys: list[int] = []
        self.spreads: list[list[int]] = []  # and of each family
        self.no_hands()
        self.marks: dict[str, list[Any]] = {}
        self.answered: dict[str, list[Any]] = {}
        self.dice: dict[str, Any] = {}
        self.playing: tuple[int, ...] = self.program.everyone
        self.turn = 0
        self.tile: int | None = None
        self.discarder: int | None = None
        self.group: Lying | None = None
        self.drawn: list[int | None] = [None] * count
        self.winners: tuple[int, ...] = ()
        self.won: dict[int, Won] = {}
        self.read_before: dict[int, Won] = {}
        self.losses: dict[int, Mapping[str, Any]] = {}
        self.paid: list[Paid] = []
        self.shown: dict[int, frozenset[int] | None] = {}  # tile -> who has seen it; None: everyone
        self.result_phase = ""
        self.stack.clear()
        self.window: Window | None = None
        self.counter, self.draws, self.answers = 0, 0, 0
        self.problems: tuple[str, ...] = ()
        self.passed_over: dict[int, tuple[Refusal, ...]] = {}  # what was refused to seats that so were not asked
        self.before_hand = tuple(self.scores)
        for mark in data.marks.values():
            if mark.of != "match":
                seats = range(count if mark.of == "seat" else 1)
                self.marks[mark.id] = [None for _ in seats]
        for mark in data.marks.values():
            if mark.start is not None and (mark.of != "match" or mark.id not in self.match_marks):
                for seat in range(count if mark.of == "seat" else 1):
                    self.keep_mark(mark.id, seat, evaluate(mark.start, TableScene(self, seat)))

    def deal(self) -> None:
        """The first phase, with the dealer as seat."""
        self.before_hand = tuple(self.scores)
        self.tell("hand", None, (), self.about_hand())
        self.start("deal", 0)

    def about_hand(self) -> Detail:
        return (
            ("number", self.hand_number + 1),
            ("round", self.round + 1),
            ("dealership", self.dealership + 1),
            ("players", {self.program.names[seat]: self.player(seat) for seat in self.program.everyone}),
            ("scores", list(self.scores)),
        )

    def finish(self, phase: str) -> None:
        """The hand has ended: its result, and the next hand or the end of the match."""
        self.result_phase = phase
        self.stack.clear()
        self.window = None
        gains = tuple(whole(after - before) for after, before in zip(self.scores, self.before_hand, strict=True))
        won = tuple(self.won[seat] for seat in self.winners)
        result = Result(
            self.hand_number,
            phase,
            won,
            gains[: self.program.count],
            tuple(self.scores[: self.program.count]),
            self.dealer,
            self.draws,
            self.answers,
            self.problems,
        )
        self.results.append(result)
        names = self.program.names
        self.tell(
            "result",
            None,
            (),
            (
                ("ended", phase),
                ("winners", [names[seat] for seat in self.winners]),
                ("gains", {names[seat]: gains[self.player(seat)] for seat in self.program.everyone}),
            ),
        )
        self.go_on()

    def go_on(self) -> None:
        """Who deals next, and whether there is a next hand."""
        match, scene = self.program.play.match, TableScene(self, 0)
        stays = match.dealer_stays is not None and bool(self.program.answer(match.dealer_stays)(scene, {}))
        ends = match.ends is not None and bool(self.program.answer(match.ends)(scene, {}))
        self.hand_number += 1
        dealer = self.dealer
        if not stays:
            self.dealer = (self.dealer + 1) % self.program.count
            self.dealership += 1
            if self.dealer == self.first_dealer:
                self.round += 1
                self.dealership = 0
        if ends or self.round >= max(1, len(match.rounds)):
            self.place()
        elif self.hands is None and self.hand_number >= MOST_HANDS:
            self.tell("problem", None, (), (("says", f"a match has at most {MOST_HANDS:,} hands"),))
        elif self.hands != self.hand_number:
            self.clear()
            self.deal()
            return
        self.dealer = dealer  # seats are those of the last hand, whose tiles still lie there
        self.over = True
        self.tell("over", None, (), (("scores", list(self.scores[: self.program.count])),))

    def place(self) -> None:
        """The match is over: what is added by rank, best first; of equals the first player."""
        order = sorted(range(self.program.count), key=lambda player: (-self.scores[player], player))
        for player, bonus in zip(order, self.program.play.match.placement, strict=False):
            self.scores[player] = whole(self.scores[player] + evaluate(bonus, TableScene(self, 0)))

    # --- seats

    def player(self, seat: int) -> int:
        """The player that sits there in this hand."""
        return (self.dealer + seat) % self.program.count

    def seat_of(self, player: int) -> int:
        return (player - self.dealer) % self.program.count

    def score_of(self, seat: int) -> Number:
        """What a seat, or the pot, has."""
        return self.scores[seat if seat >= self.program.count else self.player(seat)]

    @property
    def step(self) -> int:
        """Which way turns go now, in numbers of seats."""
        reverse = self.program.reverse
        return -1 if reverse is not None and reverse(TableScene(self, self.turn), {}) else 1

    def next_playing(self, seat: int) -> int:
        return self.beside(seat, self.step)

    def previous_playing(self, seat: int) -> int:
        return self.beside(seat, -self.step)

    def beside(self, seat: int, step: int) -> int:
        count = self.program.count
        there = (seat + step) % count
        while there not in self.playing and there != seat:
            there = (there + step) % count
        return there

    def others(self, seat: int) -> tuple[int, ...]:
        """The seats still playing without this one, in turn order after it."""
        count, step = self.program.count, self.step
        if len(self.playing) == count:
            return self.program.rings[seat, step]
        return tuple(s for by in range(1, count) if (s := (seat + by * step) % count) in self.playing)

    def from_dealer(self, seat: int) -> int:
        """How many seats after the dealer, in turn order."""
        return seat * self.step % self.program.count

    def after_turn(self, seat: int) -> int:
        """How near after the turn; the turn itself is the farthest."""
        return (seat - self.turn) * self.step % self.program.count or self.program.count

    def towards(self, way: str, seat: int) -> tuple[int, ...]:
        """The seat in a direction."""
        count = self.program.count
        right = 1 if self.program.rules.data.seats.order == "counterclockwise" else -1
        by = {"right": right, "left": -right, "across": count // 2}
        if way in by:
            return ((seat + by[way]) % count,)
        return (self.next_playing(seat) if way == "next" else self.previous_playing(seat),)

    @property
    def round_wind(self) -> int | None:
        rounds = self.program.play.match.rounds
        return rounds[self.round] if self.round < len(rounds) else None

    # --- tiles

    def lying(self, zone: str, seat: int) -> tuple[Any, ...]:
        """What lies in a zone and counts as there."""
        rows = self.zones[zone]
        row = rows[seat if len(rows) > 1 else 0]
        keep = self.program.rules.data.zones[zone].keep
        return tuple(row) if keep is None else tuple(row[: self.size(zone, seat)])

    def size(self, zone: str, seat: int) -> int:
        rows = self.zones[zone]
        at = seat if len(rows) > 1 else 0
        return max(0, self.there((zone, at)))

    def there(self, spot: Spot) -> int:
        """How many tiles of a place count as there."""
        zone, seat = spot
        keep = self.program.keeps.get(zone)
        kept = 0 if keep is None else int(keep(TableScene(self, seat), {}))
        return len(self.zones[zone][seat]) - kept

    def carry(self, tile: int, to: Spot) -> None:
        """A tile goes from where it lies to another place."""
        self.take_away(tile)
        zone, seat = to
        self.zones[zone][seat].append(tile)
        self.where[tile] = to
        if zone == "hand":
            self.count(tile, seat, 1)

    def count(self, tile: int, seat: int, by: int) -> None:
        """A tile comes to a hand, or leaves it."""
        self.counts[seat][self.program.plain[tile]] += by
        self.spreads[seat][self.program.family[tile]] += by
        self.keys[seat] += by * self.program.blocks.weights[tile]

    def take_away(self, tile: int) -> None:
        zone, seat = self.where.get(tile, NOWHERE)
        if zone == "melds":
            group = self.group_of(tile)
            assert group is not None
            rest = tuple(other for other in group.tiles if other != tile)
            row = self.zones["melds"][seat]
            if rest:
                row[row.index(group)] = replace(group, tiles=rest)
            else:
                row.remove(group)
        elif zone:
            row = self.zones[zone][seat]
            if row[0] == tile:
                del row[0]
            elif row[-1] == tile:
                row.pop()
            else:
                row.remove(tile)
            if zone == "hand":
                self.count(tile, seat, -1)

    def lay(self, group: Lying) -> None:
        """A group goes to the melds of its seat."""
        row = self.zones["melds"][group.owner]
        for tile in group.tiles:
            if self.where[tile][0] == "melds":
                old = self.group_of(tile)
                if old in row:
                    row.remove(old)
            else:
                self.take_away(tile)
        for tile in group.tiles:
            self.where[tile] = ("melds", group.owner)
        row.append(group)

    def exchange(self, one: int, other: int) -> None:
        """Two tiles change places."""
        places = [(tile, self.where[tile], self.group_of(tile)) for tile in (one, other)]
        for (tile, spot, group), (came, _, _) in zip(places, reversed(places), strict=True):
            zone, seat = spot
            row = self.zones[zone][seat]
            if group is not None:
                changed = self.changed(group, tile, came)
                row[row.index(group)] = changed
            else:
                row[row.index(tile)] = came
            self.where[came] = spot
            if zone == "hand":
                self.count(tile, seat, -1)
                self.count(came, seat, 1)

    def changed(self, group: Lying, gone: int, came: int) -> Lying:
        """The group with one tile in place of another, of the kind that it then is."""
        found = self.refitted(group, gone, came)
        return group if found is None else found

    def refitted(self, group: Lying, gone: int, came: int) -> Lying | None:
        """The group with one tile in place of another; None where that is no group."""
        stood = dict(group.wild).get(gone, self.program.plain[gone])
        tiles = tuple(came if tile == gone else tile for tile in group.tiles)
        rest = tuple(pair for pair in group.wild if pair[0] != gone)
        plain = self.program.plain[came]
        if plain == stood:
            return Lying(
                group.owner, group.group, tiles, group.exposed, rest, group.discarder, group.claimed, group.seen_by
            )
        if plain in self.program.served(group.group).get(stood, ()):
            wild = (*rest, (came, stood))
            return Lying(
                group.owner, group.group, tiles, group.exposed, wild, group.discarder, group.claimed, group.seen_by
            )
        stands = dict(rest)
        key = tuple(sorted(stands.get(tile, self.program.plain[tile]) for tile in tiles))
        index = self.program.rules.data.groups.by_tiles.get(key)
        if index is None:
            return None
        return Lying(group.owner, index, tiles, group.exposed, rest, group.discarder, group.claimed, group.seen_by)

    def fits_swapped(self, gone: int, came: int) -> bool:
        """Where the first tile lies, the other may."""
        group = self.group_of(gone)
        return group is None or self.refitted(group, gone, came) is not None

    def group_of(self, tile: int) -> Lying | None:
        """The group on the table that a tile lies in."""
        zone, seat = self.where.get(tile, NOWHERE)
        if zone != "melds":
            return None
        return next((group for group in self.zones["melds"][seat] if tile in group.tiles), None)

    def tiles_on_table(self, members: Iterable[Any]) -> tuple[int, ...]:
        """The tiles of the table among tiles and groups."""
        flat = [t for member in members for t in (member.tiles if isinstance(member, Lying) else (member,))]
        return tuple(tile for tile in flat if tile >= self.program.first)

    def among(self, tiles: Iterable[Any], origins: Sequence[Spot]) -> list[int]:
        """Tiles that lie in these places; one that is only named by its kind is the first of it there."""
        found: list[int] = []
        for tile in (t for member in tiles for t in (member.tiles if isinstance(member, Lying) else (member,))):
            if tile >= self.program.first:
                if self.where.get(tile) in origins:
                    found.append(tile)
                continue
            lying = (t for zone, seat in origins for t in self.zones[zone][seat])
            same = (t for t in lying if self.program.plain[t] == self.program.plain[tile] and t not in found)
            found.extend([first] if (first := next(same, None)) is not None else [])
        return found

    def pick(self, origin: Spot, count: int, end: str, classes: Sequence[Sequence[int]] | None) -> list[int] | None:
        """So many tiles of a place, of the classes; None where it is empty and some are wanted."""
        there = self.there(origin)
        row = self.zones[origin[0]][origin[1]]
        if count <= 0:
            return []
        if there <= 0:
            return None
        free = list(row) if end == "back" else list(row[:there])
        if classes is not None:
            every = frozenset(tile for members in classes for tile in members)
            free = [tile for tile in free if self.program.plain[tile] in every or self.program.face[tile] in every]
        if end == "random":
            chance.shuffle(free, self.stream())
        chosen = free[::-1][: min(count, there)] if end == "back" else free[:count]
        return chosen

    def shuffle(self, spot: Spot, tiles: tuple[int, ...] | None) -> None:
        """Every tile, or these, into a place in random order; other zones then take theirs."""
        zone, seat = spot
        for tile in tiles or ():
            if self.where[tile] != spot:
                self.carry(tile, spot)
        row = list(self.program.box if tiles is None else self.zones[zone][seat])
        if tiles is None:
            self.gather()
        chance.shuffle(row, self.stream())
        if tiles is None and self.rigged and self.hand_number == 0:
            row = self.rig(row)
        self.zones[zone][seat] = row
        for tile in row:
            self.where[tile] = spot
            self.shown.pop(tile, None)
        self.tell("shuffle", None, (), (("zone", zone), ("tiles", len(row))))
        if tiles is None:
            self.fill_zones(zone)

    def gather(self) -> None:
        """Nothing lies anywhere."""
        for rows in self.zones.values():
            for row in rows:
                row.clear()
        self.no_hands()

    def no_hands(self) -> None:
        """Every hand is empty."""
        self.counts = [[0] * self.program.first for _ in self.program.everyone]
        self.keys = [0] * self.program.count
        self.spreads = [[0] * self.program.sizes.count for _ in self.program.everyone]

    def rig(self, row: list[int]) -> list[int]:
        """The tiles that were ordered first."""
        ordered: list[int] = []
        for face in self.rigged:
            tile = next((t for t in row if self.program.face[t] == face and t not in ordered), None)
            if tile is not None:
                ordered.append(tile)
        chosen = set(ordered)
        return [*ordered, *(tile for tile in row if tile not in chosen)]

    def fill_zones(self, shuffled: str) -> None:
        """Zones take what they are filled with."""
        for zone in self.program.rules.data.zones.values():
            if zone.takes is not None and zone.takes.source in ("", shuffled):
                for seat in range(len(self.zones[zone.id])):
                    count = int(self.program.answer(zone.takes.count)(TableScene(self, seat), {}))
                    for tile in self.pick((shuffled, 0), count, zone.takes.end, None) or ():
                        self.carry(tile, (zone.id, seat))

    def open_tiles(self) -> list[int]:
        """The tiles that lie open for everyone."""
        found: list[int] = []
        for zone in self.program.rules.data.zones.values():
            if zone.id == "melds":
                for group in (group for row in self.zones[zone.id] for group in row):
                    is_open = self.seers_of_group((zone.id, group.owner), group) is None
                    found.extend(t for t in group.tiles if is_open or self.shown.get(t, 0) is None)
            elif zone.seen_by == "everyone":
                found.extend(tile for row in self.zones[zone.id] for tile in row)
        here = set(found)
        found.extend(t for t, seats in self.shown.items() if seats is None and t not in here)
        return self.open_besides(found) if self.program.has_seen_tiles else found

    def open_besides(self, found: Sequence[int]) -> list[int]:
        """These tiles, without those that hide wherever they lie, and with those that are seen."""
        own = [tile for tile in self.program.box if self.program.seen_by[tile]]
        there = [tile for tile in own if self.shown.get(tile, 0) is None or self.is_seen_by_all(tile)]
        return [*(tile for tile in found if not self.program.seen_by[tile]), *there]

    def is_seen_by_all(self, tile: int) -> bool:
        return self.seers_of(tile, self.where[tile], self.group_of(tile)) is None

    def completing(self, group: Lying) -> tuple[int, ...]:
        """The plain tiles that make the group's kind with what the hand gave to it."""
        given = [tile for tile in group.tiles if tile != group.claimed]
        stands = dict(group.wild)
        rest = sorted(stands.get(tile, self.program.plain[tile]) for tile in given)
        groups = self.program.rules.data.groups
        kinds = groups.groups[group.group].kinds | groups.groups[group.group].meld_kinds
        tiles = self.program.rules.data.tiles.tiles
        found = []
        for tile in tiles:
            index = groups.by_tiles.get(tuple(sorted([*rest, tile.index])))
            if index is not None and kinds & (groups.groups[index].kinds | groups.groups[index].meld_kinds):
                found.append(tile.index)
        return tuple(found)

    def self_draw(self, seat: int, tile: tuple[int, ...]) -> bool:
        """No discarder, and the tile in question, if any, in the own hand."""
        return self.discarder is None and (not tile or self.where.get(tile[0]) == ("hand", seat))

    def show(self, tiles: Iterable[int], seats: frozenset[int] | None) -> None:
        """These seats (None: everyone) have seen the tiles."""
        for tile in tiles:
            before = self.shown.get(tile, frozenset())
            self.shown[tile] = None if before is None or seats is None else self.all_or(before | seats)

    def stream(self) -> Iterator[int]:
        """Numbers by chance for one shuffle or roll."""
        self.counter += 1
        return chance.numbers(self.seed, self.hand_number, self.counter)

    # --- marks

    def remembered(self, name: str, seat: int) -> Any:
        """A mark, an answer or a die."""
        row = self.marks.get(name)
        if row is not None:
            return self.known(name, row[seat if len(row) > 1 else 0])
        if name in self.answered:
            return self.answered[name][seat]
        if name in self.dice:
            return self.dice[name]
        declared = self.program.rules.data.marks.get(name)
        return self.known(name, self.match_marks.get(name)) if declared is not None else None

    def known(self, name: str, value: Any) -> Any:
        """The value, or what a mark is where it is not set: nothing, whatever it started as."""
        return empty(self.program.rules.data.marks[name].type) if value is None else value

    def keep_mark(self, name: str, seat: int, value: Any) -> Any:
        """Remember a value; tiles by their faces."""
        mark = self.program.rules.data.marks[name]
        if mark.type == "tiles":
            value = tuple(self.program.face[tile] for tile in value)
        if mark.of == "match":
            self.match_marks[name] = value
        else:
            row = self.marks[name]
            row[seat if len(row) > 1 else 0] = value
        return value

    def set_mark(self, name: str, seat: int, value: Any) -> None:
        value = self.keep_mark(name, seat, value)
        if self.listening:
            mark = self.program.rules.data.marks[name]
            self.tell(
                "mark",
                seat if mark.of == "seat" else None,
                (),
                (("name", name), ("value", self.plain_value(mark.type, value))),
                self.told_to(mark, seat),
            )

    def told_to(self, mark: Mark, seat: int) -> Seers:
        """Who is told what a mark of this seat, or one that it sets, is."""
        return None if not mark.secret else frozenset({seat} if mark.of == "seat" else ())

    def set_die(self, name: str, seat: int, value: Any, type: str) -> None:
        mark = self.program.rules.data.marks.get(name)
        if mark is not None:
            value = self.keep_mark(name, seat, value)
        else:
            self.dice[name] = value
        who = None if mark is None else self.told_to(mark, seat)
        self.tell("roll", seat, (), (("name", name), ("value", self.plain_value(type, value))), who)

    def plain_value(self, type: str, value: Any) -> Any:
        """A value as plain data."""
        if type in ("tile", "tiles"):
            return [self.program.code[tile] for tile in value]
        if type in ("seat", "seats"):
            return [self.program.names[seat] for seat in value]
        return list(value) if isinstance(value, tuple) else value

    # --- events

    def tell(
        self,
        kind: str,
        seat: int | None = None,
        tiles: Sequence[int] = (),
        detail: Detail = (),
        seen_by: frozenset[int] | None = None,
    ) -> None:
        """An event happened."""
        if kind == "problem":
            self.problems = (*self.problems, str(dict(detail).get("says", "")))
        if self.listening:
            face = self.program.face
            self.events.append(Event(kind, seat, tuple(face[tile] for tile in tiles), detail, seen_by))

    def lies(self, tile: int) -> tuple[Spot, Seers]:
        """Where a tile lies, and who sees it there."""
        spot = self.where[tile]
        return spot, self.seers_of(tile, spot, self.group_of(tile))

    def tell_tiles(self, kind: str, seat: int, tiles: Sequence[int], lay: Sequence[tuple[Spot, Seers]]) -> None:
        """Tiles went to another place from where they `lay`: those who saw them, or see them now, are told."""
        told: dict[tuple[Spot, Seers], list[int]] = {}
        for tile, (origin, saw) in zip(tiles, lay, strict=True):
            told.setdefault((origin, either(saw, self.lies(tile)[1])), []).append(tile)
        for (origin, who), some in told.items():
            places = (("from", self.place_name(origin)), ("to", self.place_name(self.where[some[0]])))
            self.tell(kind, seat, some, (*places, ("count", len(some))), who)

    def tell_swap(self, seat: int, tiles: tuple[int, int], lay: Sequence[tuple[Spot, Seers]]) -> None:
        """Two tiles have changed the places where they `lay`."""
        one, other = (either(saw, self.lies(tile)[1]) for tile, (_, saw) in zip(tiles, lay, strict=True))
        self.tell("swap", seat, tiles, (("places", [self.place_name(spot) for spot, _ in lay]),), both(one, other))

    def tell_meld(self, group: Lying) -> None:
        if self.listening:
            seen = self.seers_of(group.tiles[0], ("melds", group.owner), group)
            for tile in group.tiles if self.program.has_seen_tiles else ():
                seen = both(seen, self.seers_of(tile, ("melds", group.owner), group))
            tiles = group.tiles
            code = self.program.code
            detail: Detail = (("exposed", group.exposed),)
            if group.wild:
                detail = (*detail, ("stands_for", [code[stands] for _, stands in group.wild]))
            self.tell("meld", group.owner, tiles, detail, seen)

    def tell_won(self, won: Won) -> None:
        if self.listening:
            score = won.score.as_json()
            names = self.program.names
            self_draw = won.situation.self_draw
            fed = None if won.situation.discarder is None else names[won.situation.discarder]
            kept = ("total", "unit", "values", "patterns", "reading", "form", "line", "group")
            detail = tuple((name, score[name]) for name in kept if name in score)
            tiles = () if won.tile is None else (won.tile,)
            self.tell("declare", won.seat, tiles, (("self_draw", self_draw), ("discarder", fed), *detail))

    def place_name(self, spot: Spot) -> str:
        zone, seat = spot
        return f"{zone}@{self.program.names[seat]}" if self.program.rules.data.zones[zone].of == "seat" else zone

    def seers(self, spot: Spot) -> frozenset[int] | None:
        """Who sees the tiles of a place; None: everyone."""
        return self.who_sees(self.program.rules.data.zones[spot[0]].seen_by, spot[1])

    def who_sees(self, seen_by: str, seat: int) -> frozenset[int] | None:
        """The seats that are meant, from an owner's place; None: everyone."""
        if seen_by == "everyone":
            return None
        if seen_by == "nobody":
            return frozenset()
        owner = frozenset({seat})
        return owner if seen_by == "owner" else frozenset(self.program.everyone) - owner

    def seers_of(self, tile: int, spot: Spot, group: Lying | None = None) -> frozenset[int] | None:
        """Who sees a tile that lies in a place, in a group there or not; None: everyone. What a tile says of itself
        does not hold where nobody sees the table's own tiles, as in a wall."""
        own, zone = self.program.seen_by[tile], self.program.rules.data.zones[spot[0]]
        if own and (zone.of == "seat" or (zone.seen_by != "nobody" and own in ("everyone", "nobody"))):
            return self.who_sees(own, spot[1])
        return self.seers(spot) if group is None else self.seers_of_group(spot, group)

    def seers_of_group(self, spot: Spot, group: Lying) -> Seers:
        """Who sees the tiles of a group on the table; None: everyone."""
        return self.seers(spot) if group.seen_by is None else self.all_or(group.seen_by)

    def all_or(self, seats: frozenset[int]) -> Seers:
        """These seats; None where they are all that there are."""
        return None if len(seats) == self.program.count else seats

    # --- payments

    def pay(self, payments: str, line: str, payer: int, payee: int, amount: Number, keep: bool = True) -> None:
        """One seat (or the pot) pays another."""
        for seat, gain in ((payer, -amount), (payee, amount)):
            at = seat if seat >= self.program.count else self.player(seat)
            self.scores[at] = whole(self.scores[at] + gain)
        if keep:
            self.paid.append(Paid(payments, line, payer, payee, amount))
        names = self.program.names
        detail = (
            ("payments", payments),
            ("line", line),
            ("from", names[payer]),
            ("to", names[payee]),
            ("amount", amount),
        )
        self.tell("pay", payee, (), detail)

    def values_of(self, seat: int) -> Mapping[str, Any]:
        """The measures of a seat's hand."""
        if seat in self.won:
            return self.won[seat].score.values
        if seat >= self.program.count:
            return {}
        if seat not in self.losses:
            self.losses[seat] = self.judging.values(seat)
        return self.losses[seat]

    # --- the course of play

    def start(self, phase: str, seat: int, before: Before | None = None) -> None:
        """A phase begins."""
        self.stack.append(Frame(self.program.phases[phase], seat, {}, before))

    def begin(self, code: Code, seat: int, letters: dict[str, Any]) -> None:
        """Steps that are carried out before what runs goes on."""
        self.stack.append(Frame(code, seat, letters))

    def run(self) -> None:
        """Carry out operations until somebody has to answer or the match is over."""
        stack, done, shifts = self.stack, 0, self.base.shifts
        while stack:
            if shifts:
                self.shift()
            frame = stack[-1]
            at, operations = frame.at, frame.code.operations
            if at == len(operations):
                stack.pop()
                continue
            frame.at = at + 1
            done += 1
            if done > MOST_OPERATIONS:
                self.stop(f"{frame.code.name} takes more than {MOST_OPERATIONS:,} steps")
                done = 0
            elif operations[at](self, frame):
                return

    def shift(self) -> None:
        """Those tiles are wild that are so now."""
        now = wild_now(self.base, TableScene(self, 0))
        if now != self.wild:
            self.wild, self.program = now, as_wild(self.base, now)
            self.judging = Judging(self)

    def stop(self, why: str) -> None:
        """The play cannot go on: as if the wall were empty."""
        self.tell("problem", None, (), (("says", why),))
        self.leave_for(self.program.exhausted, 0)

    def run_out(self, zone: str) -> None:
        """A tile was wanted of a zone without tiles."""
        phase = self.program.rules.data.zones[zone].when_empty
        if phase:
            self.leave_for(phase, self.turn)
        else:
            self.tell("problem", None, (), (("says", f"nothing is left in {zone}"),))

    def leave_for(self, phase: str, seat: int) -> None:
        """Everything that runs is dropped for a phase."""
        self.stack.clear()
        self.window = None
        if phase == "end":
            self.finish(phase)
        else:
            self.start(phase, seat)

    def fire(self, event: str, seat: int) -> None:
        """An event: marks end, triggers follow."""
        if event in self.program.listeners:
            self.end_marks(event, seat)
            self.trigger(event, seat)

    def trigger(self, event: str, seat: int) -> None:
        """The triggers after an event whose marks have ended. Nothing changes until one of them holds."""
        listeners = self.program.listeners.get(event)
        if listeners is None:
            return
        triggers = listeners.triggers
        for number, one in enumerate(triggers):
            if one.when is None or one.when(TableScene(self, seat), {}):
                for later in reversed(triggers[number + 1 :]):
                    self.begin(later.code, seat, {})
                self.begin(one.steps, seat, {})
                return

    def end_marks(self, event: str, seat: int) -> None:
        listeners = self.program.listeners.get(event)
        if listeners is None:
            return
        for name in listeners.own:
            self.marks[name][seat] = None
        for name in listeners.every:
            self.marks[name] = [None] * self.program.count
        for name in listeners.table:
            if name in self.marks:
                self.marks[name][0] = None
            else:
                self.match_marks[name] = None

    def follow(self, frame: Frame, goal: Any, leave: bool = False) -> None:
        """Go on as a goal says; that of an answer that was taken goes before that of the phase."""
        chosen = goal if frame.goal is None or leave else frame.goal
        if chosen is None:
            self.stop(f"after {frame.code.name} nothing follows")
            return
        phase, seat_of = chosen
        seats = (frame.seat,) if seat_of is None else seat_of(TableScene(self, frame.seat, frame.letters), {})
        seat = seats[0] if seats else frame.seat
        if phase == "back":
            self.go_back(frame)
            return
        if phase == "end":
            running = (one.code.name for one in reversed(self.stack) if one.code.phase)
            self.finish(next(running, frame.code.name))
            return
        if seat_of is not None:
            self.turn = seat
        before = None if leave or phase not in self.program.goes_back else self.interrupted(frame)
        if before is None:
            self.stack.clear()
        else:
            del self.stack[self.stack.index(frame) :]
        self.start(phase, seat, before)

    def interrupted(self, frame: Frame) -> Before | None:
        """What is put back when the interruption that a frame belongs to ends."""
        found = next((one for one in reversed(self.stack) if one.code.phase), frame)
        return found.before

    def interrupt(self, phase: str, seat: int) -> None:
        """Run a phase now; the acting seat is the discarder."""
        before = Before(self.tile, self.discarder, self.turn, self.group)
        self.discarder = seat
        self.start(phase, seat, before)

    def go_back(self, frame: Frame) -> None:
        """What was interrupted goes on, with everything as it was."""
        while self.stack:
            top = self.stack.pop()
            if top.before is not None:
                before = top.before
                self.tile, self.discarder, self.turn = before.tile, before.discarder, before.turn
                self.group = before.group
                return
        self.stop(f"{frame.code.name} goes back, and nothing was interrupted")

    # --- questions

    def open_window(self, phase: Phase, who: Sequence[int]) -> bool:
        """Ask seats for one of the offers of a phase."""
        frame = self.stack[-1]
        asked = self.program.asked_about(phase.id, None if self.tile is None else self.program.plain[self.tile])
        found = {
            seat: choices_in(self, phase.id, seat, self.listening)
            for seat in who
            if may_do_something(self, asked, seat)
        }
        choices = {seat: one for seat, one in found.items() if one}
        otherwise = phase.otherwise is not None
        if self.listening:
            for seat in who:
                refused = () if seat in choices or seat not in found else found[seat].refused
                self.passed_over[seat] = gathered(refused or ())
        if not choices:
            if otherwise:
                frame.goal = self.program.otherwise[phase.id]
            else:
                self.stop(f"in {phase.id} nobody can do anything")
            return False
        self.window = Window(phase.id, {"en": phase.id}, otherwise, choices)
        return True

    def open_question(
        self, ask: Ask, who: Sequence[int], choosing: tuple[Choosing, ...], letters: Mapping[str, Any]
    ) -> bool:
        """Ask seats something; those who have only one answer of no tiles are not asked."""
        names = [one.choose.name for one in choosing]
        for name in names:
            self.answered.setdefault(name, [None] * self.program.count)
        window = Window("", ask.name, False, {}, ask)
        for seat in who:
            choices = answers_to(self, choosing, seat, letters)
            only = the_only(self, choices, seat)
            if only is not None:
                window.answers[seat] = only
            else:
                window.choices[seat] = choices
        self.window = window
        if not window.choices:
            self.close_question(window)
            return False
        return True

    @property
    def asked(self) -> tuple[int, ...]:
        """The seats that have to answer, in turn order after the turn."""
        if self.window is None:
            return ()
        open_seats = [seat for seat in self.window.choices if seat not in self.window.answers]
        return tuple(sorted(open_seats, key=self.after_turn)) if len(open_seats) > 1 else tuple(open_seats)

    def question(self, seat: int) -> Question | None:
        """What a seat is asked."""
        window = self.window
        if window is None or seat not in window.choices or seat in window.answers:
            return None
        choices = window.choices[seat]
        moves = choices.moves()
        if window.may_pass:
            moves.append(Move(seat, PASS))
        name = window.name if window.ask is not None else self.program.asks[window.phase]
        return Question(seat, window.phase, name, tuple(moves), tuple(opened.pick for opened in choices.picks))

    def legal_moves(self, seat: int | None = None) -> tuple[Move, ...]:
        """Every complete move of a seat (the first that is asked), up to 5 000 of each described choice."""
        asked = self.asked
        if seat is None and asked:
            seat = asked[0]
        question = None if seat is None else self.question(seat)
        if question is None or seat is None or self.window is None:
            return ()
        several = [
            move for opened in self.window.choices[seat].picks for move in listed(self, opened, seat, MOST_LISTED)
        ]
        return (*several, *question.moves)

    def refusals(self, seat: int) -> tuple[Refusal, ...]:
        """What the seat may expect to do now, and may not."""
        return refusals(self, seat)

    def who_is_asked(self) -> tuple[int, ...]:
        """The seats that the phase asks, whether they can do anything or not."""
        frame = self.stack[-1]
        phase = self.program.play.phases[frame.code.name]
        assert phase.who is not None
        who: tuple[int, ...] = self.program.answer(phase.who)(TableScene(self, frame.seat, frame.letters), {})
        return who

    def answer_by(self, seat: int, pressed: Set[str]) -> Move | None:
        """What the buttons that a seat has pressed answer for it; None where it decides itself."""
        return answer_by(self, seat, pressed)

    # --- answers

    def answer(self, move: Move) -> None:
        """A seat answers. Raises IllegalMove."""
        option = self.option(move)
        window = self.window
        assert window is not None
        self.keep_answer(window, option)
        if self.answers > MOST_ANSWERS:
            self.break_off(window)
        elif window.ask is not None:
            if all(seat in window.answers for seat in window.choices):
                self.close_question(window)
                self.run()
        elif len(window.answers) == len(window.choices) or self.decided(window):
            self.close(window)
            self.run()

    def answer_together(self, moves: Sequence[Move]) -> None:
        """Seats answer the same question; the others that were asked do not matter. Raises IllegalMove."""
        options = [self.option(move) for move in moves]
        window = self.window
        if window is None or not moves:
            raise IllegalMove("nobody is asked for a move")
        for option in options:
            self.keep_answer(window, option)
        if self.answers > MOST_ANSWERS:
            self.break_off(window)
            return
        if window.ask is None:
            self.close(window)
        elif all(seat in window.answers for seat in window.choices):
            self.close_question(window)
        else:
            raise IllegalMove("some of those who are asked do not answer")
        self.run()

    def break_off(self, window: Window) -> None:
        """The hand has lasted too long."""
        self.tell_answers(window)
        self.stop(f"a hand has at most {MOST_ANSWERS:,} answers")
        self.run()

    def keep_answer(self, window: Window, option: Option) -> None:
        window.answers[option.move.seat] = option
        self.answers += 1
        self.decisions[self.player(option.move.seat)] += 1

    def option(self, move: Move) -> Option:
        """The option that a move is. Raises IllegalMove."""
        window = self.window
        if window is None or type(move) is not Move or type(move.seat) is not int:
            raise illegal(self, move)
        choices = window.choices.get(move.seat)
        if choices is None or move.seat in window.answers:
            raise illegal(self, move)
        if move.does == PASS and not move.choice and window.may_pass:
            return Option(move, None, {})
        found = choices.option(move)
        if found is None:
            for opened in choices.picks if is_move(move) else ():
                if (option := picked(self, opened, move)) is not None:
                    return option
            raise illegal(self, move)
        return found

    def allows(self, move: Move) -> bool:
        """The move can be answered now."""
        try:
            return self.option(move) is not None
        except IllegalMove:
            return False

    def is_seat(self, seat: int) -> bool:
        return 0 <= seat < self.program.count

    def decided(self, window: Window) -> bool:
        """Answers that are still open cannot matter."""
        takers = [(seat, option) for seat, option in window.answers.items() if option.offering is not None]
        if not takers:
            return False
        rank = min(rank_of(option.offering) for _, option in takers)
        best = sorted((s for s, option in takers if rank_of(option.offering) == rank), key=self.after_turn)
        most = self.most(window, best[0])
        for seat, choices in window.choices.items():
            if seat in window.answers:
                continue
            first = min(map(rank_of, choices.offerings()))
            nearer = sum(self.after_turn(taker) < self.after_turn(seat) for taker in best)
            if first < rank or (first == rank and nearer < most):
                return False
        return True

    def most(self, window: Window, seat: int) -> int:
        """How many seats may take what this one takes."""
        offering = window.answers[seat].offering
        if offering is None or offering.most is None:
            return 1
        return int(offering.most(TableScene(self, seat), {}))

    def close(self, window: Window) -> None:
        """What came of the answers: who takes what, in which order."""
        self.tell_answers(window)
        frame = self.stack[-1]
        takers = [(seat, option) for seat, option in window.answers.items() if option.offering is not None]
        self.window = None
        if not takers:
            frame.goal = self.program.otherwise[window.phase]
            return
        if len(takers) == 1:
            frame.takers = (takers[0][1],)
            return
        rank = min(rank_of(option.offering) for _, option in takers)
        first = sorted(
            (one for one in takers if rank_of(one[1].offering) == rank), key=lambda one: self.after_turn(one[0])
        )
        chosen = [one for one in first if one[1].offering is first[0][1].offering][: self.most(window, first[0][0])]
        frame.takers = tuple(option for _, option in chosen)
        self.read_before = {}
        if len(chosen) > 1:
            for seat, option in chosen:
                if option.offering is not None and option.offering.wins:
                    won = self.judging.read(TableScene(self, seat))
                    if won is not None:
                        self.read_before[seat] = won

    def take(self, frame: Frame) -> None:
        """Carry out the next answer that is taken."""
        if not frame.takers:
            return
        option: Option = frame.takers[0]
        frame.takers = frame.takers[1:]
        if frame.takers:
            frame.at -= 1
        offering, seat = option.offering, option.move.seat
        assert offering is not None
        frame.seat = seat
        frame.goal = offering.then
        self.tell("take", seat, (), (("offer", offering.offer.id),))
        self.end_marks(offering.offer.id, seat)
        if "tile" in option.facts and option.facts["tile"][0] is not None:
            self.tile = option.facts["tile"][0]
        if "group" in option.facts:
            self.group = option.facts["group"][0]
        self.begin(offering.code, seat, {**option.letters})

    def tell_answers(self, window: Window) -> None:
        if self.listening and window.choices:
            names = self.program.names
            seats = sorted(window.answers, key=self.from_dealer)
            answers = {names[seat]: written(window.answers[seat].move) for seat in seats if seat in window.choices}
            asked = window.phase or "ask"
            self.tell("answers", None, (), (("to", asked), ("answers", answers)), frozenset())

    def close_question(self, window: Window) -> None:
        """Everyone has answered: the answers become words of the seats."""
        ask = window.ask
        assert ask is not None
        self.tell_answers(window)
        self.window = None
        told: dict[str, Any] = {}
        for seat in sorted(window.answers, key=self.from_dealer):
            option = window.answers[seat]
            for choose in ask.choose:
                self.answered[choose.name][seat] = option.letters[choose.name]
            told[self.program.names[seat]] = written(option.move)
        if not ask.secret:
            self.tell("told", None, (), (("name", dict(ask.name)), ("answers", told)))

    # --- going its own way

    def copy(self) -> "Game":
        """The same game, to go its own way."""
        other: Game = Game.__new__(Game)
        other.__dict__.update(self.__dict__)
        other.judging = Judging(other)
        other.match_marks = dict(self.match_marks)
        other.scores = list(self.scores)
        other.results, other.decisions = list(self.results), list(self.decisions)
        other.zones = {zone: [list(row) for row in rows] for zone, rows in self.zones.items()}
        other.where = dict(self.where)
        other.counts = [list(row) for row in self.counts]
        other.keys = list(self.keys)
        other.spreads = [list(row) for row in self.spreads]
        other.marks = {name: list(row) for name, row in self.marks.items()}
        other.answered = {name: list(row) for name, row in self.answered.items()}
        other.dice = dict(self.dice)
        other.drawn = list(self.drawn)
        other.won, other.read_before, other.losses = dict(self.won), dict(self.read_before), {}
        other.paid, other.passed_over = list(self.paid), dict(self.passed_over)
        other.shown = dict(self.shown)
        other.stack = [frame.copy() for frame in self.stack]
        other.events = list(self.events)
        if self.window is not None:
            window = self.window
            other.window = Window(
                window.phase, window.name, window.may_pass, window.choices, window.ask, dict(window.answers)
            )
        return other


def either(one: Seers, other: Seers) -> Seers:
    """The seats of either; None is everyone."""
    return None if one is None or other is None else one | other


def both(one: Seers, other: Seers) -> Seers:
    """The seats of both; None is everyone."""
    return other if one is None else one if other is None else one & other


def rank_of(offering: Offering | None) -> int:
    """Who goes first; what has no rank goes after all that have one."""
    return 1_000_000 if offering is None or offering.offer.rank is None else offering.offer.rank


def written(move: Move) -> dict[str, str]:
    """A move as plain data."""
    return {"move": move.does, **dict(move.choice)}


def the_only(game: Game, choices: Choices, seat: int) -> Option | None:
    """The answer, where there is one only, and that of no tiles."""
    if choices.options or choices.own or len(choices.picks) != 1 or choices.picks[0].pick.most:
        return None
    opened = choices.picks[0]
    return picked(game, opened, opened.pick.move(seat, []))
