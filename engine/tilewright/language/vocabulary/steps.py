"""The steps of play, each declared once; the reference has their order."""

from dataclasses import field
from typing import Annotated

from tilewright.language.compiled.ir import Const, Ir, Lookup
from tilewright.language.compiled.play import Choose, Goal, H, Operation, StepSpeaker, Text, VerbCompiler
from tilewright.language.vocabulary.declare_steps import DeclaredVerb, Sentence, step
from tilewright.language.vocabulary.step_fields import (
    ChoicesField,
    ClassesField,
    Dice,
    FlagField,
    GoalField,
    GroupField,
    MarkValues,
    NumberField,
    OneOfField,
    OrdinalField,
    PairOfTiles,
    PaymentName,
    PaymentNames,
    PhaseName,
    SeatsField,
    ShownField,
    TilesField,
    TitleField,
    ZoneField,
)

ONE = Const("number", 1)
HAND, WALL, MELDS = "hand", "wall", "melds"


# --- tiles: shuffle, draw, move, swap, meld, reveal


@step(
    "shuffle",
    Sentence("tiles"),
    Sentence("all"),
    short="into",
)
class Shuffle(DeclaredVerb):
    """Put every tile into a zone in random order; {tiles, into}: these tiles, among those in it."""

    into: Annotated[Ir, ZoneField("The zone they go into.", goes_in=True)]
    tiles: Annotated[Ir | None, TilesField("The tiles that go in.", needed=True)] = None

    def operation(self, compiler: VerbCompiler[H]) -> Operation[H]:
        into, tiles = compiler.zones(self.into), None if self.tiles is None else compiler.tiles(self.tiles)

        def operate(at: H) -> None:
            (spot, *_) = into(at)
            at.shuffle(spot, None if tiles is None else tiles(at))

        return operate


@step(
    "draw",
    Sentence("front", where={"end": "front"}),
    Sentence("back"),
    short="count",
    fills=HAND,
    ends_hands=True,
)
class Draw(DeclaredVerb):
    """Draw this many tiles from the wall to the seat's hand."""

    count: Annotated[Ir, NumberField("How many; by default one.")] = ONE
    source: Annotated[
        Ir | None, ZoneField("The zone drawn from; by default the wall.", key="from", unless_said=WALL)
    ] = None
    end: Annotated[str, OneOfField("From which end.", among=("front", "back"))] = "front"

    def times(self) -> Ir | None:
        return None if isinstance(self.count, Const) and self.count.value == 1 else self.count

    def operation(self, compiler: VerbCompiler[H]) -> Operation[H]:
        source, end = compiler.zones(self.source), self.end

        def operate(at: H) -> None:
            tile = at.next_tile(source(at)[0], end)
            if tile is not None:
                at.carry((tile,), (HAND, at.seat))
                at.drew(tile)

        return operate


@step(
    "move",
    Sentence("taken_of"),
    Sentence("taken"),
    Sentence("tiles"),
    Sentence("count_of"),
    Sentence("count"),
    either=("tiles", "count"),
)
class MoveTiles(DeclaredVerb):
    """Move tiles from one zone to another."""

    source: Annotated[Ir, ZoneField("The zone they come from.", key="from")]
    to: Annotated[Ir, ZoneField("The zone they go to.", goes_in=True)]
    tiles: Annotated[Ir | None, TilesField("These tiles.")] = None
    count: Annotated[Ir | None, NumberField("This many of any.")] = None
    of: Annotated[tuple[Ir, ...] | None, ClassesField("Of these classes.")] = None
    end: Annotated[str, OneOfField("From which end, or at random.", among=("front", "back", "random"))] = "front"

    def filled(self, sentence: Sentence, speaker: StepSpeaker) -> str:
        """A number of tiles that go to one's own hand are taken; others are moved."""
        to_hand = isinstance(self.to, Lookup) and self.to.of is None and self.to.name == HAND
        return "" if sentence.key.startswith("taken") and not to_hand else super().filled(sentence, speaker)

    def operation(self, compiler: VerbCompiler[H]) -> Operation[H]:
        source, to, end = compiler.zones(self.source), compiler.zones(self.to), self.end
        tiles = None if self.tiles is None else compiler.members(self.tiles)
        count = None if self.count is None else compiler.number(self.count)
        classes = None if self.of is None else compiler.classes(self.of)

        def operate(at: H) -> None:
            origins, goals = source(at), to(at)
            if not goals or not origins:
                return
            if tiles is not None:
                moved = at.lying_in(tiles(at), origins)
            else:
                wanted, of = 1 if count is None else count(at), None if classes is None else classes(at)
                moved = at.pick(origins[0], goals[0], wanted, end, of)
            if moved:
                at.carry(moved, goals[0])

        return operate


@step("swap", Sentence("says"))
class Swap(DeclaredVerb):
    """Swap two tiles, wherever they are."""

    pair: Annotated[tuple[Ir, Ir], PairOfTiles()]

    @property
    def one(self) -> Ir:
        return self.pair[0]

    @property
    def other(self) -> Ir:
        return self.pair[1]

    def operation(self, compiler: VerbCompiler[H]) -> Operation[H]:
        one, other = map(compiler.members, self.pair)

        def operate(at: H) -> None:
            (first,), (second,) = one(at), other(at)
            at.exchange(first, second)

        return operate


@step(
    "meld",
    Sentence("concealed", where={"concealed": True}),
    Sentence("exposed"),
    short="group",
    fills=MELDS,
)
class MakeMeld(DeclaredVerb):
    """Put a group among the melds."""

    group: Annotated[Ir, GroupField("The group.")]
    concealed: Annotated[bool, FlagField("It counts as concealed.")] = False
    seen_by: Annotated[Ir | None, SeatsField("Who sees its tiles.")] = None  # None: those who see the zone of melds
    hand: Annotated[
        Ir | None,
        OrdinalField(
            "The hand of the seat that it belongs to, from 1; by default that of the meld that grows, or the first."
        ),
    ] = None

    def operation(self, compiler: VerbCompiler[H]) -> Operation[H]:
        group, concealed = compiler.members(self.group), self.concealed
        seats = None if self.seen_by is None else compiler.members(self.seen_by)
        hand = None if self.hand is None else compiler.number(self.hand)

        def operate(at: H) -> None:
            number = None if hand is None else hand(at)
            for made in group(at):
                at.lay(made, concealed, None if seats is None else frozenset(seats(at)), number)

        return operate


@step(
    "reveal",
    Sentence("to"),
    Sentence("everyone"),
    short="tiles",
)
class Reveal(DeclaredVerb):
    """Show a zone, tiles or a group to everyone, or to some."""

    tiles: Annotated[Ir, ShownField("What is shown.")]
    to: Annotated[Ir | None, SeatsField("Who sees it.", needed=True)] = None

    def operation(self, compiler: VerbCompiler[H]) -> Operation[H]:
        tiles, seats = compiler.tiles(self.tiles), None if self.to is None else compiler.members(self.to)

        def operate(at: H) -> None:
            at.show(tiles(at), None if seats is None else seats(at))

        return operate


@step("hide", Sentence("says"), short="tiles")
class Hide(DeclaredVerb):
    """Turn tiles that were shown face down again: who sees them follows from where they lie."""

    tiles: Annotated[Ir, ShownField("What is turned face down.")]

    def operation(self, compiler: VerbCompiler[H]) -> Operation[H]:
        tiles = compiler.tiles(self.tiles)
        return lambda at: at.hide(tiles(at))


# --- memory: marks, dice, and what seats answer


@step("mark")
class Remember(DeclaredVerb):
    """Set marks: {mark: value}."""

    values: Annotated[tuple[tuple[str, Ir], ...], MarkValues()]

    def clause(self, speaker: StepSpeaker) -> str:
        """What the marks with a name become: others are not for players."""
        named = ((speaker.mark_name(id), value) for id, value in self.values)
        return speaker.in_turn([remembered(speaker, name, value) for name, value in named if name])

    def operation(self, compiler: VerbCompiler[H]) -> Operation[H]:
        values = [(name, compiler.value(ir)) for name, ir in self.values]

        def operate(at: H) -> None:
            for name, value in [(name, answer(at)) for name, answer in values]:
                at.remember(name, value)

        return operate


def remembered(speaker: StepSpeaker, mark: str, value: Ir) -> str:
    """What a mark becomes, in words."""
    if isinstance(value, Const) and value.type == "truth":
        return speaker.message("verbs.mark.holds" if value.value else "verbs.mark.ends", mark=mark)
    if value.type == "truth":
        return speaker.message("verbs.mark.depends", mark=mark, when=speaker.truth(value))
    return speaker.message("verbs.mark.becomes", mark=mark, value=speaker.thing(value))


@step("roll", Sentence("says"))
class Roll(DeclaredVerb):
    """Roll dice: {name: [values]} sets the name to one of the values."""

    dice: Annotated[tuple[tuple[str, tuple[Ir, ...]], ...], Dice()]

    def operation(self, compiler: VerbCompiler[H]) -> Operation[H]:
        dice = [(name, [compiler.value(ir) for ir in values], values[0].type) for name, values in self.dice]

        def operate(at: H) -> None:
            for name, values, type in dice:
                at.decide(name, values[at.chance(len(values))](at), type)

        return operate


@step("ask", Sentence("says"))
class Ask(DeclaredVerb):
    """Ask seats something, all at once; the answers become words."""

    who: Annotated[Ir, SeatsField("Who is asked.")]
    choose: Annotated[tuple[Choose, ...], ChoicesField("What is chosen, by name.")]
    name: Annotated[Text, TitleField("What the table asks.")] = field(default_factory=dict)
    secret: Annotated[bool, FlagField("Whether the answer stays secret.")] = False

    def operation(self, compiler: VerbCompiler[H]) -> Operation[H]:
        return compiler.question(self, self.who)


# --- the course of play: interrupt, retire, go

END, BACK = "end", "back"


@step(
    "interrupt",
    Sentence("says"),
    short="phase",
)
class Interrupt(DeclaredVerb):
    """Run this phase now; back continues here."""

    leaves = True

    phase: Annotated[str, PhaseName("The phase.")]
    tile: Annotated[
        Ir | None,
        TilesField("The tile in question in it, or any of several; by default the current one."),
    ] = None

    def operation(self, compiler: VerbCompiler[H]) -> Operation[H]:
        phase, tiles = self.phase, None if self.tile is None else compiler.tiles(self.tile)

        def operate(at: H) -> None:
            at.interrupt(phase, None if tiles is None else next(iter(tiles(at)), None))

        return operate


@step(
    "retire",
    Sentence("says"),
    ends_hands=True,
)
class Retire(DeclaredVerb):
    """This seat is out for the rest of the hand."""

    seats: Annotated[Ir, SeatsField()]

    def operation(self, compiler: VerbCompiler[H]) -> Operation[H]:
        seats = compiler.members(self.seats)

        def operate(at: H) -> None:
            for seat in seats(at):
                at.retire(seat)

        return operate


@step("go", Sentence("says"))
class Go(DeclaredVerb):
    """Continue with this phase at once."""

    leaves = True

    goal: Annotated[Goal, GoalField()]

    def operation(self, compiler: VerbCompiler[H]) -> Operation[H]:
        return compiler.goal(self.goal)

    def clause(self, speaker: StepSpeaker) -> str:
        return speaker.goal(self.goal) if self.goal.phase in (END, BACK) else super().clause(speaker)


# --- won hands and payments: declare, finish, settle, refund, final

ACTING_SEAT = Lookup("seat", "word", "seat")


@step(
    "declare",
    Sentence("says"),
    short="seat",
)
class Declare(DeclaredVerb):
    """Declare this seat's hand won."""

    seat: Annotated[Ir, SeatsField("Who wins.")] = ACTING_SEAT
    tiles: Annotated[Ir | None, TilesField("The part of the hand that is shown and won with.")] = None

    def operation(self, compiler: VerbCompiler[H]) -> Operation[H]:
        seats, tiles = compiler.members(self.seat), None if self.tiles is None else compiler.tiles(self.tiles)

        def operate(at: H) -> None:
            for seat in seats(at):
                if not at.win(seat, None if tiles is None else tiles(at)):
                    return

        return operate


@step("finish", Sentence("laid"), Sentence("named"), Sentence("last"), short="hand")
class Finish(DeclaredVerb):
    """Close a hand of the seat: it takes no more melds, and cannot win. With `to`, its melds go there, and the tiles
    that it was declared with."""

    hand: Annotated[Ir | None, OrdinalField("Its number, from 1; by default the one declared last.")] = None
    to: Annotated[Ir | None, ZoneField("The zone that its tiles go to; by default they stay.", goes_in=True)] = None

    def operation(self, compiler: VerbCompiler[H]) -> Operation[H]:
        number = None if self.hand is None else compiler.number(self.hand)
        zones = None if self.to is None else compiler.zones(self.to)

        def operate(at: H) -> None:
            at.finish(None if number is None else number(at), None if zones is None else zones(at)[0])

        return operate


@step("settle", Sentence("says"))
class Settle(DeclaredVerb):
    """Carry out these payments for the seat."""

    payments: Annotated[str, PaymentName()]

    def operation(self, compiler: VerbCompiler[H]) -> Operation[H]:
        return lambda at: at.settle(self.payments)

    def clause(self, speaker: StepSpeaker) -> str:
        in_full = speaker.payment_in_full(self.payments)
        return super().clause(speaker) if in_full is None else in_full


@step("refund", Sentence("says"))
class Refund(DeclaredVerb):
    """Return what the seat got by these payments in this hand."""

    payments: Annotated[tuple[str, ...], PaymentNames()]

    def operation(self, compiler: VerbCompiler[H]) -> Operation[H]:
        return lambda at: at.refund(self.payments)


@step(
    "final",
    Sentence("says"),
)
class Final(DeclaredVerb):
    """Keep what the seat got when one of these payments was last carried out for it: refund does not return it
    back."""

    payments: Annotated[tuple[str, ...], PaymentNames()]

    def operation(self, compiler: VerbCompiler[H]) -> Operation[H]:
        return lambda at: at.keep(self.payments)
