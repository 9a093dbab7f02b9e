"""Games of random players by the compiled play of a ruleset: the rows that the same games give move by move.

In: rules and a plan. Compiling takes seconds once, so it is only done for many games. Knows no files and no screen."""

from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, NamedTuple

from tilewright.base.compute.kernels import pays, prepare
from tilewright.play.rules import Rules
from tilewright.players.simulation.rows import GameRows, HandRow, OfferRow, row_of
from tilewright.tiles.tileset import Spelling

if TYPE_CHECKING:
    from tilewright.play.compiled.play import CompiledGame, CompiledPlay

RANDOM = "random"
MANY, VERY_MANY = 300, 5_000  # games from which on it pays: kernels compiled before, or not


class Compiled(NamedTuple):
    """The compiled play of a ruleset, or (`why_not`) what of it cannot be compiled; neither where it does not pay."""

    play: "CompiledPlay | None" = None
    why_not: str = ""


def compiled_play(rules: Rules, players: Sequence[str], games: int, *, logs: bool) -> Compiled:
    """The compiled play for so many games of these players."""
    if logs or games < MANY or any(player != RANDOM for player in players) or not prepare():
        return Compiled()
    from tilewright.play.compiled.kernel.machine import play
    from tilewright.play.compiled.play import CompiledPlay
    from tilewright.play.compiled.writer import NotSayable

    if not pays(play, games, MANY, VERY_MANY):
        return Compiled()
    try:
        return Compiled(CompiledPlay(rules))
    except NotSayable as error:
        return Compiled(None, str(error))


def warm_play(rules: Rules) -> str:
    """Compile what plays games of random players, and keep it. Empty, or what of the ruleset cannot be compiled."""
    from tilewright.play.compiled.host import Odd
    from tilewright.play.compiled.play import CompiledPlay
    from tilewright.play.compiled.writer import NotSayable

    try:
        with suppress(Odd):
            CompiledPlay(rules).game(0, hands=1).hand()
    except NotSayable as error:
        return str(error)
    return ""


def rows_of_game(
    compiled: "CompiledPlay",
    number: int,
    seed: int,
    *,
    match: bool,
    spelling: Spelling | None,
    goes_on: Callable[[], None],
) -> GameRows | None:
    """The rows of a game, `goes_on` being asked before each hand; None for one that the compiled play cannot follow."""
    from tilewright.play.compiled.host import Odd

    game, rows = compiled.game(seed, None if match else 1), list[HandRow]()
    data = compiled.rules.data
    try:
        while not game.match.over:
            goes_on()
            result = game.hand()
            last = game.match.over
            rows.append(row_of(result, number, seed, last, game.spots, data, spelling, offer_rows(game)))
    except Odd:
        return None
    return GameRows(tuple(rows))


def offer_rows(game: "CompiledGame") -> tuple[OfferRow, ...]:
    """The offers of the hand that has ended."""
    return tuple(OfferRow(id, offered, taken) for id, offered, taken in sorted(game.offers))
