"""Buttons: answers that pressed buttons give for a seat. In: a table, a seat, the ids of buttons. Out: a move, or none.

A button answers when a phase asks for one of its offers, never when a step asks. Knows no screen: sorting is up to
whoever shows the zone.
"""

from collections.abc import Collection

from tilewright.language.compiled.play import Button
from tilewright.play.model.moves import PASS, Move
from tilewright.play.program.choices import Choices, OpenChoice, Option
from tilewright.play.scene.scene import TableScene
from tilewright.play.state.state import TableState


def answer_by(game: TableState, seat: int, pressed: Collection[str]) -> Move | None:
    """The answer of the pressed buttons: the first in file order that takes an offer and finds one choice of it; else a
    pass, if they decline everything that the seat may do. None where the seat is not asked, or decides itself."""
    window = game.window
    if window is None or window.ask is not None or seat not in window.choices or seat in window.answers:
        return None
    choices = window.choices[seat]
    on = [button for button in game.program.play.buttons if button.id in pressed]
    for button in (button for button in on if button.takes):
        found = taken(game, button, choices)
        if found is not None:
            return found.move
    declines = [button for button in on if button.declines]
    every: list[Option | OpenChoice] = [*choices.every(), *choices.picks]
    if window.may_pass and all(any(speaks_of(game, button, one) for button in declines) for one in every):
        return Move(seat, PASS)
    return None


def taken(game: TableState, button: Button, choices: Choices) -> Option | None:
    """The only choice that the button takes; of several, the only one of the tile drawn last."""
    options = [option for option in choices.every() if speaks_of(game, button, option)]
    if len(options) > 1:
        options = [option for option in options if is_of_drawn(game, option)]
    return options[0] if len(options) == 1 else None


def is_of_drawn(game: TableState, option: Option) -> bool:
    """Whether the tile that the seat drew last is chosen."""
    return game.drawn[option.move.seat] in (option.facts.get("tile") or ())


def speaks_of(game: TableState, button: Button, choice: Option | OpenChoice) -> bool:
    """Whether the button takes or declines the choice. A choice of several tiles, which are not chosen yet, is answered
    only by a button without a condition."""
    window, offering = game.window, choice.offering
    assert window is not None and offering is not None
    names = button.declines or (button.takes,)
    if not any(offering.offer.id in game.program.named(name, window.phase) for name in names):
        return False
    if button.when is None:
        return True
    if isinstance(choice, OpenChoice):
        return False
    scene = TableScene(game, choice.move.seat, choice.letters, choice.facts)
    return bool(game.program.evaluator(button.when)(scene, {}))
