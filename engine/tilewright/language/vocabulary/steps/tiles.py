"""Steps that move tiles: shuffle, draw, move, swap, meld, reveal."""

from typing import Annotated

from tilewright.language.compiled.ir import Const, Ir, Lookup
from tilewright.language.compiled.steps import H, Operation, StepSpeaker, VerbCompiler
from tilewright.language.vocabulary.steps.declare import DeclaredVerb, Sentence, step
from tilewright.language.vocabulary.steps.fields import (
    ClassesField,
    FlagField,
    GroupField,
    NumberField,
    OneOfField,
    OrdinalField,
    PairOfTiles,
    SeatsField,
    ShownField,
    TilesField,
    ZoneField,
)

ONE = Const("number", 1)
HAND, WALL, MELDS = "hand", "wall", "melds"


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
