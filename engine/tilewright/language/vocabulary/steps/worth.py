"""Steps about won hands and payments: declare, finish, settle, refund, final."""

from typing import Annotated

from tilewright.language.compiled.ir import Ir, Lookup
from tilewright.language.compiled.steps import H, Operation, StepSpeaker, VerbCompiler
from tilewright.language.vocabulary.steps.declare import DeclaredVerb, Sentence, step
from tilewright.language.vocabulary.steps.fields import (
    OrdinalField,
    PaymentName,
    PaymentNames,
    SeatsField,
    TilesField,
    ZoneField,
)

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
