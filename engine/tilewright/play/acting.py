"""The acting seat: the table as steps use and change it.

Implements the operations of steps declared in `tilewright.language.compiled.play` (`TableHands`), and compiles the
expressions of steps. What happens is announced as the event of the step, to those who see it.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeVar

from tilewright.language.compiled.ir import Apply, Conditional, Ir, Lookup
from tilewright.language.compiled.play import Goal, StepQuestion, Verb
from tilewright.language.compiled.ruleset import Mark
from tilewright.play import chance, course, placing, visibility
from tilewright.play.expressions import NO_LETTERS, class_of
from tilewright.play.judge import reason_of
from tilewright.play.model import Seers, TableMeld, ZonePlace
from tilewright.play.offers import compiled_choices
from tilewright.play.operations import Frame
from tilewright.play.program import Program
from tilewright.play.scene import ImaginedSeat, TableScene
from tilewright.play.state import Operation, TableState, plain_value
from tilewright.scoring.payments import account_of, charges
from tilewright.scoring.plain.walker import whole


def operation_of(program: Program, verb: Verb, event: str) -> Operation:
    """The operation of a verb at the table of a game, announced as this event."""
    operate = verb.operation(ActingExpressions(program))
    return lambda game, frame: operate(ActingSeat(game, frame, event))


class ActingSeat(TableScene):
    """The table from the place of the acting seat, with the operations that change it."""

    __slots__ = ("event", "frame")

    def __init__(self, game: TableState, frame: Frame, event: str) -> None:
        super().__init__(game, frame.seat, frame.letters, frame.facts)
        self.frame, self.event = frame, event

    # --- tiles

    def next_tile(self, spot: ZonePlace, end: str) -> int | None:
        game = self.game
        if game.there(spot) <= 0:
            course.run_out(game, spot[0])
            return None
        tile: int = game.zones[spot[0]][spot[1]][-1 if end == "back" else 0]
        if game.coming:
            (tile,) = placing.instead(game, [tile], spot, ("hand", self.seat), end)
        return tile

    def pick(
        self, origin: ZonePlace, goal: ZonePlace, count: int, end: str, of: frozenset[int] | None
    ) -> Sequence[int]:
        moved = placing.pick(self.game, origin, count, end, of)
        if moved is None:
            course.run_out(self.game, origin[0])
            return ()
        if self.game.coming and of is None:
            return placing.instead(self.game, moved, origin, goal, end)
        return moved

    def lying_in(self, tiles: Iterable[Any], origins: Sequence[ZonePlace]) -> Sequence[int]:
        return placing.among(self.game, tiles, origins)

    def carry(self, tiles: Sequence[int], goal: ZonePlace) -> None:
        game = self.game
        zones, origin = game.program.data.zones, game.where[tiles[-1]]
        lay = [visibility.spot_of(game, tile) for tile in tiles] if game.listening else ()
        just_drawn = len(tiles) == 1 and placing.is_just_drawn(game, tiles[0])
        for tile in tiles:
            if zones[goal[0]].claimable:
                placing.note_discard(game, tile, self.seat, goal)
            placing.carry(game, tile, goal)
        if zones[goal[0]].claimable:
            game.tile = tiles[-1]
            game.discarder = origin[1] if zones[origin[0]].of == "seat" else self.seat
            game.to_claim = game.pausing
        placing.turn(game, tiles, goal)
        if game.listening:
            visibility.announce_tiles(game, self.event, self.seat, tiles, lay, just_drawn)

    def drew(self, tile: int) -> None:
        game = self.game
        game.tile, game.discarder = tile, None
        game.drawn[self.seat], game.fresh[self.seat] = tile, True
        game.draws += 1

    def exchange(self, one: int, other: int) -> None:
        game = self.game
        lay = visibility.spot_of(game, one), visibility.spot_of(game, other)
        placing.exchange(game, one, other)
        came = next((tile for tile in (one, other) if game.where[tile] == ("hand", self.seat)), None)
        if came is not None:
            game.tile, game.discarder = came, None
        visibility.announce_swap(game, self.event, self.seat, (one, other), lay)

    def lay(self, group: object, concealed: bool, seen_by: frozenset[int] | None, hand: int | None) -> None:
        assert isinstance(group, TableMeld)
        game = self.game
        grows = any(game.where[tile][0] == "melds" for tile in group.tiles)
        exposed = group.exposed if grows else not concealed
        lying = replace(
            group,
            exposed=exposed,
            seen_by=group.seen_by if seen_by is None else seen_by,
            hand=group.hand if hand is None else hand,
        )
        placing.lay(game, lying)
        game.group = lying
        visibility.announce_meld(game, self.event, lying)

    def shuffle(self, spot: ZonePlace, tiles: Sequence[int] | None) -> None:
        placing.shuffle(self.game, spot, tiles)
        zone, seat = spot
        self.game.announce(self.event, None, (), (("zone", zone), ("tiles", len(self.game.zones[zone][seat]))))
        if tiles is None:
            placing.fill_zones(self.game, zone)

    def show(self, tiles: Sequence[int], seats: Iterable[int] | None) -> None:
        seen_by = None if seats is None else visibility.all_or(self.game, frozenset(seats))
        visibility.show(self.game, tiles, seen_by)
        self.game.announce(self.event, self.seat, tiles, (), seen_by)

    def hide(self, tiles: Sequence[int]) -> None:
        for tile in tiles:
            self.game.shown.pop(tile, None)
        self.game.announce(self.event, self.seat, (), ())

    # --- memory and chance

    def remember(self, mark: str, value: object) -> None:
        value = self.game.keep_mark(mark, self.seat, value)
        if self.game.listening:
            declared = self.game.program.rules.data.marks[mark]
            seat = self.seat if declared.of == "seat" else None
            self.announce_value(mark, value, declared.type, seat, self.seers_of_mark(declared))

    def seers_of_mark(self, mark: Mark) -> Seers:
        """Who sees the value of a mark of the acting seat, or of one that it sets."""
        return None if not mark.secret else frozenset({self.seat} if mark.of == "seat" else ())

    def announce_value(self, name: str, value: object, type: str, seat: int | None, seen_by: Seers) -> None:
        plain = plain_value(self.game.program, type, value)
        self.game.announce(self.event, seat, (), (("name", name), ("value", plain)), seen_by)

    def chance(self, count: int) -> int:
        return chance.below(count, self.game.stream())

    def decide(self, name: str, value: object, type: str) -> None:
        mark = self.game.program.rules.data.marks.get(name)
        if mark is None:
            self.game.dice[name] = value
        else:
            value = self.game.keep_mark(name, self.seat, value)
        self.announce_value(name, value, type, self.seat, None if mark is None else self.seers_of_mark(mark))

    # --- course

    def interrupt(self, phase: str, tile: int | None) -> None:
        course.interrupt(self.game, phase, self.seat, tile)

    def retire(self, seat: int) -> None:
        game = self.game
        if seat in game.playing:
            game.playing = tuple(other for other in game.playing if other != seat)
            game.announce(self.event, seat)

    # --- worth

    def win(self, seat: int, tiles: Sequence[int] | None) -> bool:
        game, there = self.game, self.of_seat(seat)
        kept = None if tiles is None else set(tiles)
        won = game.read_before.pop(seat, None) or game.judging.read(only(there, kept))
        melded = [tile for group in game.zones["melds"][seat] for tile in group.tiles]
        if won is not None and won.laid:
            kept = set(won.laid)
        visibility.open_hand(game, (*(game.zones["hand"][seat] if kept is None else kept), *melded))
        if won is None or not won.score.win:
            game.announce("problem", seat, (), (("says", f"a hand was declared that is {reason_of(won)}"),))
            return False
        if seat in game.won:
            game.won_before[seat] = (*game.won_before.get(seat, ()), game.won[seat])
        game.won[seat] = won
        if game.program.watch is not None:
            game.program.watch.wins(won)
        if seat not in game.winners:
            game.winners = (*game.winners, seat)
        visibility.announce_won(game, self.event, won)
        return True

    def finish(self, hand: int | None, goal: ZonePlace | None) -> None:
        game, seat = self.game, self.seat
        won = game.won.get(seat) if hand is None else None
        number = won.hand if won is not None else hand
        if number is None or not 1 <= number <= game.program.hands:
            return
        game.closed[seat] |= 1 << number
        tiles = [tile for group in game.zones["melds"][seat] if group.hand == number for tile in group.tiles]
        tiles += () if won is None else won.laid
        if goal is not None:
            for tile in tiles:
                placing.carry(game, tile, goal)
        if won is not None:
            game.tile, game.discarder = None, None
        game.announce(self.event, seat, tiles if goal is not None else (), (("hand", number),))

    def settle(self, payments: str) -> None:
        game = self.game
        game.losses.clear()
        number = game.paid[-1].settlement + 1 if game.paid else 0
        scene = self.knowing(winner=(self.seat,))
        if game.program.watch is not None:
            game.program.watch.settles(payments, scene)
        found = charges(scene, payments)
        accounts = [account_of(charge) if game.listening else None for charge in found]
        for charge, account in zip(found, accounts, strict=True):
            game.pay(payments, *charge.payment, number, account)

    def refund(self, payments: Sequence[str]) -> None:
        game = self.game
        for paid in [one for one in game.paid if one.payments in payments and one.payee == self.seat]:
            game.paid.remove(paid)
            game.pay(self.event, paid.line, paid.payee, paid.payer, whole(paid.amount))

    def keep(self, payments: Sequence[str]) -> None:
        game = self.game
        got = [one for one in game.paid if one.payments in payments and one.payee == self.seat]
        for paid in got:
            if paid.settlement == got[-1].settlement:
                game.paid.remove(paid)


def only(scene: TableScene, kept: set[int] | None) -> TableScene:
    """The seat with only these tiles in its hand."""
    if kept is None:
        return scene
    less = tuple(tile for tile in scene.hand() if tile not in kept)
    return scene.of_seat(ImaginedSeat(scene.seat, less=less))


# --- the expressions of verbs

T = TypeVar("T")
Operand = Callable[[ActingSeat], T]


@dataclass(frozen=True, slots=True)
class ActingExpressions:
    """Compiles the expressions of a verb."""

    program: Program

    def zones(self, ir: Ir | None) -> Operand[Sequence[ZonePlace]]:
        if ir is None:
            wall = ((self.program.wall, 0),)
            return lambda at: wall
        if isinstance(ir, Apply):
            inner = [self.zones(arg) for arg in ir.args]
            return lambda at: [spot for one in inner for spot in one(at)]
        if isinstance(ir, Conditional):
            test, then, other = self.members(ir.test), self.zones(ir.then), self.zones(ir.other)
            return lambda at: (then if test(at) else other)(at)
        assert isinstance(ir, Lookup) and ir.kind == "zone", f"{ir} names no zone"
        name = ir.name
        if self.program.data.zones[name].of == "table":
            here = ((name, 0),)
            return lambda at: here
        if ir.of is None:
            return lambda at: ((name, at.seat),)
        seats = self.members(ir.of)
        return lambda at: [(name, seat) for seat in seats(at)]

    def members(self, ir: Ir) -> Operand[Any]:
        evaluate = self.program.evaluator(ir)
        return lambda at: evaluate(at, NO_LETTERS)

    value = members

    def tiles(self, ir: Ir) -> Operand[Sequence[int]]:
        evaluate = self.program.evaluator(ir)
        return lambda at: placing.tiles_on_table(at.game, evaluate(at, NO_LETTERS))

    def number(self, ir: Ir) -> Operand[int]:
        evaluate = self.program.evaluator(ir)
        return lambda at: int(evaluate(at, NO_LETTERS))

    def classes(self, of: tuple[Ir, ...]) -> Operand[frozenset[int]]:
        evaluate = class_of(of, self.program.data)
        return lambda at: evaluate(at, NO_LETTERS)

    def question(self, question: StepQuestion, who: Ir) -> Operand[bool]:
        seats, choosing = self.members(who), compiled_choices(self.program, question.choose)
        return lambda at: course.open_question(at.game, question, seats(at), choosing, at.frame.letters)

    def goal(self, goal: Goal) -> Operand[None]:
        found = self.program.goal(goal)
        return lambda at: course.follow(at.game, at.frame, found, leave=True)

    def action(self, name: str, arguments: Sequence[tuple[str, Ir]]) -> Operand[None]:
        given = [(argument, self.members(ir)) for argument, ir in arguments]

        def begin(at: ActingSeat) -> None:
            letters = {argument: answer(at) for argument, answer in given}
            course.begin(at.game, self.program.actions[name], at.seat, letters, at.frame.facts)

        return begin
