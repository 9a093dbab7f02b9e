"""Games of bots by the compiled play of a ruleset: the rows that the same games give move
by move.

In: rules and a plan. Compiling takes seconds once, so it is only done for many games. Knows no files and no screen."""

from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from tilewright.base.compute.kernels import pays, prepare
from tilewright.play.model.moves import Move
from tilewright.play.rules import Rules
from tilewright.play.view import View
from tilewright.players.levels import CAREFUL, FAST, RANDOM, STRONG, Bot, bot
from tilewright.players.simulation.rows import GameRows, HandRow, OfferRow, row_of
from tilewright.tiles.tileset import Spelling

if TYPE_CHECKING:
    from tilewright.play.compiled.play import CompiledGame, CompiledPlay
    from tilewright.players.compiled.play import KernelPlayers

# Games from which on it pays: kernels compiled before, or not; by the player that takes longest move by move.
PAYS = {RANDOM: (300, 5_000), FAST: (60, 2_000), CAREFUL: (8, 200), STRONG: (8, 200)}


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

    def __init__(self, rules: Rules, seed: int, names: Sequence[str]) -> None:
        self.rules, self.seed, self.names = rules, seed, names
        self.players: dict[int, Bot] = {}

    def choose(self, view: View) -> Move:
        """The answer of the player whose seat it is."""
        assert view.seat is not None
        number = view.player(view.seat)
        if number not in self.players:
            self.players[number] = bot(self.names[number], self.rules, self.seed)
        return self.players[number].choose(view)


class Compiled(NamedTuple):
    """The compiled table of a ruleset, or (`why_not`) what of it cannot be compiled; neither where it does not pay."""

    table: CompiledTable | None = None
    why_not: str = ""


def compiled_play(rules: Rules, players: Sequence[str], games: int, *, logs: bool) -> Compiled:
    """The compiled table for so many games of these players."""
    slowest = max(players, key=[*PAYS].index) if PAYS.keys() >= set(players) else None
    if logs or slowest is None or games < PAYS[slowest][0] or not prepare():
        return Compiled()
    from tilewright.play.compiled.kernel.machine import play
    from tilewright.play.compiled.writer import NotSayable
    from tilewright.players.compiled.moves.playing import play_on

    if not pays(play if slowest == RANDOM else play_on, games, *PAYS[slowest]):
        return Compiled()
    try:
        return Compiled(table_of(rules, players))
    except NotSayable as error:
        return Compiled(None, str(error))


def table_of(rules: Rules, names: Collection[str]) -> CompiledTable:
    """A compiled table of these players. Raises NotSayable."""
    from tilewright.play.compiled.play import CompiledPlay
    from tilewright.players.compiled.play import KernelPlayers

    play = CompiledPlay(rules)
    return CompiledTable(play, None if set(names) == {RANDOM} else KernelPlayers(play, set(names)))


def warm_play(rules: Rules) -> Mapping[str, str]:
    """Compile what plays games of these players, and keep it. By player: empty, or what of the ruleset cannot be
    compiled."""
    return {name: warm_table(rules, name) for name in PAYS}


def warm_table(rules: Rules, name: str) -> str:
    from tilewright.play.compiled.giving import Odd
    from tilewright.play.compiled.writer import NotSayable

    try:
        table = table_of(rules, [name])
        with suppress(Odd):
            table.game(0, [name] * table.play.program.count, 1).hand()
    except NotSayable as error:
        return str(error)
    return ""


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
    from tilewright.play.compiled.giving import Odd

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
