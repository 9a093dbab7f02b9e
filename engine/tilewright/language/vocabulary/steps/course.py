"""Steps that change the course of play: interrupt, retire, go."""

from typing import Annotated

from tilewright.language.compiled.choices import Goal
from tilewright.language.compiled.ir import Ir
from tilewright.language.compiled.steps import H, Operation, StepSpeaker, VerbCompiler
from tilewright.language.vocabulary.steps.declare import DeclaredVerb, Sentence, step
from tilewright.language.vocabulary.steps.fields import GoalField, PhaseName, SeatsField, TilesField

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
