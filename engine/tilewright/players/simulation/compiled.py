"""Games of bots by the compiled play of a ruleset: the rows that the same games give move
by move.

In: rules and a plan. Knows no files and no screen."""

from collections.abc import Callable, Collection, Sequence
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from tilewright.play.model.moves import Move
from tilewright.play.rules import Rules
from tilewright.play.view import View
from tilewright.players.levels import CAREFUL, FAST, RANDOM, STRONG, Bot, bot
from tilewright.players.simulation.rows import GameRows, HandRow, OfferRow, row_of
from tilewright.tiles.tileset import Spelling

if TYPE_CHECKING:
    from tilewright.play.compiled.play import CompiledGame, CompiledPlay
    from tilewright.players.compiled.play import KernelPlayers

LEVELS = {RANDOM, FAST, CAREFUL, STRONG}  # players that kernels have


class CompiledTable(NamedTuple):
    """A compiled play; with `players` if some do not play at random."""

    play: "CompiledPlay"
    players: "KernelPlayers | None" = None

    def game(self, seed: int, names: Sequence[str], hands: int | None) -> "CompiledGame":
        """A game of these players at its first deal."""
        plays = None if self.players is None else partial(self.players.play_hand, names=names)
        return self.play.game(seed, hands, plays, AnsweringBots(self.play.rules, seed, names).choose)


class AnsweringBots:
    """The players of a game where they answer what steps ask; each is made when it is first asked."""

    def __init__(self, rules: Rules, seed: int, names: Sequence[str | None]) -> None:
        self.rules, self.seed, self.names = rules, seed, names
        self.players: dict[int, Bot] = {}

    def choose(self, view: View) -> Move:
        """The answer of the player whose seat it is."""
        assert view.seat is not None
        number = view.player(view.seat)
        if number not in self.players:
            name = self.names[number]
            assert name is not None  # who learns is asked elsewhere
            self.players[number] = bot(name, self.rules, self.seed)
        return self.players[number].choose(view)


class Compiled(NamedTuple):
    """The compiled table of a ruleset, or (`why_not`) what of it cannot be compiled."""

    table: CompiledTable | None = None
    why_not: str = ""


def compiled_play(rules: Rules, players: Sequence[str], *, logs: bool) -> Compiled:
    """The compiled table of these players. The last one is kept, since commands ask for it twice."""
    names = frozenset(players)
    if logs or not names <= LEVELS:
        return Compiled()
    if not (_last and _last[0][0] is rules and _last[0][1] == names):
        _last[:] = [(rules, names, newly_compiled(rules, names))]
    return _last[0][2]


_last: list[tuple[Rules, frozenset[str], Compiled]] = []


def newly_compiled(rules: Rules, names: Collection[str]) -> Compiled:
    from tilewright.play.compiled.writing.writer import NotSayable

    try:
        return Compiled(table_of(rules, names))
    except NotSayable as error:
        return Compiled(None, str(error))


def table_of(rules: Rules, names: Collection[str]) -> CompiledTable:
    """A compiled table of these players. Raises NotSayable."""
    from tilewright.play.compiled.play import CompiledPlay
    from tilewright.players.compiled.play import KernelPlayers

    play = CompiledPlay(rules)
    return CompiledTable(play, None if set(names) == {RANDOM} else KernelPlayers(play, set(names)))


def rows_of_game(
    table: CompiledTable,
    number: int,
    seed: int,
    names: Sequence[str],
    *,
    match: bool,
    spelling: Spelling | None,
    goes_on: Callable[[], None],
) -> GameRows | None:
    """The rows of a game, `goes_on` being asked before each hand; None for one that the compiled play cannot follow."""
    from tilewright.play.compiled.host import Odd

    game, rows = table.game(seed, names, None if match else 1), list[HandRow]()
    data = table.play.rules.data
    try:
        while not game.over:
            goes_on()
            result = game.hand()
            last = game.over
            rows.append(row_of(result, number, seed, last, game.spots, data, spelling, offer_rows(game)))
    except Odd:
        return None
    return GameRows(tuple(rows))


def offer_rows(game: "CompiledGame") -> tuple[OfferRow, ...]:
    """The offers of the hand that has ended."""
    return tuple(OfferRow(id, offered, taken) for id, offered, taken in sorted(game.offers))
