"""Verbs: what steps do to a game. Each takes a program and the step's data and gives the operation.

Everything that is asked (which tiles, which seat, how many) is an expression; zones are found by `spots`. An operation
returns True where somebody has to be asked first, or is to see what happened before the game goes on.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace

from tilewright.language.compiled import play
from tilewright.language.compiled.ir import Apply, Choice, Ir, Word
from tilewright.play.model.melds import TableMeld, ZonePlace
from tilewright.play.offers.compile import compiled_choices
from tilewright.play.program.program import Program
from tilewright.play.scene import placing, shuffling, visibility, walls
from tilewright.play.scene.expressions import class_of
from tilewright.play.scene.judge import reason_of
from tilewright.play.scene.scene import ImaginedSeat, TableScene, scene_at
from tilewright.play.state import chance
from tilewright.play.state.frames import Frame
from tilewright.play.state.state import Operation, TableState
from tilewright.play.steps import announcing, course, questions
from tilewright.scoring.payments import settle as payments_of
from tilewright.scoring.walker import whole

Spots = Callable[[TableScene], Sequence[ZonePlace]]


def here(game: TableState, frame: Frame) -> TableScene:
    """The table as the acting seat asks it."""
    return scene_at(game, frame)


def spots(program: Program, ir: Ir) -> Spots:
    """The places that an expression for a zone names."""
    if isinstance(ir, Apply):
        inner = [spots(program, arg) for arg in ir.args]
        return lambda scene: [spot for one in inner for spot in one(scene)]
    if isinstance(ir, Choice):
        test, then, other = program.answer(ir.test), spots(program, ir.then), spots(program, ir.other)
        return lambda scene: (then if test(scene, {}) else other)(scene)
    assert isinstance(ir, Word) and ir.kind == "zone", f"{ir} names no zone"
    name = ir.name
    if program.data.zones[name].of == "table":
        return lambda scene: ((name, 0),)
    if ir.of is None:
        return lambda scene: ((name, scene.seat),)
    seats = program.answer(ir.of)
    return lambda scene: [(name, seat) for seat in seats(scene, {})]


# --- tiles


def shuffle(program: Program, verb: play.Shuffle) -> Operation:
    into, tiles = spots(program, verb.into), program.perhaps(verb.tiles)

    def operate(game: TableState, frame: Frame) -> None:
        scene = here(game, frame)
        (spot, *_) = into(scene)
        shuffling.shuffle(game, spot, None if tiles is None else placing.tiles_on_table(game, tiles(scene, {})))

    return operate


def draw(program: Program, verb: play.Draw) -> Operation:
    """One tile from the zone to the hand."""
    wall = (program.wall, 0)
    source = None if verb.source is None else spots(program, verb.source)
    back = verb.end == "back"

    def operate(game: TableState, frame: Frame) -> None:
        spot = wall if source is None else source(here(game, frame))[0]
        if game.there(spot) <= 0:
            course.run_out(game, spot[0])
            return
        tile = game.zones[spot[0]][spot[1]][-1 if back else 0]
        if game.coming:
            (tile,) = walls.instead(game, [tile], spot, ("hand", frame.seat), verb.end)
        lay = (visibility.lies(game, tile),) if game.listening else ()
        placing.carry(game, tile, ("hand", frame.seat))
        game.tile, game.discarder = tile, None
        game.drawn[frame.seat] = tile
        game.draws += 1
        if game.listening:
            announcing.tell_tiles(game, "draw", frame.seat, (tile,), lay)

    return operate


def move(program: Program, verb: play.Move) -> Operation:
    source, to = spots(program, verb.source), spots(program, verb.to)
    tiles, count = program.perhaps(verb.tiles), program.perhaps(verb.count)
    classes = None if verb.of is None else class_of(verb.of, program.data)
    claimable = program.data.zones

    def operate(game: TableState, frame: Frame) -> bool:
        scene = here(game, frame)
        origins, goals = source(scene), to(scene)
        if not goals or not origins:
            return False
        goal = goals[0]
        moved: list[int] | None
        if tiles is not None:
            moved = placing.among(game, tiles(scene, {}), origins)
        else:
            wanted = 1 if count is None else int(count(scene, {}))
            of = None if classes is None else classes(scene, {})
            moved = placing.pick(game, origins[0], wanted, verb.end, of)
            if moved is None:
                course.run_out(game, origins[0][0])
                return False
            if game.coming and of is None:
                moved = walls.instead(game, moved, origins[0], goal, verb.end)
        if not moved:
            return False
        origin = game.where[moved[-1]]
        lay = [visibility.lies(game, tile) for tile in moved] if game.listening else ()
        for tile in moved:
            placing.carry(game, tile, goal)
        if claimable[goal[0]].claimable:
            game.tile = moved[-1]
            game.discarder = origin[1] if claimable[origin[0]].of == "seat" else frame.seat
        if game.listening:
            announcing.tell_tiles(game, "move", frame.seat, moved, lay)
        return game.pausing and claimable[goal[0]].claimable

    return operate


def swap(program: Program, verb: play.Swap) -> Operation:
    one, other = program.answer(verb.one), program.answer(verb.other)

    def operate(game: TableState, frame: Frame) -> None:
        scene = here(game, frame)
        (first,), (second,) = one(scene, {}), other(scene, {})
        lay = visibility.lies(game, first), visibility.lies(game, second)
        placing.exchange(game, first, second)
        came = next((tile for tile in (first, second) if game.where[tile] == ("hand", frame.seat)), None)
        if came is not None:
            game.tile, game.discarder = came, None
        announcing.tell_swap(game, frame.seat, (first, second), lay)

    return operate


def make_meld(program: Program, verb: play.MakeMeld) -> Operation:
    group, seats = program.answer(verb.group), program.perhaps(verb.seen_by)

    def operate(game: TableState, frame: Frame) -> None:
        scene = here(game, frame)
        for made in group(scene, {}):
            seen = None if seats is None else frozenset(seats(scene, {}))
            exposed = made.exposed if is_grown(game, made) else not verb.concealed
            lying = replace(made, exposed=exposed, seen_by=made.seen_by if seen is None else seen)
            placing.lay(game, lying)
            game.group = lying
            announcing.tell_meld(game, lying)

    return operate


def is_grown(game: TableState, group: TableMeld) -> bool:
    """The group is a meld with a tile more."""
    return any(game.where[tile][0] == "melds" for tile in group.tiles)


def reveal(program: Program, verb: play.Reveal) -> Operation:
    tiles, to = program.answer(verb.tiles), program.perhaps(verb.to)

    def operate(game: TableState, frame: Frame) -> None:
        scene = here(game, frame)
        shown = placing.tiles_on_table(game, tiles(scene, {}))
        seats = None if to is None else visibility.all_or(game, frozenset(to(scene, {})))
        visibility.show(game, shown, seats)
        game.tell("reveal", frame.seat, shown, (), seats)

    return operate


# --- memory


def remember(program: Program, verb: play.Remember) -> Operation:
    values = [(name, program.answer(ir)) for name, ir in verb.values]

    def operate(game: TableState, frame: Frame) -> None:
        scene = here(game, frame)
        found = [(name, answer(scene, {})) for name, answer in values]
        for name, value in found:
            game.set_mark(name, frame.seat, value)

    return operate


def roll(program: Program, verb: play.Roll) -> Operation:
    dice = [(name, [program.answer(ir) for ir in values], values[0].type) for name, values in verb.dice]

    def operate(game: TableState, frame: Frame) -> None:
        scene = here(game, frame)
        for name, values, type in dice:
            value = values[chance.below(len(values), game.stream())](scene, {})
            game.set_die(name, frame.seat, value, type)

    return operate


def ask(program: Program, verb: play.Ask) -> Operation:
    who = program.answer(verb.who)
    choosing = compiled_choices(program, verb.choose)
    return lambda game, frame: questions.open_question(game, verb, who(here(game, frame), {}), choosing, frame.letters)


# --- course


def interrupt(program: Program, verb: play.Interrupt) -> Operation:
    tiles = program.perhaps(verb.tile)

    def operate(game: TableState, frame: Frame) -> None:
        asked = None if tiles is None else placing.tiles_on_table(game, tiles(here(game, frame), {}))
        course.interrupt(game, verb.phase, frame.seat, asked[0] if asked else None)

    return operate


def go(program: Program, verb: play.Go) -> Operation:
    goal = program.goal(verb.goal)

    def operate(game: TableState, frame: Frame) -> None:
        course.follow(game, frame, goal, leave=True)

    return operate


def use(program: Program, verb: play.Use) -> Operation:
    arguments = [(name, program.answer(ir)) for name, ir in verb.arguments]

    def operate(game: TableState, frame: Frame) -> None:
        scene = here(game, frame)
        course.begin(
            game,
            program.actions[verb.action],
            frame.seat,
            {name: answer(scene, {}) for name, answer in arguments},
            frame.facts,
        )

    return operate


def retire(program: Program, verb: play.Retire) -> Operation:
    seats = program.answer(verb.seats)

    def operate(game: TableState, frame: Frame) -> None:
        for seat in seats(here(game, frame), {}):
            if seat in game.playing:
                game.playing = tuple(other for other in game.playing if other != seat)
                game.tell("retire", seat)

    return operate


# --- worth


def declare(program: Program, verb: play.Declare) -> Operation:
    seats, tiles = program.answer(verb.seat), program.perhaps(verb.tiles)

    def operate(game: TableState, frame: Frame) -> None:
        scene = here(game, frame)
        for seat in seats(scene, {}):
            there = scene.of_seat(seat)
            kept = None if tiles is None else set(placing.tiles_on_table(game, tiles(scene, {})))
            won = game.read_before.get(seat) or game.judging.read(only(there, kept))
            melded = [tile for group in game.zones["melds"][seat] for tile in group.tiles]
            visibility.open_hand(game, (*(game.zones["hand"][seat] if kept is None else kept), *melded))
            if won is None or not won.score.win:
                game.tell("problem", seat, (), (("says", f"a hand was declared that is {reason_of(won)}"),))
                return
            game.won[seat] = won
            if seat not in game.winners:
                game.winners = (*game.winners, seat)
            announcing.tell_won(game, won)

    return operate


def only(scene: TableScene, kept: set[int] | None) -> TableScene:
    """The seat with no other tiles in its hand."""
    if kept is None:
        return scene
    less = tuple(tile for tile in scene.hand() if tile not in kept)
    return scene.of_seat(ImaginedSeat(scene.seat, less=less))


def settle(program: Program, verb: play.Settle) -> Operation:
    def operate(game: TableState, frame: Frame) -> None:
        scene = here(game, frame).knowing(winner=(frame.seat,))
        game.losses.clear()
        number = game.paid[-1].settlement + 1 if game.paid else 0
        for payment in payments_of(scene, verb.payments):
            game.pay(verb.payments, payment.line, payment.payer, payment.payee, payment.amount, number)

    return operate


def refund(program: Program, verb: play.Refund) -> Operation:
    def operate(game: TableState, frame: Frame) -> None:
        for paid in [one for one in game.paid if one.payments in verb.payments and one.payee == frame.seat]:
            game.paid.remove(paid)
            game.pay("refund", paid.line, paid.payee, paid.payer, whole(paid.amount))

    return operate


def final(program: Program, verb: play.Final) -> Operation:
    def operate(game: TableState, frame: Frame) -> None:
        got = [one for one in game.paid if one.payments in verb.payments and one.payee == frame.seat]
        for paid in got:
            if paid.settlement == got[-1].settlement:
                game.paid.remove(paid)

    return operate
