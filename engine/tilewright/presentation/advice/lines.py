"""Advice as lines: a view in; what a fast bot would do, the waits, the nearest hands of a card, out.

Knows nothing but the view: no tile of others, and no tile of the wall.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property

from rich.text import Text

from tilewright.play.model import Move
from tilewright.play.view import View
from tilewright.players.player import Player
from tilewright.presentation.advice.nearest import nearest_lines
from tilewright.presentation.advice.seat_hand import MOST_DISCARDS, MOST_READY, SeatHand
from tilewright.presentation.advice.waits import waits_lines
from tilewright.presentation.names import RulesetNames
from tilewright.scoring.case_mistakes import CaseError
from tilewright.scoring.nearest import cards_of
from tilewright.scoring.rules import ScoringRules, Waits


@dataclass(frozen=True)
class Advice:
    """`quick`: the player whose choice is the hint; `names`: in the language of the player."""

    rules: ScoringRules
    quick: Player
    names: RulesetNames

    def hint(self, view: View) -> Move:
        """What a fast bot would answer."""
        return self.quick.choose(view)

    @cached_property
    def has_cards(self) -> bool:
        """Whether some form is won by a card."""
        return bool(cards_of(self.rules.judge))

    def nearest(self, view: View) -> list[Text]:
        """The hands of the card nearest to the own one."""
        lines = list[Text]()
        try:
            for hand in SeatHand(self.rules, view).hands():
                if hand.number:
                    lines.append(Text(self.names.say("advice.of_hand", number=hand.number), "bold"))
                lines += nearest_lines(hand.nearest(), self.rules, self.names, every=False)
        except CaseError as error:
            return [Text(error.message, "yellow")]
        return lines

    def waits(self, view: View) -> list[Text]:
        """The waits of the hand with their worth, or the tiles that bring it nearer."""
        held = SeatHand(self.rules, view)
        try:
            waits = held.waits()
        except CaseError as error:
            return [Text(error.message, "yellow")]
        lines = list(waits_lines(replace(waits, discards=waits.discards[:MOST_DISCARDS]), self.names))
        return [*lines, *(self.barred_lines(held) if waits.tiles else ()), *self.ready_lines(held, waits)]

    def ready_lines(self, held: SeatHand, waits: Waits) -> Iterator[Text]:
        """For the discards that leave a waiting hand: the waits with their worth."""
        ready = [discard for discard in waits.discards if discard.distance == 1]
        for discard in ready[:MOST_READY]:
            yield Text()
            yield Text("  ") + self.names.filled("advice.without", "", tile=Text(discard.code, "bold cyan"))
            then = held.without(discard.code)
            try:
                yield from waits_lines(then.waits(), self.names)
                yield from self.barred_lines(then)
            except CaseError as error:
                yield Text(f"  {error.message}", "yellow")

    def barred_lines(self, held: SeatHand) -> Iterator[Text]:
        """Why a waiting hand cannot win on a discard."""
        for reason in held.barred():
            why = Text(self.names.translated(reason), "yellow")
            yield Text("  ") + self.names.filled("table.barred", "", reason=why)
