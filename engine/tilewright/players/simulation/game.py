"""One game between bots: its number and seed in, the rows of its hands out, with the error if it broke off. A `Match`
plays it, or the compiled play of its ruleset, which gives the same rows. Knows no files and no screen."""

import traceback
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from tilewright.play.log import lines
from tilewright.play.match import Match
from tilewright.play.model import Move
from tilewright.play.rules import Rules
from tilewright.play.view import View
from tilewright.players.player import CAREFUL, FAST, RANDOM, STRONG, Bot, Player, bot, is_program, player_of
from tilewright.players.programs.process import ProcessPlayer
from tilewright.players.simulation.estimates import seating
from tilewright.players.simulation.rows import Failure, GameRows, HandRow, OfferCounts, OfferRow, Spots, row_of
from tilewright.tiles.tileset import Spelling

if TYPE_CHECKING:
    from tilewright.play.compiled.play import CompiledGame, CompiledPlay
    from tilewright.players.compiled.play import KernelPlayers

LONGEST = 400  # characters of an error
LEVELS = {RANDOM, FAST, CAREFUL, STRONG}  # players that kernels have
Stops = Callable[[], bool]


class Stopped(Exception):
    """The game is no longer needed."""


@dataclass(frozen=True)
class FinishedGame:
    """The settings of every game of a simulation. `players`: a name for each player; `match`: a whole match, not one
    hand; `logs`: keep the log; `stops`: asked repeatedly whether to stop; `spelling`: of tiles in rows, if not by
    code; `rotate`: the players move up a place with each game; `duel`: the two players exchange seats with each game;
    `compiled`: plays the games without a table that shows each move."""

    rules: Rules
    players: tuple[str, ...]
    match: bool = False
    logs: bool = False
    stops: Stops = lambda: False
    spelling: Spelling | None = None
    rotate: bool = False
    duel: bool = False
    compiled: "CompiledTable | None" = None

    def players_of(self, number: int) -> tuple[str, ...]:
        """The names of the players of a game."""
        if self.duel:
            return seating(self.players, self.rules.data.seats.count, number)
        at = -number % len(self.players) if self.rotate else 0
        return (*self.players[at:], *self.players[:at])

    def game(self, number: int, seed: int) -> GameRows:
        """The rows of a game. Raises Stopped."""
        playing = RunningGame(self, number, seed)
        try:
            if self.compiled is not None and (rows := self.rows_by(self.compiled, number, seed)) is not None:
                return rows
            with ExitStack() as stack:
                playing.to_the_end(stack)
        except Stopped:
            raise
        except Exception as error:  # whatever a ruleset or a bot does, the other games continue
            return playing.broken(error)
        return GameRows(tuple(playing.rows), log=playing.log())

    def rows_by(self, compiled: "CompiledTable", number: int, seed: int) -> GameRows | None:
        """The rows of a game by the compiled play; None for one that it cannot follow. Raises Stopped."""
        names, goes_on = self.players_of(number), self.stop_where_asked
        return rows_of_game(compiled, number, seed, names, match=self.match, spelling=self.spelling, goes_on=goes_on)

    def stop_where_asked(self) -> None:
        """Raise Stopped where the game is no longer needed."""
        if self.stops():
            raise Stopped


class RunningGame:
    """A game in progress: its state, kept even if it breaks off."""

    def __init__(self, played: FinishedGame, number: int, seed: int) -> None:
        self.played, self.number, self.seed = played, number, seed
        self.rows: list[HandRow] = []
        self.reported: list[str] = []
        self.game: Match | None = None
        self.offers = OfferCounts()
        self.players = played.players_of(number)
        self.acting = ""

    def to_the_end(self, stack: ExitStack) -> None:
        """Play the game with players of its own, which are closed at its end."""
        played = self.played
        listen = played.logs or any(map(is_program, self.players))
        players = [player_of(name, played.rules, self.seed) for name in self.players]
        for player in players:
            stack.callback(player.close)
        game = self.game = played.rules.game(self.seed, hands=None if played.match else 1, listen=listen)
        spots: Spots = game.where
        while not self.ended(game, players, spots):
            played.stop_where_asked()
            spots = game.where  # of this hand: the next one has others
            self.answer(game, players)

    def answer(self, game: Match, players: Sequence[Player]) -> None:
        """Have the first asked seat answer."""
        seat = game.asked[0]
        player = game.player(seat)
        self.acting = f"player {player} ({self.players[player]}): "
        self.offers.see(game)
        move = players[player].choose(View(game, seat))
        game.answer(move)
        self.offers.take(move.does)
        self.acting = ""

    def ended(self, game: Match, players: Sequence[Player], spots: Spots) -> bool:
        """Keep the hands that have ended and notify the players. Returns whether the game is over."""
        for result in game.results[len(self.rows) :]:
            last = game.over and result is game.results[-1]
            offers = self.offers.rows()
            played = self.played
            row = row_of(result, self.number, self.seed, last, spots, played.rules.data, played.spelling, offers)
            self.rows.append(replace(row, problems=(*row.problems, *self.troubles(players))))
            for player, one in enumerate(players):
                one.ended(View(game, game.seat_of(player)))
        return game.over

    def troubles(self, players: Sequence[Player]) -> Iterator[str]:
        """Errors of programs that play, each once."""
        for player in players:
            if isinstance(player, ProcessPlayer) and player.problem not in (None, *self.reported):
                self.reported.append(player.problem or "")
                yield self.reported[-1]

    def log(self) -> str | None:
        """The log so far, if it is to be kept."""
        if not self.played.logs or self.game is None:
            return None
        return "".join(f"{line}\n" for line in lines(self.game, self.players))

    def broken(self, error: Exception) -> GameRows:
        """The hands that ended, and one that did not."""
        text = f"{self.acting}{error_text(error)}"[:LONGEST]
        problems = self.game.problems if self.game is not None else ()
        row = HandRow(self.number, len(self.rows), self.seed, problems=problems, error=text)
        return GameRows((*self.rows, row), Failure(self.number, self.seed, text), self.log())


def error_text(error: Exception) -> str:
    """The error, and where it happened."""
    message = " ".join(str(error).split())
    where = traceback.extract_tb(error.__traceback__)[-1]
    return f"{type(error).__name__}: {message} ({Path(where.filename).name}:{where.lineno})"


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
