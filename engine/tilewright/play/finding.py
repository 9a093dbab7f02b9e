"""Finding moves: an offer and the tiles chosen in, or the buttons that a seat has pressed; the intended legal move out.

Tiles may be written in any notation (`345m`, `3m 4m 5m`); a choice may be left out where only one is possible. A button
answers when a phase asks for one of its offers, never when a step asks. Knows no case and no screen: sorting is up to
whoever shows the zone.
"""

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence

from tilewright.language.compiled.play import Button
from tilewright.play.legality import allows, illegal
from tilewright.play.model import PASS, IllegalMove, Move, Pick
from tilewright.play.operations import Choices, OpenChoice, Option
from tilewright.play.scene import TableScene
from tilewright.play.state import TableState
from tilewright.tiles.notation import NotationError, read_tiles

DRAWN = "drawn"  # in place of a tile: the one drawn last
MOST_TOLD = 6  # ways to make an ambiguous move
MOST_POSSIBLE = 40  # moves listed when one is not possible


class AmbiguousMove(IllegalMove):
    """More than one move fits; `ways` lists them."""

    def __init__(self, found: Sequence[Move]) -> None:
        self.ways = "; ".join(", ".join(f"{name} {text}" for name, text in move.choice) for move in found[:MOST_TOLD])
        self.why = f"{found[0].does} may be done in {len(found)} ways here"
        super().__init__(f"{self.why}: {self.ways}")


def move_meant(
    game: TableState,
    does: str,
    chosen: Sequence[str] = (),
    seat: int | None = None,
    named: Mapping[str, str] | None = None,
) -> Move:
    """The one legal move of this offer that chooses these texts, whatever the choices are called, and these by name; of
    the seat, or of the one that is asked and may make it. Raises IllegalMove, which lists what is possible."""
    asked = game.asked if seat is None else (seat,)
    found = [move for each in asked for move in fitting(game, each, does, named or {}, chosen)]
    if len(found) == 1:
        return found[0]
    if not found:
        raise none_found(game, does, chosen, seat, named or {})
    seats = dict.fromkeys(move.seat for move in found)
    if len(seats) > 1:
        names = " and ".join(game.program.names[each] for each in seats)
        raise IllegalMove(f"{names} may do {does} here: name the seat")
    raise AmbiguousMove(found)


def none_found(
    game: TableState, does: str, chosen: Sequence[str], seat: int | None, named: Mapping[str, str]
) -> IllegalMove:
    """Why the move cannot be made, and what can."""
    who = seat if seat is not None else next(iter(game.asked), 0)
    names = names_of_choices(game, does)
    choice = tuple(
        (name, " ".join(spelled(game, text))) for name, text in [*zip(names, chosen, strict=False), *named.items()]
    )
    error = illegal(game, Move(who, does, choice))
    may = "; ".join(
        f"{game.program.names[each]} may do {', '.join(possible(game, each))}"
        for each in (game.asked if seat is None else [seat])
        if game.question(each) is not None
    )
    return IllegalMove(f"{error}. {may}" if may else str(error), error.reason)


def names_of_choices(game: TableState, does: str) -> list[str]:
    offer = game.program.play.offers.get(does)
    return [] if offer is None else ["group"] if offer.group else [choose.name for choose in offer.choose]


def possible(game: TableState, seat: int) -> list[str]:
    """What a seat may do, in short."""
    question = game.question(seat)
    assert question is not None
    moves = [" ".join([move.does, *(text for _, text in move.choice)]) for move in question.moves[:MOST_POSSIBLE]]
    more = ["..."] if len(question.moves) > MOST_POSSIBLE else []
    return [*(f"{pick.does} ({pick.least} to {pick.most} tiles)" for pick in question.picks), *moves, *more]


# --- moves that fit


def fitting(game: TableState, seat: int, does: str, named: Mapping[str, str], chosen: Sequence[str] = ()) -> list[Move]:
    """The moves of a seat that choose all this."""
    question = game.question(seat)
    if question is None:
        return []
    texts = [with_drawn(game, seat, text) for text in chosen]
    named = {name: with_drawn(game, seat, text) for name, text in named.items()}
    moves = [*(move for move in question.moves if move.does == does)]
    for pick in question.picks:
        if pick.does == does:
            moves += picks_meant(game, seat, pick, named, texts)
    found = [move for move in moves if fits(game, dict(move.choice), named, texts)]
    exact = [move for move in found if set(texts) | set(named.values()) <= {text for _, text in move.choice}]
    return exact if len(found) > 1 and len(exact) == 1 and (texts or named) else found


def with_drawn(game: TableState, seat: int, text: str) -> str:
    """The text, or the tile in place of `drawn`."""
    tile = game.drawn[seat]
    return game.program.code[tile] if text == DRAWN and tile is not None else text


def picks_meant(
    game: TableState, seat: int, pick: Pick, named: Mapping[str, str], texts: Sequence[str]
) -> Iterator[Move]:
    """The legal moves that choose the tiles of one of the texts."""
    wanted = [named[pick.name]] if pick.name in named else [*dict.fromkeys(texts)] or [""]
    for text in wanted:
        move = picked(game, seat, pick, text)
        if move is not None and allows(game, move):
            yield move


def fits(game: TableState, choice: Mapping[str, str], named: Mapping[str, str], texts: Sequence[str]) -> bool:
    """Whether everything wanted is chosen, texts without a name each under a name of its own."""
    if not all(name in choice and same(game, choice[name], text) for name, text in named.items()):
        return False
    left = [text for name, text in choice.items() if name not in named]
    for text in texts:
        found = next((one for one in left if same(game, one, text)), None)
        if found is None:
            return False
        left.remove(found)
    return True


def same(game: TableState, chosen: str, wanted: str) -> bool:
    """Whether two texts choose the same: letter by letter, or the same tiles, wherever they are and whatever they stand
    for."""
    return chosen == wanted or (codes(game, chosen) == codes(game, wanted) is not None)


def codes(game: TableState, text: str) -> Counter[int] | None:
    """The tiles of a text, without their places and what they stand for; None if it is not tiles."""
    bare = " ".join(word.partition("@")[0].partition("=")[0] for word in text.split())
    try:
        tiles = read_tiles(bare, game.program.data.tiles)
    except NotationError:
        return None
    return Counter(tiles) if tiles else None


def picked(game: TableState, seat: int, pick: Pick, text: str) -> Move | None:
    """The move that chooses these tiles; None if they are not there."""
    free, chosen = list(pick.tiles), []
    words = text.split() if set(text.split()) <= set(free) else None
    for code in words if words is not None else spelled(game, text):
        found = next((one for one in free if one == code or one.partition("@")[0] == code), None)
        if found is None:
            return None
        free.remove(found)
        chosen.append(found)
    return pick.move(seat, chosen)


def spelled(game: TableState, text: str) -> list[str]:
    """The codes of the tiles of a text; its words if it names no tiles, or more than tiles."""
    try:
        if "=" in text or "@" in text:
            return text.split()
        return [game.program.code[tile] for tile in read_tiles(text, game.program.data.tiles)]
    except NotationError:
        return [text]


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
