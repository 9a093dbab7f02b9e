"""Refusals: what a seat may expect to do but may not, with the reason in the languages of the ruleset."""

from collections.abc import Iterable, Sequence

from tilewright.play.model.moves import Refusal
from tilewright.play.offers.legal_choices import choices_in
from tilewright.play.scene.scene import TableScene
from tilewright.play.state.state import TableState


def refusals(game: TableState, seat: int) -> tuple[Refusal, ...]:
    """What the seat may expect to do now but may not, one for each reason. If a phase has skipped it because everything
    was refused: those refusals, until the next answer is carried out."""
    if is_among_the_asked(game, seat):
        return gathered(all_refusals(game, seat))
    return game.passed_over.get(seat, ())


def all_refusals(game: TableState, seat: int) -> Sequence[Refusal]:
    """Every choice that the current phase refuses to one of the seats it asks."""
    assert game.window is not None
    return choices_in(game, game.window.phase, seat, refusals=True).refused or ()


def is_among_the_asked(game: TableState, seat: int) -> bool:
    """Whether the phase asks the seat, even if it can do nothing."""
    return game.window is not None and game.window.ask is None and seat in who_is_asked(game)


def who_is_asked(game: TableState) -> tuple[int, ...]:
    """The seats that the phase asks, even those that can do nothing."""
    frame = game.stack[-1]
    phase = game.program.play.phases[frame.code.name]
    assert phase.who is not None
    who: tuple[int, ...] = game.program.evaluator(phase.who)(TableScene(game, frame.seat, frame.letters), {})
    return who


def gathered(refused: Iterable[Refusal]) -> tuple[Refusal, ...]:
    """One refusal for each offer and reason; with several choices, its `choice` is empty."""
    found: dict[tuple[str, tuple[tuple[str, str], ...]], list[Refusal]] = {}
    for refusal in refused:
        found.setdefault((refusal.does, tuple(refusal.reason.items())), []).append(refusal)
    return tuple(together(alike) for alike in found.values())


def together(alike: Sequence[Refusal]) -> Refusal:
    """The refusals of one offer for one reason, combined."""
    choices = tuple(dict.fromkeys(refusal.choice for refusal in alike))
    first = alike[0]
    return Refusal(first.does, choices[0] if len(choices) == 1 else (), first.reason, choices)
